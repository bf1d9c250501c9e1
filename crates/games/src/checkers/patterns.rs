//! Patterns of men, and kings, moves and material, as entries of one table of weights: for the learner `ntuple` and for searches.
//!
//! Patterns of men only, by phase of the match, follow F. Letouzey's *Scan* and E. Gilbert's *KingsRow*.

use parlor_core::{Afterstates, CodecInfo, Game, Phase, Positions, Reversible, Rng};

use super::{Board, Checkers, Move, RED};
use crate::board::bits::Word;

/// Rows of a block. A block has two dark squares in each.
const BLOCK_ROWS: u32 = 4;

/// Placements of men on eight squares, each of them empty, own or the other side's.
const PLACEMENTS: u32 = 3_u32.pow(8);

/// Phases of a match, see [`Checkers::phase_of`].
const PHASES: u32 = 4;

/// Larger numbers count as these.
const MOST_MEN: u32 = 15;
const MOST_KINGS: u32 = 3;
const MOST_STEPS: u32 = 11;
const MOST_JUMPS: u32 = 3;

/// The greatest number of random moves before a match of self-play.
const OPENING: u32 = 12;

/// The number whose digits to base 3 are the bits of the index.
static TERNARY: [u16; 256] = ternary();

const fn ternary() -> [u16; 256] {
    let mut numbers = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut digit, mut power) = (0, 1);
        while digit < 8 {
            if bits >> digit & 1 == 1 {
                numbers[bits] += power;
            }
            (digit, power) = (digit + 1, power * 3);
        }
        bits += 1;
    }
    numbers
}

/// Where the entries of each kind begin.
///
/// ```text
/// for each phase    blocks: four rows of two dark squares, every second row, every dark square
///                   bands: two neighbouring rows, and the two outermost, on boards with at most 8 columns
///                   own kings by square, other kings by square
///                   possible steps of own pieces × of other pieces, were there no jumps
///                   possible jumps of own pieces × of other pieces
/// for all phases    own men × other men × own kings × other kings
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Patterns {
    /// Positions of a block from bottom to top and from left to right.
    blocks: [u32; 2],
    bands: u32,
    kings: u32,
    steps: u32,
    jumps: u32,
    /// The entries of a phase.
    phase: u32,
    material: u32,
    entries: u32,
    /// Pieces at the start.
    pieces: u32,
}

impl<W: Word> Checkers<W> {
    fn patterns(&self) -> Patterns {
        let rows = u32::from(self.rows);
        let blocks = [rows / 2 - 1, self.half - 1];
        let bands = if self.half <= 4 { rows } else { 0 };
        let kings = (blocks[0] * blocks[1] + bands) * PLACEMENTS;
        let steps = kings + 2 * self.bits();
        let jumps = steps + (MOST_STEPS + 1).pow(2);
        let phase = jumps + (MOST_JUMPS + 1).pow(2);
        let material = PHASES * phase;
        let entries = material + (MOST_MEN + 1).pow(2) * (MOST_KINGS + 1).pow(2);
        let pieces = 2 * (rows / 2 - 1) * self.half;
        Patterns { blocks, bands, kings, steps, jumps, phase, material, entries, pieces }
    }

    /// Returns the phase: more than two thirds of the pieces, without kings; fewer; with kings, more than a third of the pieces; fewer.
    #[inline]
    fn phase_of(layout: &Patterns, pieces: u32, has_kings: bool) -> u32 {
        if has_kings {
            2 + u32::from(3 * pieces <= layout.pieces)
        } else {
            u32::from(3 * pieces <= 2 * layout.pieces)
        }
    }

    /// Calls `visit` with every active entry for the seat that is not to move.
    #[inline(always)]
    pub(super) fn each_entry(&self, layout: &Patterns, board: &Board<W>, mut visit: impl FnMut(u32)) {
        // Step 1. Turn the board so that the seat that is not to move sits at the bottom.
        let turned = Self::turned(board);
        let Board { mut own, mut other, mut kings, .. } = turned;
        if turned.to_move != RED {
            [own, other, kings] = [own, other, kings].map(|set| set.reversed(self.bits()));
        }
        let base = layout.phase * Self::phase_of(layout, (own | other).len(), !kings.is_empty());

        // Step 2. Patterns of men.
        let (men, other_men) = (own & !kings, other & !kings);
        let mut at = base;
        let mut pattern = |own: u32, other: u32| {
            let digits = |bits: u32| u32::from(TERNARY[(bits & 0xff) as usize]);
            visit(at + digits(own) + 2 * digits(other));
            at += PLACEMENTS;
        };
        if (self.rows, self.half) == (8, 4) {
            usual_patterns(men.low() as u64, other_men.low() as u64, pattern);
        } else {
            let row = |set: W, row: u32| {
                let first = row / 2 * (2 * self.half + 1) + row % 2 * (self.half + 1);
                (set >> first & W::first(self.half)).low() as u32
            };
            for column in 0..layout.blocks[1] {
                for first in 0..layout.blocks[0] {
                    let [own, other] = [men, other_men].map(|men| {
                        let pair = |n| (row(men, 2 * first + n) >> column & 0b11) << (2 * n);
                        (0..BLOCK_ROWS).fold(0, |bits, n| bits | pair(n))
                    });
                    pattern(own, other);
                }
            }
            for first in 0..layout.bands {
                let second = if first + 1 == layout.bands { 0 } else { first + 1 };
                let [own, other] = [men, other_men]
                    .map(|men| row(men, first.min(second)) | row(men, first.max(second)) << self.half);
                pattern(own, other);
            }
        }

        // Step 3. Kings, possible moves, material.
        let (own_kings, other_kings) = (own & kings, other & kings);
        for square in own_kings.cells() {
            visit(base + layout.kings + square);
        }
        for square in other_kings.cells() {
            visit(base + layout.kings + self.bits() + square);
        }
        let pair = |own: u32, other: u32, most: u32| own.min(most) * (most + 1) + other.min(most);
        visit(base + layout.steps + pair(self.quiet_steps(&turned), self.quiet_steps(board), MOST_STEPS));
        visit(base + layout.jumps + pair(self.jumps(&turned), self.jumps(board), MOST_JUMPS));
        let kings = pair(own_kings.len(), other_kings.len(), MOST_KINGS);
        visit(layout.material + pair(men.len(), other_men.len(), MOST_MEN) * (MOST_KINGS + 1).pow(2) + kings);
    }
}

