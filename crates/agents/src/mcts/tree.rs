//! The tree: nodes in one flat list, the children of a node side by side.

use parlor_core::{Game, Phase, Rng, Seat};

/// What happens at a node.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    /// Nobody has looked yet.
    Unknown,
    /// The first seat chooses.
    First,
    /// The second seat chooses.
    Second,
    /// Chance acts.
    Chance,
    /// Nothing more is to be found out: the match is over, or its end is proven.
    Settled,
}

impl Turn {
    pub(super) fn of(phase: Phase) -> Turn {
        match phase {
            Phase::Decide(Seat::FIRST) => Turn::First,
            Phase::Decide(_) => Turn::Second,
            Phase::Chance => Turn::Chance,
            Phase::Over => Turn::Settled,
        }
    }
}

/// What selection reads, together in as few bytes as there can be: 20 for a connect board.
#[derive(Copy, Clone, Debug)]
pub(super) struct Node<A> {
    /// The mean payoff of whoever chose this node, the first seat's below chance.
    pub(super) mean: f32,
    /// One over the root of the visits, so that choosing takes a product and a sum for each child; the weight below chance.
    pub(super) bonus: f32,
    pub(super) visits: u32,
    /// The first child.
    pub(super) first: u32,
    /// How many children there are; 0 before the node is expanded.
    pub(super) count: u16,
    pub(super) turn: Turn,
    /// What led here.
    pub(super) action: A,
}

/// Between what values the first seat's payoff is known to lie, whatever is still to come. Read when something is proven only.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct Bounds {
    pub(super) low: f32,
    pub(super) high: f32,
}

impl Bounds {
    pub(super) fn are_tight(self) -> bool {
        self.low >= self.high
    }
}

/// Bonuses of nodes that were never visited begin here; they differ, so that first visits come in a random order.
const UNTRIED: f32 = 1e15;
/// The bonus of a node that nobody needs to look at again.
pub(super) const DISCARDED: f32 = -1e18;

/// The node at which a search begins.
pub(super) const ROOT: usize = 0;

/// The tree.
#[derive(Clone, Debug)]
pub(super) struct Tree<A> {
    pub(super) nodes: Vec<Node<A>>,
    pub(super) bounds: Vec<Bounds>,
    /// Where a part of the tree is kept while the rest is thrown away.
    spare: (Vec<Node<A>>, Vec<Bounds>),
    /// The most nodes.
    limit: usize,
    /// The bounds of what nothing is known about.
    open: Bounds,
    /// `√ln n` for rounded *n*, see [`Tree::log_root`].
    log_roots: Vec<f32>,
}

/// A fifth of the memory is for carrying a part of the tree over.
const SHARES: usize = 5;

/// However little memory there is, a root and its children have room.
const FEWEST: usize = 1024;

impl<A: Copy + PartialEq> Tree<A> {
    /// Makes a tree of so many bytes at the most.
    pub(super) fn new(bytes: usize, open: Bounds) -> Self {
        let each = size_of::<Node<A>>() + size_of::<Bounds>();
        let limit = bytes / SHARES * (SHARES - 1) / each;
        Tree {
            nodes: Vec::new(),
            bounds: Vec::new(),
            spare: (Vec::new(), Vec::new()),
            limit: limit.clamp(FEWEST, u32::MAX as usize),
            open,
            log_roots: log_roots(),
        }
    }

    /// Forgets everything but a root.
    pub(super) fn restart(&mut self, action: A) {
        self.nodes.clear();
        self.bounds.clear();
        self.push(action, UNTRIED);
    }

    /// Returns the bounds of what nothing is known about.
    pub(super) fn open(&self) -> Bounds {
        self.open
    }

    /// Makes a node one that is still to be searched.
    pub(super) fn reopen(&mut self, at: usize, turn: Turn) {
        self.nodes[at].turn = turn;
        if self.bounds[at].are_tight() {
            self.bounds[at] = self.open;
        }
    }

