//! A position: the squares, the pieces face down, the side to move, and the quiet plies before it.

use parlor_core::Seat;

use super::keys;
use super::past::{Past, Step};
use super::pieces::{Colour, Kind, Piece};
use super::pool::Pool;
use super::squares::{SQUARES, Set, Square};

/// The code of an empty square, among the codes of [`Piece`].
pub(super) const EMPTY: u8 = 7;
/// The code of a piece face down.
pub(super) const FACE_DOWN: u8 = 15;

/// The content of a square.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Contents {
    /// Nothing.
    Empty,
    /// A piece face down.
    FaceDown,
    /// A piece face up.
    Up(Piece),
}

/// A position. Neither seat knows the pieces face down, so the board stores only their counts, and turning up a piece
/// is chance. Nothing in it is hidden from a seat.
///
/// # Equality
/// Two boards are equal if they look the same *and* the same quiet plies led to them since the last flip or capture.
/// Those plies determine every position that may occur again, so equal boards have equal futures under every draw
/// rule. The hash and the filter follow from the rest.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    /// The code of each square's content.
    pub(super) squares: [u8; SQUARES],
    /// For each code of a kind the squares on which one lies face up, both colours; the last set is the squares face
    /// down.
    pub(super) kinds: [Set; 8],
    /// The squares with pieces of each colour face up.
    pub(super) colours: [Set; 2],
    /// The pieces that lie face down, including the one being turned up.
    pub(super) pool: Pool,
    /// The colour to move or, after a flip, the colour that flipped; red before the seats have colours.
    pub(super) mover: Colour,
    /// The seat that plays `mover`.
    pub(super) seat: Seat,
    /// Whether the seats have colours.
    pub(super) coloured: bool,
    /// Whether a draw rule has ended the match.
    pub(super) drawn: bool,
    /// Whether the position has occurred before; always false under rules without repetition.
    pub(super) again: bool,
    /// The square whose piece is being turned up.
    pub(super) flipping: Option<Square>,
    /// The keys of all of the above except `drawn` and `flipping`, see [`keys`].
    pub(super) hash: u64,
    pub(super) past: Past,
}

impl Board {
    /// Returns a board without a past on which `seat` is to move and plays the colour `turn`; before the seats have
    /// colours, the seat must be the first.
    pub(super) fn new(squares: [u8; SQUARES], pool: Pool, turn: Option<Colour>, seat: Seat) -> Board {
        let mut board = Board {
            squares,
            kinds: [0; 8],
            colours: [0; 2],
            pool,
            mover: turn.unwrap_or(Colour::Red),
            seat,
            coloured: turn.is_some(),
            drawn: false,
            again: false,
            flipping: None,
            hash: if turn == Some(Colour::Black) { keys::BLACK_MOVES } else { 0 },
            past: Past::default(),
        };
        board.hash ^= match board.red() {
            None => keys::NO_COLOURS,
            Some(Seat::FIRST) => 0,
            Some(_) => keys::RED_IS_SECOND,
        };
        for square in Square::all() {
            let code = squares[square.index()];
            board.hash ^= keys::on(square, code);
            if code != EMPTY {
                board.kinds[usize::from(code & 7)] |= square.bit();
            }
            if let Contents::Up(piece) = board.at(square) {
                board.colours[piece.colour().index()] |= square.bit();
            }
        }
        for piece in Piece::all() {
            board.hash ^= keys::face_down(piece, pool.count(piece));
        }
        board.past.restart(board.hash);
        board
    }

    /// Returns the content of a square.
    #[must_use]
    pub fn at(&self, square: Square) -> Contents {
        match self.squares[square.index()] {
            EMPTY => Contents::Empty,
            FACE_DOWN => Contents::FaceDown,
            code => Contents::Up(Piece::from_code(code)),
        }
    }

    /// Returns the colour to move; `None` before the seats have colours.
    #[must_use]
    pub fn turn(&self) -> Option<Colour> {
        self.coloured.then_some(self.mover)
    }

