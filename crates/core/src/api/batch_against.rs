//! Batches in which an agent has the other seat: it answers within the step.

use std::mem;
use std::ops::ControlFlow;

use crate::parallel::in_order;
use crate::play::agent::Decision;
use crate::play::context::Context;
use crate::play::matches::Match;
use crate::play::outcome::Forfeit;
use crate::play::stepper::{ask, brief};
use crate::play::training::Player;
use crate::rng::{Rng, fork};
use crate::rules::cells::Cells;
use crate::rules::game::{Game, Phase};
use crate::rules::numbered::Numbered;
use crate::rules::payoffs::Payoffs;
use crate::rules::seat::Seat;
use crate::text::notation::Notation;
use crate::text::spec::Entry;
use crate::time::deadline::Cancel;

use super::ApiError;
use super::batch::{AnyBatch, BatchArrays, BatchError, BatchForfeits, BatchResults, Surface, check_lengths};
use super::hosted::Hosted;

/// Who has the other seat in the matches of a batch.
#[derive(Copy, Clone, Debug)]
pub struct BatchOpponent<'a> {
    /// The agent, as a spec; a guest by its name. It sees what its seat sees.
    pub spec: &'a str,
    /// The seat that is played from outside; `None` draws it for each playing.
    pub seat: Option<Seat>,
    /// On how many threads the agent decides; results do not depend on it.
    pub threads: usize,
}

/// The branch of a playing's seed that draws the seat; those below belong to [`Match::seeded`].
const SEATS: u64 = 4;

/// How often in a row a match may end before the own seat has a decision. An agent that always forfeits would never let it have one.
const MOST_PLAYINGS: u32 = 100;

/// How many matches a thread takes at once.
const MATCHES_AT_ONCE: usize = 16;

/// A match that one seat plays from outside and an agent plays in the other.
struct OneMatch<G: Game> {
    /// Branch *n* is the seed of the *n*-th playing.
    seed: u64,
    playing: u64,
    state: G::State,
    /// What has happened in this playing: all that the agent needs to be told.
    history: Vec<G::Action>,
    chance: Rng,
    /// The agent's stream.
    agent: Rng,
    own: Seat,
    reward: f32,
    over: bool,
    forfeits: u64,
    last_forfeit: Option<Forfeit>,
    /// Whether the own seat gets no decision any more.
    is_stuck: bool,
}

/// An agent that decides in one match after the other.
struct Worker<G: Game> {
    player: Player<G>,
    legal: Vec<G::Action>,
}

/// What all matches of a batch have in common.
struct Rules<G: Game> {
    game: G,
    start: G::State,
    seat: Option<Seat>,
}

impl<G: Game> OneMatch<G> {
    fn new(rules: &Rules<G>) -> Self {
        OneMatch {
            seed: 0,
            playing: 0,
            state: rules.start.clone(),
            history: Vec::new(),
            chance: Rng::new(0),
            agent: Rng::new(0),
            own: Seat::FIRST,
            reward: 0.0,
            over: false,
            forfeits: 0,
            last_forfeit: None,
            is_stuck: false,
        }
    }

    /// Begins the first playing.
    fn reset(&mut self, seed: u64, rules: &Rules<G>, worker: &mut Worker<G>, cancel: &Cancel) {
        (self.seed, self.playing) = (seed, 0);
        (self.reward, self.over, self.is_stuck) = (0.0, false, false);
        (self.forfeits, self.last_forfeit) = (0, None);
        self.begin(rules, worker, cancel);
    }

    /// Carries out an action of the own seat, and plays on until it has to decide again.
    fn step(&mut self, action: G::Action, rules: &Rules<G>, worker: &mut Worker<G>, cancel: &Cancel) {
        (self.reward, self.over) = (0.0, false);
        self.apply(&rules.game, action);
        if let Some(payoffs) = self.play_on(rules, worker, cancel) {
            (self.reward, self.over) = (payoffs.of(self.own) as f32, true);
            self.playing += 1;
            self.begin(rules, worker, cancel);
        }
    }

