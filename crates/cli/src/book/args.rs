//! What can be typed after `parlor book`.

use std::path::PathBuf;

use clap::Subcommand;

use crate::args::{result_path, whole};

#[derive(Subcommand, Debug)]
pub enum BookCommand {
    /// Grow an opening book by self-play
    ///
    /// Ctrl-C keeps what has grown; --resume continues.
    #[command(after_help = "Examples:\n  \
        parlor book build tictactoe --agent random --games 1000 -o ttt.book\n  \
        parlor book build 'connect(width=7, height=6)' --agent 'alphabeta(nodes=100000)' --games 500 -o c4.book\n  \
        parlor book build 'connect(width=7, height=6)' --exact -o exact.book\n  \
        parlor book build --resume c4.book                     go on after a break")]
    Build(BuildArgs),
    /// Show what a book is, and what it knows about a position
    #[command(after_help = "Examples:\n  \
        parlor book show c4.book\n  \
        parlor book show c4.book --position 44 --json")]
    Show(ShowArgs),
}

#[derive(clap::Args, Debug)]
pub struct BuildArgs {
    /// The game, e.g. checkers
    #[arg(required_unless_present = "resume")]
    pub game: Option<String>,
    /// Whose play the book is grown by (default: the game's first agent that neither learns nor sees what is hidden)
    #[arg(long, value_name = "AGENT")]
    pub agent: Option<String>,
    /// How many games at the most
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole::<u64>(1, 1_000_000_000))]
    pub games: u64,
    /// Stop when the book has this many positions
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1, 1_000_000_000))]
    pub positions: Option<u64>,
    /// How deep the book goes
    #[arg(long, value_name = "P", default_value_t = 12, value_parser = whole::<u32>(1, 1000))]
    pub plies: u32,
    /// Where the book is kept
    #[arg(short, long, value_name = "FILE", required_unless_present = "resume", value_parser = result_path())]
    pub out: Option<PathBuf>,
    /// Overwrite the file if it is there
    #[arg(long)]
    pub force: bool,
    /// Seed; equal seeds give equal books with any number of threads
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(0, u64::MAX))]
    pub seed: u64,
    /// How many threads play or solve (default: all cores)
    #[arg(long, value_name = "T", value_parser = whole::<u16>(1, 1024))]
    pub threads: Option<u16>,
    /// Grow a book of exact answers instead, with the game's solver: what `exact` plays
    ///
    /// One best move of each seat with every reply of the other, where the solver takes long.
    #[arg(long, conflicts_with_all = ["agent", "games", "positions", "seed"])]
    pub exact: bool,
    /// With --exact: leave out positions that take the solver at most this number of nodes
    #[arg(long, value_name = "NODES", default_value_t = 4_000_000, value_parser = whole::<u64>(1, 1_000_000_000_000))]
    pub easy: u64,
    /// With --exact: take answers from this finer book for the same rules instead of solving again
    #[arg(long, value_name = "FILE")]
    pub answers: Option<PathBuf>,
    /// With --exact: memory of the solvers' tables in mebibytes
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = whole::<u32>(1, 1 << 20))]
    pub table: u32,
    /// Go on with this book as it was planned
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "agent", "games", "positions", "plies", "out", "force", "seed", "exact", "easy"])]
    pub resume: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct ShowArgs {
    /// The book
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The position in the game's own form (default: the start)
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}
