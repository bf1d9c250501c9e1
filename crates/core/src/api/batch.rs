//! Many matches of one game that are stepped together, as arrays of integers: for learners in other languages.

use crate::play::outcome::Forfeit;
use crate::rng::{Rng, fork};
use crate::rules::cells::Cells;
use crate::rules::game::{Game, Phase};
use crate::rules::numbered::Numbered;
use crate::rules::seat::Seat;
use crate::time::deadline::Cancel;

use super::ApiError;

/// What the matches of a batch show, match after match. Parts that are `None` are not computed.
///
/// Everything is written for the seat to move. A match that is over has begun anew by then.
#[derive(Debug, Default)]
pub struct BatchArrays<'a> {
    /// The seat to move, one element a match.
    pub movers: Option<&'a mut [u8]>,
    /// The symbol of each cell of what the seat sees.
    pub cells: Option<&'a mut [u8]>,
    /// For each symbol a plane of the grid: 1 in the cells that show the symbol, 0 elsewhere. Cells beside the grid are left out.
    pub planes: Option<&'a mut [u8]>,
    /// 1 for every number that the seat may choose, 0 for the others.
    pub masks: Option<&'a mut [u8]>,
}

/// How the matches of a batch went on.
#[derive(Debug)]
pub struct BatchResults<'a> {
    /// What was got, [`AnyBatch::rewards`] elements for each match; 0 unless the match ended with this step.
    pub rewards: &'a mut [f32],
    /// 1 for every match that ended with this step, 0 for the others.
    pub over: &'a mut [u8],
}

/// Matches of one game that are stepped together. Where chance is to act, it does; a match that is over begins anew.
///
/// The *n*-th playing of match *i* draws from `fork(fork(seed, i), n)`, so results do not depend on the size of the batch. Nothing here
/// allocates, unless the game's views or an agent do.
pub trait AnyBatch: Send {
    /// Returns the number of matches.
    fn matches(&self) -> usize;

    /// Returns how many rewards a match has: one for each seat, or one where an agent has the other seat.
    fn rewards(&self) -> usize;

    /// Begins all matches anew, from the first playing on.
    ///
    /// # Errors
    /// If it was cancelled, or an agent ends one playing after the other. Then it has to be called again before anything else.
    fn reset(&mut self, seed: u64, cancel: &Cancel) -> Result<(), BatchError>;

    /// Carries out the action of each match, given by its number.
    ///
    /// # Errors
    /// The place of a match for which the number is not that of a legal action; then nothing has happened in any match. The errors of
    /// [`reset`](AnyBatch::reset), after which that has to be called.
    ///
    /// # Panics
    /// If a list has not the length that it needs.
    fn step(
        &mut self,
        actions: &[u32],
        results: &mut BatchResults<'_>,
        cancel: &Cancel,
    ) -> Result<(), BatchError>;

    /// Writes what the matches show now.
    ///
    /// # Panics
    /// If a list has not the length that it needs.
    fn show(&mut self, arrays: &mut BatchArrays<'_>);

    /// Writes the number of an action for each match, each legal one equally likely, from the batch's own stream.
    ///
    /// # Panics
    /// If there is not one element for each match.
    fn pick(&mut self, actions: &mut [u32]);

    /// Returns the full form of the agent that has the other seat; `None` if all seats are played from outside.
    fn opponent(&self) -> Option<&str> {
        None
    }

    /// Returns how many matches that agent has forfeited since the last reset.
    fn forfeits(&self) -> BatchForfeits {
        BatchForfeits::default()
    }
}

/// Matches that the agent of a batch has forfeited.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BatchForfeits {
    /// How many.
    pub count: u64,
    /// One of them: the last one of the first match that has any.
    pub example: Option<Forfeit>,
}

/// Errors of a batch.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum BatchError {
    /// A number is not that of a legal action of a match.
    #[error("match {at} of the batch: {why}")]
    Illegal {
        /// The place of the match.
        at: usize,
        /// What is wrong.
        why: ApiError,
    },
    /// Matches end again and again before the seat that is played from outside has a decision.
    #[error("match {at} of the batch ended {playings} times in a row before the own seat had a decision{}", last(.forfeit.as_ref()))]
    NoDecision {
        /// The place of the match.
        at: usize,
        /// How many times.
        playings: u32,
        /// How the agent forfeited the last of them, if it did.
        forfeit: Option<Forfeit>,
    },
    /// It was cancelled, now or in the call before: some matches have gone on, and others have not.
    #[error("interrupted, so some matches have gone on and others have not: reset the batch")]
    Interrupted,
}

