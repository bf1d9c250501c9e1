//! A person at the table: levels, boards, hints, rules, flags, and matches that are left and resumed.

use assert_cmd::Command;

fn parlor() -> Command {
    let mut command = Command::cargo_bin("parlor").expect("the program was built");
    command.env("LC_ALL", "C.UTF-8");
    command
}

fn play(words: &[&str], typed: &str) -> String {
    let output = parlor().arg("play").args(words).write_stdin(typed).assert().success().get_output().clone();
    String::from_utf8(output.stdout).expect("text is UTF-8")
}

fn refused(words: &[&str]) -> String {
    let output = parlor().arg("play").args(words).write_stdin("").assert().code(2).get_output().clone();
    String::from_utf8(output.stderr).expect("text is UTF-8")
}

#[test]
fn without_a_game_the_games_are_listed() {
    let screen = play(&[], "");
    for game in parlor_catalog::GAMES {
        assert!(screen.contains(game.name), "{screen}");
    }
    assert!(screen.contains("parlor play connect --level easy") && screen.contains("mines"));
    assert!(screen.lines().all(|line| line.chars().count() <= 80), "{screen}");
}

#[test]
fn a_bare_name_is_the_board_that_players_expect() {
    let columns = |screen: &str| screen.contains("  1 2 3 4 5 6 7\n");
    assert!(
        columns(&play(&["connect"], "quit\n")) && columns(&play(&["c4", "--preset", "classic"], "quit\n"))
    );
    assert!(!columns(&play(&["connect(width=8)"], "quit\n")));
    let mines = |words: &[&str]| play(words, "quit\n").lines().next().unwrap().to_owned();
    assert_eq!(mines(&["mines"]), "minesweeper(rows=9, columns=9, mines=10, first=safe)");
    assert_eq!(mines(&["minesweeper", "--level", "easy"]), mines(&["mines"]));
    assert!(mines(&["minesweeper", "--preset", "expert"]).contains("columns=30, mines=99"));
    assert!(mines(&["minesweeper(rows=3)"]).contains("rows=3, columns=3"), "keys are as everywhere");
}

#[test]
fn levels_are_opponents() {
    let first = |words: &[&str]| play(words, "quit\n").lines().next().unwrap().to_owned();
    assert_eq!(first(&["dominoes", "--level", "hard"]), "dominoes: you against expert, level hard");
    assert_eq!(first(&["dominoes"]), "dominoes: you against scoring, level medium");
    assert_eq!(first(&["dominoes", "--agent", "hard"]), "dominoes: you against hard");
    let watched = play(&["tictactoe", "--watch", "easy", "hard", "--seed", "1"], "");
    assert!(watched.contains("Over:"), "{watched}");
    assert!(
        refused(&["dominoes", "--level", "hardest"]).contains("levels are easy, medium, hard, strongest")
    );
    let alone = refused(&["mines", "--level", "strongest"]);
    assert!(alone.contains("easy (beginner), medium (intermediate), hard (expert)"), "{alone}");
    assert!(refused(&["checkers", "--preset", "huge"]).contains("presets: classic, small"));
    assert!(refused(&["minesweeper(rows=3)", "--preset", "expert"]).contains("either that or keys"));
    assert!(refused(&["conect"]).contains("did you mean `connect`?"));
}

#[test]
fn people_are_told_who_they_are() {
    let screen = play(&["tictactoe", "--agent", "random", "--seat", "1", "--seed", "2"], "quit\n");
    assert!(screen.contains("You are O (second)."), "{screen}");
    let white = play(&["draughts", "--agent", "random", "--seat", "1", "--seed", "2"], "quit\n");
    assert!(white.contains("You are white") && white.contains("h g f e d c b a"), "{white}");
    let over = play(&["tictactoe", "--seed", "4"], &"1\n".repeat(5));
    let verdict = over.lines().find(|line| line.starts_with("Over: ")).unwrap();
    assert!(verdict.contains("you ") || verdict.contains("a draw"), "{verdict}");
    assert!(verdict.contains(" : "), "{verdict}");
}

