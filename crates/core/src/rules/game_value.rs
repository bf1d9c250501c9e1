//! What a position is worth with best play.

use serde::Serialize;

/// How a position ends with best play, from the side of the seat to move.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GameValue {
    /// The seat to move loses.
    Lost,
    /// Neither side wins.
    Drawn,
    /// The seat to move wins.
    Won,
}

impl GameValue {
    /// Returns the same from the other side.
    #[must_use]
    pub const fn turned(self) -> GameValue {
        match self {
            GameValue::Lost => GameValue::Won,
            GameValue::Drawn => GameValue::Drawn,
            GameValue::Won => GameValue::Lost,
        }
    }

    /// Returns the points of a game: 1, ½, 0.
    #[must_use]
    pub const fn score(self) -> f64 {
        match self {
            GameValue::Lost => 0.0,
            GameValue::Drawn => 0.5,
            GameValue::Won => 1.0,
        }
    }
}
