//! Opening books: positions, their moves, and the results of games that played them.
//!
//! Self-play ([`grow`]) or an exact solver ([`exact`]) grows a book, a file stores it ([`mod@file`]), and an agent consults it before it searches
//! ([`Booked`]). A book identifies positions by a hash of their table keys and actions by their index in the game's
//! order, so it needs no notation. All its numbers are integers: equal runs give equal bytes on every machine.

mod booked;
mod builder;
pub mod exact;
pub mod file;
pub mod grow;

use std::collections::BTreeMap;

use parlor_core::rng::GENERATOR;
use parlor_core::{GameValue, Keyed, PerfectInfo, Rng, Seat};
use serde::{Deserialize, Serialize};

pub use booked::{Booked, KEYS, KEYS_WITH_SHIPPED, booked, with_keys};
pub use builder::{AnyBookBuilder, BookMove};

use crate::table::hash_of;

/// The header: the origin and the plan of a book.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BookHeader {
    /// The version of the program that started it.
    pub parlor: String,
    /// The game's full form.
    pub game: String,
    /// The full form of the agent that plays its games.
    pub agent: String,
    /// The seed of the run; game *i* uses `fork(seed, i)`.
    pub seed: u64,
    /// The random generator.
    pub rng: String,
    /// The maximum depth in plies.
    pub plies: u32,
    /// The planned number of games.
    pub planned: u64,
    /// The number of positions at which to stop, if any.
    pub most_positions: Option<u64>,
    /// The number of games played so far.
    pub games: u64,
    /// The plan of a book of exact answers; `None` if it is grown by games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact: Option<ExactPlan>,
}

/// The plan of a book of exact answers.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExactPlan {
    /// Positions that the solver answers within this number of nodes are left out.
    pub easy_nodes: u64,
    /// Whether every position of the plan has been answered.
    pub done: bool,
}

impl BookHeader {
    /// Returns the header of an empty book.
    #[must_use]
    pub fn new(game: String, agent: String, seed: u64, plies: u32, planned: u64) -> BookHeader {
        BookHeader {
            parlor: env!("CARGO_PKG_VERSION").to_owned(),
            game,
            agent,
            seed,
            rng: GENERATOR.to_owned(),
            plies,
            planned,
            most_positions: None,
            games: 0,
            exact: None,
        }
    }

    /// Returns the header of an empty book of exact answers.
    #[must_use]
    pub fn exact(game: String, easy_nodes: u64, plies: u32) -> BookHeader {
        let exact = Some(ExactPlan { easy_nodes, done: false });
        BookHeader { exact, ..BookHeader::new(game, exact::AGENT.to_owned(), 0, plies, 0) }
    }
}

/// A move in a book position.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Its index in the game's order.
    pub action: u16,
    /// The number of games that continued with it.
    pub visits: u32,
    /// Half points of the seat to move: 2 for a win, 1 for a draw.
    pub halves: u32,
    /// The proven result, if any.
    pub known: Option<GameValue>,
}

impl Line {
    /// Returns the points per game, from 0 to 1; `None` without games or a proven result.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        match self.known {
            Some(known) => Some(known.score()),
            None if self.visits == 0 => None,
            None => Some(f64::from(self.halves) / (2.0 * f64::from(self.visits))),
        }
    }
}

/// A book position: all its moves, in the order of preference of the agent that added it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Page {
    /// The moves.
    pub lines: Vec<Line>,
}

impl Page {
    /// Returns the number of games through this position.
    #[must_use]
    pub fn visits(&self) -> u64 {
        self.lines.iter().map(|line| u64::from(line.visits)).sum()
    }

    /// Returns the result that the lines prove, if any.
    #[must_use]
    pub fn known(&self) -> Option<GameValue> {
        let best = self.lines.iter().filter_map(|line| line.known).max()?;
        (best == GameValue::Won || self.lines.iter().all(|line| line.known.is_some())).then_some(best)
    }

    /// Returns the index of the line to play: a proven win, else the most visited one; proven losses come last.
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
        // The first among equals, which the agent preferred.
        (0..self.lines.len()).rev().max_by_key(|&at| worth(&self.lines[at]))
    }

    /// Returns the index of a random line, weighted by visits and results.
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

/// An opening book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Book {
    /// The header.
    pub about: BookHeader,
    /// The positions, by the hashes of their keys.
    pages: BTreeMap<u64, Page>,
}

impl Book {
    /// Returns an empty book.
    #[must_use]
    pub fn new(about: BookHeader) -> Book {
        Book { about, pages: BTreeMap::new() }
    }

    /// Returns the number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Returns whether it has no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// Returns whether it has reached its planned size.
    #[must_use]
    pub fn is_grown(&self) -> bool {
        if let Some(exact) = self.about.exact {
            return exact.done;
        }
        self.about.games >= self.about.planned
            || self.about.most_positions.is_some_and(|most| self.len() as u64 >= most)
    }

    /// Returns the page of a position. A page with another number of lines belongs to another position with the same hash.
    /// The page of a book of exact answers has one line; that of the mirror image will do.
    #[must_use]
    pub fn page<G: PerfectInfo + Keyed>(&self, game: &G, state: &G::State) -> Option<Page> {
        let page = self.pages.get(&hash_of(&game.key(state)));
        if self.about.exact.is_none() {
            return page.filter(|page| page.lines.len() == game.actions(state).len()).cloned();
        }
        if page.is_some() {
            return page.cloned();
        }
        let image = game.mirrored(state)?;
        let line = self.pages.get(&hash_of(&game.key(&image)))?.lines.first()?;
        let action = game.mirrored_action(game.actions(&image).nth(usize::from(line.action))?);
        let place = game.actions(state).position(|other| other == action)?;
        Some(Page { lines: vec![Line { action: place as u16, ..*line }] })
    }
}

/// Returns a seat's result in half points.
fn halves(payoffs: &parlor_core::Payoffs, seat: Seat) -> u32 {
    let (own, other) = (payoffs.of(seat), payoffs.of(seat.other()));
    1 + u32::from(own > other) - u32::from(own < other)
}

/// Returns a seat's result.
fn result(payoffs: &parlor_core::Payoffs, seat: Seat) -> GameValue {
    [GameValue::Lost, GameValue::Drawn, GameValue::Won][halves(payoffs, seat) as usize]
}
