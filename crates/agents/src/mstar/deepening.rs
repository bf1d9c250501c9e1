//! Looking deeper and deeper into every world at once, until the end of the stage or of the budget.

use std::time::Duration;

use parlor_core::{Budget, Cancel, Certainty, Game, Meter, Reporter, Rng, Thought};

use super::model_stack::{Look, ModelStack};
use crate::openhand::{Chance, Draws};
use crate::worlds_question::Question;

/// With fewer worlds than this, and draws in a fixed order, each is looked at with several orders.
const ORDERS: usize = 20;

/// A question, and how it is to be answered.
pub(super) struct Task<'a, G: Game> {
    pub question: Question<'a, G>,
    /// How likely each type of the model is in each world, a row a world; empty if the model has no types.
    pub types: &'a [f64],
    /// What is done where chance decides.
    pub chance: Chance,
    /// What values count.
    pub unit: &'static str,
    pub cancel: Option<&'a Cancel>,
    /// After this time no deeper search is begun: it would hardly be finished.
    pub enough: Option<Duration>,
}

/// What has been found out about a world.
struct Row {
    world: usize,
    weight: f64,
    draws: Draws,
    /// Whether it has been looked at at all.
    known: bool,
    /// Whether the search has seen the end of the stage everywhere.
    solved: bool,
}

/// A stack of players, and what it has found.
pub(super) struct Deepening<G: Game> {
    model_stack: ModelStack<G>,
    rows: Vec<Row>,
    /// What each action is worth, row by row.
    values: Vec<f64>,
    /// The same of the row that is being looked at.
    fresh: Vec<f64>,
    /// What each action is worth on average.
    found: Vec<f64>,
}

impl<G: Game> Deepening<G> {
    pub fn new(model_stack: ModelStack<G>) -> Self {
        let (values, fresh, found) = (Vec::new(), Vec::new(), Vec::new());
        Deepening { model_stack, rows: Vec::new(), values, fresh, found }
    }

    /// Returns the action with the greatest mean value over the worlds; of equal ones the first. Worlds that were looked at
    /// speak for all; without any, the action that scores most at once is taken.
    pub fn answer(
        &mut self,
        task: &Task<'_, G>,
        budget: Budget,
        rng: &mut Rng,
        reporter: &mut Reporter<'_, G::Action>,
    ) -> G::Action {
        let question = &task.question;
        let actions = question.actions;
        if let &[only] = actions {
            return only;
        }
        let mut meter = budget.start(task.cancel);
        self.found.clear();
        self.found.extend(actions.iter().map(|&action| scored_at_once(question, action)));
        let mut depth = 1;
        match task.chance {
            Chance::Weighed => self.prepare(question, None),
            Chance::Auto if question.is_complete => {
                self.prepare(question, None);
                let mut trial = Chance::trial(budget).start(task.cancel);
                let done = meter.allows_depth(1) && self.deepen(task, 1, &mut trial, rng);
                if done && meter.tick(trial.nodes()) {
                    reporter.report(&self.thought(task, 1, &meter));
                    depth = 2;
                } else {
                    meter.tick(trial.nodes());
                    self.prepare(question, Some(rng));
                }
            }
            Chance::Auto | Chance::Fixed => self.prepare(question, Some(rng)),
        }
        while !self.rows.iter().all(|row| row.solved) && meter.allows_depth(depth) {
            if task.enough.is_some_and(|enough| depth > 1 && meter.elapsed() >= enough) {
                break;
            }
            if !self.deepen(task, depth, &mut meter, rng) {
                reporter.report(&self.thought(task, depth - 1, &meter));
                break;
            }
            reporter.report(&self.thought(task, depth, &meter));
            depth += 1;
        }
        actions[best(&self.found)]
    }

    /// Forgets what was found out. With a stream, each world's draws have an order that comes from it.
    fn prepare(&mut self, question: &Question<'_, G>, mut orders: Option<&mut Rng>) {
        let copies = if orders.is_some() { ORDERS.div_ceil(question.worlds.len().max(1)) } else { 1 };
        self.rows.clear();
        for (world, &(_, weight)) in question.worlds.iter().enumerate() {
            for _ in 0..copies {
                let draws = orders.as_mut().map_or(Draws::Weighed, |rng| Draws::Fixed(rng.bits()));
                let weight = weight / copies as f64;
                self.rows.push(Row { world, weight, draws, known: false, solved: false });
            }
        }
        self.values.clear();
        self.values.resize(self.rows.len() * question.actions.len(), 0.0);
    }

    /// Looks at every world that is not solved, and takes the means of what is known then. Returns `false` if the meter said no.
    fn deepen(&mut self, task: &Task<'_, G>, depth: u32, meter: &mut Meter<'_>, rng: &mut Rng) -> bool {
        let &Question { game, seat, actions, worlds, .. } = &task.question;
        let types = task.types.len() / worlds.len().max(1);
        let mut done = true;
        let values = self.values.chunks_exact_mut(actions.len());
        for (row, values) in self.rows.iter_mut().zip(values).filter(|(row, _)| !row.solved) {
            let (world, _) = &worlds[row.world];
            self.model_stack.set_types(&task.types[row.world * types..][..types]);
            let stages = game.stages(world);
            let mut look =
                Look { game, seat, meter: &mut *meter, rng: &mut *rng, stages, draws: row.draws, cut: false };
            self.fresh.clear();
            self.fresh.resize(actions.len(), 0.0);
            if !self.model_stack.weigh(&mut look, world, actions, depth, 1.0, &mut self.fresh) {
                done = false;
                break;
            }
            row.solved = !look.cut;
            row.known = true;
            values.copy_from_slice(&self.fresh);
        }
        let total: f64 = self.rows.iter().filter(|row| row.known).map(|row| row.weight).sum();
        if total > 0.0 {
            self.found.fill(0.0);
            let values = self.values.chunks_exact(actions.len());
            for (row, values) in self.rows.iter().zip(values).filter(|(row, _)| row.known) {
                let means = self.found.iter_mut().zip(values);
                means.for_each(|(mean, value)| *mean += row.weight / total * value);
            }
        }
        done
    }

    fn thought(&self, task: &Task<'_, G>, depth: u32, meter: &Meter<'_>) -> Thought<G::Action> {
        let values = self.found.iter().copied();
        task.question.thought(values, 0.0, Certainty::Guess, task.unit, depth, meter)
    }
}

/// Returns by how much an action puts the seat ahead before anything else happens.
fn scored_at_once<G: Game>(question: &Question<'_, G>, action: G::Action) -> f64 {
    let &Question { game, seat, worlds, .. } = question;
    let Some((world, _)) = worlds.first() else { return 0.0 };
    let lead = |state: &G::State| {
        let scores = game.scores(state);
        scores[seat] - scores[seat.other()]
    };
    let mut after = world.clone();
    game.apply(&mut after, action);
    lead(&after) - lead(world)
}

/// Returns the place of the greatest value, the first of equal ones.
fn best(values: &[f64]) -> usize {
    (1..values.len()).fold(0, |best, at| if values[at] > values[best] { at } else { best })
}
