//! What a seat believes about what it cannot see, and about whom it plays: one engine for every agent that has beliefs.
//!
//! Chance and forced events tell something: who drew had nothing to play. Choices tell more: who could have scored and did
//! not, probably could not. [`WorldSampler`] lists or draws the worlds that a view allows and weighs each together with each
//! type of opponent by Bayes' rule: prior × the odds of chance × the probability that the type chooses in this world as the
//! other seat did. Models err, so a part of every choice counts as made at random ([`ModelTrust`]).

mod follow;
mod weighted_worlds;

use std::collections::HashMap;

use parlor_core::api::BuildContext;
use parlor_core::{
    BlindWorlds, Budget, Cancel, Deadline, Decision, Entry, Game, HiddenThings, Key, Kind, ListWorlds,
    Policy, Retrace, Rng, Seat, SpecError,
};

pub use weighted_worlds::WeightedWorlds;

/// A game whose hidden worlds can be listed, drawn, retraced and told apart: what agents with beliefs need. Automatic where it has
/// the four abilities.
pub trait PossibleWorlds: ListWorlds + BlindWorlds + Retrace + HiddenThings {}

impl<G: ListWorlds + BlindWorlds + Retrace + HiddenThings> PossibleWorlds for G {}

/// What the odds of worlds rest on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// The numbers of hidden things, and nothing that happened.
    Numbers,
    /// Chance and forced events.
    Events,
    /// Events, and what the other seat chose.
    Choices,
}

/// `beliefs=`: what they rest on.
pub const BELIEFS: Key = Key {
    name: "beliefs",
    kind: Kind::Choice(&["choices", "seen", "off"]),
    default: "choices",
    help: "what the odds of hidden things rest on: draws, passes and choices; draws and passes; their numbers alone",
};

/// `model=`: who the other seat is taken for.
pub const MODEL: Key = Key {
    name: "model",
    kind: Kind::Agent { words: &[], forms: &[] },
    default: "expert",
    help: "with beliefs=choices: how the other seat is thought to choose",
};

/// `model_trust=`: how far the model is trusted.
pub const MODEL_TRUST: Key = Key {
    name: "model_trust",
    kind: Kind::Real { min: 0.0, max: 0.99 },
    default: "0.7",
    help: "with beliefs=choices: how often the other seat chooses as its model does, not at random",
};

/// The most worlds that can be listed: in double-six at most 352,716 hands are possible.
pub const MOST_WORLDS: i64 = 1_000_000;

/// `worlds=`: how many worlds are looked at.
pub const WORLDS: Key = Key {
    name: "worlds",
    kind: Kind::WholeOrAll { min: 1, max: MOST_WORLDS },
    default: "50",
    help: "maximum number of hidden worlds; samples this many by their probabilities if there are more, fewer if nodes do not suffice",
};

/// A type that the other seat may be of.
pub struct OpponentType<G: Game> {
    /// How it plays.
    pub policy: Box<dyn Policy<G>>,
    /// How likely it is before anything was seen; those of all types add up to 1.
    pub prior: f64,
}

impl<G: Game> OpponentType<G> {
    /// The only type there is.
    #[must_use]
    pub fn only(policy: Box<dyn Policy<G>>) -> Self {
        OpponentType { policy, prior: 1.0 }
    }
}

/// How far models are trusted: a share of all choices follows the model, the rest is made at random.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct ModelTrust {
    follows: f64,
    errs: f64,
}

impl ModelTrust {
    /// Models say what is done in this share of all choices.
    #[must_use]
    pub const fn new(follows: f64) -> Self {
        ModelTrust { follows, errs: 1.0 - follows }
    }

    /// Models err in this share of all choices.
    #[must_use]
    pub const fn with_errors(errs: f64) -> Self {
        ModelTrust { follows: 1.0 - errs, errs }
    }

