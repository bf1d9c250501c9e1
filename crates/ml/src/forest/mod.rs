//! Random forests: many trees, each grown on a bootstrap sample, each split chosen among a few random features; a row's probabilities
//! are the mean of the trees'.
//!
//! L. Breiman, *Random Forests*, Machine Learning 45 (2001). Splits minimise the Gini impurity; trees are grown until leaves are pure or
//! hold equal rows only, unless [`ForestParams`] stop them before.

mod grow;
mod presorted;

pub use grow::Grower;
pub use presorted::Presorted;

use crate::bytes::{DecodeError, Reader, Writer};
use crate::classifier::Classifier;

/// The largest number of trees.
pub const MOST_TREES: usize = 100_000;

/// How a forest is grown.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ForestParams {
    /// The number of trees.
    pub trees: usize,
    /// The least number of rows in a leaf, 1 or more.
    pub min_leaf: u32,
    /// The largest number of splits on the way to a leaf; `None`: no limit.
    pub depth: Option<u32>,
    /// The number of features tried at a split, of which one is taken; `None`: the square root of all, rounded down.
    pub tried: Option<usize>,
}

impl Default for ForestParams {
    fn default() -> Self {
        ForestParams { trees: 100, min_leaf: 1, depth: None, tried: None }
    }
}

/// A node of a tree. The left branch begins at the next node.
#[derive(Copy, Clone, PartialEq, Debug)]
struct Node {
    /// Rows whose feature is at most this go left.
    threshold: f64,
    /// The feature; [`LEAF`] in a leaf.
    feature: u32,
    /// Where the right branch begins; in a leaf, its number.
    next: u32,
}

const LEAF: u32 = u32::MAX;

/// A decision tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    /// For each leaf the number of rows of each class.
    leaves: Vec<u32>,
    /// How much each feature's splits reduce the impurity.
    importance: Vec<f64>,
}

impl Tree {
    /// Adds the class probabilities of a row's leaf to `sums`.
    #[inline]
    fn add_probabilities(&self, features: &[f64], sums: &mut [f64]) {
        let mut at = 0;
        loop {
            let node = &self.nodes[at];
            if node.feature == LEAF {
                let counts = &self.leaves[node.next as usize * sums.len()..][..sums.len()];
                let rows = 1.0 / f64::from(counts.iter().sum::<u32>());
                sums.iter_mut().zip(counts).for_each(|(sum, &count)| *sum += f64::from(count) * rows);
                return;
            }
            at = if features[node.feature as usize] <= node.threshold { at + 1 } else { node.next as usize };
        }
    }
}

/// A fitted forest.
#[derive(Clone, PartialEq, Debug)]
pub struct Forest {
    features: usize,
    classes: usize,
    trees: Vec<Tree>,
}

impl Forest {
    /// Returns the forest of these trees, which [`Grower`]s of the same data have grown.
    ///
    /// # Panics
    /// If there are none.
    #[must_use]
    pub fn new(data: &Presorted<'_>, trees: Vec<Tree>) -> Forest {
        assert!(!trees.is_empty(), "a forest has trees");
        Forest { features: data.features(), classes: data.classes(), trees }
    }

    /// Fits a forest on the calling thread. `draw(tree, bound)` returns a random number below `bound` from the stream of a tree.
    ///
    /// To use several threads, let [`Grower`]s grow the trees and put them together with [`Forest::new`].
    ///
    /// # Errors
    /// If a class has no rows.
    ///
    /// # Panics
    /// If no tree is asked for.
    pub fn fit(
        data: &crate::Dataset,
        params: ForestParams,
        mut draw: impl FnMut(usize, u32) -> u32,
    ) -> Result<Forest, crate::DataError> {
        let data = Presorted::new(data)?;
        let mut grower = Grower::new(&data, params);
        let trees = (0..params.trees).map(|tree| grower.grow(|bound| draw(tree, bound))).collect();
        Ok(Forest::new(&data, trees))
    }

    /// Returns the number of trees.
    #[must_use]
    pub fn trees(&self) -> usize {
        self.trees.len()
    }

    /// Returns the number of leaves of all trees.
    #[must_use]
    pub fn leaves(&self) -> usize {
        self.trees.iter().map(|tree| tree.leaves.len() / self.classes).sum()
    }

