//! A stage in the form of a search with open hands.

use parlor_core::{BySeat, Seat, Staged};

use super::Dominoes;
use super::rules::Spinner;
use super::state::{State, Step};
use super::tile::TileSet;

/// Everything that the rest of a stage depends on. Boards that are mirror images of each other are equal.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Rest {
    hands: [TileSet; 2],
    boneyard: TileSet,
    /// The board, the seat to move, and whether it plays, draws or passes.
    table: u64,
    /// The scores in a contest, which ends as soon as one exceeds the target; 0 otherwise.
    scores: [u16; 2],
}

/// The value of winning a contest beyond the points, as a share of the target.
const WON: f64 = 0.5;

/// Share of the difference between the hands' pips that is expected to be scored in the end. A rule of thumb.
const PIPS: f64 = 0.4;

/// Largest excess of a bonus in fives over the pips.
const ROUNDED_UP: f64 = 2.0;

impl Dominoes {
    /// Returns an upper bound of the board count of any play in the stage, rounded down to a count that scores: the
    /// sum of the highest ends that are open or may come.
    fn highest_count(&self, state: &State) -> u8 {
        if !self.rules.fives {
            return 0;
        }
        let ends = if self.rules.spinner == Spinner::None { 2 } else { 4 };
        let mut highest = [0_u8; 4];
        let mut offer = |mut value: u8| {
            for place in &mut highest[..ends] {
                if value > *place {
                    std::mem::swap(&mut value, place);
                }
            }
        };
        for open in state.board.open() {
            offer(open.value);
        }
        for tile in (state.hands[Seat::FIRST] | state.hands[Seat::SECOND] | state.boneyard).tiles() {
            offer(if tile.is_double() { tile.pips() } else { tile.high() });
        }
        highest.iter().sum::<u8>() / 5 * 5
    }
}

impl Staged for Dominoes {
    type Rest = Rest;

    const UNIT: &'static str = "points ahead after the stage";

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

    /// In points; the winner of a contest is ahead by half the target more.
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

    /// Each play scores at most the highest possible count, and the end of the stage scores at most the pips of the
    /// other hand and of the boneyard.
    fn reach(&self, state: &State) -> (f64, f64) {
        let dealing = matches!(state.step, Step::Lead | Step::Deal);
        let drawn = if dealing { state.bones } else { state.bones.saturating_sub(self.rules.reserve) };
        let a_play = f64::from(self.highest_count(state));
        let won = self.rules.target.map_or(0.0, |target| WON * f64::from(target));
        let most = |seat: Seat| {
            let plays = f64::from(state.hands[seat].len() + drawn);
            let pips = (state.hands[seat.other()] | state.boneyard).pips();
            plays * a_play + f64::from(pips) + ROUNDED_UP + won
        };
        (-most(Seat::SECOND), most(Seat::FIRST))
    }

    /// A share of the difference in pips: the seat with fewer is likelier to score the rest.
    #[inline]
    fn outlook(&self, state: &State) -> f64 {
        let pips = BySeat(state.hands.0.map(|hand| f64::from(hand.pips())));
        PIPS * (pips[Seat::SECOND] - pips[Seat::FIRST])
    }
}
