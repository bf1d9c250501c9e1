//! What a game must offer for retrograde analysis: its positions with few pieces, numbered, and moves that can be undone.
//!
//! K. Thompson, *Retrograde analysis of certain endgames*, ICCA Journal 1986; R. Lake, J. Schaeffer, P. Lu, *Solving large
//! retrograde analysis problems using a network of workstations*, 1994 (slices by what cannot be undone).

use std::fmt::Debug;
use std::hash::Hash;

use crate::rules::game::Game;

/// The number of a setup: its class, the slice of the class, the place in the slice.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spot<C> {
    /// Which pieces there are.
    pub class: C,
    /// Which of the class's slices, from 0.
    pub slice: u64,
    /// Which place in the slice, from 0.
    pub place: u64,
}

/// A game whose positions with few pieces can be listed, and whose quiet moves can be taken back.
///
/// A *setup* is what stands where, seen by the side to move: two positions that differ only in the names of the sides, in a
/// mirror or in what has happened before have one setup. Setups with the same pieces are a *class*. A class falls into *slices*
/// of equal size: a reversible move leads to one slice of the [`turned`](Reversible::turned) class only, and every other move to
/// a class of lower [`rank`](Reversible::rank) or to a slice of the turned class with a higher [`level`](Reversible::level).
/// So a slice and the one it leads to can be worked out together, once everything that lies beyond them is known.
///
/// The game must have two seats and no chance among these setups; a side that cannot move has lost.
#[diagnostic::on_unimplemented(message = "`{Self}` cannot list its positions with few pieces")]
pub trait Reversible: Game {
    /// Which pieces there are, of the side to move and of the other.
    type Class: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;

    /// What stands where, seen by the side to move.
    type Setup: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// Whether different moves can lead to one setup, as they do where setups are taken modulo mirrors.
    const MIRRORED: bool;

    /// Returns what the values of setups depend on, the size of the board and the rules: tables with equal texts are
    /// interchangeable. Without white space.
    fn meaning(&self) -> String;

    /// Returns every class with this number of pieces in which both sides have some.
    fn classes(&self, pieces: u32) -> Vec<Self::Class>;

    /// Returns the class's name, fit for a file.
    fn class_name(&self, class: Self::Class) -> String;

    /// Returns how many pieces there are.
    fn pieces(&self, class: Self::Class) -> u32;

    /// Returns whether the side to move has no piece left: such setups are lost, and are in no table.
    fn is_bare(&self, class: Self::Class) -> bool;

    /// Returns a number that grows with what can still be lost or become of the pieces.
    fn rank(&self, class: Self::Class) -> u32;

    /// Returns the class in which the other side is to move.
    fn turned(&self, class: Self::Class) -> Self::Class;

    /// Returns the classes that a move can lead to, beside the turned one. The list may be too long.
    fn conversions(&self, class: Self::Class) -> Vec<Self::Class>;

    /// Returns how many slices a class has. Saturates, as does [`slice_size`](Reversible::slice_size).
    fn slices(&self, class: Self::Class) -> u64;

    /// Returns how many places a slice of the class has.
    fn slice_size(&self, class: Self::Class) -> u64;

    /// Returns the slice of the turned class that reversible moves lead to.
    fn turned_slice(&self, class: Self::Class, slice: u64) -> u64;

    /// Returns how much irreversible progress a slice stands for.
    fn level(&self, class: Self::Class, slice: u64) -> u32;

    /// Returns the setup of a position; `None` if it has none, because something lies face down or there are too many pieces.
    fn setup(&self, state: &Self::State) -> Option<Self::Setup>;

    /// Returns a position with this setup, nothing having happened before.
    fn stand(&self, setup: &Self::Setup) -> Self::State;

    /// Returns the class of a setup.
    fn class(&self, setup: &Self::Setup) -> Self::Class;

    /// Returns the number of a setup.
    fn spot(&self, setup: &Self::Setup) -> Spot<Self::Class>;

    /// Returns the setup with this number; `None` for a number that no setup has.
    fn at(&self, spot: Spot<Self::Class>) -> Option<Self::Setup>;

    /// Returns the place of a setup in its slice, for callers that know the slice.
    #[inline]
    fn place_in_slice(&self, setup: &Self::Setup) -> u64 {
        self.spot(setup).place
    }

    /// Calls `visit` with every setup of a slice and its place, in order.
    #[inline]
    fn each(&self, class: Self::Class, slice: u64, mut visit: impl FnMut(u64, &Self::Setup)) {
        for place in 0..self.slice_size(class) {
            if let Some(setup) = self.at(Spot { class, slice, place }) {
                visit(place, &setup);
            }
        }
    }

    /// Calls `visit` with the setup that each legal move leads to, and whether the move is reversible.
    fn onward(&self, setup: &Self::Setup, visit: impl FnMut(Self::Setup, bool));

    /// Calls `visit` with every setup from which a reversible move would lead here if it were legal there. Where one
    /// reversible move is legal, all must be.
    fn backward(&self, setup: &Self::Setup, visit: impl FnMut(Self::Setup));

    /// Returns how many plies in a row can still be reversible before the match is drawn by the rules.
    fn quiet_plies_left(&self, state: &Self::State) -> u32;

    /// Returns how many places a class has.
    fn class_size(&self, class: Self::Class) -> u64 {
        self.slices(class).saturating_mul(self.slice_size(class))
    }
}
