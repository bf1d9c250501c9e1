//! Who thinks when: agents of all tables share a few threads, first come, first served, so that each has a processor of its own while
//! it thinks and none waits for ever.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use parlor_core::Seat;
use parlor_lab::session::Turn;

use super::Tables;
use super::table::Table;

/// A decision may take this long; then the agent has to move.
const LONGEST: Duration = Duration::from_secs(10);

/// Agents whose last decision took longer wait with those that search.
const QUICK: Duration = Duration::from_millis(3);

/// How often thoughts are published.
const THOUGHTS: Duration = Duration::from_millis(100);

/// How large the stack of a thread is that searches.
const STACK: usize = 8 << 20;

/// Tables whose agents wait to be asked.
#[derive(Default)]
struct Queue {
    waiting: Mutex<VecDeque<Arc<Table>>>,
    ring: Condvar,
}

impl Queue {
    fn push(&self, table: Arc<Table>) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).push_back(table);
        self.ring.notify_one();
    }

    fn pop(&self) -> Arc<Table> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match waiting.pop_front() {
                Some(table) => return table,
                None => waiting = self.ring.wait(waiting).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

/// Since when a thread is at a table.
type Busy = (Instant, Arc<Table>);

/// The threads that think.
pub struct Thinkers {
    /// Agents that answer at once: they do not wait behind searches.
    quick: Queue,
    searching: Queue,
    /// What each thread is at, and since when.
    busy: Mutex<Vec<Option<Busy>>>,
}

impl Thinkers {
    /// Makes the queues.
    pub fn new() -> Thinkers {
        Thinkers { quick: Queue::default(), searching: Queue::default(), busy: Mutex::default() }
    }

    /// Starts `threads` threads for searches, and one for the others.
    pub fn start(tables: &Arc<Tables>, threads: usize) {
        *tables.thinkers.busy.lock().unwrap_or_else(PoisonError::into_inner) = vec![None; threads + 1];
        for number in 0..=threads {
            let tables = Arc::clone(tables);
            let run = move || {
                let queue = if number == 0 { &tables.thinkers.quick } else { &tables.thinkers.searching };
                loop {
                    tables.decide(&queue.pop(), number);
                }
            };
            let named = thread::Builder::new().name(format!("thinker {number}")).stack_size(STACK);
            named.spawn(run).expect("the system has threads");
        }
    }

    /// Tells agents that have been thinking for too long to move.
    pub fn check_times(&self) {
        let busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for (since, table) in busy.into_iter().flatten() {
            if since.elapsed() > LONGEST {
                table.lock().hurry();
            }
        }
    }

    fn note(&self, number: usize, what: Option<Busy>) {
        self.busy.lock().unwrap_or_else(PoisonError::into_inner)[number] = what;
    }
}

impl Tables {
    /// Lets the agent of a table be asked if it is its turn.
    pub fn enqueue(&self, table: &Arc<Table>) {
        if !self.is_watched(table) {
            return;
        }
        let mut state = table.lock();
        if state.queued || state.is_away() || !matches!(state.turn, Turn::Agent(_)) {
            return;
        }
        state.queued = true;
        let is_quick = !table.searches && state.last_decision < QUICK;
        drop(state);
        let thinkers = &self.thinkers;
        if is_quick { &thinkers.quick } else { &thinkers.searching }.push(Arc::clone(table));
    }

    /// Lets the agent of a table decide, on this thread.
    fn decide(self: &Arc<Self>, table: &Arc<Table>, number: usize) {
        let departed = {
            let mut state = table.lock();
            state.queued = false;
            state.depart()
        };
        let Ok(Some((mut thinking, cancel))) = departed else { return };
        let (began, seat) = (Instant::now(), thinking.seat());
        self.thinkers.note(number, Some((began, Arc::clone(table))));
        table.publish_start();
        self.think(table, seat, |report| thinking.decide(&cancel, report));
        self.thinkers.note(number, None);
        let mut state = table.lock();
        let _ = state.arrive(thinking, began);
        let _ = table.moved(&mut state);
        let pace = state.pace;
        drop(state);
        self.keep(table);
        self.continue_after(table, pace.map_or(Duration::ZERO, |pace| Duration::from_millis(pace.pace_ms)));
    }

    fn think(
        &self,
        table: &Table,
        seat: Seat,
        decide: impl FnOnce(&mut dyn FnMut(&parlor_core::Thought<String>)),
    ) {
        // Thoughts rest on what the agent sees, so others may know them only where nothing is hidden.
        let is_open = table.game.is_open() || table.watch_key.is_some();
        let mut last = Instant::now();
        decide(&mut |thought| {
            if is_open && last.elapsed() >= THOUGHTS {
                last = Instant::now();
                table.publish_thought(seat, thought);
            }
        });
    }

    /// Goes on at a table where something has happened: with the next agent, or with the clock of the person to move.
    pub fn continue_after(self: &Arc<Self>, table: &Arc<Table>, pause: Duration) {
        let (is_agent, deadline) = {
            let state = table.lock();
            (matches!(state.turn, Turn::Agent(_)), state.session.deadline())
        };
        if is_agent && pause.is_zero() {
            self.enqueue(table);
            return;
        }
        let wait = match (is_agent, deadline) {
            (true, _) => Instant::now() + pause,
            (false, Some(deadline)) => deadline,
            (false, None) => return,
        };
        let (tables, weak) = (Arc::downgrade(self), Arc::downgrade(table));
        self.runtime.spawn(async move {
            tokio::time::sleep_until(wait.into()).await;
            let (Some(tables), Some(table)) = (tables.upgrade(), weak.upgrade()) else { return };
            if is_agent {
                tables.enqueue(&table);
            } else {
                tables.check_clock(&table);
            }
        });
    }
}
