//! Boards and cells as text: `###/#2#/###` with the mines left open, `b1` for the second cell of the top row, and
//! `mine:b3` for a mine that chance lays.

use parlor_core::text::notation::quoted;
use parlor_core::{Ended, Happening, Ink, Notation, Position, ReadError, Sketch, Told};
use serde::{Deserialize, Serialize};

use super::{Action, First, Layouts, Minesweeper, Status, View};
use crate::board::bits::Word;
use crate::board::grid;

/// Limit on the numbers stored when counting a board from outside (256 MB, about a second). Only artificially hard
/// boards exceed it.
const READ_LIMIT: usize = 1 << 25;

/// The JSON form of the player's view.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// Rows from the top; for each cell `#` (covered), its number `0` … `8`, `*` (the mine that exploded) or `?` (a
    /// first click while mines are laid).
    pub rows: Vec<String>,
    /// Number of mines on the board.
    pub mines: u16,
    /// Number of safe cells that are covered.
    pub to_open: u16,
    /// The seat to move, always 0; `null` while mines are laid and after the end.
    pub to_move: Option<u8>,
}

/// The cells of a board text.
struct Marks<W> {
    opened: W,
    numbers: [W; 4],
    exploded: W,
    waiting: W,
    /// Position of each cell in the text.
    places: Vec<usize>,
}

fn wrong(text: impl Into<String>) -> ReadError {
    ReadError::new("position", text)
}

impl<W: Word> Minesweeper<W> {
    /// Returns the name of a cell.
    #[must_use]
    pub fn square(&self, cell: u16) -> String {
        let columns = u16::from(self.columns);
        grid::write_square((cell % columns) as u8, (cell / columns) as u8)
    }

    fn read_cell(&self, text: &str) -> Result<u16, ReadError> {
        let (column, row) = grid::read_square("move", text, self.columns, self.rows)?;
        Ok(u16::from(row) * u16::from(self.columns) + u16::from(column))
    }

    pub(super) fn mark(&self, view: &View<W>, cell: u16) -> char {
        match view.number(cell) {
            Some(number) => char::from(b'0' + number),
            None if view.exploded() == Some(cell) => '*',
            None if view.opened().has(u32::from(cell)) => '?',
            None => '#',
        }
    }

    fn row_texts(&self, view: &View<W>) -> Vec<String> {
        let columns = u16::from(self.columns);
        let row = |row: u16| (0..columns).map(|column| self.mark(view, row * columns + column)).collect();
        (0..u16::from(self.rows)).map(row).collect()
    }

    /// Returns the number of safe cells that are covered.
    fn left_to_open(&self, view: &View<W>) -> u16 {
        let opened = if view.status() == Status::Laying { 0 } else { view.opened().len() as u16 };
        self.cells() - self.mines - opened
    }

    fn read_marks(&self, text: &str) -> Result<Marks<W>, ReadError> {
        let marks = grid::read_rows("position", text, self.rows, self.columns)?;
        let places = marks.iter().map(|&(at, _)| at).collect();
        let (opened, numbers) = (W::ZERO, [W::ZERO; 4]);
        let mut read = Marks { opened, numbers, exploded: W::ZERO, waiting: W::ZERO, places };
        for (cell, (at, mark)) in marks.into_iter().enumerate() {
            let bit = W::bit(cell as u32);
            match mark {
                '#' => {}
                '0'..='8' => {
                    read.opened |= bit;
                    let number = mark as u8 - b'0';
                    for (_, plane) in
                        read.numbers.iter_mut().enumerate().filter(|(p, _)| number >> p & 1 == 1)
                    {
                        *plane |= bit;
                    }
                }
                '*' => read.exploded |= bit,
                '?' => read.waiting |= bit,
                other => {
                    return Err(wrong(format!("`{}` is not a cell", other.escape_debug()))
                        .at(at)
                        .hint("cells are `#`, `0` … `8` or `*`"));
                }
            }
        }
        Ok(read)
    }

