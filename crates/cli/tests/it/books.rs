//! `parlor book`.

use crate::place;

use place::Place;

const BUILD: [&str; 9] =
    ["book", "build", "tictactoe", "--agent", "random", "--games", "300", "--plies", "5"];

#[test]
fn a_book_is_built_and_shown() {
    let place = Place::new();
    let [one, two] = ["one.book", "two.book"].map(|name| place.path(name));
    let said = place.stdout(&[&BUILD[..], &["-o", &one, "--threads", "1"]].concat());
    assert!(said.contains("grown by 300 of 300 games of random"), "{said}");
    let summary = place.json(&[&BUILD[..], &["-o", &two, "--threads", "3", "--json"]].concat());
    assert_eq!((&summary["games"], &summary["plies"]), (&300.into(), &5.into()));
    assert!(std::fs::read(&one).unwrap() == std::fs::read(&two).unwrap(), "threads change nothing");
    assert!(place.sentence(&[&BUILD[..], &["-o", &one]].concat()).contains("--force overwrites it"));

    let shown = place.json(&["book", "show", &one, "--json"]);
    assert_eq!(shown["positions"], summary["positions"]);
    assert_eq!(shown["moves"].as_array().unwrap().len(), 9);
    assert_eq!(shown["moves"][0]["best"], true);
    let shown = place.stdout(&["book", "show", &one, "--position", "X../.../..."]);
    assert_eq!(shown.lines().count(), 3 + 1 + 8, "{shown}");
    let unknown = place.stdout(&["book", "show", &one, "--position", "XOX/OX./..."]);
    assert!(unknown.contains("The book does not know this position."), "beyond five plies: {unknown}");
}

#[test]
fn a_book_is_used_when_it_is_named() {
    let place = Place::new();
    let book = place.path("a.book");
    let build = ["book", "build", "tictactoe", "--agent", "mcts(sims=100)", "--games", "60", "-o", &book];
    place.stdout(&build);
    let best = place.json(&["book", "show", &book, "--json"])["moves"][0]["action"].clone();
    let booked = format!("mcts(sims=100, book={book})");
    let last = place.json_lines(&["analyse", "tictactoe", "--agent", &booked, "--json"]).pop().unwrap();
    assert_eq!((&last["best"], &last["thought"]["counts"]), (&best, &"games".into()));
    // Whoever plays by the book opens by it; where it ends, the search takes over.
    let out = place.path("match");
    let words = ["match", "tictactoe", &booked, "random", "--pairs", "5", "--out", &out];
    place.stdout(&words);
    let games = std::fs::read_to_string(std::path::Path::new(&out).join("games.jsonl")).unwrap();
    for line in games.lines().step_by(2) {
        let game: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(game["moves"].as_str().unwrap().split(' ').next(), best.as_str());
        assert_eq!(game["ending"], "finished");
    }
    let wrong = |game: &str, agent: &str| place.sentence(&["match", game, agent, "random", "--no-games"]);
    assert!(wrong("tictactoe(rows=4)", &booked).contains("the opening book is for tictactoe(rows=3"));
    assert!(wrong("tictactoe", "mcts(book=nowhere)").contains("/nowhere`"));
    let mut bytes = std::fs::read(&book).unwrap();
    bytes.pop();
    std::fs::write(&book, bytes).unwrap();
    assert!(wrong("tictactoe", &booked).contains("the opening book is damaged"));
    assert!(wrong("tictactoe", "alphabeta(book=.)").contains("it is a folder, a file is needed"));
}

/// Ctrl-C keeps what has grown, and going on gives what an unbroken growth gives.
#[cfg(unix)]
#[test]
fn a_growth_that_was_broken_off_goes_on() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let place = Place::new();
    let [whole, broken] = ["whole.book", "broken.book"].map(|name| place.path(name));
    let words = |out: &str| {
        let words = "book build tictactoe --agent mcts(sims=400) --games 400 --threads 2 -o";
        words.split(' ').chain([out]).map(str::to_owned).collect::<Vec<_>>()
    };
    let child = Command::new(env!("CARGO_BIN_EXE_parlor"))
        .args(words(&broken))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let patience = Instant::now() + Duration::from_secs(30);
    while !std::path::Path::new(&broken).exists() {
        assert!(Instant::now() < patience, "nothing is begun");
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(Duration::from_millis(50));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let was_quick = output.status.success() && text.contains("400 of 400");
    assert!(was_quick || output.status.code() == Some(130), "{text}");
    assert!(text.contains("go on with: parlor book build --resume") || text.contains("400 of 400"), "{text}");
    place.stdout(&["book", "build", "--resume", &broken]);
    let words = words(&whole);
    place.stdout(&words.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(std::fs::read(&whole).unwrap() == std::fs::read(&broken).unwrap());
}

#[test]
fn what_is_wrong_gets_a_sentence() {
    let place = Place::new();
    let [book, other] = ["a.book", "b.book"].map(|name| place.path(name));
    place.stdout(&[&BUILD[..], &["-o", &book]].concat());
    let mut bytes = std::fs::read(&book).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&other, &bytes).unwrap();
    assert!(place.sentence(&["book", "show", &other]).contains("the opening book is damaged"));
    assert!(place.sentence(&["book", "build", "--resume", &other]).contains("the opening book is damaged"));
    std::fs::write(&other, &bytes[..middle]).unwrap();
    assert!(place.sentence(&["book", "show", &other]).contains("the opening book is damaged"));
    std::fs::write(&other, "something else").unwrap();
    assert!(place.sentence(&["book", "show", &other]).contains("not a parlor opening book"));
    assert!(place.sentence(&["book", "show", &place.path("none")]).contains("none"));
    let build = |game: &str| place.sentence(&["book", "build", game, "-o", &place.path("new.book")]);
    assert!(build("minesweeper").contains("minesweeper has no opening books; available for connect"));
    assert!(build("tictacto").contains("did you mean `tictactoe`?"));
    assert!(place.sentence(&["book", "build", "tictactoe"]).contains("--out"));
}
