//! Codes of a board for the collective learner. No code contains the count of plies without progress.

use parlor_core::{CodecInfo, Game, Notation, Seat, Stimulus, no_such_codec};

use super::{Board, Checkers, Move, RED, WHITE, balance};
use crate::board::bits::Word;
use crate::codes::digits::{digits, powers, width};

/// The content of a code. Its lowest bit is the side to move, 0 for red.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Codec {
    /// The whole board, a digit a square, a1 lowest: 0 empty, red's man 1 and king 2, white's man 3 and king 4.
    Board,
    /// The pieces of each side and the advance of its men.
    Material,
    /// Material balance, immediate captures and crownings; see the module `balance`.
    Balance,
}

/// Number of possible contents of a square.
const BASE: u128 = 5;
/// The most squares of a whole board that fit, beside the side to move: 2 · 5⁵⁴ < 2¹²⁸.
const MOST_SQUARES: usize = 54;
const POWERS: [u128; MOST_SQUARES] = powers(BASE);

/// The part of [`Codec::Material`] that describes one side.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Force {
    men: u32,
    kings: u32,
    /// Men on the row nearest to their player, which keep the other side from crowning.
    home: u32,
    /// The sum of the rows behind the men.
    advance: u32,
}

impl<W: Word> Checkers<W> {
    /// Returns the number of a square from 0, row by row from the bottom, without the ghosts.
    #[inline]
    fn dense(&self, square: u32) -> u32 {
        let (two_rows, rest) = (square / (2 * self.half + 1), square % (2 * self.half + 1));
        square - two_rows - u32::from(rest > self.half)
    }

    fn dark_squares(&self) -> u32 {
        u32::from(self.rows) * self.half
    }

    fn whole(&self, board: &Board<W>) -> u128 {
        let mut code = 0;
        for (seat, man) in [(RED, 1), (WHITE, 3)] {
            for square in board.pieces(seat).cells() {
                let digit = man + u128::from(board.kings.has(square));
                code += digit * POWERS[self.dense(square) as usize];
            }
        }
        code << 1 | u128::from(board.to_move.0)
    }

    /// Returns the board of a [`Codec::Board`] code; accepts any number.
    fn decode(&self, code: u128) -> Board<W> {
        let (mut red, mut white, mut kings) = (W::ZERO, W::ZERO, W::ZERO);
        for (square, digit) in self.squares.cells().zip(digits(code >> 1, BASE)) {
            let square = W::bit(square);
            match digit {
                0 => {}
                1 | 2 => red |= square,
                _ => white |= square,
            }
            if digit == 2 || digit == 4 {
                kings |= square;
            }
        }
        Board::new(red, white, kings, Seat((code & 1) as u8), 0)
    }

    fn force(&self, board: &Board<W>, seat: Seat) -> Force {
        let mut force = Force { men: 0, kings: board.kings(seat).len(), home: 0, advance: 0 };
        for square in board.men(seat).cells() {
            let (_, row) = self.place(square);
            let behind = u32::from(if seat == RED { row } else { self.rows - 1 - row });
            force.men += 1;
            force.home += u32::from(behind == 0);
            force.advance += behind;
        }
        force
    }

    /// Returns the bits of each field of a [`Force`]: men, kings, home, advance.
    fn force_bits(&self) -> [u32; 4] {
        // Positions can be set up with a piece on every square.
        let most = self.dark_squares();
        [most, most, self.half, most * u32::from(self.rows)].map(|most| most.ilog2() + 1)
    }

    fn material(&self, board: &Board<W>) -> u128 {
        let (mut code, mut at) = (u128::from(board.to_move.0), 1);
        for seat in [RED, WHITE] {
            let Force { men, kings, home, advance } = self.force(board, seat);
            for (field, bits) in [men, kings, home, advance].into_iter().zip(self.force_bits()) {
                code |= u128::from(field) << at;
                at += bits;
            }
        }
        code
    }

    fn forces(&self, code: u128) -> [Force; 2] {
        let mut rest = code >> 1;
        [RED, WHITE].map(|_| {
            let [men, kings, home, advance] = self.force_bits().map(|bits| {
                let field = (rest & u128::first(bits)) as u32;
                rest >>= bits;
                field
            });
            Force { men, kings, home, advance }
        })
    }

