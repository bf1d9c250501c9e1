//! A learner of afterstate values: the value of an action is a sum of table entries, learnt by TD(λ) with a step size of its own for
//! each entry, from matches against itself or others.
//!
//! M. Thill, P. Koch, W. Konen, *Reinforcement learning with n-tuples on the game Connect-4*, PPSN 2012; M. Thill, S. Bagheri, P. Koch,
//! W. Konen, *Temporal difference learning with eligibility traces for the game Connect Four*, CIG 2014. It knows no game: a game that
//! offers [`Afterstates`] names the active entries.

mod inspect;
mod keys;
mod look_ahead;
mod positions;
mod saved;
mod self_play;
mod study;
mod views;

use std::io;
use std::sync::Arc;

use parlor_core::api::{AgentEntry, BuildContext, Make};
use parlor_core::files::recall::recall;
use parlor_core::{
    Afterstates, Agent, BySeat, Cancel, Context, Decision, Episode, Evaluate, Key, Keyed, KnowledgeSize,
    KnowledgeTable, Learner, Positions, Rng, Seat, SelfPlay, Settings, SpecError, TrainingRow,
};
use parlor_ml::Entries;

use crate::alphabeta::Tuning;
pub use keys::{NAME, Parts, SUMMARY, keys, keys_with_plies};
use look_ahead::{LookAhead, Searching};
pub use positions::learnt_value;
use self_play::Worker;
pub use study::Rule;
use study::{Student, Worth};
pub use views::view_values;

/// The learner.
pub struct Ntuple<G: Afterstates> {
    parts: Parts<G::Layout>,
    /// Shared with the search that looks ahead, while nothing changes.
    table: Arc<Entries>,
    /// `None` if it looks at its own actions only.
    ahead: Option<Box<dyn LookAhead<G>>>,
    /// The number of matches learnt from.
    matches: u64,
    frozen: bool,
    judge: Judge<G>,
    student: Student,
    workers: Vec<Worker<G>>,
    records: Vec<self_play::Record>,
    /// How many of each seat's steps were learnt from, in the match whose stages are coming in.
    learnt: BySeat<usize>,
}

/// Returns the learner as an agent of a game; `shipped` is the knowledge embedded in the program.
#[must_use]
pub fn entry<G: Afterstates>(make: parlor_core::api::BuildLearner<G>) -> AgentEntry<G> {
    AgentEntry { name: NAME, summary: SUMMARY, keys: keys::<G>(), make: Make::Learner(make), policy: None }
}

/// Returns the learner as an agent of a game in which it can look ahead.
#[must_use]
pub fn entry_looking_ahead<G: Positions>(make: parlor_core::api::BuildLearner<G>) -> AgentEntry<G> {
    AgentEntry { keys: keys_with_plies::<G>(), ..entry(make) }
}

/// Builds the learner from its settings. `shipped` is the knowledge embedded in the program for this game.
///
/// # Errors
/// If the layout does not fit the rules, values contradict each other, or the file cannot be used.
pub fn build<G: Afterstates>(
    context: &BuildContext<'_, G>,
    shipped: Option<&[u8]>,
) -> Result<Box<dyn Learner<G>>, SpecError> {
    Ok(Box::new(from_context(context, keys::<G>(), shipped)?.0))
}

/// Builds the learner from its settings, which say how far it looks ahead. The search is that of `alphabeta` with this tuning.
///
/// # Errors
/// As [`build`].
pub fn build_looking_ahead<G: Positions + Keyed + Evaluate>(
    context: &BuildContext<'_, G>,
    tuning: Tuning,
    shipped: Option<&[u8]>,
) -> Result<Box<dyn Learner<G>>, SpecError> {
    let (mut learner, settings) = from_context(context, keys_with_plies::<G>(), shipped)?;
    let plies = settings.whole(keys::PLIES) as u32;
    if plies > 1 {
        let weights = context.game.read_weights(G::WEIGHTS).expect("the built-in weights can be read");
        let layout = learner.parts.layout.clone();
        learner.ahead = Some(Box::new(Searching::new(plies, layout, weights, tuning)));
    }
    Ok(Box::new(learner))
}

