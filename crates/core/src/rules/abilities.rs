//! Abilities that a game can offer beyond its rules. A bound on one of these says what an algorithm needs.

use std::fmt;
use std::hash::Hash;

use crate::rng::Rng;
use crate::rules::game::Game;
use crate::rules::seat::BySeat;

/// A game with perfect information: nothing is hidden from any seat. Automatic where `View = State`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` hides something from its seats, so its views are not states",
    note = "use a bound of `Imagine` and search over imagined states instead"
)]
pub trait PerfectInfo: Game {
    /// Returns the state that a view is.
    fn truth<'v>(&self, view: &'v Self::View) -> &'v Self::State;
}

impl<S, G: Game<State = S, View = S>> PerfectInfo for G {
    #[inline]
    fn truth<'v>(&self, view: &'v S) -> &'v S {
        view
    }
}

/// A game that can fill in what a seat does not see.
#[diagnostic::on_unimplemented(message = "`{Self}` cannot imagine a state from a view")]
pub trait Imagine: Game {
    /// Returns a state that `view` allows: its view for the same seat equals `view`.
    ///
    /// Worlds that agree with everything the seat has seen are drawn with the odds that chance gave them. The draw
    /// does not weigh how likely the other seats were to choose as they did.
    fn imagine(&self, view: &Self::View, rng: &mut Rng) -> Self::State;
}

impl<S: Clone, G: Game<State = S, View = S>> Imagine for G
where
    G: PerfectInfo,
{
    fn imagine(&self, view: &S, _rng: &mut Rng) -> S {
        view.clone()
    }
}

/// A game whose states have a key under which tables can keep what was found out about them.
#[diagnostic::on_unimplemented(message = "`{Self}` has no table key")]
pub trait Keyed: Game {
    /// Small, and cheap to hash and compare.
    type Key: Copy + Eq + Hash + Send + Sync;

    /// Returns the key of a state. States that differ in what can still happen have different keys, save for hashing
    /// accidents where the game says that its key is a hash.
    fn key(&self, state: &Self::State) -> Self::Key;

    /// Returns the key of what stands where, and what the rules count beside it.
    #[inline]
    fn standing(&self, state: &Self::State) -> Standing<Self::Key> {
        Standing { key: self.key(state), reversible: 0, left: u32::MAX }
    }

    /// Returns the mirror image of a state, where the rules do not tell the two apart.
    fn mirrored(&self, _: &Self::State) -> Option<Self::State> {
        None
    }

    /// Returns what an action of a state is in its mirror image, and the other way round.
    fn mirrored_action(&self, action: Self::Action) -> Self::Action {
        action
    }
}

/// A state without the count of plies towards a tie, and that count.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Standing<K> {
    /// Equal for states that differ in the count only.
    pub key: K,
    /// How many plies it has been since something happened that cannot be undone: so far back, a state can have occurred before. 0 in
    /// games without repetitions.
    pub reversible: u32,
    /// How many plies are left until the rules end the match with a tie; `u32::MAX` without such a rule.
    pub left: u32,
}

/// A way to code what a seat knows, as lists show it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct CodecInfo {
    /// The name in specs.
    pub name: &'static str,
    /// What a code holds, in one line.
    pub summary: &'static str,
}

/// Returns the sentence for a name that none of `codecs` has: what would be right.
#[must_use]
pub fn no_such_codec(name: &str, codecs: &[CodecInfo]) -> String {
    let known: Vec<&str> = codecs.iter().map(|codec| codec.name).collect();
    format!("there is no codec `{name}`; there are {}", known.join(", "))
}

/// A game whose views can be coded as a stimulant, and what an own action leads to as a respondent: what the collective
/// learner needs.
///
/// Codes may forget: two views with one code are alike to the learner. They must come from the view alone. What holds for
/// every codec is checked by `parlor-testkit`: codes have no more than [`width`](Stimulus::width) bits, every code that is met
/// has words, and the first decision of a match is an opening.
///
/// [`stimulant`](Stimulus::stimulant) and [`respondent`](Stimulus::respondent) are called for every action of every decision
/// of a training, so they allocate nothing. Codes can also come from a file: the other methods take any number.
#[diagnostic::on_unimplemented(message = "`{Self}` has no codecs for the collective learner")]
pub trait Stimulus: Game {
    /// One of the codecs, fit for these rules.
    type Codec: Copy + fmt::Debug + Send + Sync + 'static;

    /// The names of the codecs, the default first.
    const CODECS: &'static [CodecInfo];

    /// Returns the codec of that name, which is one of [`CODECS`](Stimulus::CODECS).
    ///
    /// # Errors
    /// Why it does not fit these rules, such as a board with more cells than a code has room for.
    fn codec(&self, name: &str) -> Result<Self::Codec, String>;

    /// Returns a text that names everything that the meaning of codes depends on, such as the size of the board.
    /// Knowledge learnt under other rules is of use where these texts are equal.
    fn meaning(&self, codec: Self::Codec) -> String {
        format!("{codec:?}")
    }

    /// Returns how many bits a code has at the most, 1 to 128.
    fn width(&self, codec: Self::Codec) -> u32;

    /// Returns the code of what the seat knows when it is to decide.
    fn stimulant(&self, codec: Self::Codec, view: &Self::View) -> u128;

    /// Returns the code of what the seat will know right after its own action, before chance or another seat acts.
    ///
    /// An action that ends a stage leads to the last table of that stage, not to the first of the next.
    fn respondent(&self, codec: Self::Codec, view: &Self::View, action: Self::Action) -> u128;

    /// Returns whether an action leads anywhere. A pass does not: nothing was chosen and nothing came of it, so nothing is
    /// learnt from it.
    fn is_transition(&self, _action: Self::Action) -> bool {
        true
    }

    /// Returns the points of each seat when a seat knows this, in games that count any.
    fn points_so_far(&self, _view: &Self::View) -> BySeat<f64> {
        BySeat::default()
    }

    /// Returns a code in words.
    fn in_words(&self, codec: Self::Codec, code: u128) -> String;

    /// Returns what was done between a stimulant and its respondent, in words: as much as follows from the two codes.
    fn step_in_words(&self, codec: Self::Codec, from: u128, to: u128) -> String {
        format!("{} → {}", self.in_words(codec, from), self.in_words(codec, to))
    }

    /// Returns whether nothing has been done when a seat knows what this code says, as far as the code tells.
    fn is_opening(&self, codec: Self::Codec, code: u128) -> bool;
}
