//! Sessions of matches and tournaments: agents remember within them and nowhere else.

use std::fs;

use parlor_core::Cancel;
use parlor_lab::run::{MatchRequest, MatchRun, TournamentRequest, TournamentRun};

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

/// The same in a tournament, whose rows are sessions of all pairings in turn; the last sessions are shorter.
#[test]
fn sessions_of_a_tournament_have_the_same_rows_on_any_number_of_threads() {
    let agents = [
        "mstar(model=guess(memory=session), worlds=4)",
        "mstar(model=mix(memory=session), worlds=4)",
        "defense",
    ];
    let request = |session| TournamentRequest {
        game: "dominoes(rules=myers)".to_owned(),
        agents: agents.map(str::to_owned).to_vec(),
        pairs: 8,
        session,
        ..TournamentRequest::default()
    };
    let run = |session, threads| {
        let folder = tempfile::tempdir().unwrap();
        let run =
            TournamentRun::new(&request(session), &crate::open, options(folder.path(), threads)).unwrap();
        run.run(&Cancel::new(), &mut |_| ()).unwrap();
        folder
    };
    let whole = run(3, 1);
    let (games, result) = (bytes(whole.path(), "games.jsonl"), bytes(whole.path(), "result.json"));
    for threads in [2, 5] {
        let again = run(3, threads);
        assert_eq!(bytes(again.path(), "games.jsonl"), games, "{threads} threads");
        assert_eq!(bytes(again.path(), "result.json"), result, "{threads} threads");
        let page = String::from_utf8(bytes(again.path(), "report.html")).unwrap();
        assert!(page.contains("--session 3") && page.contains("3 pairs in a session"));
    }
    let manifest = bytes(whole.path(), "tournament.json");
    assert!(String::from_utf8_lossy(&manifest).contains("\"session\": 3"));
    // Without sessions nothing is remembered: some games come out otherwise, and the manifest is as it always was.
    let alone = run(0, 2);
    let sorted = |bytes: &[u8]| {
        let mut lines: Vec<String> = String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    assert_ne!(sorted(&bytes(alone.path(), "games.jsonl")), sorted(&games));
    assert!(!String::from_utf8(bytes(alone.path(), "tournament.json")).unwrap().contains("\"session\""));
    // Interrupted between two sessions, within one of the second round, and in a short one at the end.
    let ends: Vec<usize> = (0..games.len()).filter(|&at| games[at] == b'\n').map(|at| at + 1).collect();
    assert_eq!(ends.len(), 48);
    for cut in [ends[5], ends[27] + 9, ends[41]] {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("run");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("games.jsonl"), &games[..cut]).unwrap();
        fs::write(folder.join("tournament.json"), &manifest).unwrap();
        let run = TournamentRun::resume(&folder, &crate::open, options(place.path(), 2)).unwrap();
        run.run(&Cancel::new(), &mut |_| ()).unwrap();
        assert_eq!(bytes(place.path(), "games.jsonl"), games, "after {cut} bytes");
        assert_eq!(bytes(place.path(), "result.json"), result, "after {cut} bytes");
    }
}
