//! A match on disk: a folder with the settings and every game, appended as it ends.
//!
//! ```text
//! FOLDER/match.json    the settings, written first
//! FOLDER/games.jsonl   one line a game, two lines a pair, in order of pairs
//! FOLDER/result.json   what they say, written when the match has ended
//! ```
//!
//! Pairs are written whole and in order, so a killed match has the first pairs of an unbroken one and at most one torn
//! pair behind them. Resuming cuts that off and goes on; the finished file has the same bytes as if nothing had happened.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use parlor_core::rng::GENERATOR;
use parlor_core::saved::SavedGame;
use serde::{Deserialize, Serialize};

use crate::pairs::{PairRow, Tally};
use crate::verdict::Verdict;

/// The version of the folder's format.
pub const VERSION: u32 = 1;

/// Everything that decides what a match's games are, and when it stops.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The format's version.
    pub parlor_match: u32,
    /// The program's version.
    pub version: String,
    /// The generator of all random streams.
    pub rng: String,
    /// The game's full form.
    pub game: String,
    /// The agents' full forms.
    pub agents: [String; 2],
    /// The run's seed.
    pub seed: u64,
    /// How many pairs at the most.
    pub pairs: u64,
    /// The two hypotheses of the sequential test in Elo, if there is one.
    pub sprt: Option<[f64; 2]>,
    /// Milliseconds each agent has for a game.
    pub time_ms: Option<u64>,
    /// Milliseconds each agent has for a move.
    pub move_time_ms: Option<u64>,
}

impl Manifest {
    /// Returns the manifest with this program's version and generator filled in.
    #[must_use]
    pub fn new(game: String, agents: [String; 2], seed: u64, pairs: u64) -> Manifest {
        Manifest {
            parlor_match: VERSION,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            rng: GENERATOR.to_owned(),
            game,
            agents,
            seed,
            pairs,
            sprt: None,
            time_ms: None,
            move_time_ms: None,
        }
    }
}

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The system says no.
    #[error("{}: {cause}", path.display())]
    Io {
        /// Where.
        path: PathBuf,
        /// What it says.
        #[source]
        cause: io::Error,
    },
    /// There is a match already.
    #[error("{} holds a match already; --resume goes on with it", .0.display())]
    Taken(PathBuf),
    /// The folder's files are not what this program writes.
    #[error("{}: {wrong}", path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        wrong: String,
    },
}

/// An open folder.
#[derive(Debug)]
pub struct Record {
    folder: PathBuf,
    games: File,
}

impl Record {
    /// Starts a folder for a new match.
    ///
    /// # Errors
    /// If there is one already, or the folder cannot be written.
    pub fn create(folder: &Path, manifest: &Manifest) -> Result<Record, RecordError> {
        let io = |path: &Path| {
            let path = path.to_owned();
            move |cause| RecordError::Io { path, cause }
        };
        fs::create_dir_all(folder).map_err(io(folder))?;
        let settings = folder.join("match.json");
        if settings.exists() {
            return Err(RecordError::Taken(folder.to_owned()));
        }
        let games = folder.join("games.jsonl");
        let file = File::options().create(true).append(true).open(&games).map_err(io(&games))?;
        let text = serde_json::to_string_pretty(manifest).expect("plain data always becomes JSON");
        write_whole(&settings, &text)?;
        Ok(Record { folder: folder.to_owned(), games: file })
    }

    /// Opens the folder of a match that was broken off. Returns its settings and the pairs that are known, and cuts off
    /// whatever was torn.
    ///
    /// # Errors
    /// If the folder holds no match, or files that are not understood.
    pub fn resume(folder: &Path) -> Result<(Record, Manifest, Vec<PairRow>), RecordError> {
        let settings = folder.join("match.json");
        let text = fs::read_to_string(&settings)
            .map_err(|cause| RecordError::Io { path: settings.clone(), cause })?;
        let manifest: Manifest = serde_json::from_str(&text)
            .map_err(|error| RecordError::Damaged { path: settings.clone(), wrong: error.to_string() })?;
        if manifest.parlor_match != VERSION || manifest.rng != GENERATOR {
            let wrong = "written by a program with another format or generator".to_owned();
            return Err(RecordError::Damaged { path: settings, wrong });
        }
        let path = folder.join("games.jsonl");
        let io = |cause| RecordError::Io { path: path.clone(), cause };
        let mut games =
            File::options().create(true).truncate(false).read(true).write(true).open(&path).map_err(io)?;
        let (rows, whole) = read_pairs(&games).map_err(|wrong| match wrong {
            ReadPairs::Io(cause) => io(cause),
            ReadPairs::Damaged(wrong) => RecordError::Damaged { path: path.clone(), wrong },
        })?;
        games.set_len(whole).map_err(io)?;
        games.seek(SeekFrom::End(0)).map_err(io)?;
        Ok((Record { folder: folder.to_owned(), games }, manifest, rows))
    }

    /// Appends a pair. It is on its way to the disk when this returns.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, row: &PairRow) -> Result<(), RecordError> {
        let text: String = row.saved().map(|game| game.line() + "\n").collect();
        self.games
            .write_all(text.as_bytes())
            .map_err(|cause| RecordError::Io { path: self.folder.join("games.jsonl"), cause })
    }

    /// Writes down what the games say.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(&self, verdict: &Verdict) -> Result<(), RecordError> {
        let text = serde_json::to_string_pretty(verdict).expect("plain data always becomes JSON");
        write_whole(&self.folder.join("result.json"), &text)
    }

    /// Returns the folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

/// Returns the counts of rows that are known.
#[must_use]
pub fn tally(rows: &[PairRow]) -> Tally {
    let mut tally = Tally::default();
    rows.iter().for_each(|row| tally.add(row));
    tally
}

enum ReadPairs {
    Io(io::Error),
    Damaged(String),
}

/// Reads whole pairs; returns them and how many bytes they take. A torn pair at the end is left out.
fn read_pairs(file: &File) -> Result<(Vec<PairRow>, u64), ReadPairs> {
    let mut reader = BufReader::new(file);
    let mut rows = Vec::new();
    let mut whole = 0;
    let mut number = 0;
    loop {
        let mut bytes = 0;
        let mut pair = Vec::new();
        for _ in 0..2 {
            let mut line = String::new();
            let read = reader.read_line(&mut line).map_err(ReadPairs::Io)?;
            if read == 0 || !line.ends_with('\n') {
                return Ok((rows, whole));
            }
            number += 1;
            bytes += read as u64;
            let saved = SavedGame::parse(line.trim_end())
                .map_err(|error| ReadPairs::Damaged(format!("line {number}: {error}")))?;
            pair.push(saved);
        }
        let pair: [SavedGame; 2] = pair.try_into().expect("two lines were read");
        rows.push(PairRow::of(rows.len() as u64, pair));
        whole += bytes;
    }
}

/// Writes a file so that it is either there as a whole or not at all.
fn write_whole(path: &Path, text: &str) -> Result<(), RecordError> {
    let io = |cause| RecordError::Io { path: path.to_owned(), cause };
    let draft = path.with_extension("draft");
    fs::write(&draft, format!("{text}\n")).map_err(io)?;
    fs::rename(&draft, path).map_err(io)
}
