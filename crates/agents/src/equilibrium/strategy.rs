//! The file of an equilibrium: a format line, a header, the information sets, a checksum.
//!
//! ```text
//! parlor strategy 1
//! {"parlor":"0.1.0","game":"dominoes(…)","value":0.63,"low":0.62,"high":0.64,…}
//! for each information set, ascending by memory: length of the memory (2 bytes), memory, number of choices (2),
//! probability
//!     of each choice (4, a float)
//! four bytes: the CRC-32 of everything before
//! ```
//!
//! Numbers are little-endian.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use parlor_core::Unsolved;
use parlor_core::files::checksummed_file::{ChecksummedFileError, Form, read_file};
use parlor_core::files::write_atomically;
use serde::{Deserialize, Serialize};

use super::form::SequenceForm;
use super::sequence_form::{Detail, Situation};
use super::solve::Solved;

const FORM: Form = Form { what: "strategy", magic: b"parlor strategy 1\n" };

/// The tolerance of the sum of an information set's probabilities.
const TOLERANCE: f32 = 1e-3;

/// The header: the origin of a strategy.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StrategyHeader {
    /// The version of the program that wrote it.
    pub parlor: String,
    /// The game's full form.
    pub game: String,
    /// The payoff of the role that decides first if both play the strategy.
    pub value: f64,
    /// Its lower bound.
    pub low: f64,
    /// Its upper bound.
    pub high: f64,
    /// The exploitability, averaged over the two roles.
    pub exploitability: f64,
    /// The number of rounds of the solver.
    pub rounds: u64,
    /// Whether each seat and each mirror image has information sets of its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub full: bool,
    /// The agent that it responds to, if it is not an equilibrium.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<ResponseHeader>,
}

/// The header of a response to an agent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ResponseHeader {
    /// The agent's full form.
    pub agent: String,
    /// The probability with which the opponent was taken to be the agent.
    pub weight: f64,
    /// The payoff against the agent, averaged over deciding first and second.
    pub gain: f64,
}

/// The probabilities of the choices in each information set, by the seat's memory.
type Odds = BTreeMap<Box<[u8]>, Box<[f32]>>;

/// A strategy for a game with hidden information.
#[derive(Clone, PartialEq, Debug)]
pub struct Strategy {
    /// The header.
    pub about: StrategyHeader,
    /// The probabilities of the choices in each information set, by the seat's memory.
    odds: Odds,
}

impl Strategy {
    /// Returns the strategy of a solved game; `game` is its full form.
    ///
    /// # Errors
    /// If a seat's memory does not say whether it decided first.
    pub fn new<A>(game: String, solved: &Solved<A>) -> Result<Strategy, Unsolved> {
        let about = StrategyHeader {
            parlor: env!("CARGO_PKG_VERSION").to_owned(),
            game,
            value: solved.bounds.value,
            low: solved.bounds.low,
            high: solved.bounds.high,
            exploitability: solved.bounds.exploitability(),
            rounds: solved.rounds,
            full: false,
            response: None,
        };
        Strategy::of_plans(about, &solved.form, &solved.situations, &solved.plans)
    }

    /// Returns the strategy of plans for both roles.
    ///
    /// # Errors
    /// If a seat's memory does not say whether it decided first.
    pub fn of_plans<A>(
        about: StrategyHeader,
        form: &SequenceForm,
        situations: &[Vec<Situation<A>>; 2],
        plans: &[Vec<f64>; 2],
    ) -> Result<Strategy, Unsolved> {
        let mut odds = Odds::new();
        for ((side, situations), plan) in form.sides.iter().zip(situations).zip(plans) {
            for (set, situation) in side.sets.iter().zip(situations) {
                let reach = plan[set.parent as usize];
                let even = 1.0 / set.choices as f32;
                let share = |weight: &f64| if reach > 0.0 { (weight / reach) as f32 } else { even };
                let shares: Box<[f32]> = plan[set.range()].iter().map(share).collect();
                if odds.insert(situation.memory.clone(), shares).is_some() {
                    let wrong = "a seat's memory does not say whether it decided first";
                    return Err(Unsolved::OutOfReach(wrong.to_owned()));
                }
            }
        }
        Ok(Strategy { about, odds })
    }

