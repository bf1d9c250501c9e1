//! The calls that scripts outside the project rely on, and what nonsense gets.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

fn parlor(words: &[&str]) -> Command {
    let mut command = Command::cargo_bin("parlor").expect("the program was built");
    command.args(words).env("PARLOR_HOME", home());
    command
}

/// A place for the log and the games of these tests, thrown away with the build.
fn home() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("home")
}

fn stdout(words: &[&str]) -> String {
    let output = parlor(words).assert().success().get_output().stdout.clone();
    String::from_utf8(output).expect("text is UTF-8")
}

fn json(words: &[&str]) -> Value {
    serde_json::from_str(&stdout(words)).expect("--json prints one JSON document")
}

/// Runs a call that must fail with exit code 2 and returns its sentence.
fn sentence(words: &[&str]) -> String {
    let output = parlor(words).assert().code(2).get_output().clone();
    let text = String::from_utf8(output.stderr).expect("text is UTF-8");
    assert!(output.stdout.is_empty(), "errors go to standard error");
    assert!(!text.contains("panicked"), "{text}");
    assert!(!text.contains('\x1b'), "no colour without a terminal");
    text
}

#[test]
fn games_and_agents_are_listed_with_every_key() {
    let games = stdout(&["games"]);
    let agents = stdout(&["agents"]);
    for entry in parlor_catalog::GAMES {
        assert!(games.contains(entry.name));
        assert!(agents.contains(entry.name));
        for key in entry.keys {
            assert!(games.contains(key.name), "{} lacks {}", entry.name, key.name);
        }
    }
    assert!(agents.contains("random"));
    let list = json(&["games", "--json"]);
    assert_eq!(list.as_array().unwrap().len(), parlor_catalog::GAMES.len());
    assert_eq!(json(&["agents", "tictactoe", "--json"])[0]["agents"][0]["name"], "alphabeta");
    let learns = |agent: &Value| agent["learns"] == true;
    let dominoes = json(&["agents", "dominoes", "--json"]);
    let learners: Vec<&Value> =
        dominoes[0]["agents"].as_array().unwrap().iter().filter(|agent| learns(agent)).collect();
    let names: Vec<&Value> = learners.iter().map(|agent| &agent["name"]).collect();
    assert_eq!(names, ["collective", "fable", "ntuple"]);
    assert!(agents.contains("can be trained"), "{agents}");
}

#[test]
fn cells_show_symbols_places_and_numbers() {
    let shown = stdout(&["cells", "tictactoe", "--position", ".X./O.X/.XO"]);
    for part in
        ["  . X .\n  O . X\n  . X O\n", "a cell of O, the second seat", "\nb2      4         0       4\n"]
    {
        assert!(shown.contains(part), "{part:?} in {shown}");
    }
    assert!(shown.ends_with(
        "Symmetries of the rules: identity, quarter, half, three-quarter, mirror, upside-down, transpose, anti-transpose. \
         Numbers of actions: 0 … 8.\n"
    ));
    let passing = stdout(&["cells", "dominoes(rules=myers)", "--seat", "1"]);
    assert!(
        passing.contains("tiles of the boneyard") && passing.contains("a tile in the own hand"),
        "{passing}"
    );
    assert!(sentence(&["cells", "minesweeper", "--seat", "1"]).contains("minesweeper has no seat 1"));
    assert!(sentence(&["cells", "tictactoe", "--position", "XX"]).contains("1 row where the board has 3"));
}

#[test]
fn moves_are_sorted_lines() {
    assert_eq!(stdout(&["moves", "tictactoe", "--position", ".X./O.X/.XO"]), "a1\na3\nb2\nc1\n");
    let found = json(&["moves", "tictactoe", "--position", ".X./O.X/.XO", "--json"]);
    assert_eq!(found, serde_json::json!({"moves": ["a1", "a3", "b2", "c1"], "version": 1}));
}

#[test]
fn perft_counts() {
    assert_eq!(stdout(&["perft", "tictactoe", "3", "--json"]), "{\"counts\":[9,72,504],\"version\":1}\n");
    assert!(stdout(&["perft", "tictactoe", "3"]).contains("504"));
}

