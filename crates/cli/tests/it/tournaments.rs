//! `parlor tournament` and `parlor history`.

use crate::place;

use std::path::Path;

use place::Place;
use serde_json::Value;

const AGENTS: [&str; 3] = ["random", "expert", "expert(remember=off)"];

fn call<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["tournament", "dominoes(target=none)"], &AGENTS[..], &["--pairs", "10"], more].concat()
}

#[test]
fn equal_bytes_for_any_number_of_threads() {
    let place = Place::new();
    let [one, many] = ["one", "many"].map(|name| place.path(name));
    let first = place.stdout(&call(&["--json", "--threads", "1", "--out", &one]));
    let second = place.stdout(&call(&["--json", "--threads", "4", "--out", &many]));
    assert_eq!(first, second);
    for file in ["tournament.json", "games.jsonl", "result.json", "report.html"] {
        let [one, many] = [&one, &many].map(|folder| std::fs::read(Path::new(folder).join(file)).unwrap());
        assert!(one == many, "{file} differs");
    }
    let result: Value = serde_json::from_str(&first).unwrap();
    assert_eq!(result["pairs"], 30);
    assert_eq!(result["agents"][2]["agent"], "random", "the weakest comes last");
    for field in ["elo", "elo_low", "elo_high", "score"] {
        assert!(result["agents"][0][field].is_f64(), "{field}");
        assert!(result["meetings"][0][field].is_f64(), "{field}");
    }
}

#[test]
fn the_crosstable_is_aligned_and_the_report_is_named() {
    let place = Place::new();
    let words = place.stdout(&call(&["--gauntlet"]));
    assert!(words.contains("gauntlet of 3 agents, 20 of 20 pairs, seed 1"), "{words}");
    let table: Vec<&str> = words.lines().skip_while(|line| !line.contains("won, drawn")).take(4).collect();
    let width = |line: &&str| line.chars().count();
    assert!(table.iter().skip(1).all(|line| width(line) == width(&table[1])), "{words}");
    assert!(table.iter().any(|line| line.contains("expert(remember=off)") && line.contains('·')), "{words}");
    let report = words.lines().find_map(|line| line.strip_prefix("report in ")).unwrap();
    assert!(std::fs::read_to_string(report).unwrap().starts_with("<!DOCTYPE html>"));
}

#[test]
fn a_file_says_everything_and_the_command_line_may_change_it() {
    let place = Place::new();
    let file = place.path("league.toml");
    let text = "game = \"dominoes(target=none)\"\nagents = [\"random\", \"expert\",\n  \"expert(remember=off)\"]\npairs = 10\n";
    std::fs::write(&file, text).unwrap();
    assert_eq!(place.stdout(&["tournament", &file, "--json"]), place.stdout(&call(&["--json"])));
    assert_eq!(place.json(&["tournament", &file, "--pairs", "2", "--json"])["pairs"], 6);
    std::fs::write(&file, format!("{text}opening = 4\n")).unwrap();
    let opened = place.stdout(&["tournament", &file, "--json"]);
    assert_eq!(opened, place.stdout(&call(&["--json", "--opening", "4"])));
    assert_ne!(opened, place.stdout(&["tournament", &file, "--json", "--opening", "0"]));

    let says = |from: &str, to: &str| {
        std::fs::write(&file, text.replace(from, to)).unwrap();
        place.sentence(&["tournament", &file])
    };
    let wrong = says("pairs", "piars");
    assert!(wrong.contains("league.toml: line 4, column 1: there is no key `piars` (did you mean `pairs`?)"));
    let wrong = says("expert(remember=off)", "expert(rememebr=off)");
    assert!(
        wrong.contains("line 3, column 3: expert has no key `rememebr` (did you mean `remember`?)"),
        "{wrong}"
    );
    assert!(says("dominoes", "domino").contains("line 1, column 8: there is no game named `domino`"));
    assert!(says("expert(remember=off)", "random").contains("line 3, column 3: agents 1 and 3 are the same"));
    assert!(says("[", "").contains("line 2, column"), "not TOML");
    assert!(place.sentence(&["tournament", &file, "random"]).contains("none can be added"));
    assert!(place.sentence(&["tournament", &place.path("none.toml")]).contains("cannot be read"));
    assert_eq!(
        place.json(&["history", "--json"]).as_array().unwrap().len(),
        6,
        "what is refused is not played"
    );
}

#[test]
fn nonsense_gets_a_sentence_before_anything_is_played() {
    let place = Place::new();
    let out = place.path("out");
    let with =
        |agents: &[&str]| place.sentence(&[&["tournament", "dominoes"], agents, &["--out", &out]].concat());
    assert!(with(&["expert", "radnom"]).contains("did you mean `random`?"));
    assert!(with(&["expert"]).contains("needs 2 to 200 agents"));
    assert!(with(&["expert", "random", "expert"]).contains("agents 1 and 3 are the same"));
    assert!(!Path::new(&out).exists(), "nothing is written");
    assert!(place.sentence(&["tournament"]).contains("required"));
    assert!(
        place.sentence(&["tournament", "--resume", &place.path("nowhere")]).contains("holds no tournament")
    );
    place.stdout(&["match", "tictactoe", "random", "random", "--pairs", "1", "--out", &out]);
    assert!(with(&["expert", "random"]).contains("holds a match already"));
    assert!(place.sentence(&["tournament", "--resume", &out]).contains("holds no tournament"));
}

#[test]
fn the_log_lists_everything_newest_last() {
    let place = Place::new();
    assert_eq!(place.stdout(&["history"]), "", "an empty log prints nothing");
    assert_eq!(place.json(&["history", "--json"]), serde_json::json!([]));
    place.stdout(&["match", "tictactoe", "random", "random", "--pairs", "5", "--no-games"]);
    place.stdout(&call(&["--out", &place.path("league")]));
    place.stdout(&["match", "dominoes", "expert", "scoring", "--pairs", "20", "--time", "10m"]);
    // Nothing is added to a finished run, so it is not logged again.
    place.stdout(&["tournament", "--resume", &place.path("league")]);

    let all = place.json(&["history", "--json"]);
    let kinds: Vec<&str> = all.as_array().unwrap().iter().map(|e| e["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["match", "tournament", "match"]);
    assert_eq!(all[0]["folder"], Value::Null);
    assert_eq!(all[1]["standings"].as_array().unwrap().len(), 3);
    assert_eq!(all[2]["settings"]["time"], "10m");
    assert!(all[2]["elo"].is_f64() && all[2]["date"].as_str().unwrap().ends_with('Z'));

    let table = place.stdout(&["history"]);
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 4, "{table}");
    assert!(lines[1].contains("tictactoe ") && lines[1].contains("random – random"), "{table}");
    assert!(
        lines[2].contains("dominoes(target=none)") && lines[2].contains("round robin: expert"),
        "{table}"
    );
    assert!(lines[3].contains("expert – scoring") && lines[3].contains("pairs"), "{table}");

    let count =
        |words: &[&str]| place.json(&[&["history", "--json"], words].concat()).as_array().unwrap().len();
    assert_eq!(count(&["--game", "dominoes"]), 2);
    assert_eq!(count(&["--agent", "remember=off"]), 1);
    assert_eq!(count(&["--game", "dominoes", "--last", "1"]), 1);
    assert_eq!(count(&["--last", "0"]), 0);
    let home = Path::new(&place.path("home")).join("log.jsonl");
    let text = std::fs::read_to_string(&home).unwrap();
    std::fs::write(&home, text + "strange\n").unwrap();
    assert_eq!(count(&[]), 3, "a strange line is no reason to be silent about the others");
}
