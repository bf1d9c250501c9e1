//! One thread's search: a tree, the position at its root, and simulations from there.

use parlor_core::{Game, Meter, PerfectInfo, Phase, Range, Rng, Seat};

use super::judge::Judge;
use super::tree::{Bounds, ROOT, Tree, Turn};

/// How simulations go.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct Style {
    /// The weight of the bonus for what was tried seldom, in spreads of the payoffs seen.
    pub(super) explore: f32,
    /// Whether proofs are carried up.
    pub(super) solver: bool,
    /// After how many decisions a playout is judged; `None`: when the match is over.
    pub(super) cut: Option<u32>,
}

/// Simulations between two looks at whatever else is to be looked at.
const BETWEEN_LOOKS: u64 = 128;

/// A tree and the position at its root.
#[derive(Debug)]
pub(super) struct Worker<G: Game> {
    pub(super) tree: Tree<G::Action>,
    root: Option<G::State>,
    /// The nodes of a simulation and who chose each.
    path: Vec<(u32, Turn)>,
    /// The places of the path where something settled was chosen, and its value to the first seat.
    sure: Vec<(usize, f32)>,
    range: Range,
    /// The smallest and the largest value that simulations have given the first seat.
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
            sure: Vec::new(),
            range,
            seen: (f32::INFINITY, f32::NEG_INFINITY),
        }
    }

    /// Forgets everything.
    pub(super) fn forget(&mut self) {
        self.root = None;
        self.seen = (f32::INFINITY, f32::NEG_INFINITY);
    }

    /// Makes `target` the root. If `happened` leads there from the root that was, what is known about it is kept.
    pub(super) fn go_to(&mut self, game: &G, happened: &[G::Action], target: &G::State, rng: &mut Rng) {
        let turn = Turn::of(game.phase(target));
        match self.find(game, happened, target) {
            Some(ROOT) => {}
            Some(node) => self.tree.carry_over(node),
            None => {
                // Nothing leads to a root, so any action will do there.
                let any = game.actions(target).next().or_else(|| happened.last().copied());
                let Some(any) = any else {
                    self.root = None;
                    return;
                };
                self.tree.restart(any);
            }
        }
        self.root = Some(target.clone());
        let root = &self.tree.nodes[ROOT];
        if turn != Turn::Settled && (root.count == 0 || root.turn != Turn::Settled) {
            // What was proven below nodes that were thrown away has to be proven once more: it did not say by which action.
            self.tree.reopen(ROOT, turn);
            if self.tree.nodes[ROOT].count == 0 {
                let has_room = self.tree.expand(game, target, ROOT, rng);
                assert!(has_room, "the smallest tree has room for the actions of its root");
            }
        }
        self.tree.discard(ROOT);
    }

    fn find(&self, game: &G, happened: &[G::Action], target: &G::State) -> Option<usize> {
        let mut state = self.root.clone()?;
        let mut at = ROOT;
        for &action in happened {
            at = self.tree.child(at, action)?;
            game.try_apply(&mut state, action).ok()?;
        }
        (state == *target).then_some(at)
    }

    /// Simulates until the meter says no, everything is proven, or `look`, called now and then, returns `false`.
    pub(super) fn run<J: Judge<G>>(
        &mut self,
        game: &G,
        judge: &J,
        style: Style,
        meter: &mut Meter<'_>,
        rng: &mut Rng,
        mut look: impl FnMut(&Self, &Meter<'_>) -> bool,
    ) {
        let Some(root) = self.root.take() else { return };
        let mut until_look = BETWEEN_LOOKS;
        while self.tree.nodes[ROOT].turn != Turn::Settled && meter.tick(1) {
            self.simulate(game, judge, style, &root, rng);
            until_look -= 1;
            if until_look == 0 {
                until_look = BETWEEN_LOOKS;
                if !look(self, meter) {
                    break;
                }
            }
        }
        self.root = Some(root);
    }

    #[inline]
    fn simulate<J: Judge<G>>(&mut self, game: &G, judge: &J, style: Style, root: &G::State, rng: &mut Rng) {
        let sum = self.range.sum.unwrap_or(0.0) as f32;
        let spread = self.seen.1 - self.seen.0;
        // Before two different payoffs were seen there is nothing to weigh; the bonus only spreads the visits.
        let explore = style.explore * if spread > 0.0 { spread } else { 1.0 };

        // Step 1. Down the tree, which grows by one node's children. Whatever is called from here gets a copy of the state: one
        // whose address nobody else has can stay in registers.
        let mut state = root.clone();
        self.path.clear();
        self.sure.clear();
        let (mut at, mut chooser) = (ROOT, Turn::First);
        let known = loop {
            self.path.push((at as u32, chooser));
            let node = &self.tree.nodes[at];
            let turn = node.turn;
            if !matches!(turn, Turn::First | Turn::Second | Turn::Chance) {
                break turn == Turn::Settled;
            }
            if node.count == 0 && !self.tree.expand(game, &state.clone(), at, rng) {
                break false;
            }
            let mut child = if turn == Turn::Chance {
                let outcome = game.sample(&state.clone(), rng);
                self.tree.child(at, outcome).expect("what chance does is among the chances")
            } else {
                self.tree.best_bound(at, explore)
            };
            // What is settled gives its value to the nodes above. The rest of the simulation is spent where it may prove something.
            if style.solver
                && turn != Turn::Chance
                && self.tree.nodes[child].turn == Turn::Settled
                && let Some(open) = self.tree.best_open(at, explore)
            {
                let value = self.tree.bounds[child].low;
                self.tree.visit(child, turn, value, sum - value);
                self.sure.push((self.path.len() - 1, value));
                child = open;
            }
            game.apply(&mut state, self.tree.nodes[child].action);
            (at, chooser) = (child, turn);
        };

        // Step 2. On from there, unless the end is known.
        let mut is_news = false;
        let value = if known {
            self.tree.bounds[at].low
        } else {
            let phase = game.phase(&state);
            self.tree.nodes[at].turn = Turn::of(phase);
            let value = self.play_out(game, judge, style.cut, &state.clone(), rng);
            if phase == Phase::Over {
                self.tree.settle(at, value);
                is_news = style.solver;
            }
            value
        };

        // Step 3. Up again with what came of it.
        self.seen = (self.seen.0.min(value), self.seen.1.max(value));
        let mut value = value;
        for (place, &(at, chooser)) in self.path.iter().enumerate().rev() {
            if self.sure.last().is_some_and(|sure| sure.0 == place) {
                value = self.sure.pop().map_or(value, |sure| sure.1);
            }
            self.tree.visit(at as usize, chooser, value, sum - value);
        }
        if is_news {
            self.tree.prove_upwards(&self.path, sum);
        }
    }

    /// Plays at random and returns what the first seat gets, or seems to get where the playout was cut.
    #[inline]
    fn play_out<J: Judge<G>>(
        &self,
        game: &G,
        judge: &J,
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
                    let movers = judge.judge(game, &state.clone());
                    let firsts = if seat == Seat::FIRST { movers } else { -movers };
                    let (low, high) = (self.range.low as f32, self.range.high as f32);
                    return (low + high) / 2.0 + (high - low) / 2.0 * firsts;
                }
                Phase::Decide(_) => {
                    left -= 1;
                    game.pick(&state, rng)
                }
            };
            game.apply(&mut state, action);
        }
    }

    /// Returns whether there is room to find out more.
    pub(super) fn has_room(&self) -> bool {
        !self.tree.is_full()
    }
}
