//! Distance of hunters from their prey: turns a won endgame into a win before the draw rule ends it.

use super::super::pieces::Kind;
use super::super::squares::{FILES, RANKS, SQUARES, Set, Square};
use super::Side;
use super::exchange::step_takers;

/// The number of steps from one corner to the opposite one.
const FARTHEST: usize = (FILES + RANKS) as usize - 2;

/// For each square and number of steps, the squares at that distance.
static RINGS: [[Set; FARTHEST + 1]; SQUARES] = {
    let mut rings = [[0; FARTHEST + 1]; SQUARES];
    let mut i = 0;
    while i < SQUARES * SQUARES {
        let (one, other) = (Square::new((i / SQUARES) as u8), Square::new((i % SQUARES) as u8));
        let steps = one.file().abs_diff(other.file()) + one.rank().abs_diff(other.rank());
        rings[i / SQUARES][steps as usize] |= 1 << (i % SQUARES);
        i += 1;
    }
    rings
};

impl Side<'_> {
    /// Returns the value of this side's hunters near their prey.
    ///
    /// A piece that takes another without being taken in turn hunts it. Of two equal pieces the one hunts whose
    /// distance has the right parity: every step changes the parity of the distance, so a distance that is odd when
    /// one side is to move stays odd at its turns as long as only these two pieces move, and only an odd distance can
    /// become 1.
    pub(super) fn hunt(&self) -> i32 {
        let board = self.board;
        let weights = &self.weights.hunt;
        let bare = board.dark() == 0;
        let a_step = if bare { weights.bare } else { weights.veiled };
        let to_move = board.mover == self.colour;
        let mut gained = 0;
        for kind in Kind::ALL {
            let mut prey = board.of_kind(kind) & board.colours[self.colour.other().index()];
            if prey == 0 {
                continue;
            }
            let equals = if kind == Kind::Cannon { 0 } else { board.of_kind(kind) & self.own() };
            let takers = step_takers(board, self.colour, kind);
            while prey != 0 {
                let rings = &RINGS[prey.trailing_zeros() as usize];
                prey &= prey - 1;
                let (mut first, mut share) = (true, 100);
                for (steps, ring) in rings.iter().enumerate().skip(1) {
                    let right_parity = (steps % 2 == 1) == to_move;
                    let hunters = if right_parity { takers } else { takers & !equals };
                    let mut found = (hunters & ring).count_ones();
                    if first && found > 0 && bare && right_parity {
                        gained += weights.parity;
                    }
                    while found > 0 && share > 0 {
                        gained += a_step * (FARTHEST - steps) as i32 * share / 100;
                        share = if first { weights.second } else { 0 };
                        (first, found) = (false, found - 1);
                    }
                    if share == 0 {
                        break;
                    }
                }
            }
        }
        gained
    }
}
