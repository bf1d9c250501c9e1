//! `parlor learn`.

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

fn parlor(home: &TempDir, words: &[&str]) -> Command {
    let mut command = Command::cargo_bin("parlor").expect("the program was built");
    command.args(words).env("PARLOR_HOME", home.path());
    command
}

fn stdout(home: &TempDir, words: &[&str]) -> String {
    let output = parlor(home, words).assert().success().get_output().stdout.clone();
    String::from_utf8(output).expect("text is UTF-8")
}

fn sentence(home: &TempDir, words: &[&str]) -> String {
    let output = parlor(home, words).assert().code(2).get_output().clone();
    assert!(output.stdout.is_empty(), "errors go to standard error");
    String::from_utf8(output.stderr).expect("text is UTF-8")
}

#[test]
fn a_newcomer_sees_it_learn_and_is_told_how_to_play_against_it() {
    let home = tempfile::tempdir().unwrap();
    let text = stdout(&home, &["learn", "tictactoe", "--seconds", "1"]);
    assert!(text.starts_with("ntuple learns tictactoe: "), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("round ")).count(), 40, "a line a round:\n{text}");
    assert!(text.contains("against random: score ") && text.contains("Elo +"), "{text}");
    let file = home.path().join("learnt/tictactoe-1s.parlor");
    let agent = format!("ntuple(file={})", file.display());
    assert!(text.ends_with(&format!("parlor play tictactoe --agent '{agent}'\n")), "{text}");
    stdout(&home, &["match", "tictactoe", &agent, "random", "--pairs", "2"]);
    stdout(&home, &["inspect", file.to_str().unwrap()]);

    let page = std::fs::read_to_string(file.with_extension("html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>"));
    let parts = ["<svg", "class=\"band\"", "against random", "largest weights", "--seconds 1 --seed 1"];
    for part in parts {
        assert!(page.contains(part), "`{part}` is not in the report");
    }
    for outside in ["http://", "https://", "<script", "<link"] {
        assert!(!page.contains(outside), "the report needs `{outside}`");
    }
    assert!(!page.contains(home.path().to_str().unwrap()), "no place of this machine");
    assert!(
        page.contains("the score counts a draw as half"),
        "the page explains the difference between won and score"
    );

    // The call of `train` in the report gives the same learner.
    let call = page.split("<pre>").find(|part| part.starts_with("parlor train ")).unwrap();
    let call =
        call.split("</pre>").next().unwrap().replace("&quot;", "\"").replace("-o FILE", "-o mine.parlor");
    let program = assert_cmd::cargo::cargo_bin("parlor");
    let shell = call.replacen("parlor", &format!("'{}'", program.display()), 1);
    let mut command = Command::new("sh");
    command.args(["-c", &shell]).current_dir(home.path()).assert().success();
    let bytes = |path: &Path| std::fs::read(path).unwrap();
    assert!(bytes(&home.path().join("mine.parlor")) == bytes(&file), "{call}");
}

/// A learner that is not the game's default one has a file of its own, and its report explains its words.
#[test]
fn other_learners_can_be_named() {
    let home = tempfile::tempdir().unwrap();
    let text = stdout(&home, &["learn", "tictactoe", "--learner", "collective", "--seconds", "1"]);
    assert!(text.starts_with("collective learns tictactoe: "), "{text}");
    let report = home.path().join("learnt/tictactoe-collective-1s.html");
    let page = std::fs::read_to_string(report).unwrap();
    for part in ["strongest respondents", "A respondent is what an action leads to"] {
        assert!(page.contains(part), "`{part}` is not in the report");
    }
}

#[test]
fn larger_boards_have_fewer_matches_within_the_same_memory() {
    let home = tempfile::tempdir().unwrap();
    let matches = |game: &str| {
        let words = ["learn", game, "--learner", "collective", "--seconds", "1", "--json"];
        let printed: Value = serde_json::from_str(&stdout(&home, &words)).unwrap();
        let learner = printed["about"]["learner"].as_str().unwrap().to_owned();
        assert!(learner.contains("memory_mb=64"), "{learner}");
        printed["about"]["matches"].as_u64().unwrap()
    };
    let [usual, larger] = ["tictactoe", "tictactoe(rows=5, columns=5)"].map(matches);
    assert!(usual == 133_320 && larger * 10 < usual && larger > 1000, "{usual} and {larger}");
}

