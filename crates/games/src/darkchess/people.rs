//! The game for people at a table: rules in a few lines, and moves in words.

use parlor_core::{Actor, Happening, Notation, Seat, Told};

use super::board::{Board, Contents};
use super::pieces::Colour;
use super::{Action, DarkChess, Ending};

impl DarkChess {
    pub(super) fn rules_text(&self) -> String {
        format!(
            "32 pieces lie face down. In turn, a player turns one up, moves an own piece to\n\
             an empty square next to it, or takes a face-up piece of the other colour there.\n\
             The first piece that is turned up is the colour of who turned it up.\n\
             Capitals are red, small letters black. From the highest:\n\
             \u{20} K king, G guard, M minister, R rook, N knight, C cannon, P pawn\n\
             A piece takes pieces of its own rank and lower ones. But: a pawn takes the\n\
             king, and the king takes no pawns. A cannon takes anything by jumping along a\n\
             line over exactly one piece, and nothing next to it.\n\
             Who has no piece left or cannot act loses; {} plies without a capture or a\n\
             flip are a draw{}.\n\
             \n\
             `a6` turns up the piece on a6; `a8-a7` moves, or takes what stands on a7.",
            self.draw,
            match self.repetition {
                Some(times) => format!(", and so is a position that occurs {times} times"),
                None => String::new(),
            }
        )
    }

    /// Returns the colour of a seat; `None` before the first flip.
    pub(super) fn colour(board: &Board, seat: Seat) -> Option<Colour> {
        let red = board.red()?;
        Some(if red == seat { Colour::Red } else { Colour::Black })
    }

    pub(super) fn tell_move(&self, happening: &Happening<'_, Self>) -> Option<Told> {
        let before = happening.before;
        let piece = |square| match before.at(square) {
            Contents::Up(piece) => Some(piece),
            Contents::Empty | Contents::FaceDown => None,
        };
        match happening.action {
            // Its outcome is told.
            Action::Flip(_) => None,
            Action::Reveal(piece) => {
                let square = before.flipping()?;
                let name = format!("{} {}", piece.colour().name(), piece.kind().name());
                let text = format!("{square} is {}, a {name}", piece.letter());
                Some(Told { who: Actor::Seat(before.seat), text })
            }
            Action::Move(from, to) => {
                let mut text = self.write_action(happening.action);
                if let (Some(mover), Some(taken)) = (piece(from), piece(to)) {
                    text.push_str(&format!(", {} takes {}", mover.letter(), taken.letter()));
                }
                Some(Told { who: happening.actor, text })
            }
        }
    }

    /// Returns what was taken and how many plies were quiet, where there is any.
    pub(super) fn losses_and_quiet(&self, board: &Board) -> impl Iterator<Item = String> {
        let (taken, quiet) = (board.left().missing(), board.quiet_plies());
        let taken = (taken.total() > 0).then(|| format!("taken: {}", taken.letters()));
        let quiet = (quiet > 0).then(|| format!("quiet plies: {quiet} of {}", self.draw));
        taken.into_iter().chain(quiet)
    }

    pub(super) fn status_text(&self, board: &Board, seat: Seat) -> String {
        let mine = board.seat == seat;
        let mut parts = vec![match self.ending(board) {
            Some(Ending::Captured) if mine => "you have no piece left".to_owned(),
            Some(Ending::Captured) => "the other has no piece left".to_owned(),
            Some(Ending::Stuck) if mine => "you can do nothing".to_owned(),
            Some(Ending::Stuck) => "the other can do nothing".to_owned(),
            Some(Ending::Quiet) => format!("{} plies without flip or capture", self.draw),
            Some(Ending::Repetition) => "the position has occurred too often".to_owned(),
            None => match Self::colour(board, seat) {
                Some(colour) => format!("you are {}", colour.name()),
                None => "your first flip decides the colours".to_owned(),
            },
        }];
        if board.pool().total() > 0 {
            parts.push(format!("face down: {}", board.pool().letters()));
        }
        parts.extend(self.losses_and_quiet(board));
        parts.join("; ")
    }
}
