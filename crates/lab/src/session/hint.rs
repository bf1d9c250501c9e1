//! Hints for a person at the table: what the moves are worth, and what can be known about hidden things.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use parlor_core::api::{AnyGame, ApiError, ExactValues, Question};
use parlor_core::{Beliefs, Cancel, Clock, Phase, Progress, Resources, Seat, Thought, TimeControl};

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

/// Who is asked for a hint.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Ask {
    /// The exact solver, and an agent if that has no answer within moments.
    Both,
    /// The exact solver only.
    Solver,
    /// The agent only.
    Agent,
}

/// What a hint is asked about.
#[derive(Copy, Clone, Debug)]
pub struct HintQuestion<'a> {
    /// The position in the game's own form; `None` for the start.
    pub position: Option<&'a str>,
    /// What was done since, as saved games write it.
    pub moves: &'a str,
    /// Whose hint it is; `None` for the seat to move. Everything comes from what that seat may know.
    pub seat: Option<Seat>,
    /// The agent's spec.
    pub agent: &'a str,
    /// Who is asked.
    pub ask: Ask,
    /// How long the solver may take.
    pub solver_time: Duration,
    /// How long the agent may think.
    pub agent_time: Duration,
    /// How much memory the solver may use, in mebibytes.
    pub solver_memory_mb: usize,
    /// Set when the hint is no longer wanted; then it is what was found until then.
    pub cancel: &'a Cancel,
}

impl<'a> HintQuestion<'a> {
    /// A question about a match, with the usual limits.
    #[must_use]
    pub fn new(position: Option<&'a str>, moves: &'a str, agent: &'a str, cancel: &'a Cancel) -> Self {
        HintQuestion {
            position,
            moves,
            seat: None,
            agent,
            ask: Ask::Both,
            solver_time: EXACT_LIMIT,
            agent_time: AGENT_LIMIT,
            solver_memory_mb: SOLVER_MEMORY_MB,
            cancel,
        }
    }
}

/// What was found on the way to a hint.
#[derive(Debug)]
pub enum Found<'a> {
    /// The solver has the exact values.
    Exact(&'a ExactValues),
    /// A thought of the agent.
    Thought(&'a Thought<String>),
}

/// Returns a hint, and reports on the way what is found.
///
/// # Errors
/// If nobody is to decide there, it is another seat's turn, or the agent is not understood or fails. With [`Ask::Solver`] also if
/// the solver has no answer in time.
pub fn hint(
    game: &dyn AnyGame,
    question: &HintQuestion<'_>,
    report: &mut dyn FnMut(Found<'_>),
) -> Result<Hint, SessionError> {
    let exact = match question.ask {
        Ask::Agent => None,
        Ask::Both => exact(game, question).ok(),
        Ask::Solver => Some(exact(game, question)?),
    };
    if let Some(values) = &exact {
        report(Found::Exact(values));
    }
    match exact {
        Some(values) if game.is_open() || question.ask == Ask::Solver => {
            Ok(Hint { worth: Worth::Exact(values), beliefs: None })
        }
        exact => {
            let mut last = None;
            let asked = Question {
                agent: question.agent,
                position: question.position,
                moves: question.moves,
                plies: None,
                seat: question.seat,
                seed: HINT_SEED,
                clock: Clock::new(TimeControl::per_move(question.agent_time)),
                beliefs: true,
                cancel: question.cancel,
            };
            let analysis = game.analyse(&asked, &mut |thought| {
                report(Found::Thought(thought));
                last = Some(thought.clone());
            })?;
            let worth = match exact {
                Some(values) => Worth::Exact(values),
                None => Worth::Thought { agent: analysis.agent, best: analysis.best, thought: last },
            };
            Ok(Hint { worth, beliefs: analysis.beliefs })
        }
    }
}

/// Returns exact values if the solver has them in time. It works at a table of its own, so that the match can go on.
fn exact(game: &dyn AnyGame, question: &HintQuestion<'_>) -> Result<ExactValues, SessionError> {
    let mut table = game.table(HINT_SEED, question.position)?;
    for (number, text) in question.moves.split_whitespace().enumerate() {
        table.replay(text).map_err(|cause| SessionError::Move { number: number + 1, cause })?;
    }
    let seat = match (question.seat, table.phase()) {
        (Some(seat), _) | (None, Phase::Decide(seat)) => seat,
        (None, _) => return Err(ApiError::NobodyToMove.into()),
    };
    let means = Resources { memory_mb: question.solver_memory_mb, ..Resources::default() };
    let (stop, done) = (Cancel::new(), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            let started = Instant::now();
            while !done.load(Ordering::Relaxed) {
                if question.cancel.is_cancelled() || started.elapsed() >= question.solver_time {
                    stop.cancel();
                    return;
                }
                thread::sleep(GLANCE);
            }
        });
        let mut progress = Progress { cancel: &stop, report: &mut |_| {} };
        let values = table.exact_values(seat, &means, &mut progress);
        done.store(true, Ordering::Relaxed);
        Ok(values?)
    })
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
        let saved = self.table.saved(&self.names);
        let ask = if only_agent { Ask::Agent } else { Ask::Both };
        let question = HintQuestion {
            seat: Some(seat),
            ask,
            ..HintQuestion::new(saved.start.as_deref(), &saved.moves, agent, cancel)
        };
        hint(game, &question, &mut |_| {})
    }
}
