//! Specs as people type them: old keys, quotes, and files that change under a run.

use std::fs;

use crate::place::Place;

/// Returns what a call prints on standard output and standard error.
fn both(place: &Place, words: &[&str]) -> [String; 2] {
    let output = place.parlor(words).assert().success().get_output().clone();
    [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap())
}

#[test]
fn old_keys_are_read_with_a_warning() {
    let place = Place::new();
    let call = |agent: &str| {
        let words =
            ["match", "connect", agent, "mcts(sims=4, playout=2)", "--pairs", "1", "--json", "--no-games"];
        both(&place, &words)
    };
    let [old, warnings] = call("mcts(sims=9, playout=3)");
    assert_eq!(warnings.matches("warning").count(), 1, "once a key: {warnings}");
    assert!(warnings.contains("mcts: the key `playout` is now named `cut`"), "{warnings}");
    assert_eq!(old, call("mcts(sims=9, cut=3)")[0], "the old name means what the new one means");

    let new = ["match", "connect", "mcts(sims=4, cut=2)", "random", "--pairs", "1", "--json", "--no-games"];
    assert_eq!(both(&place, &new)[1], "");
    let league = place.path("league.toml");
    fs::write(
        &league,
        "game = \"tictactoe\"\nagents = [\"mcts(sims=4, tree_mb=1)\", \"random\"]\npairs = 1\n",
    )
    .unwrap();
    let warnings = both(&place, &["tournament", &league, "--out", &place.path("league")])[1].clone();
    assert!(warnings.contains("`tree_mb` is now named `memory_mb`"), "{warnings}");
    // What our own files say is nobody's mistake.
    assert_eq!(both(&place, &["tournament", "--resume", &place.path("league"), "--json"])[1], "");
}

/// Cuts the games of a run after the first pair.
fn cut(folder: &str) {
    let games = format!("{folder}/games.jsonl");
    let first: String = fs::read_to_string(&games).unwrap().split_inclusive('\n').take(2).collect();
    fs::write(&games, first).unwrap();
}

#[test]
fn a_run_does_not_go_on_with_another_file() {
    let place = Place::new();
    let [book, run] = ["a, b (1).book", "run"].map(|name| place.path(name));
    let build = |games: &str| {
        let agent = ["--agent", "mcts(sims=20)"];
        place.stdout(
            &[&["book", "build", "tictactoe", "-o", &book, "--force", "--games", games], &agent[..]].concat(),
        );
    };
    build("5");
    let agent = format!("mcts(sims=9, book=\"{book}\")");
    let pair = ["--pairs", "3", "--seed", "1", "--opening", "1"];
    place.stdout(&[&["match", "tictactoe", &agent, "random", "--out", &run], &pair[..]].concat());
    let whole = fs::read(format!("{run}/games.jsonl")).unwrap();

    cut(&run);
    build("9");
    let refused = place.sentence(&["match", "--resume", &run]);
    assert!(refused.contains("a, b (1).book` has changed: its checksum is"), "{refused}");
    build("5");
    place.stdout(&["match", "--resume", &run]);
    assert!(fs::read(format!("{run}/games.jsonl")).unwrap() == whole, "the same file, the same games");
}

#[test]
fn a_run_of_the_version_before_goes_on_under_its_old_names() {
    let place = Place::new();
    let run = place.path("run");
    let words = [
        "match",
        "connect(width=5, height=4)",
        "mcts(sims=9, cut=3)",
        "random",
        "--pairs",
        "3",
        "--out",
        &run,
    ];
    place.stdout(&words);
    for file in ["match.json", "games.jsonl"] {
        let path = format!("{run}/{file}");
        let text = fs::read_to_string(&path).unwrap();
        let old = [("cut=", "playout="), ("eval_scale=", "scale="), ("memory_mb=", "tree_mb=")]
            .iter()
            .fold(text.clone(), |text, (new, old)| text.replace(new, old));
        assert_ne!(old, text);
        fs::write(path, old).unwrap();
    }
    let whole = fs::read(format!("{run}/games.jsonl")).unwrap();
    for _ in 0..2 {
        cut(&run);
        let output = place.parlor(&["match", "--resume", &run]).assert().success().get_output().clone();
        assert_eq!(
            String::from_utf8_lossy(&output.stderr),
            "",
            "old names in our own files are read in silence"
        );
        assert!(fs::read(format!("{run}/games.jsonl")).unwrap() == whole);
    }
}
