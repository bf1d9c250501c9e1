//! What a seat has seen and done, cut down to what matters: the information sets of a game with hidden things.

use crate::rules::game::Game;

/// A game of two seats whose views tell everything that a seat has seen and done, so that it can be solved with what is hidden
/// kept hidden.
///
/// Memories may forget what makes no difference: a view and its mirror image, or the order in which two tiles were drawn that
/// cannot be told apart later. The laws, for a seat that is to decide:
///
/// - Views with equal memories offer choices with equal [`label`](InformationSets::label)s, and what follows on them is alike.
/// - A memory tells what the seat has chosen before, by the labels: nothing that it knew is forgotten. Whoever writes a game
///   out as information sets checks it.
/// - Who decides first in a match is known to both seats, and a memory does not depend on the number of the seat unless the rules
///   do.
#[diagnostic::on_unimplemented(message = "`{Self}` has no information sets")]
pub trait InformationSets: Game {
    /// Says why the rules at hand cannot be solved this way, if they cannot.
    ///
    /// # Errors
    /// A sentence.
    fn recalls(&self) -> Result<(), String> {
        Ok(())
    }

    /// Writes what the seat of a view remembers behind `memory`. Equal bytes mean the same on every machine.
    fn recall(&self, view: &Self::View, memory: &mut Vec<u8>);

    /// Returns what matters of an action. Actions of one view with equal labels lead to mirror images of each other.
    fn label(&self, view: &Self::View, action: Self::Action) -> u32;
}
