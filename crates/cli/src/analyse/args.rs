//! What can be typed after `parlor analyse`.

use std::path::PathBuf;

use crate::args::whole;

#[derive(clap::Args, Debug)]
pub struct AnalyseArgs {
    /// The game, e.g. 'connect(width=7, height=6)'
    #[arg(required_unless_present = "replay")]
    pub game: Option<String>,
    /// Who thinks, with its limits: 'alphabeta(depth=12)' (default: the game's first agent)
    #[arg(long, value_name = "AGENT")]
    pub agent: Option<String>,
    /// The position in the game's own form, see the guide (default: the start)
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// What was done since the position, as saved games write it: "33@start draw:12"
    #[arg(
        long,
        value_name = "MOVES",
        allow_hyphen_values = true,
        default_value = "",
        hide_default_value = true
    )]
    pub moves: String,
    /// A saved game instead of a position
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "position", "moves"])]
    pub replay: Option<PathBuf>,
    /// Which line of the file, from 1
    #[arg(long, value_name = "N", requires = "replay", default_value_t = 1)]
    pub number: usize,
    /// How many plies of the saved game are played, those of chance included (default: all)
    #[arg(long, value_name = "N", requires = "replay")]
    pub ply: Option<usize>,
    /// The seat that thinks, which must be to move (default: the seat to move)
    #[arg(long, value_name = "S", value_parser = whole::<u8>(0, 1))]
    pub seat: Option<u8>,
    /// The agent's key `nodes` or `sims`: how many positions or simulations
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1, 1_000_000_000_000))]
    pub nodes: Option<u64>,
    /// The agent's key `depth`: how many plies
    #[arg(long, value_name = "PLIES", value_parser = whole::<u64>(1, 1000))]
    pub depth: Option<u64>,
    /// The agent's key `time_ms`, or its clock if it has none: how many milliseconds
    #[arg(long, value_name = "MS", value_parser = whole::<u64>(1, 86_400_000))]
    pub time: Option<u64>,
    /// Deals where the position leaves any open, and the agent's randomness
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(0, u64::MAX))]
    pub seed: u64,
    /// Also tell what the agent believes about what it cannot see
    #[arg(long)]
    pub beliefs: bool,
    /// Print a JSON document a line: each thought, then {"final": true, "best": ..}
    #[arg(long)]
    pub json: bool,
}
