//! The settings of a match.

use parlor_core::TimeControl;
use parlor_core::rng::{GENERATOR, fork};
use serde::{Deserialize, Serialize};

use crate::pairs::{PairPlan, Terms, Trial};
use crate::run::folder::{self, RunKind, RunManifest};

/// The version of the folder's format.
pub const VERSION: u32 = 1;

/// Everything that decides what a match's games are, and when it stops.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The format's version.
    pub parlor_match: u32,
    /// The program's version.
    pub version: String,
    /// The generator of all random streams.
    pub rng: String,
    /// The game's full form.
    pub game: String,
    /// The agents' full forms.
    pub agents: [String; 2],
    /// The run's seed.
    pub seed: u64,
    /// How many pairs at the most.
    pub pairs: u64,
    /// The two hypotheses of the sequential test in Elo, if there is one.
    pub sprt: Option<[f64; 2]>,
    /// The time each agent has, as text: `5m+2s`, or `none` if it is not limited.
    pub time: TimeControl,
    /// Number of random decisions at the beginning of each pair.
    #[serde(default, skip_serializing_if = "is_none")]
    pub opening: u32,
    /// Whether agents think on each other's time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ponder: bool,
    /// How many pairs a session has; 0 makes every game a session of its own.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub session: u64,
}

/// Manifests without sessions look as they did before there were any.
pub(crate) fn is_zero(session: &u64) -> bool {
    *session == 0
}

/// Manifests without openings look as they did before there were any.
pub(crate) fn is_none(opening: &u32) -> bool {
    *opening == 0
}

impl Manifest {
    /// Returns the manifest with this program's version and generator filled in.
    #[must_use]
    pub fn new(game: String, agents: [String; 2], seed: u64, pairs: u64) -> Manifest {
        Manifest {
            parlor_match: VERSION,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            rng: GENERATOR.to_owned(),
            game,
            agents,
            seed,
            pairs,
            sprt: None,
            time: TimeControl::default(),
            opening: 0,
            ponder: false,
            session: 0,
        }
    }
}

impl RunManifest for Manifest {
    const KIND: &'static RunKind = &folder::MATCH;

    fn is_supported(&self) -> bool {
        self.parlor_match == VERSION && self.rng == GENERATOR
    }
}

impl PairPlan for Manifest {
    fn game(&self) -> &str {
        &self.game
    }

    fn agents(&self) -> &[String] {
        &self.agents
    }

    fn terms(&self) -> Terms {
        Terms { time: self.time, opening: self.opening, ponder: self.ponder, session: self.session }
    }

    fn rows(&self) -> u64 {
        self.pairs
    }

    fn trial(&self, row: u64) -> Trial {
        Trial { row, deal: fork(self.seed, row), agents: [0, 1], session: self.terms().session_start(row) }
    }
}
