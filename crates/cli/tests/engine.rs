//! `parlor engine`: whatever comes through the pipe, it stays, and plays on when sense returns.

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
