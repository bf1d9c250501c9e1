//! What perfect play and random play win against random play, exactly: the lines in the charts of F3 to F6.

use std::collections::HashMap;
use std::hash::Hash;

use parlor_core::{Game, Keyed, PerfectInfo, Phase, Seat};
use parlor_games::checkers::{Checkers, Kings, Options};
use parlor_games::tictactoe::{Board, Lines, TicTacToe};

/// The probabilities of a win and a draw.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
struct Chances {
    win: f64,
    draw: f64,
}

impl Chances {
    fn score(self) -> f64 {
        self.win + self.draw / 2.0
    }

    /// Returns the better one: that with more wins, then with more draws.
    fn better(self, other: Chances) -> Chances {
        if (other.win, other.draw) > (self.win, self.draw) { other } else { self }
    }
}

/// What a position is worth to one seat.
#[derive(Copy, Clone, Debug)]
struct Worth {
    /// If both play perfectly: 1, 0, −1.
    value: i8,
    /// Perfect play against random play: of the actions that keep the value, the one with most wins.
    perfect: Chances,
    /// The most wins that any play has against random play.
    most: Chances,
    /// Random play against random play.
    random: Chances,
}

/// Every position that can be reached, looked at once. No game comes back to a position: tictactoe fills up, and checkers counts the
/// plies without progress.
struct Exact<'a, G: Game, K> {
    game: &'a G,
    seat: Seat,
    key: fn(&G, &G::State) -> K,
    known: HashMap<K, Worth>,
}

impl<G: PerfectInfo, K: Hash + Eq> Exact<'_, G, K> {
    fn worth(&mut self, state: &G::State) -> Worth {
        let deciding = match self.game.phase(state) {
            Phase::Over => {
                let value = match self.game.payoffs(state).winner() {
                    Some(winner) if winner == self.seat => 1,
                    None => 0,
                    Some(_) => -1,
                };
                let chances =
                    Chances { win: f64::from(u8::from(value == 1)), draw: f64::from(u8::from(value == 0)) };
                return Worth { value, perfect: chances, most: chances, random: chances };
            }
            Phase::Decide(seat) => seat,
            Phase::Chance => unreachable!("these games have no chance"),
        };
        let key = (self.key)(self.game, state);
        if let Some(&worth) = self.known.get(&key) {
            return worth;
        }
        let actions: Vec<G::Action> = self.game.actions(state).collect();
        let after: Vec<Worth> = actions
            .into_iter()
            .map(|action| {
                let mut next = state.clone();
                self.game.apply(&mut next, action);
                self.worth(&next)
            })
            .collect();
        let mean = |of: fn(&Worth) -> Chances| {
            let count = after.len() as f64;
            after.iter().map(of).fold(Chances::default(), |sum, one| Chances {
                win: sum.win + one.win / count,
                draw: sum.draw + one.draw / count,
            })
        };
        let random = mean(|worth| worth.random);
        let values = after.iter().map(|worth| worth.value);
        let worth = if deciding == self.seat {
            let value = values.max().expect("who decides has an action");
            let best = |all: &mut dyn Iterator<Item = Chances>| all.reduce(Chances::better);
            Worth {
                value,
                perfect: best(&mut after.iter().filter(|one| one.value == value).map(|one| one.perfect))
                    .expect("one of them has the value"),
                most: best(&mut after.iter().map(|one| one.most)).expect("who decides has an action"),
                random,
            }
        } else {
            let value = values.min().expect("who decides has an action");
            Worth { value, perfect: mean(|worth| worth.perfect), most: mean(|worth| worth.most), random }
        };
        self.known.insert(key, worth);
        worth
    }
}

/// Returns what the start is worth to each seat.
fn exact<G: PerfectInfo, K: Hash + Eq>(game: &G, key: fn(&G, &G::State) -> K) -> [Worth; 2] {
    [0, 1].map(|seat| Exact { game, seat: Seat(seat), key, known: HashMap::new() }.worth(&game.start()))
}

/// Returns the smallest of a board's images under the symmetries of a square of four rows.
fn smallest_image(_: &TicTacToe, board: &Board) -> (u64, u64) {
    let moved = |bits: u64, image: u8| {
        (0..16_u64).filter(|cell| bits >> cell & 1 == 1).fold(0, |set, cell| {
            let (mut row, mut column) = (cell / 4, cell % 4);
            if image & 1 == 1 {
                row = 3 - row;
            }
            if image & 2 == 2 {
                column = 3 - column;
            }
            if image & 4 == 4 {
                std::mem::swap(&mut row, &mut column);
            }
            set | 1 << (row * 4 + column)
        })
    };
    (0..8).map(|image| (moved(board.x, image), moved(board.o, image))).min().expect("there are eight")
}

/// Requires percentages that experiments have, with four digits: of perfect play, then of random play.
fn require(worth: Worth, [wins, score]: [f64; 2], [random_wins, random_score]: [f64; 2]) {
    let Worth { value, perfect, random, .. } = worth;
    assert_eq!(value, 0, "perfect play on both sides is a draw");
    for (found, percent) in [
        (perfect.win, wins),
        (perfect.score(), score),
        (random.win, random_wins),
        (random.score(), random_score),
    ] {
        assert!((100.0 * found - percent).abs() < 5.1e-5, "{:.4} is not {percent}: {worth:?}", 100.0 * found);
    }
}

#[test]
fn tictactoe_on_3x3() {
    let [first, second] = exact(&TicTacToe::new(3, 3, Lines::Windows).unwrap(), TicTacToe::key);
    require(first, [96.875, 98.4375], [49.2063, 69.8413]);
    require(second, [63.4921, 81.7460], [9.5238, 30.1587]);
    assert_eq!((first.most, second.most), (first.perfect, second.perfect));
}

#[test]
fn tictactoe_on_4x4() {
    let [first, second] = exact(&TicTacToe::new(4, 4, Lines::Windows).unwrap(), smallest_image);
    require(first, [99.9978, 99.9989], [38.1119, 50.0]);
    require(second, [99.8424, 99.9212], [38.1119, 50.0]);
    // A little more can be won by risking a loss.
    assert!((100.0 * second.most.win - 99.8450).abs() < 5.1e-5);
}

#[test]
fn checkers_on_4x4() {
    let game = Checkers::<u64>::new(4, 4, Options { kings: Kings::May, ..Options::default() }).unwrap();
    let [first, second] = exact(&game, Checkers::key);
    require(first, [100.0, 100.0], [61.4686, 61.5753]);
    require(second, [100.0, 100.0], [38.3181, 38.4247]);
    assert!(first.perfect.win < 1.0 && second.perfect.win < 1.0, "but nearly");
}
