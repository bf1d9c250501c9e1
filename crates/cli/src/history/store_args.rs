//! What can be typed after `parlor history games` and its siblings.

use std::path::PathBuf;

use parlor_store::GameQuery;

use super::dates;
use crate::args::{result_path, whole};

#[derive(clap::Subcommand, Debug)]
pub enum HistoryCommand {
    /// List the games that were recorded in a store with --record, newest last
    #[command(after_help = "Examples:\n  \
        parlor match tictactoe random 'mcts(sims=100)' --record games\n  \
        parlor history games --store games --agent mcts --last 10\n  \
        parlor history games --store games --game tictactoe --since 2026-11-01 --json")]
    Games(StoredGamesArgs),
    /// Show a recorded game again, move by move
    #[command(after_help = "Example: parlor history replay 7 --store games")]
    Replay(ReplayArgs),
    /// Write recorded games to a file: saved games (.jsonl), or one row a decision (.csv, .parquet)
    #[command(after_help = "Examples:\n  \
        parlor history export --store games -o games.csv\n  \
        parlor history export --store games --game tictactoe -o games.parquet\n  \
        parlor history export --store games --last 1 -o last.jsonl && parlor play --replay last.jsonl")]
    Export(ExportArgs),
    /// Show how many games and decisions a store holds, how large its files are, and what was learnt from it
    #[command(after_help = "Example: parlor history sizes --store games")]
    Sizes(SizesArgs),
}

/// A store.
#[derive(clap::Args, Debug)]
pub struct StoreArgs {
    /// The store: a folder, or postgres://USER@HOST/DATABASE (the password is taken from PGPASSWORD)
    #[arg(long, value_name = "STORE")]
    pub store: String,
}

/// Games of a store.
#[derive(clap::Args, Debug)]
pub struct FilterArgs {
    /// Only games whose full form contains this
    #[arg(long, value_name = "TEXT")]
    pub game: Option<String>,
    /// Only games with a player whose name or full form contains this
    #[arg(long, value_name = "TEXT")]
    pub agent: Option<String>,
    /// Only games that ended at this time or later: 2026-11-16, or 2026-11-16T04:20:00Z (UTC)
    #[arg(long, value_name = "TIME", value_parser = dates::seconds)]
    pub since: Option<u64>,
    /// Only games that ended before this time
    #[arg(long, value_name = "TIME", value_parser = dates::seconds)]
    pub until: Option<u64>,
    /// Only the last N that fit
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1, 1_000_000_000))]
    pub last: Option<usize>,
}

impl FilterArgs {
    /// Returns what is asked of the store.
    pub fn query(&self) -> GameQuery {
        GameQuery {
            game: self.game.clone(),
            agent: self.agent.clone(),
            since: self.since,
            until: self.until,
            limit: self.last,
            newest: self.last.is_some(),
            ..GameQuery::default()
        }
    }
}

#[derive(clap::Args, Debug)]
pub struct StoredGamesArgs {
    #[command(flatten)]
    pub store: StoreArgs,
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct ReplayArgs {
    /// The number of the game in the store, as `parlor history games` lists it
    #[arg(value_parser = whole::<u64>(1, i64::MAX as u64))]
    pub id: u64,
    #[command(flatten)]
    pub store: StoreArgs,
    /// The seat whose view is shown
    #[arg(long, default_value_t = 0, value_parser = whole::<u8>(0, 1))]
    pub seat: u8,
    /// Draw with plain ASCII characters (default: if LC_ALL, LC_CTYPE or LANG names a locale without UTF-8)
    #[arg(long)]
    pub ascii: bool,
    /// Milliseconds between moves (default: 400 on a terminal, else 0)
    #[arg(long, value_name = "MS")]
    pub delay: Option<u64>,
}

#[derive(clap::Args, Debug)]
pub struct ExportArgs {
    #[command(flatten)]
    pub store: StoreArgs,
    #[command(flatten)]
    pub filter: FilterArgs,
    /// The file: saved games (.jsonl), or one row a decision (.csv, .parquet)
    #[arg(long, short, value_name = "FILE", value_parser = result_path())]
    pub out: PathBuf,
}

#[derive(clap::Args, Debug)]
pub struct SizesArgs {
    #[command(flatten)]
    pub store: StoreArgs,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}
