mod cells;
mod patterns;
mod reversible;
mod rules;
mod slow;
mod stimulus;
mod texts;

use super::*;
use parlor_core::{Notation, Position};

fn game<W: Word>(rows: u8, columns: u8) -> Checkers<W> {
    Checkers::new(rows, columns, Options::default()).unwrap()
}

fn with<W: Word>(rows: u8, columns: u8, draw: u16, unit: Unit, kings: Kings) -> Checkers<W> {
    Checkers::new(rows, columns, Options { draw, unit, kings }).unwrap()
}

fn board<W: Word>(game: &Checkers<W>, text: &str) -> Board<W> {
    match game.read_position(text) {
        Ok(Position::State(board)) => board,
        other => panic!("{text}: {other:?}"),
    }
}

/// Returns the legal move that a text denotes.
fn meant<W: Word>(game: &Checkers<W>, board: &Board<W>, text: &str) -> Move {
    game.understand(&game.view_actions(board), text).unwrap_or_else(|error| panic!("{error}"))
}

fn play<W: Word>(game: &Checkers<W>, board: &mut Board<W>, texts: &[&str]) {
    for text in texts {
        let action = meant(game, board, text);
        game.try_apply(board, action).unwrap();
    }
}
