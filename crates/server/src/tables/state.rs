//! What changes at a table: the match, whose turn it is, and the agent that is away to think.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parlor_core::{Cancel, Seat};
use parlor_lab::session::{Occupant, Session, Thinking, Turn};
use serde_json::{Value, json};

use super::snapshot::Log;
use super::table::Viewer;
use crate::http::problem::Answer;

/// Two agents that play while somebody watches.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Pace {
    /// How long to wait between decisions, in milliseconds.
    pub pace_ms: u64,
    /// Whether they wait.
    pub paused: bool,
    /// Whether one decision is due although they wait.
    pub step: bool,
}

/// An agent that is away from the table.
struct Flight {
    cancel: Cancel,
    /// Whether it was told to move now; else its decision is not wanted any more once it is cancelled.
    hurried: bool,
}

/// What changes at a table.
pub struct State {
    /// The match.
    pub session: Session,
    /// Whose turn it is.
    pub turn: Turn,
    flight: Option<Flight>,
    /// Whether it waits for its agent to be asked.
    pub queued: bool,
    /// The pace of two agents.
    pub pace: Option<Pace>,
    /// What each seat has seen.
    pub logs: [Log; 2],
    /// Snapshots that are still right, for each viewer.
    pub published: Vec<(Viewer, Arc<str>)>,
    /// The last thought of the agent, where everybody may know it.
    pub thought: Option<Arc<str>>,
    /// Counts changes.
    pub version: u64,
    /// Whether it was removed.
    gone: bool,
    /// How long the agents' last decision took.
    pub last_decision: Duration,
}

impl State {
    /// The state of a new table.
    pub fn new(session: Session, turn: Turn, pace: Option<Pace>, version: u64) -> State {
        State {
            session,
            turn,
            flight: None,
            queued: false,
            pace,
            logs: [Log::default(), Log::default()],
            published: Vec::new(),
            thought: None,
            version,
            gone: false,
            last_decision: Duration::ZERO,
        }
    }

    /// Removes the match: its agent is called back.
    pub fn close(&mut self) {
        self.gone = true;
        if let Some(flight) = &self.flight {
            flight.cancel.cancel();
        }
    }

    /// Returns whether nobody has to be waited for before a person may act.
    pub fn is_settled(&self) -> bool {
        self.gone || (self.flight.is_none() && !matches!(self.turn, Turn::Agent(_)))
    }

    /// Calls the agent back that thinks, without its decision. Returns `false` if none does.
    pub fn call_back(&mut self) -> bool {
        let Some(flight) = &mut self.flight else { return false };
        flight.hurried = false;
        flight.cancel.cancel();
        true
    }

    /// Takes the agent that is to decide from the table. `None` if none is to, or it has to wait.
    ///
    /// # Errors
    /// If it is away already.
    pub fn depart(&mut self) -> Answer<Option<(Thinking, Cancel)>> {
        if self.gone || self.flight.is_some() || !matches!(self.turn, Turn::Agent(_)) {
            return Ok(None);
        }
        if let Some(pace) = &mut self.pace
            && pace.paused
            && !std::mem::take(&mut pace.step)
        {
            return Ok(None);
        }
        let thinking = self.session.begin_decision()?;
        let cancel = Cancel::new();
        self.flight = Some(Flight { cancel: cancel.clone(), hurried: false });
        Ok(Some((thinking, cancel)))
    }

    /// Brings the agent back, with its decision unless that is not wanted any more.
    ///
    /// # Errors
    /// If the match cannot go on.
    pub fn arrive(&mut self, mut thinking: Thinking, began: Instant) -> Answer<()> {
        let flight = self.flight.take();
        if flight.is_some_and(|flight| flight.hurried) {
            thinking.settle();
        }
        self.last_decision = began.elapsed();
        self.session.commit(thinking)?;
        Ok(())
    }

    /// Tells an agent that thinks to move now. Returns `false` if none does.
    pub fn hurry(&mut self) -> bool {
        let Some(flight) = &mut self.flight else { return false };
        // One that was called back stays called back.
        if !flight.cancel.is_cancelled() {
            flight.hurried = true;
            flight.cancel.cancel();
        }
        true
    }

    /// Forgets what was written of the past: something was taken back.
    pub fn rewrite(&mut self) {
        self.logs.iter_mut().for_each(Log::clear);
    }

    /// Returns how much the viewer has seen happen.
    pub fn ply(&mut self, seat: Seat) -> usize {
        let log = &mut self.logs[seat.index()];
        log.catch_up(self.session.table(), seat);
        log.len()
    }

    /// Returns whether an agent is away.
    pub fn is_away(&self) -> bool {
        self.flight.is_some()
    }

    /// Returns whether it was removed.
    pub fn is_gone(&self) -> bool {
        self.gone
    }
}

/// Returns what the clocks show, as JSON.
pub fn clocks(state: &State) -> Value {
    let running = match state.turn {
        Turn::Person(seat) | Turn::Agent(seat) => Some(seat),
        Turn::Over(_) => None,
    };
    let clocks = state.session.clocks();
    let elapsed = state.session.deadline().zip(running).and_then(|(at, seat)| {
        Some(clocks.allowance(seat)?.saturating_sub(at.saturating_duration_since(Instant::now())))
    });
    let shown = Seat::all(u8::MAX).zip(state.session.seats()).map(|(seat, _)| {
        let is_running = running == Some(seat);
        let spent = if is_running { elapsed.unwrap_or_default() } else { Duration::ZERO };
        let left = clocks.shown(seat)?.saturating_sub(spent);
        Some(json!({"left_ms": left.as_millis() as u64, "running": is_running}))
    });
    shown.collect::<Option<Vec<Value>>>().map_or(Value::Null, Value::Array)
}

/// Returns whom the agents took their opponents for. This rests on their hands, so it is shown after the end only.
pub fn types(session: &mut Session) -> Value {
    let seats: Vec<bool> =
        session.seats().iter().map(|occupant| matches!(occupant, Occupant::Agent(_))).collect();
    let told = Seat::all(u8::MAX).zip(seats).filter_map(|(seat, is_agent)| {
        let types = is_agent.then(|| session.opponent_types(seat))??;
        Some(json!({"seat": seat.0, "types": types}))
    });
    told.collect()
}
