//! Tests and intervals against SciPy 1.17 and statsmodels, their edge cases, and their coverage.

use parlor_stats::compare::*;
use parlor_stats::curves::*;
use parlor_stats::intervals::*;
use parlor_stats::samples::Sample;
use proptest::prelude::*;

use crate::common;
use common::Dice;

fn close(got: f64, want: f64) {
    assert!((got - want).abs() <= 1e-9 * want.abs().max(1e-3), "{got}, expected {want}");
}

const A: [f64; 6] = [3.1, 4.5, 2.2, 5.9, 4.4, 3.8];
const B: [f64; 5] = [1.9, 2.8, 3.5, 2.4, 2.2];

#[test]
fn differences_of_means() {
    let welch = means(&A, &B).unwrap();
    close(welch.t.unwrap(), 2.416_675_733_114_858_3);
    close(welch.freedom, 7.484_288_143_899_445_5);
    close(welch.p_value, 0.044_107_589_215_117_68);
    close(welch.interval.low, 0.048_718_074_720_498_716);
    close(welch.interval.high, 2.797_948_591_946_169);
    let paired = paired_means(&A[..5], &B).unwrap();
    close(paired.t.unwrap(), 1.850_326_196_921_628_5);
    close(paired.p_value, 0.137_937_334_981_148_96);
    close(paired.interval.low, -0.730_754_181_793_855_7);
    close(paired.interval.high, 3.650_754_181_793_856_5);
    let student = mean(&A, 0.95).unwrap();
    close(student.low, 2.646_932_911_240_321);
    close(student.high, 5.319_733_755_426_347);
}

#[test]
fn variances_and_groups() {
    let ratio = variances(&A, &B).unwrap();
    close(ratio.f.unwrap(), 4.234_116_623_150_566);
    close(ratio.p_value, 0.186_927_601_541_643_2);
    close(ratio.above, 0.093_463_800_770_821_6);
    let groups = anova(&[&A, &B, &[4.0, 4.2, 5.5, 6.1]]).unwrap();
    close(groups.f.unwrap(), 6.203_922_390_091_908_5);
    close(groups.p_value, 0.014_122_477_113_447_699);
    assert_eq!(groups.freedom, (2.0, 12.0));
}

/// Successes, trials, rate; two-sided p-value; Wilson's interval; that of Clopper and Pearson.
type Row = (u64, u64, f64, f64, (f64, f64), (f64, f64));
const RATES: &[Row] = &[
    (
        14,
        20,
        0.5,
        0.11531829833984375,
        (0.4810271816464766, 0.8545227551323957),
        (0.4572108177235281, 0.8810684095942724),
    ),
    (
        3,
        20,
        0.4,
        0.022427038142043255,
        (0.05236874589621662, 0.3604188647407569),
        (0.03207093718554477, 0.37892682654529564),
    ),
    (0, 7, 0.3, 0.11114980000000002, (0.0, 0.35433043506668743), (0.0, 0.4096163972250487)),
    (7, 7, 0.9, 1.0, (0.6456695649333126, 1.0), (0.5903836027749514, 1.0)),
    (
        113,
        200,
        0.5,
        0.07683763213126037,
        (0.49570736259794607, 0.6318427449730093),
        (0.4932612078124723, 0.6347829308303482),
    ),
    (
        30,
        1000,
        0.05,
        0.0028186552844724853,
        (0.021093738828834696, 0.042503414147587126),
        (0.020330485683114657, 0.042551402470029094),
    ),
    (
        520,
        1000,
        0.5,
        0.2174482932041415,
        (0.48901772465751897, 0.5508292050030588),
        (0.4885148824521466, 0.5513670573054663),
    ),
    (
        1,
        10,
        0.3,
        0.2995766784999998,
        (0.017876213095072896, 0.4041500267952385),
        (0.0025285785444625728, 0.44501611702819543),
    ),
];

#[test]
fn single_rates() {
    for &(k, n, p, p_value, score, exact) in RATES {
        close(binomial(k, n, p).unwrap(), p_value);
        for (got, want) in [(wilson(k, n, 0.95), score), (clopper_pearson(k, n, 0.95), exact)] {
            close(got.unwrap().low, want.0);
            close(got.unwrap().high, want.1);
        }
    }
}

