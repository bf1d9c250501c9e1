//! What finished rows say: pinned numbers, and error rates that are kept.

use parlor_core::{LearningReport, Rng};
use parlor_lab::experiment::evidence::StrangeRow;
use parlor_lab::experiment::verdicts::{Finding, verdicts};
use parlor_lab::experiment::{
    Evidence, Experiment, Findings, Measure, PUBLISHED, TestRow, Verdict, findings,
};

/// Returns an experiment with arms `a`, `b`, `c` of four rounds, and these hypotheses.
fn experiment(trainings: u32, repeats: u32, claims: &str) -> Experiment {
    let arms: String = ["a", "b", "c"].map(|name| format!("[[arm]]\nname = \"{name}\"\n")).concat();
    let text = format!(
        "id = \"T\"\ntitle = \"t\"\nquestion = \"q\"\ngame = \"g\"\nseed = 1\ntrainings = {trainings}\n\
         [default]\nlearner = \"l\"\nagainst = \"self\"\nrounds = 4\nmatches = 10\n\
         [default.test]\nagainst = \"empty\"\nafter = \"every\"\nrepeats = {repeats}\nmatches = 100\n{arms}{claims}"
    );
    Experiment::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn hypothesis(id: &str, rest: &str) -> String {
    format!("[[hypothesis]]\nid = \"{id}\"\nsays = \"s\"\n{rest}\n")
}

fn row(place: [u32; 4], wins: u32) -> TestRow {
    let [arm, training, round, repeat] = place;
    let results = [u64::from(wins), 0, u64::from(100 - wins)].into();
    TestRow { arm, training, round, repeat, matches: 100, results, ..TestRow::default() }
}

/// Returns rows of all arms, with the wins that are given.
fn rows(experiment: &Experiment, mut wins: impl FnMut([u32; 4]) -> u32) -> Vec<TestRow> {
    let mut rows = Vec::new();
    for (arm, settings) in (0..).zip(&experiment.arms) {
        for training in 0..experiment.trainings {
            for &round in &settings.test.after {
                for repeat in 0..settings.test.repeats {
                    let place = [arm, training, round, repeat];
                    rows.push(row(place, wins(place)));
                }
            }
        }
    }
    rows
}

fn found(experiment: &Experiment, rows: &[TestRow]) -> Vec<Finding> {
    verdicts(&Evidence::new(experiment, rows).unwrap())
}

fn close(is: Option<f64>, should: f64) {
    assert!((is.unwrap() - should).abs() < 1e-6 * should.abs().max(1.0), "{is:?} is not {should}");
}

#[test]
fn a_majority_over_trainings() {
    let claims = hypothesis("h", "test = 'majority'\narm = 'a'\nafter = 'last'");
    let experiment = experiment(4, 2, &claims);
    let wins = [52, 54, 56, 58];
    let up =
        rows(&experiment, |[_, training, round, _]| if round == 4 { wins[training as usize] } else { 7 });
    let h = &found(&experiment, &up)[0];
    // Student: mean 55, standard deviation 2.582, t = 3.873 with 3 degrees of freedom.
    assert_eq!((h.verdict, h.trainings, h.estimate), (Verdict::Holds, 4, Some(55.0)));
    close(h.p_value, 0.030_466_291_7);
    assert_eq!(h.corrected, h.p_value, "one hypothesis needs no correction");
    let signs = h.signs.unwrap();
    assert_eq!((signs.so, signs.of), (4, 4));
    close(Some(signs.p_value), 0.125);
    assert_eq!(h.confidence, "evidence");

    let down = rows(&experiment, |[_, training, _, _]| 100 - wins[training as usize]);
    let h = &found(&experiment, &down)[0];
    assert_eq!((h.verdict, h.signs.unwrap().so), (Verdict::DoesNotHold, 0));
    close(h.p_value, 0.030_466_291_7);

    let between = rows(&experiment, |[_, training, _, _]| 45 + 4 * training);
    assert_eq!(found(&experiment, &between)[0].verdict, Verdict::Undecided);
}

#[test]
fn every_further_hypothesis_makes_a_verdict_harder() {
    let one = |id: &str, arm: &str| hypothesis(id, &format!("test = 'majority'\narm = '{arm}'\nafter = 4"));
    let wins = [52, 54, 56, 58];
    let p = |claims: &str| {
        let experiment = experiment(4, 1, claims);
        let rows = rows(
            &experiment,
            |[arm, training, ..]| if arm == 0 { wins[training as usize] } else { 49 + training % 3 },
        );
        let findings = found(&experiment, &rows);
        (findings[0].verdict, findings[0].corrected)
    };
    let (verdict, corrected) = p(&(one("h", "a") + &one("i", "b")));
    assert_eq!(verdict, Verdict::Undecided);
    close(corrected, 2.0 * 0.030_466_291_7);
}

#[test]
fn arms_are_compared_training_by_training() {
    let claims =
        hypothesis("better", "test = 'better'\narm = 'a'\nthan = 'b'\nmeasure = 'win_percent'\nafter = 4")
            + &hypothesis(
                "fades",
                "test = 'better'\narm = 'a'\nmeasure = 'win_percent'\nafter = [1, 2]\nthan_after = 'last'",
            );
    let experiment = experiment(5, 1, &claims);
    let lead = [1, 3, 2, 6, 3];
    // Trainings differ by far more than the arms do.
    let rows = rows(&experiment, |[arm, training, round, _]| {
        let level = 30 + 9 * training;
        if arm == 0 && round == 4 { level + lead[training as usize] } else { level }
    });
    let both = found(&experiment, &rows);
    assert_eq!(both[0].estimate, Some(3.0));
    close(both[0].p_value, 0.023_050_365_0);
    assert!(
        both[0].remarks[0].starts_with("as independent samples (Welch): p = 0.7"),
        "{:?}",
        both[0].remarks
    );
    assert_eq!(both[1].estimate, Some(-3.0), "rounds 1 and 2 on average, less round 4");
    assert_eq!(both[1].verdict, Verdict::DoesNotHold);
}

#[test]
fn chains_sameness_speed_and_size() {
    let claims = [
        hypothesis("order", "test = 'order'\narms = ['a', 'b', 'c']\nmeasure = 'win_percent'\nafter = 4"),
        hypothesis("reversed", "test = 'order'\narms = ['a', 'c', 'b']\nmeasure = 'win_percent'\nafter = 4"),
        hypothesis("same", "test = 'same'\narm = 'a'\nthan = 'b'\nmeasure = 'win_percent'\nafter = 1\nmargin = 2"),
        hypothesis("not same", "test = 'same'\narm = 'a'\nthan = 'c'\nmeasure = 'win_percent'\nafter = 4\nmargin = 2"),
        hypothesis("faster", "test = 'faster'\narm = 'a'\nthan = 'c'\nmeasure = 'win_percent'\nlevels = [51, 60]\nafter = 'all'"),
        hypothesis("reaches", "test = 'reaches'\narm = 'a'\nmeasure = 'transitions'\nafter = 4\nvalue = 1000\nfactor = 1.25"),
        hypothesis("too few", "test = 'reaches'\narm = 'b'\nmeasure = 'transitions'\nafter = 4\nvalue = 1000\nfactor = 1.25"),
        hypothesis("above", "test = 'above'\narm = 'a'\nmeasure = 'benefit'\nstatistic = 'change'\nafter = 'all'\nvalue = 0"),
        hypothesis("none", "test = 'reaches'\narm = 'a'\nmeasure = 'forgotten'\nafter = 4\nvalue = 9\nfactor = 2"),
        hypothesis("alike", "test = 'same'\narm = 'c'\nmeasure = 'win_percent'\nafter = [1, 4]\nvalue = 50\nmargin = 1"),
    ]
    .concat();
    let experiment = experiment(8, 1, &claims);
    let mut rows = rows(&experiment, |[arm, training, round, _]| {
        let wobble = training % 2;
        let growth = [10, 5, 0][arm as usize];
        50 + wobble * u32::from(arm < 2 && (arm == 0 || round > 1)) + growth * (round - 1)
    });
    for row in &mut rows {
        row.entries = u64::from(([990, 700, 1][row.arm as usize]) + row.training);
    }
    let all = found(&experiment, &rows);
    let verdict = |id: &str| all.iter().find(|finding| finding.id == id).unwrap();
    assert_eq!(verdict("order").verdict, Verdict::Holds);
    assert!(verdict("order").remarks.contains(&"8 of 8 trainings have the whole order".to_owned()));
    assert_eq!(verdict("reversed").verdict, Verdict::DoesNotHold);
    assert_eq!(verdict("same").verdict, Verdict::Holds);
    assert_eq!(verdict("same").signs, None);
    assert_eq!(verdict("not same").verdict, Verdict::DoesNotHold);
    // Arm a passes 51 after round 2, and 60 after round 2 with the wobble, else 3; arm c never does.
    assert_eq!((verdict("faster").verdict, verdict("faster").estimate), (Verdict::Holds, Some(-2.75)));
    assert_eq!(verdict("reaches").verdict, Verdict::Holds);
    assert!((verdict("reaches").estimate.unwrap() - 993.5).abs() < 0.1);
    assert_eq!(verdict("too few").verdict, Verdict::DoesNotHold);
    assert_eq!((verdict("none").verdict, verdict("none").p_value), (Verdict::Undecided, None));
    assert_eq!(verdict("above").verdict, Verdict::Holds);
    // Equal values have no spread; eight of eight is all that is known.
    assert_eq!(verdict("alike").p_value, Some(2.0 / 256.0));
}

#[test]
fn steadier_is_a_ratio_of_variances() {
    let claims = hypothesis("h", "test = 'steadier'\narm = 'a'\nthan = 'b'\nafter = 'all'");
    let experiment = experiment(6, 10, &claims);
    let mut rng = Rng::new(5);
    let rows = rows(&experiment, |[arm, ..]| if arm == 0 { 40 + rng.below(11) } else { 20 + rng.below(51) });
    let h = &found(&experiment, &rows)[0];
    assert_eq!((h.verdict, h.trainings), (Verdict::Holds, 6));
    // Uniform numbers: (11² − 1)/12 = 10 and (51² − 1)/12 = 216.7.
    assert!((0.03..0.07).contains(&h.estimate.unwrap()), "{h:?}");
    assert!(h.remarks[0].contains("F test p = below 0.0001"), "{:?}", h.remarks);
    assert!(h.remarks[1].contains("24 single F tests are significant at 5 %, where chance alone gives 1.2"));
}

#[test]
fn spread_between_trainings_and_test_noise_are_told_apart() {
    let experiment = experiment(4, 2, "");
    // Trainings at 40, 50, 60, 70; the two repeats lie 3 below and above.
    let rows = rows(&experiment, |[_, training, _, repeat]| 37 + 10 * training + 6 * repeat);
    let evidence = Evidence::new(&experiment, &rows).unwrap();
    let point = &findings::curve(&evidence, 0, Measure::WinPercent).points[0];
    assert_eq!((point.estimate.mean, point.estimate.trainings), (55.0, 4));
    // Between means 500/3; of one repeat 18, of the mean of two 9.
    close(point.estimate.deviation, (500.0_f64 / 3.0).sqrt());
    close(point.test_noise, 3.0);
    close(point.between, (500.0_f64 / 3.0 - 9.0).sqrt());
    let chance =
        [0.4, 0.5, 0.6, 0.7].map(|p: f64| 10_000.0 * p * (1.0 - p) / 200.0).iter().sum::<f64>() / 4.0;
    close(point.pure_noise, chance.sqrt());
    let benefit = &findings::curve(&evidence, 0, Measure::Benefit).points[3];
    let gain = &findings::curve(&evidence, 0, Measure::Gain).points[3];
    close(benefit.pure_noise, gain.pure_noise.unwrap() / 2.0);
}

#[test]
fn printed_figures_stand_beside_ours() {
    let printed = "[[published]]\narm = 'a'\nmeasure = 'wins'\npoints = [[1, 52], [2, 90]]\nspread = [4, 5]\n\
        [[fact]]\nsays = 'f'\narm = 'a'\nthan = 'b'\nmeasure = 'win_percent'\nafter = [1, 4]\nvalue = 0.5\n\
        [[fact]]\nsays = 'words'\nvalue = 'a > b'\n";
    let experiment = experiment(6, 2, printed);
    let rows =
        rows(&experiment, |[arm, training, _, repeat]| 47 + training + 4 * repeat - arm * training % 2);
    let findings = Findings::of(&Evidence::new(&experiment, &rows).unwrap());
    let [near, far] = &findings.published[0].points[..] else { panic!("two points") };
    assert_eq!((near.reproduced, far.reproduced), (Some(true), Some(false)));
    close(near.our_spread, 8.0_f64.sqrt());
    assert_eq!(findings.facts[0].reproduced, Some(true));
    assert_eq!((&findings.facts[1].ours, findings.facts[1].reproduced), (&None, None));
    let json = serde_json::to_value(&findings).unwrap();
    assert_eq!(json["published"][0]["points"][0]["published"], 52.0);
    assert_eq!(json["curves"][0]["points"][0]["trainings"], 6);
}

#[test]
fn order_of_rows_does_not_matter_and_missing_ones_are_missed() {
    let claims = hypothesis("h", "test = 'majority'\narm = 'a'\nafter = 4");
    let experiment = experiment(5, 3, &claims);
    let mut rng = Rng::new(9);
    let mut rows = rows(&experiment, |_| 50 + rng.below(20));
    let json = |rows: &[TestRow]| {
        serde_json::to_string(&Findings::of(&Evidence::new(&experiment, rows).unwrap())).unwrap()
    };
    let before = json(&rows);
    rng.shuffle(&mut rows);
    assert_eq!(json(&rows), before);

    // One repeat of training 2 is missing after round 3: its curve ends there.
    rows.retain(|row| (row.arm, row.training, row.round, row.repeat) != (0, 2, 3, 1));
    let evidence = Evidence::new(&experiment, &rows).unwrap();
    assert_eq!(evidence.curve(0, 2, Measure::WinPercent).len(), 2);
    assert_eq!(verdicts(&evidence)[0].trainings, 4);
    assert_eq!(verdicts(&Evidence::new(&experiment, &[]).unwrap())[0].confidence, "not tested");

    let strange = |row: TestRow| Evidence::new(&experiment, &[row.clone(), row]).unwrap_err();
    assert!(matches!(strange(row([3, 0, 1, 0], 1)), StrangeRow::Unplanned { arm: 3, .. }));
    assert!(matches!(strange(row([0, 5, 1, 0], 1)), StrangeRow::Unplanned { training: 5, .. }));
    assert!(matches!(strange(row([0, 0, 5, 0], 1)), StrangeRow::Unplanned { round: 5, .. }));
    assert!(matches!(strange(row([0, 0, 1, 0], 1)), StrangeRow::Twice { .. }));
    let impossible = TestRow { results: [50, 90, 50].into(), ..row([0, 0, 1, 0], 50) };
    assert!(matches!(strange(impossible), StrangeRow::Impossible { .. }));
}

#[test]
fn summary_metrics_are_the_sources() {
    let mut experiment = experiment(3, 1, "");
    for arm in &mut experiment.arms {
        (arm.rounds, arm.test.after) = (20, (1..=20).collect());
    }
    // Arm a still rises at the end, arm b swings between all and nothing, arm c has lost the end of a training.
    let mut rows = rows(&experiment, |[arm, _, round, _]| match arm {
        0 => 50 + round * 2,
        1 => 100 * (round % 2),
        _ => 50,
    });
    rows.retain(|row| (row.arm, row.training, row.round) != (2, 1, 20));
    let summaries = Findings::of(&Evidence::new(&experiment, &rows).unwrap()).summaries;
    assert_eq!((summaries[0].still_moving, summaries[0].of), (3, 3));
    assert_eq!(summaries[1].still_moving, 0);
    close(Some(summaries[1].benefit.mean), 0.0);
    // {−100, 100} gives 100 for two values; ten times the same two have a little less spread as a sample.
    close(summaries[1].deviation.as_ref().map(|d| d.mean), 100.0 * (10.0_f64 / 19.0).sqrt());
    assert_eq!(summaries[2].benefit.trainings, 2);
}

/// A number of wins around `centre`: the sum of twelve uniform numbers is nearly normal, here with standard deviation 8.
fn around(centre: f64, rng: &mut Rng) -> u32 {
    let normal: f64 = (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0;
    (centre + 8.0 * normal).round().clamp(0.0, 100.0) as u32
}

/// Three hypotheses without any truth in them get a verdict in at most 5 % of all files; one training more lies in the
/// prediction interval in 95 %.
#[test]
fn error_rates_are_kept() {
    let claims = ["a", "b", "c"]
        .map(|arm| hypothesis(arm, &format!("test = 'majority'\narm = '{arm}'\nafter = 1")))
        .concat();
    let experiment = experiment(6, 1, &claims);
    let mut rng = Rng::new(11);
    let (mut wrong, mut covered) = (0, 0);
    let files = 1500;
    for _ in 0..files {
        let rows: Vec<TestRow> = rows(&experiment, |_| around(50.0, &mut rng));
        let rows: Vec<TestRow> = rows.into_iter().filter(|row| row.round == 1).collect();
        let evidence = Evidence::new(&experiment, &rows).unwrap();
        wrong += u32::from(verdicts(&evidence).iter().any(|finding| finding.verdict != Verdict::Undecided));
        let prediction = findings::curve(&evidence, 0, Measure::Wins).points[0].estimate.prediction.unwrap();
        covered += u32::from(prediction.contain(f64::from(around(50.0, &mut rng))));
    }
    let (wrong, covered) = (f64::from(wrong) / f64::from(files), f64::from(covered) / f64::from(files));
    assert!((0.02..0.07).contains(&wrong), "{wrong}");
    assert!((0.93..0.97).contains(&covered), "{covered}");
}

#[test]
fn every_published_experiment_can_be_judged() {
    for (name, text) in PUBLISHED {
        let experiment = Experiment::read(text).unwrap().quick();
        if experiment.study.is_some() {
            continue;
        }
        let mut rng = Rng::new(3);
        let mut rows = rows(&experiment, |_| around(55.0, &mut rng));
        for row in &mut rows {
            row.entries = 70_000 + rng.bits() % 100;
            let number = Some(0.01 + rng.unit());
            row.report = LearningReport { error: number, change: number, largest: number };
        }
        let findings = Findings::of(&Evidence::new(&experiment, &rows).unwrap());
        for finding in &findings.hypotheses {
            assert_eq!(finding.trainings, experiment.trainings as usize, "{name}: {}", finding.id);
            assert!(finding.p_value.is_some() && finding.interval.is_some(), "{name}: {finding:?}");
        }
        let mut compared = findings.facts.iter().filter(|fact| fact.quantity.is_some());
        assert!(compared.all(|fact| fact.ours.is_some()), "{name}");
    }
}
