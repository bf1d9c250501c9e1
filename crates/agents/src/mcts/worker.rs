//! One thread's search: a tree, the position at its root, and the simulations from there.

use parlor_core::{Game, Meter, PerfectInfo, Phase, Range, Rng, Seat};

use super::leaf_evaluator::LeafEvaluator;
use super::tree::{Bounds, ROOT, Tree, Turn};

/// The parameters of a simulation.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct SimulationParams {
    /// The exploration constant, in units of the spread of the payoffs seen.
    pub(super) explore: f32,
    /// Whether to back up proofs.
    pub(super) solver: bool,
    /// The number of decisions after which a playout is evaluated; `None`: playouts go to the end.
    pub(super) cut: Option<u32>,
}

/// Simulations between two calls of the caller's check.
const CHECK_INTERVAL: u64 = 128;

/// A tree and the position at its root.
#[derive(Debug)]
pub(super) struct Worker<G: Game> {
    pub(super) tree: Tree<G::Action>,
    root: Option<G::State>,
    /// The nodes of a simulation, each with the seat that chose it.
    path: Vec<(u32, Turn)>,
    /// Indices into the path where a solved child was chosen, with its value to the first seat.
    solved_choices: Vec<(usize, f32)>,
    range: Range,
    /// The smallest and the largest payoff of the first seat in any simulation.
    seen: (f32, f32),
}

impl<G: PerfectInfo> Worker<G> {
    pub(super) fn new(game: &G, bytes: usize) -> Self {
        let range = game.range();
        let open = Bounds { low: range.low as f32, high: range.high as f32 };
        Worker {
            tree: Tree::new(bytes, open),
            root: None,
            path: Vec::new(),
            solved_choices: Vec::new(),
            range,
            seen: (f32::INFINITY, f32::NEG_INFINITY),
        }
    }

    /// Forgets the tree and the payoffs seen.
    pub(super) fn forget(&mut self) {
        self.root = None;
        self.seen = (f32::INFINITY, f32::NEG_INFINITY);
    }

    /// Makes `target` the root. Keeps its subtree if `actions_since_root` leads there from the present root.
    pub(super) fn go_to(
        &mut self,
        game: &G,
        actions_since_root: &[G::Action],
        target: &G::State,
        rng: &mut Rng,
    ) {
        let turn = Turn::of(game.phase(target));
        match self.find(game, actions_since_root, target) {
            Some(ROOT) => {}
            Some(node) => self.tree.carry_over(node),
            None => {
                // No action leads to the root, so any action can stand in its node.
                let any = game.actions(target).next().or_else(|| actions_since_root.last().copied());
                let Some(any) = any else {
                    self.root = None;
                    return;
                };
                self.tree.restart(any);
            }
        }
        self.root = Some(target.clone());
        let root = &self.tree.nodes[ROOT];
        if turn != Turn::Solved && (root.count == 0 || root.turn != Turn::Solved) {
            // Proofs below discarded nodes do not say which action proves them, so they must be repeated.
            self.tree.reopen(ROOT, turn);
            if self.tree.nodes[ROOT].count == 0 {
                let has_room = self.tree.expand(game, target, ROOT, rng);
                assert!(has_room, "the smallest tree has room for the actions of its root");
            }
        }
        self.tree.discard(ROOT);
    }

    fn find(&self, game: &G, actions_since_root: &[G::Action], target: &G::State) -> Option<usize> {
        let mut state = self.root.clone()?;
        let mut at = ROOT;
        for &action in actions_since_root {
            at = self.tree.child(at, action)?;
            game.try_apply(&mut state, action).ok()?;
        }
        (state == *target).then_some(at)
    }

