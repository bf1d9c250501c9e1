//! One agent against another from every deal of a small game: single games, and exact expectations.

use std::collections::HashMap;

use crate::play::agent::{Decision, Policy};
use crate::play::context::Context;
use crate::play::outcome::{Actor, Forfeit};
use crate::play::solve::Unsolved;
use crate::play::stepper::{Seated, Seats, advance, ask, brief, guarded};
use crate::play::thought::TypeOdds;
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

    /// Plays one game from a deal and returns its result for seat 0. Equal seeds draw the same tiles for any two agents.
    ///
    /// Answers of an agent without known probabilities that needed no randomness are remembered, by what its seat knows: the
    /// agents of a duel must not carry anything from one match to the next.
    ///
    /// # Errors
    /// The forfeit of an agent that misbehaves.
    fn play(&mut self, deal: usize, chance: u64, agents: u64) -> Result<DuelGame, ApiError>;

    /// Plays one game from a deal and reports after each turn of seat 1 whom seat 0 takes it for; nothing is reported for
    /// agents that do not tell types apart. With `continues` the game continues the session of the game before.
    ///
    /// # Errors
    /// The forfeit of an agent that misbehaves.
    fn watch(
        &mut self,
        deal: usize,
        chance: u64,
        agents: u64,
        continues: bool,
        on_turn: &mut dyn FnMut(&Recognised),
    ) -> Result<(), ApiError>;

    /// Returns the exact expectation of a deal; `None` if an agent's answers are random and their probabilities unknown.
    ///
    /// # Errors
    /// If an agent misbehaves, or the computation is cancelled.
    fn expect(&mut self, deal: usize, cancel: &Cancel) -> Result<Option<Expectation>, ApiError>;
}

/// The result of a game for seat 0.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct DuelGame {
    /// The payoff.
    pub payoff: f64,
    /// The number of decisions with a choice at which seat 0 took seat 1 for one of several types.
    pub guesses: u32,
    /// The number of those at which the likeliest type was the true one.
    pub right: u32,
}

/// Whom a seat takes the other one for.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct Recognised {
    /// Whether the likeliest type is the true one.
    pub right: bool,
    /// The probability of the likeliest type.
    pub confidence: f64,
    /// The probability of the true type; 0 if it is not among the types.
    pub truth: f64,
}

impl Recognised {
    /// Compares types with the true agent, by full forms.
    fn of(types: &[TypeOdds], truth: &str) -> Recognised {
        let is_true = |kind: &TypeOdds| kind.agent.as_deref() == Some(truth);
        let mut best: Option<&TypeOdds> = None;
        for kind in types {
            if best.is_none_or(|best| kind.probability > best.probability) {
                best = Some(kind);
            }
        }
        Recognised {
            right: best.is_some_and(is_true),
            confidence: best.map_or(0.0, |best| best.probability),
            truth: types.iter().filter(|kind| is_true(kind)).map(|kind| kind.probability).sum(),
        }
    }
}

/// An answer, and whether the type that it rests on is the true one.
#[derive(Copy, Clone)]
struct Answer<A> {
    action: A,
    right: Option<bool>,
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
    by_view: HashMap<G::View, Answer<G::Action>>,
    /// What an oracle answers, by the state.
    by_state: HashMap<G::State, Answer<G::Action>>,
    weights: Vec<f64>,
}

impl<G: Game> Duellist<G> {
    pub(super) fn new(player: Player<G>, policy: Option<Box<dyn Policy<G>>>) -> Self {
        let (by_view, by_state) = (HashMap::new(), HashMap::new());
        Duellist { player, policy, by_view, by_state, weights: Vec::new() }
    }

    /// Returns a remembered answer.
    fn known(&self, view: &G::View, state: &G::State) -> Option<Answer<G::Action>> {
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
        truth: &str,
    ) -> Result<(Answer<G::Action>, bool), Forfeit> {
        let before = rng.clone();
        let mut player = self.player.seated();
        let action = ask(decision, state, &mut player, &mut Context::new(rng))?;
        let types = guarded(decision.seat, || player.opponent_types(decision.game))?;
        let right = types.map(|types| Recognised::of(&types, truth).right);
        let action = Answer { action, right };
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
    /// The full forms of both.
    names: [String; 2],
}

/// Actions with their probabilities.
type WeightedActions<G> = Vec<(<G as Game>::Action, f64)>;

impl<G: Game> Seats<G> for [Duellist<G>; 2] {
    fn seated(&mut self, seat: Seat) -> Option<Seated<'_, G>> {
        Some(self[seat.index()].player.seated())
    }
}