#[test]
fn a_match_prints_equal_bytes_for_any_number_of_threads() {
    let call = |threads| {
        stdout(&[
            "match",
            "tictactoe",
            "random",
            "random",
            "--pairs",
            "50",
            "--seed",
            "3",
            "--threads",
            threads,
            "--json",
        ])
    };
    assert_eq!(call("1"), call("5"));
    let result: Value = serde_json::from_str(&call("2")).unwrap();
    let count = |name: &str| result[name].as_u64().unwrap();
    assert_eq!(count("wins") + count("draws") + count("losses"), 100);
    assert_eq!(result["pentanomial"].as_array().unwrap().len(), 5);
    for field in ["score", "elo", "elo_low", "elo_high", "p_value"] {
        assert!(result[field].is_f64(), "{field} in {result}");
    }
}

#[test]
fn a_resumed_match_ends_with_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, torn] = ["whole", "torn"].map(|name| folder.path().join(name));
    let call = |out: &PathBuf| {
        stdout(&[
            "match",
            "tictactoe",
            "random",
            "random",
            "--pairs",
            "30",
            "--json",
            "--out",
            out.to_str().unwrap(),
        ])
    };
    let verdict = call(&whole);
    assert_eq!(call(&torn), verdict);
    let games = std::fs::read(whole.join("games.jsonl")).unwrap();
    // As if the power had gone in the middle of a line, anywhere.
    for cut in [0, 1, games.len() / 3, games.len() / 2, games.len() - 1] {
        std::fs::write(torn.join("games.jsonl"), &games[..cut]).unwrap();
        let resumed = stdout(&["match", "--json", "--resume", torn.to_str().unwrap()]);
        assert_eq!(resumed, verdict);
        assert_eq!(std::fs::read(torn.join("games.jsonl")).unwrap(), games, "cut at {cut}");
    }
    std::fs::write(torn.join("match.json"), "{}").unwrap();
    assert!(sentence(&["match", "--resume", torn.to_str().unwrap()]).contains("missing field"));
}

#[test]
fn a_sequential_test_stops_early_and_says_what_it_means() {
    let call =
        ["match", "tictactoe", "random", "random", "--pairs", "100000", "--no-games", "--sprt", "100,200"];
    let words = stdout(&call);
    assert!(words.contains("H0 accepted"), "{words}");
    let verdict = json(&[&call[..], &["--json"]].concat());
    assert_eq!(verdict["accepted"], "H0");
    assert!(verdict["llr"].as_f64().unwrap() <= verdict["lower"].as_f64().unwrap());
    assert!(
        sentence(&["match", "tictactoe", "random", "random", "--sprt", "5,0"]).contains("do not make a test")
    );
}

