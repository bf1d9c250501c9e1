//! A person at the table, with a script for a person.

use assert_cmd::Command;

/// Returns the program, in a locale that shows every character.
fn parlor() -> Command {
    let mut command = Command::cargo_bin("parlor").expect("the program was built");
    command.env("LC_ALL", "C.UTF-8");
    command
}

fn play(words: &[&str], typed: impl Into<Vec<u8>>) -> String {
    let output = parlor().arg("play").args(words).write_stdin(typed).assert().success().get_output().clone();
    String::from_utf8(output.stdout).expect("text is UTF-8")
}

#[test]
fn a_whole_game_by_numbers() {
    let screen = play(&["tictactoe", "--seed", "4"], "1\n".repeat(5));
    assert!(screen.contains("Over:"), "{screen}");
    assert!(screen.contains("you: a1"), "number 1 is the first move of the list:\n{screen}");
}

#[test]
fn help_moves_board_and_json() {
    let screen = play(&["tictactoe", "--seed", "4"], "help\nmoves\nboard\njson\nquit\n");
    assert!(screen.contains("take your last move back"));
    assert!(screen.contains("\"parlor_view\": 1"));
    assert_eq!(screen.matches("9) c3").count(), 2, "once unasked, once on `moves`");
}

#[test]
fn undo_takes_back_both_moves() {
    let screen = play(&["tictactoe", "--seed", "4"], "undo\na1\nundo\nquit\n");
    assert!(screen.contains("There is nothing to take back."));
    assert_eq!(screen.matches("9) c3").count(), 2, "nine moves again after the undo:\n{screen}");
}

#[test]
fn undo_leaves_the_opening_of_the_other_seat_alone() {
    let screen =
        play(&["tictactoe", "--agent", "random", "--seat", "1", "--seed", "2"], "undo\nundo\nquit\n");
    assert_eq!(screen.matches("There is nothing to take back.").count(), 2);
    assert_eq!(screen.matches("random: ").count(), 1, "the other seat moved once:\n{screen}");
}

#[test]
fn nonsense_is_explained_and_the_game_goes_on() {
    let screen = play(&["tictactoe", "--seed", "4"], "zz\n77\n\u{1F600}\na1\nquit\n");
    assert!(screen.contains("`zz` is not a square of this board"));
    assert!(screen.contains("you: a1"));
}

#[test]
fn bytes_that_are_no_text_are_nonsense_too() {
    let screen = play(&["tictactoe", "--seed", "4"], b"\xff\xfe\na1\nquit\n".to_vec());
    assert!(screen.contains("is not a square of this board"), "{screen}");
    assert!(screen.contains("you: a1"));
}

#[test]
fn saved_games_replay() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.jsonl");
    let file = file.to_str().unwrap();
    let screen = play(&["tictactoe", "--seed", "4", "--save", file], "1\n".repeat(5));
    let last_board = screen.rsplit("Over:").nth(1).unwrap().rsplit("\n\n").next().unwrap().to_owned();
    let again = play(&["--replay", file], "");
    assert!(again.contains(&last_board), "the same last board");
}

/// An engine that greets, takes the game, and then says nonsense.
const FOOL: &str = "cmd:sh -c 'echo ready; while read word rest; do case $word in game) echo ok;; go) echo move zz;; esac; done'";

