//! Experiments without trainings: agents play, are asked, or are computed with, and each question has a number for an answer.
//!
//! A study has **players**, **targets** and **measures**. Its rows are in long form: which player, against which target, at
//! which place of the horizontal axis, what was measured, its mean, and how far the observations spread. Rows with equal keys
//! are [merged](evidence::StudyEvidence), so any number of units can contribute to one number. A row without a spread is exact.
//!
//! | module | kind of study |
//! |---|---|
//! | [`duels`] | every deal of a small game, played and computed |
//! | [`matches`](mod@matches) | matches in pairs, at games of any size, with or without sessions |
//! | [`frontier`] | what responses and agents win, and what they risk |
//! | [`classify`] | classifiers of styles of play |
//! | [`recognise`] | how soon players know which target they meet |

pub mod classify;
pub mod duels;
pub mod evidence;
pub mod findings;
pub mod frontier;
mod kinds;
pub mod matches;
pub mod reading;
pub mod recognise;
pub mod report;
pub mod rows;
pub mod times;

use parlor_core::Cancel;
use parlor_core::api::ApiError;

use crate::run::Open;
use crate::toml_reader::{FileError, Placed};
use classify::Classify;
pub use evidence::StudyEvidence;
pub use findings::{StudyClaim, StudyFigure, StudyHypothesis, StudyTest};
use matches::Matches;
use recognise::Recognise;
pub use rows::StudyRow;
pub use times::StudyTime;

/// What a study does.
#[derive(Clone, PartialEq, Debug)]
pub enum StudyKind {
    /// Plays from every deal.
    Duels(duels::Duels),
    /// Plays matches in pairs.
    Matches(Matches),
    /// Computes responses.
    Frontier(frontier::Frontier),
    /// Fits classifiers.
    Classify(Classify),
    /// Watches players recognise their targets.
    Recognise(Recognise),
}

/// A study: well-formed, but its game and agents are still texts.
#[derive(Clone, PartialEq, Debug)]
pub struct Study {
    /// What it does.
    pub kind: StudyKind,
    /// The game's spec.
    pub game: Placed,
    /// What is claimed.
    pub hypotheses: Vec<StudyHypothesis>,
    /// What a source printed.
    pub figures: Vec<StudyFigure>,
    /// The charts of the report.
    pub charts: Vec<ChartSpec>,
}

/// A player or a target: its name in the report, and the agent's spec.
#[derive(Clone, PartialEq, Debug)]
pub struct Participant {
    /// The name.
    pub name: String,
    /// The spec. In a player's `{target}` stands for the target's spec.
    pub agent: Placed,
}

impl Participant {
    /// Returns the spec against a target.
    #[must_use]
    pub fn against(&self, target: &Participant) -> String {
        self.agent.text.replace("{target}", &target.agent.text)
    }
}

/// A chart of the report: curves of one measure over the place, or of one measure over another.
#[derive(Clone, PartialEq, Debug)]
pub struct ChartSpec {
    /// The file's name.
    pub name: String,
    /// The title.
    pub title: String,
    /// What the reader sees.
    pub caption: String,
    /// From left to right: a measure, or the place itself with this title.
    pub x: ChartAxis,
    /// From bottom to top: a measure.
    pub y: ChartAxis,
    /// The player whose curve is drawn, one for each target; without one, a curve for each player and target.
    pub curve: Option<String>,
    /// The only target that is drawn; all if there is none.
    pub target: Option<String>,
    /// Whether equal factors are equal lengths from left to right.
    pub logarithmic: bool,
}

/// An axis of a chart.
#[derive(Clone, PartialEq, Debug)]
pub struct ChartAxis {
    /// The measure; `place` is the row's place.
    pub measure: String,
    /// The title.
    pub title: String,
}

/// The name of the horizontal axis that is no measure.
pub const PLACE: &str = "place";

/// What a unit came to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StudyUnit {
    /// The rows.
    pub rows: Vec<StudyRow>,
    /// How long it took, where that is reported.
    pub times: Vec<StudyTime>,
}

impl From<Vec<StudyRow>> for StudyUnit {
    fn from(rows: Vec<StudyRow>) -> Self {
        StudyUnit { rows, times: Vec::new() }
    }
}

