//! What a search asks where it stops: the game's own evaluation, or a learnt value of positions from a file.

use std::sync::Arc;

use parlor_core::files::recall::{self, NO_FILE, SHIPPED};
use parlor_core::rules::evaluate::MOST;
use parlor_core::{Evaluate, Game, Key, Kind, OnDisk, Seat, Settings, SpecError};
use parlor_ml::net::Accumulators;

/// The key for games in which a learner values positions.
pub const KEY: Key = Key {
    name: "evaluation",
    kind: Kind::File(OnDisk { words: &[NO_FILE, SHIPPED], checksum: recall::checksum_of }),
    default: NO_FILE,
    help: "knowledge file of `ntuple`, in connect also of `columns(rule=td)`, whose values replace the game's own evaluation; shipped: the one embedded in the program",
};

/// The key for games in which a learner values what seats know.
pub const VIEWS_KEY: Key = Key {
    help: "knowledge file of `ntuple`, whose values replace playouts where the search ends; shipped: the one embedded in the program",
    ..KEY
};

/// The word for the net that comes with the program.
pub const NET: &str = "net";

/// The key for games in which nets value positions too; `default` is a word or a file.
const fn key_with_net(default: &'static str) -> Key {
    Key {
        name: KEY.name,
        kind: Kind::File(OnDisk { words: &[NO_FILE, SHIPPED, NET], checksum: recall::checksum_of }),
        default,
        help: "what values positions: net, the embedded net, and the game's own evaluation on other boards; none, the game's own evaluation; shipped, the embedded values of `ntuple`; or a file of `ntuple` or `parlor net`",
    }
}

/// The key for the checksum of that file.
pub const CHECKSUM: Key = Key::checksum("evaluation_checksum", KEY.name);

/// Returns the keys of a search in a game in which a learner values positions.
#[must_use]
pub fn with_keys(keys: &[Key]) -> Vec<Key> {
    [keys, &[KEY, CHECKSUM]].concat()
}

/// Returns the keys of a search in a game in which a learner values what seats know.
#[must_use]
pub fn with_views_keys(keys: &[Key]) -> Vec<Key> {
    [keys, &[VIEWS_KEY, CHECKSUM]].concat()
}

/// Returns the keys of a search in a game in which nets value positions too.
#[must_use]
pub fn with_net_keys(keys: &[Key], default: &'static str) -> Vec<Key> {
    [keys, &[key_with_net(default), CHECKSUM]].concat()
}

/// A learnt value of positions.
pub trait LearntValue<G: Game>: Send + Sync {
    /// Returns the value of a position for the seat to move, from −1 (lost) to 1 (won). The phase is
    /// [`Decide`](parlor_core::Phase::Decide).
    fn value(&self, game: &G, state: &G::State) -> f32;

    /// Returns the value in the units of an evaluation; `kept` is what a net keeps from one position to the next.
    #[inline]
    fn evaluate(&self, game: &G, state: &G::State, _kept: &mut Accumulators) -> i32 {
        (LEARNT_SCALE * self.value(game, state)) as i32
    }
}

/// Makes the learnt value that the key [`KEY`] selects, if any.
pub type BuildLearnt<G> = fn(&G, &Settings) -> Result<Option<Arc<dyn LearntValue<G>>>, SpecError>;

/// The last action of a seat before a position: the state in which it was taken, the seat, and the action.
pub type LastChoice<'a, G> = (&'a <G as Game>::State, Seat, <G as Game>::Action);

/// What a learnt value says of a position, and how many actions were valued for that.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct ViewValue {
    /// The expected result, from −1 (lost) to 1 (won).
    pub value: f64,
    /// The number of actions that were valued.
    pub effort: u64,
}

/// A learnt value of what seats know, for searches of worlds. It judges a seat's action by the seat's own view in the world of the search,
/// so it knows no more of that world than the seat would.
pub trait ViewValues<G: Game>: Send {
    /// Returns what a state is worth to `seat`; `last` is the last action of a seat before it.
    fn value(&mut self, game: &G, state: &G::State, seat: Seat, last: Option<LastChoice<'_, G>>)
    -> ViewValue;
}

/// Makes the learnt values that the key [`VIEWS_KEY`] selects, if any.
pub type BuildViewValues<G> = fn(&G, &Settings) -> Result<Option<Box<dyn ViewValues<G>>>, SpecError>;

/// A learnt value of ±1 in the units of an evaluation.
const LEARNT_SCALE: f32 = 0.9 * MOST as f32;

/// The evaluation of a search.
pub struct Evaluation<G: Evaluate> {
    /// The weights of the game's own evaluation, which also order actions.
    pub weights: G::Weights,
    learnt: Option<Arc<dyn LearntValue<G>>>,
}

impl<G: Evaluate> Clone for Evaluation<G> {
    fn clone(&self) -> Self {
        Evaluation { weights: self.weights.clone(), learnt: self.learnt.clone() }
    }
}

impl<G: Evaluate> Evaluation<G> {
    /// Returns the game's own evaluation with these weights.
    #[must_use]
    pub const fn new(weights: G::Weights) -> Self {
        Evaluation { weights, learnt: None }
    }

    /// Puts a learnt value in its place, if there is one.
    #[must_use]
    pub fn or_learnt(self, learnt: Option<Arc<dyn LearntValue<G>>>) -> Self {
        Evaluation { learnt, ..self }
    }

    /// Returns the learnt value; `None` without one.
    #[must_use]
    pub fn learnt(&self) -> Option<&dyn LearntValue<G>> {
        self.learnt.as_deref()
    }

    /// Returns how good a position looks for the seat to move, from −[`MOST`] to [`MOST`].
    #[inline]
    pub fn of(&self, game: &G, state: &G::State, kept: &mut Accumulators) -> i32 {
        match &self.learnt {
            None => game.evaluate(&self.weights, state),
            Some(learnt) => learnt.evaluate(game, state, kept),
        }
    }
}