impl<G: Entry + Notation> Duel<G> {
    pub(super) fn new(game: G, seats: [Duellist<G>; 2], names: [String; 2]) -> Result<Duel<G>, ApiError> {
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
        Ok(Duel { game, deals, seats, names })
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

    /// Plays one game. Answers are remembered unless `on_turn` wants to hear what seat 0 makes of every turn of seat 1.
    fn host(
        &mut self,
        deal: usize,
        [chance, agents]: [u64; 2],
        continues: bool,
        mut on_turn: Option<&mut dyn FnMut(&Recognised)>,
    ) -> Result<DuelGame, ApiError> {
        let Duel { game, deals, seats, names } = self;
        let mut chance = Rng::new(chance);
        let mut rngs = [0, 1].map(|seat| Rng::forked(agents, seat));
        for seat in Seat::all(game.seats()) {
            let mut player = seats[seat.index()].player.seated();
            guarded(seat, || {
                if !continues {
                    player.begin_session();
                }
                player.begin(game, seat);
            })?;
        }
        let mut state = game.start();
        for &action in &deals[deal].path {
            advance(game, &mut state, Actor::Chance, action, seats)?;
        }
        let mut actions = Vec::new();
        let mut result = DuelGame::default();
        loop {
            let (actor, action) = match game.phase(&state) {
                Phase::Over => break,
                Phase::Chance => (Actor::Chance, game.sample(&state, &mut chance)),
                Phase::Decide(seat) => {
                    actions.clear();
                    actions.extend(game.actions(&state));
                    let view = game.view(&state, seat);
                    let duellist = &mut seats[seat.index()];
                    let known = duellist.known(&view, &state).filter(|_| on_turn.is_none());
                    let answer = match known {
                        Some(answer) => answer,
                        None => {
                            let decision = Decision::new(game, seat, &view, &actions);
                            let truth = &names[seat.other().index()];
                            duellist.decide(&decision, &state, &mut rngs[seat.index()], truth)?.0
                        }
                    };
                    if let Some(right) = answer.right.filter(|_| seat == Seat::FIRST && actions.len() > 1) {
                        result.guesses += 1;
                        result.right += u32::from(right);
                    }
                    (Actor::Seat(seat), answer.action)
                }
            };
            advance(game, &mut state, actor, action, seats)?;
            if let Some(on_turn) = on_turn.as_mut().filter(|_| actor == Actor::Seat(Seat::SECOND)) {
                let mut player = seats[0].player.seated();
                if let Some(types) = guarded(Seat::FIRST, || player.opponent_types(game))? {
                    on_turn(&Recognised::of(&types, &names[1]));
                }
            }
        }
        let payoffs = game.payoffs(&state);
        for seat in Seat::all(game.seats()) {
            let mut player = seats[seat.index()].player.seated();
            guarded(seat, || player.end(game, &payoffs))?;
        }
        result.payoff = payoffs.of(Seat::FIRST);
        Ok(result)
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
        if let Some(answer) = duellist.known(&view, state) {
            return Ok(Some(vec![(answer.action, 1.0)]));
        }
        brief(game, &game.start(), path.iter().copied(), seat, &mut duellist.player.seated())?;
        let truth = &self.names[seat.other().index()];
        let (answer, steady) = duellist.decide(&decision, state, &mut Rng::new(0), truth)?;
        Ok(steady.then(|| vec![(answer.action, 1.0)]))
    }
}

impl<G: Entry + Notation> AnyDuel for Duel<G> {
    fn deals(&self) -> usize {
        self.deals.len()
    }

    fn odds(&self, deal: usize) -> f64 {
        self.deals[deal].odds
    }

    fn play(&mut self, deal: usize, chance: u64, agents: u64) -> Result<DuelGame, ApiError> {
        self.host(deal, [chance, agents], false, None)
    }

    fn watch(
        &mut self,
        deal: usize,
        chance: u64,
        agents: u64,
        continues: bool,
        on_turn: &mut dyn FnMut(&Recognised),
    ) -> Result<(), ApiError> {
        self.host(deal, [chance, agents], continues, Some(on_turn)).map(drop)
    }

    fn expect(&mut self, deal: usize, cancel: &Cancel) -> Result<Option<Expectation>, ApiError> {
        let Deal { state, mut path, .. } = self.deals[deal].clone();
        let mut sum = Expectation::default();
        let known = self.walk(&state, 1.0, &mut path, &mut sum, cancel)?;
        Ok(known.then_some(sum))
    }
}