/// A study whose game is open and whose agents can all be made.
pub trait OpenedStudy: Send + Sync {
    /// Returns the number of units. They are independent of each other.
    fn units(&self) -> u64;

    /// Returns how much work a unit is, in steps of its progress.
    fn steps(&self, unit: u64) -> u64;

    /// Returns the full forms of everyone, for the manifest.
    fn specs(&self) -> Vec<(String, String)>;

    /// Runs one unit; `None` if it was cancelled. Rows and times have no unit and no count yet.
    ///
    /// # Errors
    /// If an agent misbehaves.
    fn play(
        &self,
        unit: u64,
        cancel: &Cancel,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Option<StudyUnit>, ApiError>;
}

impl Study {
    /// Returns the smaller version.
    #[must_use]
    pub fn quick(&self) -> Study {
        let mut small = self.clone();
        match &mut small.kind {
            StudyKind::Duels(duels) => duels.shrink(),
            StudyKind::Matches(matches) => matches.shrink(),
            StudyKind::Frontier(frontier) => frontier.shrink(),
            StudyKind::Classify(classify) => classify.shrink(),
            StudyKind::Recognise(recognise) => recognise.shrink(),
        }
        small
    }

    /// Opens the game and makes every agent once.
    ///
    /// # Errors
    /// If that is not possible, with the place in the file.
    pub fn open(&self, seed: u64, open: Open<'_>) -> Result<Box<dyn OpenedStudy>, FileError> {
        let game = || open(&self.game.text).map_err(|error| at(&self.game, error));
        Ok(match &self.kind {
            StudyKind::Duels(duels) => Box::new(duels::OpenedDuels::new(duels, game()?, seed)?),
            StudyKind::Matches(matches) => {
                Box::new(matches::OpenedMatches::new(matches, &self.game, seed, open)?)
            }
            StudyKind::Frontier(frontier) => {
                Box::new(frontier::OpenedFrontier::new(frontier, game()?, seed)?)
            }
            StudyKind::Classify(classify) => {
                Box::new(classify::OpenedClassify::new(classify, (game()?, &self.game), seed)?)
            }
            StudyKind::Recognise(recognise) => {
                Box::new(recognise::OpenedRecognise::new(recognise, game()?, seed)?)
            }
        })
    }

    /// Returns the players' names, in the order of the file.
    #[must_use]
    pub fn players(&self) -> Vec<&str> {
        match &self.kind {
            StudyKind::Duels(duels) => duels.players.iter().map(|player| player.name.as_str()).collect(),
            StudyKind::Matches(Matches { players, .. })
            | StudyKind::Classify(Classify { players, .. })
            | StudyKind::Recognise(Recognise { players, .. }) => {
                players.iter().map(|player| player.name.as_str()).collect()
            }
            StudyKind::Frontier(frontier) => {
                let agents = frontier.players.iter().map(|player| player.name.as_str());
                std::iter::once(frontier::RESPONSE).chain(agents).collect()
            }
        }
    }

    /// Returns the targets' names, in the order of the file.
    #[must_use]
    pub fn targets(&self) -> Vec<&str> {
        let targets = match &self.kind {
            StudyKind::Duels(duels) => &duels.targets,
            StudyKind::Frontier(frontier) => &frontier.targets,
            StudyKind::Classify(classify) => &classify.targets,
            StudyKind::Recognise(recognise) => &recognise.targets,
            StudyKind::Matches(matches) => {
                return matches.targets.iter().map(|(target, _)| target.name.as_str()).collect();
            }
        };
        targets.iter().map(|target| target.name.as_str()).collect()
    }

    /// Returns what is done, in a few words: for lists.
    #[must_use]
    pub fn words(&self) -> String {
        let (players, targets) = (self.players().len(), self.targets().len());
        format!("{players} players × {targets} targets")
    }
}

/// Adds the place of a text to an error.
fn at(placed: &Placed, error: impl std::error::Error) -> FileError {
    let mut wrong = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        wrong += &format!(": {error}");
        cause = error.source();
    }
    FileError { at: placed.at, wrong }
}
