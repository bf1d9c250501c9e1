//! Monte-Carlo tree search for open games: UCT with proofs.
//!
//! A simulation goes down the tree to where it ends, choosing by the upper confidence bound at every decision (L. Kocsis,
//! C. Szepesvári, *Bandit based Monte-Carlo Planning*, 2006) and drawing at every chance; plays on at random; and brings the
//! result back up. A node gets its children when it is met for the second time. Results of finished matches are carried up
//! as proofs.
//!
//! Payoffs stay as the game counts them: the bonus for what was tried seldom is weighed by the spread of those seen, so that
//! a game of margins and a game of wins can share one constant.

mod judge;
mod keys;
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
pub use judge::{ByEvaluation, Judge, NoJudge};
pub use keys::{NAME, SUMMARY, build, build_with_evaluation, keys, keys_with_cuts, keys_with_evaluation};
use report::{Candidate, candidates, thought};
use worker::{Style, Worker};

/// What a spec settles.
#[derive(Clone, Debug)]
struct Params {
    limits: Limits,
    style: Style,
    reuse: bool,
    ponder: bool,
    threads: usize,
    tree_bytes: usize,
}

/// The agent. `J` judges playouts that are cut.
#[derive(Debug)]
pub struct Mcts<G: PerfectInfo, J> {
    params: Params,
    judge: J,
    /// One for each thread, with a tree of its own.
    workers: Vec<Worker<G>>,
    /// What was seen since the trees' roots.
    happened: Vec<G::Action>,
    /// Where thinking on the other seat's time takes its randomness from.
    aside: u64,
}

/// What every thread of a search is told.
struct Task<'a, G: PerfectInfo> {
    game: &'a G,
    state: &'a G::State,
    budget: Budget,
    cancel: Option<&'a Cancel>,
    seed: u64,
}

impl<G: PerfectInfo, J: Judge<G>> Mcts<G, J> {
    fn new(game: &G, params: Params, judge: J) -> Self {
        let bytes = params.tree_bytes / params.threads;
        let workers = (0..params.threads).map(|_| Worker::new(game, bytes)).collect();
        Mcts { params, judge, workers, happened: Vec::new(), aside: 0 }
    }

    /// Searches on all threads; `look` is called by this one now and then, and ends the search by returning `false`. Returns
    /// how many simulations there were.
    fn search(&mut self, task: &Task<'_, G>, mut look: impl FnMut(&Worker<G>, &Meter<'_>) -> bool) -> u64 {
        let Mcts { params, judge, workers, happened, .. } = self;
        let threads = params.threads as u64;
        // Trees that are limited by a count must not depend on which thread is done first.
        let is_over = AtomicBool::new(false);
        let together = !task.budget.is_repeatable();
        let share = |number: u64| Budget {
            nodes: task.budget.nodes.map(|all| all / threads + u64::from(number < all % threads)),
            ..task.budget
        };
        let grow =
            |number: u64, worker: &mut Worker<G>, look: &mut dyn FnMut(&Worker<G>, &Meter<'_>) -> bool| {
                let mut rng = Rng::forked(task.seed, number);
                let mut meter = share(number).start(task.cancel);
                if !params.reuse {
                    worker.forget();
                }
                worker.go_to(task.game, happened, task.state, &mut rng);
                worker.run(task.game, judge, params.style, &mut meter, &mut rng, |worker, meter| {
                    look(worker, meter) && !(together && is_over.load(Ordering::Relaxed))
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
            let own = grow(0, first, &mut look);
            others.into_iter().fold(own, |all, thread| {
                all + thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
        });
        self.happened.clear();
        simulations
    }
}

impl<G: PerfectInfo, J: Judge<G>> Agent<G> for Mcts<G, J> {
    fn begin(&mut self, _: &G, seat: Seat) {
        self.workers.iter_mut().for_each(Worker::forget);
        self.happened.clear();
        self.aside = u64::from(seat.0);
    }

    fn watch(&mut self, _: &G, sight: Sight<G::Action>) {
        self.happened.push(sight.action);
    }

    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        if let [only] = decision.actions {
            return *only;
        }
        let (game, seat) = (decision.game, decision.seat);
        let (budget, plan) = self.params.limits.for_decision(decision, context);
        // A plan's budget counts from the question, so the time runs before anything is prepared.
        let clock = Budget::default().start(None);
        let state = game.truth(decision.view);
        let task = Task { game, state, budget, cancel: context.cancel, seed: context.rng.bits() };
        self.aside = context.rng.bits();
        let reporter = &mut context.reporter;
        let mut next = BETWEEN_THOUGHTS;
        let simulations = self.search(&task, |worker, meter| {
            let elapsed = meter.elapsed();
            if elapsed >= next {
                next = elapsed + BETWEEN_THOUGHTS;
                let known = candidates(game, seat, [worker].into_iter());
                reporter.report(&thought(&known, worker.line(known[0].action), meter.nodes(), elapsed));
            }
            plan.is_none_or(|plan| goes_on(&plan, elapsed, || candidates(game, seat, [worker].into_iter())))
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
        let task = Task {
            game,
            state: game.truth(pondering.view),
            budget: Budget::default(),
            cancel: Some(pondering.cancel),
            seed: self.aside,
        };
        self.search(&task, |worker, _| worker.has_room());
    }
}

/// Returns whether to go on by a plan: until its target, and beyond as long as the most visited action is not the best one.
fn goes_on<A>(plan: &Plan, elapsed: Duration, known: impl FnOnce() -> Vec<Candidate<A>>) -> bool {
    elapsed < plan.target || {
        let known = known();
        known[1..].iter().any(|other| other.visits > 0 && other.value() > known[0].value())
    }
}
