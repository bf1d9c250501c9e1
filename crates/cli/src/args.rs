//! What can be typed after a command. Help texts are documentation: they are written for people.

use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};
use parlor_catalog::Level;
use parlor_core::{ReadError, TimeControl};
use parlor_lab::pairs::{MOST_OPENING, MOST_SESSION};
use parlor_lab::run::Shard;

use crate::history::HistoryCommand;

#[derive(clap::Args, Debug)]
pub struct GamesArgs {
    /// Show one game only
    pub game: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct AgentsArgs {
    /// The game, e.g. dominoes (default: every game)
    pub game: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct MovesArgs {
    /// The game, e.g. 'connect(width=7, height=6)'
    pub game: String,
    /// The position in the game's own form, see the guide (default: the start)
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Print {"moves": [..]}
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct PerftArgs {
    /// The game, e.g. checkers
    pub game: String,
    /// The longest sequences to count
    #[arg(value_parser = whole::<u8>(1, 60))]
    pub depth: u8,
    /// The position in the game's own form, see the guide (default: the start)
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Print {"counts": [..]}
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct PlayArgs {
    /// The game, e.g. dominoes or 'connect(width=7, height=6)'
    ///
    /// By its name alone a game has the board that players expect: connect 7×6, minesweeper 9×9 with a safe first click
    pub game: Option<String>,
    /// How strong your opponent is: easy, medium, hard, strongest; alone, how hard the board is (default: medium)
    #[arg(long, value_name = "LEVEL", conflicts_with = "agent")]
    pub level: Option<Level>,
    /// A board with a name, e.g. beginner, intermediate, expert of minesweeper; `parlor games GAME` lists them
    #[arg(long, value_name = "NAME", requires = "game")]
    pub preset: Option<String>,
    /// Your opponent, an agent of `parlor agents GAME`, instead of a level
    #[arg(long, value_name = "AGENT")]
    pub agent: Option<String>,
    /// Print the rules of the game in a few lines
    #[arg(long, requires = "game")]
    pub rules: bool,
    /// Your seat; with --watch and --replay the seat whose view is shown
    #[arg(long, default_value_t = 0, value_parser = whole::<u8>(0, 1))]
    pub seat: u8,
    /// Watch two agents or levels (in a solitary game one)
    #[arg(long, value_name = "AGENT", num_args = 1..=2, conflicts_with_all = ["agent", "level", "replay"])]
    pub watch: Option<Vec<String>>,
    /// Resume a match that was left, from a file of saved games (default: the one that was left last)
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with_all = ["game", "level", "agent", "watch", "replay", "position", "seed", "save", "time", "ponder"])]
    pub resume: Option<Option<PathBuf>>,
    /// Show a saved game again
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "level", "agent", "position", "seed", "save"])]
    pub replay: Option<PathBuf>,
    /// Which line of the file, from 1 (default: the first; with --resume the last that is unfinished)
    #[arg(long, value_name = "N")]
    pub number: Option<usize>,
    /// Deals and dice (default: from the time of day)
    #[arg(long, value_name = "S", value_parser = whole::<u64>(0, u64::MAX))]
    pub seed: Option<u64>,
    /// Begin from a position in the game's own form, see the guide
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Append the game to this file when it ends, one line a game
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Record the game, move by move, in this store when it ends: a folder, or postgres://USER@HOST/DATABASE; see `parlor history games`
    #[arg(long, value_name = "STORE", conflicts_with = "replay")]
    pub record: Option<String>,
    /// The time each side has, you included: 5m, 5m+2s, 10s/move, 40/5m:20/2m; who needs more forfeits
    #[arg(long, value_name = "CONTROL", default_value = "none", value_parser = time_control, conflicts_with = "replay")]
    pub time: TimeControl,
    /// Your opponent thinks while you do
    #[arg(long, conflicts_with_all = ["watch", "replay"])]
    pub ponder: bool,
    /// Draw with plain ASCII characters (default: if LC_ALL, LC_CTYPE or LANG names a locale without UTF-8)
    #[arg(long)]
    pub ascii: bool,
    /// Milliseconds between moves when watching or replaying (default: 400 on a terminal, else 0)
    #[arg(long, value_name = "MS")]
    pub delay: Option<u64>,
}

