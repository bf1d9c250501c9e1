//! Features of play: how much a side builds its own lines, and how much it gets in the way of the other side's.
//!
//! A turn is one cell taken.

use parlor_core::{Actor, BySeat, FeatureInfo, Features, Game, Seat, Sight};

use super::{Board, Cell, TicTacToe};

/// Number of features.
const COUNT: usize = 5;

/// What one side has done so far.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
struct Turns {
    turns: u32,
    points: u32,
    extended: u32,
    denied: u32,
    spoiled: u32,
    /// The features of the last turn.
    features: [f64; COUNT],
}

/// What an observer has counted at the board.
#[derive(Clone, PartialEq, Debug)]
pub struct Tracker {
    board: Board,
    seats: BySeat<Turns>,
}

impl Features for TicTacToe {
    type Tracker = Tracker;

    const FEATURES: &'static [FeatureInfo] = &[
        FeatureInfo {
            name: "points_per_turn",
            summary: "threes completed so far / turns so far",
            whole: false,
        },
        FeatureInfo {
            name: "extended_per_turn",
            summary: "own open windows with one cell that got a second so far / turns so far",
            whole: false,
        },
        FeatureInfo {
            name: "denied_per_turn",
            summary: "windows with two cells of the other side that were closed so far / turns so far",
            whole: false,
        },
        FeatureInfo {
            name: "spoiled_per_turn",
            summary: "windows with one cell of the other side that were closed so far / turns so far",
            whole: false,
        },
        FeatureInfo {
            name: "windows_opened",
            summary: "untouched windows through the cell of this turn",
            whole: true,
        },
    ];

    const STYLES: &'static [&'static str] = &["random", "attack", "block"];

    /// Each style meets each, as in dominoes: the first seat changes fastest.
    const PAIRINGS: &'static [[usize; 2]] =
        &[[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1], [0, 2], [1, 2], [2, 2]];

    fn tracker(&self) -> Tracker {
        Tracker { board: Board::default(), seats: BySeat::default() }
    }

    fn observe(&self, tracker: &mut Tracker, sight: Sight<Cell>) -> Option<Seat> {
        let Actor::Seat(seat) = sight.actor else { return None };
        let Board { x, o } = tracker.board;
        let (own, other) = if seat == Seat::FIRST { (x, o) } else { (o, x) };
        let [untouched, extended, completed] = self.windows_through(sight.action, own, other);
        let [_, spoiled, denied] = self.windows_through(sight.action, other, own);
        self.apply(&mut tracker.board, sight.action);
        let seen = &mut tracker.seats[seat];
        seen.turns += 1;
        seen.points += completed;
        seen.extended += extended;
        seen.denied += denied;
        seen.spoiled += spoiled;
        let per_turn = |number: u32| f64::from(number) / f64::from(seen.turns);
        seen.features = [
            per_turn(seen.points),
            per_turn(seen.extended),
            per_turn(seen.denied),
            per_turn(seen.spoiled),
            f64::from(untouched),
        ];
        Some(seat)
    }

    fn turns(&self, tracker: &Tracker, seat: Seat) -> u32 {
        tracker.seats[seat].turns
    }

    fn features(&self, tracker: &Tracker, seat: Seat, out: &mut [f64]) {
        out.copy_from_slice(&tracker.seats[seat].features);
    }
}

#[cfg(test)]
mod tests {
    use parlor_core::{Notation, Phase, Rng};

    use super::super::Lines;
    use super::*;

    #[test]
    fn a_game_by_hand() {
        let game = TicTacToe::new(3, 3, Lines::Windows).unwrap();
        let mut tracker = game.tracker();
        let mut features = [0.0; COUNT];
        let turns = [
            // The middle lies on four lines, a corner on three, one of which is closed.
            ("b2", [0.0, 0.0, 0.0, 0.0, 4.0]),
            ("a1", [0.0, 0.0, 0.0, 1.0, 2.0]),
            // c1 closes O's row; the diagonal gets its second cell; the right column is untouched.
            ("c1", [0.0, 0.5, 0.0, 0.5, 1.0]),
            // a3 denies the diagonal and closes nothing else; the left column gets its second O; the bottom row is new.
            ("a3", [0.0, 0.5, 0.5, 0.5, 1.0]),
            // a2 denies the left column and extends the middle row.
            ("a2", [0.0, 2.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0]),
        ];
        for (number, (cell, expected)) in turns.into_iter().enumerate() {
            let seat = Seat((number % 2) as u8);
            let action = game.read_action(cell).unwrap();
            assert_eq!(game.observe(&mut tracker, Sight { actor: Actor::Seat(seat), action }), Some(seat));
            game.features(&tracker, seat, &mut features);
            assert_eq!(features, expected, "after {cell}");
            assert_eq!(game.turns(&tracker, seat) as usize, 1 + number / 2);
        }
    }

    #[test]
    fn completed_windows_are_the_points() {
        let game = TicTacToe::new(5, 4, Lines::Windows).unwrap();
        let mut rng = Rng::new(3);
        for _ in 0..50 {
            let (mut board, mut tracker) = (game.start(), game.tracker());
            while let Phase::Decide(seat) = game.phase(&board) {
                let action = game.pick(&board, &mut rng);
                game.observe(&mut tracker, Sight { actor: Actor::Seat(seat), action });
                game.apply(&mut board, action);
            }
            for (seat, side) in [(Seat::FIRST, board.x), (Seat::SECOND, board.o)] {
                assert_eq!(tracker.seats[seat].points, game.points(side));
            }
        }
    }
}
