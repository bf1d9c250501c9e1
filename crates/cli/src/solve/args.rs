//! What can be typed after `parlor solve`.

use super::hidden::HiddenArgs;
use crate::args::whole;

#[derive(clap::Args, Debug)]
pub struct SolveArgs {
    /// The game, e.g. 'connect(width=7, height=6)'
    pub game: String,
    /// The position in the game's own form, see the guide (default: the start)
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// The value of every move, not of the best alone
    #[arg(long)]
    pub moves: bool,
    /// How large the tables may get together, in mebibytes
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = whole::<usize>(1, 1_000_000))]
    pub table: usize,
    /// How many threads work (default: all cores)
    #[arg(long, value_name = "T", value_parser = whole::<u16>(1, 1024))]
    pub threads: Option<u16>,
    #[command(flatten)]
    pub hidden: HiddenArgs,
    /// Print {"value": .., "best": [..], "nodes": .., "seconds": ..}
    #[arg(long)]
    pub json: bool,
}
