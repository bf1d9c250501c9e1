//! The game for people at a table: rules in a few lines, flags, and the mines at the end.

use parlor_core::{Ended, Happening, Ink, Notation, Sketch, Told};

use super::{Action, Field, First, Minesweeper, Stage, Status, View};
use crate::board::bits::Word;
use crate::board::grid;

impl<W: Word> Minesweeper<W> {
    pub(super) fn rules_text(&self) -> String {
        let first = match self.first {
            First::Any => "The first click may hit a mine, too.",
            First::Safe => "The first click never hits a mine.",
            First::Clear => "The first click never hits a mine, nor has it one beside it.",
        };
        format!(
            "{} lie under the {} cells of the board.\n\
             Open every other cell. Who opens a mine has lost.\n\
             An open cell shows how many of its up to eight neighbours are mines; a dot\n\
             is a cell without any, and opens its neighbours by itself.\n\
             {first}\n\
             \n\
             `c2` opens the third cell of the second row from the top; `a1 b1 c2` opens\n\
             several, one after the other. `flag c2` marks a cell that you take for a mine\n\
             and keeps you from opening it; `flag c2` again takes the flag away.",
            self.mines_text(),
            self.cells()
        )
    }

    pub(super) fn tell_click(&self, happening: &Happening<'_, Self>) -> Told {
        let mut text = self.write_action(happening.action);
        let opened = happening.after.opened().len().saturating_sub(happening.before.opened().len());
        if matches!(happening.after.status(), Status::Lost(_)) {
            text.push_str(", a mine");
        } else if opened > 1 {
            text.push_str(&format!(", opened {opened} cells"));
        }
        Told { who: happening.actor, text }
    }

    pub(super) fn reveal_mines(
        &self,
        ended: &Ended<'_, Self>,
        sketch: &Sketch<'_, Action>,
    ) -> Option<String> {
        let field: &Field<W> = ended.after;
        if !matches!(field.stage, Stage::Lost(_) | Stage::Won) {
            return None;
        }
        let view = parlor_core::Game::view(self, field, sketch.seat);
        let mine = |cell: u16| field.mines.has(u32::from(cell)) && view.exploded() != Some(cell);
        let ink = sketch.ink;
        let drawing =
            self.draw_with(&view, ink, |cell| mine(cell).then(|| ink.paint("31", ink.pick("✹", "@"))));
        Some(format!("{drawing}{}\n", self.status(&view)))
    }

    /// Draws a view; `over` returns what is drawn instead of a covered cell.
    pub(super) fn draw_with(&self, view: &View<W>, ink: Ink, over: impl Fn(u16) -> Option<String>) -> String {
        // The classic colours, approximated in terminal colours; 0 is the index.
        const NUMBERS: [&str; 9] = ["90", "94", "32", "91", "34", "31", "36", "35", "37"];
        grid::draw(self.columns, self.rows, grid::RowLabels::FromTop, ink, |column, row| {
            let cell = u16::from(row) * u16::from(self.columns) + u16::from(column);
            match self.mark(view, cell) {
                '#' => over(cell).unwrap_or_else(|| ink.paint("90", ink.pick("■", "#"))),
                '0' => ink.paint(NUMBERS[0], ink.pick("·", ".")),
                '*' => ink.paint("1;97;41", "*"),
                '?' => ink.paint("1", "?"),
                digit => ink.paint(NUMBERS[usize::from(digit as u8 - b'0')], &digit.to_string()),
            }
        })
    }
}
