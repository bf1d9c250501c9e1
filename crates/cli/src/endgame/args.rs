//! What can be typed after `parlor endgame`.

use std::path::PathBuf;

use clap::Subcommand;

use crate::args::{result_path, whole};

#[derive(Subcommand, Debug)]
pub enum EndgameCommand {
    /// Work out every position with few pieces, and keep what each is worth
    ///
    /// Every class of pieces that is finished is a file. Ctrl-C keeps those; the same call continues.
    #[command(after_help = "Examples:\n  \
        parlor endgame build 'checkers(rows=6, columns=6)' --pieces 6\n  \
        parlor endgame build checkers --pieces 5 --out checkers5 --memory 2000")]
    Build(BuildArgs),
    /// Check a database: every value against those that follow, and a sample by search; exit code 1 if one is wrong
    #[command(after_help = "Example: parlor endgame verify checkers5")]
    Verify(VerifyArgs),
    /// Look a position up: its value, and that of each move
    #[command(
        after_help = "Example: parlor endgame probe checkers5 --position '-.-.-.-W/.-.-.-.-/-.-.-.-./.-.-.-.-/-.-.-.-./.-R-.-.-/-.-.-.-./.-R-.-.- r'"
    )]
    Probe(ProbeArgs),
}

#[derive(clap::Args, Debug)]
pub struct BuildArgs {
    /// The game, e.g. checkers
    pub game: String,
    /// Maximum number of pieces
    #[arg(long, value_name = "N", value_parser = whole::<u32>(2, 12))]
    pub pieces: u32,
    /// Where the database is kept (default: a folder of its own in the program's data folder)
    #[arg(short, long, value_name = "DIR", value_parser = result_path())]
    pub out: Option<PathBuf>,
    /// How many threads work (default: all cores)
    #[arg(long, value_name = "T", value_parser = whole::<u16>(1, 1024))]
    pub threads: Option<u16>,
    /// Memory for tables, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 1000, value_parser = whole::<usize>(1, 1_000_000))]
    pub memory: usize,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct VerifyArgs {
    /// The database
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// How many positions are searched
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole::<u32>(0, 100_000_000))]
    pub sample: u32,
    /// How many plies deep
    #[arg(long, value_name = "PLIES", default_value_t = 9, value_parser = whole::<u32>(1, 40))]
    pub depth: u32,
    /// Which positions are searched
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(0, u64::MAX))]
    pub seed: u64,
    /// How many threads work (default: all cores)
    #[arg(long, value_name = "T", value_parser = whole::<u16>(1, 1024))]
    pub threads: Option<u16>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct ProbeArgs {
    /// The database
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// The position in the game's own form, see the guide
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub position: String,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}
