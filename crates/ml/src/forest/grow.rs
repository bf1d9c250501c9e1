//! Growing trees.

use super::presorted::Presorted;
use super::{ForestParams, LEAF, Node, Tree};

/// Grows trees, one after the other, in buffers that it keeps. A tree depends on the data, the parameters and its random numbers only,
/// so that any number of growers on any number of threads grow the same forest.
#[derive(Clone, Debug)]
pub struct Grower<'p> {
    data: &'p Presorted<'p>,
    params: ForestParams,
    /// For each different row its number of rows of each class in the bootstrap sample.
    counts: Vec<u32>,
    /// For each feature the different rows of the sample in its order; nodes are ranges of it.
    order: Vec<Vec<u32>>,
    /// For each different row whether it goes left.
    goes_left: Vec<bool>,
    /// The rows that go right, while a range is parted.
    aside: Vec<u32>,
    /// Features in the order in which they are tried.
    features: Vec<u32>,
    /// The rows of each class: at a node, and on the left of a split.
    at_node: Vec<u32>,
    on_left: Vec<u32>,
    /// Nodes that are still to be grown.
    open: Vec<Range>,
}

/// Purities that differ by less than this factor are equal but for rounding; the first of equal splits is taken.
const TIE: f64 = 1.0 + 1e-12;

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

impl<'p> Grower<'p> {
    /// Returns a grower.
    #[must_use]
    pub fn new(data: &'p Presorted<'p>, params: ForestParams) -> Self {
        let (features, classes, rows) = (data.features(), data.classes(), data.different_rows());
        Grower {
            data,
            params,
            counts: vec![0; rows * classes],
            order: vec![Vec::with_capacity(rows); features],
            goes_left: vec![false; rows],
            aside: Vec::with_capacity(rows),
            features: Vec::with_capacity(features),
            at_node: vec![0; classes],
            on_left: vec![0; classes],
            open: Vec::new(),
        }
    }

