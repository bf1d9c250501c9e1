//! Experiments without trainings: duels and frontiers.

use std::fs;

use parlor_core::Cancel;
use parlor_lab::experiment::folder::ExperimentFolder;
use parlor_lab::experiment::study::StudyEvidence;
use parlor_lab::experiment::study::evidence::Key;
use parlor_lab::experiment::{Experiment, Report, Verdict, library};
use parlor_lab::run::experiments::{Changes, verify};
use parlor_lab::run::{ExperimentRun, StopReason};

const DUELS: &str = r#"
id = "D"
title = "Duels on double-two"
question = "Does a model of the opponent gain?"
game = "dominoes(rules=myers, set=2, hand=2, lead=free)"
seed = 5

[duels]
baseline = "expectimax"
repeats = 40
exact = true
ceiling = true

[[target]]
agent = "random"
[[target]]
name = "myopic"
agent = "scoring"

[[player]]
name = "expectimax"
agent = "expectimax-oracle"
[[player]]
name = "M*"
agent = "mstar-oracle(model={target})"
[[player]]
name = "honest"
agent = "mstar(model={target}, infer=on)"
[[player]]
name = "guessing"
agent = "mstar-oracle(model={target}, sampled=on)"
repeats = 2

[quick]
repeats = 1
step = 3
exact = false

[[hypothesis]]
id = "gain"
says = "A true model scores more."
test = "above"
player = "M*"
than = "expectimax"
target = "random"
measure = "exact score"
found = "holds"

[[hypothesis]]
id = "reversed"
says = "It scores less."
test = "below"
player = "M*"
than = "expectimax"
target = "random"
measure = "exact score"

[[published]]
place = "Table 1"
measure = "score"
within = 0.5
figures = [["M*", "random", 1.0], ["expectimax", "myopic", 90.0]]
"#;

fn run(text: &str, place: &std::path::Path, threads: usize) -> Report {
    let run = ExperimentRun::new(text, Changes::default(), place, &crate::open).unwrap();
    let ended = run.run(threads, &Cancel::new(), &mut |_| ()).unwrap();
    assert_eq!(ended.stop, StopReason::Finished);
    ended.report
}

#[test]
fn games_approach_exact_expectations() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("run");
    let report = run(DUELS, &place, 2);
    let evidence = StudyEvidence::new(&ExperimentFolder::study_rows(&place).unwrap());
    let mut compared = 0;
    for target in ["random", "myopic"] {
        for player in ["expectimax", "M*", "honest"] {
            for (measure, exact) in [("score", "exact score"), ("unbeaten", "exact unbeaten")] {
                let played = evidence.of(player, target, measure).unwrap();
                let expected = evidence.of(player, target, exact).unwrap();
                assert!(expected.exact && !played.exact && played.n == 180 * 40, "{player}: {played:?}");
                let off = (played.mean - expected.mean).abs() / played.error.unwrap();
                assert!(off < 4.5, "{player} against {target}: {measure} {played:?}, exactly {expected:?}");
                compared += 1;
            }
        }
        assert!(evidence.of("guessing", target, "exact score").is_none(), "its choices are not known");
        let most = evidence.of("ceiling", target, "exact score").unwrap().mean;
        let honest = evidence.of("honest", target, "exact score").unwrap().mean;
        assert!(honest <= most + 1e-9, "{target}: {honest} of {most}");
    }
    assert_eq!(compared, 12);
    // Every player has the same deals and draws, so differences are far less noisy than the means.
    let key = Key {
        player: "M*".to_owned(),
        than: Some("expectimax".to_owned()),
        target: "random".to_owned(),
        place: None,
        measure: "score".to_owned(),
    };
    let paired = evidence.find(&key).unwrap();
    let apart = evidence.of("M*", "random", "score").unwrap();
    assert!(paired.error.unwrap() < 0.8 * apart.error.unwrap(), "{paired:?} and {apart:?}");
    let [gain, reversed] = &report.findings.hypotheses[..] else { panic!("{:?}", report.findings) };
    assert_eq!((gain.verdict, reversed.verdict), (Verdict::Holds, Verdict::DoesNotHold));
    let score = report.score();
    assert_eq!((score.printed, score.agree, score.of_source), (2, 1, 1));
    let study = report.study.as_ref().unwrap();
    assert_eq!(study.figures[1].reproduced, Some(false), "nobody wins 90 points a game");
    let page = fs::read_to_string(place.join("report.html")).unwrap();
    for words in ["Value gained over expectimax", "Share of the ceiling", "Exact expectation", "Table 1"] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn a_killed_study_goes_on_to_the_same_bytes_and_is_verified() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    run(DUELS, &whole, 1);
    let rows = fs::read(whole.join("rows.csv")).unwrap();
    for cut in [0, 30, rows.len() / 2, rows.len() - 3] {
        let place = folder.path().join(format!("cut-{cut}"));
        fs::create_dir(&place).unwrap();
        fs::write(place.join("rows.csv"), &rows[..cut]).unwrap();
        fs::copy(whole.join("run.json"), place.join("run.json")).unwrap();
        let report = Report::read(&place).unwrap();
        assert!(!report.progress.is_complete());
        let run = ExperimentRun::resume(DUELS, false, &place, &crate::open).unwrap();
        assert_eq!(run.run(2, &Cancel::new(), &mut |_| ()).unwrap().stop, StopReason::Finished);
        for name in ["rows.csv", "findings.json", "report.html"] {
            let same = fs::read(place.join(name)).unwrap() == fs::read(whole.join(name)).unwrap();
            assert!(same, "{name} after {cut} bytes");
        }
    }
    let again = || verify(&whole, 3, 2, &crate::open, &Cancel::new(), &mut |_| ()).unwrap();
    let found = again();
    assert!(found.trainings == 3 && found.rows > 10 && found.differences.is_empty(), "{found:?}");
    let text = String::from_utf8(rows).unwrap().replacen(",score,", ",scone,", 400);
    fs::write(whole.join("rows.csv"), text).unwrap();
    assert!(!again().differences.is_empty(), "changed rows are found");
}

