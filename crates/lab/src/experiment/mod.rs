//! Experiments with learners: what is trained, how it is tested, what is claimed, and what a source printed.
//!
//! An experiment has **arms**. An arm is one learner under one setting; it is trained `trainings` times, each time from
//! nothing, and training *i* of every arm draws from the same branch of the seed. A training consists of rounds of matches;
//! after some of the rounds it is tested: `repeats` tests of `matches` matches, with learning off. Each repeat is a
//! [row](rows::TestRow).
//!
//! | module | what it holds |
//! |---|---|
//! | [`mod@file`] | the TOML form |
//! | [`measure`] | what can be measured in a test, and what can be said of a curve |
//! | [`claims`] | hypotheses, printed figures and statements |
//! | [`rows`] | what a test leaves behind |
//! | [`evidence`] | the rows in order: what each training measured |
//! | [`estimate`], [`verdicts`], [`levels`], [`findings`] | what that says |
//! | [`sweep`] | one arm with every combination of values of some keys |
//! | [`mod@report`] | all of that as a page, as JSON and as charts; a summary of many runs |
//! | [`library`] | the experiments that come with the program |
//! | [`study`] | experiments without trainings: a `Study` takes the place of the arms |

pub mod claims;
pub mod estimate;
pub mod evidence;
pub mod file;
pub mod findings;
pub mod folder;
pub mod levels;
pub mod library;
pub mod measure;
mod reading;
pub mod report;
pub mod rows;
pub mod run;
pub mod study;
pub mod sweep;
pub mod verdicts;

use std::collections::BTreeMap;

use parlor_core::Seat;

use crate::toml_reader::Placed;
pub use crate::trainee::Opponent;
pub use claims::{Claim, Fact, Hypothesis, Published, Said, Verdict};
pub use evidence::Evidence;
pub use findings::Findings;
pub use library::PUBLISHED;
pub use measure::{Measure, Quantity, Statistic, Window};
pub use report::Report;
pub use rows::TestRow;
pub use study::{Study, StudyRow};
pub use sweep::{Sweep, SweepFinding};

/// An experiment: well-formed, but its games, learners and agents are still texts.
#[derive(Clone, PartialEq, Debug)]
pub struct Experiment {
    /// Its short name: `A1`.
    pub id: String,
    /// What it is about, in a line.
    pub title: String,
    /// Where it was first made, if it is not our own.
    pub source: Option<String>,
    /// What it asks, in a few sentences.
    pub question: String,
    /// The seed of everything.
    pub seed: u64,
    /// How many independent trainings every arm gets.
    pub trainings: u32,
    /// What is reconstructed, or differs from the source.
    pub notes: Vec<String>,
    /// The learners; none in a study.
    pub arms: Vec<Arm>,
    /// The arms that are combinations of values of some keys.
    pub sweep: Option<Sweep>,
    /// What is done in place of trainings, in a study.
    pub study: Option<Study>,
    /// What the smaller version has less of.
    pub smaller: Smaller,
    /// What is claimed.
    pub hypotheses: Vec<Hypothesis>,
    /// Curves and tables that the source printed.
    pub published: Vec<Published>,
    /// Single figures and statements of the source.
    pub facts: Vec<Fact>,
    /// Exact values beside ours.
    pub references: Vec<ReferenceValue>,
}

/// One learner under one setting.
#[derive(Clone, PartialEq, Debug)]
pub struct Arm {
    /// Its name in this experiment.
    pub name: String,
    /// The game's spec.
    pub game: Placed,
    /// The learner's spec.
    pub learner: Placed,
    /// Who it is trained against.
    pub against: Opponent<Placed>,
    /// The spec of the second learner that it is trained with, if it meets one.
    pub rival: Option<Placed>,
    /// How many rounds it is trained.
    pub rounds: u32,
    /// How many matches a round has.
    pub matches: u32,
    /// The stages of its training; empty if all rounds are alike. If there are stages, `rounds` is their sum, `matches` is the most that a
    /// round has, and `against` whom it meets first.
    pub stages: Vec<ArmStage>,
    /// Which seat it has, in training and in tests; `None` for both in turn.
    pub seat: Option<Seat>,
    /// How it is tested.
    pub test: Test,
}

/// A part of an arm's training.
#[derive(Clone, PartialEq, Debug)]
pub struct ArmStage {
    /// How many rounds it has.
    pub rounds: u32,
    /// How many matches a round has.
    pub matches: u32,
    /// Whom the learner meets, in turn.
    pub against: Vec<Opponent<Placed>>,
    /// Keys of the learner that have other values in this stage.
    pub settings: BTreeMap<String, Placed>,
}

impl Arm {
    /// Returns which stage a round, numbered from 1, belongs to; `None` if all rounds are alike.
    #[must_use]
    pub fn stage_of(&self, round: u32) -> Option<usize> {
        let mut last = 0;
        self.stages.iter().position(|stage| {
            last += stage.rounds;
            round <= last
        })
    }

    /// Returns how many matches a round, numbered from 1, has.
    #[must_use]
    pub fn matches_of(&self, round: u32) -> u32 {
        self.stage_of(round).map_or(self.matches, |stage| self.stages[stage].matches)
    }

    /// Returns how many matches the first rounds have together.
    #[must_use]
    pub fn matches_until(&self, round: u32) -> u64 {
        match &self.stages[..] {
            [] => u64::from(self.matches) * u64::from(round),
            _ => (1..=round).map(|round| u64::from(self.matches_of(round))).sum(),
        }
    }
}

