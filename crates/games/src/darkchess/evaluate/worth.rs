//! Values of pieces, depending on the remaining pieces of the other side.

use super::super::board::Board;
use super::super::pieces::{Colour, Kind};
use super::weights::Weights;

/// Number of pieces of each colour and kind, face up or face down.
pub(super) type Counts = [[i32; 7]; 2];

/// Value of a piece of each colour and kind.
pub(super) type Worth = [[i32; 7]; 2];

/// Returns the number of pieces of each colour and kind, face up or face down.
#[inline]
pub(super) fn counts(board: &Board) -> Counts {
    Colour::ALL.map(|colour| {
        let pool = board.pool.word(colour).to_le_bytes();
        let up = board.colours[colour.index()];
        Kind::ALL.map(|kind| i32::from(pool[kind as usize]) + (board.of_kind(kind) & up).count_ones() as i32)
    })
}

/// Returns the value of a piece of each colour and kind, given the remaining pieces.
#[inline]
pub(super) fn worth(weights: &Weights, counts: &Counts) -> Worth {
    let base = weights.base.by_kind();
    Colour::ALL.map(|colour| {
        let foe = &counts[colour.other().index()];
        let all: i32 = foe.iter().sum();
        if all == 0 {
            return base.map(|base| base + weights.balance.sway);
        }
        let (prey, danger) = (prey(foe, all, weights.balance.reach), danger(foe, weights.balance.reach));
        let whole = 100 * all;
        std::array::from_fn(|kind| {
            // Shares are in percent of pieces; 1,600² times a weight of 2,000 would overflow in one step.
            let takes = prey[kind] * 1_000 / whole;
            let safe = (whole - danger[kind]) * 1_000 / whole;
            base[kind] + weights.balance.sway * takes / 1_000 * safe / 1_000
        })
    })
}

/// Returns the number of enemy pieces that each kind takes, in hundredths.
#[inline]
fn prey(foe: &[i32; 7], all: i32, reach: i32) -> [i32; 7] {
    let [pawn, cannon, knight, rook, minister, _, king] = *foe;
    let by_knight = pawn + cannon + knight;
    let by_rook = by_knight + rook;
    let by_minister = by_rook + minister;
    [
        100 * (pawn + king),
        reach * all,
        100 * by_knight,
        100 * by_rook,
        100 * by_minister,
        100 * (all - king),
        100 * (all - pawn),
    ]
}

/// Returns the number of enemy pieces that take each kind, in hundredths.
#[inline]
fn danger(foe: &[i32; 7], reach: i32) -> [i32; 7] {
    let [pawn, cannon, knight, rook, minister, guard, king] = *foe;
    let to_guard = guard + king;
    let to_minister = minister + to_guard;
    let to_rook = rook + to_minister;
    let to_knight = knight + to_rook;
    let steps = [pawn + to_knight - king, to_knight, to_knight, to_rook, to_minister, to_guard, king + pawn];
    steps.map(|steps| 100 * steps + reach * cannon)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prey_and_danger_follow_the_rules() {
        let mut rng = parlor_core::Rng::new(3);
        for _ in 0..200 {
            let foe: [i32; 7] = Kind::ALL.map(|kind| rng.below(u32::from(kind.count()) + 1) as i32);
            let all = foe.iter().sum();
            let (prey, danger) = (prey(&foe, all, 40), danger(&foe, 40));
            for kind in Kind::ALL {
                let share = |taker: Kind, taken: Kind| match taker {
                    Kind::Cannon => 40,
                    _ => 100 * i32::from(taker.takes(taken)),
                };
                let (mut takes, mut taken) = (0, 0);
                for other in Kind::ALL {
                    takes += foe[other as usize] * share(kind, other);
                    taken += foe[other as usize] * share(other, kind);
                }
                assert_eq!((prey[kind as usize], danger[kind as usize]), (takes, taken), "{kind:?} {foe:?}");
            }
        }
    }
}
