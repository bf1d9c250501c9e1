//! Errors of the dynamic API.

use crate::play::outcome::Forfeit;
use crate::play::solve::Unsolved;
use crate::rules::seat::Seat;
use crate::text::notation::ReadError;
use crate::text::spec::SpecError;

/// Errors of the dynamic API. [`ApiError::kind`] sorts them by who can do something about them.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ApiError {
    /// A text was not understood.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// One of several moves was not understood, or is not legal where it stands.
    #[error("move {number} of those given")]
    Move {
        /// Which, from 1.
        number: usize,
        /// What is wrong with it.
        source: ReadError,
    },
    /// A spec was not understood.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The game has no such seat.
    #[error("{game} has no seat {seat}")]
    NoSuchSeat {
        /// The game's name.
        game: &'static str,
        /// The seat that was asked for.
        seat: Seat,
    },
    /// The game has one seat, so nobody can have the other.
    #[error("{game} has one seat, so there is no opponent")]
    NoOpponent {
        /// The game's name.
        game: &'static str,
    },
    /// There are fewer plies than were asked for.
    #[error("there are {found} plies, not {wanted}")]
    TooFewPlies {
        /// How many there are.
        found: usize,
        /// How many were asked for.
        wanted: usize,
    },
    /// A position leaves hidden things open, so nothing can be played from it.
    #[error(
        "a position of {game} leaves hidden things open, so nothing can be played from it; give all moves from the start"
    )]
    HiddenPosition {
        /// The game's name.
        game: &'static str,
    },
    /// Another seat is to move.
    #[error("seat {seat} is to move here")]
    OtherSeatToMove {
        /// Whose turn it is.
        seat: Seat,
    },
    /// Chance acts before any seat can.
    #[error("chance acts first")]
    ChanceFirst,
    /// The match is over.
    #[error("the game is over{}", after(*.plies))]
    Over {
        /// After how many plies, where they were counted.
        plies: Option<usize>,
    },
    /// No seat is to move in the position.
    #[error("no seat is to move here")]
    NobodyToMove,
    /// No agent sits in the seat.
    #[error("no agent sits in seat {seat}")]
    EmptySeat {
        /// Which seat.
        seat: Seat,
    },
    /// The agent of the seat is thinking elsewhere, so nothing can happen at the table.
    #[error("the agent in seat {seat} is thinking")]
    Thinking {
        /// Whose agent.
        seat: Seat,
    },
    /// An agent comes back to a table that it does not belong to, or that has gone on without it.
    #[error("the agent of seat {seat} does not belong to this position of the table")]
    ForeignThinker {
        /// Whose agent it would be.
        seat: Seat,
    },
    /// Nothing can be taken back where that would show what was not to be known.
    #[error("{game} hides things, so nothing can be taken back")]
    HiddenUndo {
        /// The game's name.
        game: &'static str,
    },
    /// Seats hide things from each other, so a position is not what a seat sees.
    #[error(
        "the seats of {game} hide things from each other, so positions cannot be listed: play matches instead"
    )]
    HiddenSeats {
        /// The game's name.
        game: &'static str,
    },
    /// There are too many positions to look at all of them.
    #[error("there are more than {limit} positions: play matches instead")]
    TooManyPositions {
        /// How many would be looked at.
        limit: usize,
    },
    /// The game has no exact solver.
    #[error("no exact solver for {game}")]
    NoSolver {
        /// The game's name.
        game: &'static str,
    },
    /// The game has no features of play.
    #[error("{game} has no features of play")]
    NoFeatures {
        /// The game's name.
        game: &'static str,
    },
    /// The game does not show its views as cells.
    #[error("{game} does not show its views as cells")]
    NoCells {
        /// The game's name.
        game: &'static str,
    },
    /// The game cannot imagine what a seat does not see.
    #[error("{game} cannot imagine what a seat does not see")]
    NoWorlds {
        /// The game's name.
        game: &'static str,
    },
    /// What chance may do would show what is hidden.
    #[error(
        "{game} hides things, and what chance may do would show them; use an imagined table, or a sandbox from the start"
    )]
    HiddenChances {
        /// The game's name.
        game: &'static str,
    },
    /// A number is not that of a legal action.
    #[error("number {number} is not legal here; numbers are 0 … {}, and a mask has those that are legal", .count - 1)]
    IllegalNumber {
        /// The number that was tried.
        number: usize,
        /// How many numbers the game has.
        count: usize,
    },
    /// An agent misbehaved.
    #[error(transparent)]
    Forfeit(#[from] Forfeit),
    /// There is no exact answer.
    #[error(transparent)]
    Unsolved(#[from] Unsolved),
}

fn after(plies: Option<usize>) -> String {
    plies.map(|plies| format!(" after {plies} plies")).unwrap_or_default()
}

/// What kind of error it is: a server maps these to status codes.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum ErrorKind {
    /// The request cannot be understood or names something that does not exist.
    BadRequest,
    /// The request is fine, but not at this moment: it is another seat's turn, or the match is over.
    Conflict,
    /// The game or the rules do not offer what is asked for.
    Unsupported,
    /// An agent misbehaved.
    AgentFault,
    /// The computation was cancelled.
    Cancelled,
}

impl ApiError {
    /// Returns what kind of error it is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            ApiError::Read(_)
            | ApiError::Move { .. }
            | ApiError::Spec(_)
            | ApiError::NoSuchSeat { .. }
            | ApiError::NoOpponent { .. }
            | ApiError::TooFewPlies { .. }
            | ApiError::IllegalNumber { .. }
            | ApiError::HiddenPosition { .. } => ErrorKind::BadRequest,
            ApiError::OtherSeatToMove { .. }
            | ApiError::ChanceFirst
            | ApiError::Over { .. }
            | ApiError::NobodyToMove
            | ApiError::EmptySeat { .. }
            | ApiError::Thinking { .. }
            | ApiError::ForeignThinker { .. }
            | ApiError::Unsolved(Unsolved::NoDecision(_)) => ErrorKind::Conflict,
            ApiError::HiddenUndo { .. }
            | ApiError::HiddenSeats { .. }
            | ApiError::TooManyPositions { .. }
            | ApiError::NoSolver { .. }
            | ApiError::NoFeatures { .. }
            | ApiError::NoCells { .. }
            | ApiError::NoWorlds { .. }
            | ApiError::HiddenChances { .. }
            | ApiError::Unsolved(Unsolved::OutOfReach(_)) => ErrorKind::Unsupported,
            ApiError::Forfeit(_) => ErrorKind::AgentFault,
            ApiError::Unsolved(Unsolved::Cancelled) => ErrorKind::Cancelled,
        }
    }
}
