//! Nearest neighbours: views that differ in one cell are similar.

use super::{Heuristic, Position, Reading};
use crate::board::{Board, Frame, Model};
use crate::evidence::EvidenceTable;

/// Evidence of the views that differ from this one in exactly one cell. It fills the gaps of the observed states and keeps no transitions of
/// its own.
pub struct Neighbour;

impl Heuristic for Neighbour {
    fn name(&self) -> &'static str {
        "neighbour"
    }

    fn summary(&self) -> &'static str {
        "views that differ in one cell are similar"
    }

    fn model(&self) -> Model {
        Model::Whole
    }

    fn discount(&self) -> f64 {
        0.5
    }

    fn effort(&self, board: &Board) -> u64 {
        (board.cells() * board.layout.symbols.len()) as u64
    }

    fn readings(&self, position: &Position<'_>, table: &EvidenceTable, readings: &mut Vec<Reading>) {
        let keys = position.board.keys(Model::Whole);
        let symbols = position.board.layout.symbols.len() as u8;
        for (cell, &symbol) in position.cells.iter().enumerate() {
            let without = position.key.wrapping_sub(keys.term(cell, symbol));
            for other in (0..symbols).filter(|&other| other != symbol) {
                let state = without.wrapping_add(keys.term(cell, other));
                if table.has_state(state) {
                    readings.push(Reading { state, frame: Frame::Whole });
                }
            }
        }
    }
}
