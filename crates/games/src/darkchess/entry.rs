//! The game's name and keys.

use parlor_core::text::spec::full_form;
use parlor_core::{Entry, Key, Kind, Settings, Spec, SpecError};

use super::{DarkChess, MAX_QUIET, MAX_REPETITION};

impl Entry for DarkChess {
    const NAME: &'static str = "darkchess";
    const SUMMARY: &'static str =
        "Chinese dark chess on 4×8: turn up, move and capture; a side that cannot act loses";
    const KEYS: &'static [Key] = &[
        Key {
            name: "draw",
            kind: Kind::Whole { min: 1, max: MAX_QUIET as i64 },
            default: "180",
            help: "number of plies without flip or capture that makes a draw",
        },
        Key {
            name: "repetition",
            kind: Kind::WholeOrNone { min: 2, max: MAX_REPETITION as i64 },
            default: "3",
            help: "number of occurrences of a position that makes a draw",
        },
    ];
    const JOIN_CHANCE: bool = true;

    fn open(settings: &Settings) -> Result<Self, SpecError> {
        let repetition = settings.whole_or_none("repetition").map(|n| n as u8);
        DarkChess::new(settings.whole("draw") as u8, repetition)
            .ok_or_else(|| settings.together("the draw rules do not fit"))
    }

    fn spec(&self) -> Spec {
        let repetition = self.repetition.map_or_else(|| "none".to_owned(), |n| n.to_string());
        full_form(Self::NAME, &[("draw", self.draw.to_string()), ("repetition", repetition)])
    }
}
