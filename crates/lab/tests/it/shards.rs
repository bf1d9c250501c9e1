//! Runs in parts: the bytes of one run for any division and order, and what is refused.

use std::fs;
use std::path::Path;

use parlor_core::{Cancel, TimeControl};
use parlor_lab::run::experiments::Changes;
use parlor_lab::run::shards::{MOST_SHARDS, Merged, RunPlan, ShardError, merge, write};
use parlor_lab::run::{
    ExperimentRun, Keep, MatchRequest, MatchRun, RunError, RunOptions, Shard, ShardRun, TournamentRequest,
    TournamentRun,
};

use super::runs::{options, played, request};

fn nowhere(threads: usize) -> RunOptions {
    RunOptions { threads, ..RunOptions::default() }
}

fn match_shards(request: &MatchRequest, threads: usize) -> Result<ShardRun, RunError> {
    ShardRun::of_match(MatchRun::new(request, &crate::open, nowhere(threads)).unwrap())
}

fn tournament() -> TournamentRequest {
    TournamentRequest {
        game: "tictactoe".to_owned(),
        agents: ["random", "alphabeta(depth=1)", "alphabeta(depth=2)"].map(str::to_owned).to_vec(),
        pairs: 5,
        seed: 3,
        ..TournamentRequest::default()
    }
}

/// Plays some shards into a folder, from the plan as another machine gets it.
fn play(run: &ShardRun, folder: &Path, shards: &[(u64, u64)]) {
    let text = serde_json::to_string(run.plan()).unwrap();
    for (number, &(shard, of)) in shards.iter().enumerate() {
        let plan: RunPlan = serde_json::from_str(&text).unwrap();
        let mut run = ShardRun::of_plan(plan, 1 + number % 3, &crate::open).unwrap();
        let shard = Shard::new(shard, of).unwrap();
        let bytes = run.play(shard, &Cancel::new(), &mut |_| ()).unwrap();
        assert!(!run.is_in(folder, shard).unwrap());
        write(folder, shard, &bytes).unwrap();
        assert!(run.is_in(folder, shard).unwrap());
    }
}

fn merged(folder: &Path) -> Result<Merged, RunError> {
    merge(folder, options(folder, 1), &crate::open, &Cancel::new(), &mut |_| ())
}

fn error(folder: &Path) -> String {
    merged(folder).expect_err("this is refused").to_string()
}

/// Asserts that two folders have the same files with the same bytes, but for those named.
fn same_files(one: &Path, other: &Path, but: &[&str]) {
    let names = |folder: &Path| {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| !but.contains(&name.as_str()))
            .collect();
        names.sort();
        names
    };
    assert_eq!(names(one), names(other));
    for name in names(one) {
        if one.join(&name).is_file() {
            assert!(
                fs::read(one.join(&name)).unwrap() == fs::read(other.join(&name)).unwrap(),
                "{name} differs"
            );
        }
    }
}

#[test]
fn a_match_in_any_division_and_order_has_the_bytes_of_one_run() {
    let divisions: [&[(u64, u64)]; 5] = [
        &[(0, 1)],
        &[(2, 3), (0, 3), (1, 3)],
        &[(1, 2), (0, 2)],
        // More shards than pairs: some are empty.
        &[(8, 9), (7, 9), (6, 9), (5, 9), (4, 9), (3, 9), (2, 9), (1, 9), (0, 9)],
        // Two divisions that overlap.
        &[(1, 2), (0, 3), (1, 3)],
    ];
    for session in [0, 3] {
        let request = MatchRequest { session, opening: 1, ..request(8) };
        let whole = tempfile::tempdir().unwrap();
        let report = played(MatchRun::new(&request, &crate::open, options(whole.path(), 2)).unwrap());
        for division in divisions {
            let place = tempfile::tempdir().unwrap();
            play(&match_shards(&request, 1).unwrap(), place.path(), division);
            let Merged::Match(merged) = merged(place.path()).unwrap() else { panic!("a match") };
            assert_eq!(merged.verdict, report.verdict);
            same_files(&whole.path().join("run"), &place.path().join("run"), &[]);
        }
    }
}