    /// Simulates until the budget is exhausted, the root is solved, or `check`, called at intervals, returns `false`.
    pub(super) fn run<J: LeafEvaluator<G>>(
        &mut self,
        game: &G,
        evaluator: &J,
        style: SimulationParams,
        meter: &mut Meter<'_>,
        rng: &mut Rng,
        mut check: impl FnMut(&Self, &Meter<'_>) -> bool,
    ) {
        let Some(root) = self.root.take() else { return };
        let mut until_check = CHECK_INTERVAL;
        while self.tree.nodes[ROOT].turn != Turn::Solved && meter.tick(1) {
            self.simulate(game, evaluator, style, &root, rng);
            until_check -= 1;
            if until_check == 0 {
                until_check = CHECK_INTERVAL;
                if !check(self, meter) {
                    break;
                }
            }
        }
        self.root = Some(root);
    }

    #[inline]
    fn simulate<J: LeafEvaluator<G>>(
        &mut self,
        game: &G,
        evaluator: &J,
        style: SimulationParams,
        root: &G::State,
        rng: &mut Rng,
    ) {
        let sum = self.range.sum.unwrap_or(0.0) as f32;
        let spread = self.seen.1 - self.seen.0;
        // Before two different payoffs are seen there is no spread; the bonus then only distributes the visits.
        let explore = style.explore * if spread > 0.0 { spread } else { 1.0 };

        // Step 1. Descend the tree, expanding one node. Functions get a copy of the state: a state whose address never
        // escapes can stay in registers.
        let mut state = root.clone();
        self.path.clear();
        self.solved_choices.clear();
        let (mut at, mut chooser) = (ROOT, Turn::First);
        let known = loop {
            self.path.push((at as u32, chooser));
            let node = &self.tree.nodes[at];
            let turn = node.turn;
            if !matches!(turn, Turn::First | Turn::Second | Turn::Chance) {
                break turn == Turn::Solved;
            }
            if node.count == 0 && !self.tree.expand(game, &state.clone(), at, rng) {
                break false;
            }
            let mut child = if turn == Turn::Chance {
                let outcome = game.sample(&state.clone(), rng);
                self.tree.child(at, outcome).expect("a sampled outcome is among the listed outcomes")
            } else {
                self.tree.best_bound(at, explore)
            };
            // A solved child gives its value to the nodes above; the rest of the simulation goes where it may prove
            // something.
            if style.solver
                && turn != Turn::Chance
                && self.tree.nodes[child].turn == Turn::Solved
                && let Some(open) = self.tree.best_open(at, explore)
            {
                let value = self.tree.bounds[child].low;
                self.tree.visit(child, turn, value, sum - value);
                self.solved_choices.push((self.path.len() - 1, value));
                child = open;
            }
            game.apply(&mut state, self.tree.nodes[child].action);
            (at, chooser) = (child, turn);
        };

        // Step 2. Play out, unless the value is known.
        let mut has_new_proof = false;
        let value = if known {
            self.tree.bounds[at].low
        } else {
            let phase = game.phase(&state);
            self.tree.nodes[at].turn = Turn::of(phase);
            let value = self.play_out(game, evaluator, style.cut, &state.clone(), rng);
            if phase == Phase::Over {
                self.tree.mark_solved(at, value);
                has_new_proof = style.solver;
            }
            value
        };

        // Step 3. Back up the result.
        self.seen = (self.seen.0.min(value), self.seen.1.max(value));
        let mut value = value;
        for (place, &(at, chooser)) in self.path.iter().enumerate().rev() {
            if self.solved_choices.last().is_some_and(|solved_choices| solved_choices.0 == place) {
                value = self.solved_choices.pop().map_or(value, |solved_choices| solved_choices.1);
            }
            self.tree.visit(at as usize, chooser, value, sum - value);
        }
        if has_new_proof {
            self.tree.back_up_bounds(&self.path, sum);
        }
    }

    /// Plays at random. Returns the first seat's payoff, or its evaluation if the playout was cut.
    #[inline]
    fn play_out<J: LeafEvaluator<G>>(
        &self,
        game: &G,
        evaluator: &J,
        cut: Option<u32>,
        leaf: &G::State,
        rng: &mut Rng,
    ) -> f32 {
        let mut state = leaf.clone();
        let mut left = cut.unwrap_or(u32::MAX);
        loop {
            let action = match game.phase(&state) {
                Phase::Over => return game.payoffs(&state.clone()).of(Seat::FIRST) as f32,
                Phase::Chance => game.sample(&state, rng),
                Phase::Decide(seat) if left == 0 => {
                    let for_mover = evaluator.evaluate_leaf(game, &state.clone());
                    let for_first = if seat == Seat::FIRST { for_mover } else { -for_mover };
                    let (low, high) = (self.range.low as f32, self.range.high as f32);
                    return (low + high) / 2.0 + (high - low) / 2.0 * for_first;
                }
                Phase::Decide(_) => {
                    left -= 1;
                    game.pick(&state, rng)
                }
            };
            game.apply(&mut state, action);
        }
    }

    /// Returns whether the tree can still grow.
    pub(super) fn has_room(&self) -> bool {
        !self.tree.is_full()
    }
}
