//! Locality: what matters for an action lies close to it.

use super::{Heuristic, Position, Reading};
use crate::board::{Board, Frame, Model};
use crate::evidence::EvidenceTable;

/// Evidence of every square window of one size that shows the action.
pub struct Locality {
    /// The length of a side.
    pub size: u16,
}

impl Heuristic for Locality {
    fn name(&self) -> &'static str {
        Model::Window(self.size).name()
    }

    fn family(&self) -> &'static str {
        "locality"
    }

    fn summary(&self) -> &'static str {
        match self.size {
            1 => "the cell of the action is the state",
            2 => "a 2×2 window around the action is the state",
            3 => "a 3×3 window around the action is the state",
            _ => "a 4×4 window around the action is the state",
        }
    }

    fn model(&self) -> Model {
        Model::Window(self.size)
    }

    fn discount(&self) -> f64 {
        f64::from(self.size) / 5.0
    }

    fn effort(&self, board: &Board) -> u64 {
        let mut windows = 0;
        board.frames(self.model(), |_| windows += 1);
        windows * u64::from(self.size * self.size)
    }

    fn readings(&self, position: &Position<'_>, table: &EvidenceTable, readings: &mut Vec<Reading>) {
        position.board.frames(self.model(), |frame: Frame| {
            let state = position.board.state(frame, position.cells);
            if table.has_state(state) {
                readings.push(Reading { state, frame });
            }
        });
    }
}
