//! The features of Myers 2014, Table 8, by which the three targets are told apart.
//!
//! A turn is one tile laid. Draws and forced passes belong to the turn that follows them, so a draw that a play causes counts from the
//! next turn of its player on. Points for going out are not points of a turn. In a contest the counts run on from stage to stage.

use parlor_core::{Actor, BySeat, FeatureInfo, Features, Seat, Sight};

use super::board::Board;
use super::players::defensive_score;
use super::{Action, Dominoes};

/// Number of features.
const COUNT: usize = 5;

/// What one seat has done in a match so far.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
struct Turns {
    turns: u32,
    points: u32,
    scoring_plays: u32,
    draws_caused: u32,
    /// The features of the last turn.
    features: [f64; COUNT],
}

/// What an observer has counted at the table.
#[derive(Clone, PartialEq, Debug)]
pub struct Tracker {
    board: Board,
    seats: BySeat<Turns>,
    /// The seat that has just laid a tile; `None` after anything else.
    just_played: Option<Seat>,
}

impl Features for Dominoes {
    type Tracker = Tracker;

    const FEATURES: &'static [FeatureInfo] = &[
        FeatureInfo { name: "points_per_turn", summary: "points scored so far / turns so far", whole: false },
        FeatureInfo {
            name: "defensive_score",
            summary: "4 − the number of different values that a tile can be put on after its play",
            whole: true,
        },
        FeatureInfo {
            name: "draws_caused_per_turn",
            summary: "earlier plays after which the other seat had to draw / turns so far",
            whole: false,
        },
        FeatureInfo {
            name: "scoring_plays_per_turn",
            summary: "plays that scored so far / turns so far",
            whole: false,
        },
        FeatureInfo { name: "board_count", summary: "sum of the exposed ends after its play", whole: true },
    ];

    /// The targets with their numbers of Table 8.
    const STYLES: &'static [&'static str] = &["random", "scoring", "defense"];

    /// Table 9: the player in seat 0, the target in seat 1.
    const PAIRINGS: &'static [[usize; 2]] =
        &[[0, 0], [2, 0], [1, 0], [0, 2], [2, 2], [1, 2], [0, 1], [2, 1], [1, 1]];

    fn tracker(&self) -> Tracker {
        Tracker { board: Board::default(), seats: BySeat::default(), just_played: None }
    }

    fn observe(&self, tracker: &mut Tracker, sight: Sight<Action>) -> Option<Seat> {
        let just_played = tracker.just_played.take();
        match (sight.action, sight.actor) {
            (Action::Play(tile, end), Actor::Seat(seat)) => {
                tracker.board.put(&self.rules, tile, end);
                let count = tracker.board.count();
                let points = self.points_for(count);
                let seen = &mut tracker.seats[seat];
                seen.turns += 1;
                seen.points += u32::from(points);
                seen.scoring_plays += u32::from(points > 0);
                let per_turn = |number: u32| f64::from(number) / f64::from(seen.turns);
                seen.features = [
                    per_turn(seen.points),
                    f64::from(defensive_score(&tracker.board)),
                    per_turn(seen.draws_caused),
                    per_turn(seen.scoring_plays),
                    f64::from(count),
                ];
                tracker.just_played = Some(seat);
                return Some(seat);
            }
            (Action::Draw(_) | Action::DrawHidden, _) => {
                if let Some(seat) = just_played {
                    tracker.seats[seat].draws_caused += 1;
                }
            }
            // The tiles of a finished stage are collected.
            (Action::Lead(_) | Action::Deal(_) | Action::DealHidden, _) => tracker.board = Board::default(),
            (Action::Pass | Action::Play(..), _) => {}
        }
        None
    }

    fn prepares_stage(&self, sight: Sight<Action>) -> bool {
        matches!(sight.action, Action::Lead(_) | Action::Deal(_) | Action::DealHidden)
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
    use parlor_core::play::stepper::actor;
    use parlor_core::{Game, Notation, Phase, Position, Rng, Seat, Sight};

    use super::*;
    use crate::dominoes::players::tests::open;

    /// Returns the rows of a game as one seat sees it: seat, turn, features.
    fn rows(game: &Dominoes, deal: &str, actions: &str, observer: Seat) -> Vec<(u8, u32, [f64; COUNT])> {
        let Ok(Position::State(mut state)) = game.read_position(deal) else { panic!("{deal} is not a deal") };
        let mut tracker = game.tracker();
        let mut rows = Vec::new();
        for text in actions.split_whitespace() {
            let action = game.read_action(text).unwrap();
            let actor = actor(game, &state).unwrap();
            let action_seen = game.seen(&state, action, observer).unwrap();
            game.try_apply(&mut state, action).unwrap();
            if let Some(seat) = game.observe(&mut tracker, Sight { actor, action: action_seen }) {
                let mut features = [0.0; COUNT];
                game.features(&tracker, seat, &mut features);
                rows.push((seat.0, game.turns(&tracker, seat), features));
            }
        }
        rows
    }

    #[test]
    fn a_game_by_hand() {
        let game = open("dominoes(rules=myers)");
        // Seat 0 leads 33: 6, one value. Seat 1 has no 3 and draws 13.
        let deal = "23 33 00 | 01 11 12 | 02 03 13 22";
        let actions = "33@start draw:13 13@left 23@right";
        let expected: Vec<(u8, u32, [f64; COUNT])> = vec![
            (0, 1, [0.0, 3.0, 0.0, 0.0, 6.0]),
            // 1 on the left, 6 on the right: 7; values 1 and 3.
            (1, 1, [0.0, 2.0, 0.0, 0.0, 7.0]),
            // 1 + 2 = 3; both sides of 33 are covered, so its arms are open: values 1, 2, 3. It had caused a draw.
            (0, 2, [0.0, 1.0, 0.5, 0.0, 3.0]),
        ];
        for observer in [Seat::FIRST, Seat::SECOND] {
            assert_eq!(rows(&game, deal, actions, observer), expected);
        }
    }

    #[test]
    fn a_series_of_draws_counts_once_and_points_are_counted() {
        let game = open("dominoes(rules=myers)");
        // Seat 1 leads 22; seat 0 has no 2 and draws three times until one fits.
        let deal = "11 13 01 | 02 22 00 | 03 12 23 33";
        let all = "22@start draw:33 draw:03 draw:12 12@left 02@right 11@left";
        let rows = rows(&game, deal, all, Seat::FIRST);
        let expected: Vec<(u8, u32, [f64; COUNT])> = vec![
            (1, 1, [0.0, 3.0, 0.0, 0.0, 4.0]),
            // 1 + 4 = 5 scores.
            (0, 1, [5.0, 2.0, 0.0, 1.0, 5.0]),
            // 1 + 0 = 1; the arms of 22 are open: values 1, 0, 2.
            (1, 2, [0.0, 1.0, 0.5, 0.0, 1.0]),
            // 2 + 0 = 2.
            (0, 2, [2.5, 1.0, 0.0, 0.5, 2.0]),
        ];
        assert_eq!(rows, expected);
    }

    /// Recomputes the features of every turn from the full log of a finished stage.
    #[test]
    fn features_agree_with_the_log() {
        for spec in
            ["dominoes(rules=myers)", "dominoes(target=none)", "dominoes(target=none, draw=one-ends-turn)"]
        {
            let game = open(spec);
            for seed in 0..200 {
                let mut rng = Rng::new(seed);
                let mut state = game.start();
                let mut trackers = [game.tracker(), game.tracker()];
                let mut rows: [Vec<(Seat, [f64; COUNT])>; 2] = Default::default();
                while let Some(actor) = actor(&game, &state) {
                    let action = match game.phase(&state) {
                        Phase::Chance => game.sample(&state, &mut rng),
                        _ => game.pick(&state, &mut rng),
                    };
                    for observer in Seat::all(2) {
                        let action = game.seen(&state, action, observer).unwrap();
                        let tracker = &mut trackers[observer.index()];
                        if let Some(seat) = game.observe(tracker, Sight { actor, action }) {
                            let mut features = [0.0; COUNT];
                            game.features(tracker, seat, &mut features);
                            rows[observer.index()].push((seat, features));
                        }
                    }
                    game.apply(&mut state, action);
                }
                assert_eq!(rows[0], rows[1], "both seats see the same");
                assert_eq!(rows[0], from_log(&game, &state));
            }
        }
    }

    fn from_log(game: &Dominoes, state: &crate::dominoes::State) -> Vec<(Seat, [f64; COUNT])> {
        let log = state.log();
        let mut board = Board::default();
        let mut rows = Vec::new();
        for (at, event) in log.iter().enumerate() {
            let Action::Play(tile, end) = event.action else { continue };
            board.put(game.rules(), tile, end);
            let own = log[..=at].iter().filter(|other| other.seat == event.seat);
            let plays: Vec<_> = own.filter(|other| matches!(other.action, Action::Play(..))).collect();
            let caused = log[..at].windows(2).filter(|pair| {
                pair[0].seat == event.seat
                    && matches!(pair[0].action, Action::Play(..))
                    && matches!(pair[1].action, Action::Draw(_))
            });
            let turns = plays.len() as f64;
            rows.push((
                event.seat,
                [
                    plays.iter().map(|play| f64::from(play.points)).sum::<f64>() / turns,
                    f64::from(defensive_score(&board)),
                    caused.count() as f64 / turns,
                    plays.iter().filter(|play| play.points > 0).count() as f64 / turns,
                    f64::from(board.count()),
                ],
            ));
        }
        rows
    }
}
