//! What was seen of an opponent, kept for a stage, a match or a session.

use parlor_core::{Deadline, Decision, Game, Phase, Rng, Seat, Sight, TypeOdds};

use super::{Memory, Recogniser, Seen};
use crate::beliefs::{PossibleWorlds, WeightedWorlds, WorldSampler};

/// The last decision of the seat that recognises.
struct Last<G: Game> {
    seat: Seat,
    view: G::View,
    /// The state, for a player that sees it.
    truth: Option<G::State>,
    /// How many stages had ended.
    stages: u32,
}

/// Keeps what is known of an opponent's type.
///
/// A view has everything that was seen of its stage, so at a decision nothing but the beliefs from before the stage is needed. What
/// happens after the last decision of a stage is followed in the worlds of that decision.
pub struct Recognition<G: Game> {
    recogniser: Box<dyn Recogniser<G>>,
    sampler: WorldSampler<G>,
    memory: Memory,
    /// The types with their probabilities before anything was seen.
    types: Vec<TypeOdds>,
    /// The probabilities at the beginning of the present stage.
    prior: Vec<f64>,
    last: Option<Last<G>>,
    /// What was seen since the last decision.
    since: Vec<Sight<G::Action>>,
    /// The probabilities that were found last.
    found: Vec<f64>,
    /// Whether nothing was seen since they were found.
    is_current: bool,
    /// Whether the match is over.
    is_over: bool,
}

impl<G: Game> Recognition<G> {
    /// Prepares to tell `types` apart, whose probabilities before anything was seen add up to 1. `sampler` has the worlds; if it weighs
    /// them by choices, it has the same types.
    #[must_use]
    pub fn new(
        recogniser: Box<dyn Recogniser<G>>,
        sampler: WorldSampler<G>,
        types: Vec<TypeOdds>,
        memory: Memory,
    ) -> Self {
        let prior: Vec<f64> = types.iter().map(|kind| kind.probability).collect();
        let found = prior.clone();
        Recognition {
            recogniser,
            sampler,
            memory,
            types,
            prior,
            last: None,
            since: Vec::new(),
            found,
            is_current: true,
            is_over: false,
        }
    }

    fn forget(&mut self) {
        self.prior.clear();
        self.prior.extend(self.types.iter().map(|kind| kind.probability));
    }

    /// A session begins: nothing is known of the opponent.
    pub fn begin_session(&mut self) {
        self.forget();
        self.last = None;
    }

    /// A match begins.
    pub fn begin(&mut self, game: &G) {
        self.recogniser.begin(game);
        if self.memory < Memory::Session {
            self.forget();
        }
        self.last = None;
        self.found.clone_from(&self.prior);
        (self.is_current, self.is_over) = (true, false);
    }

    /// The seat saw something happen.
    pub fn watch(&mut self, game: &G, sight: Sight<G::Action>) {
        self.recogniser.watch(game, sight);
        if self.last.is_some() {
            self.since.push(sight);
            self.is_current = false;
        }
    }

    /// Returns the types with the probabilities that were found last.
    pub fn types(&self) -> Vec<TypeOdds> {
        let found = self.types.iter().zip(&self.found);
        found.map(|(kind, &probability)| TypeOdds { probability, ..kind.clone() }).collect()
    }

    /// Returns the probabilities that were found last, in the order of the types.
    #[must_use]
    pub fn found(&self) -> &[f64] {
        &self.found
    }
}

impl<G: PossibleWorlds> Recognition<G> {
    /// Returns the worlds of a decision; the types are recognised.
    pub fn look(
        &mut self,
        decision: &Decision<'_, G>,
        deadline: Deadline<'_>,
        rng: &mut Rng,
    ) -> WeightedWorlds<G::State> {
        let &Decision { game, seat, view, .. } = decision;
        let stages = game.stages(&game.imagine(view, &mut Rng::new(0)));
        self.arrive(game, Last { seat, view: view.clone(), truth: None, stages });
        let worlds = self.sampler.posterior(decision, deadline, rng);
        self.recognise(&Seen { game, seat, view, worlds: Some(&worlds) });
        worlds
    }

