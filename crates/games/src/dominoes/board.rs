//! The tiles on the table: open ends, their values, and the tiles that fit.

use super::rules::{Arms, Rules, Spinner};
use super::tile::{Tile, TileSet};

/// The place where a tile is put. Ends are places, not values: two ends with equal pips are two different plays.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum End {
    /// The empty table: the first tile. Its smaller half points to the left.
    Start,
    /// The left end of the line.
    Left,
    /// The right end of the line.
    Right,
    /// The arm above the spinner.
    Up,
    /// The arm below the spinner.
    Down,
}

impl End {
    /// The places on a table that is not empty.
    pub const PLACES: [End; 4] = [End::Left, End::Right, End::Up, End::Down];

    /// Returns the word in texts.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            End::Start => "start",
            End::Left => "left",
            End::Right => "right",
            End::Up => "up",
            End::Down => "down",
        }
    }

    /// Returns the end that a word names.
    #[must_use]
    pub fn read(word: &str) -> Option<End> {
        [End::Start, End::Left, End::Right, End::Up, End::Down].into_iter().find(|end| end.word() == word)
    }

    /// Returns the place's index; [`End::Start`] shares that of the left end.
    #[inline]
    const fn place(self) -> usize {
        match self {
            End::Start | End::Left => 0,
            End::Right => 1,
            End::Up => 2,
            End::Down => 3,
        }
    }
}

/// An end where a tile may be put.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct OpenEnd {
    /// The place.
    pub end: End,
    /// The pips that a tile needs to fit.
    pub pips: u8,
    /// The end's part of the board count: both halves of a double, and nothing for an arm without tiles.
    pub value: u8,
}

/// The pips of a closed place; no tile has them.
pub(super) const CLOSED: u8 = 15;

/// The four places in the order of [`End::PLACES`]: the part of a board that codes contain.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Ends {
    /// The pips that fit; [`CLOSED`] where no tile fits.
    pub pips: [u8; 4],
    /// The values; 0 where no tile fits.
    pub values: [u8; 4],
}

/// The state of the tiles on the table. Small and `Copy`, so that trying a play costs a copy.
///
/// Places are indexed left, right, up, down. With 12 to the left of the spinner 22, and `arms=immediate`:
///
/// ```text
///               up: pips 2, value 0
///        [1|2]  [2|2]  right: pips 2, value 4 (the spinner, one side open)
///  left: 1, 1   down: pips 2, value 0
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    /// The pips that fit at each place; [`CLOSED`] where no tile fits.
    pips: [u8; 4],
    /// The value of each place. The two sides of a lone double are one end; the left place has its value.
    values: [u8; 4],
    /// Which of the left and right ends (bits 0 and 1) are still sides of the spinner.
    bare: u8,
    /// The places at which a tile has been put since the first.
    begun: u8,
    /// Whether the first tile is a double and neither of its sides is covered.
    lone: bool,
    /// The pips of the spinner; [`CLOSED`] before there is one.
    spinner: u8,
    /// The tiles of the largest set that fit somewhere; all before the first.
    fits: TileSet,
    /// The tiles on the table.
    played: TileSet,
}

impl Ends {
    /// Returns the open ends after a lead with `tile`.
    #[inline]
    pub(super) fn of_lead(rules: &Rules, tile: Tile) -> Ends {
        let (low, high) = (tile.low(), tile.high());
        if !tile.is_double() {
            return Ends { pips: [low, high, CLOSED, CLOSED], values: [low, high, 0, 0] };
        }
        let arms_open = rules.arms == Arms::Immediate && rules.spinner != Spinner::None;
        let arm = if arms_open { low } else { CLOSED };
        Ends { pips: [low, low, arm, arm], values: [tile.pips(), 0, 0, 0] }
    }
}

impl Default for Board {
    fn default() -> Self {
        Board {
            pips: [CLOSED; 4],
            values: [0; 4],
            bare: 0,
            begun: 0,
            lone: false,
            spinner: CLOSED,
            fits: !TileSet::EMPTY,
            played: TileSet::EMPTY,
        }
    }
}