    /// Returns whether another expansion may find no room.
    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() + usize::from(u8::MAX) > self.limit
    }

    /// Returns how many bytes the tree takes.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        (self.nodes.capacity() + self.spare.0.capacity()) * size_of::<Node<A>>()
            + (self.bounds.capacity() + self.spare.1.capacity()) * size_of::<Bounds>()
    }

    fn push(&mut self, action: A, bonus: f32) {
        self.nodes.push(Node {
            mean: 0.0,
            bonus,
            visits: 0,
            first: 0,
            count: 0,
            turn: Turn::Unknown,
            action,
        });
        self.bounds.push(self.open);
    }

    /// Makes room for `count` more nodes, at least doubling what there is; `false` if the limit does not allow it.
    #[inline]
    fn has_room_for(&mut self, count: usize) -> bool {
        let needed = self.nodes.len() + count;
        if needed <= self.nodes.capacity() {
            return needed <= self.limit;
        }
        needed <= self.limit && {
            let capacity = (2 * needed).max(1024).min(self.limit);
            self.nodes.reserve_exact(capacity - self.nodes.len());
            self.bounds.reserve_exact(capacity - self.bounds.len());
            true
        }
    }

    /// Gives a node its children. Returns `false` if there is no room for them.
    #[inline]
    pub(super) fn expand<G: Game<Action = A>>(
        &mut self,
        game: &G,
        state: &G::State,
        at: usize,
        rng: &mut Rng,
    ) -> bool {
        let first = self.nodes.len();
        if self.nodes[at].turn == Turn::Chance {
            let count = game.chances(state).count();
            if !self.has_room_for(count) {
                return false;
            }
            game.chances(state).for_each(|(action, weight)| self.push(action, weight as f32));
        } else {
            let actions = game.actions(state);
            if !self.has_room_for(actions.len()) {
                return false;
            }
            let bits = rng.bits();
            for (action, odd) in actions.zip((1_u64..).step_by(2)) {
                let order = bits.wrapping_mul(odd) >> 56;
                self.push(action, UNTRIED * (256 + order) as f32);
            }
        }
        let count = self.nodes.len() - first;
        let node = &mut self.nodes[at];
        node.first = first as u32;
        // More actions than this, no position of any game has: the bound is there to keep nodes small.
        node.count = u16::try_from(count).expect("a position has fewer than 65,536 actions");
        true
    }

    /// Returns the numbers of a node's children.
    #[inline]
    pub(super) fn children(&self, at: usize) -> std::ops::Range<usize> {
        let node = &self.nodes[at];
        node.first as usize..node.first as usize + usize::from(node.count)
    }

    /// Returns the child that an action leads to.
    #[inline]
    pub(super) fn child(&self, at: usize, action: A) -> Option<usize> {
        self.children(at).find(|&child| self.nodes[child].action == action)
    }

    /// Returns the child with the highest upper confidence bound.
    #[inline]
    pub(super) fn best_bound(&self, at: usize, explore: f32) -> usize {
        let explore = explore * self.log_root(self.nodes[at].visits);
        let children = self.children(at);
        let start = children.start;
        let (mut best, mut bound) = (0, f32::NEG_INFINITY);
        for (n, child) in self.nodes[children].iter().enumerate() {
            let here = child.mean + explore * child.bonus;
            if here > bound {
                (best, bound) = (n, here);
            }
        }
        start + best
    }

    /// Returns the child with the highest upper confidence bound of those about which something is still to be found out.
    pub(super) fn best_open(&self, at: usize, explore: f32) -> Option<usize> {
        let explore = explore * self.log_root(self.nodes[at].visits);
        let bound = |child: &Node<A>| child.mean + explore * child.bonus;
        self.children(at)
            .filter(|&child| self.nodes[child].turn != Turn::Settled && self.nodes[child].bonus > DISCARDED)
            .max_by(|&one, &other| bound(&self.nodes[one]).total_cmp(&bound(&self.nodes[other])))
    }

    /// Returns `√ln n`, of *n* rounded down to five significant bits, and never 0.
    #[inline]
    fn log_root(&self, n: u32) -> f32 {
        self.log_roots[((n.max(1) as f32).to_bits() >> LOW_BITS) as usize - FIRST_CELL]
    }

    /// Records that a node was visited and what came of it for the first seat; `others` is what it was for the second.
    #[inline]
    pub(super) fn visit(&mut self, at: usize, chooser: Turn, value: f32, others: f32) {
        let node = &mut self.nodes[at];
        node.visits = node.visits.saturating_add(1);
        let root = 1.0 / (node.visits as f32).sqrt();
        let value = if chooser == Turn::Second { others } else { value };
        node.mean += (value - node.mean) * root * root;
        if chooser != Turn::Chance {
            node.bonus = root;
        }
    }

    /// Makes a node the root. What is above and beside it is thrown away; so are the lowest nodes below it if there are too
    /// many.
    pub(super) fn carry_over(&mut self, root: usize) {
        let most = self.limit / (SHARES - 1);
        let (nodes, bounds) = &mut self.spare;
        nodes.clear();
        bounds.clear();
        nodes.reserve_exact(most.min(self.nodes.len()));
        bounds.reserve_exact(most.min(self.nodes.len()));
        nodes.push(self.nodes[root]);
        bounds.push(self.bounds[root]);
        let mut at = 0;
        // Level by level, so that it is the lowest nodes for which there is no room.
        while at < nodes.len() {
            let (first, count) = (nodes[at].first as usize, usize::from(nodes[at].count));
            let to = nodes.len();
            if to + count <= most {
                nodes.extend_from_slice(&self.nodes[first..first + count]);
                bounds.extend_from_slice(&self.bounds[first..first + count]);
                nodes[at].first = to as u32;
            } else {
                nodes[at].count = 0;
            }
            at += 1;
        }
        self.nodes.clear();
        self.bounds.clear();
        self.nodes.extend_from_slice(nodes);
        self.bounds.extend_from_slice(bounds);
    }
}

/// Bits of a number that do not choose a cell of the table of `√ln n`: all but four of the mantissa.
const LOW_BITS: u32 = 19;
/// The cell of 1, which is the first.
const FIRST_CELL: usize = (1.0_f32.to_bits() >> LOW_BITS) as usize;

fn log_roots() -> Vec<f32> {
    let cells = (u32::MAX as f32).to_bits() as usize >> LOW_BITS;
    (FIRST_CELL..=cells)
        .map(|cell| libm::logf(f32::from_bits((cell as u32) << LOW_BITS)).max(0.01).sqrt())
        .collect()
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "compared within a tolerance")]
mod tests {
    use super::*;

    #[test]
    fn roots_of_logarithms_are_near() {
        let tree = Tree::<u8>::new(1 << 20, Bounds { low: -1.0, high: 1.0 });
        for n in (2..100_000).chain([u32::MAX - 1, u32::MAX]) {
            let exact = f64::from(n).ln().sqrt();
            let near = f64::from(tree.log_root(n));
            assert!((near - exact).abs() < 0.04 * exact, "{n}: {near} for {exact}");
        }
        assert!(tree.log_root(0) > 0.0 && tree.log_root(1) > 0.0);
    }

    #[test]
    fn nodes_of_small_actions_are_small() {
        assert_eq!(size_of::<Node<u8>>(), 20);
    }
}
