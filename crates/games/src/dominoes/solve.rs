//! Stages solved with open hands: minimax over plays, the average over draws.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use parlor_core::parallel::in_order;
use parlor_core::{
    Cancel, Exact, Game, Objective, Phase, Position, Progress, ProgressUpdate, Resources, Seat, Solver,
    Staged, Unsolved,
};

use super::staged::Rest;
use super::{Action, Dominoes, State};

/// The largest number of deals for a mean.
const MAX_DEALS: u128 = 5_000_000;

/// Positions with at most this number of unplayed tiles are solved in moments.
const QUICK_TILES: u8 = 12;

/// Approximate memory of a position in the table.
const BYTES_PER_POSITION: usize = 2 * (size_of::<Rest>() + size_of::<f64>());

/// Number of deals that a thread takes at a time. Most of them share the first hand, and therefore many positions.
const BATCH: usize = 64;

/// The value of a deal.
#[derive(Clone, PartialEq, Debug)]
pub struct DealValue {
    /// The deal, as a position text.
    pub deal: String,
    /// The seat that leads.
    pub leader: Seat,
    /// The expected score difference, for the leader.
    pub value: f64,
}

/// Returns a solver for stages with open hands.
#[must_use]
pub fn solver(_: &Dominoes, resources: &Resources) -> Box<dyn Solver<Dominoes>> {
    Box::new(OpenHands::new(resources))
}

/// Solver for stages in which both hands and the boneyard are open, and only the order of the draws is random.
pub struct OpenHands {
    resources: Resources,
    table: GainTable,
}

/// Table of solved positions: the future change of seat 0's lead.
#[derive(Default)]
struct GainTable {
    gains: HashMap<Rest, f64>,
    most: usize,
    nodes: u64,
}

/// Number of nodes between two polls for cancellation.
const NODES_PER_POLL: u64 = 1 << 12;

impl GainTable {
    fn new(megabytes: usize) -> GainTable {
        GainTable { most: (megabytes << 20) / BYTES_PER_POSITION, ..GainTable::default() }
    }