    /// Returns what distinguishes two of its information sets.
    #[must_use]
    pub fn detail(&self) -> Detail {
        if self.about.full { Detail::Everything } else { Detail::Essential }
    }

    /// Returns the probability of each choice for a seat with this memory, if known.
    #[must_use]
    pub fn odds(&self, memory: &[u8]) -> Option<&[f32]> {
        self.odds.get(memory).map(|odds| &**odds)
    }

    /// Returns the number of information sets.
    #[must_use]
    pub fn len(&self) -> usize {
        self.odds.len()
    }

    /// Returns whether it has no information sets.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.odds.is_empty()
    }

    /// Reads a strategy file for `game`, a full form.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, of another kind, or for another game.
    pub fn open(path: &Path, game: &str) -> Result<Strategy, ChecksummedFileError> {
        let strategy = Strategy::parse(&read_file(path)?)?;
        if strategy.about.game == game {
            return Ok(strategy);
        }
        Err(ChecksummedFileError::OtherGame {
            what: FORM.what,
            found: strategy.about.game,
            game: game.to_owned(),
        })
    }

    /// Parses the content of a file.
    ///
    /// # Errors
    /// If it was not written by [`to_bytes`](Strategy::to_bytes).
    pub fn parse(bytes: &[u8]) -> Result<Strategy, ChecksummedFileError> {
        let (about, content) = FORM.decode::<StrategyHeader>(bytes)?;
        let odds =
            read_sets(content).map_err(|wrong| ChecksummedFileError::Content { what: FORM.what, wrong })?;
        Ok(Strategy { about, odds })
    }

    /// Returns the content of the file. Equal strategies have equal bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (memory, odds) in &self.odds {
            bytes.extend_from_slice(&(memory.len() as u16).to_le_bytes());
            bytes.extend_from_slice(memory);
            bytes.extend_from_slice(&(odds.len() as u16).to_le_bytes());
            bytes.extend(odds.iter().flat_map(|odds| odds.to_le_bytes()));
        }
        FORM.encode(&self.about, &bytes)
    }

    /// Writes the file atomically.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        write_atomically(path, &self.to_bytes())
    }
}

/// Takes `count` bytes from the front.
fn take<'b>(rest: &mut &'b [u8], count: usize) -> Result<&'b [u8], &'static str> {
    let (taken, after) = rest.split_at_checked(count).ok_or("the data ends too early")?;
    *rest = after;
    Ok(taken)
}

fn take_count(rest: &mut &[u8]) -> Result<usize, &'static str> {
    Ok(usize::from(u16::from_le_bytes([take(rest, 1)?[0], take(rest, 1)?[0]])))
}

fn read_sets(mut rest: &[u8]) -> Result<Odds, &'static str> {
    let rest = &mut rest;
    let mut sets = Odds::new();
    while !rest.is_empty() {
        let length = take_count(rest)?;
        let memory: Box<[u8]> = take(rest, length)?.into();
        if sets.last_key_value().is_some_and(|(last, _)| *last >= memory) {
            return Err("the information sets are out of order");
        }
        let count = take_count(rest)?;
        let odds: Box<[f32]> = take(rest, 4 * count)?
            .chunks_exact(4)
            .map(|chunk| f32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]))
            .collect();
        let fit = odds.iter().all(|odds| (0.0..=1.0 + TOLERANCE).contains(odds));
        if count < 2 || !fit || (odds.iter().sum::<f32>() - 1.0).abs() > TOLERANCE {
            return Err("the probabilities of an information set are not a distribution");
        }
        sets.insert(memory, odds);
    }
    Ok(sets)
}