#[test]
fn a_tournament_in_shards_has_the_bytes_of_one_run() {
    for session in [0, 2] {
        let request = TournamentRequest { session, ..tournament() };
        let whole = tempfile::tempdir().unwrap();
        let run = TournamentRun::new(&request, &crate::open, options(whole.path(), 2)).unwrap();
        run.run(&Cancel::new(), &mut |_| ()).unwrap();
        let place = tempfile::tempdir().unwrap();
        let run = TournamentRun::new(&request, &crate::open, nowhere(1)).unwrap();
        play(&ShardRun::of_tournament(run).unwrap(), place.path(), &[(3, 4), (1, 4), (0, 4), (2, 4)]);
        merged(place.path()).unwrap();
        same_files(&whole.path().join("run"), &place.path().join("run"), &[]);
    }
}

const TRAININGS: &str = r#"
id = "short"
title = "Short"
question = "Does it learn?"
game = "tictactoe"
trainings = 3
seed = 5

[default]
against = "random"
rounds = 2
matches = 20
[default.test]
against = "random"
after = "every"
repeats = 1
matches = 10

[[arm]]
name = "one"
learner = "collective"

[[arm]]
name = "two"
learner = "collective(win=1.06, loss=0.5)"
"#;

#[test]
fn an_experiment_in_shards_has_the_bytes_of_one_run() {
    let studies = parlor_lab::experiment::library::text_of("m3").expect("a published study");
    for (text, quick) in [(TRAININGS, false), (studies, true)] {
        let changes = Changes { quick, ..Changes::default() };
        let whole = tempfile::tempdir().unwrap();
        let run = ExperimentRun::new(text, changes, &whole.path().join("run"), &crate::open).unwrap();
        run.run(2, &Cancel::new(), &mut |_| ()).unwrap();
        let place = tempfile::tempdir().unwrap();
        let run = ShardRun::of_experiment(text, changes, 1, &crate::open).unwrap();
        assert!(run.units() > 1, "{} units", run.units());
        play(&run, place.path(), &[(1, 3), (0, 3), (2, 3)]);
        merged(place.path()).unwrap();
        same_files(&whole.path().join("run"), &place.path().join("run"), &[]);
    }
}

#[test]
fn a_sequential_test_is_read_in_order_and_needs_no_shard_behind_its_decision() {
    let request = MatchRequest { sprt: Some([0.0, 200.0]), ..request(400) };
    let whole = tempfile::tempdir().unwrap();
    let report = played(MatchRun::new(&request, &crate::open, options(whole.path(), 2)).unwrap());
    let pairs = report.verdict.pentanomial.iter().sum::<u64>();
    assert!(pairs < 200, "decided after {pairs} pairs");
    let place = tempfile::tempdir().unwrap();
    let run = match_shards(&request, 1).unwrap();
    play(&run, place.path(), &[(1, 8), (0, 8), (2, 8), (3, 8), (6, 8)]);
    let Merged::Match(merged) = merged(place.path()).unwrap() else { panic!("a match") };
    assert_eq!((merged.stop, &merged.verdict), (report.stop, &report.verdict));
    same_files(&whole.path().join("run"), &place.path().join("run"), &[]);
}

#[test]
fn merging_resumes_and_can_be_repeated() {
    let place = tempfile::tempdir().unwrap();
    play(&match_shards(&request(8), 1).unwrap(), place.path(), &[(0, 2), (1, 2)]);
    merged(place.path()).unwrap();
    let games = place.path().join("run/games.jsonl");
    let bytes = fs::read(&games).unwrap();
    for kept in [0, 10, bytes.len() / 2, bytes.len()] {
        fs::write(&games, &bytes[..kept]).unwrap();
        merged(place.path()).unwrap();
        assert!(fs::read(&games).unwrap() == bytes, "after {kept} bytes");
    }
    // Another run's folder stays as it is.
    let other = tempfile::tempdir().unwrap();
    play(&match_shards(&MatchRequest { seed: 8, ..request(8) }, 1).unwrap(), other.path(), &[(0, 1)]);
    let keep = Keep::In(place.path().join("run"));
    let into = RunOptions { keep, ..nowhere(1) };
    let refused = merge(other.path(), into, &crate::open, &Cancel::new(), &mut |_| ()).unwrap_err();
    assert!(refused.to_string().contains("holds a match already"), "{refused}");
    assert!(fs::read(&games).unwrap() == bytes);
}

