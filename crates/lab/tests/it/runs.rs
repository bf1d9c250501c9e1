//! Runs from their request to their report: events, reasons to stop, and going on after being killed.

mod trainings;

use std::cell::Cell;
use std::fs;
use std::path::Path;
use std::time::Duration;

use parlor_core::files::knowledge::Knowledge;
use parlor_core::{Cancel, TimeControl};
use parlor_lab::log;
use parlor_lab::run::folder::RunFolderError;
use parlor_lab::run::matches::MatchReport;
use parlor_lab::run::{
    Event, Keep, Lesson, LessonRun, MatchRequest, MatchRun, RunError, RunOptions, StopReason,
    TournamentRequest, TournamentRun, TrainingRun, TrainingSeries, Unit,
};
use parlor_lab::stages;
use parlor_lab::training::Request;

pub(super) fn request(pairs: u64) -> MatchRequest {
    MatchRequest {
        game: "tictactoe".to_owned(),
        agents: ["random", "alphabeta(depth=2)"].map(str::to_owned),
        seed: 7,
        pairs,
        sprt: None,
        time: TimeControl::default(),
        opening: 0,
        session: 0,
        ponder: false,
    }
}

pub(super) fn options(folder: &Path, threads: usize) -> RunOptions {
    let home = Some(folder.join("home"));
    RunOptions { threads, keep: Keep::In(folder.join("run")), home, ..RunOptions::default() }
}

pub(super) fn played(run: MatchRun) -> MatchReport {
    run.run(&Cancel::new(), &mut |_| ()).unwrap()
}

pub(super) fn bytes(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join("run").join(name)).unwrap()
}

#[test]
fn a_match_sends_events_opens_its_game_once_and_is_logged() {
    let folder = tempfile::tempdir().unwrap();
    let opened = Cell::new(0);
    let open = |spec: &str| {
        opened.set(opened.get() + 1);
        crate::open(spec)
    };
    let run = MatchRun::new(&request(6), &open, options(folder.path(), 3)).unwrap();
    let mut heard = Vec::new();
    let report = run
        .run(&Cancel::new(), &mut |event| {
            heard.push(match event {
                Event::Started { unit: Unit::Pairs, done: 0, total: 6 } => "started".to_owned(),
                Event::MatchPair { row, tally } => format!("{} of {}", row.pair, tally.pairs()),
                Event::Done(StopReason::Finished) => "done".to_owned(),
                other => format!("{other:?}"),
            });
        })
        .unwrap();
    assert_eq!(heard, ["started", "0 of 1", "1 of 2", "2 of 3", "3 of 4", "4 of 5", "5 of 6", "done"]);
    assert_eq!(opened.get(), 1);
    assert_eq!((report.stop, report.verdict.games.total()), (StopReason::Finished, 12));
    assert_eq!(report.manifest.agents[0], "random");
    let (log, strange) = log::read(&folder.path().join("home")).unwrap();
    assert_eq!((log.len(), strange, log[0].ended_by.as_str()), (1, 0, "pairs"));
}

#[test]
fn a_killed_match_goes_on_to_the_same_bytes() {
    let whole = tempfile::tempdir().unwrap();
    played(MatchRun::new(&request(8), &crate::open, options(whole.path(), 1)).unwrap());
    let games = bytes(whole.path(), "games.jsonl");
    let ends: Vec<usize> = (0..games.len()).filter(|&at| games[at] == b'\n').map(|at| at + 1).collect();
    assert_eq!(ends.len(), 16);
    // In the middle of the first line, after one game of a pair, between pairs, in the middle of a line, and finished.
    for cut in [3, ends[2], ends[5], ends[9] - 4, games.len()] {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("run")).unwrap();
        fs::write(folder.path().join("run/games.jsonl"), &games[..cut]).unwrap();
        fs::write(folder.path().join("run/match.json"), bytes(whole.path(), "match.json")).unwrap();
        let known = ends.iter().filter(|&&end| end <= cut).count() as u64 / 2;
        let run =
            MatchRun::resume(&folder.path().join("run"), &crate::open, options(folder.path(), 2)).unwrap();
        assert_eq!(run.known().pairs(), known);
        let mut rows = 0;
        let report = run.run(&Cancel::new(), &mut |event| rows += u64::from(is_pair(event))).unwrap();
        assert_eq!((report.stop, rows), (StopReason::Finished, 8 - known));
        for name in ["games.jsonl", "result.json", "match.json"] {
            assert_eq!(bytes(folder.path(), name), bytes(whole.path(), name), "{name} after {cut} bytes");
        }
        let logged = log::read(&folder.path().join("home")).unwrap().0.len();
        assert_eq!(logged, usize::from(known < 8), "a finished match is not logged again");
    }
}

