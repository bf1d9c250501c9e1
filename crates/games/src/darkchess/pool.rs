//! The pieces that lie face down, as counts.

use super::pieces::{Colour, Piece};
use super::select::{first_above, running_sums};

/// Number of each piece face down. Their squares are unknown.
///
/// A word for each side, a byte for each kind, pawns lowest:
///
/// ```text
///    byte    7  6  5  4  3  2  1  0
///            -  K  G  M  R  N  C  P
///    start   0  1  2  2  2  2  2  5
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Pool([u64; 2]);

impl Pool {
    /// Returns the whole set of 32.
    #[must_use]
    pub fn full() -> Pool {
        let mut pool = Pool::default();
        for piece in Piece::all() {
            for _ in 0..piece.kind().count() {
                pool.add(piece);
            }
        }
        pool
    }

    const fn shift(piece: Piece) -> u32 {
        8 * (piece.code() as u32 & 7)
    }

    /// Returns the number of a piece.
    #[inline]
    #[must_use]
    pub fn count(&self, piece: Piece) -> u8 {
        (self.0[piece.colour().index()] >> Pool::shift(piece)) as u8
    }

    /// Returns the counts of a side, a byte for each kind, as drawn above.
    #[inline]
    pub(super) const fn word(&self, colour: Colour) -> u64 {
        self.0[colour.index()]
    }

    pub(super) fn add(&mut self, piece: Piece) {
        self.0[piece.colour().index()] += 1 << Pool::shift(piece);
    }

    /// Removes one of a piece, which must be in the pool.
    #[inline]
    pub(super) fn remove(&mut self, piece: Piece) {
        self.0[piece.colour().index()] -= 1 << Pool::shift(piece);
    }

    /// Returns whether the pool has pieces of a side.
    #[inline]
    #[must_use]
    pub fn has(&self, colour: Colour) -> bool {
        self.0[colour.index()] != 0
    }

    /// Returns the number of pieces.
    #[inline]
    #[must_use]
    pub fn total(&self) -> u32 {
        (running_sums(self.0[0] + self.0[1]) >> 56) as u32
    }

    /// Returns the different pieces in the pool, in the order of [`Piece::all`].
    pub fn kinds(&self) -> impl Iterator<Item = Piece> + use<> {
        let pool = *self;
        Piece::all().filter(move |&piece| pool.count(piece) > 0)
    }

    /// Returns the `n`-th piece, counted from 0, when all are laid out in the order of [`Piece::all`].
    #[inline]
    pub(super) fn nth(&self, n: u32) -> Piece {
        let red = running_sums(self.0[0]);
        let reds = (red >> 56) as u32;
        let (colour, sums, n) =
            if n < reds { (Colour::Red, red, n) } else { (Colour::Black, running_sums(self.0[1]), n - reds) };
        Piece::from_code((colour.index() as u32 * 8 + first_above(sums, n) / 8) as u8)
    }

    /// Returns a letter for each piece, in the order of [`Piece::all`]: `PPPk`.
    pub(super) fn letters(&self) -> String {
        self.kinds().flat_map(|piece| (0..self.count(piece)).map(move |_| piece.letter())).collect()
    }

    /// Returns the pieces of the whole set that are not in this pool.
    pub(super) fn missing(&self) -> Pool {
        let full = Pool::full();
        Pool([full.0[0] - self.0[0], full.0[1] - self.0[1]])
    }

    /// Returns the first piece of which the pool has more than the set.
    pub(super) fn too_many(&self) -> Option<Piece> {
        Piece::all().find(|&piece| self.count(piece) > piece.kind().count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlor_core::Rng;

    #[test]
    fn nth_follows_the_counts() {
        let mut rng = Rng::new(2);
        let mut pool = Pool::full();
        assert_eq!(pool.letters(), "PPPPPCCNNRRMMGGKpppppccnnrrmmggk");
        for left in (1..=32).rev() {
            assert_eq!(pool.total(), left);
            let letters: Vec<char> = pool.letters().chars().collect();
            for (n, &letter) in letters.iter().enumerate() {
                assert_eq!(pool.nth(n as u32).letter(), letter);
            }
            pool.remove(pool.nth(rng.below(left)));
        }
        assert_eq!(pool, Pool::default());
        assert_eq!(pool.missing(), Pool::full());
        assert_eq!(Piece::all().map(|piece| piece.kind().count()).sum::<u8>(), 32);
    }
}
