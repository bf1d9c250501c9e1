//! The game for people at a table: rules in a few lines, and the sides.

use parlor_core::{Ink, Seat};

use super::notation::MARKS;
use super::{Board, Connect};
use crate::board::bits::Word;

impl<W: Word> Connect<W> {
    pub(super) fn rules_text(&self) -> String {
        let (width, height, row) = (self.width, self.height, self.row);
        format!(
            "Two players drop discs into {width} columns, one at a time; the first player begins.\n\
             A disc falls to the lowest free cell of its column, which holds {height} discs.\n\
             The first player with {row} own discs in a line, across, down or diagonally, wins.\n\
             If the board is full before that, the match is a draw.\n\
             \n\
             A move is the name of a column, as it stands below the board: `1` is the\n\
             column on the left."
        )
    }

    /// Returns the disc of a seat.
    pub(super) fn disc(seat: Seat, ink: Ink) -> &'static str {
        match (seat, ink.ascii) {
            (Seat::FIRST, false) => "●",
            (_, false) => "○",
            (Seat::FIRST, true) => "X",
            (_, true) => "O",
        }
    }

    pub(super) fn status_text(&self, board: &Board<W>, seat: Seat) -> String {
        let discs = self.taken(board).len();
        match self.winner(board) {
            _ if !self.is_over(board) => format!("disc {} of {}", discs + 1, self.board.len()),
            None => "the board is full: a draw".to_owned(),
            Some(winner) if winner == seat => format!("you have {} in a row", self.row),
            Some(winner) => format!("{} has {} in a row", MARKS[winner.index()], self.row),
        }
    }
}