/// How an arm is tested.
#[derive(Clone, PartialEq, Debug)]
pub struct Test {
    /// The opponent. Nothing is learnt in tests.
    pub against: Opponent<Placed>,
    /// After which rounds, in rising order.
    pub after: Vec<u32>,
    /// How many tests after each of them.
    pub repeats: u32,
    /// How many matches a test has.
    pub matches: u32,
    /// Whether the matches of the training are the test: then `against` is whom it is trained against, and a test has the
    /// matches of one round, in which it learns.
    pub while_training: bool,
}

/// An exact value that a curve can be compared with, such as that of perfect play.
#[derive(Clone, PartialEq, Debug)]
pub struct ReferenceValue {
    /// What it is: `perfect play`.
    pub says: String,
    /// The arms that it is about.
    pub arms: Vec<usize>,
    /// Of which measure.
    pub measure: Measure,
    /// The value.
    pub value: f64,
    /// How it is known.
    pub place: Option<String>,
}

/// What the smaller version of an experiment has less of. What is not given stays as it is.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Smaller {
    /// Trainings of every arm.
    pub trainings: Option<u32>,
    /// Maximum number of rounds.
    pub rounds: Option<u32>,
    /// Maximum number of matches per round.
    pub matches: Option<u32>,
    /// Tests only after these of the tested rounds; the last round if none of them is tested.
    pub after: Option<Vec<u32>>,
    /// Maximum number of tests after a round.
    pub repeats: Option<u32>,
    /// Maximum number of matches per test.
    pub test_matches: Option<u32>,
}

impl Experiment {
    /// Returns the smaller version: the same questions, asked with less.
    ///
    /// Printed figures that are counts of a whole test (wins, their spread) are left out where tests are shorter, and nothing is
    /// compared with a single figure of rounds that are not reached. A hypothesis about such rounds is asked of the nearest
    /// tested one.
    #[must_use]
    pub fn quick(&self) -> Experiment {
        let less = &self.smaller;
        let mut small = self.clone();
        let lower = |number: &mut u32, most: Option<u32>| *number = (*number).min(most.unwrap_or(u32::MAX));
        lower(&mut small.trainings, less.trainings);
        small.study = self.study.as_ref().map(Study::quick);
        for arm in &mut small.arms {
            lower(&mut arm.rounds, less.rounds);
            lower(&mut arm.matches, less.matches);
            arm.stages.iter_mut().for_each(|stage| lower(&mut stage.matches, less.matches));
            lower(&mut arm.test.repeats, less.repeats);
            if arm.test.while_training {
                arm.test.matches = arm.matches;
            } else {
                lower(&mut arm.test.matches, less.test_matches);
            }
            let wanted = |round: &u32| {
                *round <= arm.rounds && less.after.as_ref().is_none_or(|list| list.contains(round))
            };
            let kept: Vec<u32> = arm.test.after.iter().copied().filter(wanted).collect();
            let last = arm.test.after.last().map_or(arm.rounds, |last| arm.rounds.min(*last));
            arm.test.after = if kept.is_empty() { vec![last] } else { kept };
        }
        let shorter = |arm: usize| small.arms[arm].test.matches < self.arms[arm].test.matches;
        small.published.retain(|figure| !(figure.measure.is_count_of_a_test() && shorter(figure.arm)));
        let reaches = |arm: usize, window: Window| window.to <= small.arms[arm].rounds;
        for fact in &mut small.facts {
            fact.ours = fact.ours.take().filter(|ours| {
                let both = ours.minus.into_iter().chain([(ours.arm, ours.window)]);
                both.into_iter().all(|(arm, window)| reaches(arm, window))
                    && !(ours.measure.is_count_of_a_test() && shorter(ours.arm))
            });
        }
        small
    }

    /// Returns whether it speaks of what learners report, so that rows have it.
    #[must_use]
    pub fn has_reports(&self) -> bool {
        let of_hypotheses = self.hypotheses.iter().flat_map(|hypothesis| hypothesis.claim.measures());
        let of_sweep = self.sweep.iter().map(|sweep| sweep.measure);
        let of_facts = self.facts.iter().filter_map(|fact| fact.ours.as_ref()).map(|ours| ours.measure);
        of_hypotheses.chain(of_sweep).chain(of_facts).any(Measure::is_report)
    }

    /// Returns how many matches are played in all: in training, in tests.
    #[must_use]
    pub fn matches(&self) -> [u64; 2] {
        let each = |count: fn(&Arm) -> u64| {
            u64::from(self.trainings).saturating_mul(self.arms.iter().map(count).sum())
        };
        [
            each(|arm| arm.matches_until(arm.rounds)),
            each(|arm| {
                let Test { after, repeats, matches, while_training, .. } = &arm.test;
                if *while_training {
                    0
                } else {
                    after.len() as u64 * u64::from(*repeats) * u64::from(*matches)
                }
            }),
        ]
    }

    /// Returns how many rows a finished run has.
    #[must_use]
    pub fn rows(&self) -> u64 {
        let tests = |arm: &Arm| arm.test.after.len() as u64 * u64::from(arm.test.repeats);
        u64::from(self.trainings) * self.arms.iter().map(tests).sum::<u64>()
    }
}
