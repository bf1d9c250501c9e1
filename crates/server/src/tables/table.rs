//! One table: a match, the keys of its seats, and who follows it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use bytes::Bytes;
use parlor_catalog::OpenedGame;
use parlor_core::{Seat, Thought};
use parlor_lab::session::{Session, Turn};
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::snapshot::{Log, Sight, write};
use super::state::{Pace, State, clocks, types};
use crate::http::problem::{Answer, Problem};
use crate::http::request::foreign_key;
use crate::ids::Token;
use crate::streams::Stream;

/// Who looks at a table.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Viewer {
    /// The player of a seat.
    Seat(Seat),
    /// Somebody who lets two agents play.
    Watcher,
    /// Anybody else.
    Public,
}

/// A table.
pub struct Table {
    /// Its id.
    pub id: Token,
    /// The id as text.
    pub name: String,
    /// The game.
    pub game: Arc<dyn OpenedGame>,
    /// The key of each seat that a person plays.
    pub keys: Vec<Option<Token>>,
    /// The key of somebody who watches two agents.
    pub watch_key: Option<Token>,
    /// How much memory it is counted as, in bytes.
    pub memory: usize,
    /// Whether its agents search.
    pub searches: bool,
    state: Mutex<State>,
    /// Rings at every change.
    pub changed: Notify,
    followers: Mutex<Vec<(Weak<Stream>, Viewer)>>,
    /// When it was last asked for anything, in seconds since the server began.
    pub used: AtomicU64,
    /// Whether it waits to be written to the disk.
    pub unsaved: AtomicBool,
}

