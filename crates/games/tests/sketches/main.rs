//! Small, honest sketches of what will use the core's traits, to show that the traits carry them:
//! `docs/design/0001-one-table-for-all.md`. Each is generic over the bounds it needs and knows no game by name.

mod alpha_beta;
mod browser_session;
mod fable_cells;
mod ismcts;

use parlor_core::{Agent, Decision, Game, Match, Rng, Seat};
use parlor_games::connect::Connect;
use parlor_games::dominoes::{Dominoes, Preset, Rules};
use parlor_games::tictactoe::{Lines, TicTacToe};

/// Takes any action, each equally likely.
struct Random;

impl<G: Game> Agent<G> for Random {
    fn act(&mut self, decision: &Decision<'_, G>, rng: &mut Rng) -> G::Action {
        *rng.choose(decision.actions)
    }
}

/// How often an agent won, drew and lost.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
struct Tally {
    wins: u32,
    draws: u32,
    losses: u32,
}

impl Tally {
    fn add(&mut self, payoff: f64) {
        let count = match payoff.total_cmp(&0.0) {
            std::cmp::Ordering::Greater => &mut self.wins,
            std::cmp::Ordering::Equal => &mut self.draws,
            std::cmp::Ordering::Less => &mut self.losses,
        };
        *count += 1;
    }
}

/// Plays `pairs` pairs of matches, the seats swapped within a pair.
fn duel<G: Game>(game: &G, agent: &mut dyn Agent<G>, other: &mut dyn Agent<G>, pairs: u64) -> Tally {
    let mut tally = Tally::default();
    for pair in 0..pairs {
        let first = Match::seeded(pair).play(game, &mut [&mut *agent, &mut *other], &mut ());
        tally.add(first.payoffs.of(Seat::FIRST));
        let second = Match::seeded(pair).play(game, &mut [&mut *other, &mut *agent], &mut ());
        tally.add(second.payoffs.of(Seat::SECOND));
    }
    tally
}

fn three_by_three() -> TicTacToe {
    TicTacToe::new(3, 3, Lines::Windows).expect("a board of 3 × 3 exists")
}

fn four_in_a_row() -> Connect<u64> {
    Connect::new(7, 6, 4).expect("a board of 7 × 6 fits 64 bits")
}

/// One stage of double-three, hands hidden.
fn double_three() -> Dominoes {
    Dominoes::new(Rules::of(Preset::Myers)).expect("the rule set is well-formed")
}
