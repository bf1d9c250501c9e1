//! `parlor book`.

mod place;

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
fn what_is_wrong_gets_a_sentence() {
    let place = Place::new();
    let [book, other] = ["a.book", "b.book"].map(|name| place.path(name));
    place.stdout(&[&BUILD[..], &["-o", &book]].concat());
    let mut bytes = std::fs::read(&book).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&other, &bytes).unwrap();
    assert!(place.sentence(&["book", "show", &other]).contains("the book is damaged"));
    assert!(place.sentence(&["book", "build", "--resume", &other]).contains("the book is damaged"));
    std::fs::write(&other, &bytes[..middle]).unwrap();
    assert!(place.sentence(&["book", "show", &other]).contains("the book is damaged"));
    std::fs::write(&other, "something else").unwrap();
    assert!(place.sentence(&["book", "show", &other]).contains("this is no opening book"));
    assert!(place.sentence(&["book", "show", &place.path("none")]).contains("none"));
    let build = |game: &str| place.sentence(&["book", "build", game, "-o", &place.path("new.book")]);
    assert!(build("minesweeper").contains("books are for games without: connect"));
    assert!(build("tictacto").contains("did you mean `tictactoe`?"));
    assert!(place.sentence(&["book", "build", "tictactoe"]).contains("--out"));
}
