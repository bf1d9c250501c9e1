//! Experiments as runs: killed, cancelled, begun by an older program.

use std::fs;
use std::path::Path;

use parlor_core::Cancel;
use parlor_lab::experiment::folder::ExperimentFolder;
use parlor_lab::experiment::{TestRow, library};
use parlor_lab::run::experiments::{Changes, verify};
use parlor_lab::run::{Event, ExperimentRun, RunError, StopReason};

use crate::runs::bytes;

const EXPERIMENT: &str = r#"
id = "T1"
title = "A small one"
question = "Does it run?"
seed = 5
trainings = 3
game = "tictactoe"

[default]
learner = "collective"
against = "self"
rounds = 3
matches = 20
test = { against = "empty", after = "every", repeats = 2, matches = 10 }

[[arm]]
name = "alone"

[[arm]]
name = "taught"
against = "trained: alone"

[[arm]]
name = "rivals"
against = "learner: collective"
test = { against = "rival", after = "every", repeats = 1, matches = 10 }
"#;

#[test]
fn a_killed_experiment_goes_on_to_the_same_bytes_and_is_verified() {
    let whole = tempfile::tempdir().unwrap();
    let open = &crate::open;
    let place = whole.path().join("run");
    let run = ExperimentRun::new(EXPERIMENT, Changes::default(), &place, open).unwrap();
    let mut units = Vec::new();
    let report = run
        .run(1, &Cancel::new(), &mut |event| {
            if let Event::ExperimentUnit { unit, rows } = event {
                units.push((*unit, rows.len()));
            }
        })
        .unwrap();
    assert_eq!(report.stop, StopReason::Finished);
    assert_eq!(units, [(0, 6), (1, 6), (2, 3), (3, 6), (4, 6), (5, 3), (6, 6), (7, 6), (8, 3)]);

    let rows = bytes(whole.path(), "rows.csv");
    for cut in [0, 9, rows.len() / 3, rows.len() - 2] {
        let parts = tempfile::tempdir().unwrap();
        let place = parts.path().join("run");
        fs::create_dir(&place).unwrap();
        fs::write(place.join("rows.csv"), &rows[..cut]).unwrap();
        // Names of keys that an older program wrote are understood.
        let manifest = String::from_utf8(bytes(whole.path(), "run.json")).unwrap();
        assert!(manifest.contains(", ties="), "{manifest}");
        fs::write(place.join("run.json"), manifest.replace(", ties=", ", draws=")).unwrap();
        let run = ExperimentRun::resume(EXPERIMENT, false, &place, open).unwrap();
        assert_eq!(run.run(2, &Cancel::new(), &mut |_| ()).unwrap().stop, StopReason::Finished);
        for name in ["rows.csv", "findings.json"] {
            assert_eq!(bytes(parts.path(), name), bytes(whole.path(), name), "{name} after {cut} bytes");
        }
    }
    assert!(matches!(
        ExperimentRun::resume(EXPERIMENT, true, &place, open),
        Err(RunError::OtherVersion { .. })
    ));
    let other = EXPERIMENT.replace("matches = 20", "matches = 21");
    assert!(matches!(ExperimentRun::resume(&other, false, &place, open), Err(RunError::OtherText { .. })));

    let again = |trainings| verify(&place, trainings, 2, open, &Cancel::new(), &mut |_| ()).unwrap();
    let found = again(9);
    assert_eq!((found.trainings, found.of, found.rows, found.differences.len()), (9, 9, 45, 0));
    // A row that was changed by hand is found.
    let kept = ExperimentFolder::rows(&place, false).unwrap();
    let text = String::from_utf8(rows).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    let changed = lines[1].replacen("0,0,1,0,10,", "0,0,1,0,11,", 1);
    assert_ne!(changed, lines[1]);
    lines[1] = &changed;
    fs::write(place.join("rows.csv"), lines.join("\n") + "\n").unwrap();
    let found = again(9);
    let [difference] = &found.differences[..] else { panic!("{found:?}") };
    assert!(difference.place.starts_with("arm alone, training 0, round 1, repeat 0"), "{difference:?}");
    assert!(difference.replayed.starts_with(&format!("{} wins", kept[0].results.wins)), "{difference:?}");
}

#[test]
fn a_published_experiment_that_an_older_program_began_goes_on() {
    let whole = tempfile::tempdir().unwrap();
    let text = library::text_of("a1").unwrap();
    let changes = Changes { quick: true, trainings: Some(1), ..Changes::default() };
    let run = ExperimentRun::new(text, changes, &whole.path().join("run"), &crate::open).unwrap();
    assert_eq!(run.run(2, &Cancel::new(), &mut |_| ()).unwrap().stop, StopReason::Finished);

    // The older program had other names of keys, in the experiment's text and in the full forms of its manifest.
    let parts = tempfile::tempdir().unwrap();
    let place = parts.path().join("run");
    fs::create_dir(&place).unwrap();
    let manifest = String::from_utf8(bytes(whole.path(), "run.json")).unwrap();
    let old = [("ties=", "draws="), ("epsilon=", "explore="), ("memory_mb=", "memory=")];
    let before = old.iter().fold(manifest.clone(), |text, (new, old)| text.replace(new, old));
    let old_text = |manifest: &str| {
        let manifest: serde_json::Value = serde_json::from_str(manifest).unwrap();
        manifest["text"].as_str().unwrap().to_owned()
    };
    assert!(old_text(&before).contains("draws=second") && old_text(&manifest) == text);
    fs::write(place.join("run.json"), before).unwrap();
    let rows = bytes(whole.path(), "rows.csv");
    fs::write(place.join("rows.csv"), &rows[..rows.len() / 2]).unwrap();

    let run = ExperimentRun::resume(text, true, &place, &crate::open).unwrap();
    assert_eq!(run.run(2, &Cancel::new(), &mut |_| ()).unwrap().stop, StopReason::Finished);
    assert!(bytes(parts.path(), "rows.csv") == rows);
    assert_eq!(bytes(parts.path(), "findings.json"), bytes(whole.path(), "findings.json"));
}