impl Board {
    /// Returns whether the table is empty.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.played.is_empty()
    }

    /// Returns the tiles on the table.
    #[inline]
    #[must_use]
    pub const fn played(&self) -> TileSet {
        self.played
    }

    /// Returns the tiles, of the largest set, that fit at some end; all of them on an empty table.
    #[inline]
    #[must_use]
    pub const fn fits(&self) -> TileSet {
        self.fits
    }

    /// Returns the tiles, of the largest set, that fit at one end.
    #[inline]
    #[must_use]
    pub fn fits_at(&self, end: End) -> TileSet {
        match (end, self.is_empty()) {
            (End::Start, true) => self.fits,
            (End::Start, false) => TileSet::EMPTY,
            _ => TileSet::touching(self.pips[end.place()]),
        }
    }

    /// Returns the pips of the spinner, if there is one.
    #[inline]
    #[must_use]
    pub fn spinner(&self) -> Option<u8> {
        (self.spinner != CLOSED).then_some(self.spinner)
    }

    /// Returns the ends where a tile may be put: left, right, up, down; empty on an empty table.
    pub fn open(&self) -> impl Iterator<Item = OpenEnd> + '_ {
        End::PLACES.into_iter().filter_map(|end| self.end(end))
    }

    /// Returns the open end at one place.
    #[must_use]
    pub fn end(&self, end: End) -> Option<OpenEnd> {
        let (pips, value) = (self.pips[end.place()], self.values[end.place()]);
        (end != End::Start && pips != CLOSED).then_some(OpenEnd { end, pips, value })
    }

    /// Returns the values of the exposed ends: one entry for an end, and one for the two sides of a lone double. Arms
    /// without tiles are not ends.
    pub fn exposed(&self) -> impl Iterator<Item = u8> + '_ {
        self.open()
            .filter(|open| match open.end {
                // The right side of a lone double is the same end as its left side.
                End::Right => !self.lone,
                End::Up | End::Down => self.begun >> open.end.place() & 1 == 1,
                _ => true,
            })
            .map(|open| open.value)
    }

    /// Returns whether the first tile is a double and neither of its sides is covered: they are one end, and covering one of them
    /// leaves the double's value in place.
    #[inline]
    pub(super) const fn is_lone(&self) -> bool {
        self.lone
    }

    /// Returns the sum of the exposed ends.
    #[inline]
    #[must_use]
    pub fn count(&self) -> u8 {
        // At most 18 each, so the sum does not overflow.
        let [left, right, up, down] = self.values;
        left + right + up + down
    }

    /// Returns the board after a play, which must be legal.
    #[inline]
    #[must_use]
    pub fn after(&self, rules: &Rules, tile: Tile, end: End) -> Board {
        let mut board = *self;
        board.put(rules, tile, end);
        board
    }

    /// Returns the four places.
    #[inline]
    pub(super) const fn ends(&self) -> Ends {
        Ends { pips: self.pips, values: self.values }
    }

    /// Returns the four places after a play, which must be legal: [`Board::after`] without the rest of the board, for
    /// codes of every play of every decision.
    #[inline]
    pub(super) fn ends_after(&self, rules: &Rules, tile: Tile, end: End) -> Ends {
        if end == End::Start {
            return Ends::of_lead(rules, tile);
        }
        // Four bytes each, changed as one number and without branches: reading four bytes just after writing one of
        // them would stall, and the next play cannot be predicted.
        let (mut pips, mut values) = (u32::from_le_bytes(self.pips), u32::from_le_bytes(self.values));
        let place = end.place();
        let at = 8 * place;
        let inner = pips >> at & 0xff;
        let outer = u32::from(tile.pips()) - inner;
        let double = inner == outer;
        let value = outer << u32::from(double);
        // The other side of a lone double begins to count; it is the right one, or it counts already.
        let second_side = u32::from(self.lone & (place < 2)) * 2 * inner;
        values |= second_side << (at ^ 8);
        pips ^= (inner ^ outer) << at;
        values = values & !(0xff << at) | value << at;
        let opens = match rules.arms {
            Arms::Both => self.bare == 1 << place,
            Arms::Immediate => double & (self.spinner == CLOSED) & (rules.spinner == Spinner::FirstDouble),
        };
        // Either the tile covers the spinner's second side, or it is the spinner: its pips were open here.
        let arms = if opens { inner * 0x101 } else { pips >> 16 };
        pips = pips & 0xffff | arms << 16;
        Ends { pips: pips.to_le_bytes(), values: values.to_le_bytes() }
    }

    /// Returns everything on the board that the rest of a stage depends on, in 45 bits: equal for boards that are
    /// mirror images of each other. It does not contain which tiles were played.
    #[inline]
    pub(super) fn mirrored(&self) -> u64 {
        let place = |at: usize| {
            let bare = u64::from(self.bare >> at & 1);
            u64::from(self.pips[at]) | u64::from(self.values[at]) << 4 | bare << 9
        };
        let mut places = [place(0), place(1), place(2), place(3)];
        if self.all_alike() {
            places.sort_unstable();
        } else {
            places[..2].sort_unstable();
            places[2..].sort_unstable();
        }
        let packed = places.iter().fold(0, |packed, place| packed << 10 | place);
        packed << 5 | u64::from(self.spinner) << 1 | u64::from(self.lone)
    }

    /// Returns the relevant state of a place in 12 bits: equal for places that are mirror images of each other.
    pub(super) fn kind_of(&self, end: End) -> u16 {
        if end == End::Start || self.is_empty() {
            return 0;
        }
        let at = end.place();
        let bare = u16::from(self.bare >> at & 1);
        // The two sides of a lone double are equivalent, although one of them has its value.
        let value = if self.lone && at < 2 { 0 } else { u16::from(self.values[at]) };
        let arm = u16::from(at > 1 && !self.all_alike());
        u16::from(self.pips[at]) | value << 4 | bare << 9 | arm << 10 | 1 << 11
    }

    /// Returns whether no place can open or begin to count any more, so that all four places are equivalent.
    fn all_alike(&self) -> bool {
        self.bare == 0 && self.spinner != CLOSED && !self.lone
    }

    /// Puts a tile on the table; it must fit there.
    #[inline]
    pub fn put(&mut self, rules: &Rules, tile: Tile, end: End) {
        self.played |= tile.into();
        if end == End::Start {
            self.put_first(rules, tile);
            return;
        }
        let place = end.place();
        let inner = self.pips[place];
        let outer = tile.beyond(inner);
        if self.lone && place < 2 {
            // Two sides of one end become two ends: the other one keeps the value of the double.
            self.lone = false;
            self.values[place ^ 1] = 2 * inner;
        }
        self.begun |= 1 << place;
        self.pips[place] = outer;
        self.values[place] = if inner == outer { 2 * outer } else { outer };
        if self.bare >> place & 1 == 1 {
            self.bare ^= 1 << place;
            if self.bare == 0 && rules.arms == Arms::Both {
                self.open_arms();
            }
        }
        if inner == outer && self.spinner == CLOSED && rules.spinner == Spinner::FirstDouble {
            self.make_spinner(rules, outer, 1 << place);
        }
        self.find_fits();
    }

    fn put_first(&mut self, rules: &Rules, tile: Tile) {
        self.pips[..2].copy_from_slice(&[tile.low(), tile.high()]);
        if tile.is_double() {
            self.lone = true;
            self.values[0] = tile.pips();
            if rules.spinner != Spinner::None {
                self.make_spinner(rules, tile.low(), 0b11);
            }
        } else {
            self.values[..2].copy_from_slice(&[tile.low(), tile.high()]);
        }
        self.find_fits();
    }

    fn make_spinner(&mut self, rules: &Rules, pips: u8, bare: u8) {
        self.spinner = pips;
        self.bare = bare;
        if rules.arms == Arms::Immediate {
            self.open_arms();
        }
    }

    fn open_arms(&mut self) {
        self.pips[2..].copy_from_slice(&[self.spinner; 2]);
    }

    fn find_fits(&mut self) {
        let [left, right, up, down] = self.pips.map(TileSet::touching);
        self.fits = left | right | up | down;
    }
}
