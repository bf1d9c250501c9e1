//! Null-window search: does the side to move reach a margin?

use arrayvec::ArrayVec;

use super::symmetry::{Images, number};
use super::windows::{MAX_CELLS, Node, Windows};
use crate::board::bits::Word;
use crate::solving::{Bounds, BoundsTable, NodeCounter};

/// The state of a search.
pub(super) struct Search<'a, 'p> {
    pub windows: &'a Windows,
    pub images: &'a Images,
    pub table: &'a mut BoundsTable<u64>,
    pub counter: NodeCounter<'a, 'p>,
    pub cells: u32,
}

struct Candidate {
    rank: i32,
    points: i32,
    after: Node,
}

/// Boards with at least this number of free cells use the key of their smallest image.
const FREE_FOR_IMAGES: u32 = 9;

/// More than any margin.
const BEYOND: i32 = 100;

impl Search<'_, '_> {
    /// Tests whether the points that the side to move will still make, less those of the other side, reach `goal`. A
    /// result of at least `goal` is a lower bound of that margin, any other is an upper bound.
    pub fn search(&mut self, mut node: Node, goal: i32) -> i32 {
        self.counter.count();
        if self.counter.cancelled {
            return 0;
        }
        // The side to move can keep the other from making more points than its potential: taking the best cell
        // removes at least as much potential as the other's next cell can win back (P. Erdős and J. Selfridge, On a
        // combinatorial game, 1973).
        let least = -(node.other.potential() / 8);
        if least >= goal {
            return least;
        }
        node.reduce(self.windows);
        if node.free == 0 {
            return 0;
        }
        let free = node.free.count_ones();
        let picture = node.picture(self.cells);
        let key = if free >= FREE_FOR_IMAGES { self.images.smallest(picture) } else { number(picture) };
        let known = self.table.get(key).unwrap_or(Bounds { least, most: BEYOND });
        if known.least >= goal {
            return known.least;
        }
        if known.most < goal {
            return known.most;
        }
        let mut best = -BEYOND;
        let mut tries = ArrayVec::<Candidate, { MAX_CELLS as usize }>::new();
        for cell in u64::from(node.free).cells() {
            let (points, after) = node.after(self.windows, cell);
            let potential = after.other.potential();
            let most = points + potential / 8;
            if most < goal {
                best = best.max(most);
                continue;
            }
            let rank = 8 * points + potential - after.mover.potential();
            let mut at = tries.len();
            while at > 0 && tries[at - 1].rank < rank {
                at -= 1;
            }
            tries.insert(at, Candidate { rank, points, after });
        }
        let before = self.counter.nodes;
        for one in &tries {
            best = best.max(one.points - self.search(one.after, one.points - goal + 1));
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