/// Returns the learner with its settings, which are those of its file if it has one.
fn from_context<G: Afterstates>(
    context: &BuildContext<'_, G>,
    keys: &'static [Key],
    shipped: Option<&[u8]>,
) -> Result<(Ntuple<G>, Settings), SpecError> {
    let &BuildContext { game, settings, .. } = context;
    let recalled = recall(settings, NAME, keys, shipped)?;
    let mut learner = Ntuple::new(game, keys::read(game, &recalled.settings)?);
    learner.frozen = !recalled.settings.switch("learning");
    if let Some(payload) = recalled.payload {
        learner.load(&mut &payload[..]).map_err(|error| settings.unusable("file", error))?;
    }
    Ok((learner, recalled.settings))
}

/// Values the actions of a decision; a set of buffers.
pub(crate) struct Judge<G: Afterstates> {
    scratch: G::Scratch,
    /// The sums of the actions of the last decision.
    pub sums: Vec<f32>,
}

impl<G: Afterstates> Default for Judge<G> {
    fn default() -> Self {
        Judge { scratch: G::Scratch::default(), sums: Vec::new() }
    }
}

impl<G: Afterstates> Judge<G> {
    /// Returns the place of an action with the greatest sum; equal ones are drawn from.
    pub fn best(
        &mut self,
        decision: &Decision<'_, G>,
        layout: &G::Layout,
        weights: &[f32],
        rng: &mut Rng,
    ) -> usize {
        let &Decision { game, view, actions, .. } = decision;
        game.sums(layout, &mut self.scratch, weights, view, actions, &mut self.sums);
        let (mut best, mut equal) = (0, 1);
        for (at, &sum) in self.sums.iter().enumerate().skip(1) {
            if sum > self.sums[best] {
                (best, equal) = (at, 1);
            } else if sum == self.sums[best] {
                equal += 1;
            }
        }
        if equal == 1 {
            return best;
        }
        let greatest = self.sums[best];
        let mut ties = self.sums.iter().enumerate().filter(|&(_, &sum)| sum == greatest);
        ties.nth(rng.below(equal) as usize).expect("they were counted").0
    }
}

impl<G: Afterstates> Ntuple<G> {
    /// Returns a learner without knowledge.
    #[must_use]
    pub fn new(game: &G, parts: Parts<G::Layout>) -> Self {
        let table = Arc::new(Entries::new(game.entries(&parts.layout)));
        Ntuple {
            parts,
            table,
            ahead: None,
            matches: 0,
            frozen: false,
            judge: Judge::default(),
            student: Student::default(),
            workers: Vec::new(),
            records: Vec::new(),
            learnt: BySeat::default(),
        }
    }

    /// Returns the probability of an exploratory action in the match with this number.
    fn epsilon(&self, number: u64) -> f64 {
        let [from, to] = self.parts.epsilon;
        let done = (number as f64 / self.parts.anneal as f64).min(1.0);
        from + (to - from) * done
    }

    /// Makes the table its own again: a search that shares it would have to be given a copy.
    fn forget_ahead(&mut self) {
        if let Some(ahead) = &mut self.ahead {
            ahead.forget();
        }
    }

    /// Returns the afterstate of an action as the student needs it, and notes its entries.
    fn note(&mut self, game: &G, view: &G::View, action: G::Action) -> Worth {
        study::note(game, &self.parts.layout, view, action, &mut self.student.entries)
    }
}

