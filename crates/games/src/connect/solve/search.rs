//! Null-window search: does a board's value reach a goal?

use arrayvec::ArrayVec;

use super::super::{Connect, MAX_WIDTH, steps, usual_height};
use crate::board::bits::Word;
use crate::solving::{Bounds, BoundsTable, NodeCounter};

/// A board in the search, without the bookkeeping of [`Board`](super::super::Board). Neither side has a row, the side
/// to move cannot complete one with its next disc, and it has a move after which the other side cannot either.
#[derive(Copy, Clone)]
pub(super) struct Node<W> {
    /// The discs of the side to move.
    pub mover: W,
    /// The discs of both.
    pub taken: W,
    /// The moves after which the other side cannot complete a row at once.
    pub safe: W,
}

/// The state of a search. `USUAL` boards have rows of four and the usual height, so that all shifts are constants.
pub(super) struct Search<'a, 'p, W, const USUAL: bool> {
    pub game: &'a Connect<W>,
    pub table: &'a mut BoundsTable<W>,
    pub counter: NodeCounter<'a, 'p>,
    pub columns: &'a [W],
    /// The cells of the top row, of the third row from the top, and so on.
    pub uppers: W,
    pub cells: i32,
}

/// A move to try.
struct Candidate<W> {
    rank: u32,
    after: Node<W>,
    /// The key of the board after it.
    key: W,
}

/// With at least this number of free cells, the table is probed for all replies before any is searched.
const LEFT_FOR_REPLIES: i32 = 11;

/// Boards with at most this number of discs use the smaller key of the board and its mirror image.
const MIRRORED_DISCS: i32 = 16;

impl<W: Word, const USUAL: bool> Search<'_, '_, W, USUAL> {
    #[inline(always)]
    fn steps(&self) -> [u32; 4] {
        if USUAL { const { steps(usual_height::<W>()) } } else { self.game.steps }
    }

    /// Returns the free cells in which one more of `discs` completes a row.
    #[inline(always)]
    pub fn completing(&self, discs: W, taken: W) -> W {
        let free = self.game.board & !taken;
        if !USUAL && self.game.row != 4 {
            return self.game.completing_any(discs) & free;
        }
        let [up, across @ ..] = self.steps();
        let mut cells = discs << up & discs << (2 * up) & discs << (3 * up);
        for step in across {
            let (one, back) = (discs << step, discs >> step);
            let (before, after) = (one & discs << (2 * step), back & discs >> (2 * step));
            cells |= before & (discs << (3 * step) | back) | after & (discs >> (3 * step) | one);
        }
        cells & free
    }

    #[inline(always)]
    pub fn playable(&self, taken: W) -> W {
        (taken << 1 | self.game.bottom) & !taken & self.game.board
    }

    /// Returns the moves that do not lose at once, where the other side completes rows in `threats`.
    #[inline(always)]
    pub fn safe(&self, taken: W, threats: W) -> W {
        let playable = self.playable(taken);
        let forced = threats & playable;
        let moves = if forced.is_empty() {
            playable
        } else if forced.without_lowest().is_empty() {
            forced
        } else {
            W::ZERO
        };
        moves & !(threats >> 1)
    }

    /// Returns the node after a move; it may have no safe move.
    #[inline(always)]
    fn after(&self, node: &Node<W>, cell: W) -> (Node<W>, W) {
        let (own, taken) = (node.mover | cell, node.taken | cell);
        let threats = self.completing(own, taken);
        (Node { mover: node.taken ^ node.mover, taken, safe: self.safe(taken, threats) }, threats)
    }

    /// Returns whether `discs` contain a row.
    #[inline(always)]
    fn has_row(&self, discs: W) -> bool {
        if !USUAL && self.game.row != 4 {
            return self.game.has_row(discs);
        }
        let fours = self.steps().map(|step| {
            let twos = discs & discs >> step;
            twos & twos >> (2 * step)
        });
        !(fours[0] | fours[1] | fours[2] | fours[3]).is_empty()
    }

