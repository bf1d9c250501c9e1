//! Matches of the learner against itself: batches are played with the same weights, on several threads, and then learnt from in order.

use std::ops::ControlFlow;
use std::sync::Arc;

use parlor_core::parallel::in_order;
use parlor_core::{
    Afterstates, BySeat, Cancel, Decision, Phase, Rng, Seat, SelfPlay, StageResult, TrainingRow,
};

use super::study::{self, Choice};
use super::{Judge, Ntuple, Parts};

/// How many matches a thread plays at a time.
const CHUNK: usize = 8;

/// What is needed to learn from a match.
#[derive(Default)]
pub(super) struct Record {
    /// The active entries of all choices.
    entries: Vec<u32>,
    /// The choices of each chain that is still open; the first chain is that of both seats where they alternate.
    open: BySeat<Vec<Choice>>,
    /// The choices of the chains that have ended, one after the other.
    choices: Vec<Choice>,
    /// Where each chain ends, and with which result for the seat that chose last.
    ends: Vec<(usize, f32)>,
    /// How the match came out.
    row: TrainingRow,
}

impl Record {
    fn clear(&mut self) {
        self.entries.clear();
        self.open.0.iter_mut().for_each(Vec::clear);
        self.choices.clear();
        self.ends.clear();
        self.row = TrainingRow::default();
    }

    /// Ends a chain.
    fn close(&mut self, chain: Seat, result: f32) {
        if !self.open[chain].is_empty() {
            self.choices.append(&mut self.open[chain]);
            self.ends.push((self.choices.len(), result));
        }
    }
}

/// A thread's buffers.
pub(super) struct Worker<G: Afterstates> {
    judge: Judge<G>,
    actions: Vec<G::Action>,
}

impl<G: Afterstates> Default for Worker<G> {
    fn default() -> Self {
        Worker { judge: Judge::default(), actions: Vec::new() }
    }
}

impl<G: Afterstates> Worker<G> {
    /// Plays a match in which all seats explore with this probability.
    fn play(
        &mut self,
        game: &G,
        layout: &G::Layout,
        weights: &[f32],
        epsilon: f64,
        rng: &mut Rng,
        record: &mut Record,
    ) {
        record.clear();
        let alternates = game.alternates();
        let mut state = game.opening(layout, rng);
        (record.row.stages, record.row.scores) = (game.stages(&state), game.scores(&state));
        loop {
            match game.phase(&state) {
                Phase::Over => break,
                Phase::Chance => {
                    let action = game.sample(&state, rng);
                    game.apply(&mut state, action);
                }
                Phase::Decide(seat) => {
                    self.actions.clear();
                    self.actions.extend(game.actions(&state));
                    let view = game.view(&state, seat);
                    let decision = Decision::new(game, seat, &view, &self.actions);
                    let chain = if alternates { Seat::FIRST } else { seat };
                    let action =
                        choose(&mut self.judge, &decision, (layout, weights, epsilon), chain, rng, record);
                    game.apply(&mut state, action);
                }
            }
            if game.stages(&state) != record.row.stages {
                end_stage(game, layout, &state, alternates, record);
            }
        }
        record.row.payoffs = game.payoffs(&state).0;
    }
}

/// Chooses an action and notes it in the seat's chain.
fn choose<G: Afterstates>(
    judge: &mut Judge<G>,
    decision: &Decision<'_, G>,
    (layout, weights, epsilon): (&G::Layout, &[f32], f64),
    chain: Seat,
    rng: &mut Rng,
    record: &mut Record,
) -> G::Action {
    let &Decision { game, seat, view, actions } = decision;
    if let [only] = actions
        && !game.is_choice(view, *only)
    {
        return *only;
    }
    let best = actions[judge.best(decision, layout, weights, rng)];
    let tries = epsilon > 0.0 && actions.len() > 1 && rng.unit() < epsilon;
    let chosen = if tries { game.explore(layout, view, actions, rng) } else { best };
    if game.is_choice(view, chosen) {
        let entries = &mut record.entries;
        let worth = study::note(game, layout, view, chosen, entries);
        let explored = chosen != best;
        let best = if explored { study::note(game, layout, view, best, entries) } else { worth };
        record.open[chain].push(Choice { seat, chosen: worth, best, explored });
    }
    chosen
}

/// Notes the end of a stage, and ends the chains to which it means something.
fn end_stage<G: Afterstates>(
    game: &G,
    layout: &G::Layout,
    state: &G::State,
    alternates: bool,
    record: &mut Record,
) {
    let scores = game.scores(state);
    let before = record.row.scores;
    let points = BySeat::from_fn(|seat| scores[seat] - before[seat]);
    let winner = game.stage_winner(state);
    if let Some(winner) = winner {
        record.row.stages_won[winner] += 1;
    }
    (record.row.stages, record.row.scores) = (game.stages(state), scores);
    let payoffs = (game.phase(state) == Phase::Over).then(|| game.payoffs(state));
    let result = StageResult { winner, points, scores };
    let chains = if alternates { 1 } else { game.seats() };
    for chain in Seat::all(chains) {
        let Some(last) = record.open[chain].last() else { continue };
        if let Some(target) = game.target(layout, last.seat, &result, payoffs.as_ref()) {
            record.close(chain, target);
        }
    }
}

impl<G: Afterstates> Ntuple<G> {
    /// Plays matches against itself and learns from them, batch by batch. A set `cancel` ends it after a whole batch.
    pub(super) fn play_itself(&mut self, game: &G, plan: &SelfPlay, cancel: &Cancel) -> Vec<TrainingRow> {
        let mut rows = Vec::new();
        let mut left = plan.matches;
        while left > 0 && !cancel.is_cancelled() {
            let size = left.min(self.parts.batch);
            self.play_batch(game, plan, plan.first + plan.matches - left, size as usize);
            for record in &self.records[..size as usize] {
                let mut from = 0;
                for &(to, result) in &record.ends {
                    let choices = &record.choices[from..to];
                    self.student.learn_chain(
                        Arc::make_mut(&mut self.table),
                        &self.parts.rule,
                        &record.entries,
                        choices,
                        result,
                    );
                    from = to;
                }
                rows.push(record.row);
            }
            if !self.frozen {
                self.matches += size;
            }
            left -= size;
        }
        rows
    }

    /// Plays the matches of a batch with the present weights.
    fn play_batch(&mut self, game: &G, plan: &SelfPlay, first: u64, size: usize) {
        let epsilon = self.epsilon(self.matches);
        let Ntuple { parts, table, workers, records, .. } = self;
        let Parts { layout, .. } = parts;
        workers.resize_with(plan.threads.max(1), Worker::default);
        if records.len() < size {
            records.resize_with(size, Record::default);
        }
        let jobs = records[..size].chunks_mut(CHUNK).zip((first..).step_by(CHUNK));
        let work = |worker: &mut Worker<G>, (chunk, number): (&mut [Record], u64)| {
            for (record, number) in chunk.iter_mut().zip(number..) {
                let mut rng = Rng::forked(plan.seed, number);
                worker.play(game, layout, table.weights(), epsilon, &mut rng, record);
            }
            Some(())
        };
        // A batch is never left unfinished, so that equal plans give equal weights.
        *workers =
            in_order(std::mem::take(workers), jobs, &Cancel::new(), work, |()| ControlFlow::Continue(()));
    }
}
