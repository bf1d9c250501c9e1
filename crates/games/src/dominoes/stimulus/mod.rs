//! Codes of a seat's knowledge for the collective learner: the feature vectors of "Dominating Dominoes".
//!
//! The source uses one bit for each pip value that an end could have. Here an end is a small number with the same
//! content: double-six `lsp2` has 12 bits instead of 30. Fields lie from the lowest bit up, in double-six and with
//! `arms=both`:
//!
//! ```text
//! lsp2       left right up down               3 bits each; all ones = closed
//! gsp1       lsp2, then a bit for each pip value 0 … 6: two or more in hand
//! gsp3       lsp2, then 3 bits for each pip value 0 … 6: how many in hand, 7 = or more
//! gsp2       a bit for each pip value 0 … 6: on an end; then likewise: in hand
//! baseline   left right up down               5 bits each, see `scored`
//! enhanced   baseline, then own tiles (1, 3), then the other's (2, 3), 5 bits each
//! ```
//!
//! With `arms=immediate` the ends of `baseline` are sorted, because that matches the size of the source's tables;
//! with `spinner=none` there are no arms.

mod outlook;
mod steps;
mod words;

use parlor_core::{BySeat, CodecInfo, Stimulus, no_such_codec};

use super::Dominoes;
use super::board::{CLOSED, Ends};
use super::rules::{Arms, Spinner};
use super::state::Action;
use super::tile::{MAX_PIPS, Tile, TileSet};
use super::view::View;

/// The content of a code.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Content {
    /// The pips of each end.
    Ends,
    /// Also which pips are in hand twice or more.
    EndsAndPairs,
    /// Also how often each pip is in hand.
    EndsAndCounts,
    /// Which pips are on some end, and which in hand.
    Presence,
    /// The pips and the value of each end; optionally the number of tiles of the seat itself and of the other.
    Scores { own: bool, other: bool },
}

/// One of the source's feature vectors, laid out for the rules of one game.
///
/// Knowledge files store its `Debug` text (see `Stimulus::meaning`), so its field and variant names must not change.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Vector {
    holds: Content,
    /// The highest pips of the set.
    set: u8,
    /// Number of places that can be open: 2 without a spinner, else 4.
    places: u8,
    /// Whether ends are in the order of their codes, not by place.
    sorted: bool,
    /// The bits of one end.
    end_bits: u32,
    /// The bits of a number of tiles.
    tiles_bits: u32,
}

// The pips of a closed place are one bits in all bits that an end can have.
const _: () = assert!(CLOSED == (1 << bits_for(MAX_PIPS + 1)) - 1);

/// One of the codecs.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Codec {
    /// A feature vector of the source.
    Vector(Vector),
    /// Our own: score, remaining hand and next options of a play.
    Outlook,
}

/// Number of bits of the count of a pip in `gsp3`.
const COUNT_BITS: u32 = 3;

/// The largest count of a pip in `gsp3`; it stands for this number or more.
const MAX_COUNTED: u8 = (1 << COUNT_BITS) - 1;

/// Returns the bits that the numbers 0 … `most` need.
const fn bits_for(most: u8) -> u32 {
    8 - most.leading_zeros()
}

/// Returns the code of an open end with its value; 0 for a closed one.
///
/// An end of `p` pips counts 0 (an arm without tiles, the second side of a lone double), `p` or `2p`. So the pairs can be
/// numbered without gaps, in order: 1 is (0, 0), and then 3 numbers for each `p`, 2 … 3·set + 1.
#[inline]
const fn scored(pips: u8, value: u8) -> u64 {
    if pips == CLOSED {
        return 0;
    }
    let halves = (value > 0) as u64 + (value > pips) as u64;
    let number = 3 * pips as u64 + halves;
    if number < 2 { 1 } else { number - 1 }
}

/// Returns the pips and the value of a [`scored`] number; accepts any number.
const fn unscored(number: u64) -> (u8, u8) {
    match number {
        0 => (CLOSED, 0),
        1 => (0, 0),
        _ => {
            let pips = ((number + 1) / 3) as u8;
            (pips, (number + 1) as u8 % 3 * pips)
        }
    }
}

/// Sorts four numbers without branches.
#[inline]
fn sort([a, b, c, d]: [u64; 4]) -> [u64; 4] {
    let (a, b) = (a.min(b), a.max(b));
    let (c, d) = (c.min(d), c.max(d));
    let (a, c) = (a.min(c), a.max(c));
    let (b, d) = (b.min(d), b.max(d));
    [a, b.min(c), b.max(c), d]
}

/// Returns whether `pips` are in hand twice or more; a double has them twice.
#[inline]
fn twice(hand: TileSet, pips: u8) -> bool {
    let halves = hand & TileSet::touching(pips);
    halves.len() > 1 || Tile::new(pips, pips).is_some_and(|double| halves.contains(double))
}

