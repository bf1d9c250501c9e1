//! The published experiments: all are there, all can be read, and their figures are the printed ones.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use parlor_core::{Cancel, Progress, Resources, Spec};
use parlor_lab::experiment::measure::FitNumber;
use parlor_lab::experiment::{Experiment, Fact, Measure, PUBLISHED, Said, Statistic, library};

fn experiment(id: &str) -> Experiment {
    Experiment::read(library::text_of(id).unwrap()).unwrap()
}

/// Returns the lines of a table of printed figures, in cells.
fn table(name: &str) -> Vec<Vec<String>> {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let text = fs::read_to_string(file).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

fn number(cell: &str) -> f64 {
    cell.parse().unwrap()
}

#[test]
fn no_file_is_forgotten() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let files: BTreeSet<String> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let listed: BTreeSet<String> = PUBLISHED.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(files, listed);
    assert_eq!(listed.iter().filter(|name| !name.starts_with(['m', 'f', 'c'])).count(), 13);
    assert!(library::group("quadrants").unwrap().iter().all(|name| listed.contains(*name)));
    assert!(library::text_of("A2.1.2").is_some() && library::text_of("A9").is_none());
}

#[test]
fn every_file_is_complete() {
    for (name, text) in PUBLISHED {
        let experiment = Experiment::read(text).unwrap_or_else(|error| panic!("{name}.toml: {error}"));
        assert_eq!(experiment.id.to_lowercase(), *name);
        if experiment.study.is_some() {
            continue;
        }
        assert!(!experiment.hypotheses.is_empty(), "{name}");
        // What a source left as future work has nothing printed.
        if !["f5", "f6", "c3"].contains(name) {
            assert!(experiment.hypotheses.iter().any(|hypothesis| hypothesis.found.is_some()), "{name}");
            assert!(experiment.published.len() + experiment.facts.len() > 0, "{name}");
        }
        assert!(experiment.source.is_some() && experiment.notes.len() >= 3, "{name}");
        assert!(experiment.trainings >= 8, "{name}");
        // A printed figure beside nothing is no comparison.
        for figure in &experiment.published {
            let tested = &experiment.arms[figure.arm].test.after;
            assert!(figure.points.iter().all(|(round, _)| tested.contains(round)), "{name}");
        }
        let quick = experiment.quick();
        let [train, test] = quick.matches();
        assert!(train + test <= 1_300_000, "{name}: {train} + {test} matches are not quick");
        assert!(quick.trainings >= 3);
    }
    assert_eq!(library::all().unwrap().len(), PUBLISHED.len());
}

/// Asserts that an experiment prints every column of a table: contests, wins, deviation, percent, confidence.
fn assert_table(id: &str, name: &str) {
    let experiment = experiment(id);
    let lines = table(name);
    let column = |measure: Measure| {
        experiment
            .published
            .iter()
            .find(|figure| figure.measure == measure)
            .expect("the table has this column")
    };
    let cells = |index: usize| -> Vec<(u32, f64)> {
        lines.iter().map(|line| ((number(&line[0]) / 50.0) as u32, number(&line[index]))).collect()
    };
    assert_eq!(column(Measure::Wins).points, cells(1), "{id}");
    let spread: Vec<f64> = lines.iter().map(|line| number(&line[2])).collect();
    assert_eq!(column(Measure::Wins).spread, spread, "{id}");
    assert_eq!(column(Measure::WinPercent).points, cells(3), "{id}");
    assert_eq!(column(Measure::ConfidencePercent).points, cells(4), "{id}");
}

#[test]
fn tables_are_the_printed_ones() {
    assert_table("a1", "collective-a1.csv");
    assert_table("a2.1.2", "collective-a2.1.2.csv");
    assert_table("a2.3", "collective-a2.3.csv");
    let gains: Vec<(u32, f64)> = table("collective-g4.3-gains.csv")
        .iter()
        .map(|line| (number(&line[0]) as u32, number(&line[1])))
        .collect();
    assert_eq!(experiment("g4.3").published[0].points, gains);
}

#[test]
fn every_single_figure_is_there() {
    for line in table("collective-figures.csv") {
        let [id, figure, fact, value] = &line[..] else { panic!("four cells: {line:?}") };
        let experiment = experiment(if id == "A3.1" { "a3.1.1" } else { id });
        let place = Some(format!("Figure {figure}"));
        let printed = match value.parse() {
            Ok(number) => Said::Number(number),
            Err(_) => Said::Text(value.clone()),
        };
        let single = experiment.facts.iter().any(|fact| fact.place == place && fact.said == printed);
        let point = experiment.published.iter().any(|figure| {
            figure.place == place && figure.points.iter().any(|(_, value)| Said::Number(*value) == printed)
        });
        assert!(single || point, "{id}: {fact}, {value}");
    }
}

