//! The collective learner: a matrix of weights for the transitions from what a seat knows to what its action leads to.
//!
//! After "Dominating Dominoes". It chooses the respondent with the greatest weight and, when a stage is over, changes the
//! weight of every transition in it. It knows no game: a game that offers [`Stimulus`] codes its views.

mod inspect;
mod keys;
pub mod matrix;
pub mod policies;
mod saved;

use std::io;

use parlor_core::api::BuildContext;
use parlor_core::files::recall::recall;
use parlor_core::{
    Agent, BySeat, Context, Decision, Episode, KnowledgeSize, KnowledgeTable, Learner, Policy, Rng,
    SpecError, Stimulus,
};

pub use keys::{NAME, SUMMARY, keys};
use matrix::{Matrix, Pair};
use policies::{Judged, Policies, Selection, Weighed};

/// The checked parts of a learner.
#[derive(Clone, Debug)]
pub struct Parts<C> {
    /// The encoding of views.
    pub codec: C,
    /// The meaning of the codes: knowledge is usable where this is equal.
    pub meaning: String,
    /// How it learns and chooses.
    pub policies: Policies,
    /// The weight of a new transition.
    pub initial: i64,
    /// The maximum size of the matrix in bytes.
    pub budget: Option<u64>,
    /// The full form.
    pub spec: String,
}

/// The learner; `K` holds a stimulant and a respondent of the game's codec.
pub struct Collective<G: Stimulus, K> {
    parts: Parts<G::Codec>,
    matrix: Matrix<K>,
    /// The number of matches learnt from.
    matches: u64,
    frozen: bool,
    /// The weights of the current actions; a buffer, so that deciding allocates nothing.
    weights: Vec<i64>,
}

/// Builds a learner from checked settings, with the narrowest matrix that holds the codec's states. `shipped` is the
/// knowledge embedded in the program for this game.
///
/// # Errors
/// If the codec does not fit the rules, the values contradict each other, or the file cannot be used.
pub fn build<G: Stimulus>(
    context: &BuildContext<'_, G>,
    shipped: Option<&[u8]>,
) -> Result<Box<dyn Learner<G>>, SpecError> {
    Ok(made(context, shipped)?)
}

/// Builds the policy that a learner plays with its present knowledge, including its random actions while learning.
///
/// # Errors
/// As [`build`].
pub fn build_policy<G: Stimulus>(
    context: &BuildContext<'_, G>,
    shipped: Option<&[u8]>,
) -> Result<Box<dyn Policy<G>>, SpecError> {
    Ok(made(context, shipped)?)
}

/// A learner with all its abilities.
trait Whole<G: Stimulus>: Learner<G> + Policy<G> {}

impl<G: Stimulus, K: Pair> Whole<G> for Collective<G, K> {}

fn made<G: Stimulus>(
    context: &BuildContext<'_, G>,
    shipped: Option<&[u8]>,
) -> Result<Box<dyn Whole<G>>, SpecError> {
    let &BuildContext { game, settings, .. } = context;
    let recalled = recall(settings, NAME, keys::<G>(), shipped)?;
    let parts = keys::read(game, &recalled.settings)?;
    let mut learner: Box<dyn Whole<G>> = match game.width(parts.codec) {
        0..=32 => Box::new(Collective::<G, u64>::new(parts)),
        33..=64 => Box::new(Collective::<G, u128>::new(parts)),
        _ => Box::new(Collective::<G, [u128; 2]>::new(parts)),
    };
    learner.freeze(!recalled.settings.switch("learning"));
    if let Some(payload) = recalled.payload {
        learner.load(&mut &payload[..]).map_err(|error| settings.unusable("file", error))?;
    }
    Ok(learner)
}

impl<G: Stimulus, K: Pair> Collective<G, K> {
    /// Returns a learner without knowledge.
    #[must_use]
    pub fn new(parts: Parts<G::Codec>) -> Self {
        let matrix = Matrix::new(parts.budget);
        Collective { parts, matrix, matches: 0, frozen: false, weights: Vec::new() }
    }

    /// Returns the stimulant of a transition; the same for all views if only respondents have weights.
    #[inline]
    fn stimulant(&self, game: &G, view: &G::View) -> u128 {
        match self.parts.policies.weighed {
            Weighed::Transition => game.stimulant(self.parts.codec, view),
            Weighed::Respondent => 0,
        }
    }

    #[inline]
    fn weight(&self, pair: K) -> i64 {
        self.matrix.get(pair).map_or(self.parts.initial, |transition| transition.weight)
    }