/// Calls `pattern` with the men of each pattern of the usual board, as the general code does with shifts and masks for each row: three
/// blocks, one above the other, fall out of one word that holds both sides.
#[inline(always)]
fn usual_patterns(men: u64, other_men: u64, mut pattern: impl FnMut(u32, u32)) {
    // Four bits a row, without the ghosts.
    let rows = |set: u64| {
        set & 0xf | set >> 1 & 0xff0 | set >> 2 & 0xf_f000 | set >> 3 & 0xff0_0000 | set >> 4 & 0xf000_0000
    };
    let both = rows(men) | rows(other_men) << 32;
    for column in 0..3 {
        let pairs = both >> column & 0x3333_3333_3333_3333;
        let two_rows = (pairs | pairs >> 2) & 0x0f0f_0f0f_0f0f_0f0f;
        let four_rows = two_rows | two_rows >> 4;
        for block in 0..3 {
            pattern((four_rows >> (8 * block)) as u32, (four_rows >> (32 + 8 * block)) as u32);
        }
    }
    for first in 0..7 {
        pattern((both >> (4 * first)) as u32, (both >> (32 + 4 * first)) as u32);
    }
    let outermost = both & 0xf_0000_000f | (both & 0xf000_0000_f000_0000) >> 24;
    pattern(outermost as u32, (outermost >> 32) as u32);
}

impl<W: Word> Afterstates for Checkers<W> {
    type Layout = Patterns;
    type Scratch = ();

    const LAYOUTS: &'static [CodecInfo] = &[CodecInfo {
        name: "patterns",
        summary: "placements of men on overlapping blocks of eight squares, kings by square, possible moves, material",
    }];

    fn table_layout(&self, _: &str) -> Result<Patterns, String> {
        Ok(self.patterns())
    }

    fn layout_meaning(&self, _: &Patterns) -> String {
        self.meaning()
    }

    fn entries(&self, layout: &Patterns) -> usize {
        layout.entries as usize
    }

    fn most_active(&self, layout: &Patterns) -> usize {
        // All pieces may be kings, and positions can be set up with a piece on every square.
        (layout.blocks[0] * layout.blocks[1] + layout.bands + 3 + self.squares.len()) as usize
    }

    #[inline]
    fn active(&self, layout: &Patterns, board: &Board<W>, action: Move, out: &mut Vec<u32>) {
        let mut next = *board;
        self.apply(&mut next, action);
        self.each_entry(layout, &next, |entry| out.push(entry));
    }

    #[inline]
    fn sums(
        &self,
        layout: &Patterns,
        (): &mut (),
        weights: &[f32],
        board: &Board<W>,
        actions: &[Move],
        out: &mut Vec<f32>,
    ) {
        out.clear();
        for &action in actions {
            if let Some(value) = self.known(layout, board, action) {
                out.push(if value > 0.0 { f32::INFINITY } else { 0.0 });
                continue;
            }
            let (mut next, mut sum) = (*board, 0.0);
            self.apply(&mut next, action);
            self.each_entry(layout, &next, |entry| sum += weights[entry as usize]);
            out.push(sum);
        }
    }

    /// The result of a move that ends the match.
    #[inline]
    fn known(&self, _: &Patterns, board: &Board<W>, action: Move) -> Option<f32> {
        let mut next = *board;
        self.apply(&mut next, action);
        (self.phase(&next) == Phase::Over).then(|| self.payoffs(&next).of(board.to_move) as f32)
    }

    fn alternates(&self) -> bool {
        true
    }

    /// A position after random moves, a few of them at the most.
    fn opening(&self, _: &Patterns, rng: &mut Rng) -> Board<W> {
        let mut board = self.start();
        for _ in 0..rng.below(OPENING + 1) {
            let mut next = board;
            let action = self.pick(&board, rng);
            self.apply(&mut next, action);
            if self.phase(&next) == Phase::Over {
                break;
            }
            board = next;
        }
        board
    }
}

impl<W: Word> Positions for Checkers<W> {
    #[inline]
    fn position_sum(&self, layout: &Patterns, weights: &[f32], board: &Board<W>) -> f32 {
        let mut sum = 0.0;
        self.each_entry(layout, board, |entry| sum += weights[entry as usize]);
        sum
    }
}