    /// Returns the view while mines are being laid.
    fn laying_view(&self, marks: &Marks<W>) -> Result<View<W>, ReadError> {
        let clicks = u32::from(self.first != First::Any);
        if !(marks.opened | marks.exploded).is_empty() || marks.waiting.len() != clicks {
            return Err(ReadError::new("view", "no seat is to move, but the match is not over").hint(
                if clicks == 0 {
                    "while mines are laid, every cell is `#`"
                } else {
                    "while mines are laid, the first click is `?` and every other cell is `#`"
                },
            ));
        }
        Ok(View::new(marks.waiting, marks.numbers, Status::Laying))
    }

    /// Returns the view that a board shows, after checking that some layout of the mines leads to it.
    fn settled_view(&self, marks: &Marks<W>) -> Result<View<W>, ReadError> {
        let place = |cells: W| marks.places[cells.lowest() as usize];
        if !marks.waiting.is_empty() {
            return Err(wrong("`?` is not a cell")
                .at(place(marks.waiting))
                .hint("cells are `#`, `0` … `8` or `*`; only the JSON of a view has pending clicks"));
        }
        let safe = self.cells() - self.mines;
        let open = marks.opened.len() as u16;
        if marks.exploded.len() > 1 {
            return Err(wrong("more than one mine has exploded")
                .at(place(marks.exploded.without_lowest()))
                .hint("the first one ends the match"));
        }
        if open > safe || (open == safe && !marks.exploded.is_empty()) {
            let cells = self.cells();
            let clicked = if open > safe { "" } else { " and a mine was clicked" };
            return Err(wrong(format!("{open} cells are open{clicked}"))
                .hint(format!("{safe} of the {cells} cells are safe, and opening them all wins")));
        }
        let status = match marks.exploded.cells().next() {
            Some(cell) => Status::Lost(cell as u16),
            None if open == safe => Status::Won,
            None => Status::ToMove,
        };
        let view = View::new(marks.opened, marks.numbers, status);
        self.check_first_click(&view)?;
        self.check_numbers(&view, marks)?;
        let layouts = Layouts::within(self, &view, READ_LIMIT).ok_or_else(|| {
            wrong("too complex to check whether its numbers are consistent")
                .hint("boards with fewer open cells that share covered neighbours can be read")
        })?;
        if layouts.total() == 0.0 {
            return Err(wrong(format!("no layout of {} agrees with the numbers", self.mines_text()))
                .hint("a number counts the mines among its up to eight neighbours"));
        }
        Ok(view)
    }

    /// Checks that the first click's rule allows the board.
    fn check_first_click(&self, view: &View<W>) -> Result<(), ReadError> {
        let untouched = view.opened().is_empty() && view.exploded().is_none();
        let wrong_first = match self.first {
            First::Any => false,
            First::Safe => view.opened().is_empty(),
            First::Clear => view.zeros().is_empty(),
        };
        if untouched || !wrong_first {
            return Ok(());
        }
        Err(if self.first == First::Safe {
            wrong("the first click has exploded").hint("with first=safe it is never a mine")
        } else {
            wrong("no cell shows a 0").hint("with first=clear the first click opens one")
        })
    }

    /// Checks each number on its own.
    fn check_numbers(&self, view: &View<W>, marks: &Marks<W>) -> Result<(), ReadError> {
        for cell in view.opened().cells() {
            let number = u32::from(view.number(cell as u16).unwrap_or(0));
            let at = marks.places[cell as usize];
            let name = self.square(cell as u16);
            let shut = self.neighbours(cell as u16) & !view.opened();
            if number == 0 && !shut.is_empty() {
                let other = self.square(shut.lowest() as u16);
                return Err(wrong(format!("{name} is 0, but its neighbour {other} is not open"))
                    .at(at)
                    .hint("a 0 opens all its neighbours"));
            }
            if number > shut.len() {
                let shut = shut.len();
                return Err(wrong(format!(
                    "{name} is {number}, but only {shut} of its neighbours can be mines"
                ))
                .at(at)
                .hint("a number counts the mines among its neighbours"));
            }
        }
        Ok(())
    }

