//! Forests against a second, plain implementation, and what they promise.

use parlor_ml::forest::{Grower, Presorted};
use parlor_ml::{Classifier, DataError, Dataset, Forest, ForestParams, Model};
use proptest::prelude::*;

/// A small generator of random numbers; what it is does not matter as long as both sides have the same.
#[derive(Clone)]
struct Stream(u64);

impl Stream {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as u32) % bound
    }
}

/// A tree as it is defined: rows in lists, every threshold tried by counting.
enum Plain {
    Leaf(Vec<f64>),
    Split { feature: usize, threshold: f64, left: Box<Plain>, right: Box<Plain> },
}

fn gini(rows: &[usize], data: &Dataset) -> f64 {
    let shares = shares(rows, data);
    1.0 - shares.iter().map(|share| share * share).sum::<f64>()
}

fn shares(rows: &[usize], data: &Dataset) -> Vec<f64> {
    let mut counts = vec![0.0; data.classes()];
    rows.iter().for_each(|&row| counts[data.labels()[row] as usize] += 1.0);
    counts.iter().map(|count| count / rows.len() as f64).collect()
}

impl Plain {
    fn grow(
        rows: &[usize],
        data: &Dataset,
        params: ForestParams,
        tried: usize,
        depth: u32,
        random: &mut Stream,
    ) -> Plain {
        let leaf = || Plain::Leaf(shares(rows, data));
        let all_equal = rows.iter().all(|&row| data.row(row) == data.row(rows[0]));
        if all_equal
            || gini(rows, data) == 0.0
            || rows.len() < 2 * params.min_leaf as usize
            || params.depth.is_some_and(|most| depth >= most)
        {
            return leaf();
        }
        let mut features: Vec<usize> = (0..data.features()).collect();
        let mut best: Option<(f64, usize, f64)> = None;
        for at in 0..features.len() {
            if at >= tried && best.is_some() {
                break;
            }
            let chosen = at + random.below((features.len() - at) as u32) as usize;
            features.swap(at, chosen);
            let feature = features[at];
            let mut values: Vec<f64> = rows.iter().map(|&row| data.row(row)[feature]).collect();
            values.sort_by(f64::total_cmp);
            values.dedup();
            for pair in values.windows(2) {
                let threshold = pair[0] / 2.0 + pair[1] / 2.0;
                let (left, right): (Vec<usize>, Vec<usize>) =
                    rows.iter().partition(|&&row| data.row(row)[feature] <= threshold);
                if left.len().min(right.len()) < params.min_leaf as usize {
                    continue;
                }
                let impurity =
                    left.len() as f64 * gini(&left, data) + right.len() as f64 * gini(&right, data);
                // Sums are rounded differently here, so only a clear gain counts.
                if best.is_none_or(|(least, ..)| impurity < least - 1e-9) {
                    best = Some((impurity, feature, threshold));
                }
            }
        }
        let Some((_, feature, threshold)) = best else { return leaf() };
        let (left, right): (Vec<usize>, Vec<usize>) =
            rows.iter().partition(|&&row| data.row(row)[feature] <= threshold);
        let left = Box::new(Plain::grow(&left, data, params, tried, depth + 1, random));
        let right = Box::new(Plain::grow(&right, data, params, tried, depth + 1, random));
        Plain::Split { feature, threshold, left, right }
    }

    fn probabilities(&self, row: &[f64]) -> &[f64] {
        match self {
            Plain::Leaf(shares) => shares,
            Plain::Split { feature, threshold, left, right } => {
                if row[*feature] <= *threshold {
                    left.probabilities(row)
                } else {
                    right.probabilities(row)
                }
            }
        }
    }

    fn leaves(&self) -> usize {
        match self {
            Plain::Leaf(_) => 1,
            Plain::Split { left, right, .. } => left.leaves() + right.leaves(),
        }
    }
}

fn compare(data: &Dataset, params: ForestParams, seed: u64) {
    let streams = |tree: usize| Stream(seed + tree as u64);
    let mut running: Vec<Stream> = (0..params.trees).map(streams).collect();
    let forest = Forest::fit(data, params, |tree, bound| running[tree].below(bound)).unwrap();
    let tried = params.tried.unwrap_or(data.features().isqrt());
    let plain: Vec<Plain> = (0..params.trees)
        .map(|tree| {
            let mut random = streams(tree);
            let rows: Vec<usize> =
                (0..data.rows()).map(|_| random.below(data.rows() as u32) as usize).collect();
            Plain::grow(&rows, data, params, tried, 0, &mut random)
        })
        .collect();
    assert_eq!(forest.leaves(), plain.iter().map(Plain::leaves).sum::<usize>());
    let mut out = vec![0.0; data.classes()];
    for (row, _) in data.iter() {
        forest.probabilities(row, &mut out);
        for (class, found) in out.iter().enumerate() {
            let sum: f64 = plain.iter().map(|tree| tree.probabilities(row)[class]).sum();
            let expected = sum / plain.len() as f64;
            assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
        }
    }
}

