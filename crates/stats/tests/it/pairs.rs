//! Exact pair distributions against the published tables, the vectors, and a slow computation.

use parlor_stats::outcomes::{Pentanomial, Trinomial};
use parlor_stats::pairs::{MOST_PAIRS, PairModel, sign_flip_p_value};
use proptest::prelude::*;
use serde_json::Value;

fn close(got: f64, want: f64, relative: f64, what: &str) {
    assert!((got - want).abs() <= relative * want.abs() + 1e-300, "{what}: {got:e}, expected {want:e}");
}

#[test]
fn all_published_values_are_right_to_the_last_digit() {
    let model = PairModel::new(0.3918, 0.3161).unwrap();
    let mut checked = 0;
    for line in include_str!("../vectors/selfplay-trinomial.csv")
        .lines()
        .filter(|l| l.starts_with(|c: char| c.is_ascii_digit()))
    {
        let fields: Vec<&str> = line.split(',').collect();
        let got = model.sum(fields[0].parse().unwrap()).unwrap().within(fields[1].parse().unwrap());
        assert_eq!(format!("{got:.3}"), fields[2], "{line}");
        checked += 1;
    }
    assert_eq!(checked, 105);
}

#[test]
fn vectors() {
    let rows: Vec<Value> = serde_json::from_str(include_str!("../vectors/pair-pvalues.json")).unwrap();
    assert_eq!(rows.len(), 187);
    for row in &rows {
        let number = |key: &str| row[key].as_f64().unwrap();
        let sum =
            PairModel::new(number("p"), number("q")).unwrap().sum(row["n_pairs"].as_u64().unwrap()).unwrap();
        let score = row["score"].as_i64().unwrap();
        let what = row.to_string();
        close(sum.sigma(), number("sigma_n"), 1e-13, &what);
        close(sum.exactly(score), number("pmf"), 1e-11, &what);
        close(sum.within(score), number("cdf_abs_le"), 1e-11, &what);
        close(sum.two_sided(score), number("p_two_sided"), 1e-11, &what);
        close(sum.at_least(score), number("p_one_sided"), 1e-11, &what);
        close(sum.two_sided_normal(score), number("p_two_sided_normal_cc"), 1e-11, &what);
    }
}

#[test]
fn the_settled_examples() {
    let chess = PairModel::new(0.3918, 0.3161).unwrap().sum(100).unwrap();
    assert_eq!(format!("{:.2}", chess.sigma()), "11.61");
    let biased = PairModel::new(0.75, 0.0).unwrap().sum(10).unwrap();
    assert_eq!(format!("{:.3}", biased.sigma()), "3.873");
    assert_eq!(format!("{:.3}", biased.two_sided(14 - 6)), "0.068");
}

/// Returns the distribution by adding one pair after the other: every term is positive, so every digit holds.
fn slow(model: &PairModel, n: usize) -> Vec<f64> {
    let chances = model.chances();
    let mut masses = vec![1.0];
    for _ in 0..n {
        let mut next = vec![0.0; masses.len() + 4];
        for (i, &m) in masses.iter().enumerate() {
            for (j, &c) in chances.iter().enumerate() {
                next[i + j] += m * c;
            }
        }
        masses = next;
    }
    masses
}

#[test]
fn tails_keep_their_digits() {
    for (p, q) in [(0.3918, 0.3161), (0.3, 0.6), (0.5, 0.0), (0.98, 0.019), (0.1, 1e-7), (1e-6, 0.5)] {
        let model = PairModel::new(p, q).unwrap();
        let n = 300;
        let want = slow(&model, n);
        let sum = model.sum(n as u64).unwrap();
        let all = sum.all();
        assert_eq!(all.len(), want.len());
        for (i, &got) in all.iter().enumerate() {
            // With hardly any draws odd scores are far rarer than the even ones beside them, so errors are relative
            // to those.
            let around =
                want[i.saturating_sub(1)..(i + 2).min(want.len())].iter().copied().fold(0.0, f64::max);
            let off = (got - want[i]).abs();
            assert!(around < 1e-290 || off <= 1e-10 * around, "p {p}, q {q}, score {} - {}", i, 2 * n);
        }
        for score in [1, 10, 60, 150, 599, 600] {
            let tail: f64 = want[2 * n + score..].iter().rev().sum();
            if tail > 1e-290 {
                close(sum.at_least(score as i64), tail, 1e-10, &format!("p {p}, q {q}, at least {score}"));
            }
        }
    }
}

#[test]
fn many_pairs_agree_with_doubling_them() {
    // X[2n] is the sum of two independent X[n]: this shares no code with the tilt at 2n.
    let model = PairModel::new(0.3918, 0.3161).unwrap();
    let (n, score) = (50_000u64, 2_500i64);
    let half = model.sum(n).unwrap();
    let masses = half.all();
    let most = half.most();
    let want: f64 = (-6_000..=6_000i64)
        .map(|s| masses[(most + s) as usize] * masses[(most + (score - s).clamp(-most, most)) as usize])
        .sum();
    close(model.sum(2 * n).unwrap().exactly(score), want, 1e-9, "X[100000] = 2500");
    let total: f64 = masses.iter().sum();
    close(total, 1.0, 1e-11, "total");
}

