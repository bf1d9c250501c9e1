//! Matches that are over, recorded in a store by a thread of their own: nobody at a table waits for it.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use parlor_catalog::OpenedGame;
use parlor_core::files::saved::SavedGame;
use parlor_lab::format::counted;
use parlor_lab::record::{Location, RecordError, record_once};
use parlor_lab::session::Turn;

use super::table::Table;
use super::{Tables, lock};
use crate::http::problem::sentence;

/// A store that cannot be written is tried again after this long.
const PAUSE: Duration = Duration::from_secs(2);

/// So many matches wait for it; more are not recorded unless their tables are used again.
const MOST_WAITING: usize = 10_000;

/// A match that is over.
struct Ended {
    /// The name of its table, under which it is recorded once, whatever is taken back and played again.
    table: String,
    game: Arc<dyn OpenedGame>,
    saved: SavedGame,
}

/// Records matches in a store.
pub struct Archive {
    writer: Mutex<Option<(Sender<Ended>, JoinHandle<()>)>>,
}

impl Archive {
    /// Starts the thread that writes.
    pub fn start(store: Location, warn: fn(&str)) -> Archive {
        let (sender, ended) = channel();
        let run = move || write(&store, warn, &ended);
        let thread = thread::Builder::new().name("archive".to_owned()).spawn(run);
        let thread = thread.expect("the system has threads");
        Archive { writer: Mutex::new(Some((sender, thread))) }
    }

    fn add(&self, ended: Ended) {
        if let Some((sender, _)) = &*lock(&self.writer) {
            let _ = sender.send(ended);
        }
    }

    /// Records what waits, and ends the thread.
    fn finish(&self) {
        let writer = lock(&self.writer).take();
        if let Some((sender, thread)) = writer {
            drop(sender);
            let _ = thread.join();
        }
    }
}

impl Tables {
    /// Lets the match of a table be recorded if it is over.
    pub(super) fn archive(&self, table: &Table) {
        let Some(archive) = &self.archive else { return };
        let saved = {
            let state = table.lock();
            matches!(state.turn, Turn::Over(_)).then(|| state.session.saved())
        };
        if let Some(saved) = saved {
            archive.add(Ended { table: table.name.clone(), game: Arc::clone(&table.game), saved });
        }
    }

    /// Records the matches that wait for it. For the end of the program.
    pub fn finish_archive(&self) {
        self.archive.iter().for_each(Archive::finish);
    }
}

fn write(store: &Location, warn: fn(&str), ended: &Receiver<Ended>) {
    let mut waiting: VecDeque<Ended> = VecDeque::new();
    let mut was_warned = false;
    loop {
        let next = match waiting.is_empty() {
            true => ended.recv().map_err(|_| RecvTimeoutError::Disconnected),
            false => ended.recv_timeout(PAUSE),
        };
        let is_end = matches!(next, Err(RecvTimeoutError::Disconnected));
        waiting.extend(next.into_iter().chain(ended.try_iter()));
        waiting.drain(..waiting.len().saturating_sub(MOST_WAITING));
        match record(store, warn, &mut waiting) {
            Ok(()) => was_warned = false,
            Err(error) if !was_warned || is_end => {
                was_warned = true;
                let (number, why) = (counted(waiting.len() as u64, "match"), sentence(&error));
                warn(&format!("{number} not recorded yet: {why}"));
            }
            Err(_) => {}
        }
        if is_end {
            return;
        }
    }
}

/// Records matches until the store cannot be written.
fn record(store: &Location, warn: fn(&str), waiting: &mut VecDeque<Ended>) -> Result<(), RecordError> {
    while let Some(first) = waiting.front() {
        let recorded = record_once(store, &*first.game, &first.saved, &format!("table-{}", first.table));
        match recorded {
            Err(error @ RecordError::Store(_)) => return Err(error),
            Err(error) => {
                warn(&format!("a match of {} is not recorded: {}", first.saved.game, sentence(&error)));
            }
            Ok(()) => {}
        }
        waiting.pop_front();
    }
    Ok(())
}
