//! Monte-Carlo tree search for games of perfect information: UCT with backed-up proofs.
//!
//! A simulation descends the tree, choosing by the upper confidence bound at every decision (L. Kocsis, C. Szepesvári,
//! *Bandit based Monte-Carlo Planning*, 2006) and sampling at chance nodes; continues with a random playout; and backs up
//! the result. A node is expanded on its second visit. Results of finished matches are backed up as proofs.
//!
//! Payoffs are not normalised. The exploration bonus scales with the spread of the payoffs seen so far, so that games of
//! margins and games of wins share one constant.

mod keys;
mod leaf_evaluator;
mod proof;
mod report;
#[cfg(test)]
mod tests;
mod tree;
mod worker;

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use parlor_core::time::planner::Plan;
use parlor_core::{
    Agent, Budget, Cancel, Context, Decision, Meter, PerfectInfo, Pondering, Rng, Seat, Sight,
};

use crate::limits::Limits;
use crate::thought_reporter::BETWEEN_THOUGHTS;
pub use keys::{NAME, SUMMARY, build, build_with_evaluation, keys, keys_with_cuts, keys_with_evaluation};
pub use leaf_evaluator::{ByEvaluation, LeafEvaluator, NoEvaluation};
use report::{Candidate, candidates, thought};
use worker::{SimulationParams, Worker};

/// The parameters of the agent.
#[derive(Clone, Debug)]
struct Params {
    limits: Limits,
    style: SimulationParams,
    reuse: bool,
    ponder: bool,
    threads: usize,
    tree_bytes: usize,
}

/// The agent. `J` evaluates playouts that are cut.
#[derive(Debug)]
pub struct Mcts<G: PerfectInfo, J> {
    params: Params,
    evaluator: J,
    /// One per thread, each with its own tree.
    workers: Vec<Worker<G>>,
    /// The actions since the position at the trees' roots.
    actions_since_root: Vec<G::Action>,
    /// The random seed of pondering.
    ponder_seed: u64,
}

/// The parameters of a search, shared by its threads.
struct SearchTask<'a, G: PerfectInfo> {
    game: &'a G,
    state: &'a G::State,
    budget: Budget,
    cancel: Option<&'a Cancel>,
    seed: u64,
}

impl<G: PerfectInfo, J: LeafEvaluator<G>> Mcts<G, J> {
    fn new(game: &G, params: Params, evaluator: J) -> Self {
        let bytes = params.tree_bytes / params.threads;
        let workers = (0..params.threads).map(|_| Worker::new(game, bytes)).collect();
        Mcts { params, evaluator, workers, actions_since_root: Vec::new(), ponder_seed: 0 }
    }

    /// Searches on all threads. The calling thread calls `check` at intervals and stops if it returns `false`. Returns the
    /// number of simulations.
    fn search(
        &mut self,
        task: &SearchTask<'_, G>,
        mut check: impl FnMut(&Worker<G>, &Meter<'_>) -> bool,
    ) -> u64 {
        let Mcts { params, evaluator, workers, actions_since_root, .. } = self;
        let threads = params.threads as u64;
        // With a limit by count, the trees must not depend on which thread finishes first.
        let is_over = AtomicBool::new(false);
        let together = !task.budget.is_repeatable();
        let share = |number: u64| Budget {
            nodes: task.budget.nodes.map(|all| all / threads + u64::from(number < all % threads)),
            ..task.budget
        };
        let grow =
            |number: u64, worker: &mut Worker<G>, check: &mut dyn FnMut(&Worker<G>, &Meter<'_>) -> bool| {
                let mut rng = Rng::forked(task.seed, number);
                let mut meter = share(number).start(task.cancel);
                if !params.reuse {
                    worker.forget();
                }
                worker.go_to(task.game, actions_since_root, task.state, &mut rng);
                worker.run(task.game, evaluator, params.style, &mut meter, &mut rng, |worker, meter| {
                    check(worker, meter) && !(together && is_over.load(Ordering::Relaxed))
                });
                is_over.store(true, Ordering::Relaxed);
                meter.nodes()
            };
        let (first, others) = workers.split_first_mut().expect("there is at least one thread");
        let simulations = thread::scope(|scope| {
            let grow = &grow;
            let others: Vec<_> = (1..)
                .zip(others)
                .map(|(number, worker)| scope.spawn(move || grow(number, worker, &mut |_, _| true)))
                .collect();
            let own = grow(0, first, &mut check);
            others.into_iter().fold(own, |all, thread| {
                all + thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
        });
        self.actions_since_root.clear();
        simulations
    }
}

impl<G: PerfectInfo, J: LeafEvaluator<G>> Agent<G> for Mcts<G, J> {
    fn begin(&mut self, _: &G, seat: Seat) {
        self.workers.iter_mut().for_each(Worker::forget);
        self.actions_since_root.clear();
        self.ponder_seed = u64::from(seat.0);
    }

    fn watch(&mut self, _: &G, sight: Sight<G::Action>) {
        self.actions_since_root.push(sight.action);
    }

    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        if let [only] = decision.actions {
            return *only;
        }
        let (game, seat) = (decision.game, decision.seat);
        let (budget, plan) = self.params.limits.for_decision(decision, context);
        // A plan's budget counts from the start of the decision, so the clock starts before any preparation.
        let clock = Budget::default().start(None);
        let state = game.truth(decision.view);
        let task = SearchTask { game, state, budget, cancel: context.cancel, seed: context.rng.bits() };
        self.ponder_seed = context.rng.bits();
        let reporter = &mut context.reporter;
        let mut next = BETWEEN_THOUGHTS;
        let simulations = self.search(&task, |worker, meter| {
            let elapsed = meter.elapsed();
            if elapsed >= next {
                next = elapsed + BETWEEN_THOUGHTS;
                let known = candidates(game, seat, [worker].into_iter());
                reporter.report(&thought(&known, worker.line(known[0].action), meter.nodes(), elapsed));
            }
            plan.is_none_or(|plan| {
                should_continue(&plan, elapsed, || candidates(game, seat, [worker].into_iter()))
            })
        });
        let known = candidates(game, seat, self.workers.iter());
        let best = known[0].action;
        reporter.report(&thought(&known, self.workers[0].line(best), simulations, clock.elapsed()));
        best
    }

    fn ponder(&mut self, pondering: &Pondering<'_, G>) {
        if !self.params.reuse || !self.params.ponder {
            return;
        }
        let game = pondering.game;
        let task = SearchTask {
            game,
            state: game.truth(pondering.view),
            budget: Budget::default(),
            cancel: Some(pondering.cancel),
            seed: self.ponder_seed,
        };
        self.search(&task, |worker, _| worker.has_room());
    }
}

/// Returns whether a plan allows more time: until its target, and beyond it as long as the most visited action does not
/// have the best value.
fn should_continue<A>(plan: &Plan, elapsed: Duration, known: impl FnOnce() -> Vec<Candidate<A>>) -> bool {
    elapsed < plan.target || {
        let known = known();
        known[1..].iter().any(|other| other.visits > 0 && other.value() > known[0].value())
    }
}
