//! Hidden information: the worlds that a view allows.
//!
//! Each trait is one ability. A game that hides nothing has them all: its only world is the view itself.

use std::hash::Hash;

use crate::rng::Rng;
use crate::rules::abilities::Imagine;
use crate::rules::game::Game;
use crate::rules::seat::Seat;

/// A game whose hidden worlds can be listed.
#[diagnostic::on_unimplemented(message = "`{Self}` cannot list the worlds of a view")]
pub trait ListWorlds: Imagine {
    /// What tells listed worlds apart. Small, and cheap to hash and compare.
    type Identity: Copy + Eq + Hash;

    /// Returns every state that `view` allows, with the odds that chance gave it; they add up to 1. `None` if there are more
    /// than `most`.
    ///
    /// States with equal futures may be listed as one. As with [`Imagine::imagine`], how likely the other
    /// seat was to choose as it did is not weighed.
    fn worlds(&self, view: &Self::View, most: usize) -> Option<Vec<(Self::State, f64)>> {
        self.worlds_while(view, most, &|| true)
    }

    /// Does what [`worlds`](ListWorlds::worlds) does, and gives up with `None` as soon as they are not `wanted` any more, which
    /// is asked every now and then.
    fn worlds_while(
        &self,
        view: &Self::View,
        most: usize,
        wanted: &dyn Fn() -> bool,
    ) -> Option<Vec<(Self::State, f64)>>;

    /// Returns every state that `view` allows, one for each way in which it can have come about, with its odds; the odds add up to 1.
    /// What a seat chose can be likelier in one history of a world than in another. `None` if there are more than `most`, or as soon
    /// as they are not `wanted` any more.
    ///
    /// Without a body of its own, worlds have one history each.
    fn histories_while(
        &self,
        view: &Self::View,
        most: usize,
        wanted: &dyn Fn() -> bool,
    ) -> Option<Vec<(Self::State, f64)>> {
        self.worlds_while(view, most, wanted)
    }

    /// Returns which of the listed worlds of its view a state belongs to.
    fn identity(&self, world: &Self::State) -> Self::Identity;
}

/// A game whose hidden things can be dealt out by their numbers alone: what beliefs are measured against.
#[diagnostic::on_unimplemented(message = "`{Self}` cannot deal out hidden things by their numbers alone")]
pub trait BlindWorlds: Imagine {
    /// Returns a state that has the right numbers of hidden things but ignores what the course of the match tells about
    /// them. Its view for the same seat equals `view`.
    fn imagine_blindly(&self, view: &Self::View, rng: &mut Rng) -> Self::State;

    /// Returns a state of [`imagine_blindly`](BlindWorlds::imagine_blindly) for every way in which hidden things can lie in their
    /// places; all are equally likely. `None` if there are more than `most`, or as soon as they are not `wanted` any more.
    fn worlds_blindly(
        &self,
        view: &Self::View,
        most: usize,
        wanted: &dyn Fn() -> bool,
    ) -> Option<Vec<Self::State>>;
}

/// A game whose states tell how they came about.
#[diagnostic::on_unimplemented(message = "`{Self}` cannot retrace how a state came about")]
pub trait Retrace: Game {
    /// Calls `visit` with every state of the present stage in which a seat decided, and what it decided, first to last.
    ///
    /// States of a game that hides nothing need not remember their past: there nothing is visited, because no world has to be
    /// told from another.
    fn retrace(&self, world: &Self::State, visit: impl FnMut(&Self::State, Seat, Self::Action));
}

/// A game whose hidden things have names and places.
#[diagnostic::on_unimplemented(message = "`{Self}` does not name what it hides")]
pub trait HiddenThings: Game {
    /// The places in which a hidden thing can be, in words: `other hand`, `boneyard`.
    const PLACES: &'static [&'static str];

    /// Returns the names of the things that the seat of `view` cannot see.
    fn hidden(&self, view: &Self::View) -> Vec<String>;

    /// Returns in which of [`PLACES`](HiddenThings::PLACES) the `thing`-th hidden thing of `view` is in `world`.
    fn place(&self, view: &Self::View, world: &Self::State, thing: usize) -> usize;
}

impl<S: Clone, G: Game<State = S, View = S> + Imagine> ListWorlds for G {
    type Identity = ();

    fn worlds_while(&self, view: &S, most: usize, _: &dyn Fn() -> bool) -> Option<Vec<(S, f64)>> {
        (most > 0).then(|| vec![(view.clone(), 1.0)])
    }

    fn identity(&self, _: &S) {}
}

impl<S: Clone, G: Game<State = S, View = S> + Imagine> BlindWorlds for G {
    fn imagine_blindly(&self, view: &S, _: &mut Rng) -> S {
        view.clone()
    }

    fn worlds_blindly(&self, view: &S, most: usize, _: &dyn Fn() -> bool) -> Option<Vec<S>> {
        (most > 0).then(|| vec![view.clone()])
    }
}

impl<S, G: Game<State = S, View = S>> Retrace for G {
    fn retrace(&self, _: &S, _: impl FnMut(&S, Seat, Self::Action)) {}
}

impl<S, G: Game<State = S, View = S>> HiddenThings for G {
    const PLACES: &'static [&'static str] = &[];

    fn hidden(&self, _: &S) -> Vec<String> {
        Vec::new()
    }

    fn place(&self, _: &S, _: &S, thing: usize) -> usize {
        unreachable!("nothing is hidden, so there is no thing {thing}")
    }
}
