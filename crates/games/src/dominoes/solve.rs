//! Stages with open hands, solved: the larger lead for one seat, the smaller for the other, the average over what is drawn.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use parlor_core::parallel::in_order;
use parlor_core::{
    Cancel, Exact, Game, Phase, Position, Progress, ProgressUpdate, Resources, Seat, Solver, Staged, Unsolved,
};

use super::staged::Rest;
use super::{Action, Dominoes, State};

/// The most deals whose mean is taken.
const MOST_DEALS: u128 = 5_000_000;

/// With so many tiles that are not yet played, or fewer, a position is solved in moments.
const QUICK_TILES: u8 = 12;

/// Bytes that a position takes in the table, about.
const BYTES_FOR_A_POSITION: usize = 2 * (size_of::<Rest>() + size_of::<f64>());

/// Deals that a thread takes at a time. The first hand is the same in most of them, and so are many positions.
const BATCH: usize = 64;

/// What a deal is worth.
#[derive(Clone, PartialEq, Debug)]
pub struct DealValue {
    /// The deal, as a position text.
    pub deal: String,
    /// Who leads.
    pub leader: Seat,
    /// The score differential to expect, for the leader.
    pub value: f64,
}

/// Returns a solver of stages with open hands.
#[must_use]
pub fn solver(_: &Dominoes, means: &Resources) -> Box<dyn Solver<Dominoes>> {
    Box::new(OpenHands::new(means))
}

/// Knows what stages are worth when both hands and the boneyard lie open, and only the order of the draws is left to chance.
pub struct OpenHands {
    means: Resources,
    known: Known,
}

/// What is known of positions: how much the lead of seat 0 still changes.
#[derive(Default)]
struct Known {
    gains: HashMap<Rest, f64>,
    most: usize,
    nodes: u64,
}

/// Nodes between two looks at whether anyone still waits.
const BETWEEN_LOOKS: u64 = 1 << 12;

impl Known {
    fn new(megabytes: usize) -> Known {
        Known { most: (megabytes << 20) / BYTES_FOR_A_POSITION, ..Known::default() }
    }

    /// Returns how much the lead of seat 0 changes until the stage has ended.
    fn gain(&mut self, game: &Dominoes, state: &State, stop: &Cancel) -> Result<f64, Unsolved> {
        if game.phase(state) == Phase::Over {
            return Ok(0.0);
        }
        let rest = game.rest(state);
        if let Some(&gain) = self.gains.get(&rest) {
            return Ok(gain);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(BETWEEN_LOOKS) && stop.is_cancelled() {
            return Err(Unsolved::Cancelled);
        }
        let gain = match game.phase(state) {
            Phase::Decide(seat) => {
                let sign = sign(seat);
                let mut best = f64::NEG_INFINITY;
                for action in game.actions(state) {
                    best = best.max(sign * self.gain_of(game, state, action, stop)?);
                }
                sign * best
            }
            _ => {
                let mut mean = 0.0;
                for (outcome, odds) in game.chances(state) {
                    mean += odds * self.gain_of(game, state, outcome, stop)?;
                }
                mean
            }
        };
        if self.gains.len() >= self.most {
            self.gains.clear();
        }
        self.gains.insert(rest, gain);
        Ok(gain)
    }

    /// Returns how much the lead changes by an action and whatever follows.
    fn gain_of(
        &mut self,
        game: &Dominoes,
        state: &State,
        action: Action,
        stop: &Cancel,
    ) -> Result<f64, Unsolved> {
        let mut next = state.clone();
        game.apply(&mut next, action);
        Ok(game.lead(&next) - game.lead(state) + self.gain(game, &next, stop)?)
    }
}

fn sign(seat: Seat) -> f64 {
    if seat == Seat::FIRST { 1.0 } else { -1.0 }
}

impl OpenHands {
    /// Begins with nothing known.
    #[must_use]
    pub fn new(means: &Resources) -> OpenHands {
        OpenHands { means: means.clone(), known: Known::new(means.memory_mb) }
    }

