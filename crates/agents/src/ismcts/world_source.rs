//! The source of the worlds of simulations, and the value of their final positions.

use parlor_core::api::BuildContext;
use parlor_core::{Beliefs, Context, Deadline, Decision, Entry, Game, Imagine, Rng, Seat, SpecError, Staged};

use crate::beliefs::{PossibleWorlds, WorldSampler};
use crate::playout::{PLAYOUT, Playout};

/// A source of worlds.
pub(super) trait WorldSource<G: Game>: Send {
    /// The unit of results.
    const UNIT: &'static str;

    /// Whether a seat learns more than the events show; if so, its knowledge at each decision is a label of the tree too.
    const LOOKS: bool = false;

    /// Prepares the worlds of a decision.
    fn prepare(&mut self, _decision: &Decision<'_, G>, _deadline: Deadline<'_>, _rng: &mut Rng) {}

    /// Returns a world that the view of the decision allows.
    fn world(&mut self, decision: &Decision<'_, G>, rng: &mut Rng) -> G::State;

    /// Returns the action of a seat below the tree.
    fn choose(&mut self, game: &G, state: &G::State, _seat: Seat, rng: &mut Rng) -> G::Action {
        game.pick(state, rng)
    }

    /// Returns the value of a finished stage for a seat.
    fn result(game: &G, state: &G::State, seat: Seat) -> f64;

    /// Returns the beliefs about hidden things.
    fn beliefs(&mut self, _decision: &Decision<'_, G>, _context: &mut Context<'_, G>) -> Option<Beliefs> {
        None
    }
}

/// Samples a world for each simulation.
pub(super) struct Plain;

impl<G: Imagine> WorldSource<G> for Plain {
    const UNIT: &'static str = "expected payoff";

    /// What a click shows is not an event.
    const LOOKS: bool = true;

    fn world(&mut self, decision: &Decision<'_, G>, rng: &mut Rng) -> G::State {
        decision.game.imagine(decision.view, rng)
    }

    fn result(game: &G, state: &G::State, seat: Seat) -> f64 {
        let scores = game.scores(state);
        scores[seat] - if game.seats() > 1 { scores[seat.other()] } else { 0.0 }
    }
}

/// Draws from worlds that were weighted once for the decision.
pub(super) struct Weighed<G: Game> {
    sampler: WorldSampler<G>,
    playout: Playout<G>,
    /// Each world, and the sum of the weights up to it.
    worlds: Vec<(G::State, f64)>,
}

impl<G: Entry + PossibleWorlds + Staged> Weighed<G> {
    pub fn read(context: &BuildContext<'_, G>) -> Result<Self, SpecError> {
        let playout = Playout::of(context, context.settings.text(PLAYOUT.name))?;
        Ok(Weighed { sampler: WorldSampler::read(context)?, playout, worlds: Vec::new() })
    }
}

impl<G: PossibleWorlds + Staged> WorldSource<G> for Weighed<G> {
    const UNIT: &'static str = G::UNIT;

    fn prepare(&mut self, decision: &Decision<'_, G>, deadline: Deadline<'_>, rng: &mut Rng) {
        self.worlds = self.sampler.posterior(decision, deadline, rng).into_worlds();
        let mut sum = 0.0;
        for (_, weight) in &mut self.worlds {
            sum += *weight;
            *weight = sum;
        }
    }

    fn world(&mut self, _: &Decision<'_, G>, rng: &mut Rng) -> G::State {
        let point = rng.unit();
        let at = self.worlds.partition_point(|&(_, sum)| sum <= point).min(self.worlds.len() - 1);
        self.worlds[at].0.clone()
    }

    fn choose(&mut self, game: &G, state: &G::State, seat: Seat, rng: &mut Rng) -> G::Action {
        self.playout.choose(game, state, seat, rng)
    }

    fn result(game: &G, state: &G::State, seat: Seat) -> f64 {
        let lead = game.lead(state);
        if seat == Seat::FIRST { lead } else { -lead }
    }

    fn beliefs(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> Option<Beliefs> {
        let deadline = Deadline::after(None, context.cancel);
        Some(self.sampler.posterior(decision, deadline, context.rng).odds(decision.game, decision.view))
    }
}