#[test]
fn gaps_foreign_shards_and_damage_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    assert!(error(folder).contains("holds no shards"), "{}", error(folder));
    let run = match_shards(&request(8), 1).unwrap();
    play(&run, folder, &[(0, 4), (3, 4)]);
    let missing = error(folder);
    assert!(missing.starts_with("pairs 2 to 5 are missing in "), "{missing}");
    assert!(missing.ends_with("; to play: --shard 1/4, 2/4"), "{missing}");
    assert!(!folder.join("run").exists(), "nothing is written before all is there");

    // Of another run: at once, and when merging.
    let mut other = match_shards(&MatchRequest { seed: 8, ..request(8) }, 1).unwrap();
    let shard = Shard::new(1, 4).unwrap();
    assert!(matches!(other.is_in(folder, shard), Err(RunError::Shard(ShardError::Foreign { .. }))));
    let foreign = other.play(shard, &Cancel::new(), &mut |_| ()).unwrap();
    write(folder, shard, &foreign).unwrap();
    assert!(error(folder).contains("is a shard of another run than"), "{}", error(folder));

    // Damaged: it is played again.
    let path = folder.join(shard.file_name());
    let mut bytes = foreign;
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    for wrong in [&bytes[..], &bytes[..middle], b"", b"something else"] {
        fs::write(&path, wrong).unwrap();
        assert!(matches!(merged(folder), Err(RunError::Shard(ShardError::File { .. }))));
        assert!(!run.is_in(folder, shard).unwrap());
    }
    fs::remove_file(&path).unwrap();
    play(&run, folder, &[(1, 4), (2, 4)]);
    merged(folder).unwrap();
}

#[test]
fn rows_that_are_there_twice_must_be_equal() {
    let place = tempfile::tempdir().unwrap();
    let run = match_shards(&request(8), 1).unwrap();
    play(&run, place.path(), &[(0, 2), (1, 2), (1, 4)]);
    merged(place.path()).unwrap();
    // A shard whose checksum is right and whose rows are not.
    let path = place.path().join("1-of-4.shard");
    let bytes = fs::read(&path).unwrap();
    let (about, content) = parlor_lab::run::shards::FORM.decode::<serde_json::Value>(&bytes).unwrap();
    let mut content = content.to_vec();
    let digit = content.iter().rposition(u8::is_ascii_digit).unwrap();
    content[digit] = if content[digit] == b'1' { b'2' } else { b'1' };
    fs::write(&path, parlor_lab::run::shards::FORM.encode(&about, &content)).unwrap();
    assert!(error(place.path()).contains("have different rows of unit 3"), "{}", error(place.path()));
}

#[test]
fn results_that_depend_on_a_clock_are_refused() {
    let refused = |change: &dyn Fn(&mut MatchRequest)| {
        let mut request = request(2);
        change(&mut request);
        match_shards(&request, 1).err().expect("this is refused").to_string()
    };
    let time: TimeControl = "1m".parse().unwrap();
    let sentence = refused(&|request| request.time = time);
    assert!(sentence.starts_with("--time cannot be divided into shards"), "{sentence}");
    let sentence = refused(&|request| (request.time, request.ponder) = (time, true));
    assert!(sentence.starts_with("--ponder cannot be divided into shards"), "{sentence}");
    let sentence = refused(&|request| request.agents[1] = "mcts(time_ms=10)".to_owned());
    assert!(sentence.contains("limits its time, and no two machines are equally fast"), "{sentence}");
    assert_eq!(Shard::new(0, MOST_SHARDS + 1), None);
}

#[test]
fn a_cancelled_shard_leaves_nothing() {
    let mut run = match_shards(&request(400), 2).unwrap();
    let cancel = Cancel::new();
    let mut heard = 0;
    let played = run.play(Shard::new(0, 1).unwrap(), &cancel, &mut |_| {
        heard += 1;
        if heard == 3 {
            cancel.cancel();
        }
    });
    assert!(matches!(played, Err(RunError::Cancelled)));
}
