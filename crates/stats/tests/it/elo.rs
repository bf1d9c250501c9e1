//! Elo, LOS and log-likelihood ratios against the vectors, and their edge cases.

use parlor_stats::elo::*;
use parlor_stats::outcomes::{Pentanomial, Tally, Trinomial};
use parlor_stats::sprt::{Scale, Sprt, State};
use proptest::prelude::*;
use serde_json::Value;

use crate::common;
use common::Dice;

/// Compares to nine digits; a number that does not exist is `null` or missing.
fn same(row: &Value, key: &str, got: Option<f64>) {
    let want = row.get(key).and_then(Value::as_f64);
    match (got, want) {
        (None, None) => {}
        (Some(got), Some(want)) => {
            // Ratios of likelihoods are sums over 10⁵ results: they have rounding errors of about 10⁻¹⁰ themselves.
            let least = if key.starts_with("llr") { 1.0 } else { 1e-3 };
            let off = (got - want).abs();
            assert!(off <= 1e-9 * want.abs().max(least), "{key}: {got}, expected {want} in {row}");
        }
        _ => panic!("{key}: {got:?}, expected {want:?} in {row}"),
    }
}

/// Compares like [`same`], but relative to the number itself, however small it is.
fn same_tail(row: &Value, key: &str, got: Option<f64>) {
    same(row, key, got);
    if let (Some(got), Some(want)) = (got, row.get(key).and_then(Value::as_f64)) {
        assert!((got - want).abs() <= 1e-9 * want, "{key}: {got:e}, expected {want:e} in {row}");
    }
}

fn check(row: &Value, estimate: &Estimate, tally: Tally) {
    same(row, "score", estimate.score);
    same(row, "variance", estimate.variance);
    same(row, "elo", estimate.elo);
    same(row, "elo_lo95", estimate.elo_low);
    same(row, "elo_hi95", estimate.elo_high);
    same(row, "elo_err95_half_width", estimate.elo_error());
    same(row, "nelo", estimate.nelo);
    same(row, "nelo_err95", estimate.nelo_error);
    same_tail(row, "los", estimate.los);

    let theirs = fishtest(tally).unwrap();
    same(&row["fishtest"], "elo", Some(theirs.elo));
    same(&row["fishtest"], "elo95", Some(theirs.elo95));
    same_tail(&row["fishtest"], "los", Some(theirs.los));

    let test = &row["sprt"];
    let number = |key: &str| test[key].as_f64().unwrap();
    for (scale, llr, state) in [
        (Scale::Logistic, "llr_logistic", "state_logistic"),
        (Scale::Normalised, "llr_normalized_converged", "state_normalized"),
    ] {
        let sprt = Sprt::new(scale, number("elo0"), number("elo1")).unwrap();
        let sprt = sprt.with_rates(number("alpha"), number("beta")).unwrap();
        same(test, "lower", Some(sprt.lower()));
        same(test, "upper", Some(sprt.upper()));
        same(test, llr, Some(sprt.llr(tally)));
        let word = match sprt.state(sprt.llr(tally)) {
            State::Continue => "continue",
            State::H0 => "H0",
            State::H1 => "H1",
        };
        assert_eq!(test[state], word, "{row}");
        if scale == Scale::Logistic {
            same(test, "llr_logistic_approx", Some(sprt.llr_normal(tally)));
        } else {
            same(test, "llr_normalized", Some(sprt.llr(tally)));
        }
    }
}

#[test]
fn games() {
    let rows: Vec<Value> = serde_json::from_str(include_str!("../vectors/elo-sprt-trinomial.json")).unwrap();
    assert_eq!(rows.len(), 12);
    for row in &rows {
        let count = |key: &str| row[key].as_u64().unwrap();
        let games = Trinomial::new(count("W"), count("D"), count("L"));
        check(row, &of_games(&games), games.into());
        same_tail(row, "los_ignoring_draws", los_ignoring_draws(&games));
    }
}

#[test]
fn pairs() {
    let rows: Vec<Value> =
        serde_json::from_str(include_str!("../vectors/elo-sprt-pentanomial.json")).unwrap();
    assert_eq!(rows.len(), 11);
    for row in &rows {
        let counts: [u64; 5] = std::array::from_fn(|i| row["penta"][i].as_u64().unwrap());
        let pairs = Pentanomial(counts);
        assert_eq!(row["pairs"], pairs.pairs());
        check(row, &of_pairs(&pairs), pairs.into());
    }
}

#[test]
fn edges() {
    assert_eq!(of_games(&Trinomial::default()), Estimate { p_value: None, ..Estimate::default() });
    assert_eq!(fishtest(Trinomial::default()), None);
    assert_eq!(los_ignoring_draws(&Trinomial::new(0, 4, 0)), None);

    let draws = of_games(&Trinomial::new(0, 5, 0));
    assert_eq!(
        (draws.elo, draws.los, draws.p_value, draws.p_value_normal),
        (Some(0.0), None, Some(1.0), None)
    );
    let wins = of_games(&Trinomial::new(10, 0, 0));
    assert_eq!((wins.elo, wins.elo_low, wins.los), (None, None, Some(1.0)));
    assert!((wins.p_value.unwrap() - 2.0f64.powi(-9)).abs() < 1e-12);
    let losses = of_games(&Trinomial::new(0, 0, 1));
    assert_eq!((losses.elo, losses.los), (None, Some(0.0)));
    assert!((losses.p_value.unwrap() - 1.0).abs() < 1e-12);
    // One win in twenty: the interval's lower end falls below a score of 0.
    let few = of_games(&Trinomial::new(1, 0, 19));
    assert!(
        few.elo.is_some() && few.elo_low.is_none() && few.elo_high.is_some() && few.elo_error().is_none()
    );
    let one = of_pairs(&Pentanomial([0, 0, 0, 1, 0]));
    assert!((one.elo.unwrap() - 190.848_501_887_864_97).abs() < 1e-9);
    assert_eq!((one.nelo, one.los), (None, Some(1.0)));
    assert!((one.p_value.unwrap() - 1.0).abs() < 1e-12);
}

