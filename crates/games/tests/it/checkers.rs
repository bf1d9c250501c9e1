//! Checkers against positions and counts from independent programs.

use parlor_core::rules::perft::perft;
use parlor_core::{Game, Notation, Phase, Position};
use parlor_games::bits::Word;
use parlor_games::checkers::{Board, Checkers, Kings, Options, Unit};
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    positions: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    id: String,
    rows: u8,
    cols: u8,
    to_move: String,
    board: String,
    max_captures: u32,
    moves: Vec<String>,
    after: Vec<String>,
    /// Present only if it differs from `moves`.
    moves_if_kings_need_not_jump: Option<Vec<String>>,
}

fn cases() -> Vec<Case> {
    let file: File = serde_json::from_str(include_str!("../vectors/checkers-positions.json")).unwrap();
    assert_eq!(file.positions.len(), 174);
    file.positions
}

fn game<W: Word>(rows: u8, columns: u8, kings: Kings) -> Checkers<W> {
    Checkers::new(rows, columns, Options { kings, ..Options::default() }).unwrap()
}

fn board<W: Word>(game: &Checkers<W>, text: &str) -> Board<W> {
    match game.read_position(text) {
        Ok(Position::State(board)) => board,
        other => panic!("{text}: {other:?}"),
    }
}

/// Returns the moves and the rows after each, sorted by move.
fn moves<W: Word>(game: &Checkers<W>, board: &Board<W>) -> Vec<(String, String)> {
    let mut moves: Vec<(String, String)> = game
        .actions(board)
        .map(|action| {
            let mut next = *board;
            game.try_apply(&mut next, action).unwrap();
            (game.write_action(action), game.write_position(&next).unwrap())
        })
        .collect();
    moves.sort();
    moves
}

fn check_vectors<W: Word>() {
    let mut kings_may = 0;
    for case in cases() {
        let (turn, next) = if case.to_move == "red" { ('r', 'w') } else { ('w', 'r') };
        let text = format!("{} {turn}", case.board);
        let must = game::<W>(case.rows, case.cols, Kings::Must);
        let start = board(&must, &text);
        assert_eq!(must.write_position(&start).as_ref(), Some(&text), "{}", case.id);
        let expected: Vec<(String, String)> =
            case.moves.iter().cloned().zip(case.after.iter().map(|rows| format!("{rows} {next}"))).collect();
        assert_eq!(case.moves.len(), case.after.len());
        assert_eq!(moves(&must, &start), expected, "{}", case.id);
        let most = must.actions(&start).map(|action| action.jumps()).max().unwrap_or(0);
        assert_eq!(most, case.max_captures, "{}", case.id);
        assert_eq!(must.phase(&start) == Phase::Over, case.moves.is_empty(), "{}", case.id);

        let may = game::<W>(case.rows, case.cols, Kings::May);
        let found: Vec<String> = moves(&may, &start).into_iter().map(|(text, _)| text).collect();
        kings_may += u32::from(case.moves_if_kings_need_not_jump.is_some());
        assert_eq!(&found, case.moves_if_kings_need_not_jump.as_ref().unwrap_or(&case.moves), "{}", case.id);
        assert_eq!(found != case.moves, case.moves_if_kings_need_not_jump.is_some(), "{}", case.id);
    }
    assert_eq!(kings_may, 55);
}

#[test]
fn checkers_vectors_in_64_bits() {
    check_vectors::<u64>();
}

#[test]
fn checkers_vectors_in_128_bits() {
    check_vectors::<u128>();
}

/// Published by Aart Bik for his engine BikMove, which also counts different paths of a jump as different moves.
const PERFT: [u64; 11] = [7, 49, 302, 1469, 7361, 36768, 179_740, 845_931, 3_963_680, 18_391_564, 85_242_128];

#[test]
fn checkers_perft_of_the_start() {
    let game = game::<u64>(8, 8, Kings::Must);
    assert_eq!(perft(&game, &game.start(), 11, false), PERFT);
    let wide = self::game::<u128>(8, 8, Kings::Must);
    assert_eq!(perft(&wide, &wide.start(), 9, false), PERFT[..9]);
}

#[test]
fn checkers_readers_never_panic() {
    for (rows, columns) in [(8, 8), (4, 6), (12, 12)] {
        let options = Options { unit: Unit::Pairs, ..Options::default() };
        let game = Checkers::<u128>::new(rows, columns, options).unwrap();
        let fen = ["B:W21,22,K3:B1,K2", "W:W21-32:B1-12.", "11-15", "15x22x29", "a1xc3xe5"];
        parlor_testkit::readers_never_panic(&game, if rows == 8 { &fen } else { &fen[4..] });
    }
}
