//! Fields that agree with the player's view.

use parlor_core::{Imagine, Rng};

use super::{Field, First, Layouts, Minesweeper, Stage, Status, View};
use crate::board::bits::Word;

impl<W: Word> Imagine for Minesweeper<W> {
    /// Returns a field that agrees with `view`, each layout of the mines equally likely.
    ///
    /// While mines are being laid, which the seat cannot observe, the field has no mines yet.
    ///
    /// # Panics
    /// If no layout agrees with the view. Views of fields and views from `read_view` always have one.
    fn imagine(&self, view: &View<W>, rng: &mut Rng) -> Field<W> {
        let opened = view.opened();
        let unlaid = |stage| Field { mines: W::ZERO, opened, stage };
        let left = (self.cells() - self.mines).saturating_sub(opened.len() as u16);
        let stage = match view.status() {
            Status::Laying => return unlaid(Stage::Laying(self.mines)),
            Status::ToMove if self.first != First::Any && opened.is_empty() => return unlaid(Stage::First),
            Status::ToMove => Stage::Playing(left),
            Status::Lost(cell) => Stage::Lost(cell),
            Status::Won => Stage::Won,
        };
        let mines = Layouts::of(self, view).sample(rng).expect("a view of a field has a layout");
        Field { mines, opened, stage }
    }
}