#[test]
fn swapped_names_give_an_exact_test_without_p_and_q() {
    // Three pairs decided by 2, all for one side: 2 of the 8 sign patterns are as extreme.
    close(sign_flip_p_value(&Pentanomial([0, 0, 5, 0, 3])).unwrap(), 0.25, 1e-12, "three wins");
    // Decided by 1, 1 and 2: sums ±4 (2 of 8), ±2 (4 of 8), 0 (2 of 8).
    close(sign_flip_p_value(&Pentanomial([0, 1, 0, 1, 1])).unwrap(), 0.75, 1e-12, "a sum of 2");
    // 450 pairs decided by 1 and 110 by 2, net 70: counted in whole numbers by another program.
    let many = sign_flip_p_value(&Pentanomial([50, 200, 500, 250, 60])).unwrap();
    close(many, 0.020_635_331_575_501_962, 1e-11, "a net score of 70");
    assert_eq!(sign_flip_p_value(&Pentanomial([0, 0, 9, 0, 0])), Some(1.0));
    assert_eq!(sign_flip_p_value(&Pentanomial([0; 5])), Some(1.0));
    assert_eq!(sign_flip_p_value(&Pentanomial([u64::MAX; 5])), None);
    close(sign_flip_p_value(&Pentanomial([0, 0, 0, 0, 900])).unwrap(), 2f64.powi(-899), 1e-9, "900 wins");
}

#[test]
fn edges() {
    for (p, q) in [(1.0, 0.0), (0.0, 1.0), (0.0, 0.0)] {
        // The seat decides everything: every pair is level.
        let sum = PairModel::new(p, q).unwrap().sum(7).unwrap();
        assert_eq!((sum.sigma(), sum.most()), (0.0, 0));
        assert_eq!((sum.exactly(0), sum.exactly(1)), (1.0, 0.0));
        assert_eq!((sum.two_sided(0), sum.two_sided(1), sum.two_sided_normal(1)), (1.0, 0.0, 0.0));
    }
    let none = PairModel::new(0.4, 0.3).unwrap().sum(0).unwrap();
    assert_eq!((none.exactly(0), none.within(0), none.two_sided(0), none.at_least(1)), (1.0, 1.0, 1.0, 0.0));
    assert_eq!(none.all(), [1.0]);
    let some = PairModel::new(0.4, 0.3).unwrap().sum(3).unwrap();
    assert_eq!((some.at_least(-6), some.at_least(7), some.within(-1), some.within(6)), (1.0, 0.0, 0.0, 1.0));
    assert_eq!((some.two_sided(i64::MIN), some.at_least(i64::MIN), some.at_least(i64::MAX)), (0.0, 1.0, 0.0));
    assert_eq!(some.within(i64::MAX), 1.0);
    for (p, q) in [(0.6, 0.5), (-0.1, 0.5), (0.5, -0.1), (f64::NAN, 0.0), (0.0, f64::INFINITY)] {
        assert!(PairModel::new(p, q).is_err(), "{p} {q}");
    }
    assert!(PairModel::new(0.7, 0.3).is_ok());
    assert!(PairModel::new(0.4, 0.3).unwrap().sum(MOST_PAIRS + 1).is_err());
    assert_eq!(PairModel::from_first_player(&Trinomial::default()), None);
    assert_eq!(PairModel::from_pairs(&Pentanomial::default()), None);
    assert_eq!(
        PairModel::from_first_player(&Trinomial::new(30, 10, 10)),
        Some(PairModel::new(0.6, 0.2).unwrap())
    );
    assert_eq!(
        PairModel::from_pairs(&Pentanomial([1, 2, 3, 2, 0])).unwrap().chances(),
        [0.0625, 0.25, 0.375, 0.25, 0.0625]
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn always_a_probability(p in 0.0..1.0f64, part in 0.0..1.0f64, n in 0u64..3000, score in -7000i64..7000) {
        let sum = PairModel::new(p, part * (1.0 - p)).unwrap().sum(n).unwrap();
        for value in [sum.exactly(score), sum.at_least(score), sum.within(score), sum.two_sided(score), sum.two_sided_normal(score)] {
            prop_assert!((0.0..=1.0).contains(&value), "{value}");
        }
        prop_assert!(sum.at_least(score) >= sum.at_least(score + 1) - 1e-12);
        let around = sum.at_least(score) + sum.at_least(1 - score);
        prop_assert!((around - 1.0).abs() < 1e-11, "{around}");
    }

    #[test]
    fn sign_flips_are_a_probability(counts in prop::array::uniform5(0u64..2000)) {
        let p = sign_flip_p_value(&Pentanomial(counts)).unwrap();
        prop_assert!((0.0..=1.0).contains(&p), "{p}");
    }
}