    pub(super) fn mines_text(&self) -> String {
        format!("{} mine{}", self.mines, if self.mines == 1 { "" } else { "s" })
    }
}

impl<W: Word> Notation for Minesweeper<W> {
    type Sheet = Sheet;

    fn sheet(&self, view: &View<W>) -> Sheet {
        Sheet {
            rows: self.row_texts(view),
            mines: self.mines,
            to_open: self.left_to_open(view),
            to_move: (view.status() == Status::ToMove).then_some(0),
        }
    }

    fn read_view(&self, sheet: &Sheet) -> Result<View<W>, ReadError> {
        let marks = self.read_marks(&sheet.rows.join("/"))?;
        let over = !marks.exploded.is_empty() || marks.opened.len() as u16 >= self.cells() - self.mines;
        let view = if sheet.to_move.is_some() || over {
            self.settled_view(&marks)?
        } else {
            self.laying_view(&marks)?
        };
        if self.sheet(&view) != *sheet {
            return Err(ReadError::new("view", "`rows`, `mines`, `to_open` and `to_move` are inconsistent")
                .hint(format!("the board has {}", self.mines_text())));
        }
        Ok(view)
    }

    fn write_action(&self, action: Action) -> String {
        match action {
            Action::Click(cell) => self.square(cell),
            Action::Mine(cell) => format!("mine:{}", self.square(cell)),
        }
    }

    fn read_action(&self, text: &str) -> Result<Action, ReadError> {
        match text.strip_prefix("mine:") {
            Some(square) => self.read_cell(square).map(Action::Mine),
            None => self.read_cell(text).map(Action::Click),
        }
    }

    fn view_actions(&self, view: &View<W>) -> Vec<Action> {
        if view.status() != Status::ToMove {
            return Vec::new();
        }
        (self.board & !view.opened()).cells().map(|cell| Action::Click(cell as u16)).collect()
    }

    fn read_position(&self, text: &str) -> Result<Position<Self>, ReadError> {
        let view = self.read_marks(text).and_then(|marks| self.settled_view(&marks));
        view.map(Position::View).map_err(|error| match error.hint {
            Some(_) => error,
            None => {
                let fresh = View::untouched();
                error.hint(format!("a position looks like {}", quoted(&self.row_texts(&fresh).join("/"))))
            }
        })
    }

    fn write_position(&self, view: &View<W>) -> Option<String> {
        (view.status() != Status::Laying).then(|| self.row_texts(view).join("/"))
    }

    fn draw(&self, view: &View<W>, ink: Ink) -> String {
        self.draw_with(view, ink, |_| None)
    }

    fn draw_for(&self, view: &View<W>, sketch: &Sketch<'_, Action>) -> String {
        let ink = sketch.ink;
        let flag = |cell| {
            sketch.marked.contains(&Action::Click(cell)).then(|| ink.paint("1;33", ink.pick("⚑", "F")))
        };
        self.draw_with(view, ink, flag)
    }

    fn rules(&self) -> String {
        self.rules_text()
    }

    fn tell(&self, happening: &Happening<'_, Self>) -> Option<Told> {
        Some(self.tell_click(happening))
    }

    fn reveal(&self, ended: &Ended<'_, Self>, sketch: &Sketch<'_, Action>) -> Option<String> {
        self.reveal_mines(ended, sketch)
    }

    fn markable(&self, view: &View<W>) -> Vec<Action> {
        self.view_actions(view)
    }

    fn status(&self, view: &View<W>) -> String {
        let rest = format!("{} to open, {}", self.left_to_open(view), self.mines_text());
        match view.status() {
            Status::ToMove => rest,
            Status::Laying => format!("mines are being laid, {rest}"),
            Status::Lost(cell) => format!("lost, {} was a mine, {rest}", self.square(cell)),
            Status::Won => format!("won, {rest}"),
        }
    }
}
