//! Alpha-beta with a transposition table: needs the truth and a key for it, nothing else.

use std::collections::HashMap;

use parlor_core::{
    Agent, Decision, Game, Keyed, Notation, Payoffs, PerfectInfo, Phase, Position, Range, Rng, Seat,
};

use crate::{Random, Tally, duel, four_in_a_row, three_by_three};

/// What is known of a value: the window it was searched with may have cut it off.
#[derive(Copy, Clone)]
enum Bound {
    Exact(f64),
    AtLeast(f64),
    AtMost(f64),
}

/// Searches a fixed number of plies; what lies beyond counts as 0.
struct AlphaBeta<G: Keyed> {
    plies: u32,
    table: HashMap<(G::Key, u32), Bound>,
}

impl<G: PerfectInfo + Keyed> AlphaBeta<G> {
    fn new(plies: u32) -> Self {
        AlphaBeta { plies, table: HashMap::new() }
    }

    /// Returns the value of `state` for `seat`.
    ///
    /// If the true value is at most `alpha` or at least `beta`, the result is only known to be on that side, too.
    fn value(&mut self, game: &G, state: &G::State, seat: Seat, plies: u32, alpha: f64, beta: f64) -> f64 {
        match game.phase(state) {
            Phase::Over => game.payoffs(state).of(seat),
            _ if plies == 0 => 0.0,
            // An average has no window of its own to pass on: every outcome is searched with an open one.
            Phase::Chance => {
                let outcomes = game.chances(state).map(|(outcome, weight)| {
                    let next = after(game, state, outcome);
                    weight * self.value(game, &next, seat, plies - 1, f64::NEG_INFINITY, f64::INFINITY)
                });
                outcomes.sum()
            }
            Phase::Decide(mover) if mover == seat => self.best(game, state, seat, plies, alpha, beta),
            Phase::Decide(mover) => -self.best(game, state, mover, plies, -beta, -alpha),
        }
    }

    /// Returns the value of `state` for `seat`, which is to move.
    fn best(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        plies: u32,
        mut alpha: f64,
        mut beta: f64,
    ) -> f64 {
        // Step 1. The table may know the answer, or narrow the window.
        let key = (game.key(state), plies);
        match self.table.get(&key) {
            Some(&Bound::Exact(value)) => return value,
            Some(&Bound::AtLeast(value)) => alpha = alpha.max(value),
            Some(&Bound::AtMost(value)) => beta = beta.min(value),
            None => {}
        }
        if alpha >= beta {
            return alpha;
        }
        // Step 2. Every action until one is too good.
        let (mut best, mut low) = (f64::NEG_INFINITY, alpha);
        for action in game.actions(state) {
            best = best.max(self.value(game, &after(game, state, action), seat, plies - 1, low, beta));
            low = low.max(best);
            if low >= beta {
                break;
            }
        }
        // Step 3. Remember how much is known.
        let bound = if best <= alpha {
            Bound::AtMost(best)
        } else if best >= beta {
            Bound::AtLeast(best)
        } else {
            Bound::Exact(best)
        };
        self.table.insert(key, bound);
        best
    }

    /// Returns each action with its exact value for the seat to move.
    fn values(&mut self, game: &G, state: &G::State) -> Vec<(G::Action, f64)> {
        let Phase::Decide(seat) = game.phase(state) else { return Vec::new() };
        let mut value = |action| {
            let next = after(game, state, action);
            self.value(game, &next, seat, self.plies - 1, f64::NEG_INFINITY, f64::INFINITY)
        };
        game.actions(state).map(|action| (action, value(action))).collect()
    }
}

fn after<G: Game>(game: &G, state: &G::State, action: G::Action) -> G::State {
    let mut next = state.clone();
    game.apply(&mut next, action);
    next
}

impl<G: PerfectInfo + Keyed> Agent<G> for AlphaBeta<G> {
    fn act(&mut self, decision: &Decision<'_, G>, _: &mut Rng) -> G::Action {
        // The compiler allows this line for games that hide nothing, and for no other.
        let state = decision.game.truth(decision.view);
        let values = self.values(decision.game, state);
        values
            .into_iter()
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .expect("a decision offers at least one action")
            .0
    }
}

/// The first seat's value without cutting anything off: what alpha-beta must agree with.
fn plain<G: Game>(game: &G, state: &G::State, known: &mut HashMap<G::State, f64>) -> f64 {
    if let Some(&value) = known.get(state) {
        return value;
    }
    let Phase::Decide(seat) = game.phase(state) else { return game.payoffs(state).of(Seat::FIRST) };
    let values = game.actions(state).map(|action| plain(game, &after(game, state, action), known));
    let value = if seat == Seat::FIRST {
        values.fold(f64::NEG_INFINITY, f64::max)
    } else {
        values.fold(f64::INFINITY, f64::min)
    };
    known.insert(state.clone(), value);
    value
}

