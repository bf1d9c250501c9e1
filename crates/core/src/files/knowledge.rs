//! What a learner has learnt, as a file: a line that says what it is, a line about it, the knowledge, a checksum.
//!
//! ```text
//! parlor knowledge 1
//! {"parlor":"0.1.0","game":"dominoes(…)","learner":"collective(…)","matches":2500,…}
//! … the learner's own bytes …
//! four bytes: the CRC-32 of everything before, lowest byte first
//! ```

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::files::checksummed_file::{ChecksummedFileError, Form, checksum, read_file};
use crate::files::write_atomically;
use crate::play::agent::LearningReport;
use crate::play::win_draw_loss::WinDrawLoss;
use crate::rng::GENERATOR;

const FORM: Form = Form { what: "knowledge file", magic: b"parlor knowledge 1\n" };

/// How a learner did in a test on its way.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Milestone {
    /// After how many matches of training.
    pub matches: u64,
    /// Against whom it was tested.
    pub against: String,
    /// The matches of the test, from the learner's side.
    #[serde(flatten)]
    pub results: WinDrawLoss,
    /// How many things it knew.
    pub entries: u64,
}

/// What the learner's decisions lost against perfect play, at some point of its training.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RegretMilestone {
    /// After how many matches of training.
    pub matches: u64,
    /// How many of its decisions were compared with perfect play.
    pub judged: u64,
    /// How many of those were mistakes.
    pub mistakes: u64,
    /// What it loses in a match.
    pub lost: f64,
    /// Lower end of the 95 % interval; `None` if it made no mistake.
    pub low: Option<f64>,
    /// Upper end of the 95 % interval.
    pub high: Option<f64>,
    /// What losses count: discs, points.
    pub unit: String,
}

/// A part of a training, with opponents and settings of its own.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Stage {
    /// How many rounds it has.
    pub rounds: u64,
    /// How many matches a round has.
    pub round: u64,
    /// Whom the learner is trained against, in turn: full forms, or `self`.
    pub against: Vec<String>,
    /// Keys of the learner that have other values in this stage.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
}

impl Stage {
    /// Returns how many matches it has.
    #[must_use]
    pub fn matches(&self) -> u64 {
        self.rounds.saturating_mul(self.round)
    }
}

/// Where knowledge comes from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct About {
    /// The version of the program that wrote it.
    pub parlor: String,
    /// The game's full form.
    pub game: String,
    /// The learner's full form.
    pub learner: String,
    /// Whom it is trained against: full forms, or `self`.
    pub against: Vec<String>,
    /// How many rounds it is to be trained for.
    pub rounds: u64,
    /// How many matches a round has; 0 if that differs from stage to stage.
    pub round: u64,
    /// The stages of its training; empty if all of it has the same opponents and settings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<Stage>,
    /// After how many rounds of the last stage without a new best score it ends; `None` for never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patience: Option<u64>,
    /// Whom it is tested against after each round: full forms.
    pub testers: Vec<String>,
    /// How many matches each test has.
    pub test_matches: u64,
    /// How many matches it has been trained for.
    pub matches: u64,
    /// Match *i* draws from `fork(seed, i)`.
    pub seed: u64,
    /// The random generator.
    pub rng: String,
    /// The matches of each round of training, from the learner's side; in the file each is an array of three.
    #[serde(serialize_with = "write_arrays", deserialize_with = "read_arrays")]
    pub trained: Vec<WinDrawLoss>,
    /// How it did before the first round was over: where a curve is steepest.
    pub early: Vec<Milestone>,
    /// How it did after each round.
    pub curve: Vec<Milestone>,
    /// In how many deals it is compared with perfect play after 0, 1, 2, 4, … rounds and the last one; 0 for no comparison.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub regret_deals: u64,
    /// How that came out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub regret: Vec<RegretMilestone>,
    /// What the learner reported after each round; empty if it reports nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reports: Vec<LearningReport>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands references in")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

