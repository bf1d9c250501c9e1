//! The game's name and keys.

use parlor_core::text::spec::full_form;
use parlor_core::{Entry, Key, Kind, Settings, Spec, SpecError};

use super::{Checkers, Kings, MAX_DRAW, MAX_SIDE, MIN_SIDE, Options, Unit};
use crate::board::bits::Word;

const SIDE: Kind = Kind::Whole { min: MIN_SIDE as i64, max: MAX_SIDE as i64 };

impl<W: Word> Entry for Checkers<W> {
    const NAME: &'static str = "checkers";
    const SUMMARY: &'static str = "American checkers: jumps are compulsory, a side that cannot move loses";
    const KEYS: &'static [Key] = &[
        Key { name: "rows", kind: SIDE, default: "8", help: "rows of the board, an even number" },
        Key { name: "columns", kind: SIDE, default: "8", help: "columns of the board, an even number" },
        Key {
            name: "draw",
            kind: Kind::Whole { min: 1, max: MAX_DRAW as i64 },
            default: "50",
            help: "number of moves without a capture or a man's advance that makes a tie",
        },
        Key {
            name: "unit",
            kind: Kind::Choice(&["plies", "pairs"]),
            default: "plies",
            help: "unit of `draw`: moves of one side, or pairs of moves",
        },
        Key {
            name: "kings",
            kind: Kind::Choice(&["must", "may"]),
            default: "must",
            help: "whether a jump is compulsory when only kings can jump",
        },
    ];

    fn open(settings: &Settings) -> Result<Self, SpecError> {
        let (rows, columns) = (settings.whole("rows") as u8, settings.whole("columns") as u8);
        for (name, side) in [("rows", rows), ("columns", columns)] {
            if !side.is_multiple_of(2) {
                let wrong =
                    format!("{name}={side} is odd; sides are even, such as {} or {}", side - 1, side + 1);
                return Err(settings.together(wrong));
            }
        }
        let options = Options {
            draw: settings.whole("draw") as u16,
            unit: if settings.text("unit") == "pairs" { Unit::Pairs } else { Unit::Plies },
            kings: if settings.text("kings") == "may" { Kings::May } else { Kings::Must },
        };
        Checkers::new(rows, columns, options).ok_or_else(|| {
            settings.together(format!("a board of {rows}×{columns} does not fit {} bits", W::BITS))
        })
    }

    fn spec(&self) -> Spec {
        let unit = match self.options.unit {
            Unit::Plies => "plies",
            Unit::Pairs => "pairs",
        };
        let kings = match self.options.kings {
            Kings::Must => "must",
            Kings::May => "may",
        };
        let values = [
            ("rows", self.rows.to_string()),
            ("columns", self.columns.to_string()),
            ("draw", self.options.draw.to_string()),
            ("unit", unit.to_owned()),
            ("kings", kings.to_owned()),
        ];
        full_form(Self::NAME, &values)
    }
}