#[test]
fn stages_end_with_both_hands_and_the_score() {
    let screen = play(&["dominoes", "--agent", "random", "--seed", "3"], &"1\n".repeat(200));
    let end = screen.split("stage 1: ").nth(1).expect("a stage has ended");
    assert!(end.lines().nth(1).unwrap().starts_with("score "), "{screen}");
    let verdict = screen.lines().find(|line| line.starts_with("Over: ")).unwrap();
    let score = screen.lines().rfind(|line| line.starts_with("score ")).unwrap();
    assert_eq!(verdict.split(", ").nth(1), Some(score.trim_start_matches("score").trim()), "{verdict}");
}

#[test]
fn rules_are_a_few_lines_for_people() {
    let typed = play(&["darkchess", "--seed", "1"], "rules\nspec\nquit\n");
    let printed = play(&["darkchess", "--rules"], "");
    for screen in [&typed, &printed] {
        assert!(
            screen.contains("K king, G guard, M minister, R rook, N knight, C cannon, P pawn"),
            "{screen}"
        );
        assert!(screen.contains("darkchess(draw=180, repetition=3)"), "{screen}");
    }
}

#[test]
fn hints_say_what_is_exact() {
    let screen =
        play(&["tictactoe", "--seed", "4"], "hint\nhint mcts(sims=50)\nhint random\nhint nobody\nquit\n");
    assert!(screen.contains("exact values (") && screen.contains(" = "), "{screen}");
    assert!(screen.contains("mcts would play ") && screen.contains("random would play "), "{screen}");
    assert!(screen.contains("no hint: ") && screen.contains("named `nobody`"), "{screen}");
    let mines =
        play(&["minesweeper(rows=3, columns=3, mines=2, first=safe)", "--seed", "1"], "a1\nhint\nquit\n");
    assert!(mines.contains("probability of `mine`, from all "), "{mines}");
    let hands = play(&["dominoes", "--seed", "3"], "hint pimc(nodes=500)\nquit\n");
    assert!(hands.contains("pimc would play ") && hands.contains("probability of `other hand`"), "{hands}");
}

#[test]
fn flags_keep_cells_shut_and_lines_hold_several_clicks() {
    let spec = "minesweeper(rows=5, columns=5, mines=3, first=clear)";
    let screen = play(&[spec, "--seed", "1", "--ascii"], "flag e5 e9\ne5\nflag e5\nquit\n");
    assert!(screen.contains("`e9` is not a covered cell.") && screen.contains("1 flag\n"), "{screen}");
    assert!(screen.contains("e5 is flagged; `flag e5` takes the flag away"), "{screen}");
    assert!(!screen.contains("you: e5"), "{screen}");
    let both = play(&[spec, "--seed", "1"], "a1 zz e5 \u{1b}c4\nquit\n");
    let at = |text: &str| both.find(text).unwrap_or_else(|| panic!("no {text}:\n{both}"));
    assert!(at("you: a1") < at("`zz`") && at("`zz`") < at("not played: e5 \\u{1b}c4"), "{both}");
    let none = play(&["tictactoe", "--seed", "4"], "flag a1\nquit\n");
    assert!(none.contains("nothing to flag"), "{none}");
}

#[test]
fn a_match_can_be_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.jsonl");
    let name = file.to_str().unwrap();
    let screen = play(&["tictactoe", "--seed", "4", "--save", name], "b2\nresign\n");
    assert!(screen.contains("Over: you resigned") && !screen.contains("Left unfinished"), "{screen}");
    assert!(std::fs::read_to_string(&file).unwrap().contains("resigned"));
    let shown = play(&["--replay", name], "");
    assert!(shown.contains("resigned"), "{shown}");
    let alone = play(&["mines", "--seed", "4"], "resign\nquit\n");
    assert!(alone.contains("You play alone"), "{alone}");
}

#[test]
fn a_lost_board_shows_its_mines_and_can_be_undone() {
    let spec = "minesweeper(rows=3, columns=3, mines=5, first=any)";
    let lost = (0..50).map(|seed| play(&[spec, "--seed", &seed.to_string(), "--ascii"], "b2\nundo\nquit\n"));
    let screen =
        lost.into_iter().find(|screen| screen.contains("you: b2, a mine")).expect("most clicks lose");
    let over = screen.split("Over: you lost").collect::<Vec<_>>();
    assert_eq!(over.len(), 2, "{screen}");
    assert_eq!(over[0].matches('@').count(), 4, "the other mines:\n{screen}");
    assert!(over[1].contains("9) c3"), "nine cells again after the undo:\n{screen}");
}

