//! One agent against another from every deal of a small game: single games, and exact expectations.

use std::collections::HashMap;

use crate::play::agent::{Decision, Policy};
use crate::play::context::Context;
use crate::play::outcome::{Actor, Forfeit};
use crate::play::solve::Unsolved;
use crate::play::stepper::{Seated, Seats, advance, ask, brief, guarded};
use crate::play::training::Player;
use crate::rng::Rng;
use crate::rules::deals::{Deal, NoDeals, deals};
use crate::rules::game::{Game, Phase};
use crate::rules::seat::Seat;
use crate::text::notation::Notation;
use crate::text::spec::Entry;
use crate::time::deadline::Cancel;

use super::ApiError;

/// The maximum number of deals of a duel.
const MOST_DEALS: usize = 1_000_000;

/// Two agents that play from every deal of a game. The first has seat 0.
pub trait AnyDuel: Send {
    /// Returns the number of deals.
    fn deals(&self) -> usize;

    /// Returns the probability of a deal.
    fn odds(&self, deal: usize) -> f64;

    /// Plays one game from a deal and returns the payoff of seat 0. Equal seeds draw the same tiles for any two agents.
    ///
    /// Answers of an agent without known probabilities that needed no randomness are remembered, by what its seat knows: the
    /// agents of a duel must not carry anything from one match to the next.
    ///
    /// # Errors
    /// The forfeit of an agent that misbehaves.
    fn play(&mut self, deal: usize, chance: u64, agents: u64) -> Result<f64, ApiError>;

    /// Returns the exact expectation of a deal; `None` if an agent's answers are random and their probabilities unknown.
    ///
    /// # Errors
    /// If an agent misbehaves, or the computation is cancelled.
    fn expect(&mut self, deal: usize, cancel: &Cancel) -> Result<Option<Expectation>, ApiError>;
}

/// The exact expectation of a game for seat 0.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct Expectation {
    /// The payoff.
    pub payoff: f64,
    /// The square of the payoff.
    pub square: f64,
    /// The probability of a payoff of at least 0.
    pub unbeaten: f64,
}

impl Expectation {
    fn add(&mut self, odds: f64, more: Expectation) {
        self.payoff += odds * more.payoff;
        self.square += odds * more.square;
        self.unbeaten += odds * more.unbeaten;
    }

    fn of(payoff: f64) -> Expectation {
        Expectation { payoff, square: payoff * payoff, unbeaten: f64::from(u8::from(payoff >= 0.0)) }
    }
}

/// A seat's player, its probabilities if they are known, and its answers.
pub(super) struct Duellist<G: Game> {
    pub(super) player: Player<G>,
    pub(super) policy: Option<Box<dyn Policy<G>>>,
    /// What an agent answers, by its view. Only answers that needed no randomness.
    by_view: HashMap<G::View, G::Action>,
    /// What an oracle answers, by the state.
    by_state: HashMap<G::State, G::Action>,
    weights: Vec<f64>,
}

impl<G: Game> Duellist<G> {
    pub(super) fn new(player: Player<G>, policy: Option<Box<dyn Policy<G>>>) -> Self {
        let (by_view, by_state) = (HashMap::new(), HashMap::new());
        Duellist { player, policy, by_view, by_state, weights: Vec::new() }
    }

    /// Returns a remembered answer.
    fn known(&self, view: &G::View, state: &G::State) -> Option<G::Action> {
        match &self.player {
            Player::Oracle(_) => self.by_state.get(state).copied(),
            _ => self.by_view.get(view).copied(),
        }
    }

    /// Asks for a decision and remembers the answer if it needed no randomness. Returns whether that is so, too.
    fn decide(
        &mut self,
        decision: &Decision<'_, G>,
        state: &G::State,
        rng: &mut Rng,
    ) -> Result<(G::Action, bool), Forfeit> {
        let before = rng.clone();
        let action = ask(decision, state, &mut self.player.seated(), &mut Context::new(rng))?;
        let steady = before == *rng;
        if steady && self.policy.is_none() {
            match &self.player {
                Player::Oracle(_) => drop(self.by_state.insert(state.clone(), action)),
                _ => drop(self.by_view.insert(decision.view.clone(), action)),
            }
        }
        Ok((action, steady))
    }
}

/// A duel behind the dynamic API.
pub(super) struct Duel<G: Game> {
    game: G,
    deals: Vec<Deal<G>>,
    seats: [Duellist<G>; 2],
}

/// Actions with their probabilities.
type WeightedActions<G> = Vec<(<G as Game>::Action, f64)>;

impl<G: Game> Seats<G> for [Duellist<G>; 2] {
    fn seated(&mut self, seat: Seat) -> Option<Seated<'_, G>> {
        Some(self[seat.index()].player.seated())
    }
}

