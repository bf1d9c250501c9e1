//! Opening books: positions, what can be done in them, and how games went that did it.
//!
//! A book is grown by self-play ([`grow`]), kept in a file ([`mod@file`]), and used by an agent that looks a position up before it
//! thinks ([`Booked`]). It knows positions by a hash of their table keys and actions by their number in the game's order, so it
//! needs no notation. All its numbers are whole: equal growths give equal bytes on every machine.

mod booked;
mod builder;
pub mod file;
pub mod grow;

use std::collections::BTreeMap;

use parlor_core::rng::GENERATOR;
use parlor_core::{GameValue, Keyed, PerfectInfo, Rng, Seat};
use serde::{Deserialize, Serialize};

pub use booked::{Booked, KEYS, booked, with_keys};
pub use builder::{AnyBookBuilder, BookMove};

use crate::table::hash_of;

/// Where a book comes from, and where it is going.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// The version of the program that began it.
    pub parlor: String,
    /// The game's full form.
    pub game: String,
    /// The full form of the agent whose play it is grown by.
    pub agent: String,
    /// Game *i* draws from `fork(seed, i)`.
    pub seed: u64,
    /// The random generator.
    pub rng: String,
    /// How many plies deep it goes.
    pub plies: u32,
    /// How many games it is to be grown by.
    pub planned: u64,
    /// With how many positions it is large enough, if that ends it.
    pub most_positions: Option<u64>,
    /// How many games it has been grown by.
    pub games: u64,
}

impl About {
    /// A book that nothing is known about yet.
    #[must_use]
    pub fn new(game: String, agent: String, seed: u64, plies: u32, planned: u64) -> About {
        About {
            parlor: env!("CARGO_PKG_VERSION").to_owned(),
            game,
            agent,
            seed,
            rng: GENERATOR.to_owned(),
            plies,
            planned,
            most_positions: None,
            games: 0,
        }
    }
}

/// One thing that can be done in a position.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Its number in the game's order.
    pub action: u16,
    /// How many games went on with it.
    pub visits: u32,
    /// What they brought the seat to move: 2 for a win, 1 for a draw.
    pub halves: u32,
    /// How it ends, if that is proven.
    pub known: Option<GameValue>,
}

impl Line {
    /// Returns the points a game, from 0 to 1; `None` if nobody went there and nothing is proven.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        match self.known {
            Some(known) => Some(known.score()),
            None if self.visits == 0 => None,
            None => Some(f64::from(self.halves) / (2.0 * f64::from(self.visits))),
        }
    }
}

/// A position of the book: everything that can be done in it, in the order in which the agent that met it first liked it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Page {
    /// The lines.
    pub lines: Vec<Line>,
}

impl Page {
    /// Returns how many games passed.
    #[must_use]
    pub fn visits(&self) -> u64 {
        self.lines.iter().map(|line| u64::from(line.visits)).sum()
    }

    /// Returns how the position ends, if its lines prove that.
    #[must_use]
    pub fn known(&self) -> Option<GameValue> {
        let best = self.lines.iter().filter_map(|line| line.known).max()?;
        (best == GameValue::Won || self.lines.iter().all(|line| line.known.is_some())).then_some(best)
    }

    /// Returns the place of the line to play: a proven win, or the one that most games went on with. What is proven to lose
    /// comes last.
    #[must_use]
    pub fn best(&self) -> Option<usize> {
        let worth = |line: &Line| {
            let rank = match line.known {
                Some(GameValue::Won) => 2,
                Some(GameValue::Lost) => 0,
                _ => 1,
            };
            (rank, line.visits, line.halves)
        };
        // The first of equals: the agent liked it better.
        (0..self.lines.len()).rev().max_by_key(|&at| worth(&self.lines[at]))
    }

    /// Returns the place of a line drawn at random: as often as games went there and did well.
    pub fn any(&self, rng: &mut Rng) -> Option<usize> {
        let weight =
            |line: &Line| if line.known == Some(GameValue::Lost) { 0 } else { u64::from(line.halves) };
        let all: u64 = self.lines.iter().map(weight).sum();
        if all == 0 {
            return self.best();
        }
        let mut left = rng.bits() % all;
        self.lines.iter().position(|line| {
            let weight = weight(line);
            let here = left < weight;
            left = left.saturating_sub(weight);
            here
        })
    }
}

/// A book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Book {
    /// Where it comes from.
    pub about: About,
    /// The positions, by the hashes of their keys.
    pages: BTreeMap<u64, Page>,
}

impl Book {
    /// An empty book.
    #[must_use]
    pub fn new(about: About) -> Book {
        Book { about, pages: BTreeMap::new() }
    }

    /// Returns how many positions it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Returns whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// Returns whether it has been grown as far as was planned.
    #[must_use]
    pub fn is_grown(&self) -> bool {
        self.about.games >= self.about.planned
            || self.about.most_positions.is_some_and(|most| self.len() as u64 >= most)
    }

    /// Returns what it knows about a position in which `actions` things can be done. A page with another number of lines
    /// belongs to another position whose key has the same hash.
    #[must_use]
    pub fn page<G: PerfectInfo + Keyed>(&self, game: &G, state: &G::State, actions: usize) -> Option<&Page> {
        self.pages.get(&hash_of(&game.key(state))).filter(|page| page.lines.len() == actions)
    }
}

/// Returns what a seat's payoff against the other's is in half points.
fn halves(payoffs: &parlor_core::Payoffs, seat: Seat) -> u32 {
    let (own, other) = (payoffs.of(seat), payoffs.of(seat.other()));
    1 + u32::from(own > other) - u32::from(own < other)
}