#[test]
fn frontiers_rise_from_the_equilibrium_to_the_best_response() {
    let text = r#"
id = "F"
title = "A frontier on double-two"
question = "What does a gain risk?"
game = "dominoes(rules=myers, set=2, hand=2, lead=free)"
seed = 5
[frontier]
weights = [0, 0.5, 1]
[[target]]
agent = "random"
[[target]]
agent = "scoring"
[[player]]
name = "expectimax"
agent = "expectimax"
[[player]]
name = "M*"
agent = "mstar(model={target})"
[[chart]]
name = "scoring"
title = "Winning from scoring"
caption = "A curve and two points."
x = ["exploitability", "lost"]
y = ["gain", "won"]
curve = "response"
target = "scoring"
"#;
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("run");
    let report = run(text, &place, 2);
    let evidence = StudyEvidence::new(&ExperimentFolder::study_rows(&place).unwrap());
    for target in ["random", "scoring"] {
        let at = |place: f64, measure: &str| {
            let key = Key {
                player: "response".to_owned(),
                than: None,
                target: target.to_owned(),
                place: Some(place),
                measure: measure.to_owned(),
            };
            evidence.find(&key).unwrap().mean
        };
        assert!(at(0.0, "exploitability") < 1e-3 && at(0.0, "gain") <= at(0.5, "gain") + 1e-3);
        for player in ["expectimax", "M*"] {
            let gain = evidence.of(player, target, "gain").unwrap();
            assert!(gain.exact && gain.mean <= at(1.0, "gain") + 1e-9, "{player} against {target}: {gain:?}");
        }
    }
    assert_eq!(report.plots.len(), 1);
    let svg = fs::read_to_string(place.join("plots/scoring.svg")).unwrap();
    assert!(svg.contains("expectimax") && svg.contains("M*"), "points have their names");
}