    /// Returns how likely something is that the model does with probability `by_model`, among `actions` that are possible.
    fn likelihood(self, by_model: f64, actions: usize) -> f64 {
        self.follows * by_model + self.errs / actions as f64
    }
}

/// How many of the ways in which a world can have come about are looked at when it is weighed by choices.
///
/// A listed world stands for all ways that led to it; choices may be likelier in some of them.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Histories {
    /// One for each world. Drawn worlds keep their weights.
    One,
    /// About `HISTORIES` for each world. More worlds are drawn than are kept, and thinned by their weights.
    Several,
    /// Every one, where they can be listed: the probabilities are exact then. Elsewhere as [`Several`](Histories::Several).
    All,
}

/// For each world that may be looked at, this many histories may be listed.
const HISTORIES_A_WORLD: usize = 16;

/// The most histories that are listed for one decision.
const MOST_HISTORIES: usize = 100_000;

/// The number of histories for each world where there are several.
const HISTORIES: usize = 4;

/// The part of a decision's time that may go into preparing worlds.
const PREPARATION: u32 = 4;

/// Returns the deadline for preparing the worlds of a decision that has this budget, from now on.
#[must_use]
pub fn preparation<'a>(budget: &Budget, cancel: Option<&'a Cancel>) -> Deadline<'a> {
    Deadline::after(budget.time.map(|time| time / PREPARATION), cancel)
}

/// Lists or draws the worlds that a seat holds possible, with their probabilities.
pub struct WorldSampler<G: Game> {
    evidence: Evidence,
    /// Never empty where choices are evidence.
    types: Vec<OpponentType<G>>,
    trust: ModelTrust,
    histories: Histories,
    /// The most worlds.
    most: usize,
    actions: Vec<G::Action>,
    weights: Vec<f64>,
}

impl<G: Entry> WorldSampler<G> {
    /// Reads [`BELIEFS`], [`MODEL`], [`MODEL_TRUST`] and [`WORLDS`].
    ///
    /// # Errors
    /// If the game has no such model.
    pub fn read(context: &BuildContext<'_, G>) -> Result<Self, SpecError> {
        let settings = context.settings;
        let most = settings.whole_or_all(WORLDS.name).unwrap_or(MOST_WORLDS) as usize;
        let types = vec![OpponentType::only(context.policy(settings.text(MODEL.name))?)];
        let trust = ModelTrust::new(settings.real(MODEL_TRUST.name));
        let sampler = WorldSampler::by_choices(types, trust, Histories::Several, most);
        Ok(match settings.text(BELIEFS.name) {
            "off" => WorldSampler { evidence: Evidence::Numbers, ..sampler },
            "seen" => WorldSampler { evidence: Evidence::Events, ..sampler },
            _ => sampler,
        })
    }
}

impl<G: Game> WorldSampler<G> {
    /// A sampler of at most `most` worlds that goes by chance and forced events.
    #[must_use]
    pub fn by_events(most: usize) -> Self {
        WorldSampler {
            evidence: Evidence::Events,
            types: Vec::new(),
            trust: ModelTrust::new(0.0),
            histories: Histories::One,
            most,
            actions: Vec::new(),
            weights: Vec::new(),
        }
    }

    /// A sampler of at most `most` worlds that weighs them, and the types, by what the other seat chose.
    ///
    /// # Panics
    /// If there is no type.
    #[must_use]
    pub fn by_choices(
        types: Vec<OpponentType<G>>,
        trust: ModelTrust,
        histories: Histories,
        most: usize,
    ) -> Self {
        assert!(!types.is_empty(), "choices are evidence for a type");
        WorldSampler { evidence: Evidence::Choices, types, trust, histories, ..WorldSampler::by_events(most) }
    }

    /// Returns how likely each type is before anything was seen.
    fn priors(&self) -> Vec<f64> {
        if self.types.is_empty() { vec![1.0] } else { self.types.iter().map(|kind| kind.prior).collect() }
    }