    /// Returns the value of every deal, in the order of [`Dominoes::all_deals`].
    ///
    /// # Errors
    /// If there are too many, or the answer is no longer wanted.
    pub fn each_deal(
        &mut self,
        game: &Dominoes,
        progress: &mut Progress<'_>,
    ) -> Result<Vec<DealValue>, Unsolved> {
        check_stage(game)?;
        let count = game.deals();
        if count > MOST_DEALS {
            let wrong =
                format!("{count} deals are too many to solve each; give a position, or take smaller hands");
            return Err(Unsolved::OutOfReach(wrong));
        }
        let deals: Vec<State> = game.all_deals().collect();
        let batches: Vec<&[State]> = deals.chunks(BATCH).collect();
        let threads = self.means.threads.clamp(1, batches.len());
        let share = self.means.memory_mb / threads;
        let cancel = progress.cancel;
        let workers: Vec<Known> = (0..threads).map(|_| Known::new(share)).collect();
        let work = |known: &mut Known, batch: &[State]| -> Option<(Vec<f64>, u64)> {
            let gains =
                batch.iter().map(|deal| known.gain(game, deal, cancel).ok()).collect::<Option<_>>()?;
            Some((gains, std::mem::take(&mut known.nodes)))
        };
        let (mut gains, mut nodes) = (Vec::with_capacity(deals.len()), 0);
        let mut told = Instant::now();
        in_order(workers, batches.into_iter(), cancel, work, |(more, looked_at)| {
            gains.extend(more);
            nodes += looked_at;
            if told.elapsed() >= TOLD_EVERY {
                told = Instant::now();
                let done = Some(gains.len() as f64 / deals.len() as f64);
                (progress.report)(&ProgressUpdate { doing: "solving every deal".to_owned(), done, nodes });
            }
            ControlFlow::Continue(())
        });
        progress.check()?;
        self.known.nodes += nodes;
        let value = |(deal, gain): (&State, f64)| {
            let leader = Dominoes::leader_of(deal);
            let text = game.write_deal(deal).expect("a deal can be written");
            DealValue { deal: text, leader, value: sign(leader) * gain + 0.0 }
        };
        Ok(deals.iter().zip(gains).map(value).collect())
    }

    /// Returns the state of a position in which nothing is hidden.
    fn standing(position: &Position<Dominoes>) -> Result<&State, Unsolved> {
        match position {
            Position::State(state) => Ok(state),
            Position::View(_) => {
                Err(Unsolved::NoDecision("open hands are solved where both hands are known".to_owned()))
            }
        }
    }
}

/// How often progress is reported.
const TOLD_EVERY: Duration = Duration::from_millis(250);

fn check_stage(game: &Dominoes) -> Result<(), Unsolved> {
    if game.rules().target.is_some() {
        let wrong = "a contest has no end that can be seen from here; take target=none, one stage";
        return Err(Unsolved::OutOfReach(wrong.to_owned()));
    }
    Ok(())
}

impl Solver<Dominoes> for OpenHands {
    fn unit(&self) -> &'static str {
        "points"
    }

    fn is_quick(&self, game: &Dominoes, position: &Position<Dominoes>) -> bool {
        let tiles =
            |state: &State| (state.hands[Seat::FIRST] | state.hands[Seat::SECOND] | state.boneyard).len();
        check_stage(game).is_ok() && Self::standing(position).is_ok_and(|state| tiles(state) <= QUICK_TILES)
    }

    /// Before the deal: the mean over all deals, for the seat that will lead.
    fn solve(
        &mut self,
        game: &Dominoes,
        position: &Position<Dominoes>,
        progress: &mut Progress<'_>,
    ) -> Result<Exact<Action>, Unsolved> {
        check_stage(game)?;
        let state = Self::standing(position)?;
        let before = self.known.nodes;
        if *state == game.start() {
            let deals = self.each_deal(game, progress)?;
            let value = deals.iter().map(|deal| deal.value).sum::<f64>() / deals.len() as f64;
            return Ok(Exact { value, best: Vec::new(), nodes: self.known.nodes - before });
        }
        let (value, best) = match game.phase(state) {
            Phase::Decide(_) => {
                let values = self.values(game, position, progress)?;
                let value = values.iter().map(|&(_, value)| value).fold(f64::NEG_INFINITY, f64::max);
                let best =
                    values.iter().filter(|(_, other)| *other > value - SAME).map(|&(action, _)| action);
                (value, best.collect())
            }
            Phase::Chance if !state.board.is_empty() => {
                let gain = self.known.gain(game, state, progress.cancel)?;
                (sign(state.turn) * (game.lead(state) + gain), Vec::new())
            }
            Phase::Chance => {
                return Err(Unsolved::NoDecision("half a deal is no position to solve".to_owned()));
            }
            Phase::Over => (sign(state.turn) * game.lead(state) + 0.0, Vec::new()),
        };
        Ok(Exact { value, best, nodes: self.known.nodes - before })
    }

    fn values(
        &mut self,
        game: &Dominoes,
        position: &Position<Dominoes>,
        progress: &mut Progress<'_>,
    ) -> Result<Vec<(Action, f64)>, Unsolved> {
        check_stage(game)?;
        let state = Self::standing(position)?;
        let seat = match game.phase(state) {
            Phase::Decide(seat) => seat,
            Phase::Over => return Ok(Vec::new()),
            Phase::Chance => return Err(Unsolved::NoDecision("nobody is to move here".to_owned())),
        };
        let lead = game.lead(state);
        let value = |action| {
            let gain = self.known.gain_of(game, state, action, progress.cancel)?;
            Ok((action, sign(seat) * (lead + gain) + 0.0))
        };
        game.actions(state).map(value).collect()
    }
}

/// Values this close are equal: they differ by the order of their sums.
const SAME: f64 = 1e-9;