    /// Returns an upper bound of a node's value if the other side can always play on top of this side's disc: where
    /// every column has an even number of free cells, the other side gets the upper cell of each pair, and this side
    /// the lower one.
    #[inline(always)]
    fn follow_up(&self, node: &Node<W>) -> Option<i32> {
        let heads = (node.taken << 1 | self.game.bottom) & !node.taken;
        if !(heads & self.uppers).is_empty() {
            return None;
        }
        let free = self.game.board & !node.taken;
        if self.has_row(node.mover | free & !self.uppers) {
            return None;
        }
        let other = node.taken ^ node.mover;
        Some(if self.has_row(other | free & self.uppers) { -1 } else { 0 })
    }

    #[inline(always)]
    fn key(&self, node: &Node<W>, discs: i32) -> W {
        let key = node.mover | (node.taken << 1 | self.game.bottom) & !node.taken;
        if discs <= MIRRORED_DISCS { key.min(self.game.mirror_image(key)) } else { key }
    }

    /// Tests whether a node's value reaches `goal`. A result of at least `goal` is a lower bound of the value, any
    /// other is an upper bound.
    pub fn search(&mut self, node: Node<W>, discs: i32, goal: i32) -> i32 {
        self.counter.count();
        let left = self.cells - discs;
        if left <= 2 || self.counter.cancelled {
            return 0;
        }
        // This side wins with its disc after next at the soonest, and so does the other side.
        let (least, most) = (-(left - 2) / 2, (left - 1) / 2);
        if least >= goal {
            return least;
        }
        if most < goal {
            return most;
        }
        if node.safe.without_lowest().is_empty() {
            let (after, _) = self.after(&node, node.safe);
            return if after.safe.is_empty() { most } else { -self.search(after, discs + 1, 1 - goal) };
        }
        let key = self.key(&node, discs);
        let known = self.table.get(key).unwrap_or(Bounds { least, most });
        if known.least >= goal {
            return known.least;
        }
        if known.most < goal {
            return known.most;
        }
        if let Some(most) = self.follow_up(&node)
            && most < goal
        {
            return most;
        }
        let quick = goal.max(1 - goal) > left / 8;
        // Where both sides only fill columns, the second seat gets these cells, and the first seat the others.
        let gets = if discs & 1 == 0 { !self.uppers } else { self.uppers };
        let mut tries = ArrayVec::<Candidate<W>, { MAX_WIDTH as usize }>::new();
        for &column in self.columns {
            let cell = node.safe & column;
            if cell.is_empty() {
                continue;
            }
            let (after, threats) = self.after(&node, cell);
            if after.safe.is_empty() {
                return most;
            }
            // A lasting threat is worth more than one that is answered at once, unless the goal is a quick end; one
            // that decides who must play below it is worth more in any case.
            let lasting = threats & !self.playable(after.taken);
            let stays = if quick { 0 } else { lasting.len() };
            let rank = threats.len() + stays + (lasting & gets).len();
            let mut at = tries.len();
            while at > 0 && tries[at - 1].rank < rank {
                at -= 1;
            }
            tries.insert(at, Candidate { rank, after, key: self.key(&after, discs + 1) });
        }
        // No move wins with the disc after next.
        if goal == most {
            return most - 1;
        }
        // A loop of its own: the processor fetches the entries of several replies at a time.
        if left >= LEFT_FOR_REPLIES {
            for one in &tries {
                if let Some(reply) = self.table.get(one.key)
                    && -reply.most >= goal
                {
                    return -reply.most;
                }
            }
        }
        let before = self.counter.nodes;
        let mut best = least;
        for one in &tries {
            best = best.max(-self.search(one.after, discs + 1, 1 - goal));
            if self.counter.cancelled {
                return 0;
            }
            if best >= goal {
                break;
            }
        }
        let bounds =
            if best >= goal { Bounds { least: best, ..known } } else { Bounds { most: best, ..known } };
        self.table.insert(key, bounds, self.counter.nodes - before + 1);
        best
    }
}
