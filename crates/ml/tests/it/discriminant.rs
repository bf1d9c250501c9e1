//! Discriminant analysis against closed forms.

use parlor_ml::{Classifier, DataError, Dataset, Discriminant, Model, most_likely};

fn probabilities(model: &Discriminant, row: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; model.classes()];
    model.probabilities(row, &mut out);
    assert!((out.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    out
}

fn close(one: f64, other: f64) {
    assert!((one - other).abs() < 1e-12 * (1.0 + other.abs()), "{one} is not {other}");
}

/// One feature, two classes: means 1 and 4, pooled variance 1, shares ⅗ and ⅖.
#[test]
fn two_gaussians_on_a_line() {
    // Squares about the class means: 2 · 1.5² + 2 · 0.5² = 5 for 5 rows.
    let data = Dataset::new(1, 2, vec![-0.5, 1.0, 2.5, 3.5, 4.5], vec![0, 0, 0, 1, 1]).unwrap();
    let model = Discriminant::fit(&data).unwrap();
    assert_eq!(model.priors(), [0.6, 0.4]);
    assert_eq!((model.axes(), model.explained()), (1, &[1.0][..]));
    for x in [-2.0, 0.0, 2.5, 3.0, 10.0_f64] {
        // log (p₁/p₀) = log (⅖ / ⅗) + (x − 1)²/2 − (x − 4)²/2.
        let odds = libm::exp(libm::log(2.0 / 3.0) + ((x - 1.0) * (x - 1.0) - (x - 4.0) * (x - 4.0)) / 2.0);
        close(probabilities(&model, &[x])[1], odds / (1.0 + odds));
    }
    // Distances on the axis are standard deviations within a class.
    let mut places = [[0.0], [0.0]];
    model.project(&[1.0], &mut places[0]);
    model.project(&[4.0], &mut places[1]);
    close((places[1][0] - places[0][0]).abs(), 3.0);
}

/// Three classes whose common covariance is half the identity: probabilities by the Gaussian densities.
#[test]
fn three_gaussians_in_a_plane() {
    let centres = [[0.0, 0.0], [3.0, 0.0], [0.0, 5.0]];
    let around = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
    let mut values = Vec::new();
    let mut labels = Vec::new();
    for (class, centre) in centres.iter().enumerate() {
        for off in around {
            values.extend([centre[0] + off[0], centre[1] + off[1]]);
            labels.push(class as u32);
        }
    }
    // Each class adds 2 on each diagonal: 6 for 12 rows.
    let variance = 0.5;
    let data = Dataset::new(2, 3, values, labels).unwrap();
    let model = Discriminant::fit(&data).unwrap();
    assert_eq!(model.axes(), 2);
    close(model.explained().iter().sum(), 1.0);
    for x in [[0.0, 0.0], [1.5, 1.0], [2.0, 2.0], [-3.0, 4.0_f64]] {
        let density = centres.map(|centre: [f64; 2]| {
            let square = (x[0] - centre[0]) * (x[0] - centre[0]) + (x[1] - centre[1]) * (x[1] - centre[1]);
            libm::exp(-square / (2.0 * variance))
        });
        let sum: f64 = density.iter().sum();
        for (probability, density) in probabilities(&model, &x).iter().zip(density) {
            close(*probability, density / sum);
        }
    }
}

/// Stretching, shearing and moving the features changes no probability.
#[test]
fn linear_maps_change_nothing() {
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 40) as f64 / 1e6
    };
    let rows: Vec<[f64; 2]> =
        (0..60).map(|row| [random() + f64::from(row % 3), random() - f64::from(row % 2)]).collect();
    let labels: Vec<u32> = (0..60).map(|row| row % 3).collect();
    let fitted = |map: &dyn Fn([f64; 2]) -> [f64; 2]| {
        let values = rows.iter().flat_map(|&row| map(row)).collect();
        Discriminant::fit(&Dataset::new(2, 3, values, labels.clone()).unwrap()).unwrap()
    };
    let map = |[x, y]: [f64; 2]| [1e6 * x + 3.0 * y - 5.0, 1e-3 * y];
    let (plain, mapped) = (fitted(&|row| row), fitted(&map));
    for &row in &rows {
        for (one, other) in probabilities(&plain, &row).iter().zip(probabilities(&mapped, &map(row))) {
            assert!((one - other).abs() < 1e-6, "{one} and {other}");
        }
    }
}

