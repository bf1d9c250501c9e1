//! All tables: making, finding, keeping and forgetting them.

pub mod archive;
pub mod calls;
mod keep;
pub mod snapshot;
pub mod state;
pub mod table;
pub mod thinking;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use parlor_catalog::OpenedGame;
use parlor_core::Spec;
use tokio::runtime::Handle;

use crate::agents::{LONGEST_SPEC, Offered};
use crate::http::problem::{Answer, Problem};
use crate::ids::Token;
use archive::Archive;
use keep::Keeper;
use table::{Table, touch};
use thinking::Thinkers;

/// What a table is counted as beside its agents, in bytes: the match, its snapshots, its log.
const TABLE: usize = 24 << 10;

/// A full server puts tables away that nobody has used for this long.
const UNUSED: Duration = Duration::from_secs(60);

/// Two agents go on playing for this long after somebody has last looked.
const WATCHED: u64 = 20;

/// How many opened games are kept.
const MOST_GAMES: usize = 64;

/// All tables.
pub struct Tables {
    tables: Mutex<HashMap<Token, Arc<Table>>>,
    games: Mutex<HashMap<String, Arc<dyn OpenedGame>>>,
    /// How much memory the tables are counted as, in bytes.
    memory: AtomicUsize,
    most_memory: usize,
    /// How long a table may lie idle in memory.
    idle: Duration,
    /// Agents that the owner offers.
    pub offered: Offered,
    /// Who thinks when.
    pub thinkers: Thinkers,
    keeper: Option<Keeper>,
    archive: Option<Archive>,
    /// Where timers run.
    pub runtime: Handle,
    began: Instant,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Tables {
    /// Makes room for tables of `most_memory` bytes together, each of which may lie `idle` for a while, kept in `folder` if there is one.
    /// Matches that are over go to the archive.
    pub fn new(
        offered: Offered,
        (most_memory, idle): (usize, Duration),
        folder: Option<PathBuf>,
        archive: Option<Archive>,
        runtime: Handle,
    ) -> Arc<Tables> {
        let tables = Arc::new(Tables {
            tables: Mutex::default(),
            games: Mutex::default(),
            memory: AtomicUsize::new(0),
            most_memory,
            idle,
            offered,
            thinkers: Thinkers::new(),
            keeper: folder.map(Keeper::new),
            archive,
            runtime,
            began: Instant::now(),
        });
        Keeper::start(&tables);
        tables
    }

    /// Opens a game by its spec, or what people mean by its bare name.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn game(&self, text: &str) -> Answer<Arc<dyn OpenedGame>> {
        if text.len() > LONGEST_SPEC {
            return Err(Problem::field("game", format!("a game has at most {LONGEST_SPEC} characters")));
        }
        let spec = Spec::parse(text).map_err(|error| Problem::from(error).at("game"))?;
        let usual = || Some(parlor_catalog::find(&spec.name).ok()?.table?.usual);
        let text = if spec.pairs.is_empty() { usual().unwrap_or(text) } else { text };
        if let Some(game) = lock(&self.games).get(text) {
            return Ok(Arc::clone(game));
        }
        let game: Arc<dyn OpenedGame> =
            parlor_catalog::open(text).map_err(|error| Problem::from(error).at("game"))?.into();
        let mut games = lock(&self.games);
        if games.len() >= MOST_GAMES {
            games.clear();
        }
        games.insert(text.to_owned(), Arc::clone(&game));
        Ok(game)
    }

    /// Makes room for a table whose agents are counted as `agents` bytes. Returns what the table is counted as.
    ///
    /// # Errors
    /// If the server is full.
    pub fn reserve(&self, agents: usize) -> Answer<usize> {
        let wanted = TABLE + agents;
        let fits = |used: usize| (used + wanted <= self.most_memory).then_some(used + wanted);
        let take = || self.memory.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).is_ok();
        if take() {
            return Ok(wanted);
        }
        // Tables that nobody uses at the moment are on the disk, too.
        self.put_away(UNUSED.min(self.idle));
        if take() {
            Ok(wanted)
        } else {
            Err(Problem::full("there is no room for another table: try again later"))
        }
    }

    /// Gives back what [`reserve`](Self::reserve) took.
    pub fn release(&self, memory: usize) {
        self.memory.fetch_sub(memory, Ordering::Relaxed);
    }

    /// Adds a table for which there is room.
    pub fn add(self: &Arc<Self>, table: &Arc<Table>) {
        touch(table, self.began);
        lock(&self.tables).insert(table.id, Arc::clone(table));
        self.continue_after(table, Duration::ZERO);
    }

    /// Returns a table, from the disk if it was put away.
    ///
    /// # Errors
    /// If there is no such table, or no room for it.
    pub async fn find(self: &Arc<Self>, id: &str) -> Answer<Arc<Table>> {
        let unknown = || Problem::missing("there is no such table");
        let id: Token = id.parse().map_err(|_| unknown())?;
        if let Some(table) = lock(&self.tables).get(&id).cloned() {
            touch(&table, self.began);
            return Ok(table);
        }
        if self.keeper.as_ref().is_none_or(|keeper| !keeper.has(id)) {
            return Err(unknown());
        }
        let tables = Arc::clone(self);
        let loaded = tokio::task::spawn_blocking(move || tables.load(id)).await;
        loaded.map_err(|_| Problem::full("the table cannot be read"))?
    }

    /// Removes a table.
    pub fn remove(&self, table: &Table) {
        if lock(&self.tables).remove(&table.id).is_some() {
            self.release(table.memory);
        }
        table.remove();
        if let Some(keeper) = &self.keeper {
            keeper.forget(table.id);
        }
    }

    /// Returns whether two agents may go on: somebody looks.
    pub fn is_watched(&self, table: &Table) -> bool {
        table.watch_key.is_none()
            || table.is_followed()
            || self.began.elapsed().as_secs() < table.used.load(Ordering::Relaxed) + WATCHED
    }

    /// Ends the turn of a person whose time is over.
    pub fn check_clock(self: &Arc<Self>, table: &Arc<Table>) {
        let mut state = table.lock();
        if let Ok(Some(_)) = state.session.check_clock() {
            let _ = table.moved(&mut state);
            drop(state);
            self.keep(table);
        }
    }

    /// Puts tables away that nobody has used for a while, and hurries agents that take too long. Called now and then.
    pub fn tidy(&self) {
        self.thinkers.check_times();
        self.put_away(self.idle);
    }

    fn put_away(&self, idle: Duration) {
        let now = self.began.elapsed().as_secs();
        let is_idle = |table: &Arc<Table>| {
            now.saturating_sub(table.used.load(Ordering::Relaxed)) >= idle.as_secs() && !table.is_followed()
        };
        let candidates: Vec<Arc<Table>> =
            lock(&self.tables).values().filter(|table| is_idle(table)).cloned().collect();
        for table in candidates {
            {
                let state = table.lock();
                // A clock that runs needs its table.
                if state.is_away() || state.queued || state.session.deadline().is_some() {
                    continue;
                }
            }
            // Without a place on the disk, an idle table is forgotten.
            if self.keeper.is_some() && self.save(&table).is_err() {
                continue;
            }
            let mut tables = lock(&self.tables);
            // Somebody may have come back meanwhile: then it is held elsewhere, too, or has changed.
            let is_unused = Arc::strong_count(&table) <= 2 && !table.unsaved.load(Ordering::Acquire);
            if is_unused && tables.remove(&table.id).is_some() {
                self.release(table.memory);
            }
        }
    }
}
