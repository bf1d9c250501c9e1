//! Codes of a board for the collective learner.

use parlor_core::{CodecInfo, Game, Notation, Seat, Stimulus, no_such_codec};

use super::notation::MARKS;
use super::{Board, Column, Connect, threats};
use crate::board::bits::Word;
use crate::codes::digits::{digits, width};

/// The content of a code.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Codec {
    /// The whole board: the cells of seat 0, and a one bit above the discs of each column, in the board's layout of
    /// bits.
    Board,
    /// The height of each column and its two highest discs: a digit per column, the last column lowest.
    ///
    /// ```text
    ///    0    an empty column          3 + 4·(height − 2) + 2·below + top
    ///    1    X alone                       two discs or more; X is 0, O is 1
    ///    2    O alone
    /// ```
    Surface,
    /// Winning cells of both sides, and the majority in the middle; see the module `threats`.
    Threats,
}

/// The part of a column that a code contains: its height, and the seats of its highest discs, from the bottom.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Stack {
    height: u32,
    known: Vec<u8>,
}

impl<W: Word> Connect<W> {
    /// Returns the number of possible contents of a column in [`Codec::Surface`].
    fn surfaces(&self) -> u128 {
        4 * u128::from(self.height) - 1
    }

    #[inline]
    fn code(&self, codec: Codec, board: &Board<W>) -> u128 {
        let (taken, first) = (self.taken(board), self.discs(board, Seat::FIRST));
        match codec {
            Codec::Board => (first | ((taken << 1 | self.bottom) & !taken)).low(),
            Codec::Surface => (0..u32::from(self.width)).fold(0, |code, column| {
                let in_column = |cells: W| (cells >> (column * self.stride()) & self.column).low();
                let (height, first) = (in_column(taken).count_ones(), in_column(first));
                let seat = |from_top: u32| u128::from(first >> (height - from_top) & 1 == 0);
                let digit = match height {
                    0 => 0,
                    1 => 1 + seat(1),
                    _ => 3 + 4 * u128::from(height - 2) + 2 * seat(2) + seat(1),
                };
                code * self.surfaces() + digit
            }),
            Codec::Threats => self.threats(board),
        }
    }

    /// Returns the columns that a code describes, from left to right.
    fn stacks(&self, codec: Codec, code: u128) -> Vec<Stack> {
        let columns = 0..u32::from(self.width);
        match codec {
            Codec::Board => columns
                .map(|column| {
                    let key = code >> (column * self.stride()) & u128::first(self.stride());
                    let height = key.checked_ilog2().unwrap_or(0);
                    Stack { height, known: (0..height).map(|row| u8::from(!key.has(row))).collect() }
                })
                .collect(),
            Codec::Surface => {
                let mut stacks: Vec<Stack> = digits(code, self.surfaces())
                    .take(columns.len())
                    .map(|digit| {
                        let digit = digit as u32;
                        let seat = |number: u32| (number & 1) as u8;
                        match digit {
                            0 => Stack { height: 0, known: Vec::new() },
                            1 | 2 => Stack { height: 1, known: vec![seat(digit - 1)] },
                            _ => {
                                let number = digit - 3;
                                Stack { height: 2 + number / 4, known: vec![seat(number / 2), seat(number)] }
                            }
                        }
                    })
                    .collect();
                stacks.reverse();
                stacks
            }
            // This code does not describe columns.
            Codec::Threats => Vec::new(),
        }
    }
}

impl<W: Word> Stimulus for Connect<W> {
    type Codec = Codec;

    const CODECS: &'static [CodecInfo] = &[
        CodecInfo { name: "board", summary: "the whole board" },
        CodecInfo { name: "surface", summary: "the height of each column and its two highest discs" },
        CodecInfo {
            name: "threats",
            summary: "what wins at once and later, for both sides, and who holds the middle",
        },
    ];

    fn codec(&self, name: &str) -> Result<Codec, String> {
        let bits = super::bits(self.width, self.height);
        match name {
            "board" if bits <= 128 => Ok(Codec::Board),
            "board" => Err(format!(
                "the whole board of {}×{} needs {bits} bits, and a code has 128; take `surface`",
                self.width, self.height
            )),
            "surface" => Ok(Codec::Surface),
            "threats" => Ok(Codec::Threats),
            _ => Err(no_such_codec(name, Self::CODECS)),
        }
    }

    fn meaning(&self, codec: Codec) -> String {
        format!("{codec:?} {}×{}", self.width, self.height)
    }

    fn width(&self, codec: Codec) -> u32 {
        match codec {
            Codec::Board => super::bits(self.width, self.height),
            Codec::Surface => width(self.surfaces(), u32::from(self.width))
                .expect("no board has more surfaces than 32×4, 15 to the power of 32"),
            Codec::Threats => threats::WIDTH,
        }
    }

    #[inline]
    fn stimulant(&self, codec: Codec, board: &Board<W>) -> u128 {
        self.code(codec, board)
    }

    #[inline]
    fn respondent(&self, codec: Codec, board: &Board<W>, column: Column) -> u128 {
        let mut after = *board;
        self.apply(&mut after, column);
        self.code(codec, &after)
    }

    /// Lists the columns that are not empty, each from the bottom, with `?` for an unknown disc: `3 ??XO · 4 X`.
    fn in_words(&self, codec: Codec, code: u128) -> String {
        if codec == Codec::Threats {
            return threats::in_words(code);
        }
        let columns: Vec<String> = self
            .stacks(codec, code)
            .iter()
            .enumerate()
            .filter(|(_, stack)| stack.height > 0)
            .map(|(column, stack)| {
                let hidden = "?".repeat(stack.height as usize - stack.known.len());
                let known: String = stack.known.iter().map(|&seat| MARKS[usize::from(seat)]).collect();
                format!("{} {hidden}{known}", self.write_action(Column(column as u8)))
            })
            .collect();
        if columns.is_empty() { "an empty board".to_owned() } else { columns.join(" · ") }
    }

    fn step_in_words(&self, codec: Codec, from: u128, to: u128) -> String {
        if codec == Codec::Threats {
            return threats::in_words(to);
        }
        let (before, after) = (self.stacks(codec, from), self.stacks(codec, to));
        let changed: Vec<usize> = (0..before.len()).filter(|&c| before[c] != after[c]).collect();
        match changed[..] {
            [column] if after[column].height == before[column].height + 1 => {
                let seat = after[column].known.last().map_or(0, |&seat| usize::from(seat));
                format!("{} drops into {}", MARKS[seat], self.write_action(Column(column as u8)))
            }
            _ => format!("{} → {}", self.in_words(codec, from), self.in_words(codec, to)),
        }
    }

    fn is_opening(&self, codec: Codec, code: u128) -> bool {
        if codec == Codec::Threats {
            return code == threats::OPENING;
        }
        self.stacks(codec, code).iter().all(|stack| stack.height == 0)
    }
}