    /// Comes to a decision that offers no choice: the types need not be recognised there.
    pub fn pass_by(&mut self, decision: &Decision<'_, G>, truth: Option<&G::State>) {
        let &Decision { game, seat, view, .. } = decision;
        let stages = match truth {
            Some(state) => game.stages(state),
            None => game.stages(&game.imagine(view, &mut Rng::new(0))),
        };
        self.arrive(game, Last { seat, view: view.clone(), truth: truth.cloned(), stages });
    }

    /// Recognises the types for a player that sees the state.
    pub fn look_at_truth(&mut self, decision: &Decision<'_, G>, state: &G::State) {
        let &Decision { game, seat, view, .. } = decision;
        let (truth, stages) = (Some(state.clone()), game.stages(state));
        self.arrive(game, Last { seat, view: view.clone(), truth, stages });
        let worlds = self.recogniser.weighs_choices().then(|| self.sampler.truth(game, seat, state));
        self.recognise(&Seen { game, seat, view, worlds: worlds.as_ref() });
    }

    /// Comes to a decision. If a stage has ended since the last one, what was seen of it is kept.
    fn arrive(&mut self, game: &G, now: Last<G>) {
        if self.last.as_ref().is_some_and(|last| last.stages < now.stages) {
            self.keep(game);
        }
        self.sampler.set_priors(&self.prior);
        self.last = Some(now);
        self.since.clear();
        self.is_current = false;
    }

    fn recognise(&mut self, seen: &Seen<'_, G>) {
        self.recogniser.recognise(seen, &self.prior, &mut self.found);
        self.is_current = true;
    }

    /// Keeps what was seen of a stage that has ended, for those after it.
    fn keep(&mut self, game: &G) {
        let runs_on = self.recogniser.runs_on() && !self.is_over;
        if self.memory > Memory::Stage && !runs_on {
            self.follow(game);
            self.prior.clone_from(&self.found);
        }
        self.last = None;
    }

    /// Recognises the types by everything that was seen up to now, or to the end of the stage of the last decision. Whether the match is
    /// over is known to the seat, too.
    pub fn follow(&mut self, game: &G) {
        if self.is_current {
            return;
        }
        let Some(last) = self.last.take() else { return };
        if self.recogniser.weighs_choices() {
            self.follow_choices(game, &last);
        } else {
            self.recognise(&Seen { game, seat: last.seat, view: &last.view, worlds: None });
        }
        self.last = Some(last);
    }

    /// Recognises the types in the worlds of the last decision, followed through what was seen since.
    fn follow_choices(&mut self, game: &G, last: &Last<G>) {
        let Last { seat, view, truth, stages } = last;
        let mut rng = Rng::new(0);
        self.sampler.set_priors(&self.prior);
        let mut worlds = match truth {
            Some(state) => self.sampler.truth(game, *seat, state),
            None => {
                let decision = Decision::new(game, *seat, view, &[]);
                self.sampler.posterior(&decision, Deadline::default(), &mut rng)
            }
        };
        for &sight in &self.since {
            let Some(after) = self.sampler.follow(game, *seat, worlds.clone(), sight, &mut rng) else {
                break;
            };
            worlds = after;
            if worlds.worlds().iter().all(|(world, _)| game.stages(world) > *stages) {
                break;
            }
        }
        if self.is_over {
            worlds = worlds.retained(|world| game.phase(world) == Phase::Over);
        }
        self.recognise(&Seen { game, seat: *seat, view, worlds: Some(&worlds) });
    }

    /// The match is over.
    pub fn end(&mut self, game: &G) {
        (self.is_over, self.is_current) = (true, false);
        if self.memory == Memory::Session {
            self.keep(game);
        }
    }
}
