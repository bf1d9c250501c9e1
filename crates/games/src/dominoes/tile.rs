//! Tiles and sets of tiles.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Sub, SubAssign};

use crate::board::bits::{Cells, Word, nth_cell};

/// The largest number of pips on one half of a tile in any set.
pub const MAX_PIPS: u8 = 9;

/// Number of tiles of the largest set.
pub const MAX_TILES: usize = 55;

/// A tile, numbered so that every smaller set comes first:
///
/// ```text
///          high 0   1   2   3
///    low 0      0   1   3   6  …
///        1          2   4   7  …
///        2              5   8  …
///        3                  9  …
/// ```
///
/// Double-two is tiles 0 … 5, double-six 0 … 27, double-nine 0 … 54.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tile(u8);

/// The halves of each tile, smaller first. Padded to a power of two, so that lookups need no bounds check.
const HALVES: [[u8; 2]; 64] = {
    let mut halves = [[0; 2]; 64];
    let (mut tile, mut high) = (0, 0);
    while high <= MAX_PIPS {
        let mut low = 0;
        while low <= high {
            halves[tile] = [low, high];
            tile += 1;
            low += 1;
        }
        high += 1;
    }
    halves
};

/// The tiles with each number of pips on a half; empty beyond [`MAX_PIPS`].
const TOUCHING: [TileSet; 16] = {
    let mut sets = [TileSet(0); 16];
    let mut tile = 0;
    while tile < MAX_TILES {
        let [low, high] = HALVES[tile];
        sets[low as usize].0 |= 1 << tile;
        sets[high as usize].0 |= 1 << tile;
        tile += 1;
    }
    sets
};

impl Tile {
    /// Returns the tile with these halves, in either order; `None` beyond [`MAX_PIPS`].
    #[must_use]
    pub const fn new(one: u8, two: u8) -> Option<Tile> {
        let (low, high) = if one < two { (one, two) } else { (two, one) };
        if high > MAX_PIPS {
            return None;
        }
        Some(Tile(high * (high + 1) / 2 + low))
    }

    /// Returns the tile's number, for tables.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the pips of the smaller half.
    #[inline]
    #[must_use]
    pub const fn low(self) -> u8 {
        HALVES[(self.0 & 63) as usize][0]
    }

    /// Returns the pips of the larger half.
    #[inline]
    #[must_use]
    pub const fn high(self) -> u8 {
        HALVES[(self.0 & 63) as usize][1]
    }

    /// Returns the pips of both halves together.
    #[inline]
    #[must_use]
    pub const fn pips(self) -> u8 {
        self.low() + self.high()
    }

    /// Returns whether both halves are equal.
    #[inline]
    #[must_use]
    pub const fn is_double(self) -> bool {
        self.low() == self.high()
    }

    /// Returns the other half of a tile that has a half of `pips`.
    #[inline]
    #[must_use]
    pub const fn beyond(self, pips: u8) -> u8 {
        self.pips() - pips
    }

    /// Returns the strength of the tile's claim to the lead under forced leads: any double beats any other tile, then
    /// more pips, then the larger half. No two tiles are equal.
    #[must_use]
    pub const fn claim(self) -> u8 {
        if self.is_double() { 200 + self.high() } else { self.pips() * 10 + self.high() }
    }

    /// Returns the tile with this text, two digits with the smaller first: `13`.
    #[must_use]
    pub fn read(text: &str) -> Option<Tile> {
        let &[low, high] = text.as_bytes() else { return None };
        let digits = low.is_ascii_digit() && high.is_ascii_digit() && low <= high;
        if digits { Tile::new(low - b'0', high - b'0') } else { None }
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.low(), self.high())
    }
}

/// A set of tiles: tile *i* is bit *i*.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct TileSet(u64);

impl TileSet {
    /// The set without tiles.
    pub const EMPTY: TileSet = TileSet(0);

    /// Returns all tiles of the set whose highest double is `highest`.
    #[must_use]
    pub fn all(highest: u8) -> TileSet {
        let side = u32::from(highest.min(MAX_PIPS)) + 1;
        TileSet(u64::first(side * (side + 1) / 2))
    }