#[test]
fn a_run_with_old_names_of_keys_goes_on_under_them() {
    let request = MatchRequest { agents: ["mcts(sims=5)", "random"].map(str::to_owned), ..request(4) };
    let whole = tempfile::tempdir().unwrap();
    played(MatchRun::new(&request, &crate::open, options(whole.path(), 1)).unwrap());
    let old = |name: &str| {
        let text = String::from_utf8(bytes(whole.path(), name)).unwrap();
        assert!(text.contains("memory_mb="), "{text}");
        text.replace("memory_mb=", "tree_mb=")
    };
    let games = old("games.jsonl");
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("run");
    fs::create_dir(&place).unwrap();
    fs::write(place.join("games.jsonl"), &games[..games.len() / 2]).unwrap();
    fs::write(place.join("match.json"), old("match.json")).unwrap();
    for _ in 0..2 {
        let report = played(MatchRun::resume(&place, &crate::open, options(folder.path(), 2)).unwrap());
        assert_eq!(report.stop, StopReason::Finished);
        assert_eq!(fs::read_to_string(place.join("games.jsonl")).unwrap(), games);
    }
}

pub(super) fn is_pair(event: &Event<'_>) -> bool {
    matches!(event, Event::MatchPair { .. } | Event::TournamentPair { .. })
}

#[test]
fn a_match_stops_for_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| options(&folder.path().join(name), 2);
    let open = &crate::open;

    let weak = MatchRequest { sprt: Some([0.0, 20.0]), ..request(1000) };
    let report = played(MatchRun::new(&weak, open, place("H0")).unwrap());
    assert_eq!(report.stop, StopReason::Decided("H0"), "the weaker agent leads by nothing");
    assert!(report.verdict.games.total() < 2000);
    let folder_of = |report: &MatchReport| report.folder.clone().unwrap();
    assert!(folder_of(&report).join("result.json").exists());
    // What was decided stays so.
    let again = played(MatchRun::resume(&folder_of(&report), open, place("H0")).unwrap());
    assert_eq!((again.stop, &again.verdict), (report.stop, &report.verdict));

    let short = RunOptions { time_limit: Some(Duration::ZERO), ..place("time") };
    let report = played(MatchRun::new(&request(50), open, short).unwrap());
    assert_eq!((report.stop, report.verdict.games.total()), (StopReason::TimeLimit, 2));
    assert!(!folder_of(&report).join("result.json").exists());
    // The last pair was in when the time was over.
    let short = RunOptions { time_limit: Some(Duration::ZERO), ..place("last") };
    assert_eq!(played(MatchRun::new(&request(1), open, short).unwrap()).stop, StopReason::Finished);

    let cancel = Cancel::new();
    let run = MatchRun::new(&request(100_000), open, place("cancelled")).unwrap();
    let report = run
        .run(&cancel, &mut |event| {
            if is_pair(event) {
                cancel.cancel();
            }
        })
        .unwrap();
    assert_eq!(report.stop, StopReason::Cancelled);
    assert!(report.stop.is_early() && report.verdict.games.total() >= 2);
}

