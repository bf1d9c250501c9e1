//! What an agent thinks: depth, values, the best line, beliefs.

use std::time::Duration;

use serde::Serialize;

use crate::rules::game::Game;
use crate::rules::seat::Seat;
use crate::time::deadline::Cancel;

/// What a value is known to be.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// An estimate.
    Guess,
    /// No more than this, by an estimate: the search had seen enough to discard it.
    AtMost,
    /// Proven against every reply.
    Proven,
}

/// An action that is being thought about.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Considered<A> {
    /// The action.
    pub action: A,
    /// What it is worth to the seat, in the thought's unit.
    pub value: f64,
    /// How sure that is.
    pub certainty: Certainty,
    /// How many nodes or simulations went into it.
    pub visits: u64,
}

/// What a search has found so far.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Thought<A> {
    /// How many plies deep; for searches without a depth, the length of the line.
    pub depth: u32,
    /// How many nodes, or simulations, so far.
    pub nodes: u64,
    /// What they are: `nodes`, `simulations`, `worlds`.
    pub counts: &'static str,
    /// How long so far.
    pub elapsed: Duration,
    /// What the position is worth to the seat, in `unit`.
    pub value: f64,
    /// What values count: `hundredths of a man`, `expected payoff`.
    pub unit: &'static str,
    /// How sure the value is.
    pub certainty: Certainty,
    /// In how many plies the match is over, where that is known.
    pub end_in: Option<u32>,
    /// The best line that was found, the action to take first.
    pub line: Vec<A>,
    /// The actions, best first.
    pub moves: Vec<Considered<A>>,
}

impl<A> Thought<A> {
    /// Returns the thought with every action put into another form, such as text.
    #[must_use]
    pub fn map<B>(&self, write: impl Fn(&A) -> B) -> Thought<B> {
        Thought {
            depth: self.depth,
            nodes: self.nodes,
            counts: self.counts,
            elapsed: self.elapsed,
            value: self.value,
            unit: self.unit,
            certainty: self.certainty,
            end_in: self.end_in,
            line: self.line.iter().map(&write).collect(),
            moves: self
                .moves
                .iter()
                .map(|considered| Considered {
                    action: write(&considered.action),
                    value: considered.value,
                    certainty: considered.certainty,
                    visits: considered.visits,
                })
                .collect(),
        }
    }
}

/// What an agent believes about things that it cannot see.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Beliefs {
    /// Where things can be: `other hand`, `boneyard`; `mine`.
    pub places: Vec<String>,
    /// Each hidden thing with the odds of each place.
    pub odds: Vec<(String, Vec<f64>)>,
    /// How the odds came about: `all 35 worlds`, `200 sampled worlds`.
    pub basis: String,
    /// Where worlds were sampled, how many equally likely ones tell as much; `None` where all worlds were listed, so that the odds are
    /// exact.
    pub sample_size: Option<f64>,
    /// How likely the other seat is of each type, for agents that tell types apart.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub types: Vec<TypeOdds>,
}

/// How likely an opponent is of a type.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TypeOdds {
    /// The type: an agent's spec as it was given, or words for a type that is not an agent.
    pub name: String,
    /// The agent's full form; `None` for a type that is not an agent.
    pub agent: Option<String>,
    /// The probability; those of all types add up to 1.
    pub probability: f64,
}

/// The other seat's turn, which can be used to think.
#[derive(Debug)]
pub struct Pondering<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The seat that thinks while the other is to act.
    pub seat: Seat,
    /// What the seat knows.
    pub view: &'a G::View,
    /// Set as soon as the other seat has acted.
    pub cancel: &'a Cancel,
}
