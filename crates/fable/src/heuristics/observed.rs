//! The observed state: what is seen is the whole state.

use super::{Heuristic, Position, Reading};
use crate::board::{Board, Frame, Model};
use crate::evidence::EvidenceTable;

/// Evidence of the very same view.
pub struct Observed;

impl Heuristic for Observed {
    fn name(&self) -> &'static str {
        "observed"
    }

    fn summary(&self) -> &'static str {
        "the view is the state"
    }

    fn model(&self) -> Model {
        Model::Whole
    }

    fn effort(&self, _: &Board) -> u64 {
        1
    }

    fn readings(&self, position: &Position<'_>, _: &EvidenceTable, readings: &mut Vec<Reading>) {
        readings.push(Reading { state: position.key, frame: Frame::Whole });
    }
}
