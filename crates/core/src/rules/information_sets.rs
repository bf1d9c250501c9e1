//! Information sets: what a seat has seen and done, reduced to what matters.

use crate::rules::game::Game;

/// A game of two seats with perfect recall: its views hold everything that a seat has seen and done, so that equilibria can be
/// computed.
///
/// Memories may forget what makes no difference: a view and its mirror image, or the order in which two tiles were drawn that
/// cannot be distinguished later. The laws, for a seat that is to decide:
///
/// - Views with equal memories offer choices with equal [`label`](InformationSets::label)s, and what follows on them is alike.
/// - A memory determines what the seat has chosen before, by the labels: nothing that it knew is forgotten. The sequence form
///   checks this.
/// - Who decides first in a match is known to both seats, and a memory does not depend on the number of the seat unless the rules
///   do.
#[diagnostic::on_unimplemented(message = "`{Self}` has no information sets")]
pub trait InformationSets: Game {
    /// Checks that these rules have perfect recall.
    ///
    /// # Errors
    /// A sentence that says why they do not.
    fn recalls(&self) -> Result<(), String> {
        Ok(())
    }

    /// Appends what the seat of a view remembers to `memory`. Equal bytes mean the same on every machine.
    fn recall(&self, view: &Self::View, memory: &mut Vec<u8>);

    /// Appends everything that the seat of a view knows to `memory`, its seat and mirror images included: equal bytes if and
    /// only if the views are equal when the seat decides. Equal bytes mean the same on every machine.
    fn recall_everything(&self, view: &Self::View, memory: &mut Vec<u8>);

    /// Returns what matters of an action. Actions of one view with equal labels lead to mirror images of each other.
    fn label(&self, view: &Self::View, action: Self::Action) -> u32;
}