    /// Returns the change of seat 0's lead until the end of the stage.
    fn gain(&mut self, game: &Dominoes, state: &State, cancel: &Cancel) -> Result<f64, Unsolved> {
        if game.phase(state) == Phase::Over {
            return Ok(0.0);
        }
        let rest = game.rest(state);
        if let Some(&gain) = self.gains.get(&rest) {
            return Ok(gain);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_POLL) && cancel.is_cancelled() {
            return Err(Unsolved::Cancelled);
        }
        let gain = match game.phase(state) {
            Phase::Decide(seat) => {
                let sign = sign(seat);
                let mut best = f64::NEG_INFINITY;
                for action in game.actions(state) {
                    best = best.max(sign * self.gain_of(game, state, action, cancel)?);
                }
                sign * best
            }
            _ => {
                let mut mean = 0.0;
                for (outcome, odds) in game.chances(state) {
                    mean += odds * self.gain_of(game, state, outcome, cancel)?;
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

    /// Returns the change of the lead by an action and the play after it.
    fn gain_of(
        &mut self,
        game: &Dominoes,
        state: &State,
        action: Action,
        cancel: &Cancel,
    ) -> Result<f64, Unsolved> {
        let mut next = state.clone();
        game.apply(&mut next, action);
        Ok(game.lead(Objective::Stage, &next) - game.lead(Objective::Stage, state)
            + self.gain(game, &next, cancel)?)
    }
}

fn sign(seat: Seat) -> f64 {
    if seat == Seat::FIRST { 1.0 } else { -1.0 }
}

impl OpenHands {
    /// Returns a solver with an empty table.
    #[must_use]
    pub fn new(resources: &Resources) -> OpenHands {
        OpenHands { resources: resources.clone(), table: GainTable::new(resources.memory_mb) }
    }

    /// Returns the value of every deal, in the order of [`Dominoes::all_deals`].
    ///
    /// # Errors
    /// If there are too many deals, or the computation was cancelled.
    pub fn each_deal(
        &mut self,
        game: &Dominoes,
        progress: &mut Progress<'_>,
    ) -> Result<Vec<DealValue>, Unsolved> {
        check_stage(game)?;
        let count = game.deals();
        if count > MAX_DEALS {
            let wrong = format!(
                "{count} deals are too many to solve one by one; give a position, or take smaller hands"
            );
            return Err(Unsolved::OutOfReach(wrong));
        }
        let deals: Vec<State> = game.all_deals().collect();
        let batches: Vec<&[State]> = deals.chunks(BATCH).collect();
        let threads = self.resources.threads.clamp(1, batches.len());
        let share = self.resources.memory_mb / threads;
        let cancel = progress.cancel;
        let workers: Vec<GainTable> = (0..threads).map(|_| GainTable::new(share)).collect();
        let work = |table: &mut GainTable, batch: &[State]| -> Option<(Vec<f64>, u64)> {
            let gains =
                batch.iter().map(|deal| table.gain(game, deal, cancel).ok()).collect::<Option<_>>()?;
            Some((gains, std::mem::take(&mut table.nodes)))
        };
        let (mut gains, mut nodes) = (Vec::with_capacity(deals.len()), 0);
        let mut last_report = Instant::now();
        in_order(workers, batches.into_iter(), cancel, work, |(more, visited)| {
            gains.extend(more);
            nodes += visited;
            if last_report.elapsed() >= REPORT_INTERVAL {
                last_report = Instant::now();
                let done = Some(gains.len() as f64 / deals.len() as f64);
                (progress.report)(&ProgressUpdate { doing: "solving every deal".to_owned(), done, nodes });
            }
            ControlFlow::Continue(())
        });
        progress.check()?;
        self.table.nodes += nodes;
        let value = |(deal, gain): (&State, f64)| {
            let leader = Dominoes::leader_of(deal);
            let text = game.write_deal(deal).expect("a deal can be written");
            DealValue { deal: text, leader, value: sign(leader) * gain + 0.0 }
        };
        Ok(deals.iter().zip(gains).map(value).collect())
    }

    /// Returns the state of a position without hidden tiles.
    fn open_state(position: &Position<Dominoes>) -> Result<&State, Unsolved> {
        match position {
            Position::State(state) => Ok(state),
            Position::View(_) => Err(Unsolved::NoDecision(
                "a view hides a hand; open hands need a position with both hands".to_owned(),
            )),
        }
    }
}

/// How often progress is reported.
const REPORT_INTERVAL: Duration = Duration::from_millis(250);

fn check_stage(game: &Dominoes) -> Result<(), Unsolved> {
    if game.rules().target.is_some() {
        let wrong = "a contest has too many stages to solve; take target=none, one stage";
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
        check_stage(game).is_ok() && Self::open_state(position).is_ok_and(|state| tiles(state) <= QUICK_TILES)
    }

    /// Before the deal: returns the mean over all deals, for the seat that will lead.
    fn solve(
        &mut self,
        game: &Dominoes,
        position: &Position<Dominoes>,
        progress: &mut Progress<'_>,
    ) -> Result<Exact<Action>, Unsolved> {
        check_stage(game)?;
        let state = Self::open_state(position)?;
        let before = self.table.nodes;
        if *state == game.start() {
            let deals = self.each_deal(game, progress)?;
            let value = deals.iter().map(|deal| deal.value).sum::<f64>() / deals.len() as f64;
            return Ok(Exact { value, best: Vec::new(), nodes: self.table.nodes - before });
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
                let gain = self.table.gain(game, state, progress.cancel)?;
                (sign(state.turn) * (game.lead(Objective::Stage, state) + gain), Vec::new())
            }
            Phase::Chance => {
                return Err(Unsolved::NoDecision("a deal in progress cannot be solved".to_owned()));
            }
            Phase::Over => (sign(state.turn) * game.lead(Objective::Stage, state) + 0.0, Vec::new()),
        };
        Ok(Exact { value, best, nodes: self.table.nodes - before })
    }

    fn values(
        &mut self,
        game: &Dominoes,
        position: &Position<Dominoes>,
        progress: &mut Progress<'_>,
    ) -> Result<Vec<(Action, f64)>, Unsolved> {
        check_stage(game)?;
        let state = Self::open_state(position)?;
        let seat = match game.phase(state) {
            Phase::Decide(seat) => seat,
            Phase::Over => return Ok(Vec::new()),
            Phase::Chance => return Err(Unsolved::NoDecision("no seat is to move here".to_owned())),
        };
        let lead = game.lead(Objective::Stage, state);
        let value = |action| {
            let gain = self.table.gain_of(game, state, action, progress.cancel)?;
            Ok((action, sign(seat) * (lead + gain) + 0.0))
        };
        game.actions(state).map(value).collect()
    }
}

/// Tolerance for equal values, which differ by the order of their sums.
const SAME: f64 = 1e-9;
