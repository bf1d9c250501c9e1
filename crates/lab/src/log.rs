//! The log of everything ever played: one line of JSON a match or tournament, appended when it ends.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use parlor_core::files::reading::{MAX_STREAM, make_folder, open_regular, open_regular_with, read_line};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::manifest::Manifest;
use crate::pairs::Tally;
use crate::tournament::Plan;
use crate::tournament::standings::{Standing, Standings};
use crate::verdict::Verdict;

/// One run in the log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// When it ended, in seconds since 1970 (UTC).
    pub ended: u64,
    /// What was played, and how it came out.
    #[serde(flatten)]
    pub played: Played,
    /// `pairs` (all were played), `H0`, `H1`, `time` or `stopped`.
    pub ended_by: String,
    /// Where the games are, if they were kept.
    pub folder: Option<PathBuf>,
}

/// What was played, and how it came out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Played {
    /// Two agents.
    Match {
        /// Everything that decides the games.
        settings: Manifest,
        /// The counts, from the first agent's side.
        #[serde(flatten)]
        tally: Tally,
    },
    /// Many agents.
    Tournament {
        /// Everything that decides the games.
        settings: Plan,
        /// The agents, best first.
        standings: Vec<Standing>,
    },
}

impl Entry {
    /// Returns the entry as it was written; a match with its Elo difference.
    #[must_use]
    pub fn with_rating(&self) -> Value {
        let mut value = serde_json::to_value(self).expect("plain data always becomes JSON");
        if let Played::Match { tally, .. } = &self.played {
            let verdict = Verdict::of(tally, None);
            value["elo"] = json!(verdict.elo);
            value["elo_low"] = json!(verdict.elo_low);
            value["elo_high"] = json!(verdict.elo_high);
        }
        value
    }
}

impl Played {
    /// Returns a match as the log keeps it.
    #[must_use]
    pub fn of_match(settings: &Manifest, tally: &Tally) -> Played {
        Played::Match { settings: settings.clone(), tally: tally.clone() }
    }

    /// Returns a tournament as the log keeps it.
    #[must_use]
    pub fn of_tournament(settings: &Plan, standings: &Standings) -> Played {
        Played::Tournament { settings: settings.clone(), standings: standings.agents.clone() }
    }

    /// Returns whether the game's and an agent's full form contain these texts, where they are given.
    #[must_use]
    pub fn is_about(&self, game: Option<&str>, agent: Option<&str>) -> bool {
        game.is_none_or(|part| self.game().contains(part))
            && agent.is_none_or(|part| self.agents().iter().any(|agent| agent.contains(part)))
    }

    /// Returns the game's full form.
    #[must_use]
    pub fn game(&self) -> &str {
        match self {
            Played::Match { settings, .. } => &settings.game,
            Played::Tournament { settings, .. } => &settings.game,
        }
    }

    /// Returns the agents' full forms.
    #[must_use]
    pub fn agents(&self) -> &[String] {
        match self {
            Played::Match { settings, .. } => &settings.agents,
            Played::Tournament { settings, .. } => &settings.agents,
        }
    }
}

/// Errors of writing the log.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// There is no place for it.
    #[error("there is no home folder")]
    NoHome,
    /// It cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Returns the folder in which this program keeps its things: `PARLOR_HOME`, or the place that the system has for
/// programs' data; `None` if there is neither.
#[must_use]
pub fn home() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    variable("PARLOR_HOME")
        .or_else(|| variable("XDG_DATA_HOME").map(|data| data.join("parlor")))
        .or_else(|| variable("HOME").map(|home| home.join(".local/share/parlor")))
        .or_else(|| variable("LOCALAPPDATA").map(|data| data.join("parlor")))
}

/// Appends an entry to the log in `home`.
///
/// # Errors
/// If it cannot be written.
pub fn append(home: &Path, entry: &Entry) -> io::Result<()> {
    make_folder(home)?;
    let path = home.join("log.jsonl");
    let mut file = open_regular_with(File::options().create(true).append(true), &path, MAX_STREAM)?;
    let line = serde_json::to_string(entry).expect("plain data always becomes JSON") + "\n";
    // One call, so that two programs that end at once do not mix their lines.
    file.write_all(line.as_bytes())
}

/// Reads the log in `home`, oldest first; lines that are not understood are counted, not lost.
///
/// # Errors
/// If it cannot be read. A log that does not exist is empty.
pub fn read(home: &Path) -> io::Result<(Vec<Entry>, usize)> {
    let file = match open_regular(&home.join("log.jsonl"), MAX_STREAM) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((Vec::new(), 0)),
        Err(error) => return Err(error),
    };
    let mut entries = Vec::new();
    let mut strange = 0;
    let mut reader = BufReader::new(file);
    while let Some(line) = read_line(&mut reader)? {
        match serde_json::from_slice(&line) {
            Ok(entry) => entries.push(entry),
            Err(_) => strange += 1,
        }
    }
    Ok((entries, strange))
}