#[derive(clap::Args, Debug)]
pub struct MatchArgs {
    /// The game, e.g. dominoes
    #[arg(required_unless_present = "resume")]
    pub game: Option<String>,
    /// The agent whose wins are counted
    #[arg(required_unless_present = "resume")]
    pub first: Option<String>,
    /// Its opponent
    #[arg(required_unless_present = "resume")]
    pub second: Option<String>,
    /// How many pairs of games at the most
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole::<u64>(1, 100_000_000))]
    pub pairs: u64,
    /// Equal seeds give equal results for any number of threads
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(0, u64::MAX))]
    pub seed: u64,
    /// How many threads play (default: all cores)
    #[arg(long, value_name = "T", value_parser = whole::<u16>(1, 1024))]
    pub threads: Option<u16>,
    /// Stop as soon as a sequential test knows whether the difference is E0 or E1 Elo
    #[arg(long, value_name = "E0,E1", value_parser = hypotheses, allow_hyphen_values = true)]
    pub sprt: Option<[f64; 2]>,
    /// Stop after this many minutes
    #[arg(long, value_name = "M", value_parser = minutes)]
    pub minutes: Option<f64>,
    /// Keep settings, games and result in this folder; `none` keeps nothing (default: a new one in the program's data folder)
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Keep nothing, like `--out none`
    #[arg(long, conflicts_with = "out")]
    pub no_games: bool,
    /// Play only part I of N, 0 … N − 1, and keep it as a file in the folder of --out; `parlor merge` makes one run of all parts. For
    /// many machines, see the guide
    #[arg(long, value_name = "I/N", value_parser = shard, requires = "out", conflicts_with_all = ["resume", "minutes", "no_games", "record"])]
    pub shard: Option<Shard>,
    /// Go on with the match in this folder
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["game", "first", "second", "pairs", "seed", "sprt", "out", "no_games", "time", "opening", "ponder", "session"])]
    pub resume: Option<PathBuf>,
    /// The time each agent has: 5m, 5m+2s, 10s/move, 40/5m:20/2m; who needs more forfeits
    #[arg(long, value_name = "CONTROL", default_value = "none", value_parser = time_control)]
    pub time: TimeControl,
    /// Begin each pair with N random moves, the same in both of its games: agents that always answer alike
    /// play different games then
    #[arg(long, value_name = "PLIES", default_value_t = 0, value_parser = whole::<u32>(0, u64::from(MOST_OPENING)))]
    pub opening: u32,
    /// Let agents think on each other's time, each on a thread of its own. Needs a limit of time (--time, or time_ms of an
    /// agent); no two runs are equal then
    #[arg(long)]
    pub ponder: bool,
    /// Play sessions of so many pairs: agents with memory=session keep what they saw of their opponent from game to game and
    /// forget it when a session ends (default: every game is a session of its own)
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1, MOST_SESSION))]
    pub session: Option<u64>,
    /// Record every game, move by move, in this store: a folder, or postgres://USER@HOST/DATABASE; `parlor history games` lists them
    #[arg(long, value_name = "STORE")]
    pub record: Option<String>,
    /// Append all that programs (`cmd:`) write to their standard error to this file
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Print one JSON document; equal runs print equal bytes
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct TournamentArgs {
    /// The game, e.g. dominoes, or a FILE.toml that says everything
    #[arg(required_unless_present = "resume", value_name = "GAME|FILE.toml")]
    pub game: Option<String>,
    /// The agents, at least two
    #[arg(value_name = "AGENT")]
    pub agents: Vec<String>,
    /// How many pairs each pairing plays (default: 100, or what the file says)
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1, 100_000_000))]
    pub pairs: Option<u64>,
    /// Equal seeds give equal results for any number of threads (default: 1, or what the file says)
    #[arg(long, value_name = "S", value_parser = whole::<u64>(0, u64::MAX))]
    pub seed: Option<u64>,
    /// The first agent meets all others, instead of everyone everyone
    #[arg(long)]
    pub gauntlet: bool,
    /// How many threads play (default: all cores)
    #[arg(long, value_name = "T", value_parser = whole::<u16>(1, 1024))]
    pub threads: Option<u16>,
    /// Stop after this many minutes
    #[arg(long, value_name = "M", value_parser = minutes)]
    pub minutes: Option<f64>,
    /// The time each agent has: 5m, 5m+2s, 10s/move, 40/5m:20/2m; who needs more forfeits
    #[arg(long, value_name = "CONTROL", value_parser = time_control)]
    pub time: Option<TimeControl>,
    /// Begin each pair with N random moves, the same in both of its games (default: none, or what the file says)
    #[arg(long, value_name = "PLIES", value_parser = whole::<u32>(0, u64::from(MOST_OPENING)))]
    pub opening: Option<u32>,
    /// Play sessions of N pairs: agents with memory=session remember their opponent from game to game and forget it when a
    /// session ends (default: every game is a session of its own, or what the file says)
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1, MOST_SESSION))]
    pub session: Option<u64>,
    /// Keep settings, games, result and report in this folder; `none` keeps nothing (default: a new one in the program's data
    /// folder)
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Play only part I of N, 0 … N − 1, and keep it as a file in the folder of --out; `parlor merge` makes one run of all parts. For
    /// many machines, see the guide
    #[arg(long, value_name = "I/N", value_parser = shard, requires = "out", conflicts_with_all = ["resume", "minutes", "record"])]
    pub shard: Option<Shard>,
    /// Go on with the tournament in this folder
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["game", "agents", "pairs", "seed", "gauntlet", "time", "opening", "session", "out"])]
    pub resume: Option<PathBuf>,
    /// Record every game, move by move, in this store: a folder, or postgres://USER@HOST/DATABASE; `parlor history games` lists them
    #[arg(long, value_name = "STORE")]
    pub record: Option<String>,
    /// Append all that programs (`cmd:`) write to their standard error to this file
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Print one JSON document; equal runs print equal bytes
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct MergeArgs {
    /// The folder with the shards of one run: I-of-N.shard
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// The folder of the merged run: settings, rows, result, report (default: DIR/run)
    #[arg(long, value_name = "RUN", value_parser = result_path())]
    pub out: Option<PathBuf>,
    /// Record every game of a match or a tournament, move by move, in this store: a folder, or postgres://USER@HOST/DATABASE
    #[arg(long, value_name = "STORE")]
    pub record: Option<String>,
    /// Print one JSON document, that of the command that played
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct HistoryArgs {
    #[command(subcommand)]
    pub command: Option<HistoryCommand>,
    /// Only games whose full form contains this
    #[arg(long, value_name = "TEXT")]
    pub game: Option<String>,
    /// Only with an agent whose full form contains this
    #[arg(long, value_name = "TEXT")]
    pub agent: Option<String>,
    /// Only the last N that fit
    #[arg(long, value_name = "N")]
    pub last: Option<usize>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// Returns whether a path says that nothing is to be kept. A place of that name is `./none`.
pub fn is_nowhere(path: &Path) -> bool {
    path.as_os_str() == "none"
}

/// Reads where the result of a command is written that exists for this result: nowhere is no answer.
pub fn result_path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        if is_nowhere(&path) {
            Err("`none` means nowhere, and this command writes something; a place of that name is ./none")
        } else {
            Ok(path)
        }
    })
}

