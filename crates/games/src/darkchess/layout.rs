//! A board as cells, and numbers of actions.

use parlor_core::{CellLayout, CellSymbol, Cells, Numbered, Place, Seat, Symmetry};

use super::board::{EMPTY, FACE_DOWN};
use super::squares::{FILES, RANKS, SQUARES, Square};
use super::{Action, Board, DarkChess, Piece};

/// The symbols 0 … 15 are the codes of [`Piece`], an empty square and a piece face down. Then comes the piece that is being
/// turned up, the counts 0 … 5, and the colours of the first seat.
const TURNING: u8 = 16;
const COUNTS: u8 = TURNING + 1;
const MOST: u8 = 5;
const NO_COLOUR: u8 = COUNTS + MOST + 1;
const RED: u8 = NO_COLOUR + 1;
const BLACK: u8 = RED + 1;

/// Number of different pieces.
const PIECES: usize = 14;

/// Beside the grid lie the colour of the first seat and the number of each piece face down. The quiet plies and earlier positions
/// are not cells.
impl Cells for DarkChess {
    fn layout(&self) -> CellLayout {
        let named = |piece: Piece| format!("{} {}", piece.colour().name(), piece.kind().name());
        let mut symbols = vec![CellSymbol::new("", ""); usize::from(BLACK) + 1];
        for piece in Piece::all() {
            symbols[usize::from(piece.code())] =
                CellSymbol::new(piece.letter(), format!("a {}", named(piece)));
        }
        let others = [
            (EMPTY, "-", "an empty square"),
            (FACE_DOWN, "X", "a piece face down"),
            (TURNING, "?", "the piece that is being turned up"),
            (NO_COLOUR, "=", "no colour yet"),
            (RED, "red", "red"),
            (BLACK, "blk", "black"),
        ];
        for (symbol, text, meaning) in others {
            symbols[usize::from(symbol)] = CellSymbol::new(text, meaning);
        }
        for count in 0..=MOST {
            symbols[usize::from(COUNTS + count)] =
                CellSymbol::new(count.to_string(), format!("a count of {count}"));
        }
        let face_down = Piece::all().map(|piece| format!("{}s face down", named(piece)));
        CellLayout {
            width: u16::from(FILES),
            height: u16::from(RANKS),
            beside: std::iter::once("colour of the first seat".to_owned()).chain(face_down).collect(),
            symbols,
        }
    }

    #[inline]
    fn cells(&self, board: &Board, out: &mut [u8]) {
        assert_eq!(out.len(), SQUARES + 1 + PIECES, "one element for each cell");
        let (grid, beside) = out.split_at_mut(SQUARES);
        grid.copy_from_slice(&board.squares);
        if let Some(square) = board.flipping() {
            grid[square.index()] = TURNING;
        }
        beside[0] = match board.red() {
            None => NO_COLOUR,
            Some(Seat::FIRST) => RED,
            Some(_) => BLACK,
        };
        for (cell, piece) in beside[1..].iter_mut().zip(Piece::all()) {
            *cell = COUNTS + board.pool().count(piece);
        }
    }

    /// A flip lies on its square, a move on the squares that it leaves and enters.
    #[inline]
    fn place(&self, _: &Board, action: Action) -> Place {
        let cell = |square: Square| square.index() as u16;
        match action {
            Action::Flip(square) => Place::along([cell(square)]),
            Action::Move(from, to) => Place::along([from, to].map(cell)),
            Action::Reveal(_) => panic!("chance reveals pieces; only flips and moves have a place"),
        }
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        Symmetry::of_sides(u16::from(FILES), u16::from(RANKS))
    }
}

/// Number of squares that a piece can reach on an empty board by a step or a jump: those of its rank and its file.
const TARGETS: usize = (FILES - 1 + RANKS - 1) as usize;

/// The 32 flips come first, in the order of the squares; then, for each square, the moves along its rank from the left, and
/// along its file from the top: 352 numbers.
impl Numbered for DarkChess {
    fn numbers(&self) -> usize {
        SQUARES + SQUARES * TARGETS
    }

    #[inline]
    fn number(&self, action: Action) -> usize {
        match action {
            Action::Flip(square) => square.index(),
            Action::Move(from, to) => {
                let (from, to) = (from.index(), to.index());
                let files = usize::from(FILES);
                // The square itself is left out of its rank and its file.
                let target = if from / files == to / files {
                    to % files - usize::from(to > from)
                } else {
                    files - 1 + to / files - usize::from(to > from)
                };
                SQUARES + from * TARGETS + target
            }
            Action::Reveal(_) => panic!("chance reveals pieces; only flips and moves have a number"),
        }
    }

    fn numbered(&self, number: usize) -> Option<Action> {
        if number < SQUARES {
            return Some(Action::Flip(Square::new(number as u8)));
        }
        if number >= self.numbers() {
            return None;
        }
        let (from, target) = ((number - SQUARES) / TARGETS, (number - SQUARES) % TARGETS);
        let files = usize::from(FILES);
        let skip = |place: usize, own: usize| place + usize::from(place >= own);
        let to = if target < files - 1 {
            from / files * files + skip(target, from % files)
        } else {
            skip(target - (files - 1), from / files) * files + from % files
        };
        Some(Action::Move(Square::new(from as u8), Square::new(to as u8)))
    }
}
