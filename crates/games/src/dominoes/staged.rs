//! A stage as a search sees it that knows both hands.

use parlor_core::{BySeat, Seat, Staged};

use super::Dominoes;
use super::state::{State, Step};
use super::tile::TileSet;

/// What the rest of a stage depends on. Boards that are mirror images of each other are one.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Rest {
    hands: [TileSet; 2],
    boneyard: TileSet,
    /// The board, who is to move, and whether it plays, draws or passes.
    table: u64,
    /// The scores in a contest, which ends as soon as one exceeds the target; 0 otherwise.
    scores: [u16; 2],
}

/// What winning a contest is worth beyond the points, as a share of the target.
const WON: f64 = 0.5;

/// How much of the difference between the hands' pips is thought to be scored in the end. A rule of thumb.
const PIPS: f64 = 0.4;

impl Staged for Dominoes {
    type Rest = Rest;

    const UNIT: &'static str = "points";

    #[inline]
    fn rest(&self, state: &State) -> Rest {
        let step = match state.step {
            Step::Lead => 0,
            Step::Deal => 1,
            Step::Draw => 2,
            Step::Play => 3,
            Step::Pass => 4,
            Step::Over => 5,
        };
        Rest {
            hands: state.hands.0,
            boneyard: state.boneyard,
            table: state.board.mirrored() << 4 | step << 1 | u64::from(state.turn.0),
            scores: if self.rules.target.is_some() { state.scores.0 } else { [0; 2] },
        }
    }

    /// Points; the winner of a contest is ahead by half the target more.
    #[inline]
    fn lead(&self, state: &State) -> f64 {
        let [first, second] = state.scores.0.map(f64::from);
        let lead = first - second;
        match self.rules.target {
            Some(target) if state.step == Step::Over && lead != 0.0 => {
                lead + WON * f64::from(target) * lead.signum()
            }
            _ => lead,
        }
    }

    /// Part of the difference in pips: whoever has fewer is likelier to score the rest.
    #[inline]
    fn outlook(&self, state: &State) -> f64 {
        let pips = BySeat(state.hands.0.map(|hand| f64::from(hand.pips())));
        PIPS * (pips[Seat::SECOND] - pips[Seat::FIRST])
    }
}