/// Reads whole numbers within bounds, with a sentence for everything else.
pub fn whole<T: TryFrom<u64> + Clone + Send + Sync + 'static>(
    least: u64,
    most: u64,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse::<u64>().ok().filter(|number| (least..=most).contains(number));
        number
            .and_then(|number| T::try_from(number).ok())
            .ok_or(format!("a whole number from {least} to {most}"))
    }
}

/// Reads the two hypotheses of a sequential test, `0,5`.
pub fn hypotheses(text: &str) -> Result<[f64; 2], String> {
    let numbers: Vec<f64> = text.split(',').map_while(|word| word.trim().parse().ok()).collect();
    <[f64; 2]>::try_from(numbers).map_err(|_| "two numbers with a comma between them, such as 0,5".to_owned())
}

/// Reads a time in minutes, which may be a fraction.
fn minutes(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&minutes: &f64| minutes > 0.0 && minutes.is_finite());
    number.ok_or_else(|| "a number above 0, such as 30 or 0.5".to_owned())
}

/// Reads a part of a run, `3/64`.
pub fn shard(text: &str) -> Result<Shard, String> {
    text.parse()
}

/// Reads a time control, see the guide's page on clocks.
fn time_control(text: &str) -> Result<TimeControl, String> {
    text.parse().map_err(|error: ReadError| error.to_string())
}
