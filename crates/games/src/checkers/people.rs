//! The game for people at a table: rules in a few lines, and moves in words.

use parlor_core::{Actor, Happening, Notation, Told};

use super::{Checkers, Kings};
use crate::board::bits::Word;

/// Returns `a man`, `2 men`; nothing for none.
fn counted(number: u32, one: &str, many: &str) -> Option<String> {
    match number {
        0 => None,
        1 => Some(format!("a {one}")),
        number => Some(format!("{number} {many}")),
    }
}

impl<W: Word> Checkers<W> {
    pub(super) fn rules_text(&self) -> String {
        let optional = match self.options.kings {
            Kings::Must => "",
            Kings::May => " (not if only kings can jump)",
        };
        format!(
            "Red and white play on the dark squares of a board of {}×{}; red begins.\n\
             Men step one square diagonally forward. They take by jumping over a piece\n\
             of the other side to the empty square behind it, and jump on as long as\n\
             they can. Who can jump must jump{optional}.\n\
             A man that reaches the last row becomes a king, and its move ends there.\n\
             Kings step and jump forwards and backwards.\n\
             A side that cannot move has lost; {} plies without a capture or a step of a\n\
             man are a tie.\n\
             \n\
             A step is `c3-d4`, a jump `c3xe5`, two jumps `c3xe5xg7`. Squares in between\n\
             may be left out if only one move is meant.",
            self.rows, self.columns, self.limit
        )
    }

    pub(super) fn tell_move(&self, happening: &Happening<'_, Self>) -> Told {
        let mut text = self.write_action(happening.action);
        if let Actor::Seat(seat) = happening.actor {
            let (before, after) = (happening.before, happening.after);
            let lost = |count: fn(&super::Board<W>, parlor_core::Seat) -> W| {
                count(before, seat.other()).len() - count(after, seat.other()).len()
            };
            let taken = [
                counted(lost(super::Board::men), "man", "men"),
                counted(lost(super::Board::kings), "king", "kings"),
            ];
            let taken: Vec<String> = taken.into_iter().flatten().collect();
            if !taken.is_empty() {
                text.push_str(&format!(", takes {}", taken.join(" and ")));
            }
            if after.kings(seat).len() > before.kings(seat).len() {
                text.push_str(", becomes a king");
            }
        }
        Told { who: happening.actor, text }
    }
}
