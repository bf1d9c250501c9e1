//! The game's name and keys.

use parlor_core::text::spec::full_form;
use parlor_core::{Entry, Key, Kind, Settings, Spec, SpecError};

use super::{Connect, MAX_CELLS, MAX_WIDTH, Misfit, bits};
use crate::board::bits::Word;

impl<W: Word> Entry for Connect<W> {
    const NAME: &'static str = "connect";
    const SUMMARY: &'static str = "drop discs into columns; the first row of four (or any number) wins";
    const KEYS: &'static [Key] = &[
        Key {
            name: "width",
            kind: Kind::Whole { min: 1, max: MAX_WIDTH as i64 },
            default: "11",
            help: "columns of the board",
        },
        Key {
            name: "height",
            kind: Kind::Whole { min: 1, max: MAX_CELLS as i64 },
            default: "10",
            help: "rows of the board; width × height is at most 128",
        },
        Key {
            name: "row",
            kind: Kind::Whole { min: 2, max: MAX_CELLS as i64 },
            default: "4",
            help: "number of discs in a line that wins; at most the length of the longer side",
        },
    ];

    fn open(settings: &Settings) -> Result<Self, SpecError> {
        let [width, height, row] = ["width", "height", "row"].map(|key| settings.whole(key) as u8);
        Connect::new(width, height, row).map_err(|misfit| {
            settings.together(match misfit {
                Misfit::Side => format!("{width} × {height} is not a board"),
                Misfit::Cells => {
                    let cells = u32::from(width) * u32::from(height);
                    format!("{width} × {height} are {cells} cells; a board has at most {MAX_CELLS}")
                }
                Misfit::Row if width.max(height) < 2 => {
                    "a board of one cell has no room for any row; a side must be 2 or longer".to_owned()
                }
                Misfit::Row => {
                    let longer = width.max(height);
                    format!(
                        "row={row} does not fit a board of {width} × {height}; it takes 2 … {longer} there"
                    )
                }
                Misfit::Word => {
                    let needed = bits(width, height);
                    format!("{width} × {height} needs a word of {needed} bits; this one has {}", W::BITS)
                }
            })
        })
    }

    fn spec(&self) -> Spec {
        let values = [("width", self.width), ("height", self.height), ("row", self.row)];
        full_form(Self::NAME, &values.map(|(key, value)| (key, value.to_string())))
    }
}
