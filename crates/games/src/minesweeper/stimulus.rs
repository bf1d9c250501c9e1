//! Codes of views for the collective learner.
//!
//! The cells that a click opens are chance, so a respondent contains the click and not its result.

use parlor_core::{CodecInfo, Stimulus, no_such_codec};

use super::view::View;
use super::{Action, Minesweeper};
use crate::board::bits::Word;
use crate::codes::digits::{digits, powers, width};

/// The content of a code.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Codec {
    /// The whole board, a digit per cell: `COVERED`, 1 + its number, or `CLICKED`.
    Board,
    /// A stimulant contains only whether any cell is open. A respondent contains the cells within `reach` of the
    /// click, as the smallest code over the eight rotations and reflections.
    ///
    /// ```text
    ///   bits  1 … 0   0 nothing is open, 1 something is, 2 a click; then 4 bits a cell, row by row, the lowest first
    /// ```
    Window {
        /// 1 for 3×3 cells, 2 for 5×5.
        reach: u8,
    },
}

/// The digit of a covered cell. Opened ones have their number plus one.
const COVERED: u8 = 0;
/// The digit of a cell that has been clicked and shows no number yet.
const CLICKED: u8 = 10;
/// The digit of a place beyond the edge, in windows only.
const BEYOND: u8 = 11;

/// Number of possible digits of a cell of the whole board.
const BASE: u128 = 11;
/// The largest number of cells of a whole board that fits: 11³⁷ < 2¹²⁸ < 11³⁸.
const MAX_CELLS_IN_CODE: usize = 37;
const POWERS: [u128; MAX_CELLS_IN_CODE] = powers(BASE);

/// The two lowest bits of a window's code.
const TAG_BITS: u32 = 2;
const NOTHING_OPEN: u128 = 0;
const SOMETHING_OPEN: u128 = 1;
const CLICK: u128 = 2;

/// The largest number of cells around the middle of a window.
const MAX_AROUND: usize = 24;

/// Returns the number of cells around the middle of a window.
const fn around(reach: u8) -> usize {
    let side = 2 * reach as usize + 1;
    side * side - 1
}

/// The cells of the 5×5 window, row by row; the middle is 12.
const MIDDLE: i16 = 12;

/// `TURNED[reach - 1][symmetry]` are the cells around the middle, row by row, after a rotation or reflection of the
/// window, as cells of the 5×5 window for either reach.
const TURNED: [[[u8; MAX_AROUND]; 8]; 2] = [turned(1), turned(2)];

const fn turned(reach: i16) -> [[u8; MAX_AROUND]; 8] {
    let mut all = [[0; MAX_AROUND]; 8];
    let mut way = 0;
    while way < 8 {
        let (mut row, mut n) = (-reach, 0);
        while row <= reach {
            let mut column = -reach;
            while column <= reach {
                let (down, right) = if way & 1 == 0 { (row, column) } else { (column, row) };
                let down = if way & 2 == 0 { down } else { -down };
                let right = if way & 4 == 0 { right } else { -right };
                if row != 0 || column != 0 {
                    all[way][n] = (MIDDLE + 5 * down + right) as u8;
                    n += 1;
                }
                column += 1;
            }
            row += 1;
        }
        way += 1;
    }
    all
}

impl<W: Word> Minesweeper<W> {
    fn digit(&self, view: &View<W>, cell: u16) -> u8 {
        match view.number(cell) {
            Some(number) => 1 + number,
            None if view.opened().has(u32::from(cell)) => CLICKED,
            None => COVERED,
        }
    }

    fn whole(&self, view: &View<W>) -> u128 {
        let opened = view.opened().cells();
        opened.map(|cell| u128::from(self.digit(view, cell as u16)) * POWERS[cell as usize]).sum()
    }

    fn window(&self, view: &View<W>, cell: u16, reach: u8) -> u128 {
        let columns = i16::from(self.columns);
        let (row, column) = (cell as i16 / columns, cell as i16 % columns);
        let ways = &TURNED[usize::from(reach) - 1];
        let mut seen = [BEYOND; 32];
        for &place in &ways[0][..around(reach)] {
            let place = i16::from(place);
            let (row, column) = (row + place / 5 - 2, column + place % 5 - 2);
            if (0..i16::from(self.rows)).contains(&row) && (0..columns).contains(&column) {
                seen[place as usize] = self.digit(view, (row * columns + column) as u16);
            }
        }
        let code = |way: &[u8; MAX_AROUND]| {
            let cells = way[..around(reach)].iter().rev();
            cells.fold(0, |code, &place| code << 4 | u128::from(seen[usize::from(place & 31)]))
        };
        let smallest = ways.iter().map(code).min().unwrap_or(0);
        smallest << TAG_BITS | CLICK
    }

