//! `parlor analyse`.

use crate::place;

use place::Place;
use serde_json::Value;

#[test]
fn the_best_move_comes_last() {
    let place = Place::new();
    let call = ["analyse", "connect(width=7, height=6)", "--agent", "random", "--position", "436622165622"];
    let said = place.stdout(&call);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "random tells nothing of what it thinks");
    let best = lines.last().unwrap().strip_prefix("best: ").unwrap();
    assert!(("1"..="7").contains(&best), "{said}");
    assert_eq!(place.stdout(&call), said, "equal seeds, equal answers");

    let last = place.json(&[&call[..], &["--json", "--beliefs"]].concat());
    assert_eq!((&last["final"], &last["best"]), (&Value::Bool(true), &Value::from(best)));
    assert_eq!((&last["seat"], &last["beliefs"], &last["stopped"]), (&0.into(), &Value::Null, &false.into()));
}

const FOUR: &str = "connect(width=7, height=6)";

#[test]
fn a_search_is_seen_thinking() {
    let place = Place::new();
    let call = ["analyse", FOUR, "--agent", "mcts", "--nodes", "2000", "--position", "44"];
    let said = place.stdout(&call);
    assert!(said.contains("simulations"), "{said}");
    let table: Vec<&str> = said.lines().skip_while(|line| !line.contains("move")).collect();
    assert_eq!(table.len(), 1 + 7 + 1, "a row for every move, and the best: {said}");

    let documents = place.stdout(&[&call[..], &["--json"]].concat());
    let lines: Vec<Value> = documents.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (last, thoughts) = lines.split_last().unwrap();
    assert!(!thoughts.is_empty() && thoughts.iter().all(|thought| thought["final"].is_null()));
    let mut thought = thoughts[thoughts.len() - 1].clone();
    assert_eq!(thought.as_object_mut().unwrap().remove("version"), Some(1.into()));
    assert_eq!(last["thought"], thought, "the last thought comes again with the answer");
    assert_eq!((thought["moves"].as_array().unwrap().len(), &thought["line"][0]), (7, &last["best"]));
    for field in ["depth", "nodes", "seconds", "value"] {
        assert!(thought[field].is_number(), "{field}: {thought}");
    }
}

/// Starts a search that would go on for hours, and waits for its first thought.
#[cfg(unix)]
fn thinking_for_hours() -> (std::process::Child, std::io::BufReader<std::process::ChildStdout>) {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_parlor"))
        .args(["analyse", FOUR, "--agent", "mcts", "--time", "80000000", "--json"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut screen = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    screen.read_line(&mut first).unwrap();
    assert!(first.contains("\"depth\""), "it thinks: {first}");
    (child, screen)
}

/// Ctrl-C in a search that would go on for hours: it answers with what it has.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_search() {
    use std::io::Read;
    let (mut child, mut screen) = thinking_for_hours();
    assert!(
        std::process::Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status()
            .unwrap()
            .success()
    );
    let mut rest = String::new();
    screen.read_to_string(&mut rest).unwrap();
    assert!(child.wait().unwrap().success());
    let last: Value = serde_json::from_str(rest.lines().last().unwrap()).unwrap();
    assert_eq!((&last["final"], &last["stopped"]), (&true.into(), &true.into()));
}

#[test]
fn nonsense_gets_a_sentence() {
    let place = Place::new();
    let says = |words: &[&str]| place.sentence(&[&["analyse"], words].concat());
    assert!(says(&["conect"]).contains("did you mean `connect`?"));
    assert!(says(&["connect", "--agent", "radnom"]).contains("did you mean `random`?"));
    assert!(says(&["connect", "--position", "z"]).contains("`z`"));
    assert!(says(&["connect", "--agent", "random", "--nodes", "5"]).contains("random has no key `nodes`"));
    assert!(says(&["connect", "--seat", "1"]).contains("seat 0 is to move here"));
    assert!(says(&["tictactoe", "--position", "XXO/OOX/XOX"]).contains("over"));
}

/// `| head -1`: nobody reads on, so nobody thinks on.
#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_a_search() {
    let (mut child, screen) = thinking_for_hours();
    drop(screen);
    assert!(child.wait().unwrap().success(), "a broken pipe is no error");
}

/// `deduce` has no key for time, and plans by its clock.
#[test]
fn time_is_a_clock_where_there_is_no_key() {
    let place = Place::new();
    let call = ["analyse", "minesweeper", "--agent", "deduce", "--time", "300", "--position", "###/#2#/###"];
    assert!(place.stdout(&call).contains("best: "));
}

