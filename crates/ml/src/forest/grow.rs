//! Growing trees.

use super::presorted::{Placed, Presorted};
use super::{ForestParams, LEAF, Node, Tree};
use crate::dataset::{MOST_CLASSES, MOST_ROWS};

/// How often a row is in a bootstrap sample, and its class, in four bytes: splits are searched in the order of a feature, so rows are
/// read at random places, and what is small stays in the cache.
#[derive(Copy, Clone, Debug, Default)]
struct Drawn(u32);

/// Bits of the class.
const CLASS_BITS: u32 = MOST_CLASSES.ilog2();

const _: () = assert!(MOST_CLASSES.is_power_of_two() && MOST_ROWS <= 1 << (u32::BITS - CLASS_BITS));

impl Drawn {
    fn never(class: u32) -> Drawn {
        Drawn(class)
    }

    fn once_more(&mut self) {
        self.0 += 1 << CLASS_BITS;
    }

    #[inline]
    fn times(self) -> u32 {
        self.0 >> CLASS_BITS
    }

    #[inline]
    fn class(self) -> usize {
        (self.0 & (MOST_CLASSES as u32 - 1)) as usize
    }
}

/// Grows trees, one after the other, in buffers that it keeps. A tree depends on the data, the parameters and its random numbers only,
/// so that any number of growers on any number of threads grow the same forest.
#[derive(Clone, Debug)]
pub struct Grower<'p> {
    data: &'p Presorted<'p>,
    params: ForestParams,
    /// For each different row how often it is in the sample, and its class.
    drawn: Vec<Drawn>,
    /// For each feature the different rows of the sample in its order; nodes are ranges of it.
    order: Vec<Vec<Placed>>,
    /// For each different row whether it goes left.
    goes_left: Vec<bool>,
    /// The rows that go right, while a range is parted.
    aside: Vec<Placed>,
    /// Features in the order in which they are tried.
    features: Vec<usize>,
    /// The rows of each class: at a node, on the left of a split, and on the left of the best one.
    at_node: Vec<u32>,
    on_left: Vec<u32>,
    best_left: Vec<u32>,
    /// Nodes that are still to be grown, and their rows of each class.
    open: Vec<Range>,
    open_counts: Vec<u32>,
}

/// A node that is still to be grown.
#[derive(Copy, Clone, Debug)]
struct Range {
    start: usize,
    end: usize,
    depth: u32,
    /// The split whose right branch it is.
    right_of: Option<usize>,
}

/// The best split of a node so far.
#[derive(Copy, Clone, Debug)]
struct Split {
    feature: usize,
    /// The first row of the right branch, in the order of the feature.
    first_right: usize,
    /// Σ left counts² / left rows + Σ right counts² / right rows: the larger, the purer.
    purity: f64,
}

/// Purities that differ by less than this factor are equal but for rounding; the first of equal splits is taken.
const TIE: f64 = 1.0 + 1e-12;

impl<'p> Grower<'p> {
    /// Returns a grower.
    #[must_use]
    pub fn new(data: &'p Presorted<'p>, params: ForestParams) -> Self {
        let (features, classes, rows) = (data.features(), data.classes(), data.different_rows());
        Grower {
            data,
            params,
            drawn: vec![Drawn::default(); rows],
            order: vec![Vec::with_capacity(rows); features],
            goes_left: vec![false; rows],
            aside: Vec::with_capacity(rows),
            features: Vec::with_capacity(features),
            at_node: vec![0; classes],
            on_left: vec![0; classes],
            best_left: vec![0; classes],
            open: Vec::new(),
            open_counts: Vec::new(),
        }
    }

    /// Grows a tree on a bootstrap sample. `draw(bound)` returns a random number from 0 to `bound − 1`; it is called for each row of the
    /// sample, then for the features of each split, node by node, left before right.
    pub fn grow(&mut self, mut draw: impl FnMut(u32) -> u32) -> Tree {
        self.bootstrap(&mut draw);
        let (features, classes) = (self.data.features(), self.data.classes());
        let tried = self.params.tried.unwrap_or_else(|| features.isqrt()).clamp(1, features);
        let mut tree = Tree { nodes: Vec::new(), leaves: Vec::new(), importance: vec![0.0; features] };
        while let Some(range) = self.open.pop() {
            let number = tree.nodes.len();
            if let Some(split) = range.right_of {
                tree.nodes[split].next = number as u32;
            }
            let counts = self.open_counts.len() - classes;
            self.at_node.copy_from_slice(&self.open_counts[counts..]);
            self.open_counts.truncate(counts);
            let rows: u32 = self.at_node.iter().sum();
            let is_leaf = self.at_node.contains(&rows)
                || rows / 2 < self.params.min_leaf
                || self.params.depth.is_some_and(|most| range.depth >= most);
            let split = if is_leaf { None } else { self.split(range, rows, tried, &mut draw) };
            let Some(split) = split else {
                let leaf = tree.leaves.len() / classes;
                tree.leaves.extend_from_slice(&self.at_node);
                tree.nodes.push(Node { threshold: 0.0, feature: LEAF, next: leaf as u32 });
                continue;
            };
            tree.importance[split.feature] += split.purity - purity(&self.at_node, rows);
            let threshold = self.threshold(&split);
            tree.nodes.push(Node { threshold, feature: split.feature as u32, next: 0 });
            self.part(range, &split);
            let depth = range.depth + 1;
            self.open.push(Range { start: split.first_right, end: range.end, depth, right_of: Some(number) });
            self.open_counts.extend(self.at_node.iter().zip(&self.best_left).map(|(all, left)| all - left));
            self.open.push(Range { start: range.start, end: split.first_right, depth, right_of: None });
            self.open_counts.extend_from_slice(&self.best_left);
        }
        tree
    }

