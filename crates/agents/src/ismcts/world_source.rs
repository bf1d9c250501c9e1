//! The source of the worlds of simulations, and the value of their final positions.

use parlor_core::api::BuildContext;
use parlor_core::{
    Beliefs, Context, Deadline, Decision, Entry, Game, Imagine, Objective, Rng, Seat, SpecError, Staged,
};

use crate::beliefs::{PossibleWorlds, WorldSampler};
use crate::evaluation::{BuildViewValues, ViewValues};
use crate::leaves::{Leaves, learnt_of};
use crate::playout::{PLAYOUT, Playout};

/// A source of worlds.
pub(super) trait WorldSource<G: Game>: Send {
    /// Whether a seat learns more than the events show; if so, its knowledge at each decision is a label of the tree too.
    const LOOKS: bool = false;

    /// Returns the unit of results.
    fn unit(&self, game: &G) -> &'static str;

    /// Prepares for a match.
    fn begin(&mut self, _game: &G) {}

    /// Prepares the worlds of a decision.
    fn prepare(&mut self, _decision: &Decision<'_, G>, _deadline: Deadline<'_>, _rng: &mut Rng) {}

    /// Returns a world that the view of the decision allows.
    fn world(&mut self, decision: &Decision<'_, G>, rng: &mut Rng) -> G::State;

    /// Returns the action of a seat below the tree.
    fn choose(&mut self, game: &G, state: &G::State, _seat: Seat, rng: &mut Rng) -> G::Action {
        game.pick(state, rng)
    }

    /// Returns what has been learnt of positions; without it, stages are played out.
    fn learnt(&mut self) -> Option<&mut dyn ViewValues<G>>;

    /// Returns the value of a finished stage for a seat.
    fn result(&self, game: &G, state: &G::State, seat: Seat) -> f64;

    /// Returns the value of an expected result as learners are taught it, from −1 to 1.
    fn result_learnt(&self, game: &G, result: f64) -> f64;

    /// Returns the beliefs about hidden things.
    fn beliefs(&mut self, _decision: &Decision<'_, G>, _context: &mut Context<'_, G>) -> Option<Beliefs> {
        None
    }
}

/// Samples a world for each simulation.
pub(super) struct Plain<G: Game>(pub Option<Box<dyn ViewValues<G>>>);

impl<G: Imagine> WorldSource<G> for Plain<G> {
    /// What a click shows is not an event.
    const LOOKS: bool = true;

    fn world(&mut self, decision: &Decision<'_, G>, rng: &mut Rng) -> G::State {
        decision.game.imagine(decision.view, rng)
    }

    fn unit(&self, _: &G) -> &'static str {
        "expected payoff"
    }

    fn learnt(&mut self) -> Option<&mut dyn ViewValues<G>> {
        self.0.as_mut().map(|values| values.as_mut() as _)
    }

    fn result(&self, game: &G, state: &G::State, seat: Seat) -> f64 {
        let scores = game.scores(state);
        scores[seat] - if game.seats() > 1 { scores[seat.other()] } else { 0.0 }
    }

    fn result_learnt(&self, game: &G, result: f64) -> f64 {
        let range = game.range();
        let half = 0.5 * (range.high - range.low);
        if game.seats() > 1 { 2.0 * half * result } else { range.low + half * (1.0 + result) }
    }
}

/// Draws from worlds that were weighted once for the decision.
pub(super) struct Weighed<G: Game> {
    sampler: WorldSampler<G>,
    playout: Playout<G>,
    learnt: Option<Box<dyn ViewValues<G>>>,
    objective: Objective,
    /// Each world, and the sum of the weights up to it.
    worlds: Vec<(G::State, f64)>,
}

impl<G: Entry + PossibleWorlds + Staged> Weighed<G> {
    pub fn read(
        context: &BuildContext<'_, G>,
        learnt: Option<BuildViewValues<G>>,
    ) -> Result<Self, SpecError> {
        let objective = Objective::read(context.settings);
        let playout = Playout::of(context, context.settings.text(PLAYOUT.name))?;
        let learnt = match learnt_of(context, learnt, objective)? {
            Some(Leaves::Learnt(values)) => Some(values),
            _ => None,
        };
        let sampler = WorldSampler::read(context)?;
        Ok(Weighed { sampler, playout, learnt, objective, worlds: Vec::new() })
    }
}

impl<G: PossibleWorlds + Staged> WorldSource<G> for Weighed<G> {
    fn unit(&self, game: &G) -> &'static str {
        game.unit(self.objective)
    }

    fn begin(&mut self, game: &G) {
        game.prepare(self.objective);
    }

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

    fn learnt(&mut self) -> Option<&mut dyn ViewValues<G>> {
        self.learnt.as_mut().map(|values| values.as_mut() as _)
    }

    fn result(&self, game: &G, state: &G::State, seat: Seat) -> f64 {
        let lead = game.lead(self.objective, state);
        if seat == Seat::FIRST { lead } else { -lead }
    }

    fn result_learnt(&self, game: &G, result: f64) -> f64 {
        let lead = game.lead_of_result(self.objective, result);
        lead.expect("the objective was checked when the values were read")
    }

    fn beliefs(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> Option<Beliefs> {
        let deadline = Deadline::after(None, context.cancel);
        Some(self.sampler.posterior(decision, deadline, context.rng).odds(decision.game, decision.view))
    }
}