fn last(forfeit: Option<&Forfeit>) -> String {
    forfeit.map_or_else(String::new, |forfeit| format!("; in the last one {forfeit}"))
}

/// The branch of the seed from which [`AnyBatch::pick`] draws; matches are numbered from 0.
const PICKS: u64 = u64::MAX;

/// What a batch needs to understand numbers and to fill arrays, in both kinds of batch.
pub(super) struct Surface<G: Game> {
    /// What is carried out in a step.
    pub(super) actions: Vec<G::Action>,
    picks: Rng,
    /// The cells of one view, of which planes are made.
    cells: Vec<u8>,
    symbols: usize,
    grid: usize,
    numbers: usize,
}

impl<G: Cells + Numbered> Surface<G> {
    pub(super) fn new(game: &G, matches: usize) -> Self {
        let layout = game.layout();
        Surface {
            actions: Vec::with_capacity(matches),
            picks: Rng::new(0),
            cells: vec![0; layout.count()],
            symbols: layout.symbols.len(),
            grid: layout.grid(),
            numbers: game.numbers(),
        }
    }

    /// Begins the stream of [`AnyBatch::pick`].
    pub(super) fn reset(&mut self, seed: u64) {
        self.picks = Rng::forked(seed, PICKS);
    }

    /// Replaces the actions by those that have the numbers.
    pub(super) fn read<'s>(
        &mut self,
        game: &G,
        states: impl ExactSizeIterator<Item = &'s G::State>,
        numbers: &[u32],
    ) -> Result<(), BatchError> {
        assert_eq!(numbers.len(), states.len(), "one action for each match");
        self.actions.clear();
        for (at, (state, &number)) in states.zip(numbers).enumerate() {
            let Some(action) = game.legal_numbered(state, number as usize) else {
                let why = ApiError::IllegalNumber { number: number as usize, count: self.numbers };
                return Err(BatchError::Illegal { at, why });
            };
            self.actions.push(action);
        }
        Ok(())
    }

    pub(super) fn show<'s>(
        &mut self,
        game: &G,
        states: impl ExactSizeIterator<Item = &'s G::State> + Clone,
        arrays: &mut BatchArrays<'_>,
    ) {
        let Surface { cells: scratch, symbols, grid, numbers, .. } = self;
        if let Some(movers) = &mut arrays.movers {
            assert_eq!(movers.len(), states.len(), "one element for each match");
            movers.iter_mut().zip(states.clone()).for_each(|(out, state)| *out = mover(game, state).0);
        }
        if let Some(masks) = &mut arrays.masks {
            assert_eq!(masks.len(), *numbers * states.len(), "one element for each number of each match");
            for (mask, state) in masks.chunks_exact_mut(*numbers).zip(states.clone()) {
                game.write_mask(state, mask);
            }
        }
        if let Some(cells) = &mut arrays.cells {
            assert_eq!(cells.len(), scratch.len() * states.len(), "one element for each cell of each match");
            for (out, state) in cells.chunks_exact_mut(scratch.len()).zip(states.clone()) {
                game.cells(&game.view(state, mover(game, state)), out);
            }
        }
        if let Some(planes) = &mut arrays.planes {
            let all = *symbols * *grid;
            assert_eq!(planes.len(), all * states.len(), "one plane for each symbol of each match");
            for (out, state) in planes.chunks_exact_mut(all).zip(states) {
                game.cells(&game.view(state, mover(game, state)), scratch);
                for (symbol, plane) in (0..=u8::MAX).zip(out.chunks_exact_mut(*grid)) {
                    for (bit, &cell) in plane.iter_mut().zip(&scratch[..*grid]) {
                        *bit = u8::from(cell == symbol);
                    }
                }
            }
        }
    }

    pub(super) fn pick<'s>(
        &mut self,
        game: &G,
        states: impl ExactSizeIterator<Item = &'s G::State>,
        actions: &mut [u32],
    ) {
        assert_eq!(actions.len(), states.len(), "one element for each match");
        for (out, state) in actions.iter_mut().zip(states) {
            *out = game.number(game.pick(state, &mut self.picks)) as u32;
        }
    }
}

