//! The game's name and keys.

use parlor_core::text::spec::full_form;
use parlor_core::{Entry, Key, Kind, Settings, Spec, SpecError};

use super::{Lines, MAX_SIDE, TicTacToe};

const SIDE: Kind = Kind::Whole { min: 1, max: MAX_SIDE as i64 };

impl Entry for TicTacToe {
    const NAME: &'static str = "tictactoe";
    const SUMMARY: &'static str = "fill the board; a point for every three in a row, most points win";
    const KEYS: &'static [Key] = &[
        Key { name: "rows", kind: SIDE, default: "3", help: "rows of the board" },
        Key { name: "columns", kind: SIDE, default: "3", help: "columns of the board" },
        Key {
            name: "lines",
            kind: Kind::Choice(&["windows", "runs"]),
            default: "windows",
            help: "what is a point: every window of three, or every longest run of three or more once",
        },
    ];

    fn open(settings: &Settings) -> Result<Self, SpecError> {
        let lines = if settings.text("lines") == "runs" { Lines::Runs } else { Lines::Windows };
        TicTacToe::new(settings.whole("rows") as u8, settings.whole("columns") as u8, lines)
            .ok_or_else(|| settings.together("the board does not fit"))
    }

    fn spec(&self) -> Spec {
        let lines = match self.lines {
            Lines::Windows => "windows",
            Lines::Runs => "runs",
        };
        let values = [
            ("rows", self.rows.to_string()),
            ("columns", self.columns.to_string()),
            ("lines", lines.to_owned()),
        ];
        full_form(Self::NAME, &values)
    }
}