    fn code(&self, codec: Codec, board: &Board<W>) -> u128 {
        match codec {
            Codec::Board => self.whole(board),
            Codec::Material => self.material(board),
            Codec::Balance => self.balance(board),
        }
    }
}

fn side(code: u128) -> &'static str {
    if code & 1 == 0 { "red" } else { "white" }
}

impl<W: Word> Stimulus for Checkers<W> {
    type Codec = Codec;

    const CODECS: &'static [CodecInfo] = &[
        CodecInfo { name: "board", summary: "the whole board and the side to move" },
        CodecInfo {
            name: "material",
            summary: "the side to move; of each side the men, kings, men at home and how far the men have come",
        },
        CodecInfo { name: "balance", summary: "who has more, who can take something, who is about to crown" },
    ];

    fn codec(&self, name: &str) -> Result<Codec, String> {
        match name {
            "board" if self.dark_squares() as usize <= MOST_SQUARES => Ok(Codec::Board),
            "board" => Err(format!(
                "a code has room for {MOST_SQUARES} dark squares, and {}×{} has {}; take `material`",
                self.rows,
                self.columns,
                self.dark_squares()
            )),
            "material" => Ok(Codec::Material),
            "balance" => Ok(Codec::Balance),
            _ => Err(no_such_codec(name, Self::CODECS)),
        }
    }

    fn meaning(&self, codec: Codec) -> String {
        format!("{codec:?} {}×{}", self.rows, 2 * self.half)
    }

    fn width(&self, codec: Codec) -> u32 {
        1 + match codec {
            Codec::Board => {
                width(BASE, self.dark_squares()).expect("larger boards have no codec of this kind")
            }
            Codec::Material => 2 * self.force_bits().iter().sum::<u32>(),
            Codec::Balance => balance::WIDTH - 1,
        }
    }

    #[inline]
    fn stimulant(&self, codec: Codec, board: &Board<W>) -> u128 {
        self.code(codec, board)
    }

    #[inline]
    fn respondent(&self, codec: Codec, board: &Board<W>, action: Move) -> u128 {
        let mut after = *board;
        self.apply(&mut after, action);
        self.code(codec, &after)
    }

    fn in_words(&self, codec: Codec, code: u128) -> String {
        match codec {
            Codec::Board => self.write_position(&self.decode(code)).expect("every board has a text"),
            Codec::Material => {
                let told = |force: Force| {
                    let Force { men, kings, home, advance } = force;
                    format!("{men} men ({home} at home, {advance} rows advanced), {kings} kings")
                };
                let [red, white] = self.forces(code).map(told);
                format!("{} to move · red {red} · white {white}", side(code))
            }
            Codec::Balance => balance::in_words(code),
        }
    }

    /// Names the start and end of the piece that moved and the number of captures, not the path.
    fn step_in_words(&self, codec: Codec, from: u128, to: u128) -> String {
        if codec == Codec::Balance {
            return self.in_words(codec, to);
        }
        let otherwise = || format!("{} → {}", self.in_words(codec, from), self.in_words(codec, to));
        if codec != Codec::Board || (from ^ to) & 1 == 0 {
            return otherwise();
        }
        let (before, after) = (self.decode(from), self.decode(to));
        let seat = before.to_move;
        let (was, is) = (before.pieces(seat), after.pieces(seat));
        let taken = (before.pieces(seat.other()) & !after.pieces(seat.other())).len();
        let square = |squares: W| self.square_text(squares.lowest());
        match ((was & !is).len(), (is & !was).len(), taken) {
            (1, 1, 0) => format!("{} {}-{}", side(from), square(was & !is), square(is & !was)),
            (1, 1, _) => format!("{} {}x{}, {taken} taken", side(from), square(was & !is), square(is & !was)),
            (0, 0, 1..) => format!("{} jumps in a ring, {taken} taken", side(from)),
            _ => otherwise(),
        }
    }

    fn is_opening(&self, codec: Codec, code: u128) -> bool {
        code == self.code(codec, &self.start())
    }
}