    /// Grows a tree on a bootstrap sample. `draw(bound)` returns a random number from 0 to `bound − 1`; it is called for each row of the
    /// sample, then for the features of each split, node by node, left before right.
    pub fn grow(&mut self, mut draw: impl FnMut(u32) -> u32) -> Tree {
        self.bootstrap(&mut draw);
        let features = self.data.features();
        let tried = self.params.tried.unwrap_or_else(|| features.isqrt()).clamp(1, features);
        let mut tree = Tree { nodes: Vec::new(), leaves: Vec::new(), importance: vec![0.0; features] };
        self.open.push(Range { start: 0, end: self.order[0].len(), depth: 0, right_of: None });
        while let Some(range) = self.open.pop() {
            let number = tree.nodes.len();
            if let Some(split) = range.right_of {
                tree.nodes[split].next = number as u32;
            }
            self.count(range);
            let rows: u32 = self.at_node.iter().sum();
            let is_leaf = range.end - range.start == 1
                || self.at_node.contains(&rows)
                || rows / 2 < self.params.min_leaf
                || self.params.depth.is_some_and(|most| range.depth >= most);
            let split = if is_leaf { None } else { self.split(range, rows, tried, &mut draw) };
            let Some(split) = split else {
                let leaf = tree.leaves.len() / self.at_node.len();
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
            self.open.push(Range { start: range.start, end: split.first_right, depth, right_of: None });
        }
        tree
    }

    /// Draws as many rows as there are, with replacement.
    fn bootstrap(&mut self, draw: &mut impl FnMut(u32) -> u32) {
        let classes = self.at_node.len();
        let (rows, labels) = (self.data.rows(), self.data.labels());
        self.counts.fill(0);
        for _ in 0..rows {
            let row = draw(rows as u32) as usize;
            self.counts[self.data.different[row] as usize * classes + labels[row] as usize] += 1;
        }
        for (own, all) in self.order.iter_mut().zip(&self.data.order) {
            own.clear();
            let counts = &self.counts;
            let drawn =
                |row: &u32| counts[*row as usize * classes..][..classes].iter().any(|&count| count > 0);
            own.extend(all.iter().copied().filter(drawn));
        }
    }

    /// Counts the rows of each class at a node.
    fn count(&mut self, range: Range) {
        let classes = self.at_node.len();
        self.at_node.fill(0);
        for &row in &self.order[0][range.start..range.end] {
            let counts = &self.counts[row as usize * classes..][..classes];
            self.at_node.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }

    /// Returns the best split by any of a few random features. Features that are constant at the node count as tried, but the search
    /// goes on until one can be split.
    fn split(
        &mut self,
        range: Range,
        rows: u32,
        tried: usize,
        draw: &mut impl FnMut(u32) -> u32,
    ) -> Option<Split> {
        let count = self.data.features();
        self.features.clear();
        self.features.extend(0..count as u32);
        let mut best: Option<Split> = None;
        for at in 0..count {
            if at >= tried && best.is_some() {
                break;
            }
            let chosen = at + draw((count - at) as u32) as usize;
            self.features.swap(at, chosen);
            let feature = self.features[at] as usize;
            self.split_by(feature, range, rows, &mut best);
        }
        best
    }

    /// Replaces `best` by the best split by one feature if that is better.
    fn split_by(&mut self, feature: usize, range: Range, rows: u32, best: &mut Option<Split>) {
        let order = &self.order[feature][range.start..range.end];
        let places = &self.data.places[feature];
        let place = |row: u32| places[row as usize];
        if place(order[0]) == place(order[order.len() - 1]) {
            return;
        }
        let classes = self.at_node.len();
        self.on_left.fill(0);
        let mut left = 0_u32;
        // Sums of squared counts. All counts together are below 2³², so the sum of their squares is below 2⁶⁴.
        let mut left_squares = 0_u64;
        let mut right_squares: u64 = self.at_node.iter().map(|&count| square(count)).sum();
        let min_leaf = self.params.min_leaf;
        for (at, pair) in order.windows(2).enumerate() {
            let counts = &self.counts[pair[0] as usize * classes..][..classes];
            for ((own, all), &count) in self.on_left.iter_mut().zip(&self.at_node).zip(counts) {
                if count > 0 {
                    let right = all - *own;
                    left_squares += square(*own + count) - square(*own);
                    right_squares -= square(right) - square(right - count);
                    *own += count;
                    left += count;
                }
            }
            if place(pair[0]) == place(pair[1]) || left < min_leaf {
                continue;
            }
            let right = rows - left;
            if right < min_leaf {
                break;
            }
            let purity = left_squares as f64 / f64::from(left) + right_squares as f64 / f64::from(right);
            if best.is_none_or(|best| purity > best.purity * TIE) {
                *best = Some(Split { feature, first_right: range.start + at + 1, purity });
            }
        }
    }

    /// Returns the middle between the largest value on the left and the smallest on the right.
    fn threshold(&self, split: &Split) -> f64 {
        let order = &self.order[split.feature];
        let value = |at: usize| {
            let place = self.data.places[split.feature][order[at] as usize];
            self.data.values[split.feature][place as usize]
        };
        let (low, high) = (value(split.first_right - 1), value(split.first_right));
        // Halves are added, not the numbers, so that nothing overflows; between neighbours the middle can be the upper one.
        let middle = low / 2.0 + high / 2.0;
        if middle < high && middle >= low { middle } else { low }
    }

    /// Parts a node's range in the order of every feature.
    fn part(&mut self, range: Range, split: &Split) {
        let order = &self.order[split.feature];
        for &row in &order[range.start..split.first_right] {
            self.goes_left[row as usize] = true;
        }
        for &row in &order[split.first_right..range.end] {
            self.goes_left[row as usize] = false;
        }
        for (feature, order) in self.order.iter_mut().enumerate() {
            if feature == split.feature {
                continue;
            }
            self.aside.clear();
            let mut kept = range.start;
            for at in range.start..range.end {
                let row = order[at];
                if self.goes_left[row as usize] {
                    order[kept] = row;
                    kept += 1;
                } else {
                    self.aside.push(row);
                }
            }
            order[kept..range.end].copy_from_slice(&self.aside);
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