#[test]
fn differences_of_rates() {
    let got = rates((30, 100), (45, 110)).unwrap();
    close(got.z.unwrap(), -1.647_771_681_742_2);
    close(got.p_value, 0.099_399_532_161_655_74);
    close(got.interval.low, -0.232_782_677_627_703_47);
    close(got.interval.high, 0.020_556_446_255_100_835);
}

#[test]
fn confidences_of_the_collective_learner_are_those_published() {
    // Table 2: mean wins of 500 against the 250 of an equal player.
    let rows: Vec<&str> = include_str!("../vectors/collective-a1.csv")
        .lines()
        .filter(|l| l.starts_with(|c: char| c.is_ascii_digit()))
        .collect();
    assert_eq!(rows.len(), 10);
    for row in rows {
        let fields: Vec<u64> = row.split(',').map(|f| f.parse().unwrap()).collect();
        let confidence = rates((fields[1], 500), (250, 500)).unwrap().confidence;
        assert_eq!((100.0 * confidence).round() as u64, fields[4], "{row}");
    }
}

#[test]
fn many_p_values() {
    for (got, want) in holm(&[0.01, 0.04, 0.03, 0.005, 0.5]).into_iter().zip([0.04, 0.09, 0.09, 0.025, 0.5]) {
        close(got, want);
    }
    assert!(holm(&[]).is_empty());
    assert_eq!(holm(&[f64::NAN, -1.0, 7.0]), [1.0, 0.0, 1.0]);
}

#[test]
fn edges() {
    assert_eq!((means(&[1.0], &B), means(&[], &B), paired_means(&A, &B)), (None, None, None));
    assert_eq!((mean(&[1.0], 0.95), mean(&A, 1.0), mean(&[1.0, f64::NAN], 0.95)), (None, None, None));
    let level = means(&[0.1; 3], &[0.1; 4]).unwrap();
    assert_eq!((level.t, level.p_value, level.interval), (None, 1.0, Interval { low: 0.0, high: 0.0 }));
    let apart = means(&[2.0; 3], &[1.0; 4]).unwrap();
    assert_eq!((apart.t, apart.p_value, apart.difference), (None, 0.0, 1.0));
    assert_eq!(paired_means(&[5.0, 6.0], &[4.0, 5.0]).unwrap().p_value, 0.0);

    assert_eq!(variances(&[1.0; 3], &[2.0; 3]).unwrap().p_value, 1.0);
    assert_eq!(variances(&A, &[2.0; 3]).unwrap().p_value, 0.0);
    assert_eq!(variances(&[2.0; 3], &A).unwrap().p_value, 0.0);
    assert_eq!(variances(&[2.0], &A), None);

    assert_eq!((anova(&[&A]), anova(&[&A, &[]]), anova(&[&[1.0], &[2.0]])), (None, None, None));
    assert_eq!(anova(&[&[0.1; 5], &[0.1; 5]]).unwrap().p_value, 1.0);
    assert_eq!(anova(&[&[0.1; 5], &[0.2; 5]]).unwrap().p_value, 0.0);

    assert_eq!((rates((0, 0), (1, 2)), rates((3, 2), (1, 2))), (None, None));
    let never = rates((0, 10), (0, 20)).unwrap();
    assert_eq!((never.z, never.p_value, never.confidence), (None, 1.0, 0.5));
    assert!(rates((10, 10), (0, 10)).unwrap().p_value < 1e-4);

    assert_eq!(wilson(0, 0, 0.95), Some(Interval { low: 0.0, high: 1.0 }));
    assert_eq!(clopper_pearson(0, 0, 0.95), Some(Interval { low: 0.0, high: 1.0 }));
    assert_eq!((wilson(3, 2, 0.95), clopper_pearson(3, 2, 0.95), wilson(1, 2, 0.0)), (None, None, None));
    assert_eq!((binomial(0, 0, 0.5), binomial(3, 2, 0.5), binomial(1, 2, 1.5)), (Some(1.0), None, None));
    assert_eq!(
        (binomial(5, 5, 1.0), binomial(4, 5, 1.0), binomial(0, 5, 0.0)),
        (Some(1.0), Some(0.0), Some(1.0))
    );
    assert_eq!(Sample::of(&[]), None);
    assert_eq!(Sample::of(&[f64::MAX, -f64::MAX]), None);
}

