//! How a match ends: by the rules, by a forfeit, or cancelled.

use std::fmt;
use std::panic::resume_unwind;

use crate::rules::game::Game;
use crate::rules::payoffs::Payoffs;
use crate::rules::seat::{BySeat, Seat};

/// Who did something.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Actor {
    /// A seat, by choice.
    Seat(Seat),
    /// Dealing, drawing, flipping.
    Chance,
}

/// What an agent did that ends the match against it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It answered with something that the rules do not allow; the text is its answer.
    Illegal(String),
    /// It panicked; the text is what it said.
    Panicked(String),
    /// It took longer than its clock allowed.
    Overran,
    /// Its program ended, sent nonsense or sent output without end; the text says which.
    ProgramFailed(String),
    /// A file that it reads while it plays is damaged or gone; the text says which and how.
    FileFailed(String),
}

impl Fault {
    /// Ends the call into an agent with this fault. For agents that notice their own failure, such as one whose
    /// program has ended; the stepper turns it into a forfeit.
    pub fn raise(self) -> ! {
        // Not a panic: no panic hook should print a back-trace for it.
        resume_unwind(Box::new(self))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Illegal(answer) => write!(f, "illegal action {answer}"),
            Fault::Panicked(words) => write!(f, "panicked: {words}"),
            Fault::Overran => write!(f, "ran out of time"),
            Fault::ProgramFailed(what) | Fault::FileFailed(what) => write!(f, "{what}"),
        }
    }
}

/// A seat that lost because its agent misbehaved.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("seat {seat} forfeits: {why}")]
pub struct Forfeit {
    /// Whose agent it was.
    pub seat: Seat,
    /// What it did.
    pub why: Fault,
}

impl Forfeit {
    /// Returns what everyone gets: the game's lowest payoff for the seat that forfeits, the highest for the other.
    #[must_use]
    pub fn payoffs<G: Game>(&self, game: &G) -> Payoffs {
        let range = game.range();
        Payoffs(BySeat::from_fn(|seat| match seat {
            seat if seat.0 >= game.seats() => 0.0,
            seat if seat == self.seat => range.low,
            _ => range.high,
        }))
    }
}

/// How a match ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// By the rules.
    Finished,
    /// A seat's agent misbehaved and lost.
    Forfeit(Forfeit),
    /// The match was cancelled. Payoffs mean nothing.
    Abandoned,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Finished => write!(f, "finished"),
            Ending::Forfeit(forfeit) => forfeit.fmt(f),
            Ending::Abandoned => write!(f, "abandoned"),
        }
    }
}

/// How a match came out.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// How it ended.
    pub ending: Ending,
    /// What everyone got. After a forfeit the guilty seat has the game's lowest payoff, the other the highest.
    pub payoffs: Payoffs,
    /// How many actions were carried out, those of chance included.
    pub plies: u32,
}