#[test]
fn solves_tic_tac_toe() {
    let game = three_by_three();
    let mut search = AlphaBeta::new(9);
    let value = search.value(&game, &game.start(), Seat::FIRST, 9, f64::NEG_INFINITY, f64::INFINITY);
    let mut all = HashMap::new();
    assert_eq!(value, plain(&game, &game.start(), &mut all));
    assert!(search.table.len() < all.len() / 2, "{} of {} boards", search.table.len(), all.len());
    // Filled to the last cell, the game is as even as ordinary tic-tac-toe.
    assert_eq!(value, 0.0);
}

#[test]
fn finds_wins_on_a_larger_board() {
    let game = four_in_a_row();
    for (moves, plies, best) in POSITIONS {
        let Ok(Position::State(state)) = game.read_position(moves) else { panic!("{moves}") };
        let wins = |plies: u32| -> Vec<String> {
            let values = AlphaBeta::new(plies).values(&game, &state);
            values
                .iter()
                .filter(|(_, value)| *value > 0.0)
                .map(|&(action, _)| game.write_action(action))
                .collect()
        };
        assert_eq!(wins(plies), best, "{moves}");
        assert!(wins(plies - 2).is_empty(), "{moves} cannot be won any sooner");
    }
}

/// Solved positions with the plies to the win and the columns that keep it (`vectors/connect-solved-7x6.json`).
const POSITIONS: [(&str, u32, &[&str]); 5] = [
    ("4412663445563466", 3, &["3"]),
    ("74663471113525166355266", 3, &["2", "4"]),
    ("51426417461362", 5, &["1"]),
    ("31216433211165575335641", 5, &["6"]),
    ("5341212554532232273737145576746113", 7, &["4"]),
];

#[test]
fn never_loses_to_random_play() {
    let Tally { wins, losses, .. } = duel(&three_by_three(), &mut AlphaBeta::new(9), &mut Random, 10);
    assert!(losses == 0 && wins >= 12, "{wins} won, {losses} lost");
}

/// A toy with a throw of a die whose values are known by hand: the first seat bets or keeps its quarter; after a bet a die
/// gives it 1 with odds of two thirds, else the second seat chooses between taking a half and a whole.
#[derive(Clone, Debug)]
struct Bet;

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
enum Stage {
    Asked,
    Thrown,
    Missed,
    Paid(i8),
}

impl Game for Bet {
    type State = Stage;
    type Action = u8;
    type View = Stage;

    fn seats(&self) -> u8 {
        2
    }
    fn start(&self) -> Stage {
        Stage::Asked
    }
    fn phase(&self, stage: &Stage) -> Phase {
        match stage {
            Stage::Asked => Phase::Decide(Seat::FIRST),
            Stage::Thrown => Phase::Chance,
            Stage::Missed => Phase::Decide(Seat::SECOND),
            Stage::Paid(_) => Phase::Over,
        }
    }
    fn actions(&self, stage: &Stage) -> impl ExactSizeIterator<Item = u8> {
        0..(if matches!(stage, Stage::Asked | Stage::Missed) { 2 } else { 0 })
    }
    fn chances(&self, stage: &Stage) -> impl Iterator<Item = (u8, f64)> {
        let thrown = *stage == Stage::Thrown;
        [(0, 2.0 / 3.0), (1, 1.0 / 3.0)].into_iter().filter(move |_| thrown)
    }
    fn apply(&self, stage: &mut Stage, action: u8) {
        *stage = match (*stage, action) {
            (Stage::Asked, 0) => Stage::Paid(1),
            (Stage::Asked, _) => Stage::Thrown,
            (Stage::Thrown, 0) => Stage::Paid(4),
            (Stage::Thrown, _) => Stage::Missed,
            (_, choice) => Stage::Paid(if choice == 0 { -2 } else { -4 }),
        };
    }
    fn payoffs(&self, stage: &Stage) -> Payoffs {
        Payoffs::zero_sum(if let Stage::Paid(quarters) = stage { f64::from(*quarters) / 4.0 } else { 0.0 })
    }
    fn range(&self) -> Range {
        Range::WIN_DRAW_LOSS
    }
    fn view(&self, stage: &Stage, _: Seat) -> Stage {
        *stage
    }
    fn seen(&self, _: &Stage, action: u8, _: Seat) -> Option<u8> {
        Some(action)
    }
}

impl Keyed for Bet {
    type Key = Stage;
    fn key(&self, stage: &Stage) -> Stage {
        *stage
    }
}

#[test]
fn chance_is_averaged() {
    // Betting: 2/3 · 1 + 1/3 · (−1) = 1/3, which is more than the quarter.
    let values = AlphaBeta::new(4).values(&Bet, &Stage::Asked);
    assert_eq!(values[0], (0, 0.25));
    assert!((values[1].1 - 1.0 / 3.0).abs() < 1e-12, "{values:?}");
    assert_eq!(AlphaBeta::new(4).values(&Bet, &Stage::Missed), [(0, 0.5), (1, 1.0)]);
}
