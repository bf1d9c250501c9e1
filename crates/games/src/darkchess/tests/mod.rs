//! Tests of dark chess: shared functions here, the tests in files of their own.

mod cells;
mod judging;
mod laws;
mod reversible;
mod rules;
mod texts;
mod vectors;

use super::*;
use parlor_core::{Notation, Position};

fn game() -> DarkChess {
    DarkChess::new(180, Some(3)).unwrap()
}

/// Returns the board of a position text.
fn board(text: &str) -> Board {
    match game().read_position(text) {
        Ok(Position::State(board)) => board,
        other => panic!("{text}: {other:?}"),
    }
}

/// Returns a position text with these ranks on top and the others empty.
fn ranks(top: &[&str], rest: &str) -> String {
    let mut rows = top.to_vec();
    rows.resize(usize::from(RANKS), "----");
    format!("{} {rest}", rows.join("/"))
}

/// Returns the texts of the actions, sorted.
fn offered(game: &DarkChess, board: &Board) -> Vec<String> {
    let mut texts: Vec<String> = game.actions(board).map(|action| game.write_action(action)).collect();
    texts.sort();
    texts
}

/// Plays actions given as text.
fn play(game: &DarkChess, board: &mut Board, texts: &str) {
    for text in texts.split(' ') {
        let action = game.read_action(text).unwrap();
        game.try_apply(board, action).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}
