//! What all commands have in common: their list, their old names, and where nothing is kept.

use crate::place::Place;

/// `none` is no folder; `./none` is one.
#[test]
fn none_is_nowhere() {
    let place = Place::new();
    let here = tempfile::tempdir().unwrap();
    let run = |words: &str| {
        let words: Vec<&str> = words.split(' ').collect();
        let output = place.parlor(&words).current_dir(here.path()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for kept in ["match tictactoe random random", "tournament tictactoe random alphabeta(depth=1)"] {
        assert_eq!(run(&format!("{kept} --pairs 1 --out none")), (Some(0), String::new()));
        assert!(here.path().read_dir().unwrap().next().is_none(), "{kept} left something behind");
        assert_eq!(run(&format!("{kept} --pairs 1 --out ./none")).0, Some(0));
        assert!(here.path().join("none/result.json").exists());
        std::fs::remove_dir_all(here.path().join("none")).unwrap();
    }
    for written in [
        "train tictactoe collective --plan 1x1 -o",
        "book build tictactoe --agent random --games 1 -o",
        "endgame build checkers(rows=4,columns=4) --pieces 2 --out",
        "experiment run A1 --quick --out",
    ] {
        let (code, said) = run(&format!("{written} none"));
        assert!(code == Some(2) && said.contains("./none"), "{said}");
    }
    assert!(here.path().read_dir().unwrap().next().is_none());
}

#[test]
fn help_is_grouped_and_old_names_work() {
    let help = Place::new().stdout(&["--help"]);
    let at = |text: &str| help.find(text).unwrap_or_else(|| panic!("`{text}` is not in the help:\n{help}"));
    let order = ["Usage:", "\nPlay:", "\n  play ", "\nMeasure:", "\n  match ", "\n  history ", "\nLearn:"];
    let order = order.into_iter().chain(["\n  learn ", "\nSolve:", "\n  solve ", "\nTools:", "\n  engine "]);
    let order: Vec<usize> = order.chain(["\nOptions:", "--version"]).map(at).collect();
    assert!(order.is_sorted(), "{order:?} in\n{help}");
    for hidden in ["  log ", "protocol", "guard"] {
        assert!(!help.contains(hidden), "{help}");
    }
    let place = Place::new();
    place.stdout(&["match", "tictactoe", "random", "random", "--pairs", "1"]);
    let [old, new] = ["log", "history"].map(|word| place.json(&[word, "--json"]));
    assert!(old == new && old.as_array().unwrap().len() == 1, "{old} and {new}");
    let [old, new] = ["protocol", "engine"].map(|word| {
        let words = [word, "check", "/no/such/program", "--game", "tictactoe"];
        place.parlor(&words).assert().code(1).get_output().stdout.clone()
    });
    assert_eq!(old, new);
}
