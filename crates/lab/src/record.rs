//! A run on disk: a folder with the settings and every game, appended as it ends.
//!
//! ```text
//! FOLDER/match.json    the settings, written first; a tournament has tournament.json instead
//! FOLDER/games.jsonl   one line a game, two lines a pair, in order of pairs
//! FOLDER/result.json   what they say, written at the end
//! ```
//!
//! Pairs are written whole and in order, so a killed run has the first pairs of an unbroken one and at most one torn
//! pair behind them. Resuming cuts that off and goes on; the finished file has the same bytes as if nothing had happened.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use parlor_core::files::saved::SavedGame;
use parlor_core::files::write_atomically;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::pairs::PairRow;

/// The settings of a run that is kept in a folder: they decide what each row is.
pub trait Settings: Serialize + DeserializeOwned {
    /// What the run is called: `match`, `tournament`; the settings' file is named after it.
    const WHAT: &'static str;

    /// Returns whether this program has the format and the generator that the settings name.
    fn is_known(&self) -> bool;

    /// Returns the game's full form.
    fn game(&self) -> &str;

    /// Returns how many rows there are at the most.
    fn rows(&self) -> u64;

    /// Returns what row `row` is.
    fn trial(&self, row: u64) -> Trial<'_>;
}

/// One pair as the settings plan it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Trial<'a> {
    /// The seed of the deal.
    pub deal: u64,
    /// The full forms of the two agents.
    pub agents: [&'a str; 2],
}

impl Trial<'_> {
    /// Returns whether two games can be this pair's.
    fn fits(&self, game: &str, saved: &[SavedGame; 2]) -> bool {
        let [first, second] = self.agents;
        let seats = [&saved[0].seats[..], &saved[1].seats[..]];
        saved.iter().all(|one| one.game == game && one.seed == self.deal)
            && (seats == [[first, second], [second, first]] || seats == [[first], [second]])
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
    /// There is something already.
    #[error("{} holds a {what} already; --resume goes on with it", path.display())]
    Taken {
        /// Where.
        path: PathBuf,
        /// What is there.
        what: &'static str,
    },
    /// There is nothing to go on with.
    #[error("{} holds no {what}: there is no {what}.json in it", path.display())]
    Missing {
        /// Where.
        path: PathBuf,
        /// What was looked for.
        what: &'static str,
    },
    /// Another program is at it.
    #[error("another program is playing in {} just now", .0.display())]
    Busy(PathBuf),
    /// The folder's files are not what this program writes.
    #[error("{}: {wrong}", path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        wrong: String,
    },
}

/// An open folder. Nobody else can open it as long as this lives.
#[derive(Debug)]
pub struct Record {
    folder: PathBuf,
    games: File,
}

impl Record {
    /// Starts a folder for a new run.
    ///
    /// # Errors
    /// If there is one already, or the folder cannot be written.
    pub fn create<S: Settings>(folder: &Path, settings: &S) -> Result<Record, RecordError> {
        fs::create_dir_all(folder).map_err(|cause| RecordError::Io { path: folder.to_owned(), cause })?;
        for what in ["match", "tournament"] {
            if folder.join(format!("{what}.json")).exists() {
                return Err(RecordError::Taken { path: folder.to_owned(), what });
            }
        }
        let (record, bytes) = Record::open(folder)?;
        if bytes > 0 {
            let wrong = "there are games already, but not what they belong to".to_owned();
            return Err(RecordError::Damaged { path: folder.join(GAMES), wrong });
        }
        let text = serde_json::to_string_pretty(settings).expect("plain data always becomes JSON");
        record.write(&format!("{}.json", S::WHAT), &(text + "\n"))?;
        Ok(record)
    }

    /// Opens the folder of a run that was broken off, and returns its settings. Next,
    /// [`known`](Record::known) must be asked for the rows.
    ///
    /// # Errors
    /// If the folder holds no such run, or settings that are not understood.
    pub fn resume<S: Settings>(folder: &Path) -> Result<(Record, S), RecordError> {
        let path = folder.join(format!("{}.json", S::WHAT));
        let text = fs::read_to_string(&path).map_err(|cause| match cause.kind() {
            io::ErrorKind::NotFound => RecordError::Missing { path: folder.to_owned(), what: S::WHAT },
            _ => RecordError::Io { path: path.clone(), cause },
        })?;
        let settings: S = serde_json::from_str(&text)
            .map_err(|error| RecordError::Damaged { path: path.clone(), wrong: error.to_string() })?;
        if !settings.is_known() {
            let wrong = "written by a program with another format or generator".to_owned();
            return Err(RecordError::Damaged { path, wrong });
        }
        Ok((Record::open(folder)?.0, settings))
    }