/// Returns how often `pips` are in hand, at most [`MAX_COUNTED`]; a double has them twice.
#[inline]
fn counted(hand: TileSet, pips: u8) -> u8 {
    let halves = hand & TileSet::touching(pips);
    let double = Tile::new(pips, pips).is_some_and(|double| halves.contains(double));
    (halves.len() + u8::from(double)).min(MAX_COUNTED)
}

impl Vector {
    /// Returns the code of the ends, the hand and the number of tiles of the other seat.
    #[inline]
    fn code(self, ends: Ends, hand: TileSet, other: u8) -> u128 {
        if self.holds == Content::Ends {
            // The default codec, with the longest trainings: skip everything else.
            return u128::from(self.code_of_pips(ends.pips));
        }
        let on_table = self.code_of_ends(ends);
        let rest = match self.holds {
            Content::Ends => 0,
            Content::EndsAndPairs => self.each(1, |pips| u64::from(twice(hand, pips))),
            Content::EndsAndCounts => self.each(COUNT_BITS, |pips| u64::from(counted(hand, pips))),
            Content::Presence => self.each(1, |pips| u64::from(!(hand & TileSet::touching(pips)).is_empty())),
            Content::Scores { own, other: others } => {
                let mine = if own { u64::from(hand.len()) } else { 0 };
                let theirs = if others { u64::from(other) } else { 0 };
                mine | theirs << if own { self.tiles_bits } else { 0 }
            }
        };
        u128::from(on_table | rest << self.width_of_ends())
    }

    /// Returns the part of a code that describes the table.
    #[inline]
    fn code_of_ends(self, ends: Ends) -> u64 {
        let numbers = match self.holds {
            Content::Presence => {
                let [left, right, up, down] = ends.pips.map(|pips| 1u64 << pips);
                return (left | right | up | down) & !(1 << CLOSED);
            }
            Content::Scores { .. } => {
                let [left, right, up, down] = [0, 1, 2, 3].map(|at| scored(ends.pips[at], ends.values[at]));
                let by_place = [left, right, up, down];
                match (self.sorted, self.places) {
                    (false, _) => by_place,
                    (true, 2) => [left.min(right), left.max(right), 0, 0],
                    (true, _) => sort(by_place),
                }
            }
            _ => return self.code_of_pips(ends.pips),
        };
        let [first, second, third, fourth] = numbers;
        let line = first | second << self.end_bits;
        let arms = if self.places == 2 { 0 } else { third | fourth << self.end_bits };
        line | arms << (2 * self.end_bits)
    }

    /// Returns the pips of each place as a field of [`Vector::end_bits`]; all ones where it is closed.
    #[inline]
    fn code_of_pips(self, pips: [u8; 4]) -> u64 {
        // The low bits of CLOSED are ones. Step 1: bytes to fields, in pairs. Step 2: the two pairs side by side.
        let bits = self.end_bits;
        let fields = u32::from_le_bytes(pips) & (((1 << bits) - 1) * 0x0101_0101);
        let pairs = fields & 0x00ff_00ff | (fields & 0xff00_ff00) >> (8 - bits);
        let arms = if self.places == 2 { 0 } else { u64::from(pairs >> 16) };
        u64::from(pairs & 0xffff) | arms << (2 * bits)
    }

    /// Returns a field of `bits` for each pip value.
    #[inline]
    fn each(self, bits: u32, field: impl Fn(u8) -> u64) -> u64 {
        (0..=self.set).fold(0, |fields, pips| fields | field(pips) << (bits * u32::from(pips)))
    }

    /// Returns the number of bits of the part of a code that describes the table.
    #[inline]
    fn width_of_ends(self) -> u32 {
        match self.holds {
            Content::Presence => u32::from(self.set) + 1,
            _ => u32::from(self.places) * self.end_bits,
        }
    }

    /// Returns the number of bits of a code.
    fn width(self) -> u32 {
        let values = u32::from(self.set) + 1;
        let rest = match self.holds {
            Content::Ends => 0,
            Content::EndsAndPairs | Content::Presence => values,
            Content::EndsAndCounts => COUNT_BITS * values,
            Content::Scores { own, other } => self.tiles_bits * (u32::from(own) + u32::from(other)),
        };
        self.width_of_ends() + rest
    }

    /// Returns the part of a code that describes the table.
    fn table_part(self, code: u128) -> u64 {
        code as u64 & ((1 << self.width_of_ends()) - 1)
    }

    /// Returns the part of a code that describes hands.
    fn hand_part(self, code: u128) -> u64 {
        code as u64 >> self.width_of_ends()
    }

    /// Returns the field of `pips` in a part that has one of `bits` for each pip value.
    fn field(self, part: u64, bits: u32, pips: u8) -> u8 {
        (part >> (bits * u32::from(pips)) & ((1 << bits) - 1)) as u8
    }