    /// Sets how likely each type is before anything was seen; does nothing where choices are not evidence.
    pub fn set_priors(&mut self, priors: &[f64]) {
        self.types.iter_mut().zip(priors).for_each(|(kind, &prior)| kind.prior = prior);
    }
}

impl<G: PossibleWorlds> WorldSampler<G> {
    /// Returns the worlds of a decision: all of them if their number and the deadline allow it, else a sample, at least one.
    ///
    /// If the deadline passes before all worlds are weighed by choices, none is: the weights are those of chance.
    pub fn posterior(
        &mut self,
        decision: &Decision<'_, G>,
        deadline: Deadline<'_>,
        rng: &mut Rng,
    ) -> WeightedWorlds<G::State> {
        let (game, view) = (decision.game, decision.view);
        let priors = self.priors();
        // If they turn out to be too many, time is left to draw some.
        let listing = deadline.halfway();
        let wanted = || !listing.has_passed();
        if self.evidence == Evidence::Numbers {
            return match game.worlds_blindly(view, self.most, &wanted) {
                Some(worlds) => WeightedWorlds::equal(worlds, true, &priors),
                None => {
                    let worlds = self.draw(decision, deadline, rng, G::imagine_blindly);
                    WeightedWorlds::equal(worlds, false, &priors)
                }
            };
        }
        let by_choices = self.evidence == Evidence::Choices;
        if by_choices && self.histories == Histories::All {
            let most = self.most.saturating_mul(HISTORIES_A_WORLD).min(MOST_HISTORIES);
            return match game.histories_while(view, most, &wanted) {
                Some(histories) => {
                    let mut worlds = WeightedWorlds::by_chance(histories, true, &priors);
                    self.weigh_by_choices(decision, deadline, &mut worlds, rng);
                    worlds.merged(|world| game.identity(world)).at_most(self.most, rng)
                }
                None => self.draw_by_choices(decision, deadline, &priors, rng),
            };
        }
        let mut worlds = match game.worlds_while(view, self.most, &wanted) {
            Some(worlds) => WeightedWorlds::by_chance(worlds, true, &priors),
            None if by_choices && self.histories == Histories::Several => {
                return self.draw_by_choices(decision, deadline, &priors, rng);
            }
            None => WeightedWorlds::equal(self.draw(decision, deadline, rng, G::imagine), false, &priors),
        };
        if by_choices {
            self.weigh_by_choices(decision, deadline, &mut worlds, rng);
        }
        worlds
    }

    /// Weighs worlds and types by what the other seat chose, if there is anything to tell apart and time for all of them.
    fn weigh_by_choices(
        &mut self,
        decision: &Decision<'_, G>,
        deadline: Deadline<'_>,
        worlds: &mut WeightedWorlds<G::State>,
        rng: &mut Rng,
    ) {
        let several = worlds.worlds().len() > 1 || self.types.len() > 1;
        if several && let Some(likelihoods) = self.weigh(decision, deadline, worlds.worlds(), rng) {
            worlds.weigh(likelihoods);
        }
    }

    /// Returns the only world of a seat that sees everything, with the types weighed by what the other seat chose.
    pub fn truth(&mut self, game: &G, seat: Seat, state: &G::State) -> WeightedWorlds<G::State> {
        let mut worlds = WeightedWorlds::by_chance(vec![(state.clone(), 1.0)], true, &self.priors());
        if self.evidence == Evidence::Choices {
            let mut likelihoods = Vec::with_capacity(self.types.len());
            self.add_likelihoods(game, state, seat.other(), &mut likelihoods);
            worlds.weigh(likelihoods);
        }
        worlds
    }

