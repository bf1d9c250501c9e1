//! From what the player sees to a field that it may be.

use parlor_core::{Imagine, Rng};

use super::{Field, First, Layouts, Minesweeper, Stage, Standing, View};
use crate::board::bits::Word;

impl<W: Word> Imagine for Minesweeper<W> {
    /// Returns a field that `view` allows, each layout of the mines equally likely.
    ///
    /// Before all mines are laid, which the seat cannot see happen, it has none yet.
    ///
    /// # Panics
    /// If no layout agrees with the view. Views of fields and views that were read always have one.
    fn imagine(&self, view: &View<W>, rng: &mut Rng) -> Field<W> {
        let opened = view.opened();
        let unlaid = |stage| Field { mines: W::ZERO, opened, stage };
        let left = (self.cells() - self.mines).saturating_sub(opened.len() as u16);
        let stage = match view.standing() {
            Standing::Laying => return unlaid(Stage::Laying(self.mines)),
            Standing::ToMove if self.first != First::Any && opened.is_empty() => return unlaid(Stage::First),
            Standing::ToMove => Stage::Playing(left),
            Standing::Lost(cell) => Stage::Lost(cell),
            Standing::Won => Stage::Won,
        };
        let mines = Layouts::of(self, view).sample(rng).expect("a view of a field has a layout");
        Field { mines, opened, stage }
    }
}