impl<G: Entry + Notation> Duel<G> {
    pub(super) fn new(game: G, seats: [Duellist<G>; 2]) -> Result<Duel<G>, ApiError> {
        let limited = |error: NoDeals<Unsolved>| match error {
            NoDeals::TooMany => ApiError::Unsolved(Unsolved::OutOfReach(format!(
                "{} has more than {MOST_DEALS} deals; choose a smaller game",
                G::NAME
            ))),
            NoDeals::Stopped(error) => error.into(),
        };
        let deals = deals(&game, MOST_DEALS, || Ok(())).map_err(limited)?;
        if game.seats() != 2 {
            return Err(Unsolved::OutOfReach("a duel needs two seats".to_owned()).into());
        }
        Ok(Duel { game, deals, seats })
    }

    /// Adds the expectation of a state to `sum`; `path` leads to the state. Returns `false` if it is not known.
    fn walk(
        &mut self,
        state: &G::State,
        odds: f64,
        path: &mut Vec<G::Action>,
        sum: &mut Expectation,
        cancel: &Cancel,
    ) -> Result<bool, ApiError> {
        let actions: WeightedActions<G> = match self.game.phase(state) {
            Phase::Over => {
                sum.add(odds, Expectation::of(self.game.payoffs(state).of(Seat::FIRST)));
                return Ok(true);
            }
            Phase::Chance => self.game.chances(state).collect(),
            Phase::Decide(seat) => match self.choices(state, seat, path)? {
                Some(choices) => choices,
                None => return Ok(false),
            },
        };
        if cancel.is_cancelled() {
            return Err(Unsolved::Cancelled.into());
        }
        for (action, weight) in actions.into_iter().filter(|(_, weight)| *weight > 0.0) {
            let mut next = state.clone();
            self.game.apply(&mut next, action);
            path.push(action);
            let known = self.walk(&next, odds * weight, path, sum, cancel)?;
            path.pop();
            if !known {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns what a seat does and how often; `None` if that is not known.
    fn choices(
        &mut self,
        state: &G::State,
        seat: Seat,
        path: &[G::Action],
    ) -> Result<Option<WeightedActions<G>>, ApiError> {
        let game = &self.game;
        let actions: Vec<G::Action> = game.actions(state).collect();
        if let [only] = actions[..] {
            return Ok(Some(vec![(only, 1.0)]));
        }
        let view = game.view(state, seat);
        let decision = Decision::new(game, seat, &view, &actions);
        let duellist = &mut self.seats[seat.index()];
        if let Some(policy) = &mut duellist.policy {
            let weights = &mut duellist.weights;
            guarded(seat, || policy.weigh(&decision, weights))?;
            let total: f64 = weights.iter().sum();
            return Ok(Some(
                actions.iter().zip(weights).map(|(&action, weight)| (action, *weight / total)).collect(),
            ));
        }
        if let Some(action) = duellist.known(&view, state) {
            return Ok(Some(vec![(action, 1.0)]));
        }
        brief(game, &game.start(), path.iter().copied(), seat, &mut duellist.player.seated())?;
        let (action, steady) = duellist.decide(&decision, state, &mut Rng::new(0))?;
        Ok(steady.then(|| vec![(action, 1.0)]))
    }
}

impl<G: Entry + Notation> AnyDuel for Duel<G> {
    fn deals(&self) -> usize {
        self.deals.len()
    }

    fn odds(&self, deal: usize) -> f64 {
        self.deals[deal].odds
    }

    fn play(&mut self, deal: usize, chance: u64, agents: u64) -> Result<f64, ApiError> {
        let Deal { state, path, .. } = &self.deals[deal];
        let mut state = state.clone();
        let game = &self.game;
        let mut chance = Rng::new(chance);
        let mut rngs = [0, 1].map(|seat| Rng::forked(agents, seat));
        for seat in Seat::all(game.seats()) {
            let player = &mut self.seats[seat.index()].player;
            brief(game, &game.start(), path.iter().copied(), seat, &mut player.seated())?;
        }
        let mut actions = Vec::new();
        loop {
            let (actor, action) = match game.phase(&state) {
                Phase::Over => break,
                Phase::Chance => (Actor::Chance, game.sample(&state, &mut chance)),
                Phase::Decide(seat) => {
                    actions.clear();
                    actions.extend(game.actions(&state));
                    let view = game.view(&state, seat);
                    let duellist = &mut self.seats[seat.index()];
                    let action = match duellist.known(&view, &state) {
                        Some(action) => action,
                        None => {
                            let decision = Decision::new(game, seat, &view, &actions);
                            duellist.decide(&decision, &state, &mut rngs[seat.index()])?.0
                        }
                    };
                    (Actor::Seat(seat), action)
                }
            };
            advance(game, &mut state, actor, action, &mut self.seats)?;
        }
        let payoffs = game.payoffs(&state);
        for seat in Seat::all(game.seats()) {
            let mut player = self.seats[seat.index()].player.seated();
            guarded(seat, || player.end(game, &payoffs))?;
        }
        Ok(payoffs.of(Seat::FIRST))
    }

    fn expect(&mut self, deal: usize, cancel: &Cancel) -> Result<Option<Expectation>, ApiError> {
        let Deal { state, mut path, .. } = self.deals[deal].clone();
        let mut sum = Expectation::default();
        let known = self.walk(&state, 1.0, &mut path, &mut sum, cancel)?;
        Ok(known.then_some(sum))
    }
}