    /// Returns how important each feature is: the mean over trees of the part that its splits have in the reduction of impurity. The
    /// numbers add up to 1, or are all 0 if nothing was split.
    #[must_use]
    pub fn importance(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.features];
        for tree in &self.trees {
            let all: f64 = tree.importance.iter().sum();
            if all > 0.0 {
                sums.iter_mut().zip(&tree.importance).for_each(|(sum, part)| *sum += part / all);
            }
        }
        let all: f64 = sums.iter().sum();
        if all > 0.0 {
            sums.iter_mut().for_each(|sum| *sum /= all);
        }
        sums
    }

    /// Thresholds repeat, so the bytes have them once a feature, and nodes refer to them.
    pub(crate) fn write(&self, to: &mut Writer) {
        to.whole(self.features as u64);
        to.whole(self.classes as u64);
        let mut thresholds: Vec<Vec<f64>> = vec![Vec::new(); self.features];
        for node in self.trees.iter().flat_map(|tree| &tree.nodes).filter(|node| node.feature != LEAF) {
            thresholds[node.feature as usize].push(node.threshold);
        }
        for of_feature in &mut thresholds {
            of_feature.sort_unstable_by(f64::total_cmp);
            of_feature.dedup_by(|one, other| one.to_bits() == other.to_bits());
            to.whole(of_feature.len() as u64);
            to.reals(of_feature);
        }
        to.whole(self.trees.len() as u64);
        for tree in &self.trees {
            to.reals(&tree.importance);
            to.whole(tree.nodes.len() as u64);
            // A split is its feature and its threshold; a leaf, after all features, its rows of each class. Right branches begin where
            // left ones end, so nothing needs to say where.
            for node in &tree.nodes {
                if node.feature == LEAF {
                    to.whole(self.features as u64);
                    let counts = &tree.leaves[node.next as usize * self.classes..][..self.classes];
                    counts.iter().for_each(|&count| to.whole(u64::from(count)));
                } else {
                    let of_feature = &thresholds[node.feature as usize];
                    let place = of_feature.binary_search_by(|other| other.total_cmp(&node.threshold));
                    to.whole(u64::from(node.feature));
                    to.whole(place.expect("every threshold is in the list") as u64);
                }
            }
        }
    }

    pub(crate) fn read(from: &mut Reader<'_>) -> Result<Forest, DecodeError> {
        let (features, classes) = from.shape()?;
        let mut thresholds = Vec::with_capacity(features);
        for _ in 0..features {
            let count = from.count()?;
            thresholds.push(from.reals(count)?);
        }
        let count = from.count()?;
        if !(1..=MOST_TREES).contains(&count) {
            return Err(DecodeError("it has no trees, or too many"));
        }
        let trees = (0..count).map(|_| read_tree(from, classes, &thresholds)).collect::<Result<_, _>>()?;
        Ok(Forest { features, classes, trees })
    }
}

fn read_tree(from: &mut Reader<'_>, classes: usize, thresholds: &[Vec<f64>]) -> Result<Tree, DecodeError> {
    let features = thresholds.len();
    let importance = from.reals(features)?;
    let count = from.count()?;
    let mut tree = Tree { nodes: Vec::with_capacity(count), leaves: Vec::new(), importance };
    // The splits whose right branch has not begun yet.
    let mut open: Vec<usize> = Vec::new();
    for at in 0..count {
        if at > 0 && tree.nodes[at - 1].feature == LEAF {
            let split = open.pop().ok_or(DecodeError("a tree has too many nodes"))?;
            tree.nodes[split].next = at as u32;
        }
        let feature = from.at_most(features)?;
        if feature < features {
            let of_feature = &thresholds[feature];
            let place = from.at_most(of_feature.len().wrapping_sub(1))?;
            let threshold = *of_feature.get(place).ok_or(DecodeError("a threshold is missing"))?;
            open.push(at);
            tree.nodes.push(Node { threshold, feature: feature as u32, next: 0 });
        } else {
            let number = tree.leaves.len() / classes;
            let mut rows = 0_u32;
            for _ in 0..classes {
                let count = from.at_most(u32::MAX as usize)? as u32;
                rows = rows.checked_add(count).ok_or(DecodeError("a leaf has too many rows"))?;
                tree.leaves.push(count);
            }
            if rows == 0 {
                return Err(DecodeError("a leaf has no rows"));
            }
            tree.nodes.push(Node { threshold: 0.0, feature: LEAF, next: number as u32 });
        }
    }
    if !open.is_empty() || tree.nodes.last().is_none_or(|last| last.feature != LEAF) {
        return Err(DecodeError("a tree is cut off"));
    }
    Ok(tree)
}

impl Classifier for Forest {
    fn features(&self) -> usize {
        self.features
    }

    fn classes(&self) -> usize {
        self.classes
    }

    fn probabilities(&self, features: &[f64], out: &mut [f64]) {
        assert_eq!((features.len(), out.len()), (self.features, self.classes), "one place for each");
        out.fill(0.0);
        for tree in &self.trees {
            tree.add_probabilities(features, out);
        }
        let trees = self.trees.len() as f64;
        out.iter_mut().for_each(|sum| *sum /= trees);
    }
}
