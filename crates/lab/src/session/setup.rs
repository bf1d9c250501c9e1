//! Who sits at a table, and what can go wrong there.

use std::io;
use std::path::PathBuf;

use parlor_core::api::ApiError;
use parlor_core::files::saved::SavedEnding;
use parlor_core::{SpecError, TimeControl};

/// Who plays a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Occupant {
    /// A person, or a program that acts for one: a name.
    Person(String),
    /// An agent: its spec.
    Agent(String),
}

/// A session as it is asked for.
#[derive(Clone, PartialEq, Debug)]
pub struct SessionSetup {
    /// The seed of deals, draws and flips, and of the agents.
    pub seed: u64,
    /// The position it begins from, if not the start.
    pub position: Option<String>,
    /// Who plays each seat.
    pub seats: Vec<Occupant>,
    /// Everyone's time.
    pub time: TimeControl,
    /// Whether agents think on other seats' time.
    pub ponder: bool,
    /// A file that holds the game so far, written after every action.
    pub autosave: Option<PathBuf>,
}

/// Errors of sessions.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// An agent cannot be seated.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// What was asked for does not fit the game or the moment.
    #[error(transparent)]
    Api(#[from] ApiError),
    /// The number of players does not fit the game.
    #[error("{game} has {seats} seats, not {players}")]
    Seats {
        /// The game.
        game: &'static str,
        /// How many seats it has.
        seats: u8,
        /// How many players there were.
        players: usize,
    },
    /// The match is over already.
    #[error("the match is over")]
    Over,
    /// A match that has ended cannot be resumed.
    #[error("the match cannot be resumed: {0}")]
    Ended(SavedEnding),
    /// A move of a saved match is not possible.
    #[error("move {number} of the saved match")]
    Move {
        /// Which one, from 1.
        number: usize,
        /// What is wrong with it.
        #[source]
        cause: ApiError,
    },
    /// There is nothing to take back.
    #[error("there is nothing to take back")]
    NothingToUndo,
    /// A file cannot be written.
    #[error("{} cannot be written", path.display())]
    Write {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        #[source]
        cause: io::Error,
    },
}