impl<G: Afterstates> Agent<G> for Ntuple<G> {
    fn begin(&mut self, game: &G, seat: Seat) {
        if let Some(ahead) = &mut self.ahead {
            ahead.begin(game, seat);
        }
    }

    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        // While it learns, what looks best at once is what values move towards.
        if self.frozen
            && let Some(ahead) = &mut self.ahead
        {
            return ahead.act(&self.table, decision, context);
        }
        let layout = &self.parts.layout;
        if !self.frozen && decision.actions.len() > 1 {
            let epsilon = self.epsilon(self.matches);
            if epsilon > 0.0 && context.rng.unit() < epsilon {
                return decision.game.explore(layout, decision.view, decision.actions, context.rng);
            }
        }
        let best = self.judge.best(decision, layout, self.table.weights(), context.rng);
        let sums = &self.judge.sums;
        context.reporter.report_with(|| inspect::thought(decision.actions, sums, best));
        decision.actions[best]
    }
}

impl<G: Afterstates> Learner<G> for Ntuple<G> {
    fn learn(&mut self, episode: &Episode<'_, G>, rng: &mut Rng) {
        if self.frozen {
            return;
        }
        let &Episode { game, seat, .. } = episode;
        let target = game.target(&self.parts.layout, seat, &episode.result, episode.payoffs.as_ref());
        let Some(result) = target else { return };
        if episode.earlier == 0 {
            self.learnt[seat] = 0;
        }
        self.student.begin();
        for step in &episode.steps[self.learnt[seat]..] {
            if !game.is_choice(&step.view, step.action) {
                continue;
            }
            let decision = Decision::new(game, seat, &step.view, &step.actions);
            let best = self.judge.best(&decision, &self.parts.layout, self.table.weights(), rng);
            let at = step.actions.iter().position(|&action| action == step.action);
            let is_best = at.is_some_and(|at| self.judge.sums[at] >= self.judge.sums[best]);
            let chosen = self.note(game, &step.view, step.action);
            let best = if is_best { chosen } else { self.note(game, &step.view, decision.actions[best]) };
            self.student.choices.push(study::Choice { seat, chosen, best, explored: !is_best });
        }
        self.learnt[seat] = episode.steps.len();
        self.student.learn(Arc::make_mut(&mut self.table), &self.parts.rule, result);
    }

    fn match_ended(&mut self) {
        if !self.frozen {
            self.matches += 1;
        }
        self.learnt = BySeat::default();
    }

    fn self_play(&mut self, game: &G, plan: &SelfPlay, cancel: &Cancel) -> Option<Vec<TrainingRow>> {
        self.forget_ahead();
        Some(self.play_itself(game, plan, cancel))
    }

    fn freeze(&mut self, frozen: bool) {
        self.frozen = frozen;
        self.forget_ahead();
    }

    fn is_frozen(&self) -> bool {
        self.frozen
    }

    fn spec(&self) -> String {
        self.parts.spec.clone()
    }

    fn size(&self) -> KnowledgeSize {
        let bytes = (self.table.len() * Entries::bytes_each()) as u64;
        KnowledgeSize { entries: self.table.used() as u64, bytes, peak_bytes: bytes, forgotten: 0 }
    }

    fn inspect(&self, game: &G, rows: usize) -> Vec<KnowledgeTable> {
        inspect::tables(game, &self.parts, &self.table, self.matches, rows)
    }

    fn write_text(&self, game: &G, to: &mut dyn io::Write) -> io::Result<()> {
        inspect::write_all(game, &self.parts.layout, &self.table, to)
    }

    fn save(&self, to: &mut dyn io::Write) -> io::Result<()> {
        to.write_all(&saved::write(&self.parts.meaning, self.matches, &self.table.to_bytes()))
    }

    fn save_to_play(&self, to: &mut dyn io::Write) -> io::Result<()> {
        to.write_all(&saved::write(&self.parts.meaning, self.matches, &self.table.to_rounded_bytes()))
    }

    fn load(&mut self, from: &mut dyn io::Read) -> io::Result<()> {
        let (matches, table) = saved::read(&self.parts.meaning, self.table.len(), from)?;
        (self.matches, self.table) = (matches, Arc::new(table));
        self.forget_ahead();
        Ok(())
    }
}
