//! `parlor endgame`.

use crate::place;

use place::Place;

const SMALL: &str = "checkers(rows=4, columns=6)";

/// Red takes a king and has won; one step it could take instead does not exist, as jumps are compulsory.
const WON: &str = "-.-.-./.-W-.-/-R-.-./.-.-.- r";

/// Both sides have a king, and red has two moves.
const TWO_KINGS: &str = "-.-.-W/.-.-.-/-.-.-./.-R-.- r";

#[test]
fn a_database_is_built_checked_and_looked_into() {
    let place = Place::new();
    let folder = place.path("few");
    let build = ["endgame", "build", SMALL, "--pieces", "3", "--out", &folder];
    let built = place.json(&[&build[..], &["--json"]].concat());
    assert_eq!((&built["rows"][0]["pieces"], &built["rows"][1]["pieces"]), (&2.into(), &3.into()));
    assert_eq!((&built["rows"][0]["lost"], &built["rows"][0]["won"]), (&46.into(), &113.into()));
    let said = place.stdout(&build);
    assert!(said.contains("kept in") && said.lines().count() == 5, "{said}");

    let found = place.json(&["endgame", "verify", &folder, "--sample", "50", "--depth", "4", "--json"]);
    assert_eq!((&found["wrong"], &found["refuted"], &found["searched"]), (&0.into(), &0.into(), &50.into()));

    let probed = place.json(&["endgame", "probe", &folder, "--position", WON, "--json"]);
    assert_eq!((&probed["value"], probed["moves"].as_array().unwrap().len()), (&1.into(), 1));
    assert_eq!(probed["moves"][0]["action"], "b2xd4");
    let said = place.stdout(&["endgame", "probe", &folder, "--position", WON]);
    assert!(said.starts_with("win for the side to move (0m1k-0m1k)"), "{said}");

    let agent = format!("alphabeta(depth=2, endgames={folder})");
    let played = place.json(&["match", SMALL, &agent, "random", "--pairs", "2", "--json"]);
    assert_eq!(played["losses"], 0);
}

#[test]
fn what_does_not_fit_gets_a_sentence() {
    let place = Place::new();
    let folder = place.path("few");
    assert!(
        place.sentence(&["endgame", "build", "connect", "--pieces", "3"]).contains("checkers, darkchess")
    );
    let home = place.json(&["endgame", "build", SMALL, "--pieces", "2", "--json"]);
    assert!(home["folder"].as_str().unwrap().contains("endgames"), "kept in the program's own place");
    place.stdout(&["endgame", "build", SMALL, "--pieces", "2", "-o", &folder]);
    let start = "-w-w-w/.-.-.-/-.-.-./r-r-r- r";
    let sentence = place.sentence(&["endgame", "probe", &folder, "--position", start]);
    assert!(sentence.contains("3m0k-3m0k is not in this folder; it has up to 2 pieces"), "{sentence}");
    let elsewhere = format!("alphabeta(endgames={folder})");
    let sentence = place.sentence(&["match", "checkers", &elsewhere, "random", "--pairs", "1"]);
    assert!(
        sentence.contains("the file is for checkers-4x6-kings-must, not for checkers-8x8-kings-must"),
        "{sentence}"
    );
    assert!(place.sentence(&["endgame", "verify", &place.path("nowhere")]).contains("nowhere"));

    // A byte that has changed is noticed before anything is believed.
    let file = format!("{folder}/0m1k-0m1k.endgame");
    let mut bytes = std::fs::read(&file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let sentence = place.sentence(&["endgame", "verify", &folder]);
    assert!(sentence.contains("block 0 is damaged"), "{sentence}");
}

/// A damaged block is noticed when it is first read in play. The agent says so; it does not play on without it.
#[test]
fn a_damaged_block_costs_the_match() {
    let place = Place::new();
    let [folder, run] = ["few", "run"].map(|name| place.path(name));
    place.stdout(&["endgame", "build", SMALL, "--pieces", "4", "-o", &folder]);
    for entry in std::fs::read_dir(&folder).unwrap() {
        let file = entry.unwrap().path();
        let mut bytes = std::fs::read(&file).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        std::fs::write(&file, bytes).unwrap();
    }
    for threads in [1, 3] {
        let agent = format!("alphabeta(depth=6, threads={threads}, endgames={folder})");
        let sentence = place.sentence(&["analyse", SMALL, "--agent", &agent, "--position", TWO_KINGS]);
        assert!(sentence.contains("its endgame database cannot be used: "), "{sentence}");
        assert!(sentence.contains(" is damaged"), "{sentence}");
    }
    let agent = format!("alphabeta(depth=6, endgames={folder})");
    place.stdout(&["match", SMALL, &agent, "random", "--pairs", "1", "--out", &run]);
    let games = std::fs::read_to_string(format!("{run}/games.jsonl")).unwrap();
    assert_eq!(games.matches("forfeits: its endgame database cannot be used").count(), 2, "{games}");
}