    /// Draws worlds by what chance tells, weighs them by choices, and keeps a part of them by these weights.
    fn draw_by_choices(
        &mut self,
        decision: &Decision<'_, G>,
        deadline: Deadline<'_>,
        priors: &[f64],
        rng: &mut Rng,
    ) -> WeightedWorlds<G::State> {
        let (game, other) = (decision.game, decision.seat.other());
        let mut likelihoods = Vec::new();
        let worlds = draw(HISTORIES * self.most, deadline, || {
            let world = game.imagine(decision.view, rng);
            self.add_likelihoods(game, &world, other, &mut likelihoods);
            (world, 1.0)
        });
        let kept = self.most.min(worlds.len());
        let mut worlds = WeightedWorlds::by_chance(worlds, false, priors);
        worlds.weigh(likelihoods);
        worlds.thinned(kept, rng)
    }

    /// Draws worlds; fewer if the deadline passes, at least one.
    fn draw(
        &self,
        decision: &Decision<'_, G>,
        deadline: Deadline<'_>,
        rng: &mut Rng,
        imagine: impl Fn(&G, &G::View, &mut Rng) -> G::State,
    ) -> Vec<G::State> {
        draw(self.most, deadline, || imagine(decision.game, decision.view, rng))
    }

    /// Returns how likely each type in each world was to choose as the other seat did, a row a world; `None` if the deadline
    /// passes before that is known of all: worlds that are weighed and worlds that are not cannot be compared.
    fn weigh(
        &mut self,
        decision: &Decision<'_, G>,
        deadline: Deadline<'_>,
        worlds: &[(G::State, f64)],
        rng: &mut Rng,
    ) -> Option<Vec<f64>> {
        let (game, other) = (decision.game, decision.seat.other());
        let types = self.types.len();
        let mut sums = Vec::with_capacity(worlds.len() * types);
        for (world, _) in worlds {
            if deadline.has_passed() {
                return None;
            }
            self.add_likelihoods(game, world, other, &mut sums);
        }
        if self.histories != Histories::Several {
            return Some(sums);
        }
        let places: HashMap<G::Identity, usize> =
            worlds.iter().enumerate().map(|(at, (world, _))| (game.identity(world), at)).collect();
        let mut counts = vec![1.0; worlds.len()];
        let mut found = Vec::with_capacity(types);
        for _ in 0..HISTORIES * worlds.len() {
            if deadline.has_passed() {
                break;
            }
            let world = game.imagine(decision.view, rng);
            if let Some(&at) = places.get(&game.identity(&world)) {
                found.clear();
                self.add_likelihoods(game, &world, other, &mut found);
                sums[at * types..].iter_mut().zip(&found).for_each(|(sum, found)| *sum += found);
                counts[at] += 1.0;
            }
        }
        for (sums, count) in sums.chunks_exact_mut(types).zip(counts) {
            sums.iter_mut().for_each(|sum| *sum /= count);
        }
        Some(sums)
    }

    /// Appends for each type how likely the other seat was to choose in this stage as it did, if this world is the truth.
    fn add_likelihoods(&mut self, game: &G, world: &G::State, other: Seat, into: &mut Vec<f64>) {
        let WorldSampler { types, trust, actions, weights, .. } = self;
        let first = into.len();
        into.resize(first + types.len(), 1.0);
        game.retrace(world, |state, seat, chosen| {
            let possible = game.actions(state);
            if seat != other || possible.len() < 2 {
                return;
            }
            actions.clear();
            actions.extend(possible);
            let view = game.view(state, seat);
            let at = actions.iter().position(|&action| action == chosen);
            for (kind, likelihood) in types.iter_mut().zip(&mut into[first..]) {
                kind.policy.weigh(&Decision::new(game, seat, &view, actions), weights);
                *likelihood *= trust.likelihood(at.map_or(0.0, |at| weights[at]), actions.len());
            }
        });
    }
}

/// Draws `count` things; fewer if the deadline passes, at least one.
fn draw<T>(count: usize, deadline: Deadline<'_>, mut one: impl FnMut() -> T) -> Vec<T> {
    let mut drawn = Vec::new();
    while drawn.len() < count && (drawn.is_empty() || !deadline.has_passed()) {
        drawn.push(one());
    }
    drawn
}
