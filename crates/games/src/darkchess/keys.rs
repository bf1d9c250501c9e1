//! Random numbers for hashing (Zobrist 1970): a position's hash is the exclusive or of the keys of its features, so a
//! move changes only a few keys.

use parlor_core::rng::fork;

use super::board::EMPTY;
use super::pieces::Piece;
use super::squares::{SQUARES, Square};

/// Seed of this game's keys; the number is arbitrary.
const SEED: u64 = 0x6461_726b;

/// A key for each code of a square's content on each square; rows as drawn at [`Piece`]. Empty squares add nothing.
static CONTENTS: [[u64; SQUARES]; 16] = {
    let mut keys = [[0; SQUARES]; 16];
    let mut i = 0;
    while i < 16 * SQUARES {
        if i / SQUARES != EMPTY as usize {
            keys[i / SQUARES][i % SQUARES] = fork(SEED, i as u64);
        }
        i += 1;
    }
    keys
};

/// A key for each piece and each number of them that can lie face down.
static FACE_DOWN: [[u64; 8]; 16] = {
    let mut keys = [[0; 8]; 16];
    let mut i = 0;
    while i < 16 * 8 {
        keys[i / 8][i % 8] = fork(SEED, 3_000 + i as u64);
        i += 1;
    }
    keys
};

/// Key of black to move.
pub(super) const BLACK_MOVES: u64 = fork(SEED, 1_000);
/// Key of red in seat 1.
pub(super) const RED_IS_SECOND: u64 = fork(SEED, 1_001);
/// Key of a match in which the seats have no colours yet.
pub(super) const NO_COLOURS: u64 = fork(SEED, 1_002);

/// Returns the key of a square's content.
#[inline]
pub(super) fn on(square: Square, contents: u8) -> u64 {
    CONTENTS[usize::from(contents & 15)][square.index()]
}

/// Returns the key of `count` pieces of a kind lying face down; the set has at most five of a kind.
#[inline]
pub(super) fn face_down(piece: Piece, count: u8) -> u64 {
    FACE_DOWN[usize::from(piece.code() & 15)][usize::from(count & 7)]
}

/// Returns the key of the piece on a square being turned up.
pub(super) const fn flipping(square: Square) -> u64 {
    fork(SEED, 2_000 + square.index() as u64)
}

/// Returns the key of a draw that is `plies` quiet plies away.
pub(super) const fn draw_in(plies: u64) -> u64 {
    fork(SEED, 4_000 + plies)
}