    /// Returns the tiles that have a half of `pips`, in the largest set.
    #[inline]
    #[must_use]
    pub const fn touching(pips: u8) -> TileSet {
        TOUCHING[(pips & 15) as usize]
    }

    /// Returns the tiles with a stronger claim to the lead than `tile`, in the largest set; see [`Tile::claim`].
    #[must_use]
    pub fn above(tile: Tile) -> TileSet {
        TileSet::all(MAX_PIPS).tiles().filter(|t| t.claim() > tile.claim()).collect()
    }

    /// Returns the number of tiles in the set.
    #[inline]
    #[must_use]
    pub fn len(self) -> u8 {
        Word::len(self.0) as u8
    }

    /// Returns whether the set has no tiles.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether `tile` is in the set.
    #[inline]
    #[must_use]
    pub fn contains(self, tile: Tile) -> bool {
        !(self & TileSet::from(tile)).is_empty()
    }

    /// Returns the pips of all tiles together.
    #[inline]
    #[must_use]
    pub fn pips(self) -> u16 {
        self.tiles().map(|tile| u16::from(tile.pips())).sum()
    }

    /// Returns the `n`-th tile, counted from 0. The set must have more than `n` tiles.
    #[inline]
    #[must_use]
    pub fn nth(self, n: u32) -> Tile {
        Tile(nth_cell(self.0, n) as u8)
    }

    /// Returns the tiles in the order of their numbers.
    #[inline]
    #[must_use]
    pub fn tiles(self) -> Tiles {
        Tiles(self.0.cells())
    }

    /// Returns the tile with the strongest claim to the lead; `None` for an empty set. See [`Tile::claim`].
    #[must_use]
    pub fn strongest(self) -> Option<Tile> {
        self.tiles().max_by_key(|tile| tile.claim())
    }

    /// Returns the tiles in the order of their texts: `00 01 02 11`.
    #[must_use]
    pub fn sorted(self) -> Vec<Tile> {
        let mut tiles: Vec<Tile> = self.tiles().collect();
        tiles.sort_unstable_by_key(|tile| (tile.low(), tile.high()));
        tiles
    }
}

impl From<Tile> for TileSet {
    #[inline]
    fn from(tile: Tile) -> TileSet {
        TileSet(u64::bit(u32::from(tile.0)))
    }
}

impl FromIterator<Tile> for TileSet {
    fn from_iter<I: IntoIterator<Item = Tile>>(tiles: I) -> TileSet {
        tiles.into_iter().fold(TileSet::EMPTY, |set, tile| set | tile.into())
    }
}

impl fmt::Display for TileSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, tile) in self.sorted().into_iter().enumerate() {
            write!(f, "{}{tile}", if i == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

impl BitOr for TileSet {
    type Output = TileSet;
    #[inline]
    fn bitor(self, other: TileSet) -> TileSet {
        TileSet(self.0 | other.0)
    }
}

impl BitAnd for TileSet {
    type Output = TileSet;
    #[inline]
    fn bitand(self, other: TileSet) -> TileSet {
        TileSet(self.0 & other.0)
    }
}

impl Sub for TileSet {
    type Output = TileSet;
    #[inline]
    fn sub(self, other: TileSet) -> TileSet {
        TileSet(self.0 & !other.0)
    }
}

impl Not for TileSet {
    type Output = TileSet;
    /// Returns the tiles of the largest set that are not in this one.
    #[inline]
    fn not(self) -> TileSet {
        TileSet::all(MAX_PIPS) - self
    }
}

impl BitOrAssign for TileSet {
    #[inline]
    fn bitor_assign(&mut self, other: TileSet) {
        *self = *self | other;
    }
}

impl BitAndAssign for TileSet {
    #[inline]
    fn bitand_assign(&mut self, other: TileSet) {
        *self = *self & other;
    }
}

impl SubAssign for TileSet {
    #[inline]
    fn sub_assign(&mut self, other: TileSet) {
        *self = *self - other;
    }
}

/// The tiles of a set in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Tiles(Cells<u64>);

impl Iterator for Tiles {
    type Item = Tile;
    #[inline]
    fn next(&mut self) -> Option<Tile> {
        self.0.next().map(|tile| Tile(tile as u8))
    }
    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Tiles {}
