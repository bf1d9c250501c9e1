//! What an agent may use while it decides: randomness, time, and a receiver of its thoughts.

use crate::play::agent::Decision;
use crate::play::thought::Thought;
use crate::rng::Rng;
use crate::rules::game::Game;
use crate::time::clock::Clock;
use crate::time::deadline::Cancel;
use crate::time::planner::Situation;

/// A function that receives thoughts.
type Report<'a, A> = dyn FnMut(&Thought<A>) + 'a;

/// Receives the thoughts of a running search, or discards them.
pub struct Reporter<'a, A>(Option<&'a mut Report<'a, A>>);

impl<'a, A> Reporter<'a, A> {
    /// A reporter that calls `report` with every thought.
    pub fn to(report: &'a mut dyn FnMut(&Thought<A>)) -> Self {
        Reporter(Some(report))
    }

    /// A reporter that discards every thought.
    #[must_use]
    pub const fn none() -> Self {
        Reporter(None)
    }

    /// Reports a thought.
    pub fn report(&mut self, thought: &Thought<A>) {
        if let Some(report) = &mut self.0 {
            report(thought);
        }
    }

    /// Makes a thought and reports it, unless thoughts are discarded.
    pub fn report_with(&mut self, think: impl FnOnce() -> Thought<A>) {
        if let Some(report) = &mut self.0 {
            report(&think());
        }
    }

    /// Returns the same reporter for a shorter time.
    pub fn reborrow(&mut self) -> Reporter<'_, A> {
        Reporter(self.0.as_mut().map(|report| &mut **report as _))
    }
}

/// What an agent may use for one decision.
pub struct Context<'a, G: Game> {
    /// The seat's random stream, the only source of randomness.
    pub rng: &'a mut Rng,
    /// How long the decision may take.
    pub clock: Clock,
    /// The other seat's clock; `None` in a solitary game and where no clocks run.
    pub opponent_clock: Option<Clock>,
    /// Set when the answer is wanted at once: a search that sees it answers with what it has.
    pub cancel: Option<&'a Cancel>,
    /// Receives the agent's thoughts.
    pub reporter: Reporter<'a, G::Action>,
}

impl<'a, G: Game> Context<'a, G> {
    /// A context without clocks and without a flag to cancel it, whose thoughts are discarded.
    #[must_use]
    pub fn new(rng: &'a mut Rng) -> Self {
        Context {
            rng,
            clock: Clock::default(),
            opponent_clock: None,
            cancel: None,
            reporter: Reporter::none(),
        }
    }

    /// Sets the clocks.
    #[must_use]
    pub fn with_clocks(self, clock: Clock, opponent_clock: Option<Clock>) -> Self {
        Context { clock, opponent_clock, ..self }
    }

    /// Sets the flag that cancels the decision.
    #[must_use]
    pub fn with_cancel(self, cancel: &'a Cancel) -> Self {
        Context { cancel: Some(cancel), ..self }
    }

    /// Sets what receives the thoughts.
    #[must_use]
    pub fn with_reporter(self, report: &'a mut dyn FnMut(&Thought<G::Action>)) -> Self {
        Context { reporter: Reporter::to(report), ..self }
    }

    /// Returns what the planner of the clock's time has to know about a decision.
    #[must_use]
    pub fn situation(&self, decision: &Decision<'_, G>) -> Situation {
        Situation::new(self.clock, self.opponent_clock, decision.actions.len())
    }
}
