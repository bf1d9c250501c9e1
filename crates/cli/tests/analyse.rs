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

#[test]
fn nonsense_gets_a_sentence() {
    let place = Place::new();
    let says = |words: &[&str]| place.sentence(&[&["analyse"], words].concat());
    assert!(says(&["conect"]).contains("did you mean `connect`?"));
    assert!(says(&["connect", "--agent", "radnom"]).contains("did you mean `random`?"));
    assert!(says(&["connect", "--position", "z"]).contains("`z`"));
    assert!(says(&["connect", "--agent", "random", "--nodes", "5"]).contains("random has no key `nodes`"));
    assert!(says(&["connect", "--seat", "1"]).contains("seat 0 is to move here"));
    assert!(says(&["tictactoe", "--position", "XXX/OO./..."]).contains("over"));
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
