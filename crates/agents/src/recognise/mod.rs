//! Recognising an opponent while playing: which of some types is it of?
//!
//! A [`Recogniser`] gives the probability of each type from everything that a seat has seen of the present stage and from what it
//! believed before. [`Bayes`] weighs types and worlds together by the likelihood of every choice: one posterior, of which the type is a
//! marginal. [`Classified`] asks a classifier that was fitted to turns of known players. [`Recognition`] keeps what was found out for as long as [`Memory`] says. Types carry over from stage to stage, worlds do
//! not.

mod acting;
mod classified;
mod evidence;
mod keys;

use parlor_core::{Game, Seat, Sight};

pub use acting::Acting;
pub use classified::Classified;
pub use evidence::Recognition;
pub(crate) use keys::{GUESS, MIX, Worlds, read};

use crate::beliefs::WeightedWorlds;

/// What a recogniser may use: everything that one seat has seen of the present stage.
pub struct Seen<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The seat that has seen it.
    pub seat: Seat,
    /// What the seat knows.
    pub view: &'a G::View,
    /// The worlds that the view allows, jointly with the types and weighed by choices; only for a recogniser that asks for them.
    pub worlds: Option<&'a WeightedWorlds<G::State>>,
}

/// Tells from what a seat has seen which type the other seat is of.
pub trait Recogniser<G: Game>: Send {
    /// Returns whether it needs worlds that are weighed by choices.
    fn weighs_choices(&self) -> bool;

    /// Returns whether what it counts runs on from stage to stage by itself. Otherwise its result at the end of a stage becomes the prior of
    /// the next.
    fn runs_on(&self) -> bool {
        false
    }

    /// A match begins.
    fn begin(&mut self, _game: &G) {}

    /// The seat saw something happen.
    fn watch(&mut self, _game: &G, _sight: Sight<G::Action>) {}

    /// Writes how likely each type is by what was seen; `prior` says how likely it was before the stage. The numbers add up to 1.
    fn recognise(&mut self, seen: &Seen<'_, G>, prior: &[f64], types: &mut Vec<f64>);
}

/// Bayes' rule: P(type, world | seen) ∝ P(world) · prior(type) · Π P(choice | type, its view in that world), summed over the worlds.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Bayes;

impl<G: Game> Recogniser<G> for Bayes {
    fn weighs_choices(&self) -> bool {
        true
    }

    fn recognise(&mut self, seen: &Seen<'_, G>, prior: &[f64], types: &mut Vec<f64>) {
        types.clear();
        if let Some(worlds) = seen.worlds.filter(|worlds| worlds.is_weighed()) {
            types.extend(worlds.types());
            // Only one type is left: then it is certain, without rounding.
            let total: f64 = types.iter().sum();
            types.iter_mut().for_each(|kind| *kind /= total);
        } else {
            // There was no time to weigh anything.
            types.extend_from_slice(prior);
        }
    }
}

/// How long evidence about an opponent's type is kept.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Memory {
    /// Until the stage ends.
    Stage,
    /// Until the match ends.
    Contest,
    /// Until the session ends: a series of matches in a fixed order.
    Session,
}