#[test]
fn a_cancelled_experiment_keeps_whole_trainings() {
    for threads in [1, 2] {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("run");
        let run = ExperimentRun::new(EXPERIMENT, Changes::default(), &place, &crate::open).unwrap();
        let cancel = Cancel::new();
        let mut kept = 0;
        let ended = run
            .run(threads, &cancel, &mut |event| {
                if let Event::ExperimentUnit { rows, .. } = event {
                    kept += rows.len();
                    cancel.cancel();
                }
            })
            .unwrap();
        assert_eq!(ExperimentFolder::rows(&place, false).unwrap().len(), kept);
        if threads == 1 {
            // A single worker waits for the listener, so that exactly one training is finished.
            assert_eq!((ended.stop, kept), (StopReason::Cancelled, 6));
            assert!(!ended.report.progress.is_complete());
        } else {
            // The second worker may have finished all other trainings before the first one is heard of.
            let wholes = [6, 12, 15, 21, 27, 30, 36, 42, 45];
            assert!(wholes.contains(&kept), "{kept} rows are not of whole trainings");
            let stop = if kept == 45 { StopReason::Finished } else { StopReason::Cancelled };
            assert_eq!((ended.stop, ended.report.progress.is_complete()), (stop, kept == 45));
        }
    }
}

const SWEEP: &str = r#"
id = "sweep"
title = "Stages and a sweep"
question = "Do stages and sweeps work?"
game = "connect(width=5, height=4)"
seed = 3
trainings = 3

[default]
learner = "columns"
[[default.stage]]
rounds = 1
matches = 6
against = ["baseline", "earlier"]
settings = { epsilon = 0.5 }
[[default.stage]]
rounds = 2
matches = 4
[default.test]
against = "exercises"
after = "every"
repeats = 1
matches = 10

[[arm]]
name = "printed"

[[arm]]
name = "plain"
against = "self"
rounds = 1
matches = 3
[arm.test]
against = "baseline"
after = [1]
repeats = 1
matches = 4

[sweep]
arm = "printed"
keys = { lookahead = [0, 2], caps = ["text", "none", "loose"] }
measure = "win_percent"

[[hypothesis]]
id = "settles"
says = "Weights change by less than 50 % in the last round."
test = "below"
arm = "lookahead 2, caps none"
measure = "weight_change_percent"
after = "last"
value = 50
"#;

#[test]
fn stages_and_sweeps_are_run_and_reported() {
    let read = |place: &Path, name: &str| fs::read(place.join(name)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("run");
    let run = ExperimentRun::new(SWEEP, Changes::default(), &place, &crate::open).unwrap();
    assert_eq!(run.run(2, &Cancel::new(), &mut |_| ()).unwrap().stop, StopReason::Finished);
    let rows = ExperimentFolder::rows(&place, true).unwrap();
    assert_eq!(rows.len(), 3 * (7 * 3 + 1));
    let reported =
        |row: &TestRow| row.report.change.is_some() && row.report.largest.is_some_and(|w| w >= 4.0);
    assert!(rows.iter().all(reported), "{rows:?}");
    let found = String::from_utf8(read(&place, "findings.json")).unwrap();
    let found: serde_json::Value = serde_json::from_str(&found).unwrap();
    let sweep = &found["sweep"];
    assert_eq!(sweep["arms"].as_array().unwrap().len(), 6);
    assert_eq!(sweep["keys"][0]["key"], "lookahead");
    assert_eq!(sweep["keys"][1]["values"].as_array().unwrap().len(), 3);
    let shares: f64 = sweep["keys"].as_array().unwrap().iter().filter_map(|key| key["share"].as_f64()).sum();
    assert!((0.0..=1.0 + 1e-9).contains(&shares), "{sweep}");
    assert!(place.join("plots/what-matters.svg").exists());
    // The rows of a run that was killed are continued, with what learners report.
    let parts = folder.path().join("parts");
    fs::create_dir(&parts).unwrap();
    fs::write(parts.join("run.json"), read(&place, "run.json")).unwrap();
    let kept = read(&place, "rows.csv");
    fs::write(parts.join("rows.csv"), &kept[..kept.len() / 2]).unwrap();
    let run = ExperimentRun::resume(SWEEP, false, &parts, &crate::open).unwrap();
    assert_eq!(run.run(1, &Cancel::new(), &mut |_| ()).unwrap().stop, StopReason::Finished);
    assert_eq!(read(&parts, "rows.csv"), kept);
    assert_eq!(read(&parts, "findings.json"), read(&place, "findings.json"));
}