#[test]
fn a_match_keeps_its_time_control_as_text() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let call = ["match", "tictactoe", "random", "random", "--pairs", "1", "--out", out.to_str().unwrap()];
    let words = stdout(&[&call[..], &["--time", "300s+2s"]].concat());
    assert!(words.contains("time 5m+2s"), "{words}");
    let settings = std::fs::read_to_string(out.join("match.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&settings).unwrap()["time"], "5m+2s");
    assert!(sentence(&["match", "tictactoe", "random", "random", "--time", "5"]).contains("has no unit"));
    for wrong in ["0", "nan", "-1"] {
        let minutes = format!("--minutes={wrong}");
        let refused = sentence(&["match", "--resume", out.to_str().unwrap(), &minutes]);
        assert!(refused.contains("a number above 0"), "{refused}");
    }
}

/// The first moves of every game, two games a pair.
fn openings(folder: &str, plies: usize) -> Vec<Vec<String>> {
    let games = std::fs::read_to_string(Path::new(folder).join("games.jsonl")).unwrap();
    let first_moves = |line: &str| {
        let game: Value = serde_json::from_str(line).unwrap();
        game["moves"].as_str().unwrap().split(' ').take(plies).map(str::to_owned).collect()
    };
    games.lines().map(first_moves).collect()
}

#[test]
fn random_openings_are_equal_within_a_pair_and_in_every_run() {
    let place = tempfile::tempdir().unwrap();
    let [whole, parts, other] =
        ["whole", "parts", "other"].map(|name| place.path().join(name).to_str().unwrap().to_owned());
    let call = |agents: [&str; 2], out: &str, more: &[&str]| {
        let words =
            ["match", "connect", agents[0], agents[1], "--pairs", "6", "--opening", "9", "--out", out];
        stdout(&[&words[..], more].concat())
    };
    let said = call(["random", "random"], &whole, &[]);
    assert!(said.contains("seed 1, random moves first: 9\n"), "{said}");
    let manifest = std::fs::read_to_string(Path::new(&whole).join("match.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&manifest).unwrap()["opening"], 9);
    let played = openings(&whole, 9);
    assert!(played.chunks(2).all(|pair| pair[0] == pair[1]), "{played:?}");
    assert!(played[0] != played[2], "every pair has its own");
    let further = openings(&whole, 20);
    assert!(further.chunks(2).any(|pair| pair[0] != pair[1]), "then the agents choose");

    call(["random", "collective(file=shipped)"], &other, &[]);
    assert_eq!(openings(&other, 9), played, "whoever sits there");

    call(["random", "random"], &parts, &[]);
    let games = Path::new(&parts).join("games.jsonl");
    let half: String = std::fs::read_to_string(&games).unwrap().split_inclusive('\n').take(4).collect();
    std::fs::write(&games, half).unwrap();
    std::fs::remove_file(Path::new(&parts).join("result.json")).unwrap();
    stdout(&["match", "--resume", &parts]);
    for file in ["match.json", "games.jsonl", "result.json"] {
        let [one, two] =
            [&whole, &parts].map(|folder| std::fs::read_to_string(Path::new(folder).join(file)).unwrap());
        assert!(one == two, "{file} differs");
    }
    let ponder = ["match", "tictactoe", "random", "random", "--ponder", "--no-games", "--pairs", "3"];
    assert!(sentence(&ponder).contains("--ponder needs a limit of time"));
    let timed = stdout(&[&ponder[..], &["--time", "1m"]].concat());
    assert!(timed.contains("seed 1, time 1m, pondering\n"), "{timed}");
    let too_long = ["match", "tictactoe", "random", "random", "--opening", "1001"];
    assert!(sentence(&too_long).contains("a whole number from 0 to 1000"));
}

#[test]
fn a_folder_is_resumed_only_with_its_own_games() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
    for (out, seed) in [(&one, "1"), (&two, "2")] {
        let out = out.to_str().unwrap();
        stdout(&["match", "tictactoe", "random", "random", "--pairs", "3", "--seed", seed, "--out", out]);
    }
    std::fs::copy(one.join("games.jsonl"), two.join("games.jsonl")).unwrap();
    let refused = sentence(&["match", "--resume", two.to_str().unwrap()]);
    assert!(refused.contains("line 1: these games do not follow from the settings"), "{refused}");
    std::fs::remove_file(two.join("match.json")).unwrap();
    let two = two.to_str().unwrap();
    assert!(sentence(&["match", "--resume", two]).contains("holds no match"));
    let anew = sentence(&["match", "tictactoe", "random", "random", "--out", two]);
    assert!(anew.contains("there are rows already"), "{anew}");
}

#[test]
fn a_match_keeps_its_games_and_they_replay() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let file = out.join("games.jsonl");
    let file = file.to_str().unwrap();
    let call = ["match", "tictactoe", "random", "random", "--pairs", "2", "--out", out.to_str().unwrap()];
    stdout(&call);
    assert!(sentence(&call).contains("holds a match already"));
    let lines = std::fs::read_to_string(file).unwrap();
    assert_eq!(lines.lines().count(), 4);
    for number in ["1", "2", "3", "4"] {
        assert!(stdout(&["play", "--replay", file, "--number", number]).contains("Over:"));
    }
    assert!(sentence(&["play", "--replay", file, "--number", "5"]).contains("has no line 5"));
}

#[test]
fn a_saved_game_that_lies_about_its_end_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.jsonl");
    let says = |moves: &str, ending: &str| {
        let line = format!(
            r#"{{"parlor":1,"game":"tictactoe(rows=1, columns=2)","seats":["a","b"],"seed":3,"rng":"xoshiro256++","moves":"{moves}","ending":"{ending}"}}"#
        );
        std::fs::write(&file, line).unwrap();
        let output = parlor(&["play", "--replay", file.to_str().unwrap()]).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for (moves, ending) in
        [("a1", "unfinished"), ("a1 b1", "finished"), ("a1", "seat 1 forfeits: ran out of time")]
    {
        assert_eq!(says(moves, ending), (Some(0), String::new()));
    }
    for (moves, ending, why) in [
        ("a1", "finished", "do not reach an end"),
        ("a1 b1", "unfinished", "reach an end"),
        ("a1", "blah", "`blah` is not an ending"),
        ("a1", "seat 7 forfeits: x", "is not an ending here"),
    ] {
        let (code, text) = says(moves, ending);
        assert!(code == Some(2) && text.contains(why), "{text}");
    }
}

#[test]
fn a_claim_comes_with_its_interval() {
    let words = stdout(&["match", "connect", "random", "random", "--pairs", "3", "--no-games"]);
    assert!(words.contains("Elo +120.4 [-325.3 … –] (95 %)"), "{words}");
    // Where there is none, nothing is claimed.
    let words = stdout(&["match", "connect", "random", "random", "--pairs", "1", "--no-games"]);
    assert!(words.contains("all pairs had the same result") && !words.contains("superiority"), "{words}");
    let numbers = json(&["match", "connect", "random", "random", "--pairs", "1", "--no-games", "--json"]);
    for missing in ["los", "elo_low", "elo_high", "nelo"] {
        assert!(numbers[missing].is_null(), "{missing} in {numbers}");
    }
    assert!(numbers["score"].is_f64() && numbers["p_value"].is_f64(), "{numbers}");
}

#[test]
fn bench_prints_rows() {
    let rows = json(&["bench", "tictactoe", "--seconds", "0.01", "--json"]);
    let row = &rows[0];
    assert_eq!((row["name"].as_str(), row["unit"].as_str()), (Some("tictactoe"), Some("playouts/s")));
    assert!(row["value"].as_f64().unwrap() > 0.0);
    assert_eq!(stdout(&["bench", "tictactoe", "--fingerprint"]), "6800\n");
}

#[test]
fn nonsense_gets_a_sentence_and_exit_code_2() {
    assert!(sentence(&["perft", "tictacto", "1"]).contains("did you mean `tictactoe`?"));
    assert!(sentence(&["moves", "tictactoe(row=3)"]).contains("did you mean `rows`?"));
    assert!(sentence(&["moves", "tictactoe(rows=99)"]).contains("it takes 1 … 8"));
    assert!(sentence(&["moves", "tictactoe(rows=3"]).contains("`)` is missing"));
    assert!(sentence(&["moves", "tictactoe", "--position", "XX"]).contains("1 row where the board has 3"));
    assert!(sentence(&["match", "tictactoe", "random", "rnadom"]).contains("did you mean `random`?"));
    assert!(sentence(&["bench", "nothing-like-it"]).contains("no row's name contains"));
    assert!(sentence(&["play", "--replay", "/nowhere/at/all"]).contains("cannot be read"));
    assert!(sentence(&["play", "tictactoe", "--save", "/nowhere/at/all"]).contains("cannot be written"));
    assert!(sentence(&["perft", "tictactoe", "many"]).contains("invalid value"));
    // Not "unexpected argument '-1' found; to pass '-1' as a value, use '-- -1'", which would not help.
    for call in [
        &["perft", "tictactoe", "-1"][..],
        &["play", "tictactoe", "--seed", "-1"],
        &["match", "tictactoe", "random", "random", "--pairs", "-1"],
        &["bench", "tictactoe", "--seconds", "-1"],
    ] {
        let text = sentence(call);
        assert!(text.contains("invalid value '-1'") || text.contains("takes a number above 0"), "{text}");
    }
}

#[test]
fn oracles_are_named_where_they_play_and_refused_where_they_may_not() {
    let game = "dominoes(rules=myers)";
    let call = ["match", game, "mstar-oracle(model=random)", "random", "--pairs", "5", "--seed", "1"];
    let text = stdout(&call);
    assert!(text.contains("is an oracle: it saw what is hidden from its seat"), "{text}");
    assert_eq!(text.matches("is an oracle").count(), 1, "{text}");
    let verdict = json(&[&call[..], &["--json"]].concat());
    let oracles = verdict["oracles"].as_array().unwrap();
    assert!(oracles.len() == 1 && oracles[0].as_str().unwrap().starts_with("mstar-oracle("), "{verdict}");
    let honest = json(&["match", game, "scoring", "random", "--pairs", "5", "--seed", "1", "--json"]);
    assert!(honest.get("oracles").is_none(), "{honest}");
    let call = ["tournament", game, "expectimax-oracle", "random", "scoring", "--pairs", "3", "--seed", "1"];
    let text = stdout(&call);
    assert_eq!(text.matches("is an oracle").count(), 1, "{text}");
    assert_eq!(json(&[&call[..], &["--json"]].concat())["oracles"].as_array().unwrap().len(), 1);
    let refused = sentence(&["play", game, "--agent", "expectimax-oracle"]);
    assert!(refused.contains("it sees what is hidden"), "{refused}");
    let refused = sentence(&["engine", game, "expectimax-oracle"]);
    assert!(refused.contains("it sees what is hidden"), "{refused}");
    let listed = json(&["agents", "dominoes", "--json"]);
    let seeing = listed[0]["agents"].as_array().unwrap().iter().filter(|agent| agent["sees_all"] == true);
    assert_eq!(seeing.count(), 2);
}