    /// Returns the rows of a board or a window with `/` between them.
    fn rows_in_words(columns: usize, marks: impl Iterator<Item = char>) -> String {
        let marks: Vec<char> = marks.collect();
        let rows: Vec<String> = marks.chunks(columns).map(|row| row.iter().collect()).collect();
        rows.join("/")
    }
}

/// Returns the character of a digit: `#` covered, its number, `?` clicked, `-` beyond the edge.
fn mark(digit: u8) -> char {
    match digit {
        COVERED => '#',
        1..=9 => char::from(b'0' + digit - 1),
        CLICKED => '?',
        _ => '-',
    }
}

impl<W: Word> Stimulus for Minesweeper<W> {
    type Codec = Codec;

    const CODECS: &'static [CodecInfo] = &[
        CodecInfo { name: "board", summary: "the whole board as it is seen, and what is clicked" },
        CodecInfo { name: "window3", summary: "the 3×3 cells around a click, turned and mirrored alike" },
        CodecInfo { name: "window5", summary: "the 5×5 cells around a click, turned and mirrored alike" },
    ];

    fn codec(&self, name: &str) -> Result<Codec, String> {
        match name {
            "board" if usize::from(self.cells()) <= MAX_CELLS_IN_CODE => Ok(Codec::Board),
            "board" => Err(format!(
                "a code has room for {MAX_CELLS_IN_CODE} cells, and {}×{} are {}; take `window3` or `window5`",
                self.rows,
                self.columns,
                self.cells()
            )),
            "window3" => Ok(Codec::Window { reach: 1 }),
            "window5" => Ok(Codec::Window { reach: 2 }),
            _ => Err(no_such_codec(name, Self::CODECS)),
        }
    }

    fn meaning(&self, codec: Codec) -> String {
        match codec {
            Codec::Board => format!("{codec:?} {}×{}", self.rows, self.columns),
            // The cells around a click mean the same on every board.
            Codec::Window { .. } => format!("{codec:?}"),
        }
    }

    fn width(&self, codec: Codec) -> u32 {
        match codec {
            Codec::Board => {
                width(BASE, u32::from(self.cells())).expect("larger boards have no codec of this kind")
            }
            Codec::Window { reach } => TAG_BITS + 4 * around(reach) as u32,
        }
    }

    #[inline]
    fn stimulant(&self, codec: Codec, view: &View<W>) -> u128 {
        match codec {
            Codec::Board => self.whole(view),
            Codec::Window { .. } if view.opened().is_empty() => NOTHING_OPEN,
            Codec::Window { .. } => SOMETHING_OPEN,
        }
    }

    #[inline]
    fn respondent(&self, codec: Codec, view: &View<W>, action: Action) -> u128 {
        match (codec, action) {
            (Codec::Board, Action::Click(cell)) => {
                self.whole(view) + u128::from(CLICKED) * POWERS[usize::from(cell)]
            }
            (Codec::Window { reach }, Action::Click(cell)) => self.window(view, cell, reach),
            // Laying mines is not a choice of the player and not visible.
            (_, Action::Mine(_)) => self.stimulant(codec, view),
        }
    }

    fn in_words(&self, codec: Codec, code: u128) -> String {
        match codec {
            Codec::Board => {
                let cells = digits(code, BASE).take(usize::from(self.cells()));
                Self::rows_in_words(usize::from(self.columns), cells.map(|digit| mark(digit as u8)))
            }
            Codec::Window { reach } => match code & u128::first(TAG_BITS) {
                NOTHING_OPEN => "nothing is open".to_owned(),
                SOMETHING_OPEN => "something is open".to_owned(),
                _ => {
                    let mut marks: Vec<char> =
                        digits(code >> TAG_BITS, 16).take(around(reach)).map(|d| mark(d as u8)).collect();
                    marks.insert(marks.len() / 2, mark(CLICKED));
                    let window = Self::rows_in_words(2 * usize::from(reach) + 1, marks.into_iter());
                    format!("opens the middle of {window}")
                }
            },
        }
    }

    fn step_in_words(&self, codec: Codec, from: u128, to: u128) -> String {
        let in_words = match codec {
            Codec::Board => {
                let cells = digits(from, BASE).zip(digits(to, BASE)).zip(0..self.cells());
                let changed: Vec<_> = cells.filter(|((was, is), _)| was != is).collect();
                match changed[..] {
                    [((0, is), cell)] if is == u128::from(CLICKED) => {
                        Some(format!("opens {}", self.square(cell)))
                    }
                    _ => None,
                }
            }
            Codec::Window { .. } => (to & u128::first(TAG_BITS) == CLICK).then(|| self.in_words(codec, to)),
        };
        in_words.unwrap_or_else(|| format!("{} → {}", self.in_words(codec, from), self.in_words(codec, to)))
    }

    fn is_opening(&self, _: Codec, code: u128) -> bool {
        code == NOTHING_OPEN
    }
}