    /// Begins the present playing, or the next one in which the own seat has a decision.
    fn begin(&mut self, rules: &Rules<G>, worker: &mut Worker<G>, cancel: &Cancel) {
        for _ in 0..MOST_PLAYINGS {
            let seed = fork(self.seed, self.playing);
            let other = |own: Seat| Seat::all(rules.game.seats()).find(|&seat| seat != own);
            self.own = rules.seat.unwrap_or_else(|| Seat(Rng::forked(seed, SEATS).below(2) as u8));
            let Match { chance, agent_rngs, .. } = Match::seeded(seed);
            self.chance = chance;
            self.agent = agent_rngs[other(self.own).unwrap_or(Seat::FIRST)].clone();
            self.state.clone_from(&rules.start);
            self.history.clear();
            if self.play_on(rules, worker, cancel).is_none() {
                return;
            }
            self.playing += 1;
        }
        self.is_stuck = true;
    }

    fn apply(&mut self, game: &G, action: G::Action) {
        self.history.push(action);
        game.apply(&mut self.state, action);
    }

    /// Lets chance and the agent act until the own seat has to decide, or the match is over; then returns its payoffs.
    fn play_on(&mut self, rules: &Rules<G>, worker: &mut Worker<G>, cancel: &Cancel) -> Option<Payoffs> {
        let game = &rules.game;
        loop {
            match game.phase(&self.state) {
                Phase::Over => return Some(game.payoffs(&self.state)),
                Phase::Decide(seat) if seat == self.own => return None,
                // What is half-way when it is cancelled is thrown away.
                _ if cancel.is_cancelled() => return None,
                Phase::Chance => {
                    let action = game.sample(&self.state, &mut self.chance);
                    self.apply(game, action);
                }
                Phase::Decide(seat) => match self.ask(seat, rules, worker, cancel) {
                    Ok(action) => self.apply(game, action),
                    Err(forfeit) => {
                        let payoffs = forfeit.payoffs(game);
                        self.forfeits += 1;
                        self.last_forfeit = Some(forfeit);
                        return Some(payoffs);
                    }
                },
            }
        }
    }

    /// Asks the agent. It has been in other matches meanwhile, so it first receives what its seat has seen in this one.
    fn ask(
        &mut self,
        seat: Seat,
        rules: &Rules<G>,
        worker: &mut Worker<G>,
        cancel: &Cancel,
    ) -> Result<G::Action, Forfeit> {
        let Rules { game, start, .. } = rules;
        let Worker { player, legal } = worker;
        legal.clear();
        legal.extend(game.actions(&self.state));
        let view = game.view(&self.state, seat);
        let decision = Decision::new(game, seat, &view, legal);
        let mut player = player.seated();
        brief(game, start, self.history.iter().copied(), seat, &mut player)?;
        let mut context = Context::new(&mut self.agent).with_cancel(cancel);
        ask(&decision, &self.state, &mut player, &mut context)
    }
}

/// A batch in which an agent has the other seat.
pub(super) struct BatchAgainst<G: Game> {
    rules: Rules<G>,
    spec: String,
    matches: Vec<OneMatch<G>>,
    workers: Vec<Worker<G>>,
    surface: Surface<G>,
    /// Whether matches were left where they were.
    is_interrupted: bool,
}

impl<G: Entry + Notation + Cells + Numbered> BatchAgainst<G> {
    /// Seats the agent. Nothing has begun before [`AnyBatch::reset`].
    pub(super) fn new(
        hosted: &Hosted<G>,
        matches: usize,
        opponent: &BatchOpponent<'_>,
    ) -> Result<Self, ApiError> {
        let game = hosted.game();
        if game.seats() < 2 {
            return Err(ApiError::NoOpponent { game: G::NAME });
        }
        if let Some(seat) = opponent.seat.filter(|seat| seat.0 >= game.seats()) {
            return Err(ApiError::NoSuchSeat { game: G::NAME, seat });
        }
        let mut spec = String::new();
        let mut workers = Vec::new();
        for _ in 0..opponent.threads.max(1) {
            let (mut player, full) = hosted.roster().build_honest(game, opponent.spec)?;
            // What it learnt here would depend on the order of the matches.
            if let Some(learner) = player.learner() {
                learner.freeze(true);
            }
            spec = full;
            workers.push(Worker { player, legal: Vec::new() });
        }
        let rules = Rules { game: game.clone(), start: game.start(), seat: opponent.seat };
        Ok(BatchAgainst {
            matches: (0..matches).map(|_| OneMatch::new(&rules)).collect(),
            surface: Surface::new(&rules.game, matches),
            rules,
            spec,
            workers,
            is_interrupted: true,
        })
    }