#[test]
fn constant_and_dependent_columns_are_ignored() {
    let line = [0.0, 1.0, 2.0, 4.0, 5.0, 7.0];
    let labels = vec![0, 0, 0, 1, 1, 1];
    let plain = Discriminant::fit(&Dataset::new(1, 2, line.to_vec(), labels.clone()).unwrap()).unwrap();
    // 0.1 has no exact mean; the third column is a multiple of the first.
    let values = line.iter().flat_map(|&x| [x, 0.1, -3.0 * x]).collect();
    let more = Discriminant::fit(&Dataset::new(3, 2, values, labels).unwrap()).unwrap();
    for &x in &line {
        let (one, other) = (probabilities(&plain, &[x]), probabilities(&more, &[x, 0.1, -3.0 * x]));
        close(one[0], other[0]);
    }
    // With nothing but constants, the shares are all that is known.
    let constant = Dataset::new(1, 2, vec![0.1; 4], vec![0, 0, 0, 1]).unwrap();
    let model = Discriminant::fit(&constant).unwrap();
    assert_eq!(model.axes(), 0);
    close(probabilities(&model, &[0.1])[0], 0.75);
}

#[test]
fn too_little_data_is_refused() {
    let fit = |values: &[f64], labels: &[u32]| {
        Discriminant::fit(&Dataset::new(1, 2, values.to_vec(), labels.to_vec()).unwrap()).unwrap_err()
    };
    assert_eq!(fit(&[1.0], &[0]), DataError::EmptyClass { class: 1 });
    assert_eq!(fit(&[1.0, 2.0], &[0, 1]), DataError::TooFewRows { rows: 2, classes: 2 });
    assert_eq!(fit(&[1.0, 2.0, 3.0], &[1, 1, 1]), DataError::EmptyClass { class: 0 });
}

/// Fisher's irises, every fifth row of the published table (ten of each kind); the coefficients and probabilities are those of
/// `sklearn.discriminant_analysis.LinearDiscriminantAnalysis(solver="svd")`, version 1.9.1.
#[test]
fn the_irises_are_as_in_scikit_learn() {
    let data: Vec<Vec<f64>> = include_str!("../data/irises.csv")
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect())
        .collect();
    let values = data.iter().flat_map(|row| row[..4].to_vec()).collect();
    let labels = data.iter().map(|row| row[4] as u32).collect();
    let model = Discriminant::fit(&Dataset::new(4, 3, values, labels).unwrap()).unwrap();
    for row in &data {
        let found = probabilities(&model, &row[..4]);
        for (found, expected) in found.iter().zip(&row[5..8]) {
            assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
        }
        assert_eq!(most_likely(&found), row[8] as usize);
    }
}

#[test]
fn bytes_come_back() {
    let data = Dataset::new(2, 2, vec![0.0, 1.0, 2.0, 3.0, 5.0, 4.0, 6.0, 9.0], vec![0, 0, 1, 1]).unwrap();
    let model = Model::Mda(Discriminant::fit(&data).unwrap());
    let bytes = model.encode();
    assert_eq!(Model::decode("mda", 2, 2, &bytes).unwrap(), model);
    assert!(Model::decode("mda", 3, 2, &bytes).is_err());
    assert!(Model::decode("forest", 2, 2, &bytes).is_err());
    assert!(Model::decode("tea leaves", 2, 2, &bytes).is_err());
    for cut in 0..bytes.len() {
        assert!(Model::decode("mda", 2, 2, &bytes[..cut]).is_err());
    }
    assert!(Model::decode("mda", 2, 2, &[&bytes[..], &[0]].concat()).is_err());
}
