//! Solved positions of 7 × 6: every move can be replayed, and one ply of play agrees with the scores.

use parlor_core::{Game, Notation, Phase, Position};
use parlor_games::bits::Word;
use parlor_games::connect::{Board, Column, Connect};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Solved {
    moves: String,
    ply: u32,
    score: i32,
    /// The score of each column for the seat to move; `null` if it is full.
    columns: Vec<Option<i32>>,
    best: Vec<u8>,
}

fn solved() -> Vec<Solved> {
    serde_json::from_str(include_str!("../vectors/connect-solved-7x6.json"))
        .expect("the vectors are well-formed")
}

/// Returns the columns in which the seat to move wins at once.
fn wins_at_once(game: &Connect<u64>, board: &Board<u64>) -> Vec<Column> {
    let Phase::Decide(seat) = game.phase(board) else { return Vec::new() };
    let wins = game.playable(board) & game.winning_cells(board, seat);
    wins.cells().map(|cell| Column((cell / 7) as u8)).collect()
}

#[test]
fn connect_scores_agree_with_one_ply() {
    let game = Connect::<u64>::new(7, 6, 4).unwrap();
    let all = solved();
    assert_eq!(all.len(), 127);
    let (mut wins, mut losses) = (0, 0);
    for solved in all {
        let Ok(Position::State(board)) = game.read_position(&solved.moves) else {
            panic!("{}", solved.moves)
        };
        assert_eq!(game.taken(&board).len(), solved.ply, "{}", solved.moves);
        assert!(!game.is_over(&board), "{}", solved.moves);
        assert_eq!(solved.columns.iter().flatten().max(), Some(&solved.score));
        let best: Vec<u8> =
            (1..=7).filter(|&c| solved.columns[usize::from(c) - 1] == Some(solved.score)).collect();
        assert_eq!(best, solved.best);

        let open: Vec<Column> = game.actions(&board).collect();
        let at_once = wins_at_once(&game, &board);
        // Winning with the own k-th disc scores 22 − k; losing to the other's k-th, k − 22.
        let (own, other) = (solved.ply as i32 / 2 + 1, (solved.ply as i32 + 1) / 2 + 1);
        for column in (0..7).map(Column) {
            let score = solved.columns[usize::from(column.0)];
            assert_eq!(score.is_some(), open.contains(&column), "{} {column:?}", solved.moves);
            let Some(score) = score else { continue };
            let mut next = board;
            game.apply(&mut next, column);
            let won = game.winner(&next).is_some();
            assert_eq!(won, at_once.contains(&column), "{} {column:?}", solved.moves);
            assert_eq!(won, score == 22 - own, "{} {column:?}", solved.moves);
            let lost = !wins_at_once(&game, &next).is_empty();
            assert_eq!(lost, score == other - 22, "{} {column:?}", solved.moves);
            wins += u32::from(won);
            losses += u32::from(lost);
        }
    }
    assert!(wins > 0 && losses > 0, "the vectors show both: {wins} wins, {losses} losses");
}
