//! Turned and mirrored views: where something lies on the board does not matter, only how it lies.

use parlor_core::Symmetry;

use super::{Heuristic, Position, Reading};
use crate::board::{Board, Frame, Model};
use crate::evidence::EvidenceTable;

/// Evidence of the view in its four orientations (two, where the grid is not square).
pub struct Rotation;

/// Evidence of the view and its mirror images. Not in the source: the example of a heuristic that was added.
pub struct Reflection;

/// Adds a view as some symmetries show it; those that change the size of the grid are left out.
fn under(symmetries: &[Symmetry], position: &Position<'_>, readings: &mut Vec<Reading>) {
    readings.push(Reading { state: position.key, frame: Frame::Whole });
    for &symmetry in symmetries {
        if position.board.is_square() || !symmetry.swaps_sides() {
            let frame = Frame::Turned(symmetry);
            readings.push(Reading { state: position.board.state(frame, position.cells), frame });
        }
    }
}

impl Heuristic for Rotation {
    fn name(&self) -> &'static str {
        "rotation"
    }

    fn summary(&self) -> &'static str {
        "a view turned by 90°, 180° or 270° is the same"
    }

    fn model(&self) -> Model {
        Model::Whole
    }

    fn effort(&self, board: &Board) -> u64 {
        4 * board.cells() as u64
    }

    fn readings(&self, position: &Position<'_>, _: &EvidenceTable, readings: &mut Vec<Reading>) {
        under(&[Symmetry::Quarter, Symmetry::Half, Symmetry::ThreeQuarter], position, readings);
    }
}

impl Heuristic for Reflection {
    fn name(&self) -> &'static str {
        "reflection"
    }

    fn summary(&self) -> &'static str {
        "a mirrored view is the same"
    }

    fn model(&self) -> Model {
        Model::Whole
    }

    fn effort(&self, board: &Board) -> u64 {
        4 * board.cells() as u64
    }

    fn readings(&self, position: &Position<'_>, _: &EvidenceTable, readings: &mut Vec<Reading>) {
        under(
            &[Symmetry::Mirror, Symmetry::UpsideDown, Symmetry::Transpose, Symmetry::AntiTranspose],
            position,
            readings,
        );
    }
}
