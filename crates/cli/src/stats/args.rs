//! What can be typed after `parlor stats`.

use clap::{Parser, Subcommand, ValueEnum};
use parlor_core::time::planner::Stage;
use parlor_core::{ReadError, TimeControl};

#[derive(Subcommand, Debug)]
pub enum StatsCommand {
    /// The exact distribution of the score of n pairs between equals, and the p-value of a score
    #[command(after_help = "Examples:\n  \
        parlor stats pairs --p 0.3918 --q 0.3161 --n 50          which scores are rare?\n  \
        parlor stats pairs --p 0.3918 --q 0.3161 --n 50 --s 17   how rare is this one?")]
    Pairs(PairsArgs),
    /// Elo, interval, likelihood of superiority and p-value of single games: won, drawn, lost
    #[command(after_help = "Example: parlor stats elo 136 111 96 --sprt 0,10")]
    Elo(EloArgs),
    /// The same of pairs of games, by how many scored 0, ½, 1, 1½ and 2 points
    #[command(after_help = "Example: parlor stats penta 50 200 500 250 60 --sprt 0,5")]
    Penta(PentaArgs),
    /// How long to think: what the time planner makes of a clock
    #[command(after_help = "Examples:\n  \
        parlor stats plan 15m                            the first move of a game of 15 minutes\n  \
        parlor stats plan 5m+2s --played 20 --used 90s   the 21st, after 90 seconds\n  \
        parlor stats plan 15m --game --literal           a whole game by the published rule")]
    Plan(PlanArgs),
}

#[derive(Parser, Debug)]
pub struct PairsArgs {
    /// Probability that the player in the first seat wins
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub p: f64,
    /// Probability of a draw
    #[arg(long, value_name = "Q", allow_negative_numbers = true)]
    pub q: f64,
    /// How many pairs
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub n: u64,
    /// A score: games won minus games lost, -2N … 2N
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub s: Option<i64>,
    /// List the probability of every score from 0 up (the scores below are as likely)
    #[arg(long)]
    pub all: bool,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Parser, Debug)]
pub struct EloArgs {
    /// Games won
    #[arg(value_name = "W", value_parser = count, allow_negative_numbers = true)]
    pub wins: u64,
    /// Games drawn
    #[arg(value_name = "D", value_parser = count, allow_negative_numbers = true)]
    pub draws: u64,
    /// Games lost
    #[arg(value_name = "L", value_parser = count, allow_negative_numbers = true)]
    pub losses: u64,
    #[command(flatten)]
    pub how: HowArgs,
}

#[derive(Parser, Debug)]
pub struct PentaArgs {
    /// Pairs that scored 0, ½, 1, 1½ and 2 points
    #[arg(
        num_args = 5,
        required = true,
        value_names = ["A", "B", "C", "D", "E"],
        value_parser = count,
        allow_negative_numbers = true
    )]
    pub counts: Vec<u64>,
    #[command(flatten)]
    pub how: HowArgs,
}

/// What can be asked of counts.
#[derive(clap::Args, Debug)]
pub struct HowArgs {
    /// Test sequentially whether the difference is E0 or E1 Elo
    #[arg(long, value_name = "E0,E1", value_parser = crate::args::hypotheses, allow_hyphen_values = true)]
    pub sprt: Option<[f64; 2]>,
    /// E0 and E1 are normalised Elo
    #[arg(long, requires = "sprt")]
    pub normalised: bool,
    /// How often the test may accept H1 though the difference is E0
    #[arg(long, value_name = "X", default_value_t = 0.05, requires = "sprt", allow_negative_numbers = true)]
    pub alpha: f64,
    /// How often the test may accept H0 though the difference is E1
    #[arg(long, value_name = "X", default_value_t = 0.05, requires = "sprt", allow_negative_numbers = true)]
    pub beta: f64,
    /// The confidence of the interval
    #[arg(long, value_name = "X", default_value_t = 0.95, allow_negative_numbers = true)]
    pub level: f64,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Parser, Debug)]
pub struct PlanArgs {
    /// The time control, one word: 15m, 5m+2s, 10s/move, 40/5m:20/2m
    pub control: TimeControl,
    /// Moves of one's own that are done
    #[arg(long, value_name = "H", default_value_t = 0, conflicts_with = "game", value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub played: u32,
    /// What they took together, e.g. 90s (default: what the planner wanted)
    #[arg(long, value_name = "TIME", value_parser = time, conflicts_with = "game")]
    pub used: Option<std::time::Duration>,
    /// What the opponent's clock shows, e.g. 8s
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub opponent: Option<std::time::Duration>,
    /// How many moves of one's own a game has, by experience
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub expected: u32,
    /// Where in the game this is
    #[arg(long, value_enum, default_value_t = At::Middle)]
    pub stage: At,
    /// The seat is in danger
    #[arg(long)]
    pub danger: bool,
    /// Follow the published rules to the letter instead of their smoothed form
    #[arg(long)]
    pub literal: bool,
    /// Divide the total evenly, regardless of what was spent
    #[arg(long)]
    pub fixed: bool,
    /// Show a whole game in which every move takes what the planner wants
    #[arg(long)]
    pub game: bool,
    /// Print one JSON document; times are seconds
    #[arg(long)]
    pub json: bool,
}

/// Where in the game a decision stands.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum At {
    /// The opening book knows the answer
    Book,
    /// Most of the time goes here
    Middle,
    /// Little time, unless the decision is critical
    Endgame,
}

impl From<At> for Stage {
    fn from(at: At) -> Stage {
        match at {
            At::Book => Stage::Book,
            At::Middle => Stage::Middle,
            At::Endgame => Stage::Endgame,
        }
    }
}

/// Reads a count.
fn count(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("a count is a whole number from 0 to {}", u64::MAX))
}

/// Reads a bare time such as `90s`, by the rules of time controls.
fn time(text: &str) -> Result<std::time::Duration, String> {
    if text == "0s" {
        return Ok(std::time::Duration::ZERO);
    }
    let control: TimeControl = text.parse().map_err(|error: ReadError| error.to_string())?;
    match control.total {
        Some(total) if control == TimeControl::total(total) => Ok(total),
        _ => Err("a bare time is wanted, such as 90s or 1m30s".to_owned()),
    }
}