fn write_arrays<S: Serializer>(rounds: &[WinDrawLoss], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(rounds.iter().map(|&round| <[u64; 3]>::from(round)))
}

fn read_arrays<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<WinDrawLoss>, D::Error> {
    Ok(Vec::<[u64; 3]>::deserialize(from)?.into_iter().map(WinDrawLoss::from).collect())
}

impl About {
    /// Something that has not been trained yet and has no plan.
    #[must_use]
    pub fn new(game: String, learner: String, seed: u64) -> Self {
        About {
            parlor: env!("CARGO_PKG_VERSION").to_owned(),
            game,
            learner,
            against: Vec::new(),
            rounds: 0,
            round: 0,
            stages: Vec::new(),
            patience: None,
            testers: Vec::new(),
            test_matches: 0,
            matches: 0,
            seed,
            rng: GENERATOR.to_owned(),
            trained: Vec::new(),
            early: Vec::new(),
            curve: Vec::new(),
            regret_deals: 0,
            regret: Vec::new(),
            reports: Vec::new(),
        }
    }

    /// Returns the stages of its training, at least one.
    #[must_use]
    pub fn plan(&self) -> Vec<Stage> {
        if !self.stages.is_empty() {
            return self.stages.clone();
        }
        let settings = BTreeMap::new();
        vec![Stage { rounds: self.rounds, round: self.round, against: self.against.clone(), settings }]
    }

    /// Returns how many matches its training has in all.
    #[must_use]
    pub fn planned(&self) -> u64 {
        match &self.stages[..] {
            [] => self.rounds.saturating_mul(self.round),
            stages => stages.iter().fold(0, |sum: u64, stage| sum.saturating_add(stage.matches())),
        }
    }

    /// Returns how many whole rounds it has been trained for, and which stage the next one belongs to. After the last round it is the last stage.
    #[must_use]
    pub fn progress(&self) -> (u64, usize) {
        let plan = self.plan();
        let (mut rounds, mut left) = (0_u64, self.matches);
        for (number, stage) in plan.iter().enumerate() {
            if left < stage.matches() || number + 1 == plan.len() {
                return (rounds.saturating_add(left.checked_div(stage.round).unwrap_or(0)), number);
            }
            rounds = rounds.saturating_add(stage.rounds);
            left -= stage.matches();
        }
        (rounds, 0)
    }

    /// Returns after how many matches a round, numbered from 1, is over.
    #[must_use]
    pub fn end_of_round(&self, number: u64) -> u64 {
        let (mut matches, mut left) = (0_u64, number);
        for stage in self.plan() {
            let rounds = left.min(stage.rounds);
            matches = matches.saturating_add(rounds.saturating_mul(stage.round));
            left -= rounds;
        }
        matches
    }

    /// Returns whether it has ended early, because its tests have found no new best score for as long as its patience lasts.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        let (Some(patience), [_, ..]) = (self.patience, &self.testers[..]) else { return false };
        let plan = self.plan();
        let before =
            plan[..plan.len() - 1].iter().fold(0, |sum: u64, stage| sum.saturating_add(stage.rounds));
        let scores: Vec<f64> = self
            .curve
            .chunks(self.testers.len())
            .skip(usize::try_from(before).unwrap_or(usize::MAX))
            .map(|tests| tests.iter().filter_map(|test| test.results.score()).sum())
            .collect();
        // The first of equal ones: a score that is reached again is no progress.
        let best =
            (0..scores.len()).reduce(|best, next| if scores[next] > scores[best] { next } else { best });
        best.is_some_and(|best| (scores.len() - 1 - best) as u64 >= patience)
    }

    /// Returns whether there is more to train: its plan is not played to the end, and it has not ended early.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        self.matches < self.planned() && !self.is_settled()
    }
}

/// A file's content.
#[derive(Clone, PartialEq, Debug)]
pub struct Knowledge {
    /// Where it comes from.
    pub about: About,
    /// The learner's own bytes.
    pub payload: Vec<u8>,
}