#[test]
fn two_trainings_on_one_file_do_not_disturb_each_other() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("mine.parlor");
    let file = file.to_str().unwrap();
    let words = ["train", "tictactoe", "collective", "--plan", "1000000x1000", "--out", file];
    let program = assert_cmd::cargo::cargo_bin("parlor");
    let mut first = std::process::Command::new(program)
        .args(words)
        .env("PARLOR_HOME", home.path())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    while !Path::new(file).exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    for words in [&["train", "--resume", file][..], &[&words[..], &["--force"]].concat()] {
        let told = sentence(&home, words);
        assert!(told.contains("mine.parlor is being trained by another program"), "{told}");
    }
    assert!(first.try_wait().unwrap().is_none(), "the first goes on");
    first.kill().unwrap();
    first.wait().unwrap();
    // What a killed program leaves holds nobody up.
    stdout(&home, &["train", "tictactoe", "collective", "--plan", "1x10", "--out", file, "--force"]);
    assert!(!Path::new(&format!("{file}.lock")).exists());
}

#[test]
fn equal_calls_give_equal_learners_reports_and_documents() {
    let call = |threads: &str| {
        let home = tempfile::tempdir().unwrap();
        let words = ["learn", "tictactoe", "--seconds", "1", "--seed", "7", "--json", "--threads", threads];
        let printed: Value = serde_json::from_str(&stdout(&home, &words)).unwrap();
        let read = |name: &str| std::fs::read(Path::new(printed[name].as_str().unwrap())).unwrap();
        (printed["measured"].clone(), printed["about"].clone(), read("file"), read("report"))
    };
    let one = call("1");
    assert!(one == call("3"));
    let measured = &one.0[0];
    assert_eq!(measured["against"], "random");
    for field in ["score", "score_low", "score_high", "elo", "elo_low", "elo_high"] {
        assert!(measured[field].is_f64(), "{field} in {measured}");
    }
    assert!(measured["score_low"].as_f64().unwrap() > 0.6, "it has learnt something: {measured}");
}

#[test]
fn a_learner_that_was_broken_off_goes_on() {
    let home = tempfile::tempdir().unwrap();
    let words = ["learn", "tictactoe", "--seconds", "1", "--json"];
    let whole = stdout(&home, &words);
    let file = home.path().join("learnt/tictactoe-1s.parlor");
    let known = std::fs::read(&file).unwrap();
    // A file that is no good is no reason not to learn, and a finished one is not trained again.
    std::fs::write(&file, b"torn").unwrap();
    assert_eq!(stdout(&home, &words), whole);
    assert!(std::fs::read(&file).unwrap() == known);
    assert_eq!(stdout(&home, &words), whole);
}

/// Each game's lesson fits its learner, its opponents and its default rules.
#[test]
fn every_game_with_a_learner_can_be_learnt() {
    let mut learnt = 0;
    for entry in parlor_catalog::GAMES {
        let game = parlor_catalog::open(entry.name).unwrap();
        let lesson = game.training().ok();
        assert_eq!(lesson.is_some(), game.agents().iter().any(|agent| agent.learns), "{}", entry.name);
        let Some(lesson) = lesson else { continue };
        for (learner, minute) in lesson.learners() {
            game.agent_spec(learner).unwrap();
            assert!(minute > 0);
        }
        for agent in lesson.against.iter().chain(lesson.testers).filter(|agent| **agent != "self") {
            game.agent_spec(agent).unwrap();
        }
        learnt += 1;
    }
    assert!(learnt >= 3);
}

#[test]
fn nonsense_gets_a_sentence() {
    let home = tempfile::tempdir().unwrap();
    let wrong = sentence(&home, &["learn", "darkchess", "--learner", "collective"]);
    assert!(wrong.contains("`collective` has no lesson at this game; these have: fable"), "{wrong}");
    assert!(sentence(&home, &["learn", "domino"]).contains("did you mean `dominoes`?"));
    assert!(sentence(&home, &["learn", "--seconds", "0"]).contains("1 to 86400"));
    assert!(sentence(&home, &["learn", "--seconds", "5", "--quick"]).contains("cannot be used with"));
    assert!(!home.path().join("learnt").exists(), "nothing is written");
}
