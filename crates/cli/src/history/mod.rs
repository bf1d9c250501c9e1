//! `parlor history`: the log of all matches and tournaments, and the games that were recorded in a store.

mod dates;
mod store_args;
mod stored;

use anyhow::{Context, bail};
use parlor_catalog::{open, short_form};
use parlor_core::text::shown::shown;
use parlor_lab::Verdict;
use parlor_lab::format::results;
use parlor_lab::log::{self, Entry, Played};
use parlor_lab::tournament::names::{cut, short_agent};
use serde_json::{Value, json};

use crate::args::HistoryArgs;
use crate::terminal::{elo, grid, say, say_aside, say_json_array};

use dates::{date, date_in_table};

/// The longest text in a column that may be long.
const LONGEST: usize = 44;

/// The longest text in any column.
const WIDEST_CELL: usize = 400;

pub use store_args::HistoryCommand;

pub fn run(args: &HistoryArgs) -> anyhow::Result<()> {
    if let Some(command) = &args.command {
        return stored::run(command);
    }
    let Some(home) = log::home() else {
        bail!("there is no log: neither PARLOR_HOME nor a home folder is set");
    };
    let (mut entries, strange) =
        log::read(&home).with_context(|| format!("the log in {} cannot be read", home.display()))?;
    if strange > 0 {
        say_aside(format!("{strange} lines of the log are not understood and are left out"));
    }
    entries.retain(|entry| entry.played.is_about(args.game.as_deref(), args.agent.as_deref()));
    if let Some(last) = args.last {
        entries.drain(..entries.len().saturating_sub(last));
    }
    if args.json {
        return say_json_array(&entries.iter().map(entry_json).collect::<Vec<_>>());
    }
    if entries.is_empty() {
        say_aside("nothing in the log fits");
        return Ok(());
    }
    let head = ["date (UTC)", "game", "agents", "won, drawn, lost", "Elo [95 %]", "ended by", "folder"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(entries.iter().map(|entry| {
        // The log is a file like any other: what it says is shown, not obeyed.
        row(entry).iter().map(|cell| shown(cell, WIDEST_CELL)).collect::<Vec<_>>()
    }));
    for line in grid(&rows, &[0, 1, 2, 3, 4, 5, 6]) {
        say(line)?;
    }
    Ok(())
}

/// Returns the cells of an entry.
pub fn row(entry: &Entry) -> Vec<String> {
    let short = |agent: &str| match open(entry.played.game()) {
        Ok(game) => short_agent(&*game, agent),
        Err(_) => agent.to_owned(),
    };
    let (agents, counts, rating) = match &entry.played {
        Played::Match { settings, tally } => {
            let Verdict { elo: value, elo_low, elo_high, .. } = Verdict::of(tally, None);
            let [first, second] = [0, 1].map(|number| short(&settings.agents[number]));
            (format!("{first} – {second}"), results(tally.games), elo(value, elo_low, elo_high))
        }
        Played::Tournament { settings, standings } => {
            let order: Vec<String> = standings.iter().map(|agent| short(&agent.agent)).collect();
            let names = format!("{}: {}", settings.kind.words(), order.join(" > "));
            // The winner's numbers; the rest is in the folder.
            let Some(best) = standings.first() else {
                return vec![date(entry.ended), settings.game.clone(), names];
            };
            let counts = results(best.results);
            (names, counts, elo(best.elo, best.elo_low, best.elo_high))
        }
    };
    vec![
        date_in_table(entry.ended),
        cut(&short_form(entry.played.game()), LONGEST),
        cut(&agents, LONGEST),
        counts,
        rating.trim_start_matches("Elo ").to_owned(),
        entry.ended_by.clone(),
        entry.folder.as_ref().map_or_else(|| "–".to_owned(), |folder| folder.display().to_string()),
    ]
}

/// The entry as it was written, with the date in words and, for a match, the Elo difference.
fn entry_json(entry: &Entry) -> Value {
    let mut value = entry.with_rating();
    value["date"] = json!(date(entry.ended));
    value
}