    /// Looks up the weight of every action and returns the greatest.
    fn look_up(&mut self, decision: &Decision<'_, G>) -> i64 {
        let (game, codec) = (decision.game, self.parts.codec);
        let from = self.stimulant(game, decision.view);
        let mut weights = std::mem::take(&mut self.weights);
        weights.clear();
        weights.extend(decision.actions.iter().map(|&action| {
            let to = game.respondent(codec, decision.view, action);
            self.weight(K::pack(from, to))
        }));
        self.weights = weights;
        self.weights.iter().copied().max().unwrap_or(self.parts.initial)
    }

    /// Returns the index of an action with the greatest weight.
    fn greatest(&mut self, decision: &Decision<'_, G>, rng: &mut Rng) -> usize {
        let best = self.look_up(decision);
        let weights = self.weights.iter().enumerate();
        let mut ties = weights.filter(|&(_, &weight)| weight == best).map(|(at, _)| at);
        let count = ties.clone().count() as u32;
        let chosen = ties.nth(if count > 1 { rng.below(count) as usize } else { 0 });
        chosen.expect("a decision offers at least one action")
    }

    /// Returns the probability of a random action.
    fn tries(&self) -> f64 {
        match self.parts.policies.selection {
            Selection::Random => 1.0,
            Selection::Greatest if self.frozen => 0.0,
            Selection::Greatest => self.parts.policies.explore,
        }
    }
}

impl<G: Stimulus, K: Pair> Agent<G> for Collective<G, K> {
    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        if let [only] = decision.actions {
            return *only;
        }
        let policies = &self.parts.policies;
        let tries = !self.frozen && policies.explore > 0.0 && context.rng.unit() < policies.explore;
        if tries || policies.selection == Selection::Random {
            return *context.rng.choose(decision.actions);
        }
        decision.actions[self.greatest(decision, context.rng)]
    }
}

impl<G: Stimulus, K: Pair> Policy<G> for Collective<G, K> {
    fn weigh(&mut self, decision: &Decision<'_, G>, weights: &mut Vec<f64>) {
        let best = self.look_up(decision);
        let ties = self.weights.iter().filter(|&&weight| weight == best).count() as f64;
        let tries = self.tries();
        let by_chance = tries / decision.actions.len() as f64;
        let by_weight = (1.0 - tries) / ties;
        let odds = |&weight| by_chance + if weight == best { by_weight } else { 0.0 };
        weights.clear();
        weights.extend(self.weights.iter().map(odds));
    }
}

impl<G: Stimulus, K: Pair> Learner<G> for Collective<G, K> {
    fn learn(&mut self, episode: &Episode<'_, G>, _: &mut Rng) {
        if self.frozen {
            return;
        }
        let steps = match self.parts.policies.judged {
            Judged::Match => episode.steps,
            Judged::Stage | Judged::Points | Judged::Rest => episode.stage(),
        };
        let Parts { policies, codec, initial, .. } = self.parts;
        let game = episode.game;
        // The same for every step, unless the scores before the step are subtracted.
        let mut change = policies.change(episode, BySeat::default(), self.matches);
        for step in steps.iter().filter(|step| game.is_transition(step.action)) {
            if policies.judged == Judged::Rest {
                change = policies.change(episode, game.points_so_far(&step.view), self.matches);
            }
            let Some(change) = change else { continue };
            let from = self.stimulant(game, &step.view);
            let to = game.respondent(codec, &step.view, step.action);
            let transition = self.matrix.update(K::pack(from, to), initial);
            policies.apply(transition, change);
        }
    }

    fn match_ended(&mut self) {
        if !self.frozen {
            self.matches += 1;
        }
    }

    fn freeze(&mut self, frozen: bool) {
        self.frozen = frozen;
    }

    fn is_frozen(&self) -> bool {
        self.frozen
    }

    fn spec(&self) -> String {
        self.parts.spec.clone()
    }

    fn size(&self) -> KnowledgeSize {
        KnowledgeSize {
            entries: self.matrix.len() as u64,
            bytes: self.matrix.bytes() as u64,
            peak_bytes: self.matrix.peak_bytes() as u64,
            forgotten: self.matrix.forgotten(),
        }
    }

    fn inspect(&self, game: &G, rows: usize) -> Vec<KnowledgeTable> {
        inspect::tables(game, &self.parts, &self.matrix.states(), rows)
    }

    fn write_text(&self, game: &G, to: &mut dyn io::Write) -> io::Result<()> {
        inspect::write_all(game, &self.parts, &self.matrix.states(), to)
    }

    fn save(&self, to: &mut dyn io::Write) -> io::Result<()> {
        saved::write(&self.matrix, &self.parts.meaning, self.matches, to)
    }

    fn load(&mut self, from: &mut dyn io::Read) -> io::Result<()> {
        self.matches = saved::read(&mut self.matrix, &self.parts.meaning, from)?;
        Ok(())
    }
}
