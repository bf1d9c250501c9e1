//! Hints for a person at the table: what the moves are worth, and what can be known about hidden things.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use parlor_core::api::{AnyGame, ExactValues, Question};
use parlor_core::{Beliefs, Cancel, Clock, Progress, Resources, Seat, Thought, TimeControl};

use super::{Session, SessionError};

/// How long the exact solver may take before an agent is asked instead.
const EXACT_LIMIT: Duration = Duration::from_millis(700);

/// How long an agent without a limit of its own may think about a hint.
const AGENT_LIMIT: Duration = Duration::from_secs(2);

/// How much memory the exact solver may use, in mebibytes. It is made anew for each hint.
const SOLVER_MEMORY_MB: usize = 64;

/// How often a running solver is checked for its limit.
const GLANCE: Duration = Duration::from_millis(5);

/// The seed of the agents that give hints. It must not be that of the match, so that a hint has nothing to do with the deals.
const HINT_SEED: u64 = 1;

/// What the moves of a seat are worth.
#[derive(Clone, PartialEq, Debug)]
pub enum Worth {
    /// The exact value of every move.
    Exact(ExactValues),
    /// What an agent thinks.
    Thought {
        /// The agent's full form.
        agent: String,
        /// What it would do.
        best: String,
        /// Its last thought; `None` if it chooses without one.
        thought: Option<Thought<String>>,
    },
}

/// An answer to a person who wants to know what to do.
#[derive(Clone, PartialEq, Debug)]
pub struct Hint {
    /// What the moves are worth.
    pub worth: Worth,
    /// What the agent believes about hidden things; `None` if nothing is hidden, or it has no beliefs.
    pub beliefs: Option<Beliefs>,
}

impl Session {
    /// Returns a hint for the person in `seat`, which is to move: exact values if the solver has them within moments, else what
    /// `agent` thinks. With `only_agent` the solver is not asked. Everything comes from what the seat may know. `cancel` ends the
    /// thinking; then the hint is what was found until then.
    ///
    /// # Errors
    /// If it is not the seat's turn, the agent is not understood, or it fails.
    pub fn hint(
        &self,
        game: &dyn AnyGame,
        seat: Seat,
        agent: &str,
        only_agent: bool,
        cancel: &Cancel,
    ) -> Result<Hint, SessionError> {
        let exact = if only_agent { None } else { self.exact(seat, cancel) };
        if let Some(values) = &exact
            && game.is_open()
        {
            return Ok(Hint { worth: Worth::Exact(values.clone()), beliefs: None });
        }
        let saved = self.table.saved(&self.names);
        let question = Question {
            agent,
            position: saved.start.as_deref(),
            moves: &saved.moves,
            plies: None,
            seat: Some(seat),
            seed: HINT_SEED,
            clock: Clock::new(TimeControl::per_move(AGENT_LIMIT)),
            beliefs: true,
            cancel,
        };
        let mut last = None;
        let analysis = game.analyse(&question, &mut |thought| last = Some(thought.clone()))?;
        let worth = match exact {
            Some(values) => Worth::Exact(values),
            None => Worth::Thought { agent: analysis.agent, best: analysis.best, thought: last },
        };
        Ok(Hint { worth, beliefs: analysis.beliefs })
    }

    /// Returns exact values if the solver has them in time.
    fn exact(&self, seat: Seat, cancel: &Cancel) -> Option<ExactValues> {
        let means = Resources { memory_mb: SOLVER_MEMORY_MB, ..Resources::default() };
        let (stop, done) = (Cancel::new(), AtomicBool::new(false));
        thread::scope(|scope| {
            scope.spawn(|| {
                let started = Instant::now();
                while !done.load(Ordering::Relaxed) {
                    if cancel.is_cancelled() || started.elapsed() >= EXACT_LIMIT {
                        stop.cancel();
                        return;
                    }
                    thread::sleep(GLANCE);
                }
            });
            let mut progress = Progress { cancel: &stop, report: &mut |_| {} };
            let values = self.table.exact_values(seat, &means, &mut progress);
            done.store(true, Ordering::Relaxed);
            values.ok()
        })
    }
}
