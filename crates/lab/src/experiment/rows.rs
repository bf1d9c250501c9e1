//! What a test leaves behind: one row a repeat.

use parlor_core::{LearningReport, WinDrawLoss};

/// One test of one training: what was played, and what the learner knew and held.
///
/// Wins and all other numbers are the learner's; "other" is who sat across the table.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TestRow {
    /// The arm's place in the experiment's list, from 0.
    pub arm: u32,
    /// The number of the training, from 0.
    pub training: u32,
    /// After which round of training, from 1.
    pub round: u32,
    /// Which of the tests after this round, from 0.
    pub repeat: u32,
    /// How many matches were played.
    pub matches: u32,
    /// How they came out.
    pub results: WinDrawLoss,
    /// Stages played, in games that have them; else as many as matches.
    pub stages: u32,
    /// Stages won.
    pub stages_won: u32,
    /// Stages lost.
    pub stages_lost: u32,
    /// Points made in all matches.
    pub points: f64,
    /// Points of the other in all matches.
    pub points_other: f64,
    /// What the learner knows: entries, such as transitions.
    pub entries: u64,
    /// The memory it takes.
    pub bytes: u64,
    /// The most memory it took so far.
    pub peak_bytes: u64,
    /// Entries it has had to forget so far.
    pub forgotten: u64,
    /// Matches that ended by misbehaviour.
    pub forfeits: u32,
    /// What the learner reported after the round.
    pub report: LearningReport,
}