    /// Draws as many rows as there are, with replacement, and opens the root.
    fn bootstrap(&mut self, draw: &mut impl FnMut(u32) -> u32) {
        let rows = self.data.rows();
        self.drawn.clear();
        self.drawn.extend(self.data.class.iter().map(|&class| Drawn::never(class)));
        self.at_node.fill(0);
        for _ in 0..rows {
            let row = self.data.different[draw(rows as u32) as usize] as usize;
            self.drawn[row].once_more();
            self.at_node[self.data.class[row] as usize] += 1;
        }
        for (own, all) in self.order.iter_mut().zip(&self.data.order) {
            own.clear();
            own.extend(all.iter().copied().filter(|placed| self.drawn[placed.row()].times() > 0));
        }
        self.open.push(Range { start: 0, end: self.order[0].len(), depth: 0, right_of: None });
        self.open_counts.extend_from_slice(&self.at_node);
    }

    /// Returns the best split by any of a few random features; `None` if all rows are equal, or a leaf would be too small. Features
    /// that are constant at the node count as tried, but the search goes on until one can be split.
    fn split(
        &mut self,
        range: Range,
        rows: u32,
        tried: usize,
        draw: &mut impl FnMut(u32) -> u32,
    ) -> Option<Split> {
        let is_constant = |order: &Vec<Placed>| order[range.start].place() == order[range.end - 1].place();
        if self.order.iter().all(is_constant) {
            return None;
        }
        let count = self.data.features();
        self.features.clear();
        self.features.extend(0..count);
        let mut best: Option<Split> = None;
        for at in 0..count {
            if at >= tried && best.is_some() {
                break;
            }
            let chosen = at + draw((count - at) as u32) as usize;
            self.features.swap(at, chosen);
            let feature = self.features[at];
            if !is_constant(&self.order[feature]) {
                self.split_by(feature, range, rows, &mut best);
            }
        }
        best
    }

    /// Replaces `best` by the best split by one feature if that is better.
    fn split_by(&mut self, feature: usize, range: Range, rows: u32, best: &mut Option<Split>) {
        self.on_left.fill(0);
        let mut left = 0_u32;
        // Sums of squared counts. All counts together are below 2³², so the sum of their squares is below 2⁶⁴.
        let mut left_squares = 0_u64;
        let mut right_squares: u64 = self.at_node.iter().map(|&count| square(count)).sum();
        let min_leaf = self.params.min_leaf;
        let mut least = best.map_or(f64::NEG_INFINITY, |best| best.purity * TIE);
        for (at, pair) in self.order[feature][range.start..range.end].windows(2).enumerate() {
            let drawn = self.drawn[pair[0].row()];
            let (class, times) = (drawn.class(), drawn.times());
            let own = &mut self.on_left[class];
            let right = self.at_node[class] - *own;
            left_squares += u64::from(times) * (2 * u64::from(*own) + u64::from(times));
            right_squares -= u64::from(times) * (2 * u64::from(right) - u64::from(times));
            *own += times;
            left += times;
            if pair[0].place() == pair[1].place() || left < min_leaf {
                continue;
            }
            let right = rows - left;
            if right < min_leaf {
                break;
            }
            let purity = left_squares as f64 / f64::from(left) + right_squares as f64 / f64::from(right);
            if purity > least {
                least = purity * TIE;
                *best = Some(Split { feature, first_right: range.start + at + 1, purity });
                self.best_left.copy_from_slice(&self.on_left);
            }
        }
    }

    /// Returns the middle between the largest value on the left and the smallest on the right.
    fn threshold(&self, split: &Split) -> f64 {
        let order = &self.order[split.feature];
        let value = |at: usize| self.data.values[split.feature][order[at].place() as usize];
        let (low, high) = (value(split.first_right - 1), value(split.first_right));
        // Halves are added, not the numbers, so that nothing overflows; between neighbours the middle can be the upper one.
        let middle = low / 2.0 + high / 2.0;
        if middle < high && middle >= low { middle } else { low }
    }

    /// Parts a node's range in the order of every feature.
    fn part(&mut self, range: Range, split: &Split) {
        let order = &self.order[split.feature];
        for placed in &order[range.start..split.first_right] {
            self.goes_left[placed.row()] = true;
        }
        for placed in &order[split.first_right..range.end] {
            self.goes_left[placed.row()] = false;
        }
        let rows = range.end - range.start;
        self.aside.resize(self.aside.len().max(rows), self.order[0][range.start]);
        for (feature, order) in self.order.iter_mut().enumerate() {
            if feature == split.feature {
                continue;
            }
            // Each row is written to both sides and stays on one: which one cannot be predicted, so a branch would cost more.
            let order = &mut order[range.start..range.end];
            let (mut kept, mut gone) = (0, 0);
            for at in 0..rows {
                let placed = order[at];
                let goes_left = self.goes_left[placed.row()];
                order[kept] = placed;
                self.aside[gone] = placed;
                kept += usize::from(goes_left);
                gone += usize::from(!goes_left);
            }
            order[kept..].copy_from_slice(&self.aside[..gone]);
        }
    }
}

#[inline]
fn square(count: u32) -> u64 {
    u64::from(count) * u64::from(count)
}

/// Returns Σ counts² / rows: rows × (1 − the Gini impurity).
fn purity(counts: &[u32], rows: u32) -> f64 {
    counts.iter().map(|&count| square(count)).sum::<u64>() as f64 / f64::from(rows)
}