#[test]
fn complaints_about_studies_say_where() {
    let wrong = |from: &str, to: &str| {
        assert!(DUELS.contains(from), "{from}");
        Experiment::read(&DUELS.replacen(from, to, 1)).unwrap_err().to_string()
    };
    let found = wrong("player = \"M*\"", "player = \"M\"");
    assert!(found.contains("there is no player `M`") && found.starts_with("line "), "{found}");
    assert!(wrong("target = \"random\"", "target = \"randm\"").contains("did you mean `random`?"));
    assert!(wrong("test = \"above\"", "test = \"over\"").contains("above, below, near"));
    assert!(wrong("repeats = 40", "repeat = 40").contains("did you mean `repeats`?"));
    assert!(wrong("seed = 5", "seed = 5\ntrainings = 8").contains("nothing is trained"));
    assert!(wrong("[duels]", "[frontier]\nweights = [0]\n[duels]").contains("one kind"));
    let text = DUELS.replacen("\"expectimax-oracle\"", "\"expectimaxx\"", 1);
    let place = tempfile::tempdir().unwrap();
    let refused = ExperimentRun::new(&text, Changes::default(), &place.path().join("run"), &crate::open);
    let Err(refused) = refused else { panic!("there is no such agent") };
    assert!(refused.to_string().contains("line ") && !place.path().join("run").exists(), "{refused}");
}

#[test]
fn quadrants_print_the_source_s_figures() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/myers-quadrants.csv");
    let text = fs::read_to_string(file).unwrap();
    let mut checked = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let [quadrant, _, _, target, engine, score, unbeaten, ..] = cells[..] else { panic!("{line}") };
        let id = format!("m{}", quadrant.parse::<u32>().unwrap() + 1);
        let Some(text) = library::text_of(&id) else { continue };
        let study = Experiment::read(text).unwrap().study.unwrap();
        let share = (unbeaten.parse::<f64>().unwrap() / 50_400.0 * 1e4).round() / 1e4;
        for (measure, value) in [("score", score.parse::<f64>().unwrap()), ("unbeaten", share)] {
            let is_engine = |player: &str| player.starts_with("M*") == (engine == "mstar");
            let found = study.figures.iter().any(|figure| {
                is_engine(&figure.key.player)
                    && (figure.key.target.as_str(), figure.key.measure.as_str()) == (target, measure)
                    && figure.value == value
            });
            assert!(found, "{id}: {engine} against {target}, {measure} {value}");
            checked += 1;
        }
    }
    assert!(checked >= 24, "{checked}");
}

const HEAD: &str = r#"
id = "K"
title = "Another kind"
question = "Does it work?"
seed = 5
[[target]]
agent = "random"
[[target]]
agent = "scoring"
[[target]]
agent = "defense"
"#;

fn numbers(text: &str) -> (StudyEvidence, Report) {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
    let report = run(text, &one, 2);
    run(text, &two, 1);
    let [rows, again] = [&one, &two].map(|place| fs::read(place.join("rows.csv")).unwrap());
    assert_eq!(rows, again, "any number of threads gives the same rows");
    (StudyEvidence::new(&ExperimentFolder::study_rows(&one).unwrap()), report)
}

#[test]
fn classifiers_are_scored_on_held_out_rows() {
    let text = format!(
        "game = \"dominoes(rules=myers)\"{HEAD}[[player]]\nagent = \"mda\"\n[[player]]\nagent = \"forest\"\n\
         [classify]\nsizes = [300, 1500]\ntrees = 10\nseconds = [[\"forest\", 1500, 35.32]]\n"
    );
    let (evidence, report) = numbers(&text);
    let at = |player: &str, target: &str, measure: &str, place: f64| {
        let (player, target, measure) = (player.to_owned(), target.to_owned(), measure.to_owned());
        evidence.find(&Key { player, than: None, target, place: Some(place), measure }).unwrap()
    };
    for player in ["mda", "forest"] {
        let accuracy = at(player, "", "accuracy", 1500.0);
        assert!(accuracy.n == 299 && accuracy.mean > 0.34, "{player}: {accuracy:?}");
        let shares = ["random", "scoring", "defense"]
            .map(|class| at(player, "scoring", &format!("predicted as {class}"), 1500.0).mean);
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{player}: {shares:?}");
    }
    assert!(
        at("forest", "", "accuracy on fitted rows", 1500.0).mean > at("forest", "", "accuracy", 1500.0).mean
    );
    assert_eq!(at("forest", "", "accuracy on one fold", 1500.0).n, 240, "a fifth of the other four fifths");
    // Times are in the report alone: findings and rows are the same in equal runs.
    let times = report.study.as_ref().unwrap().times.as_ref().unwrap();
    assert_eq!(times.head[1], "source");
    let sources: Vec<(&str, &str)> = times.rows.iter().map(|row| (&*row[0], &*row[1])).collect();
    assert_eq!(
        sources,
        [
            ("mda, 300", "–"),
            ("mda, 1\u{202f}500", "–"),
            ("forest, 300", "–"),
            ("forest, 1\u{202f}500", "35.3 s")
        ]
    );
    assert!(times.rows.iter().flatten().skip(2).step_by(5).all(|cell| cell.ends_with('s')), "{times:?}");
    assert!(report.page().contains("Times, on the machine of this run"));
    assert!(!report.json().to_string().contains("35.3"));
}