/// Returns the seat to move; the first one where none is.
fn mover<G: Game>(game: &G, state: &G::State) -> Seat {
    match game.phase(state) {
        Phase::Decide(seat) => seat,
        Phase::Chance | Phase::Over => Seat::FIRST,
    }
}

/// A batch whose seats are all played from outside.
pub(super) struct Batch<G: Game> {
    game: G,
    seed: u64,
    states: Vec<G::State>,
    /// The stream of chance of each match.
    streams: Vec<Rng>,
    /// The number of the playing of each match.
    playings: Vec<u64>,
    surface: Surface<G>,
}

impl<G: Cells + Numbered> Batch<G> {
    pub(super) fn new(game: G, matches: usize, seed: u64) -> Self {
        let mut batch = Batch {
            seed,
            states: vec![game.start(); matches],
            streams: vec![Rng::new(0); matches],
            playings: vec![0; matches],
            surface: Surface::new(&game, matches),
            game,
        };
        batch.begin_all(seed);
        batch
    }

    fn begin_all(&mut self, seed: u64) {
        self.seed = seed;
        self.surface.reset(seed);
        self.playings.fill(0);
        for at in 0..self.states.len() {
            self.streams[at] = Rng::forked(fork(seed, at as u64), 0);
            self.begin(at);
        }
    }

    /// Begins the present playing of a match.
    fn begin(&mut self, at: usize) {
        self.states[at] = self.game.start();
        if self.game.phase(&self.states[at]) == Phase::Chance {
            self.streams[at] = Rng::forked(fork(self.seed, at as u64), self.playings[at]);
            self.let_chance_act(at);
        }
    }

    fn let_chance_act(&mut self, at: usize) {
        let (state, stream) = (&mut self.states[at], &mut self.streams[at]);
        while self.game.phase(state) == Phase::Chance {
            let action = self.game.sample(state, stream);
            self.game.apply(state, action);
        }
    }
}

impl<G: Cells + Numbered> AnyBatch for Batch<G> {
    fn matches(&self) -> usize {
        self.states.len()
    }

    fn rewards(&self) -> usize {
        usize::from(self.game.seats())
    }

    fn reset(&mut self, seed: u64, _: &Cancel) -> Result<(), BatchError> {
        self.begin_all(seed);
        Ok(())
    }

    fn step(
        &mut self,
        actions: &[u32],
        results: &mut BatchResults<'_>,
        _: &Cancel,
    ) -> Result<(), BatchError> {
        let seats = self.rewards();
        check_lengths(results, self.states.len(), seats);
        self.surface.read(&self.game, self.states.iter(), actions)?;
        results.rewards.fill(0.0);
        results.over.fill(0);
        for at in 0..self.states.len() {
            let state = &mut self.states[at];
            self.game.apply(state, self.surface.actions[at]);
            if self.game.phase(state) == Phase::Chance {
                self.let_chance_act(at);
            }
            if self.game.phase(&self.states[at]) == Phase::Over {
                let payoffs = self.game.payoffs(&self.states[at]);
                for (seat, reward) in
                    Seat::all(self.game.seats()).zip(&mut results.rewards[seats * at..seats * (at + 1)])
                {
                    *reward = payoffs.of(seat) as f32;
                }
                results.over[at] = 1;
                self.playings[at] += 1;
                self.begin(at);
            }
        }
        Ok(())
    }

    fn show(&mut self, arrays: &mut BatchArrays<'_>) {
        self.surface.show(&self.game, self.states.iter(), arrays);
    }

    fn pick(&mut self, actions: &mut [u32]) {
        self.surface.pick(&self.game, self.states.iter(), actions);
    }
}

/// Panics if results have not the lengths that they need.
pub(super) fn check_lengths(results: &BatchResults<'_>, matches: usize, rewards: usize) {
    assert_eq!(results.rewards.len(), rewards * matches, "so many rewards for each match");
    assert_eq!(results.over.len(), matches, "one element for each match");
}
