//! Many matches of one game that are stepped together, as arrays of integers: for learners in other languages.

use crate::rng::{Rng, fork};
use crate::rules::cells::Cells;
use crate::rules::game::{Game, Phase};
use crate::rules::numbered::Numbered;
use crate::rules::seat::Seat;

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
    /// What each seat got, one element for each seat of each match; 0 unless the match ended with this step.
    pub rewards: &'a mut [f32],
    /// 1 for every match that ended with this step, 0 for the others.
    pub over: &'a mut [u8],
}

/// Matches of one game that are stepped together. Where chance is to act, it does; a match that is over begins anew.
///
/// The *n*-th playing of match *i* draws from `fork(fork(seed, i), n)`, so results do not depend on the size of the batch. Nothing here
/// allocates, unless the game's views do.
pub trait AnyBatch: Send + Sync {
    /// Returns the number of matches.
    fn matches(&self) -> usize;

    /// Begins all matches anew, from the first playing on.
    fn reset(&mut self, seed: u64);

    /// Carries out the action of each match, given by its number.
    ///
    /// # Errors
    /// The place of a match for which the number is not that of a legal action; then nothing has happened in any match.
    ///
    /// # Panics
    /// If a list has not the length that it needs.
    fn step(&mut self, actions: &[u32], results: &mut BatchResults<'_>) -> Result<(), BatchError>;

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
}

/// A number that is not that of a legal action of a match.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("match {at} of the batch: {why}")]
pub struct BatchError {
    /// The place of the match.
    pub at: usize,
    /// What is wrong.
    pub why: ApiError,
}

/// The branch of the seed from which [`AnyBatch::pick`] draws; matches are numbered from 0.
const PICKS: u64 = u64::MAX;

pub(super) struct Batch<G: Game> {
    game: G,
    seed: u64,
    states: Vec<G::State>,
    /// The stream of chance of each match.
    streams: Vec<Rng>,
    /// The number of the playing of each match.
    playings: Vec<u64>,
    /// What is carried out in a step.
    actions: Vec<G::Action>,
    picks: Rng,
    /// The cells of one view, of which planes are made.
    cells: Vec<u8>,
    symbols: usize,
    grid: usize,
    numbers: usize,
}

impl<G: Cells + Numbered> Batch<G> {
    pub(super) fn new(game: G, matches: usize, seed: u64) -> Self {
        let layout = game.layout();
        let mut batch = Batch {
            seed,
            states: vec![game.start(); matches],
            streams: vec![Rng::new(0); matches],
            playings: vec![0; matches],
            actions: Vec::with_capacity(matches),
            picks: Rng::forked(seed, PICKS),
            cells: vec![0; layout.count()],
            symbols: layout.symbols.len(),
            grid: layout.grid(),
            numbers: game.numbers(),
            game,
        };
        batch.reset(seed);
        batch
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

/// Returns the seat to move; the first one where none is.
fn mover<G: Game>(game: &G, state: &G::State) -> Seat {
    match game.phase(state) {
        Phase::Decide(seat) => seat,
        Phase::Chance | Phase::Over => Seat::FIRST,
    }
}

impl<G: Cells + Numbered> AnyBatch for Batch<G> {
    fn matches(&self) -> usize {
        self.states.len()
    }

    fn reset(&mut self, seed: u64) {
        self.seed = seed;
        self.picks = Rng::forked(seed, PICKS);
        self.playings.fill(0);
        for at in 0..self.states.len() {
            self.streams[at] = Rng::forked(fork(seed, at as u64), 0);
            self.begin(at);
        }
    }

    fn step(&mut self, actions: &[u32], results: &mut BatchResults<'_>) -> Result<(), BatchError> {
        let seats = usize::from(self.game.seats());
        assert_eq!(actions.len(), self.states.len(), "one action for each match");
        assert_eq!(
            results.rewards.len(),
            seats * self.states.len(),
            "one reward for each seat of each match"
        );
        assert_eq!(results.over.len(), self.states.len(), "one element for each match");
        self.actions.clear();
        for (at, (state, &number)) in self.states.iter().zip(actions).enumerate() {
            let Some(action) = self.game.legal_numbered(state, number as usize) else {
                let why = ApiError::IllegalNumber { number: number as usize, count: self.numbers };
                return Err(BatchError { at, why });
            };
            self.actions.push(action);
        }
        results.rewards.fill(0.0);
        results.over.fill(0);
        for at in 0..self.states.len() {
            let state = &mut self.states[at];
            self.game.apply(state, self.actions[at]);
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
        let Batch { game, states, cells: scratch, symbols, grid, numbers, .. } = self;
        if let Some(movers) = &mut arrays.movers {
            assert_eq!(movers.len(), states.len(), "one element for each match");
            movers.iter_mut().zip(&*states).for_each(|(out, state)| *out = mover(game, state).0);
        }
        if let Some(masks) = &mut arrays.masks {
            assert_eq!(masks.len(), *numbers * states.len(), "one element for each number of each match");
            for (mask, state) in masks.chunks_exact_mut(*numbers).zip(&*states) {
                game.write_mask(state, mask);
            }
        }
        if let Some(cells) = &mut arrays.cells {
            assert_eq!(cells.len(), scratch.len() * states.len(), "one element for each cell of each match");
            for (out, state) in cells.chunks_exact_mut(scratch.len()).zip(&*states) {
                game.cells(&game.view(state, mover(game, state)), out);
            }
        }
        if let Some(planes) = &mut arrays.planes {
            let all = *symbols * *grid;
            assert_eq!(planes.len(), all * states.len(), "one plane for each symbol of each match");
            for (out, state) in planes.chunks_exact_mut(all).zip(&*states) {
                game.cells(&game.view(state, mover(game, state)), scratch);
                for (symbol, plane) in (0..=u8::MAX).zip(out.chunks_exact_mut(*grid)) {
                    for (bit, &cell) in plane.iter_mut().zip(&scratch[..*grid]) {
                        *bit = u8::from(cell == symbol);
                    }
                }
            }
        }
    }

    fn pick(&mut self, actions: &mut [u32]) {
        assert_eq!(actions.len(), self.states.len(), "one element for each match");
        for (out, state) in actions.iter_mut().zip(&self.states) {
            *out = self.game.number(self.game.pick(state, &mut self.picks)) as u32;
        }
    }
}