#[test]
fn intervals_cover() {
    let mut dice = Dice::new(3);
    let runs = 2000;
    let [mut score, mut exact, mut student, mut boot, mut newcombe] = [0; 5];
    for _ in 0..runs {
        let p = 0.3;
        let k = (0..60).filter(|_| dice.unit() < p).count() as u64;
        score += u32::from(wilson(k, 60, 0.95).unwrap().contains(p));
        exact += u32::from(clopper_pearson(k, 60, 0.95).unwrap().contains(p));
        let other = (0..50).filter(|_| dice.unit() < 0.4).count() as u64;
        newcombe += u32::from(rates((k, 60), (other, 50)).unwrap().interval.contains(p - 0.4));
        let few: Vec<f64> = (0..6).map(|_| 10.0 + 3.0 * dice.normal()).collect();
        student += u32::from(mean(&few, 0.95).unwrap().contains(10.0));
    }
    for _ in 0..400 {
        let many: Vec<f64> = (0..60).map(|_| dice.normal()).collect();
        let average = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        boot += u32::from(bootstrap(&many, average, 300, 0.95, || dice.unit()).unwrap().contains(0.0));
    }
    println!(
        "score {score}, exact {exact}, student {student}, rates {newcombe} of {runs}; bootstrap {boot} of 400"
    );
    // Four standard errors of 95 % are 2 points with 2000 runs, 4.4 with 400.
    for (name, covered) in [("wilson", score), ("student", student), ("rates", newcombe)] {
        assert!((1860..=1940).contains(&covered), "{name} covered {covered} of {runs}");
    }
    assert!(exact >= 1880, "clopper-pearson covered {exact} of {runs}");
    assert!((362..=397).contains(&boot), "bootstrap covered {boot} of 400");
}

#[test]
fn ratios_of_sums_take_groups_as_the_unit() {
    // Groups of one: the mean of zeros and ones.
    let single: Vec<(f64, f64)> = A.iter().map(|&a| (a, 1.0)).collect();
    let (own, student) = (ratio(&single, 0.95).unwrap(), mean(&A, 0.95).unwrap());
    assert!((own.low - student.low).abs() < 1e-12 && (own.high - student.high).abs() < 1e-12);
    // Decisions of one match are correlated: all of its 1 to 8 decisions are right, or none, with probability 0.3.
    let mut dice = Dice::new(5);
    let (runs, mut grouped, mut single) = (2000, 0, 0);
    for _ in 0..runs {
        let groups: Vec<(f64, f64)> = (0..60)
            .map(|_| {
                let size = (1.0 + 8.0 * dice.unit()).floor();
                (if dice.unit() < 0.3 { size } else { 0.0 }, size)
            })
            .collect();
        grouped += u32::from(ratio(&groups, 0.95).unwrap().contains(0.3));
        let (part, whole) = groups.iter().fold((0.0, 0.0), |(p, w), g| (p + g.0, w + g.1));
        single += u32::from(wilson(part as u64, whole as u64, 0.95).unwrap().contains(0.3));
    }
    assert!((1840..=1940).contains(&grouped), "covered {grouped} of {runs}");
    assert!(single < 1400, "decisions taken for independent would cover {single} of {runs}");
    assert_eq!(ratio(&[(1.0, 2.0)], 0.95), None);
    assert_eq!(ratio(&[(0.0, 0.0), (0.0, 0.0)], 0.95), None);
}

