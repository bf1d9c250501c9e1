//! Tables on the disk: written as they go, read when somebody comes back.

use std::collections::{HashSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, SystemTime};

use parlor_core::files::reading::{make_folder, read_folder, read_text};
use parlor_core::files::replace;
use parlor_core::files::saved::SavedGame;
use parlor_lab::session::Session;
use serde::{Deserialize, Serialize};

use super::state::Pace;
use super::table::{NewTable, Table};
use super::{Tables, lock};
use crate::http::problem::{Answer, Problem};
use crate::ids::Token;

/// Tables that were left for longer are forgotten.
const FORGOTTEN: Duration = Duration::from_secs(30 * 24 * 3600);

/// How long the writer rests after each table, so that it never takes a whole processor.
const REST: Duration = Duration::from_micros(500);

/// How the file of a table ends.
const ENDING: &str = "json";

/// A table on the disk.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    /// The key of each seat that a person plays.
    keys: Vec<Option<String>>,
    /// The key of somebody who watches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    watch_key: Option<String>,
    /// The pace of two agents, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pace_ms: Option<u64>,
    /// What the agents are counted as, in bytes.
    memory: usize,
    /// Whether they search.
    searches: bool,
    /// How often something has changed.
    #[serde(default)]
    rev: u64,
    /// The match; with people and clocks also after its end.
    saved: SavedGame,
}

/// Writes tables to a folder.
pub struct Keeper {
    folder: PathBuf,
    /// The tables that are in the folder.
    known: Mutex<HashSet<Token>>,
    waiting: Mutex<VecDeque<Weak<Table>>>,
    ring: Condvar,
}

impl Keeper {
    /// Looks into a folder.
    pub fn new(folder: PathBuf) -> Keeper {
        let mut known = HashSet::new();
        for path in read_folder(&folder).unwrap_or_default() {
            let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
            let is_table = path.extension().is_some_and(|ending| ending == ENDING);
            let Some(id) = name.parse().ok().filter(|_| is_table) else { continue };
            let written = fs::metadata(&path).and_then(|about| about.modified());
            let age = written.ok().and_then(|at| SystemTime::now().duration_since(at).ok());
            if age.is_some_and(|age| age > FORGOTTEN) {
                let _ = fs::remove_file(&path);
            } else {
                known.insert(id);
            }
        }
        Keeper { folder, known: Mutex::new(known), waiting: Mutex::default(), ring: Condvar::new() }
    }

    /// Starts the thread that writes.
    pub fn start(tables: &Arc<Tables>) {
        if tables.keeper.is_none() {
            return;
        }
        let tables = Arc::clone(tables);
        let write = move || {
            let keeper = tables.keeper.as_ref().expect("it was there when the thread began");
            loop {
                let mut waiting = keeper.waiting.lock().unwrap_or_else(PoisonError::into_inner);
                let table = loop {
                    match waiting.pop_front() {
                        Some(table) => break table,
                        None => {
                            waiting = keeper.ring.wait(waiting).unwrap_or_else(PoisonError::into_inner);
                        }
                    }
                };
                drop(waiting);
                if let Some(table) = table.upgrade() {
                    let _ = tables.save(&table);
                }
                thread::sleep(REST);
            }
        };
        thread::Builder::new().name("keeper".to_owned()).spawn(write).expect("the system has threads");
    }

    /// Returns whether a table is in the folder.
    pub fn has(&self, id: Token) -> bool {
        lock(&self.known).contains(&id)
    }

    /// Removes a table from the folder.
    pub fn forget(&self, id: Token) {
        if lock(&self.known).remove(&id) {
            let _ = fs::remove_file(self.path(id));
        }
    }

    fn path(&self, id: Token) -> PathBuf {
        self.folder.join(format!("{id}.{ENDING}"))
    }
}

impl Tables {
    /// Lets a table be written to the disk soon, and its match be recorded if it is over.
    pub fn keep(&self, table: &Arc<Table>) {
        self.archive(table);
        let Some(keeper) = &self.keeper else { return };
        if !table.unsaved.swap(true, Ordering::AcqRel) {
            keeper.waiting.lock().unwrap_or_else(PoisonError::into_inner).push_back(Arc::downgrade(table));
            keeper.ring.notify_one();
        }
    }

    /// Writes a table to the disk now.
    ///
    /// # Errors
    /// Those of the system.
    pub fn save(&self, table: &Table) -> std::io::Result<()> {
        let Some(keeper) = &self.keeper else { return Ok(()) };
        table.unsaved.store(false, Ordering::Release);
        let text = {
            let state = table.lock();
            // A table that was removed must not come back.
            if state.is_gone() {
                return Ok(());
            }
            let kept = Kept {
                keys: table.keys.iter().map(|key| key.map(|key| key.to_string())).collect(),
                watch_key: table.watch_key.map(|key| key.to_string()),
                pace_ms: state.pace.map(|pace| pace.pace_ms),
                memory: table.memory - super::TABLE,
                searches: table.searches,
                rev: state.version,
                saved: state.session.saved_with_table(),
            };
            serde_json::to_vec(&kept).expect("plain data always becomes JSON")
        };
        let path = keeper.path(table.id);
        if lock(&keeper.known).insert(table.id) {
            make_private(&keeper.folder)?;
        }
        replace(&path, &text)?;
        if table.lock().is_gone() {
            // It was removed while it was written.
            keeper.forget(table.id);
        }
        Ok(())
    }

    /// Writes every table that has changed. For the end of the program.
    pub fn save_all(&self) {
        let tables: Vec<Arc<Table>> = lock(&self.tables).values().cloned().collect();
        for table in tables.iter().filter(|table| table.unsaved.load(Ordering::Acquire)) {
            let _ = self.save(table);
        }
    }

    /// Reads a table from the disk.
    pub(super) fn load(self: &Arc<Self>, id: Token) -> Answer<Arc<Table>> {
        let unknown = || Problem::missing("there is no such table");
        let keeper = self.keeper.as_ref().ok_or_else(unknown)?;
        let text = read_text(&keeper.path(id)).map_err(|_| unknown())?;
        let kept: Kept = serde_json::from_str(&text).map_err(|_| unknown())?;
        let game = self.game(&kept.saved.game)?;
        let session = Session::restore(&*game, &kept.saved, None)?;
        let reserved = self.reserve(kept.memory)?;
        let read = |key: &Option<String>| key.as_ref().and_then(|key| key.parse().ok());
        let laid = Table::new(NewTable {
            id,
            game,
            session,
            keys: kept.keys.iter().map(read).collect(),
            watch_key: read(&kept.watch_key),
            memory: reserved,
            searches: kept.searches,
            // Changes that came after the last writing have had numbers, too.
            version: kept.rev + 1000,
            pace: kept.pace_ms.map(|pace_ms| Pace { pace_ms, paused: false, step: false }),
        });
        let table = laid.inspect_err(|_| self.release(reserved))?;
        // Somebody else may have been faster.
        let first = lock(&self.tables).get(&id).cloned();
        if let Some(first) = first {
            self.release(reserved);
            return Ok(first);
        }
        self.add(&table);
        // The server may have ended before the match was recorded.
        self.archive(&table);
        Ok(table)
    }
}

/// Makes a folder into which nobody else can look: keys and hidden things are in it.
fn make_private(folder: &Path) -> std::io::Result<()> {
    make_folder(folder)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}