#[test]
fn a_forfeit_is_saved_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.jsonl");
    let name = file.to_str().unwrap();
    play(&["tictactoe", "--agent", FOOL, "--save", name], "a1\n");
    play(&["tictactoe", "--watch", "random", FOOL, "--save", name], "");
    let lines = std::fs::read_to_string(&file).unwrap();
    assert_eq!(lines.lines().count(), 2);
    for line in lines.lines() {
        assert!(line.contains(r#""ending":"seat 1 forfeits: "#), "{line}");
        assert!(line.contains(r#""payoffs":[8.0,-8.0]"#), "{line}");
    }
    assert!(play(&["--replay", name, "--number", "2"], "").contains("seat 1 forfeits"));
}

#[test]
fn a_replay_names_agents_without_their_keys_and_escapes_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.jsonl");
    let name = file.to_str().unwrap();
    let watched = play(&["dominoes", "--watch", "expert", "random", "--seed", "5", "--save", name], "");
    let again = play(&["--replay", name], "");
    let moves =
        |screen: &str| screen.lines().filter(|l| l.starts_with("  expert")).map(str::to_owned).collect();
    let (first, second): (Vec<String>, Vec<String>) = (moves(&watched), moves(&again));
    assert!(!first.is_empty());
    assert_eq!(first, second);
    let line = std::fs::read_to_string(&file).unwrap().replace(r#""random""#, r#""\u001b[31mred""#);
    std::fs::write(&file, line).unwrap();
    let words = play(&["--replay", name], "").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(r"against \u{1b}[31mred"), "{words}");
}

#[test]
fn agents_can_be_watched_in_plain_characters() {
    let screen = play(&["tictactoe", "--watch", "random", "random", "--ascii", "--seed", "2"], "");
    assert!(screen.contains("Over:"));
    assert!(screen.is_ascii());
}

/// What the README shows is what the screen shows.
#[test]
fn the_readme_tells_the_truth() {
    let readme = include_str!("../../../../README.md");
    let block = readme.split("```console").nth(2).unwrap().split("```").next().unwrap();
    let shown: Vec<&str> = block.lines().skip(2).filter(|line| !line.starts_with("> ")).collect();
    let screen = play(&["dominoes", "--agent", "expert", "--seed", "3"], "1\n");
    assert!(screen.starts_with(&shown.join("\n")), "{screen}");
}

/// What the README shows of a minute of learning is what the learner that ships has been through.
#[test]
fn the_readme_shows_what_was_learnt() {
    let readme = include_str!("../../../../README.md");
    let shipped = include_bytes!("../../../registry/shipped/dominoes.parlor");
    let about = parlor_core::files::knowledge::Knowledge::parse(shipped).unwrap().about;
    let per_cent = |test: &parlor_core::files::knowledge::Milestone| {
        let matches = test.results.total() as f64;
        format!("{:.1} %", 100.0 * test.results.wins as f64 / matches)
    };
    let block = readme.split("```console").nth(1).unwrap().split("```").next().unwrap();
    let line = |begins: &str| block.lines().find(|line| line.starts_with(begins)).unwrap_or_default();
    let [first, last] = [&about.early[..2], &about.curve[about.curve.len() - 2..]];
    for (line, tests) in [(line("before:"), first), (line("round 40/40:"), last)] {
        assert!(tests.iter().all(|test| line.contains(&per_cent(test))), "{line:?} tells of {tests:?}");
    }
}

#[test]
fn nothing_hidden_is_drawn() {
    // Seven tiles are dealt face down; whatever is drawn before the end names at most the seven others and the board.
    let screen = play(&["dominoes", "--seed", "3"], "json\nlog\nquit\n");
    assert!(screen.contains("deal:?? (7 times)"));
    assert_eq!(screen.matches("deal:").count(), 8, "the deal is shown on request only");
    for hidden in ["04", "[0|4]", "[4|0]"] {
        assert!(!screen.contains(hidden), "the other seat holds 04:\n{screen}");
    }
}

#[test]
fn every_game_can_be_played_and_left() {
    for game in parlor_catalog::GAMES {
        let screen = play(&[game.name, "--seed", "1"], "moves\nhelp\njson\nquit\n");
        assert!(screen.contains("moves"), "{screen}");
        let agents = if game.name == "minesweeper" { &["random"][..] } else { &["random", "random"] };
        let watched = play(&[&[game.name, "--seed", "1", "--ascii", "--watch"][..], agents].concat(), "");
        assert!(watched.contains("Over:") && watched.is_ascii(), "{watched}");
    }
}

#[test]
fn lists_of_moves_fit_a_terminal() {
    let screen = play(&["darkchess", "--seed", "1"], "moves\na8\nquit\n");
    assert!(screen.contains("32 legal moves; `moves` lists them"), "{screen}");
    assert!(screen.contains(" 32) d1"), "{screen}");
    assert!(screen.lines().all(|line| line.chars().count() <= 80), "{screen}");
}

#[test]
fn the_second_seat_waits_for_the_first() {
    let screen = play(&["tictactoe", "--agent", "random", "--seat", "1", "--seed", "4"], "quit\n");
    assert!(screen.contains("random: "), "{screen}");
}

#[test]
fn what_is_taken_back_and_done_again_comes_out_the_same() {
    let screen = play(&["darkchess", "--seed", "4"], "a8\nundo\na8\nquit\n");
    let mine: Vec<&str> = screen.lines().filter(|line| line.contains("you: a8 is ")).collect();
    assert_eq!(mine.len(), 2, "{screen}");
    assert_eq!(mine[0], mine[1], "{screen}");
}

#[test]
fn clocks_are_shown_and_run_out() {
    let screen = play(&["tictactoe", "--agent", "random", "--time", "5m", "--ponder"], "a1\nquit\n");
    assert!(screen.contains("clocks: you 5:00.0, random 5:00.0"), "{screen}");
    let late = play(&["tictactoe", "--agent", "random", "--time", "1ms/move"], "");
    assert!(late.contains("you forfeit: ran out of time") || late.contains("Left unfinished."), "{late}");
}

/// Ctrl-C or SIGTERM while the opponent thinks or ponders, or while two agents are watched: the game so far is kept.
#[cfg(unix)]
#[test]
fn ctrl_c_is_heard_while_agents_think() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command as Start, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let endless = "mcts(time_ms=80000000)";
    // What each types, what it then waits to see, and the signal.
    let calls: [(&[&str], &str, &str, &str); 3] = [
        (&["--agent", endless], "1\n", "moves:", "-INT"),
        (&["--agent", "mcts(sims=50)", "--ponder"], "1\n", "you: 1", "-TERM"),
        (&["--watch", endless, endless], "", "1 2 3 4", "-TERM"),
    ];
    for (number, (words, typed, shown, signal)) in calls.into_iter().enumerate() {
        let file = folder.path().join(format!("{number}.jsonl"));
        let mut child = Start::new(assert_cmd::cargo::cargo_bin("parlor"))
            .env("LC_ALL", "C.UTF-8")
            .args(["play", "connect", "--save", file.to_str().unwrap()])
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut keyboard = child.stdin.take().unwrap();
        keyboard.write_all(typed.as_bytes()).unwrap();
        let mut screen = BufReader::new(child.stdout.take().unwrap()).lines();
        screen.find(|line| line.as_ref().is_ok_and(|line| line.contains(shown))).unwrap().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(200));
        assert!(Start::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let rest: Vec<String> = screen.map_while(Result::ok).collect();
        assert!(child.wait().unwrap().success(), "{words:?}");
        assert!(rest.iter().any(|line| line == "Left unfinished."), "{words:?}: {rest:?}");
        assert!(std::fs::read_to_string(file).unwrap().contains("\"ending\":\"unfinished\""), "{words:?}");
        drop(keyboard);
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_the_game() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command as Start, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.jsonl");
    let mut child = Start::new(assert_cmd::cargo::cargo_bin("parlor"))
        .args(["play", "tictactoe", "--seed", "4", "--save", file.to_str().unwrap()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut keyboard = child.stdin.take().unwrap();
    keyboard.write_all(b"a1\n").unwrap();
    let mut screen = BufReader::new(child.stdout.take().unwrap()).lines();
    screen
        .find(|line| line.as_ref().is_ok_and(|line| line.contains("you: a1")))
        .expect("the move is shown")
        .unwrap();
    // The move is on the screen, so the table is waiting for the next one.
    let stopped = Start::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(stopped.success());
    assert!(child.wait().unwrap().success(), "leaving is no failure");
    let line = std::fs::read_to_string(file).unwrap();
    assert!(line.contains("\"moves\":\"a1 "), "{line}");
    drop(keyboard);
}