    /// Opens the file of games for this program alone; returns its length too.
    fn open(folder: &Path) -> Result<(Record, u64), RecordError> {
        let path = folder.join(GAMES);
        let io = |cause| RecordError::Io { path: path.clone(), cause };
        let games =
            File::options().create(true).truncate(false).read(true).write(true).open(&path).map_err(io)?;
        match games.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(RecordError::Busy(folder.to_owned())),
            // Some file systems have no locks; that is no reason not to play.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let bytes = games.metadata().map_err(io)?.len();
        Ok((Record { folder: folder.to_owned(), games }, bytes))
    }

    /// Hands the rows that are known to `on_row`, in order, cuts off whatever was torn, and returns how many there
    /// are.
    ///
    /// # Errors
    /// If the file cannot be read, or holds games that these settings do not lead to.
    pub fn known<S: Settings>(
        &mut self,
        settings: &S,
        mut on_row: impl FnMut(PairRow),
    ) -> Result<u64, RecordError> {
        let path = self.folder.join(GAMES);
        let io = |cause| RecordError::Io { path: path.clone(), cause };
        let damaged =
            |line, wrong| RecordError::Damaged { path: path.clone(), wrong: format!("line {line}: {wrong}") };
        let mut reader = BufReader::new(&self.games);
        let mut whole = 0;
        let mut rows = 0;
        while let Some((lines, bytes)) = read_pair(&mut reader).map_err(io)? {
            let number = 2 * rows + 1;
            let [one, two] = lines.map(|line| SavedGame::parse(line.trim_end()));
            let saved = [
                one.map_err(|error| damaged(number, error.to_string()))?,
                two.map_err(|error| damaged(number + 1, error.to_string()))?,
            ];
            if rows >= settings.rows() || !settings.trial(rows).fits(settings.game(), &saved) {
                return Err(damaged(number, "these games do not follow from the settings".to_owned()));
            }
            on_row(PairRow::of(rows, saved));
            rows += 1;
            whole += bytes;
        }
        self.games.set_len(whole).map_err(io)?;
        self.games.seek(SeekFrom::End(0)).map_err(io)?;
        Ok(rows)
    }

    /// Appends a pair. It is on its way to the disk when this returns.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, row: &PairRow) -> Result<(), RecordError> {
        let text: String = row.saved().map(|game| game.line() + "\n").collect();
        self.games
            .write_all(text.as_bytes())
            .map_err(|cause| RecordError::Io { path: self.folder.join(GAMES), cause })
    }

    /// Writes down what the games say.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(&self, result: &impl Serialize) -> Result<(), RecordError> {
        let text = serde_json::to_string_pretty(result).expect("plain data always becomes JSON");
        self.write("result.json", &(text + "\n"))
    }

    /// Writes a file of the folder so that it is either there as a whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, name: &str, text: &str) -> Result<(), RecordError> {
        let path = self.folder.join(name);
        write_atomically(&path, text.as_bytes()).map_err(|cause| RecordError::Io { path, cause })
    }

    /// Returns the folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

/// The name of the file of games.
const GAMES: &str = "games.jsonl";

/// Reads two whole lines; returns them and how many bytes they take. `None` at the end, torn or not.
fn read_pair(reader: &mut impl BufRead) -> io::Result<Option<([String; 2], u64)>> {
    let mut lines = [String::new(), String::new()];
    let mut bytes = 0;
    for line in &mut lines {
        let mut raw = Vec::new();
        bytes += reader.read_until(b'\n', &mut raw)? as u64;
        if raw.last() != Some(&b'\n') {
            return Ok(None);
        }
        // What is not UTF-8 is no saved game either, and is told as such.
        *line = String::from_utf8_lossy(&raw).into_owned();
    }
    Ok(Some((lines, bytes)))
}
