//! What a person at a table is shown: the board from their side, and what has happened in words.

use crate::play::outcome::Actor;
use crate::rules::game::Game;
use crate::rules::seat::Seat;
use crate::text::notation::Ink;

/// How a board is drawn for a person at the table.
#[derive(Copy, Clone, Debug)]
pub struct Sketch<'a, A> {
    /// The person's seat: its side of the board is at the bottom.
    pub seat: Seat,
    /// Characters and colours.
    pub ink: Ink,
    /// What the person has marked, such as the flags of minesweeper.
    pub marked: &'a [A],
}

/// Something that happened, as one seat saw it. Words about it can come from nothing else, so that nothing hidden gets into them.
#[derive(Copy, Clone, Debug)]
pub struct Happening<'a, G: Game> {
    /// The seat that reads it.
    pub seat: Seat,
    /// What it knew before.
    pub before: &'a G::View,
    /// Who acted.
    pub actor: Actor,
    /// What was done, as the seat saw it.
    pub action: G::Action,
    /// What the seat knows now.
    pub after: &'a G::View,
}

/// What happened, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// Whose doing it is to a person: a tile that chance gives to a seat is a draw of that seat.
    pub who: Actor,
    /// The words behind the name: `13@left, +10 for fives`, `drew a tile`.
    pub text: String,
}

/// A stage or a match that has ended: from now on everybody may know what was hidden in it.
#[derive(Copy, Clone, Debug)]
pub struct Ended<'a, G: Game> {
    /// The state before the last action.
    pub before: &'a G::State,
    /// What ended it.
    pub action: G::Action,
    /// The state after it, which may be that of the next stage already.
    pub after: &'a G::State,
}
