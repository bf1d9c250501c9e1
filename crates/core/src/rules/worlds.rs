//! What a seat cannot see, as far as it can be told: the worlds that a view allows.

use crate::rng::Rng;
use crate::rules::abilities::Imagine;
use crate::rules::seat::Seat;

/// A game whose hidden worlds can be listed, retraced, and told apart by where things are.
#[diagnostic::on_unimplemented(message = "`{Self}` cannot list the worlds of a view")]
pub trait Worlds: Imagine {
    /// The places in which a hidden thing can be, in words: `other hand`, `boneyard`.
    const PLACES: &'static [&'static str];

    /// Returns every state that `view` allows, with the odds that chance gave it; they add up to 1. `None` if there are more
    /// than `most`.
    ///
    /// States from which everything goes on alike may be listed as one. As with [`Imagine::imagine`], how likely the other
    /// seat was to choose as it did is not weighed.
    fn worlds(&self, view: &Self::View, most: usize) -> Option<Vec<(Self::State, f64)>> {
        self.worlds_while(view, most, &|| true)
    }

    /// Does what [`worlds`](Worlds::worlds) does, and gives up with `None` as soon as they are not `wanted` any more, which is
    /// asked every now and then.
    fn worlds_while(
        &self,
        view: &Self::View,
        most: usize,
        wanted: &dyn Fn() -> bool,
    ) -> Option<Vec<(Self::State, f64)>>;

    /// Returns a state that has the right numbers of hidden things but ignores what the course of the match tells about
    /// them. Its view for the same seat equals `view`. What beliefs are measured against.
    fn imagine_blindly(&self, view: &Self::View, rng: &mut Rng) -> Self::State;

    /// Returns a state of [`imagine_blindly`](Worlds::imagine_blindly) for every way in which hidden things can lie in their places; all
    /// are equally likely. `None` if there are more than `most`, or as soon as they are not `wanted` any more.
    fn worlds_blindly(
        &self,
        view: &Self::View,
        most: usize,
        wanted: &dyn Fn() -> bool,
    ) -> Option<Vec<Self::State>>;

    /// Calls `visit` with every state of the present stage in which a seat decided, and what it decided, first to last.
    fn retrace(&self, world: &Self::State, visit: impl FnMut(&Self::State, Seat, Self::Action));

    /// Returns the names of the things that the seat of `view` cannot see.
    fn hidden(&self, view: &Self::View) -> Vec<String>;

    /// Returns in which of [`PLACES`](Worlds::PLACES) the `thing`-th hidden thing of `view` is in `world`.
    fn place(&self, view: &Self::View, world: &Self::State, thing: usize) -> usize;
}
