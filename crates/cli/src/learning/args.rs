//! What can be typed about learning.

use std::path::PathBuf;

use crate::args::{result_path, whole};

#[derive(clap::Args, Debug)]
pub struct TrainArgs {
    /// The game, e.g. dominoes
    #[arg(required_unless_present = "resume")]
    pub game: Option<String>,
    /// The agent that is to learn, e.g. 'collective(state=gsp1)'
    #[arg(required_unless_present = "resume")]
    pub learner: Option<String>,
    /// Whom it is trained against, in turn; `self` is the learner in both seats
    #[arg(long, value_name = "AGENT", num_args = 1.., default_value = "self")]
    pub against: Vec<String>,
    /// How many rounds of how many matches; several stages, as in '1x50(against=random, epsilon=0.5) then 10x50'; or a TOML file of them
    #[arg(long, value_name = "ROUNDSxMATCHES", default_value = "50x200")]
    pub plan: String,
    /// End the training when N rounds of its last stage have brought no new best score in the tests
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1, 1_000_000_000))]
    pub patience: Option<u64>,
    /// Whom it is tested against after each round (default: random; a solitary game needs none)
    #[arg(long, value_name = "AGENT", num_args = 1..)]
    pub test: Vec<String>,
    /// How many matches each test has; 0 for no tests
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = whole::<u64>(0, 1_000_000_000))]
    pub test_matches: u64,
    /// Compare its decisions with perfect play in N deals, before the training and after 1, 2, 4, … rounds, where the game has a solver
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u64>(0, 1_000_000))]
    pub regret: u64,
    /// Equal seeds give equal files
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(0, u64::MAX))]
    pub seed: u64,
    /// Train N learners with seeds from S on, at once on several threads; FILE.parlor leads to FILE-1.parlor, FILE-2.parlor, …
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1, 10_000))]
    pub trainings: Option<u32>,
    /// Draw the learning curve: FILE.svg, and FILE-regret.svg with --regret
    #[arg(long, value_name = "FILE", value_parser = result_path())]
    pub curve: Option<PathBuf>,
    /// Where to keep what it learns; written after each round. Not needed for a learner with a store, which is kept there
    #[arg(short, long, value_name = "FILE", value_parser = result_path())]
    pub out: Option<PathBuf>,
    /// Overwrite the file if there is one
    #[arg(long)]
    pub force: bool,
    /// Refused with a sentence
    #[arg(long, hide = true, value_name = "I/N")]
    pub shard: Option<String>,
    /// Go on with the training in this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "learner", "against", "plan", "patience", "regret", "trainings", "test", "test_matches", "seed", "out", "force"])]
    pub resume: Option<PathBuf>,
    /// How many threads --trainings uses, or play while a learner that plays itself in batches learns (default: all cores)
    #[arg(long, value_name = "T", value_parser = whole::<u16>(1, 1024))]
    pub threads: Option<u16>,
    /// Print one JSON document; equal trainings print equal bytes
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct InspectArgs {
    /// The file, from parlor train or parlor learn; or a game, if an agent follows
    #[arg(value_name = "FILE|GAME")]
    pub file: PathBuf,
    /// A learner that needs no file, e.g. 'fable(store=DIR)'
    pub learner: Option<String>,
    /// How many rows of each table
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole::<usize>(0, 1_000_000))]
    pub rows: usize,
    /// Print everything it knows, one thing a line, columns apart by tabs
    #[arg(long, conflicts_with_all = ["rows", "json"])]
    pub text: bool,
    /// Draw the automaton that it has built, its most used part: FILE.svg, or FILE.dot for Graphviz
    #[arg(long, value_name = "FILE", value_parser = result_path(), conflicts_with_all = ["rows", "json", "text"])]
    pub graph: Option<PathBuf>,
    /// Write a smaller file with what it needs to play: weights are rounded, and its training cannot go on
    #[arg(long, value_name = "FILE", value_parser = result_path(), conflicts_with_all = ["rows", "json", "text", "graph"])]
    pub playable: Option<PathBuf>,
    /// The model to draw, e.g. locality2 (default: the learner's main one)
    #[arg(long, value_name = "NAME", requires = "graph")]
    pub model: Option<String>,
    /// The most states to draw
    #[arg(long, value_name = "N", default_value_t = 30, requires = "graph", value_parser = whole::<usize>(1, 2000))]
    pub states: usize,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct LearnArgs {
    /// The game
    #[arg(default_value = "dominoes")]
    pub game: String,
    /// The agent that is to learn, by name or with keys (default: the game's own plan), e.g. fable
    #[arg(long, value_name = "AGENT")]
    pub learner: Option<String>,
    /// About how long the training is to take; decides how many matches are played, independently of the machine
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = whole::<u64>(1, 86_400))]
    pub seconds: u64,
    /// A training of about five seconds
    #[arg(long, conflicts_with = "seconds")]
    pub quick: bool,
    /// Equal seeds give equal learners
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(0, u64::MAX))]
    pub seed: u64,
    /// How many threads measure the learner, and play while one that plays itself in batches learns (default: all cores)
    #[arg(long, value_name = "T", value_parser = whole::<u16>(1, 1024))]
    pub threads: Option<u16>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}