impl Knowledge {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, is not a knowledge file, or is damaged.
    pub fn open(path: &Path) -> Result<Knowledge, ChecksummedFileError> {
        Knowledge::parse(&read_file(path)?)
    }

    /// Reads a file's bytes.
    ///
    /// # Errors
    /// If they are not what [`to_bytes`](Knowledge::to_bytes) makes.
    pub fn parse(bytes: &[u8]) -> Result<Knowledge, ChecksummedFileError> {
        let (about, payload) = FORM.decode(bytes)?;
        Ok(Knowledge { about, payload: payload.to_vec() })
    }

    /// Returns the file's bytes; equal knowledge gives equal bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        FORM.encode(&self.about, &self.payload)
    }

    /// Returns the checksum of the learner's own bytes: equal knowledge has equal ones.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        checksum(&self.payload)
    }

    /// Writes the file, whole or not at all: beside it first, then under its name.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        write_atomically(path, &self.to_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Knowledge {
        let mut about = About::new("tictactoe".into(), "collective".into(), 7);
        about.matches = 50;
        Knowledge { about, payload: (0..=255).collect() }
    }

    #[test]
    fn what_is_written_comes_back() {
        let knowledge = example();
        assert_eq!(Knowledge::parse(&knowledge.to_bytes()).unwrap(), knowledge);
    }

    #[test]
    fn a_plan_of_one_stage_adds_nothing_to_the_file() {
        let about = About { rounds: 3, round: 20, against: vec!["self".into()], ..example().about };
        let text = serde_json::to_string(&about).unwrap();
        for word in ["stages", "patience", "regret", "reports"] {
            assert!(!text.contains(word), "{text}");
        }
        assert_eq!((about.planned(), about.progress(), about.end_of_round(2)), (60, (2, 0), 40));
    }

    #[test]
    fn stages_follow_each_other() {
        let stage = |rounds, round| Stage { rounds, round, ..Stage::default() };
        let mut about =
            About { rounds: 6, stages: vec![stage(1, 50), stage(3, 10), stage(2, 100)], ..example().about };
        assert_eq!((about.planned(), about.progress()), (280, (1, 1)));
        let ends: Vec<u64> = (0..=7).map(|round| about.end_of_round(round)).collect();
        assert_eq!(ends, [0, 50, 60, 70, 80, 180, 280, 280]);
        about.matches = 0;
        assert_eq!(about.progress(), (0, 0));
        about.matches = 180;
        assert_eq!((about.progress(), about.is_unfinished()), ((5, 2), true));
        about.matches = 280;
        assert_eq!((about.progress(), about.is_unfinished()), ((6, 2), false));
    }

    #[test]
    fn a_training_ends_early_when_its_scores_stop_rising() {
        let about = |wins: &[u64], patience| {
            let mut about = About { rounds: 100, round: 10, ..example().about };
            (about.testers, about.patience) = (vec!["random".into()], patience);
            about.curve = wins
                .iter()
                .map(|&wins| Milestone {
                    matches: 0,
                    against: "random".into(),
                    results: [wins, 0, 10 - wins].into(),
                    entries: 0,
                })
                .collect();
            about.is_settled()
        };
        assert!(!about(&[1, 5, 5, 4], Some(3)), "two rounds since the best one");
        assert!(about(&[1, 5, 5, 4, 3], Some(3)));
        assert!(!about(&[1, 5, 5, 4, 6], Some(3)));
        assert!(!about(&[1, 5, 5, 4, 3], None) && !about(&[], Some(1)));
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_noticed() {
        let bytes = example().to_bytes();
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                assert!(Knowledge::parse(&damaged).is_err(), "bit {bit} of byte {at}");
            }
            assert!(Knowledge::parse(&bytes[..at]).is_err(), "cut at {at}");
        }
        assert!(matches!(Knowledge::parse(b"{}"), Err(ChecksummedFileError::Foreign { .. })));
    }
}
