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

/// What stands between a fault and the last lines of the program's standard error, in texts.
const STDERR_MARK: &str = " (stderr: ";

/// How the text of an illegal action begins.
const ILLEGAL: &str = "illegal action";

/// How the text of a panic begins.
const PANICKED: &str = "panicked";

/// What an agent did that ends the match against it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It answered with something that the rules do not allow; the text is its answer.
    Illegal(String),
    /// It panicked; the text is what it said.
    Panicked(String),
    /// It took longer than its clock allowed.
    Overran,
    /// The person in the seat resigned.
    Resigned,
    /// Its program ended, sent nonsense or sent output without end; the text says which.
    ProgramFailed(String),
    /// A file that it reads while it plays is damaged or gone; the text says which and how.
    FileFailed(String),
    /// One of the other faults, of a program that had written to its standard error.
    WithStderr {
        /// What it did.
        fault: Box<Fault>,
        /// The last lines of its standard error, as one line.
        stderr: String,
    },
}

impl std::error::Error for Fault {}

impl Fault {
    /// Returns the fault with the last lines of the program's standard error, if there are any. Control characters are left out:
    /// the text is shown on terminals.
    #[must_use]
    pub fn with_stderr(self, lines: &[String]) -> Fault {
        let lines = lines.iter().map(|line| line.replace(char::is_control, " "));
        let lines: Vec<String> =
            lines.map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect();
        if lines.is_empty() {
            return self;
        }
        Fault::WithStderr { fault: Box::new(self), stderr: lines.join(" | ") }
    }

    /// Returns the reason for a forfeit from its text in a saved game, without what differs from game to game: the illegal action,
    /// the message of a panic, the program's standard error.
    #[must_use]
    pub fn reason(text: &str) -> &str {
        let fault = text.split_once(STDERR_MARK).map_or(text, |(fault, _)| fault);
        [ILLEGAL, PANICKED].into_iter().find(|&reason| fault.starts_with(reason)).unwrap_or(fault)
    }

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
            Fault::Illegal(answer) => write!(f, "{ILLEGAL} {answer}"),
            Fault::Panicked(words) => write!(f, "{PANICKED}: {words}"),
            Fault::Overran => write!(f, "ran out of time"),
            Fault::Resigned => write!(f, "resigned"),
            Fault::ProgramFailed(what) | Fault::FileFailed(what) => write!(f, "{what}"),
            Fault::WithStderr { fault, stderr } => write!(f, "{fault}{STDERR_MARK}{stderr})"),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stderr_is_a_part_of_the_text_that_can_be_taken_off() {
        let lines = ["Traceback:".to_owned(), String::new(), "  \x1b[31mValueError\t(3)".to_owned()];
        let fault = Fault::Overran.with_stderr(&lines);
        let text = fault.to_string();
        assert_eq!(text, "ran out of time (stderr: Traceback: | [31mValueError (3))");
        assert_eq!(Fault::reason(&text), "ran out of time");
        assert_eq!(Fault::Overran.with_stderr(&[" ".to_owned()]), Fault::Overran);
    }

    #[test]
    fn reasons_leave_out_what_differs() {
        let reason = |fault: Fault| Fault::reason(&fault.to_string()).to_owned();
        assert_eq!(reason(Fault::Illegal("`z9`".to_owned())), "illegal action");
        assert_eq!(reason(Fault::Panicked("at 3".to_owned())), "panicked");
        assert_eq!(reason(Fault::Overran), "ran out of time");
        assert_eq!(reason(Fault::ProgramFailed("gone".to_owned()).with_stderr(&["x".to_owned()])), "gone");
    }
}
