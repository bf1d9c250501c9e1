//! A stage in the form of a search with open hands.

use parlor_core::{BySeat, Objective, Seat, Staged};

use super::Dominoes;
use super::afterstates::MOST_MARGIN;
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
    /// The scores in a contest, which ends as soon as one exceeds the target, and [`SECOND_LEADS`]; 0 otherwise.
    scores: [u16; 2],
}

/// A bit above every score: the second seat led the stage, and will lead the next one if equal hands block this one.
const SECOND_LEADS: u16 = 1 << 15;

/// The lead of a seat that has won a contest, where its result counts.
const ALL: f64 = 100.0;

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

    /// Returns whether the objective is the result of a contest.
    #[inline]
    fn plays_for_contest(&self, objective: Objective) -> bool {
        objective == Objective::Contest && self.rules.target.is_some()
    }

    /// Returns the lead of the first seat in points; the winner of a contest is ahead by half the target more.
    #[inline]
    fn points_ahead(&self, state: &State) -> f64 {
        let [first, second] = state.scores.0.map(f64::from);
        let lead = first - second;
        match self.rules.target {
            Some(target) if state.step == Step::Over && lead != 0.0 => {
                lead + WON * f64::from(target) * lead.signum()
            }
            _ => lead,
        }
    }

    /// Returns the expected result of a contest for the first seat. Within a stage only the scores count.
    #[inline]
    fn expected_result(&self, state: &State) -> f64 {
        let leader = match state.step {
            Step::Over => {
                let [first, second] = state.scores.0;
                return ALL * f64::from((i32::from(first) - i32::from(second)).signum());
            }
            Step::Lead | Step::Deal => state.leader,
            _ => None,
        };
        self.result_from(state.scores.0.map(f64::from), leader)
    }

    fn result_from(&self, scores: [f64; 2], leader: Option<Seat>) -> f64 {
        ALL * (2.0 * self.standings().wins(scores, leader) - 1.0)
    }

    /// Returns how many points the first seat is likely to gain on the second one by the end of the stage: a share of the difference in
    /// pips, for the seat with fewer is likelier to score the rest.
    #[inline]
    fn points_expected(&self, state: &State) -> f64 {
        let pips = BySeat(state.hands.0.map(|hand| f64::from(hand.pips())));
        PIPS * (pips[Seat::SECOND] - pips[Seat::FIRST])
    }
}

impl Staged for Dominoes {
    type Rest = Rest;

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
            scores: match (self.rules.target, state.leader) {
                (None, _) => [0; 2],
                (Some(_), Some(Seat::SECOND)) => [state.scores.0[0] | SECOND_LEADS, state.scores.0[1]],
                (Some(_), _) => state.scores.0,
            },
        }
    }

    fn unit(&self, objective: Objective) -> &'static str {
        if self.plays_for_contest(objective) {
            "expected result, -100 to 100"
        } else {
            "points ahead after the stage"
        }
    }

    fn prepare(&self, objective: Objective) {
        if self.plays_for_contest(objective) {
            self.standings();
        }
    }

    #[inline]
    fn lead(&self, objective: Objective, state: &State) -> f64 {
        if self.plays_for_contest(objective) { self.expected_result(state) } else { self.points_ahead(state) }
    }

    fn lead_of_result(&self, objective: Objective, result: f64) -> Option<f64> {
        match self.rules.target {
            None => Some(MOST_MARGIN * f64::from(self.all.pips()) * result),
            Some(_) => self.plays_for_contest(objective).then_some(ALL * result),
        }
    }

    /// Each play scores at most the highest possible count, and the end of the stage scores at most the pips of the
    /// other hand and of the boneyard.
    fn reach(&self, objective: Objective, state: &State) -> (f64, f64) {
        if self.plays_for_contest(objective) {
            let lead = self.expected_result(state);
            return (-ALL - lead, ALL - lead);
        }
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

    #[inline]
    fn outlook(&self, objective: Objective, state: &State) -> f64 {
        let points = self.points_expected(state);
        if !self.plays_for_contest(objective) || state.step == Step::Over {
            return points;
        }
        let [first, second] = state.scores.0.map(f64::from);
        let scores = [first + points.max(0.0), second + (-points).max(0.0)];
        self.result_from(scores, None) - self.expected_result(state)
    }
}