const DEAL: &str = "02 03 33 | 11 12 22 | 00 01 13 23";
const PLAYED: &str = "33@start draw:01 draw:13 13@left 03@right 12@left";

/// Draws and choices are told: what drew a tile had nothing to play.
#[test]
fn beliefs_follow_what_was_played() {
    let place = Place::new();
    let call = ["analyse", "dominoes(rules=myers, lead=free)", "--agent", "pimc", "--position", DEAL];
    let odds = |moves: &str, thing: &str| {
        let lines = place.json_lines(&[&call[..], &["--moves", moves, "--beliefs", "--json"]].concat());
        let odds = lines.last().unwrap()["beliefs"]["odds"].as_array().unwrap().clone();
        odds.iter().find(|row| row[0] == thing).unwrap()[1][0].as_f64().unwrap()
    };
    assert_eq!(odds("", "13"), odds("", "23"), "before the first play every tile is as likely as any other");
    assert_eq!(odds(PLAYED, "23"), 0.0);
    assert!(odds(PLAYED, "11") < 0.3 && odds(PLAYED, "22") > 0.9);
    let guide = include_str!("../../../../docs/guide/analyse.md");
    let printed = place.stdout(&[&call[..], &["--moves", PLAYED, "--beliefs"]].concat());
    let table: Vec<&str> = printed.lines().skip_while(|line| !line.starts_with("beliefs")).collect();
    assert!(guide.contains(&table.join("\n")), "the guide shows something else:\n{printed}");
}

#[test]
fn a_saved_game_is_taken_up() {
    let place = Place::new();
    let file = place.path("games.jsonl");
    let line = r#"{"parlor":1,"game":"tictactoe(rows=3, columns=3, lines=windows)","seats":["random","you"],"seed":7,"rng":"xoshiro256++","moves":"a1 b2 c3","ending":"unfinished"}"#;
    std::fs::write(&file, line).unwrap();
    let call = ["analyse", "--replay", &file, "--agent", "random", "--json"];
    let seat = |more: &[&str]| place.json(&[&call[..], more].concat())["seat"].clone();
    assert_eq!((seat(&[]), seat(&["--ply", "2"])), (1.into(), 0.into()));
    assert!(place.sentence(&[&call[..], &["--ply", "4"]].concat()).contains("there are 3 plies, not 4"));
    assert!(place.sentence(&[&call[..], &["--number", "2"]].concat()).contains("has no line 2"));
}

#[test]
fn moves_that_cannot_be_played_are_named() {
    let place = Place::new();
    let says = |words: &[&str]| place.sentence(&[&["analyse"], words].concat());
    assert!(
        says(&["connect", "--moves", "4 4 z"]).contains("move 3 of those given: move: `z` is not a column")
    );
    let drawn = ["dominoes(rules=myers, lead=free)", "--position", DEAL, "--moves", "33@start draw:11"];
    assert!(
        says(&drawn).contains("move 2 of those given: move: `draw:11` is not legal here; legal: draw:00")
    );
    let after = ["tictactoe", "--position", "XXO/OOX/XO.", "--moves", "c3 c3"];
    assert!(says(&after).contains("`c3` comes after the end of the game"));
    let view = ["minesweeper", "--position", "###/#2#/###", "--moves", "a1"];
    assert!(says(&view).contains("give all moves from the start"));
    assert!(says(&["--json"]).contains("<GAME>"));
}

/// A program that thinks until it is told to stop.
const PATIENT: &str = r#"
while read -r word rest; do
  case $word in
    parlor) echo ready ;;
    game) echo ok ;;
    legal) first=${rest%% *} ;;
    go)
      : > "$1"
      read -r word
      if [ "$word" = stop ]; then echo "move $first"; fi ;;
    quit) exit ;;
  esac
done
"#;

/// Ctrl-C: the program is told to stop, and its answer is printed.
#[cfg(unix)]
#[test]
fn ctrl_c_asks_for_the_answer() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let place = Place::new();
    let [script, thinks] = ["patient.sh", "thinks"].map(|name| place.path(name));
    std::fs::write(&script, PATIENT).unwrap();
    let child = Command::new(env!("CARGO_BIN_EXE_parlor"))
        .args(["analyse", "tictactoe", "--json", "--agent", &format!("cmd:sh {script} {thinks}")])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let patience = Instant::now() + Duration::from_secs(30);
    while !std::path::Path::new(&thinks).exists() {
        assert!(Instant::now() < patience, "nobody thinks");
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let last: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&last["stopped"], &last["best"]), (&true.into(), &"a1".into()));
}
