//! An equilibrium as a file: a line that says what it is, a line about it, the information sets, a checksum.
//!
//! ```text
//! parlor strategy 1
//! {"parlor":"0.1.0","game":"dominoes(…)","value":0.63,"low":0.62,"high":0.64,…}
//! for each information set, by rising memory: the length of the memory (2 bytes), the memory, the number of choices (2), for each
//!     choice its odds (4, a float)
//! four bytes: the CRC-32 of everything before
//! ```
//!
//! All numbers have their lowest byte first.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use parlor_core::Unsolved;
use parlor_core::files::checksummed_file::{
    ChecksummedFileError, decode, encode, read_file, write_atomically,
};
use serde::{Deserialize, Serialize};

use super::solve::Solved;

const MAGIC: &[u8] = b"parlor strategy 1\n";

/// How far the odds of an information set may be from 1 together.
const SLACK: f32 = 1e-3;

/// Where a strategy comes from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct About {
    /// The version of the program that wrote it.
    pub parlor: String,
    /// The game's full form.
    pub game: String,
    /// What the seat that decides first gets if both play it.
    pub value: f64,
    /// What it gets at least.
    pub low: f64,
    /// What it can be kept down to.
    pub high: f64,
    /// What it loses to its best response, averaged over the two roles.
    pub exploitability: f64,
    /// How many rounds it was improved for.
    pub rounds: u64,
}

/// The odds of the choices in each information set, by what the seat remembers.
type Odds = BTreeMap<Box<[u8]>, Box<[f32]>>;

/// How to play a game with hidden things.
#[derive(Clone, PartialEq, Debug)]
pub struct Strategy {
    /// Where it comes from.
    pub about: About,
    /// The odds of the choices in each information set, by what the seat remembers.
    odds: Odds,
}

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StrategyError {
    /// The system says no.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It does not begin as it should.
    #[error("this is no strategy, or one of a version that this program does not know")]
    Foreign,
    /// Its bytes have changed since it was written.
    #[error("the strategy is damaged: its checksum does not fit")]
    Damaged,
    /// The line about it is not understood.
    #[error("the line about the strategy is not understood: {0}")]
    About(String),
    /// Its checksum fits, but its information sets are none that this program writes.
    #[error("the strategy's information sets are not understood: {0}")]
    Sets(&'static str),
    /// It is for other rules.
    #[error("the strategy is for {strategy}, not for {game}")]
    OtherGame {
        /// The strategy's game.
        strategy: String,
        /// The one at hand.
        game: String,
    },
}

impl From<ChecksummedFileError> for StrategyError {
    fn from(broken: ChecksummedFileError) -> Self {
        match broken {
            ChecksummedFileError::Foreign => StrategyError::Foreign,
            ChecksummedFileError::Damaged => StrategyError::Damaged,
            ChecksummedFileError::About(wrong) => StrategyError::About(wrong),
        }
    }
}

impl Strategy {
    /// Takes what was solved of a game, a full form.
    ///
    /// # Errors
    /// If what a seat remembers does not tell whether it decided first.
    pub fn new<A>(game: String, solved: &Solved<A>) -> Result<Strategy, Unsolved> {
        let mut odds = Odds::new();
        for ((side, situations), plan) in solved.form.sides.iter().zip(&solved.situations).zip(&solved.plans)
        {
            for (set, situation) in side.sets.iter().zip(situations) {
                let reach = plan[set.parent as usize];
                let even = 1.0 / set.choices as f32;
                let share = |weight: &f64| if reach > 0.0 { (weight / reach) as f32 } else { even };
                let shares: Box<[f32]> = plan[set.range()].iter().map(share).collect();
                if odds.insert(situation.memory.clone(), shares).is_some() {
                    let wrong = "a seat does not remember whether it decided first";
                    return Err(Unsolved::OutOfReach(wrong.to_owned()));
                }
            }
        }
        let about = About {
            parlor: env!("CARGO_PKG_VERSION").to_owned(),
            game,
            value: solved.bounds.value,
            low: solved.bounds.low,
            high: solved.bounds.high,
            exploitability: solved.bounds.exploitability(),
            rounds: solved.rounds,
        };
        Ok(Strategy { about, odds })
    }

    /// Returns the odds of each choice for a seat that remembers this, if it is known.
    #[must_use]
    pub fn odds(&self, memory: &[u8]) -> Option<&[f32]> {
        self.odds.get(memory).map(|odds| &**odds)
    }

    /// Returns how many information sets it knows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.odds.len()
    }

    /// Returns whether it knows none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.odds.is_empty()
    }

    /// Reads a file that must be for `game`, a full form.
    ///
    /// # Errors
    /// If it cannot be read, is no such file, is damaged, or is for another game.
    pub fn open(path: &Path, game: &str) -> Result<Strategy, StrategyError> {
        let strategy = Strategy::parse(&read_file(path)?)?;
        if strategy.about.game == game {
            return Ok(strategy);
        }
        Err(StrategyError::OtherGame { strategy: strategy.about.game, game: game.to_owned() })
    }

    /// Reads a file's bytes.
    ///
    /// # Errors
    /// If they are not what [`to_bytes`](Strategy::to_bytes) makes.
    pub fn parse(bytes: &[u8]) -> Result<Strategy, StrategyError> {
        let (about, content) = decode::<About>(MAGIC, bytes)?;
        let odds = read_sets(content).map_err(StrategyError::Sets)?;
        Ok(Strategy { about, odds })
    }

    /// Returns the file's bytes; equal strategies have equal bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (memory, odds) in &self.odds {
            bytes.extend_from_slice(&(memory.len() as u16).to_le_bytes());
            bytes.extend_from_slice(memory);
            bytes.extend_from_slice(&(odds.len() as u16).to_le_bytes());
            bytes.extend(odds.iter().flat_map(|odds| odds.to_le_bytes()));
        }
        encode(MAGIC, &self.about, &bytes)
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// Whatever writing gives.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        write_atomically(path, &self.to_bytes())
    }
}

/// Takes so many bytes from the front.
fn take<'b>(rest: &mut &'b [u8], count: usize) -> Result<&'b [u8], &'static str> {
    let (taken, after) = rest.split_at_checked(count).ok_or("they end too soon")?;
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
            return Err("they are out of order");
        }
        let count = take_count(rest)?;
        let odds: Box<[f32]> = take(rest, 4 * count)?
            .chunks_exact(4)
            .map(|chunk| f32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]))
            .collect();
        let fit = odds.iter().all(|odds| (0.0..=1.0 + SLACK).contains(odds));
        if count < 2 || !fit || (odds.iter().sum::<f32>() - 1.0).abs() > SLACK {
            return Err("the odds of an information set are none");
        }
        sets.insert(memory, odds);
    }
    Ok(sets)
}
