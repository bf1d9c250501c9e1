//! `parlor analyse`.

mod place;

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
    let thought = &thoughts[thoughts.len() - 1];
    assert_eq!(&last["thought"], thought, "the last thought comes again with the answer");
    assert_eq!((thought["moves"].as_array().unwrap().len(), &thought["line"][0]), (7, &last["best"]));
    for field in ["depth", "nodes", "seconds", "value"] {
        assert!(thought[field].is_number(), "{field}: {thought}");
    }
}

/// Ctrl-C in a search that would go on for hours: it answers with what it has.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_search() {
    use std::io::{BufRead, BufReader, Read};
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
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
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