/// Returns rows of small whole numbers, with many equal ones, or of numbers that are all different.
fn data(seed: u64, rows: usize, features: usize, classes: u32, different: u32) -> Dataset {
    let mut random = Stream(seed);
    let values = (0..rows * features).map(|_| f64::from(random.below(different)) / 4.0).collect();
    // The first rows make sure that every class has one.
    let labels = (0..rows).map(|row| if row < classes as usize { row as u32 } else { random.below(classes) });
    Dataset::new(features, classes as usize, values, labels.collect()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn trees_are_those_of_the_plain_implementation(
        seed in any::<u64>(), rows in 3_usize..60, features in 1_usize..6, classes in 2_u32..4,
        different in prop_oneof![Just(3_u32), Just(1_000_000)], min_leaf in 1_u32..5, depth in prop::option::of(1_u32..6),
        all in any::<bool>(),
    ) {
        let data = data(seed, rows, features, classes, different);
        let params = ForestParams { trees: 3, min_leaf, depth, tried: all.then_some(features) };
        compare(&data, params, seed);
    }

    #[test]
    fn bytes_come_back_and_no_bytes_make_it_panic(seed in any::<u64>(), nonsense in prop::collection::vec(any::<u8>(), 0..200)) {
        let data = data(seed, 30, 2, 3, 5);
        let mut random = Stream(seed);
        let forest = Forest::fit(&data, ForestParams { trees: 4, ..Default::default() }, |_, bound| random.below(bound));
        let model = Model::Forest(forest.unwrap());
        let bytes = model.encode();
        prop_assert_eq!(Model::decode("forest", 2, 3, &bytes).unwrap(), model.clone());
        for cut in 0..bytes.len() {
            prop_assert!(Model::decode("forest", 2, 3, &bytes[..cut]).is_err());
        }
        for at in 0..bytes.len() {
            let mut other = bytes.clone();
            other[at] ^= 1 << (seed % 8);
            if let Ok(model) = Model::decode("forest", 2, 3, &other) {
                model.probabilities(&[0.0, 1.0], &mut [0.0; 3]);
            }
        }
        let _ = Model::decode("forest", 2, 3, &nonsense);
        let _ = Model::decode("mda", 2, 3, &nonsense);
    }
}

#[test]
fn a_feature_that_decides_is_the_important_one() {
    let mut random = Stream(5);
    let rows = 400;
    let mut values = Vec::new();
    let mut labels = Vec::new();
    for _ in 0..rows {
        let (noise, signal) = (random.below(1000), random.below(1000));
        values.extend([f64::from(noise), f64::from(signal), 7.0]);
        labels.push(u32::from(signal > 500));
    }
    let data = Dataset::new(3, 2, values, labels).unwrap();
    let forest =
        Forest::fit(&data, ForestParams { trees: 30, ..Default::default() }, |_, bound| random.below(bound))
            .unwrap();
    let importance = forest.importance();
    assert!((importance.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    assert!(importance[1] > 0.7 && importance[2] == 0.0, "{importance:?}");
    let mut out = [0.0; 2];
    for (signal, class) in [(100.0, 0), (900.0, 1)] {
        forest.probabilities(&[500.0, signal, 7.0], &mut out);
        assert!(out[class] > 0.9, "{out:?}");
    }
}

#[test]
fn growers_can_be_used_again() {
    let data = data(3, 200, 5, 3, 9);
    let sorted = Presorted::new(&data).unwrap();
    let params = ForestParams::default();
    let grow = |grower: &mut Grower<'_>, tree| {
        let mut random = Stream(tree);
        grower.grow(|bound| random.below(bound))
    };
    let mut one = Grower::new(&sorted, params);
    let forwards: Vec<_> = (0..8).map(|tree| grow(&mut one, tree)).collect();
    let backwards: Vec<_> = (0..8).rev().map(|tree| grow(&mut one, tree)).collect();
    assert!(forwards.iter().eq(backwards.iter().rev()), "a tree depends on its stream only");
    assert!(sorted.different_rows() <= 200);
}

#[test]
fn extremes() {
    let one = Dataset::new(1, 2, vec![1.0], vec![0]).unwrap();
    assert_eq!(
        Forest::fit(&one, ForestParams::default(), |_, _| 0).unwrap_err(),
        DataError::EmptyClass { class: 1 }
    );
    // Constant columns: one leaf, and the shares of the bootstrap sample.
    let constant = Dataset::new(2, 2, vec![0.0; 8], vec![0, 0, 1, 1]).unwrap();
    let mut next = 0;
    let forest = Forest::fit(&constant, ForestParams { trees: 1, ..Default::default() }, |_, bound| {
        next += 1;
        next % bound
    });
    let forest = forest.unwrap();
    assert_eq!((forest.leaves(), forest.importance()), (1, vec![0.0, 0.0]));
    // Neighbouring numbers, and the largest ones.
    let tight = Dataset::new(
        1,
        2,
        vec![1.0, 1.0 + f64::EPSILON, -f64::MAX, f64::MAX, 0.0, -0.0],
        vec![0, 1, 0, 1, 0, 1],
    )
    .unwrap();
    let forest = Forest::fit(&tight, ForestParams { trees: 50, ..Default::default() }, {
        let mut random = Stream(1);
        move |_, bound| random.below(bound)
    })
    .unwrap();
    let mut out = [0.0; 2];
    for (value, class) in [(-f64::MAX, 0), (f64::MAX, 1)] {
        forest.probabilities(&[value], &mut out);
        assert!(out[class] > 0.5, "{value}: {out:?}");
    }
}