/// A killed run keeps the times of its finished units and reports the others when they are done.
#[test]
fn times_of_a_resumed_study_are_complete() {
    let text = format!(
        "game = \"dominoes(rules=myers)\"{HEAD}[[player]]\nagent = \"mda\"\n[classify]\nsizes = [200, 400, 800]\n"
    );
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("run");
    run(&text, &place, 1);
    let times = ExperimentFolder::times(&place);
    assert_eq!(times.len(), 9, "three steps of three units");
    let rows = fs::read_to_string(place.join("rows.csv")).unwrap();
    let first_unit = rows.match_indices("\n1,").next().unwrap().0 + 1;
    fs::write(place.join("rows.csv"), &rows[..first_unit]).unwrap();
    let resumed = ExperimentRun::resume(&text, false, &place, &crate::open).unwrap();
    resumed.run(2, &Cancel::new(), &mut |_| ()).unwrap();
    assert_eq!(fs::read_to_string(place.join("rows.csv")).unwrap(), rows);
    let again = ExperimentFolder::times(&place);
    assert_eq!(again[..3], times[..3], "what was measured is kept");
    assert_eq!(again.len(), 9);
    // Nothing depends on the file.
    fs::write(place.join("times.json"), "[{").unwrap();
    assert!(Report::read(&place).unwrap().study.unwrap().times.is_none());
}

#[test]
fn matches_and_sessions_are_played_in_pairs() {
    let text = format!(
        "game = \"dominoes(rules=myers)\"{HEAD}game = \"dominoes(target=none)\"\n\
         [[player]]\nagent = \"expert\"\n[[player]]\nagent = \"random-tile\"\n\
         [matches]\nbaseline = \"random-tile\"\nblocks = 3\npairs = 20\nsessions = true\n"
    );
    let (evidence, report) = numbers(&text);
    let key = |than: Option<&str>, place: Option<f64>, measure: &str| Key {
        player: "expert".to_owned(),
        than: than.map(str::to_owned),
        target: "random".to_owned(),
        place,
        measure: measure.to_owned(),
    };
    let score = evidence.find(&key(None, None, "match score")).unwrap();
    assert!(score.n == 3 && score.mean > 0.5, "a session is one observation: {score:?}");
    let gain = evidence.find(&key(Some("random-tile"), None, "margin")).unwrap();
    assert!(gain.n == 3 && gain.mean > 0.0, "{gain:?}");
    assert_eq!(evidence.find(&key(None, Some(20.0), "match score in a session")).unwrap().n, 3);
    assert!(
        report.manifest.arms.iter().any(|specs| specs.learner.contains("set=6")),
        "the last target's game"
    );
}

#[test]
fn recognition_grows_with_the_games_of_a_session() {
    let text = format!(
        "game = \"dominoes(rules=myers)\"{HEAD}[[player]]\nname = \"bayes\"\n\
         agent = \"mstar(model=guess(by=bayes, memory=session), nodes=200)\"\n[recognise]\nsessions = 12\ngames = 6\n"
    );
    let (evidence, _) = numbers(&text);
    let at = |target: &str, measure: &str, place: f64| {
        let (player, target, measure) = ("bayes".to_owned(), target.to_owned(), measure.to_owned());
        evidence.find(&Key { player, than: None, target, place: Some(place), measure }).unwrap()
    };
    let mean = |place: f64| {
        let all =
            ["random", "scoring", "defense"].map(|target| at(target, "probability by game", place).mean);
        all.iter().sum::<f64>() / 3.0
    };
    assert!(mean(6.0) > mean(1.0) + 0.1, "{} after one game, {} after six", mean(1.0), mean(6.0));
    assert_eq!(at("scoring", "recognised by turn", 1.0).n, 12);
}
