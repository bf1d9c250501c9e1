//! Sessions of a match: agents remember within them and nowhere else.

use std::fs;

use parlor_core::Cancel;
use parlor_lab::run::{MatchRequest, MatchRun};

use crate::runs::{bytes, is_pair, options, played, request};

/// Agents remember within a session and nowhere else, whatever the threads, and when a session was interrupted.
#[test]
fn sessions_have_the_same_rows_on_any_number_of_threads() {
    let agents = ["mstar(model=guess(memory=session), worlds=8)", "defense"].map(str::to_owned);
    let game = "dominoes(rules=myers)".to_owned();
    let request =
        |session| MatchRequest { game: game.clone(), agents: agents.clone(), session, ..request(20) };
    let run = |session, threads| {
        let folder = tempfile::tempdir().unwrap();
        played(MatchRun::new(&request(session), &crate::open, options(folder.path(), threads)).unwrap());
        folder
    };
    let whole = run(7, 1);
    let games = bytes(whole.path(), "games.jsonl");
    for threads in [2, 5] {
        assert_eq!(bytes(run(7, threads).path(), "games.jsonl"), games, "{threads} threads");
    }
    let manifest = String::from_utf8(bytes(whole.path(), "match.json")).unwrap();
    assert!(manifest.contains("\"session\": 7") || manifest.contains("\"session\":7"), "{manifest}");
    // Without sessions there is nothing to remember: the games are others, and the manifest is as it always was.
    let alone = run(0, 2);
    assert_ne!(bytes(alone.path(), "games.jsonl"), games);
    assert!(!String::from_utf8(bytes(alone.path(), "match.json")).unwrap().contains("\"session\""));
    // In the middle of the second session, and after the first.
    let ends: Vec<usize> = (0..games.len()).filter(|&at| games[at] == b'\n').map(|at| at + 1).collect();
    for cut in [ends[19], ends[23] + 5, ends[13]] {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("run");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("games.jsonl"), &games[..cut]).unwrap();
        fs::write(folder.join("match.json"), bytes(whole.path(), "match.json")).unwrap();
        let run = MatchRun::resume(&folder, &crate::open, options(place.path(), 2)).unwrap();
        let known = run.known().pairs();
        let mut rows = 0;
        run.run(&Cancel::new(), &mut |event| rows += u64::from(is_pair(event))).unwrap();
        assert_eq!(rows, 20 - known);
        assert_eq!(bytes(place.path(), "games.jsonl"), games, "after {cut} bytes");
    }
}
