//! The rules of a game as a value.

use std::fmt::Debug;
use std::hash::Hash;

use crate::rng::Rng;
use crate::rules::payoffs::{Payoffs, Range};
use crate::rules::seat::{BySeat, Seat};

/// Who is to act in a state.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// The seat chooses one of [`Game::actions`].
    Decide(Seat),
    /// Dealing, drawing, flipping: one of [`Game::chances`] happens.
    Chance,
    /// The match has ended; [`Game::payoffs`] says how.
    Over,
}

/// An action that the rules do not allow in the state it was tried in.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{action:?} is not allowed here")]
pub struct IllegalAction<A: Debug> {
    /// What was tried.
    pub action: A,
}

/// The rules of a game and their options. Holds no position: positions are [`Game::State`]s.
///
/// # Promises every game keeps (checked by `parlor-testkit`)
/// - Two states with equal views for the seat to move offer equal actions in equal order.
/// - In [`Phase::Decide`] there is at least one action; in [`Phase::Chance`] the weights of
///   [`chances`](Game::chances) are positive and add up to 1.
/// - Every match ends.
/// - Nothing here allocates, apart from [`view`](Game::view) where a view owns a list.
///
/// # What it does not promise
/// A [`State`](Game::State) is the truth, hidden things included. It is for rules, referees and tests. Agents and
/// clients get [`View`](Game::View)s.
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// The truth about a match in progress.
    type State: Clone + Debug + PartialEq + Eq + Hash + Send + Sync + 'static;
    /// What a seat or chance does. An action that is hidden from a seat has a masked form in the same type.
    type Action: Copy + Debug + PartialEq + Eq + Hash + Ord + Send + Sync + 'static;
    /// What one seat may know: what it sees now and everything that it has seen and that still matters.
    type View: Clone + Debug + PartialEq + Eq + Hash + Send + Sync + 'static;

    /// Returns the number of seats, 1 or 2.
    fn seats(&self) -> u8;

    /// Returns the state before anything has happened, chance included.
    fn start(&self) -> Self::State;

    /// Returns who is to act.
    fn phase(&self, state: &Self::State) -> Phase;

    /// Returns what the seat to move may do, without allocating; empty unless the phase is [`Phase::Decide`].
    ///
    /// `len()` is exact and may be much cheaper than walking: counting at the last ply relies on it.
    fn actions(&self, state: &Self::State) -> impl ExactSizeIterator<Item = Self::Action>;

    /// Returns what chance may do and how likely each is; empty unless the phase is [`Phase::Chance`].
    ///
    /// Outcomes that lead to equal states are one outcome.
    fn chances(&self, state: &Self::State) -> impl Iterator<Item = (Self::Action, f64)>;

    /// Carries out `action`, of the seat to move or of chance.
    ///
    /// For trusted callers: an action that is not allowed here may panic or leave a meaningless state. Anything
    /// from outside goes through [`try_apply`](Game::try_apply).
    fn apply(&self, state: &mut Self::State, action: Self::Action);

    /// Returns what each seat got. Meaningful in [`Phase::Over`] only.
    fn payoffs(&self, state: &Self::State) -> Payoffs;

    /// Returns what payoffs can be.
    fn range(&self) -> Range;

    /// Returns what `seat` knows.
    fn view(&self, state: &Self::State, seat: Seat) -> Self::View;

    /// Returns `action`, which is about to be applied to `state`, as `seat` sees it happen: unchanged, masked (a
    /// drawn tile face down), or not at all.
    ///
    /// There is no default body on purpose: each game decides what leaks.
    fn seen(&self, state: &Self::State, action: Self::Action, seat: Seat) -> Option<Self::Action>;

    /// Returns how many stages of the match have ended. A match is one stage unless the game says otherwise; learners
    /// learn, and statisticians count, stage by stage.
    fn stages(&self, state: &Self::State) -> u32 {
        u32::from(self.phase(state) == Phase::Over)
    }

    /// Returns who won the stage that has just ended, `None` for a draw and for a solitary loss. Meaningful right after
    /// [`stages`](Game::stages) has grown.
    fn stage_winner(&self, state: &Self::State) -> Option<Seat> {
        let payoffs = self.payoffs(state);
        if self.seats() > 1 {
            payoffs.winner()
        } else {
            (payoffs.of(Seat::FIRST) >= self.range().high).then_some(Seat::FIRST)
        }
    }

    /// Returns the points that each seat has so far. In games that count none, the payoffs once the match has ended and
    /// nothing before.
    fn scores(&self, state: &Self::State) -> BySeat<f64> {
        if self.phase(state) == Phase::Over { self.payoffs(state).0 } else { BySeat::default() }
    }

    /// Carries out `action` if the rules allow it here.
    ///
    /// # Errors
    /// [`IllegalAction`] if it is not among [`actions`](Game::actions) or [`chances`](Game::chances); the state is
    /// then unchanged.
    fn try_apply(
        &self,
        state: &mut Self::State,
        action: Self::Action,
    ) -> Result<(), IllegalAction<Self::Action>> {
        let allowed = match self.phase(state) {
            Phase::Decide(_) => self.actions(state).any(|a| a == action),
            Phase::Chance => self.chances(state).any(|(a, _)| a == action),
            Phase::Over => false,
        };
        if !allowed {
            return Err(IllegalAction { action });
        }
        self.apply(state, action);
        Ok(())
    }

    /// Returns one of the actions, each equally likely.
    ///
    /// A game overrides it where it can choose without listing. It must stay uniform.
    #[inline]
    fn pick(&self, state: &Self::State, rng: &mut Rng) -> Self::Action {
        let mut actions = self.actions(state);
        let index = rng.below(actions.len() as u32) as usize;
        actions.nth(index).expect("a decision offers at least one action")
    }

    /// Returns one of the chances, drawn by its weight.
    ///
    /// A game overrides it where it can draw without listing. It must follow [`chances`](Game::chances).
    #[inline]
    fn sample(&self, state: &Self::State, rng: &mut Rng) -> Self::Action {
        rng.by_weight(1.0, self.chances(state)).expect("a chance phase offers at least one outcome")
    }
}
