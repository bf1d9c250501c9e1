//! The game's name and keys.

use parlor_core::text::spec::full_form;
use parlor_core::{Entry, Key, Kind, Settings, Spec, SpecError};

use super::{First, MAX_CELLS, MAX_SIDE, Minesweeper, room};
use crate::board::bits::Word;

const SIDE: Kind = Kind::Whole { min: 1, max: MAX_SIDE as i64 };

/// Returns a fifth of the cells, rounded to the nearest whole number; at least 1.
fn usual_mines(cells: u16) -> u16 {
    ((cells + 2) / 5).max(1)
}

impl<W: Word> Entry for Minesweeper<W> {
    const NAME: &'static str = "minesweeper";
    const SUMMARY: &'static str =
        "open every cell that is not a mine; numbers count the mines next to a cell";
    const KEYS: &'static [Key] = &[
        Key { name: "rows", kind: SIDE, default: "3", help: "rows of the board" },
        Key {
            name: "columns",
            kind: SIDE,
            default: "3",
            help: "columns of the board; at most 512 cells in all",
        },
        Key {
            name: "mines",
            kind: Kind::Whole { min: 1, max: MAX_CELLS as i64 - 1 },
            default: "(20 % of the cells, rounded)",
            help: "mines on the board",
        },
        Key {
            name: "first",
            kind: Kind::Choice(&["any", "safe", "clear"]),
            default: "any",
            help: "the first click may hit a mine (any), never does (safe), or opens a 0 (clear)",
        },
    ];

    fn open(settings: &Settings) -> Result<Self, SpecError> {
        let first = match settings.text("first") {
            "safe" => First::Safe,
            "clear" => First::Clear,
            _ => First::Any,
        };
        let (rows, columns) = (settings.whole("rows") as u8, settings.whole("columns") as u8);
        let cells = u16::from(rows) * u16::from(columns);
        let fit = W::BITS.min(u32::from(MAX_CELLS));
        if u32::from(cells) > fit {
            let wrong = format!("{rows}×{columns} is {cells} cells, and at most {fit} fit");
            return Err(settings.together(wrong));
        }
        let mines = match settings.given("mines") {
            Some(_) => settings.whole("mines") as u16,
            None => usual_mines(cells),
        };
        Minesweeper::new(rows, columns, mines, first).ok_or_else(|| {
            let why = match first {
                First::Any => "one cell must be safe",
                First::Safe => "the first click is never a mine",
                First::Clear => "the first click and its neighbours are never mines",
            };
            let room = room(rows, columns, first);
            settings
                .together(format!("{rows}×{columns} has room for at most {room} mines, not {mines}: {why}"))
        })
    }

    fn spec(&self) -> Spec {
        let first = match self.first {
            First::Any => "any",
            First::Safe => "safe",
            First::Clear => "clear",
        };
        let values = [
            ("rows", self.rows.to_string()),
            ("columns", self.columns.to_string()),
            ("mines", self.mines.to_string()),
            ("first", first.to_owned()),
        ];
        full_form(Self::NAME, &values)
    }
}