#[test]
fn levels() {
    let games = Trinomial::new(136, 111, 96);
    let (wide, narrow) = (of_games_at(&games, 0.99).unwrap(), of_games_at(&games, 0.5).unwrap());
    assert!(wide.elo_low < of_games(&games).elo_low && of_games(&games).elo_low < narrow.elo_low);
    for level in [0.0, 1.0, -1.0, f64::NAN] {
        assert!(of_games_at(&games, level).is_err());
        assert!(of_pairs_at(&Pentanomial([1; 5]), level).is_err());
    }
}

#[test]
fn scores_and_elo_are_inverse() {
    for elo in [-800.0, -3.5, 0.0, 17.0, 400.0] {
        assert!((elo_of_score(score_of_elo(elo)).unwrap() - elo).abs() < 1e-9);
    }
    assert!((score_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-15);
    assert_eq!((elo_of_score(0.0), elo_of_score(1.0), elo_of_score(f64::NAN)), (None, None, None));
}

#[test]
fn intervals_cover_and_p_values_are_honest() {
    let mut dice = Dice::new(21);
    let runs = 1500;
    let chances = [0.08, 0.17, 0.4, 0.25, 0.1];
    let truth = elo_of_score(0.53).unwrap();
    let level = [0.1, 0.2, 0.4, 0.2, 0.1];
    let (mut covered, mut rejected) = (0, 0);
    for _ in 0..runs {
        let mut play = |chances: &[f64; 5]| {
            let mut pairs = Pentanomial::default();
            for _ in 0..150 {
                pairs.0[dice.pick(chances)] += 1;
            }
            of_pairs(&pairs)
        };
        let seen = play(&chances);
        covered += u32::from(seen.elo_low.unwrap() <= truth && truth <= seen.elo_high.unwrap());
        rejected += u32::from(play(&level).p_value.unwrap() <= 0.05);
    }
    println!("covered {covered}, rejected {rejected} of {runs}");
    // Four standard errors of 95 % are 2.3 points. An exact test rejects at most 5 % of true hypotheses, on a lattice
    // somewhat fewer.
    assert!((1390..=1459).contains(&covered), "{covered} of {runs}");
    assert!((30..=109).contains(&rejected), "{rejected} of {runs}");
}

fn finite(estimate: &Estimate) -> bool {
    let e = estimate;
    [
        e.score,
        e.variance,
        e.elo,
        e.elo_low,
        e.elo_high,
        e.nelo,
        e.nelo_error,
        e.los,
        e.p_value,
        e.p_value_normal,
    ]
    .into_iter()
    .flatten()
    .all(f64::is_finite)
}

/// Counts of all sizes, zeros often among them.
fn count() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0u64), 0u64..5, 0u64..1000, 0u64..10_000_000, Just(u64::MAX)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn results_are_finite_numbers(
        w in count(),
        d in count(),
        l in count(),
        counts in prop::array::uniform5(count()),
        elo in -600.0..600.0f64,
        gap in 0.01..200.0f64,
    ) {
        let (games, pairs) = (Trinomial::new(w, d, l), Pentanomial(counts));
        prop_assert!(finite(&of_games(&games)), "{games:?}");
        prop_assert!(finite(&of_pairs(&pairs)), "{pairs:?}");
        for scale in [Scale::Logistic, Scale::Normalised] {
            let sprt = Sprt::new(scale, elo, elo + gap).unwrap();
            prop_assert!(sprt.llr(games).is_finite(), "{games:?} {sprt:?}");
            prop_assert!(sprt.llr(pairs).is_finite(), "{pairs:?} {sprt:?}");
            prop_assert!(sprt.llr_normal(games).is_finite());
        }
    }

    #[test]
    fn swapping_sides_swaps_signs(w in 0u64..500, d in 0u64..500, l in 0u64..500, elo in 0.5..100.0f64) {
        let (here, there) = (Trinomial::new(w, d, l), Trinomial::new(l, d, w));
        let (a, b) = (of_games(&here), of_games(&there));
        for (x, y) in [(a.elo, b.elo), (a.elo_low, b.elo_high), (a.nelo, b.nelo)] {
            prop_assert!(x.is_some() == y.is_some());
            prop_assert!((x.unwrap_or(0.0) + y.unwrap_or(0.0)).abs() < 1e-9);
        }
        for scale in [Scale::Logistic, Scale::Normalised] {
            let sprt = Sprt::new(scale, -elo, elo).unwrap();
            let (x, y) = (sprt.llr(here), sprt.llr(there));
            prop_assert!((x + y).abs() < 1e-9 * (1.0 + x.abs()), "{x} {y}");
        }
    }
}

#[test]
fn level_scores_are_zero_without_a_sign() {
    assert!(elo_of_score(0.5).is_some_and(|elo| elo == 0.0 && elo.is_sign_positive()));
}