#[test]
fn bootstrap_edges_and_seeds() {
    let average = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let run = |seed| {
        let mut dice = Dice::new(seed);
        bootstrap(&A, average, 200, 0.9, || dice.unit())
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
    assert_eq!(bootstrap(&[], average, 10, 0.95, || 0.5), None);
    assert_eq!(bootstrap(&A, average, 0, 0.95, || 0.5), None);
    assert_eq!(bootstrap(&A, |_| f64::NAN, 10, 0.95, || 0.5), None);
    // A generator that returns 1 despite its contract must not cause a panic.
    assert_eq!(bootstrap(&A, |drawn| drawn[0], 5, 0.95, || 1.0), Some(Interval { low: 3.8, high: 3.8 }));
    assert_eq!(bootstrap(&[2.0], average, 1, 0.95, || 0.0), Some(Interval { low: 2.0, high: 2.0 }));
}

#[test]
fn gains_are_those_of_table_5() {
    let published: Vec<f64> = include_str!("../vectors/collective-g4.3-gains.csv")
        .lines()
        .filter(|l| l.starts_with(|c: char| c.is_ascii_digit()))
        .map(|l| l.split(',').nth(1).unwrap().parse().unwrap())
        .collect();
    // Percentages are of 200 contests: 45.5 % is in the table.
    let gains: Vec<f64> = [98, 86, 92, 91, 92].iter().map(|&wins| gain(wins, 200 - wins)).collect();
    assert_eq!(published.len(), gains.len());
    for (got, want) in gains.iter().zip(&published) {
        assert_eq!(format!("{got:.2}"), format!("{want:.2}"));
    }
    assert_eq!(linear_gain(475, 1000), Some(-5.0));
    assert_eq!((gain(0, 0), gain(5, 0), gain(0, 5), gain(5, 5)), (0.0, 100.0, -100.0, 0.0));
    assert_eq!((linear_gain(0, 0), linear_gain(3, 2), linear_gain(2, 2)), (None, None, Some(100.0)));
    assert_eq!(margin(100.0, -100.0), 100.0);
}

#[test]
fn summaries_of_curves() {
    for spread in [Spread::Sample, Spread::Population] {
        close(deviation(&[-100.0, 100.0], spread).unwrap(), 100.0);
        assert_eq!(deviation(&[7.0, 7.0, 7.0], spread), Some(0.0));
        assert_eq!(deviation(&[], spread), None);
    }
    assert_eq!((deviation(&[1.0], Spread::Sample), deviation(&[1.0], Spread::Population)), (None, Some(0.0)));
    assert_eq!(benefit(&[2.0, 4.0, -3.0]), [2.0, 3.0, 1.0]);
    assert!(benefit(&[]).is_empty());
    let level: Vec<f64> = (0..40).map(|i| f64::from(i % 5)).collect();
    let rising: Vec<f64> = (0..40).map(|i| f64::from(i) + f64::from(i % 2)).collect();
    assert_eq!(still_moving(&level).unwrap().freedom, (2.0, 12.0));
    assert!(still_moving(&level).unwrap().p_value > 0.99);
    assert!(still_moving(&rising).unwrap().p_value < 1e-4);
    assert_eq!(still_moving(&level[..14]), None);
}

proptest! {
    #[test]
    fn results_are_finite_numbers(
        a in prop::collection::vec(-1e6..1e6f64, 0..20),
        b in prop::collection::vec(prop_oneof![Just(1.0), Just(1e300), -1.0..1.0f64], 0..20),
        k in 0u64..50,
        n in 0u64..50,
        p in 0.0..1.0f64,
    ) {
        if let Some(m) = means(&a, &b) {
            let all = [m.p_value, m.interval.low, m.interval.high, m.freedom, m.t.unwrap_or(0.0)];
            prop_assert!(all.into_iter().all(f64::is_finite));
        }
        if let Some(v) = variances(&a, &b) {
            prop_assert!((0.0..=1.0).contains(&v.p_value) && v.f.is_none_or(f64::is_finite));
        }
        if let Some(g) = anova(&[&a, &b]) {
            prop_assert!((0.0..=1.0).contains(&g.p_value) && g.f.is_none_or(f64::is_finite));
        }
        if let Some(r) = rates((k, n), (n, n + k)) {
            prop_assert!((0.0..=1.0).contains(&r.p_value) && r.interval.contains(r.difference));
        }
        if let Some(value) = binomial(k, n, p) {
            // The sum over all outcomes that are not likelier.
            let mass = |i| parlor_stats::distributions::binomial_exactly(i, n, p).unwrap();
            let slow: f64 = (0..=n).map(mass).filter(|&m| m <= mass(k) * (1.0 + 1e-9)).sum();
            prop_assert!((value - slow).abs() < 1e-9, "{value} {slow}");
        }
        if k <= n {
            let (score, exact) = (wilson(k, n, 0.9).unwrap(), clopper_pearson(k, n, 0.9).unwrap());
            let rate = if n == 0 { 0.5 } else { k as f64 / n as f64 };
            prop_assert!(score.contains(rate) && exact.contains(rate));
        }
    }
}