    /// Returns the ends that a code describes; values are 0 if it has none. Not for [`Content::Presence`].
    fn ends(self, code: u128) -> Ends {
        let mut ends = Ends { pips: [CLOSED; 4], values: [0; 4] };
        for place in 0..usize::from(self.places) {
            let number = code as u64 >> (place as u32 * self.end_bits) & ((1 << self.end_bits) - 1);
            (ends.pips[place], ends.values[place]) = match self.holds {
                Content::Scores { .. } => unscored(number),
                _ if number > u64::from(self.set) => (CLOSED, 0),
                _ => (number as u8, 0),
            };
        }
        ends
    }

    /// Returns the number of tiles of the seat itself and of the other, if the code contains them.
    fn tiles(self, code: u128) -> [Option<u8>; 2] {
        let Content::Scores { own, other } = self.holds else { return [None; 2] };
        let mut rest = self.hand_part(code);
        [own, other].map(|told| {
            told.then(|| {
                let tiles = rest & ((1 << self.tiles_bits) - 1);
                rest >>= self.tiles_bits;
                tiles as u8
            })
        })
    }

    /// Returns whether a code describes an empty table.
    fn is_opening(self, code: u128) -> bool {
        match self.holds {
            Content::Presence => self.table_part(code) == 0,
            _ => self.ends(code).pips == [CLOSED; 4],
        }
    }
}

impl Stimulus for Dominoes {
    type Codec = Codec;

    const CODECS: &'static [CodecInfo] = &[
        CodecInfo { name: "lsp2", summary: "the pips at each of the four ends" },
        CodecInfo { name: "gsp1", summary: "lsp2, and which pips are in hand twice or more" },
        CodecInfo { name: "gsp2", summary: "which pips are on an end, and which in hand" },
        CodecInfo { name: "gsp3", summary: "lsp2, and how often each pip is in hand" },
        CodecInfo { name: "baseline", summary: "the pips at each end and what the end counts" },
        CodecInfo { name: "enhanced1", summary: "baseline, and how many tiles are in hand" },
        CodecInfo { name: "enhanced2", summary: "baseline, and how many tiles the other seat holds" },
        CodecInfo { name: "enhanced3", summary: "baseline, and how many tiles each seat holds" },
        CodecInfo {
            name: "outlook",
            summary: "what a play scores, what is left in hand, and what may come next",
        },
    ];

    fn codec(&self, name: &str) -> Result<Codec, String> {
        let holds = match name {
            "lsp2" => Content::Ends,
            "gsp1" => Content::EndsAndPairs,
            "gsp2" => Content::Presence,
            "gsp3" => Content::EndsAndCounts,
            "baseline" => Content::Scores { own: false, other: false },
            "enhanced1" => Content::Scores { own: true, other: false },
            "enhanced2" => Content::Scores { own: false, other: true },
            "enhanced3" => Content::Scores { own: true, other: true },
            "outlook" => return Ok(Codec::Outlook),
            _ => return Err(no_such_codec(name, Self::CODECS)),
        };
        let scores = matches!(holds, Content::Scores { .. });
        let set = self.rules.set;
        Ok(Codec::Vector(Vector {
            holds,
            set,
            places: if self.rules.spinner == Spinner::None { 2 } else { 4 },
            sorted: scores && self.rules.arms == Arms::Immediate,
            end_bits: bits_for(if scores { 3 * set + 1 } else { set + 1 }),
            tiles_bits: bits_for(self.all.len()),
        }))
    }

    fn width(&self, codec: Codec) -> u32 {
        match codec {
            Codec::Vector(vector) => vector.width(),
            Codec::Outlook => outlook::WIDTH,
        }
    }

    #[inline]
    fn stimulant(&self, codec: Codec, view: &View) -> u128 {
        match codec {
            Codec::Vector(vector) => vector.code(view.board.ends(), view.hand, view.other),
            Codec::Outlook => outlook::before(view),
        }
    }

    /// A pass changes neither the table nor the hand.
    #[inline]
    fn respondent(&self, codec: Codec, view: &View, action: Action) -> u128 {
        let Action::Play(tile, end) = action else { return self.stimulant(codec, view) };
        match codec {
            Codec::Vector(vector) => {
                let ends = view.board.ends_after(&self.rules, tile, end);
                vector.code(ends, view.hand - tile.into(), view.other)
            }
            Codec::Outlook => self.outlook(view, tile, end),
        }
    }

    fn is_transition(&self, action: Action) -> bool {
        matches!(action, Action::Play(..))
    }

    fn points_so_far(&self, view: &View) -> BySeat<f64> {
        BySeat(view.scores.0.map(f64::from))
    }

    fn in_words(&self, codec: Codec, code: u128) -> String {
        match codec {
            Codec::Vector(vector) => vector.in_words(code),
            Codec::Outlook => outlook::in_words(code),
        }
    }

    fn step_in_words(&self, codec: Codec, from: u128, to: u128) -> String {
        match codec {
            Codec::Vector(vector) => self.step(vector, from, to),
            Codec::Outlook => outlook::in_words(to),
        }
    }

    fn is_opening(&self, codec: Codec, code: u128) -> bool {
        match codec {
            Codec::Vector(vector) => vector.is_opening(code),
            Codec::Outlook => code == outlook::OPENING,
        }
    }
}
