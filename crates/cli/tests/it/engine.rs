//! `parlor engine`: whatever comes through the pipe, it stays, and plays on when sense returns.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use assert_cmd::Command;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

fn engine(words: &[&str], typed: &[u8]) -> String {
    let mut command = Command::cargo_bin("parlor").expect("the program was built");
    let output = command.arg("engine").args(words).write_stdin(typed).assert().success().get_output().clone();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("answers are UTF-8")
}

/// A session that makes sense, and its last answer.
const SENSE: [(&str, &str, &str, &str); 3] = [
    (
        "tictactoe",
        "random",
        "view {\"rows\":[\"XOX\",\"OXO\",\"OX.\"],\"to_move\":0,\"points\":[0,0]}",
        "move c3",
    ),
    (
        "darkchess",
        "random",
        "view {\"rows\":[\"K---\",\"----\",\"----\",\"----\",\"----\",\"----\",\"----\",\"---X\"],\"turn\":\"b\",\"to_move\":0,\"red\":1,\"face_down\":\"k\",\"taken\":\"PPPPPCCNNRRMMGGpppppccnnrrmmgg\",\"flipping\":null,\"quiet\":[],\"ending\":null}",
        "move d1",
    ),
    ("dominoes", "expert", "", "info "),
];

#[test]
fn nonsense_is_survived() {
    let words = prop_oneof![
        Just("parlor"),
        Just("game"),
        Just("new"),
        Just("see"),
        Just("view"),
        Just("legal"),
        Just("clock"),
        Just("go"),
        Just("over"),
        Just("what"),
        Just("")
    ];
    let rests = prop_oneof![
        Just("1"),
        Just("0"),
        Just("9"),
        Just("255"),
        Just("-1"),
        Just("18446744073709551615"),
        Just("seat0 a1"),
        Just("seat1 13@left"),
        Just("seat7 a1"),
        Just("chance deal:00"),
        Just("chance draw:??"),
        Just("seat1 pass"),
        Just("chance =P"),
        Just("{}"),
        Just("[[[[[[[["),
        Just("null"),
        Just("tictactoe(rows=0)"),
        Just("dominoes"),
        Just("own=-1 other=x"),
        Just("own=5 control=1s left=99999999999999999"),
        Just("nan inf"),
        Just("\u{1F600}")
    ];
    let lines = prop::collection::vec((words, rests), 0..60);
    let bytes = prop::collection::vec(any::<u8>(), 0..300);
    let mut runner = TestRunner::new(Config { cases: 24, ..Config::default() });
    runner
        .run(&(lines, bytes), |(lines, bytes)| {
            for (game, agent, view, answer) in SENSE {
                let mut typed: Vec<u8> = Vec::new();
                for (word, rest) in &lines {
                    typed.extend_from_slice(format!("{word} {rest}\n").as_bytes());
                }
                typed.extend_from_slice(&bytes);
                typed.extend_from_slice(format!("\nparlor 1\ngame {game}\nnew 0\n{view}\ngo 1\n").as_bytes());
                let said = engine(&[game, agent], &typed);
                let last = said.lines().last().unwrap_or_default();
                prop_assert!(last.starts_with(answer), "{game}: {said}");
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn other_games_are_refused_and_other_options_taken() {
    let said = engine(
        &["tictactoe", "random"],
        b"parlor 1\ngame connect\ngame tictactoe(rows=4)\ngame tictactoe(rows=0)\nquit\ngo 1\n",
    );
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].starts_with("name parlor "), "{said}");
    assert_eq!(lines[2], "ready");
    assert_eq!(lines[3], "refuse started for tictactoe, not for connect");
    assert_eq!(lines[4], "ok");
    assert!(lines[5].starts_with("refuse "), "{said}");
    assert_eq!(lines.len(), 6, "nothing is answered after `quit`");
}

/// A conversation, line by line.
struct Talk {
    child: Child,
    say: ChildStdin,
    hear: BufReader<ChildStdout>,
}

impl Talk {
    fn start(words: &[&str]) -> Talk {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_parlor"))
            .arg("engine")
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (say, hear) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Talk { child, say, hear }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        assert!(self.hear.read_line(&mut line).unwrap() > 0, "the engine has gone");
        line.trim_end().to_owned()
    }

    /// Says a line and returns the next one that is heard.
    fn ask(&mut self, line: &str) -> String {
        writeln!(self.say, "{line}").unwrap();
        self.line()
    }

    /// Asks by GTP, whose answers end with an empty line.
    fn gtp(&mut self, line: &str) -> String {
        let answer = self.ask(line);
        while !self.line().is_empty() {}
        answer
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// While it ponders and while it decides, a search hears that it is to stop.
#[test]
fn a_search_ponders_and_stops() {
    let mut talk = Talk::start(&["tictactoe", "mcts(time_ms=80000000)"]);
    talk.ask("parlor 1");
    while talk.line() != "ready" {}
    assert_eq!(talk.ask("game tictactoe"), "ok");
    let empty = r#"{"rows":["...","...","..."],"to_move":0,"points":[0,0]}"#;
    let answered = r#"{"rows":["X..","...","..."],"to_move":1,"points":[0,0]}"#;
    for line in ["new 1".to_owned(), format!("ponder {empty}"), "stop".to_owned()] {
        writeln!(talk.say, "{line}").unwrap();
    }
    for line in ["see seat0 a1".to_owned(), format!("view {answered}"), "go 5".to_owned()] {
        writeln!(talk.say, "{line}").unwrap();
    }
    // It would think for a day.
    let answer = talk.ask("stop");
    assert!(answer.starts_with("move "), "{answer}");
    assert_eq!(talk.ask("game tictactoe"), "ok", "and goes on");
    // Pondering on nonsense is complained about and nothing else.
    assert!(talk.ask("ponder {}").starts_with("info "));
}

/// The agent plays both sides; the referee turns the pieces up.
#[test]
fn dark_chess_by_gtp() {
    let mut talk = Talk::start(&["darkchess", "random", "--protocol", "gtp", "--seed", "5"]);
    talk.gtp("time_settings 600 30 5");
    let pieces = "PPPPPCCNNRRMMGGKpppppccnnrrmmggk";
    let mut turned = String::new();
    let mut moves = 0;
    let end = loop {
        // Whichever colour it is: one of them is right.
        let answer = match talk.gtp("genmove red") {
            wrong if wrong.contains("black's turn") => talk.gtp("genmove black"),
            answer => answer,
        };
        let Some((from, to)) = answer.strip_prefix("= ").and_then(|text| text.split_once(' ')) else {
            break answer;
        };
        moves += 1;
        if from == to {
            let index = (moves * 7) % 32;
            let order = pieces[index..].chars().chain(pieces[..index].chars());
            let shown = order
                .map(|piece| (piece, talk.gtp(&format!("flip {from} {piece}"))))
                .find(|(_, said)| said == "=");
            turned.push(shown.expect("some piece lies there").0);
        }
    };
    assert!(end.contains("the game is over"), "{end} after {moves} moves");
    let count = |text: &str, piece: char| text.matches(piece).count();
    assert!(
        turned.len() > 5 && turned.chars().all(|piece| count(&turned, piece) <= count(pieces, piece)),
        "{turned}"
    );
    while talk.gtp("undo") == "=" {
        moves -= 1;
    }
    assert_eq!(moves, 0, "everything can be taken back");
    for wrong in [
        "genmove green",
        "flip a9 K",
        "flip a1 Q",
        "flip a1-a2 K",
        "play red a1=",
        "play",
        "move a1",
        "boardsize 19",
        "time_settings x y z",
        "time_settings 0 0 0",
        "time_left red -1 0",
        "= =",
        "?",
    ] {
        assert!(talk.gtp(wrong).starts_with('?'), "{wrong}");
    }
    assert_eq!(talk.gtp("12 play unknown a1=K # a comment"), "=12");
}

#[test]
fn checkers_by_hub() {
    let mut talk = Talk::start(&["checkers", "random", "--protocol", "hub", "--seed", "3"]);
    assert!(talk.ask("hub").starts_with("id name="));
    assert_eq!(talk.line(), "wait");
    assert_eq!(talk.ask("init"), "ready");
    let start = "Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";
    let mut taken = 0;
    for _ in 0..10 {
        let mut moves: Vec<String> = Vec::new();
        let end = loop {
            writeln!(talk.say, "pos pos={start} moves=\"{}\"\nlevel moves=40 time=60", moves.join(" "))
                .unwrap();
            let answer = talk.ask("go think");
            let Some(played) = answer.strip_prefix("done move=") else { break answer };
            // What is taken may come in any order.
            let mut squares: Vec<&str> = played.split('x').collect();
            if squares.len() > 2 {
                squares[2..].reverse();
                taken = taken.max(squares.len() - 2);
            }
            moves.push(squares.join("x"));
        };
        assert_eq!(end, "error message=\"the game is over\"", "{moves:?}");
        assert!(moves.len() > 20);
    }
    assert!(taken >= 2, "a move took several");
    for wrong in [
        "pos",
        "pos pos=W",
        &format!("pos pos=X{}", &start[1..]),
        &format!("pos pos={}", start.replace('e', "x")),
        &format!("pos pos={start} moves=\"11-15 1-2\""),
        "level time=soon",
        "level time=5 moves=0",
        "level move-time=-1",
    ] {
        assert!(talk.ask(wrong).starts_with("error message="), "{wrong}");
    }
    writeln!(talk.say, "set-param name=x value=y\nnonsense a=\"\nstop\nponder-hit\nnew-game").unwrap();
    assert_eq!(talk.ask("ping"), "pong");
    assert!(talk.ask("go").starts_with("done move="));
}

#[test]
fn protocols_are_for_their_games() {
    for (words, wrong) in [
        (&["dominoes", "random", "--protocol", "gtp"][..], "spoken for darkchess only"),
        (&["darkchess", "random", "--protocol", "hub"], "spoken for checkers only"),
        (&["checkers(rows=6)", "random", "--protocol", "hub"], "on 8×8 only"),
        (&["checkers", "random", "--protocol", "uci"], "invalid value"),
    ] {
        let output = Command::cargo_bin("parlor")
            .unwrap()
            .arg("engine")
            .args(words)
            .assert()
            .code(2)
            .get_output()
            .clone();
        assert!(String::from_utf8_lossy(&output.stderr).contains(wrong), "{words:?}");
    }
}
