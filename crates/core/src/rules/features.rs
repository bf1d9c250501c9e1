//! Features: numbers that describe how a seat plays, for classifiers that recognise its style.

use crate::play::agent::Sight;
use crate::rules::game::Game;
use crate::rules::seat::Seat;

/// A feature as lists and files name it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct FeatureInfo {
    /// The name, which is a column of sample files.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// Whether it is a whole number from 0 on.
    pub whole: bool,
}

/// A game with features of play: for each turn of an observed seat, numbers by which its style can be recognised.
///
/// A tracker follows one match from the sights of one seat, the observer. Sights are masked, so features cannot depend on what the
/// observer may not see; both seats' sights give equal features. The same code computes the rows that classifiers are trained on and
/// those that a recogniser uses during a match.
///
/// A turn is what the game says it is; the features of a turn are fixed when it ends. Nothing here allocates, apart from
/// [`tracker`](Features::tracker) where a tracker owns a list.
#[diagnostic::on_unimplemented(message = "`{Self}` has no features of play")]
pub trait Features: Game {
    /// What an observer has counted in a match so far, for both seats.
    type Tracker: Clone + std::fmt::Debug + Send + Sync + 'static;

    /// The features, in the order of [`features`](Features::features).
    const FEATURES: &'static [FeatureInfo];

    /// The styles that are told apart: agents of the game's roster, each with a policy. A style's place is its class number.
    const STYLES: &'static [&'static str];

    /// The pairings that games of a sample cycle through: the style in seat 0 and the style in seat 1.
    const PAIRINGS: &'static [[usize; 2]];

    /// Returns a tracker for a match that is about to begin.
    fn tracker(&self) -> Self::Tracker;

    /// Takes in what the observer saw. Returns the seat whose turn has ended with it, if one has.
    fn observe(&self, tracker: &mut Self::Tracker, sight: Sight<Self::Action>) -> Option<Seat>;

    /// Returns whether a sight belongs to the preparation of a stage, before anyone has decided in it. Only games with several stages
    /// have such sights after the first decision of a match.
    fn prepares_stage(&self, _sight: Sight<Self::Action>) -> bool {
        false
    }

    /// Returns how many turns of a seat have ended.
    fn turns(&self, tracker: &Self::Tracker, seat: Seat) -> u32;

    /// Writes the features of the last turn of a seat; zeros before its first turn has ended.
    ///
    /// # Panics
    /// If `out` has not one place for each feature.
    fn features(&self, tracker: &Self::Tracker, seat: Seat, out: &mut [f64]);
}