#[test]
fn characters_follow_the_locale() {
    let drawn = |locale: &str| {
        let mut command = parlor();
        command
            .env("LC_ALL", locale)
            .args(["play", "checkers", "--seed", "1"])
            .write_stdin("help\nrules\nhint\nquit\n");
        String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap()
    };
    assert!(drawn("C").is_ascii());
    assert!(!drawn("en_US.UTF-8").is_ascii());
}

#[test]
fn a_match_that_was_left_resumes_and_ends_as_if_it_had_not_been() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, left] = ["whole.jsonl", "left.jsonl"].map(|name| folder.path().join(name));
    let [whole, left] = [&whole, &left].map(|path| path.to_str().unwrap());
    let game = ["dominoes(target=30)", "--agent", "expert", "--seed", "7", "--save"];
    play(&[&game[..], &[whole]].concat(), &"1\n".repeat(100));
    let screen = play(&[&game[..], &[left]].concat(), "1\n1\nquit\n");
    assert!(screen.contains(&format!("  parlor play --resume {left}\n")), "{screen}");
    let again = play(&["--resume", left], "1\nquit\n");
    assert!(again.contains("dominoes: you against expert, resumed"), "{again}");
    play(&["--resume", left, "--number", "1"], &"1\n".repeat(100));
    let text = |file: &str| std::fs::read_to_string(file).unwrap();
    assert_eq!(text(left), text(whole), "one line, that of the match that was never left");
    assert!(refused(&["--resume", left]).contains("cannot be resumed: finished"));
    assert!(refused(&["--resume", "/nowhere/at/all"]).contains("cannot be read"));
    assert!(refused(&["tictactoe", "--number", "2"]).contains("--replay or --resume"));
}

#[test]
fn watched_matches_resume_too() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("watched.jsonl");
    let line = r#"{"parlor":1,"game":"tictactoe(rows=3, columns=3, lines=windows)","seats":["random","random"],"seed":4,"rng":"xoshiro256++","moves":"b2 c1","ending":"unfinished"}"#;
    std::fs::write(&file, format!("{line}\n")).unwrap();
    let screen = play(&["--resume", file.to_str().unwrap()], "");
    assert!(screen.contains("resumed") && screen.contains("Over:"), "{screen}");
    assert!(std::fs::read_to_string(&file).unwrap().contains(r#""moves":"b2 c1 "#));
}

/// SIGTERM without `--save`: the match is kept in the program's folder, and the last line is the command that resumes it.
#[cfg(unix)]
#[test]
fn a_killed_match_is_kept() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command as Start, Stdio};
    let home = tempfile::tempdir().unwrap();
    let program = assert_cmd::cargo::cargo_bin("parlor");
    let mut child = Start::new(&program)
        .args(["play", "tictactoe", "--agent", "random", "--seed", "4"])
        .env("PARLOR_HOME", home.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut keyboard = child.stdin.take().unwrap();
    keyboard.write_all(b"a1\n").unwrap();
    let mut screen = BufReader::new(child.stdout.take().unwrap()).lines();
    screen.find(|line| line.as_ref().is_ok_and(|line| line.contains("you: a1"))).unwrap().unwrap();
    assert!(Start::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    let rest: Vec<String> = screen.map_while(Result::ok).collect();
    assert!(child.wait().unwrap().success());
    let command = rest.last().unwrap();
    let file = command.trim().strip_prefix("parlor play --resume ").unwrap_or_else(|| panic!("{rest:?}"));
    assert!(std::fs::read_to_string(file).unwrap().contains(r#""moves":"a1 "#));
    let mut resumed = parlor();
    resumed.env("PARLOR_HOME", home.path()).args(["play", "--resume"]).write_stdin("1\n".repeat(5));
    let output = resumed.assert().success().get_output().clone();
    assert!(String::from_utf8(output.stdout).unwrap().contains("Over:"));
    assert!(!std::path::Path::new(file).exists(), "there is nothing left to resume");
    drop(keyboard);
}
