//! Boards as inputs of a net: own men, own kings, other men, other kings, a word each, seen from the home of the side to move.

use parlor_core::NetInputs;
use parlor_core::rules::net_inputs::{Inputs, WORDS};

use super::{Board, Checkers, RED};
use crate::board::bits::Word;

/// Bits of a word of inputs, and so of the largest board.
const MOST_BITS: u32 = u64::BITS;

/// With at most this many twelfths of the pieces that a match begins with, it is in its last stages.
const FEW_TWELFTHS: u32 = 5;
const FEWEST_TWELFTHS: u32 = 3;

impl<W: Word> NetInputs for Checkers<W> {
    /// Without kings; with kings; at most five twelfths of the pieces; at most a quarter.
    const STAGES: usize = 4;

    fn inputs_meaning(&self) -> Option<String> {
        (self.bits() <= MOST_BITS).then(|| format!("checkers {}x{} men kings", self.rows, self.columns))
    }

    fn inputs(&self) -> usize {
        WORDS * MOST_BITS as usize
    }

    #[inline]
    fn active_inputs(&self, board: &Board<W>) -> Inputs {
        let sets = [
            board.own & !board.kings,
            board.own & board.kings,
            board.other & !board.kings,
            board.other & board.kings,
        ];
        sets.map(|set| (if board.to_move == RED { set } else { self.rotated(set) }).low() as u64)
    }

    #[inline]
    fn input_side(&self, board: &Board<W>) -> usize {
        board.to_move.index()
    }

    #[inline]
    fn input_stage(&self, board: &Board<W>) -> usize {
        let pieces = (board.own | board.other).len();
        let all = u32::from(self.rows / 2 - 1) * u32::from(self.columns);
        if 12 * pieces <= FEWEST_TWELFTHS * all {
            3
        } else if 12 * pieces <= FEW_TWELFTHS * all {
            2
        } else {
            usize::from(!board.kings.is_empty())
        }
    }
}

#[cfg(test)]
mod tests {
    use parlor_core::{Game, Phase, Rng};

    use super::super::Options;
    use super::*;

    #[test]
    fn both_sides_see_the_same_board() {
        let game = Checkers::<u64>::new(8, 8, Options::default()).unwrap();
        let mut stages = [0; 4];
        for seed in 0..50 {
            let (mut board, mut rng) = (game.start(), Rng::new(seed));
            while let Phase::Decide(_) = game.phase(&board) {
                let exchanged = Board {
                    own: game.rotated(board.own),
                    other: game.rotated(board.other),
                    kings: game.rotated(board.kings),
                    to_move: board.to_move.other(),
                    idle: board.idle,
                };
                let inputs = game.active_inputs(&board);
                assert_eq!(inputs, game.active_inputs(&exchanged));
                let pieces = (board.own | board.other).len();
                assert_eq!(inputs.iter().map(|word| word.count_ones()).sum::<u32>(), pieces);
                assert_eq!(game.input_stage(&board), game.input_stage(&exchanged));
                stages[game.input_stage(&board)] += 1;
                let action = game.pick(&board, &mut rng);
                game.apply(&mut board, action);
            }
        }
        assert!(stages.iter().all(|&count| count > 0), "{stages:?}");
        assert_eq!(Checkers::<u128>::new(12, 12, Options::default()).unwrap().inputs_meaning(), None);
    }
}