    /// Returns the seat that plays red; `None` before the seats have colours.
    #[must_use]
    pub fn red(&self) -> Option<Seat> {
        self.turn().map(|mover| if mover == Colour::Red { self.seat } else { self.seat.other() })
    }

    /// Returns the pieces that lie face down.
    #[must_use]
    pub const fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Returns the square whose piece is being turned up.
    #[must_use]
    pub const fn flipping(&self) -> Option<Square> {
        self.flipping
    }

    /// Returns the number of plies since the last flip or capture.
    #[must_use]
    pub fn quiet_plies(&self) -> usize {
        self.past.steps().len()
    }

    /// Returns the pieces that are not taken, face up or face down.
    pub(super) fn left(&self) -> Pool {
        let mut left = self.pool;
        for square in Square::all() {
            if let Contents::Up(piece) = self.at(square) {
                left.add(piece);
            }
        }
        left
    }

    /// Returns the squares with pieces face down.
    #[inline]
    pub(super) const fn dark(&self) -> Set {
        self.kinds[FACE_DOWN as usize & 7]
    }

    /// Returns the squares on which a kind lies face up, both colours.
    #[inline]
    pub(super) const fn of_kind(&self, kind: Kind) -> Set {
        self.kinds[kind as usize]
    }

    /// Returns the occupied squares.
    #[inline]
    pub(super) const fn occupied(&self) -> Set {
        self.colours[0] | self.colours[1] | self.dark()
    }

    /// Chooses a piece to be turned up.
    #[inline]
    pub(super) fn flip(&mut self, square: Square) {
        self.flipping = Some(square);
        self.again = false;
        self.past.clear();
    }

    /// Turns up the chosen piece; the first one determines the colours of the seats.
    #[inline]
    pub(super) fn reveal(&mut self, piece: Piece) {
        let square = self.flipping.take().expect("a piece is revealed only after a flip");
        if !self.coloured {
            self.coloured = true;
            self.mover = piece.colour();
            let second = self.mover == Colour::Black;
            self.hash ^= keys::NO_COLOURS;
            self.hash ^= if second { keys::BLACK_MOVES ^ keys::RED_IS_SECOND } else { 0 };
        }
        let count = self.pool.count(piece);
        self.pool.remove(piece);
        self.squares[square.index()] = piece.code();
        self.kinds[usize::from(FACE_DOWN & 7)] ^= square.bit();
        self.kinds[usize::from(piece.code() & 7)] ^= square.bit();
        self.colours[piece.colour().index()] ^= square.bit();
        self.hash ^= keys::face_down(piece, count)
            ^ keys::face_down(piece, count - 1)
            ^ keys::on(square, FACE_DOWN)
            ^ keys::on(square, piece.code());
        self.pass_turn();
        self.past.restart(self.hash);
    }

    /// Moves a piece of the colour to move. Returns whether the position that follows may have occurred before.
    #[inline]
    pub(super) fn go(&mut self, from: Square, to: Square) -> bool {
        let code = self.squares[from.index()];
        let taken = self.squares[to.index()];
        let both = from.bit() | to.bit();
        self.squares[from.index()] = EMPTY;
        self.squares[to.index()] = code;
        self.kinds[usize::from(code & 7)] ^= both;
        self.colours[self.mover.index()] ^= both;
        self.hash ^= keys::on(from, code) ^ keys::on(to, code) ^ keys::on(to, taken);
        if taken == EMPTY {
            self.pass_turn();
            return self.past.push(Step { from, to }, self.hash);
        }
        self.kinds[usize::from(taken & 7)] ^= to.bit();
        self.colours[self.mover.other().index()] ^= to.bit();
        self.pass_turn();
        self.past.restart(self.hash);
        false
    }

    #[inline]
    fn pass_turn(&mut self) {
        self.mover = self.mover.other();
        self.seat = self.seat.other();
        self.hash ^= keys::BLACK_MOVES;
    }
}