/// What a new table consists of.
pub struct NewTable {
    /// Its id.
    pub id: Token,
    /// The game.
    pub game: Arc<dyn OpenedGame>,
    /// The match.
    pub session: Session,
    /// The key of each seat that a person plays.
    pub keys: Vec<Option<Token>>,
    /// The key of somebody who watches two agents.
    pub watch_key: Option<Token>,
    /// How much memory it is counted as, in bytes.
    pub memory: usize,
    /// Whether its agents search.
    pub searches: bool,
    /// The pace of two agents.
    pub pace: Option<Pace>,
    /// How often something has changed.
    pub version: u64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing that holds these locks panics half-way; agents are asked without them.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Table {
    /// Lays a table.
    ///
    /// # Errors
    /// If chance cannot act.
    pub fn new(new: NewTable) -> Answer<Arc<Table>> {
        let NewTable { id, game, mut session, keys, watch_key, memory, searches, pace, version } = new;
        let turn = session.turn()?;
        Ok(Arc::new(Table {
            id,
            name: id.to_string(),
            game,
            keys,
            watch_key,
            memory,
            searches,
            state: Mutex::new(State::new(session, turn, pace, version)),
            changed: Notify::new(),
            followers: Mutex::default(),
            used: AtomicU64::new(0),
            unsaved: AtomicBool::new(false),
        }))
    }

    /// Takes the table for a moment. Never while an agent thinks.
    pub fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Returns who looks, by the key that was sent.
    ///
    /// # Errors
    /// If the key belongs to another table.
    pub fn viewer(&self, key: Option<&str>) -> Answer<Viewer> {
        let Some(key) = key else { return Ok(Viewer::Public) };
        let seats = self.keys.iter().zip(Seat::all(u8::MAX));
        for (own, seat) in seats {
            if own.is_some_and(|own| own.is(key)) {
                return Ok(Viewer::Seat(seat));
            }
        }
        if self.watch_key.is_some_and(|own| own.is(key)) { Ok(Viewer::Watcher) } else { Err(foreign_key()) }
    }

    /// Returns the seat that a key opens.
    ///
    /// # Errors
    /// If it opens none.
    pub fn seat(&self, key: Option<&str>) -> Answer<Seat> {
        match self.viewer(key)? {
            Viewer::Seat(seat) => Ok(seat),
            Viewer::Watcher | Viewer::Public => Err(Problem::forbidden(
                "only the player of a seat may do this: send its key in X-Parlor-Seat",
            )),
        }
    }

    /// Adds somebody who wants to hear of changes.
    pub fn follow(&self, stream: &Arc<Stream>, viewer: Viewer) {
        let mut followers = lock(&self.followers);
        followers.retain(|(other, _)| other.strong_count() > 0 && !other.ptr_eq(&Arc::downgrade(stream)));
        followers.push((Arc::downgrade(stream), viewer));
    }

    /// Removes somebody who wanted to hear of changes.
    pub fn leave(&self, stream: &Arc<Stream>) {
        lock(&self.followers).retain(|(other, _)| !other.ptr_eq(&Arc::downgrade(stream)));
    }

    /// Returns whether anybody follows.
    pub fn is_followed(&self) -> bool {
        lock(&self.followers).iter().any(|(stream, _)| stream.strong_count() > 0)
    }

    fn tell_followers(&self, tell: impl Fn(&Stream)) {
        for (stream, _) in lock(&self.followers).iter() {
            if let Some(stream) = stream.upgrade() {
                tell(&stream);
            }
        }
    }

    /// Notes that something has happened, and tells everybody who follows.
    pub fn announce(&self, state: &mut State) {
        state.published.clear();
        state.thought = None;
        state.version += 1;
        self.changed.notify_waiters();
        self.tell_followers(|stream| stream.table_changed(self.id));
    }

    /// Notes whose turn it is now, and tells everybody who follows.
    ///
    /// # Errors
    /// If chance cannot act.
    pub fn moved(&self, state: &mut State) -> Answer<()> {
        state.turn = state.session.turn()?;
        self.announce(state);
        Ok(())
    }

    /// Removes the table: its agent is called back, and its followers are notified.
    pub fn remove(&self) {
        let mut state = self.lock();
        state.close();
        drop(state);
        self.changed.notify_waiters();
        self.tell_followers(|stream| stream.table_gone(self.id));
    }

    /// Publishes a thought of the agent that decides.
    pub fn publish_thought(&self, seat: Seat, thought: &Thought<String>) {
        let mut value = thought_json(thought);
        value["table"] = self.name.clone().into();
        value["seat"] = seat.0.into();
        let mut state = self.lock();
        value["rev"] = state.version.into();
        state.thought = Some(value.to_string().into());
        drop(state);
        self.tell_followers(|stream| stream.table_thinks(self.id));
    }

    /// Notes that an agent has begun to think, for those who follow.
    pub fn publish_start(&self) {
        self.tell_followers(|stream| stream.table_thinks(self.id));
    }

    /// Returns the last thought as JSON; where something is hidden, no more than who thinks. `None` if nobody does.
    pub fn thought(&self) -> Option<String> {
        let state = self.lock();
        let Turn::Agent(seat) = state.turn else { return None };
        let thought = state.thought.as_deref();
        let bare = || json!({"table": self.name, "seat": seat.0, "rev": state.version}).to_string();
        Some(thought.map_or_else(bare, str::to_owned))
    }

    /// Returns a snapshot as text.
    pub fn snapshot(&self, viewer: Viewer) -> Bytes {
        self.snapshot_of(&mut self.lock(), viewer)
    }

    /// Returns a snapshot of a table that is held.
    pub fn snapshot_of(&self, state: &mut State, viewer: Viewer) -> Bytes {
        let text = self.published(state, viewer);
        let mut bytes = Vec::with_capacity(text.len() + 64);
        bytes.extend_from_slice(text.as_bytes());
        bytes.extend_from_slice(b",\"clocks\":");
        bytes.extend_from_slice(clocks(state).to_string().as_bytes());
        bytes.extend_from_slice(format!(",\"rev\":{}", state.version).as_bytes());
        bytes.push(b'}');
        bytes.into()
    }

    fn published(&self, state: &mut State, viewer: Viewer) -> Arc<str> {
        if let Some((_, text)) = state.published.iter().find(|(whose, _)| *whose == viewer) {
            return Arc::clone(text);
        }
        let is_over = matches!(state.turn, Turn::Over(_));
        let mut more = Vec::new();
        if let Some(pace) = state.pace {
            more.push(("pace", json!({"pace_ms": pace.pace_ms, "paused": pace.paused})));
        }
        if is_over {
            more.push(("types", types(&mut state.session)));
        }
        let shoulder = super::snapshot::shoulder(&*self.game, viewer, is_over);
        let empty = Log::default();
        let log = shoulder.map(|seat| {
            state.logs[seat.index()].catch_up(state.session.table(), seat);
            &state.logs[seat.index()]
        });
        let text: Arc<str> = write(&Sight {
            id: &self.name,
            game: &*self.game,
            session: &state.session,
            turn: &state.turn,
            viewer,
            log: log.unwrap_or(&empty),
            more,
        })
        .into();
        state.published.push((viewer, Arc::clone(&text)));
        text
    }

    /// Waits until no agent thinks at the table for the moves so far, at most for a while. Returns `false` if it still does.
    pub async fn settled(&self, patience: Duration) -> bool {
        let deadline = tokio::time::Instant::now() + patience;
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            if self.lock().is_settled() {
                return true;
            }
            if tokio::time::timeout_at(deadline, changed).await.is_err() {
                return false;
            }
        }
    }

    /// Calls an agent back that thinks, without its decision, waits until it is back, and locks the table: nobody takes it away again
    /// before the lock is released.
    pub async fn lock_undisturbed(&self) -> MutexGuard<'_, State> {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            {
                let mut state = self.lock();
                if !state.call_back() {
                    return state;
                }
            }
            changed.await;
        }
    }
}

/// Returns a thought as JSON.
pub fn thought_json(thought: &Thought<String>) -> Value {
    json!({
        "depth": thought.depth,
        "nodes": thought.nodes,
        "counts": thought.counts,
        "elapsed_ms": thought.elapsed.as_millis() as u64,
        "value": thought.value,
        "unit": thought.unit,
        "certainty": thought.certainty,
        "end_in": thought.end_in,
        "line": thought.line,
        "moves": thought.moves,
    })
}

/// Notes the moment at which a table was used.
pub fn touch(table: &Table, since: Instant) {
    table.used.store(since.elapsed().as_secs(), Ordering::Relaxed);
}
