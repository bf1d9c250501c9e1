//! Game trees that are written down node by node.

use parlor_core::{Game, Payoffs, Phase, Range, Rng, Seat};

/// How many evaluations a tree has.
const FUNCTIONS: usize = 4;

#[derive(Clone, Debug)]
pub struct Node {
    /// Who is to act.
    pub phase: Phase,
    /// Where its actions lead.
    pub next: Vec<usize>,
    /// What it is worth by each evaluation.
    pub worth: [f64; FUNCTIONS],
}

/// The nodes, the root first.
#[derive(Clone, Debug)]
pub struct Tree(pub Vec<Node>);

impl Tree {
    /// A tree with one evaluation.
    pub fn of(nodes: &[(Phase, &[usize], f64)]) -> Tree {
        let node = |&(phase, next, worth): &(Phase, &[usize], f64)| Node {
            phase,
            next: next.to_vec(),
            worth: [worth; FUNCTIONS],
        };
        Tree(nodes.iter().map(node).collect())
    }

    /// A tree of depth 3 with two actions at each node; the first seat moves at the root and above the leaves.
    pub fn binary(leaves: &[[f64; 3]; 8]) -> Tree {
        let inner = (0..7).map(|at| Node {
            phase: Phase::Decide(if (1..3).contains(&at) { Seat::SECOND } else { Seat::FIRST }),
            next: vec![2 * at + 1, 2 * at + 2],
            worth: [0.0; FUNCTIONS],
        });
        let leaf = |&[f0, f1, f2]: &[f64; 3]| Node {
            phase: Phase::Over,
            next: Vec::new(),
            worth: [f0, f1, f2, 0.0],
        };
        Tree(inner.chain(leaves.iter().map(leaf)).collect())
    }

    /// A tree in which anyone may move anywhere. Few different values, so that ties are met.
    pub fn random(rng: &mut Rng, height: u32) -> Tree {
        let mut tree = Tree(Vec::new());
        tree.grow(rng, height, true);
        tree
    }

    fn grow(&mut self, rng: &mut Rng, height: u32, root: bool) -> usize {
        let at = self.0.len();
        let phase = match rng.below(if root { 2 } else { 6 }) {
            0 | 3 => Phase::Decide(Seat::FIRST),
            1 | 4 => Phase::Decide(Seat::SECOND),
            2 => Phase::Chance,
            _ => Phase::Over,
        };
        let phase = if height == 0 { Phase::Over } else { phase };
        let worth = std::array::from_fn(|_| f64::from(rng.below(10)) - 4.0);
        self.0.push(Node { phase, next: Vec::new(), worth });
        if phase != Phase::Over {
            let count = 1 + rng.below(3) + u32::from(root);
            let next = (0..count).map(|_| self.grow(rng, height - 1, false)).collect();
            self.0[at].next = next;
        }
        at
    }
}

impl Game for Tree {
    type State = usize;
    type Action = u8;
    type View = usize;

    fn seats(&self) -> u8 {
        2
    }

    fn start(&self) -> usize {
        0
    }

    fn phase(&self, state: &usize) -> Phase {
        self.0[*state].phase
    }

    fn actions(&self, state: &usize) -> impl ExactSizeIterator<Item = u8> {
        let decides = matches!(self.phase(state), Phase::Decide(_));
        0..if decides { self.0[*state].next.len() as u8 } else { 0 }
    }

    fn chances(&self, state: &usize) -> impl Iterator<Item = (u8, f64)> {
        let count = if self.phase(state) == Phase::Chance { self.0[*state].next.len() } else { 0 };
        (0..count as u8).map(move |at| (at, 1.0 / count as f64))
    }

    fn apply(&self, state: &mut usize, action: u8) {
        *state = self.0[*state].next[usize::from(action)];
    }

    fn payoffs(&self, state: &usize) -> Payoffs {
        Payoffs::zero_sum(self.0[*state].worth[0])
    }

    fn range(&self) -> Range {
        Range { low: -100.0, high: 100.0, sum: Some(0.0) }
    }

    fn view(&self, state: &usize, _: Seat) -> usize {
        *state
    }

    fn seen(&self, _: &usize, action: u8, _: Seat) -> Option<u8> {
        Some(action)
    }
}