#[test]
fn what_cannot_be_played_is_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let new = |request: &MatchRequest| {
        let error = MatchRun::new(request, &crate::open, options(folder.path(), 1)).err().unwrap();
        assert!(!folder.path().join("run").exists(), "{error}");
        error
    };
    let game = MatchRequest { game: "chess".to_owned(), ..request(1) };
    assert!(matches!(new(&game), RunError::Spec(_)));
    let agent = MatchRequest { agents: ["random", "no-such-agent"].map(str::to_owned), ..request(1) };
    assert!(matches!(new(&agent), RunError::Spec(_)));
    let learning =
        MatchRequest { agents: ["random", "collective(learning=on)"].map(str::to_owned), ..request(1) };
    assert!(matches!(new(&learning), RunError::Spec(_)));
    assert!(matches!(new(&MatchRequest { ponder: true, ..request(1) }), RunError::PonderWithoutTime));
    let test = MatchRequest { sprt: Some([5.0, 5.0]), ..request(1) };
    assert!(matches!(new(&test), RunError::Statistics(_)));
}

#[test]
fn a_folder_holds_one_run_for_one_program_and_only_games_that_fit() {
    let folder = tempfile::tempdir().unwrap();
    let open = &crate::open;
    let run = MatchRun::new(&request(3), open, options(folder.path(), 1)).unwrap();
    let place = folder.path().join("run");
    let resume = || MatchRun::resume(&place, open, options(folder.path(), 1)).err();
    assert!(matches!(resume(), Some(RunError::Folder(RunFolderError::Busy(_)))));
    played(run);
    let again = MatchRun::new(&request(3), open, options(folder.path(), 1)).err();
    assert!(matches!(again, Some(RunError::Folder(RunFolderError::Taken { what: "match", .. }))));
    let other = TournamentRun::resume(&place, open, options(folder.path(), 1)).err();
    assert!(matches!(other, Some(RunError::Folder(RunFolderError::Missing { .. }))));
    let manifest = fs::read_to_string(place.join("match.json")).unwrap();
    fs::write(place.join("match.json"), manifest.replace("\"seed\": 7", "\"seed\": 8")).unwrap();
    assert!(matches!(resume(), Some(RunError::Folder(RunFolderError::Damaged { .. }))));
}

#[test]
fn a_killed_tournament_goes_on_to_the_same_bytes() {
    let request = TournamentRequest {
        game: "tictactoe".to_owned(),
        agents: ["random", "alphabeta(depth=1)", "alphabeta(depth=3)"].map(str::to_owned).to_vec(),
        // Many, so that it is not over before the sign to stop is seen.
        pairs: 40,
        ..TournamentRequest::default()
    };
    let run = |folder: &Path, stop_after: u64| {
        let place = folder.join("run");
        let run = if place.exists() {
            TournamentRun::resume(&place, &crate::open, options(folder, 3)).unwrap()
        } else {
            TournamentRun::new(&request, &crate::open, options(folder, 2)).unwrap()
        };
        let cancel = Cancel::new();
        let mut rows = 0;
        run.run(&cancel, &mut |event| {
            rows += u64::from(is_pair(event));
            if stop_after > 0 && rows == stop_after {
                cancel.cancel();
            }
        })
        .unwrap()
    };
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    assert_eq!(run(whole.path(), 0).stop, StopReason::Finished);
    let early = run(parts.path(), 5);
    assert_eq!(early.stop, StopReason::Cancelled);
    assert!(!early.standings.is_complete());
    let rest = run(parts.path(), 0);
    assert_eq!((rest.stop, rest.standings.pairs), (StopReason::Finished, 120));
    for name in ["games.jsonl", "result.json", "report.html", "tournament.json"] {
        assert_eq!(bytes(parts.path(), name), bytes(whole.path(), name), "{name}");
    }
}

#[test]
fn a_tournament_in_a_file_says_where_it_is_wrong() {
    let wrong = |text: &str| {
        let options = RunOptions { threads: 1, ..RunOptions::default() };
        match TournamentRun::from_file(text, |_| (), &crate::open, options).err().unwrap() {
            RunError::File(error) => (error.at.line, error.at.column),
            other => panic!("{other}"),
        }
    };
    assert_eq!(wrong("game = \"chess\"\nagents = [\"random\", \"alphabeta\"]"), (1, 8));
    assert_eq!(wrong("game = \"tictactoe\"\nagents = [\"random\", \"alphabet\"]"), (2, 21));
    assert_eq!(wrong("game = \"tictactoe\"\nagents = [\"random\", \"random\"]"), (2, 21));
}