/// Seats and settings that a file writes out must be the ones of the source.
#[test]
fn protocols_are_the_published_ones() {
    let collective = |experiment: &Experiment| experiment.id.starts_with(['A', 'G']);
    for experiment in library::all().unwrap().into_iter().filter(collective) {
        assert_eq!(experiment.seed, 4937);
        for arm in &experiment.arms {
            let plays = format!("{} {}", experiment.id, arm.name);
            assert!(parlor_catalog::open(&arm.game.text).is_ok(), "{plays}");
            assert!(Spec::parse(&arm.learner.text).is_ok_and(|spec| spec.name == "collective"), "{plays}");
            if let Some(rival) = &arm.rival {
                assert!(Spec::parse(&rival.text).is_ok_and(|spec| spec.name == "collective"), "{plays}");
            }
            if experiment.id.starts_with('A') {
                assert_eq!((arm.rounds, arm.matches, arm.test.matches), (50, 50, 500), "{plays}");
                assert_eq!(arm.game.text, "dominoes(target=500)", "{plays}");
                assert!(arm.learner.text.contains("win=1.06, loss=0.98"), "{plays}");
            } else {
                assert_eq!((arm.rounds, arm.matches), (200, 100), "{plays}");
                assert_eq!((arm.test.repeats, arm.test.matches), (1, 100), "{plays}");
                let fives = if arm.name.ends_with(", fives") { "on" } else { "off" };
                assert_eq!(arm.game.text, format!("dominoes(target=100, fives={fives})"), "{plays}");
            }
        }
    }
}

/// Returns the printed numbers of an arm, as statistics over all rounds.
fn printed(experiment: &Experiment, arm: &str) -> Vec<(Statistic, f64)> {
    let of = |fact: &Fact| match (&fact.ours, &fact.said) {
        (Some(ours), Said::Number(value)) if experiment.arms[ours.arm].name == arm => {
            Some((ours.statistic.clone(), *value))
        }
        _ => None,
    };
    experiment.facts.iter().filter_map(of).collect()
}

#[test]
fn the_tables_of_fable_are_the_printed_ones() {
    let f1 = experiment("f1");
    for line in table("fable-minesweeper-random.csv") {
        let [board, average, most, fewest, deviation] = &line[..] else { panic!("five cells: {line:?}") };
        let expected = [
            (Statistic::Mean, number(average)),
            (Statistic::Peak, number(most)),
            (Statistic::Lowest, number(fewest)),
            (Statistic::Deviation, number(deviation)),
        ];
        assert_eq!(printed(&f1, board), expected, "{board}");
    }
    let f2 = experiment("f2");
    for line in table("fable-minesweeper-learning.csv") {
        let numbers = FitNumber::ALL.iter().zip(&line[1..]);
        let expected: Vec<_> =
            numbers.map(|(&(_, _, fit), cell)| (Statistic::Fit(fit), number(cell))).collect();
        for arm in [line[0].clone(), format!("{}, survival", line[0])] {
            assert_eq!(printed(&f2, &arm), expected, "{arm}");
        }
    }
    for (id, name) in [("f3", "fable-tictactoe.csv"), ("f4", "fable-checkers.csv")] {
        let experiment = experiment(id);
        let lines = table(name);
        assert_eq!(
            experiment.published.iter().map(|column| column.points.len()).sum::<usize>(),
            3 * lines.len()
        );
        for line in lines {
            let [pairing, board, group, first, second, ties] = &line[..] else {
                panic!("six cells: {line:?}")
            };
            let arm =
                experiment.arms.iter().position(|arm| arm.name == format!("{board} {pairing}")).unwrap();
            // The figures are those of the learner, which has the second seat in one of the tables.
            let (wins, losses) = if pairing == "random-fable" { (second, first) } else { (first, second) };
            for (measure, cell) in [(Measure::Wins, wins), (Measure::Losses, losses), (Measure::Draws, ties)]
            {
                let column =
                    experiment.published.iter().find(|column| (column.arm, column.measure) == (arm, measure));
                let point = (group.parse().unwrap(), number(cell));
                assert!(column.unwrap().points.contains(&point), "{id}: {line:?}");
            }
        }
    }
}

/// The exact values that files state are those of the program's solvers, where these are quick.
#[test]
fn exact_values_are_the_computed_ones() {
    for side in [3, 4] {
        let game = parlor_catalog::open(&format!("minesweeper(rows={side}, columns={side})")).unwrap();
        let random = game.odds().unwrap().odds(None).unwrap().random_win.unwrap();
        let mut solver = game.solver(&Resources::default()).unwrap();
        let perfect =
            solver.solve(None, &mut Progress { cancel: &Cancel::new(), report: &mut |_| () }).unwrap().value;
        let exact = [("random clicks, exact", random), ("perfect play", perfect)];
        for experiment in library::all().unwrap() {
            for reference in &experiment.references {
                let game = &experiment.arms[reference.arms[0]].game.text;
                if *game != format!("minesweeper(rows={side}, columns={side})") {
                    continue;
                }
                let computed =
                    exact.iter().find(|(says, _)| *says == reference.says).expect("a known value").1;
                assert!(
                    (reference.value - 100.0 * computed).abs() < 1e-3,
                    "{} {}",
                    experiment.id,
                    reference.says
                );
            }
        }
    }
}
