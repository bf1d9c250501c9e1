//! The game for people at a table: rules in a few lines, and moves in words.

use parlor_core::{Happening, Notation, Told};

use super::{Lines, TicTacToe};

impl TicTacToe {
    pub(super) fn rules_text(&self) -> String {
        let point = match self.lines {
            Lines::Windows => "Three of your marks in a row, column or diagonal are a point; four are two.",
            Lines::Runs => "A run of three or more of your marks in a line is a point.",
        };
        format!(
            "Two players put marks on a board of {} rows and {} columns, one at a time.\n\
             X begins. The match ends when the board is full, not with the first row.\n\
             {point}\n\
             The player with more points wins; equal points are a draw.\n\
             \n\
             A move is a square, its column and then its row: `b1` is the second square\n\
             of the top row.",
            self.rows, self.columns
        )
    }

    pub(super) fn tell_move(&self, happening: &Happening<'_, Self>) -> Told {
        let total = |board: &super::Board| self.points(board.x) + self.points(board.o);
        let mut text = self.write_action(happening.action);
        match total(happening.after).saturating_sub(total(happening.before)) {
            0 => {}
            1 => text.push_str(", a point"),
            more => text.push_str(&format!(", {more} points")),
        }
        Told { who: happening.actor, text }
    }
}