    /// Does something in each match, on all threads.
    fn in_each(
        &mut self,
        cancel: &Cancel,
        work: impl Fn(&mut OneMatch<G>, &mut Worker<G>, &Rules<G>, usize, &[G::Action]) + Sync,
    ) -> Result<(), BatchError> {
        let BatchAgainst { rules, matches, workers, surface, .. } = self;
        let (rules, actions) = (&*rules, &*surface.actions);
        let jobs = matches.chunks_mut(MATCHES_AT_ONCE).enumerate();
        let all = |worker: &mut Worker<G>, (job, matches): (usize, &mut [OneMatch<G>])| {
            for (at, one) in (job * MATCHES_AT_ONCE..).zip(matches) {
                work(one, worker, rules, at, actions);
            }
            Some(())
        };
        *workers = in_order(mem::take(workers), jobs, cancel, all, |()| ControlFlow::Continue(()));
        self.is_interrupted = cancel.is_cancelled();
        if self.is_interrupted {
            return Err(BatchError::Interrupted);
        }
        match self.matches.iter().position(|one| one.is_stuck) {
            None => Ok(()),
            Some(at) => {
                self.is_interrupted = true;
                let forfeit = self.matches[at].last_forfeit.clone();
                Err(BatchError::NoDecision { at, playings: MOST_PLAYINGS, forfeit })
            }
        }
    }
}

impl<G: Entry + Notation + Cells + Numbered> AnyBatch for BatchAgainst<G> {
    fn matches(&self) -> usize {
        self.matches.len()
    }

    fn rewards(&self) -> usize {
        1
    }

    fn reset(&mut self, seed: u64, cancel: &Cancel) -> Result<(), BatchError> {
        self.surface.reset(seed);
        self.in_each(cancel, |one, worker, rules, at, _| {
            one.reset(fork(seed, at as u64), rules, worker, cancel);
        })
    }

    fn step(
        &mut self,
        actions: &[u32],
        results: &mut BatchResults<'_>,
        cancel: &Cancel,
    ) -> Result<(), BatchError> {
        check_lengths(results, self.matches.len(), 1);
        if self.is_interrupted {
            return Err(BatchError::Interrupted);
        }
        self.surface.read(&self.rules.game, self.matches.iter().map(|one| &one.state), actions)?;
        self.in_each(cancel, |one, worker, rules, at, actions| one.step(actions[at], rules, worker, cancel))?;
        let results = results.rewards.iter_mut().zip(&mut *results.over);
        for (one, (reward, over)) in self.matches.iter().zip(results) {
            (*reward, *over) = (one.reward, u8::from(one.over));
        }
        Ok(())
    }

    fn show(&mut self, arrays: &mut BatchArrays<'_>) {
        self.surface.show(&self.rules.game, self.matches.iter().map(|one| &one.state), arrays);
    }

    fn pick(&mut self, actions: &mut [u32]) {
        self.surface.pick(&self.rules.game, self.matches.iter().map(|one| &one.state), actions);
    }

    fn opponent(&self) -> Option<&str> {
        Some(&self.spec)
    }

    fn forfeits(&self) -> BatchForfeits {
        BatchForfeits {
            count: self.matches.iter().map(|one| one.forfeits).sum(),
            example: self.matches.iter().find_map(|one| one.last_forfeit.clone()),
        }
    }
}
