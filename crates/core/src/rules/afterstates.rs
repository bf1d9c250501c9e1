//! What a learner of table entries needs of a game: which entries are active for what a seat knows right after its own action.

use std::fmt;

use crate::play::agent::StageResult;
use crate::rng::Rng;
use crate::rules::abilities::{CodecInfo, PerfectInfo};
use crate::rules::game::Game;
use crate::rules::payoffs::Payoffs;
use crate::rules::seat::Seat;

/// A game that describes *afterstates*, what a seat knows right after its own action and before chance or another seat acts, by the
/// active entries of one long table of weights. An afterstate is worth the sum of their weights, through a sigmoid to −1 … 1.
///
/// Entries are usually the contents of tuples of cells, but any features will do. They must come from the view and the action alone.
/// Nothing here allocates, apart from the buffers that grow at the first call.
#[diagnostic::on_unimplemented(message = "`{Self}` has no tables of entries for the learner `ntuple`")]
pub trait Afterstates: Game {
    /// Which tuples or features, made fit for these rules.
    type Layout: Clone + fmt::Debug + Send + Sync + 'static;

    /// Buffers of [`sums`](Afterstates::sums).
    type Scratch: Default + Send + 'static;

    /// The names of the layouts, the default first.
    const LAYOUTS: &'static [CodecInfo];

    /// Returns the layout of that name, which is one of [`LAYOUTS`](Afterstates::LAYOUTS).
    ///
    /// # Errors
    /// Why it does not fit these rules.
    fn table_layout(&self, name: &str) -> Result<Self::Layout, String>;

    /// Returns a text that names everything that the meaning of the entries depends on, such as the size of the board. Weights learnt
    /// under other rules are of use where these texts are equal.
    fn layout_meaning(&self, layout: &Self::Layout) -> String;

    /// Returns the number of entries of the table.
    fn entries(&self, layout: &Self::Layout) -> usize;

    /// Returns the maximum number of active entries; a step of learning is divided by it.
    fn most_active(&self, layout: &Self::Layout) -> usize;

    /// Appends the entries that are active for what the seat knows right after its own action. An entry may come twice.
    fn active(&self, layout: &Self::Layout, view: &Self::View, action: Self::Action, out: &mut Vec<u32>);

    /// Replaces `out` by the sum of the active weights after each of `actions`, in their order. An action with a
    /// [`known`](Afterstates::known) result may have any sum that puts it in its place: infinity for a win.
    ///
    /// A game overrides it where the actions of a decision share work.
    fn sums(
        &self,
        layout: &Self::Layout,
        _scratch: &mut Self::Scratch,
        weights: &[f32],
        view: &Self::View,
        actions: &[Self::Action],
        out: &mut Vec<f32>,
    ) {
        sums_one_by_one(self, layout, weights, view, actions, out);
    }

    /// Returns the value of an action that needs no weights because its result is certain, from −1 to 1 as in
    /// [`target`](Afterstates::target). Its entries are never looked at.
    fn known(&self, _layout: &Self::Layout, _view: &Self::View, _action: Self::Action) -> Option<f32> {
        None
    }

    /// Returns whether the afterstates of both seats form one chain, each as good for its seat as the next one is bad for it: so it is
    /// in games of two seats with perfect information and a constant sum. Otherwise each seat has a chain of its own.
    fn alternates(&self) -> bool {
        false
    }

    /// Returns what a seat got in a stage that has just ended, from −1 to 1; `payoffs` if it was the last one. `None` if the stage's end
    /// means nothing to the learner: the chain goes on in the next stage.
    ///
    /// By default the payoff of the match, scaled to the game's [`range`](Game::range).
    fn target(
        &self,
        _layout: &Self::Layout,
        seat: Seat,
        _result: &StageResult,
        payoffs: Option<&Payoffs>,
    ) -> Option<f32> {
        let range = self.range();
        let scaled = |payoff: f64| 2.0 * (payoff - range.low) / (range.high - range.low) - 1.0;
        payoffs.map(|payoffs| scaled(payoffs.of(seat)) as f32)
    }

    /// Returns whether an action is a choice to learn from; a forced pass is not.
    fn is_choice(&self, _view: &Self::View, _action: Self::Action) -> bool {
        true
    }

    /// Returns what an entry stands for, for people; its number where there are no words for it.
    fn entry_in_words(&self, _layout: &Self::Layout, entry: u32) -> String {
        entry.to_string()
    }

    /// Returns an action to explore with; each is equally likely unless the game knows better.
    fn explore(
        &self,
        _layout: &Self::Layout,
        _view: &Self::View,
        actions: &[Self::Action],
        rng: &mut Rng,
    ) -> Self::Action {
        *rng.choose(actions)
    }

    /// Returns the state in which a match of self-play begins. A contest may begin at any score, a board after random moves.
    fn opening(&self, _layout: &Self::Layout, _rng: &mut Rng) -> Self::State {
        self.start()
    }
}

/// Replaces `out` by the sums of the weights after each action, without any shared work: the default of [`Afterstates::sums`].
pub fn sums_one_by_one<G: Afterstates>(
    game: &G,
    layout: &G::Layout,
    weights: &[f32],
    view: &G::View,
    actions: &[G::Action],
    out: &mut Vec<f32>,
) {
    let mut active = Vec::with_capacity(game.most_active(layout));
    out.clear();
    for &action in actions {
        active.clear();
        game.active(layout, view, action, &mut active);
        out.push(active.iter().map(|&entry| weights[entry as usize]).sum());
    }
}

/// A game of perfect information whose positions can be valued by the same table: a search asks for the value of a position, not of an
/// action.
#[diagnostic::on_unimplemented(message = "`{Self}` cannot value positions by tables of entries")]
pub trait Positions: Afterstates + PerfectInfo {
    /// Returns the sum of the active weights for the seat that is *not* to move: the position is its afterstate. The phase is
    /// [`Decide`](crate::Phase::Decide).
    fn position_sum(&self, layout: &Self::Layout, weights: &[f32], state: &Self::State) -> f32;
}
