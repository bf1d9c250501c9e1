//! How far an agent is from perfect play: what its decisions lose, match by match, with intervals.

use std::io;
use std::ops::ControlFlow;

use parlor_core::api::{AnyGame, AnyReferee, ApiError, Blunder, Judged, MatchSetup};
use parlor_core::parallel::in_order;
use parlor_core::rng::fork;
use parlor_core::{Cancel, Progress, Resources, Seat, Unsolved};
use parlor_stats::intervals::{self, Interval};
use serde::Serialize;

use crate::format::loss;

/// The confidence of every interval here.
const LEVEL: f64 = 0.95;

/// What is to be measured.
pub struct Plan<'a> {
    /// The game.
    pub game: &'a dyn AnyGame,
    /// The agent whose decisions are judged.
    pub agent: &'a str,
    /// Its opponent; `None` in a solitary game.
    pub against: &'a str,
    /// How many deals: each is played once from each seat.
    pub deals: u64,
    /// Deal *i* is `fork(seed, i)`.
    pub seed: u64,
    /// Number of random decisions at the beginning, which are not judged.
    pub opening: u32,
    /// How many threads play and judge; the result does not depend on it.
    pub threads: usize,
    /// What each thread's solver may use.
    pub means: Resources,
}

/// What an agent loses against perfect play.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Regret {
    /// What losses count.
    pub unit: &'static str,
    /// How many matches were played; 0 if every position was asked about instead.
    pub matches: u64,
    /// The agent's decisions.
    pub decisions: u64,
    /// Those of them that were compared with perfect play.
    pub judged: u64,
    /// Those of them that lost anything.
    pub mistakes: u64,
    /// Mistakes among the judged decisions.
    pub mistake_rate: Option<f64>,
    /// Lower end of its 95 % interval.
    pub mistake_low: Option<f64>,
    /// Upper end of its 95 % interval.
    pub mistake_high: Option<f64>,
    /// What a judged decision loses.
    pub lost_per_decision: Option<f64>,
    /// What a match loses.
    pub lost_per_match: Option<f64>,
    /// Lower end of its 95 % interval.
    pub lost_low: Option<f64>,
    /// Upper end of its 95 % interval.
    pub lost_high: Option<f64>,
    /// The worst decision.
    pub worst: Option<Worst>,
}

/// A decision that lost much.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Worst {
    /// The position as the deciding seat saw it, where it can be written.
    pub position: Option<String>,
    /// What was done.
    pub action: String,
    /// What would have been right.
    pub best: String,
    /// What that lost.
    pub lost: f64,
}

impl From<Blunder> for Worst {
    fn from(blunder: Blunder) -> Self {
        let Blunder { position, action, best, lost } = blunder;
        Worst { position, action, best, lost }
    }
}

impl Regret {
    /// Sums up deals; each has the decisions of `seats` matches.
    fn of(unit: &'static str, deals: &[Judged], seats: u64) -> Regret {
        let mut all = Judged::default();
        deals.iter().for_each(|deal| all.add(deal.clone()));
        let lost: Vec<f64> = deals.iter().map(|deal| deal.lost / seats as f64).collect();
        let mistakes: Vec<(f64, f64)> =
            deals.iter().map(|deal| (deal.mistakes as f64, deal.judged as f64)).collect();
        // Who was never seen to err may err all the same: how often is bounded by the number of deals, how much by nothing.
        let flawless = all.mistakes == 0;
        let rate = if flawless {
            intervals::clopper_pearson(0, deals.len() as u64, LEVEL)
        } else {
            intervals::ratio(&mistakes, LEVEL)
        };
        let mean = if flawless { None } else { intervals::mean(&lost, LEVEL) };
        let matches = seats * deals.len() as u64;
        Regret {
            matches,
            lost_per_match: (matches > 0).then(|| all.lost / matches as f64),
            // A rate and a loss cannot be below nothing, and no rate is above one.
            mistake_low: rate.map(|rate| rate.low.max(0.0)),
            mistake_high: rate.map(|rate| rate.high.min(1.0)),
            lost_low: mean.map(|Interval { low, .. }| low.max(0.0)),
            lost_high: mean.map(|Interval { high, .. }| high),
            ..Regret::of_all(unit, all)
        }
    }

    /// What all positions together say, each counted once: nothing was drawn, so nothing has an interval.
    #[must_use]
    pub fn of_all(unit: &'static str, all: Judged) -> Regret {
        let each = |sum: f64| (all.judged > 0).then(|| sum / all.judged as f64);
        Regret {
            unit,
            matches: 0,
            decisions: all.decisions,
            judged: all.judged,
            mistakes: all.mistakes,
            mistake_rate: each(all.mistakes as f64),
            mistake_low: None,
            mistake_high: None,
            lost_per_decision: each(all.lost),
            lost_per_match: None,
            lost_low: None,
            lost_high: None,
            worst: all.worst.map(Worst::from),
        }
    }

    /// Returns what a match loses, as people write it; nothing where no match was played or nothing could be judged.
    #[must_use]
    pub fn in_words(&self) -> Option<String> {
        let lost = self.lost_per_match.filter(|_| self.judged > 0)?;
        let ends = match (self.lost_low, self.lost_high) {
            (Some(low), Some(high)) => format!(" [{} … {}]", loss(low), loss(high)),
            _ => String::new(),
        };
        Some(format!("{}{ends} {}", loss(lost), self.unit))
    }
}

impl Plan<'_> {
    /// Plays and judges. A raised `stop` ends it early, after a whole number of deals; `on_deal` receives their number.
    ///
    /// # Errors
    /// If an agent cannot be seated or forfeits, or the game has no solver.
    pub fn run(&self, stop: &Cancel, on_deal: impl FnMut(u64)) -> Result<Regret, ApiError> {
        let mut judges = Judges::new(self.game, [self.agent, self.against], self.threads, &self.means)?;
        judges.run(self.deals, self.seed, self.opening, stop, on_deal)
    }
}

/// An agent at a table with its opponent, once a thread, and solvers that judge its decisions.
pub struct Judges {
    referees: Vec<Box<dyn AnyReferee>>,
    seats: u8,
}

impl Judges {
    /// Seats an agent and its opponent, who is not needed in a solitary game.
    ///
    /// # Errors
    /// If an agent cannot be seated, or the game has no solver.
    pub fn new(
        game: &dyn AnyGame,
        [agent, against]: [&str; 2],
        threads: usize,
        means: &Resources,
    ) -> Result<Judges, ApiError> {
        let specs = if game.seats() == 1 { vec![agent] } else { vec![agent, against] };
        let referees = (0..threads.max(1)).map(|_| game.referee(&specs, means));
        Ok(Judges { referees: referees.collect::<Result<_, ApiError>>()?, seats: game.seats() })
    }

    /// Lets the agent, which is a learner, play by this knowledge.
    ///
    /// # Errors
    /// If it is no learner, or the bytes are not its own.
    pub fn load(&mut self, payload: &[u8]) -> io::Result<()> {
        for referee in &mut self.referees {
            let learner = referee.learner(0);
            let mut learner = learner.ok_or_else(|| io::Error::other("the agent does not learn"))?;
            learner.load(&mut &payload[..])?;
            learner.freeze(true);
        }
        Ok(())
    }

    /// Plays `deals` deals once from each seat and judges; deal *i* is `fork(seed, i)`, and the first `opening` decisions of a match are
    /// random. A raised `stop` ends it early, after a whole number of deals; `on_deal` receives their number.
    ///
    /// # Errors
    /// If an agent forfeits.
    pub fn run(
        &mut self,
        deals: u64,
        seed: u64,
        opening: u32,
        stop: &Cancel,
        mut on_deal: impl FnMut(u64),
    ) -> Result<Regret, ApiError> {
        let unit = self.referees[0].unit();
        let mut done = Vec::new();
        let mut trouble = None;
        let solitary = self.seats == 1;
        let judge_one = |referee: &mut Box<dyn AnyReferee>, deal: u64| {
            let judged = judge(&mut **referee, solitary, fork(seed, deal), opening, stop);
            // After cancellation, the result so far is returned.
            (judged != Err(ApiError::Unsolved(Unsolved::Cancelled))).then_some(judged)
        };
        let referees = std::mem::take(&mut self.referees);
        self.referees = in_order(referees, 0..deals, stop, judge_one, |judged| match judged {
            Ok(judged) => {
                done.push(judged);
                on_deal(done.len() as u64);
                ControlFlow::Continue(())
            }
            Err(error) => {
                trouble = Some(error);
                ControlFlow::Break(())
            }
        });
        trouble.map_or_else(|| Ok(Regret::of(unit, &done, u64::from(self.seats))), Err)
    }
}

/// Plays one deal from each seat and judges the first agent's decisions.
fn judge(
    referee: &mut dyn AnyReferee,
    solitary: bool,
    chance: u64,
    opening: u32,
    stop: &Cancel,
) -> Result<Judged, ApiError> {
    let mut all = Judged::default();
    let seatings: &[&[usize]] = if solitary { &[&[0]] } else { &[&[0, 1], &[1, 0]] };
    for (number, seating) in seatings.iter().enumerate() {
        let sitting = MatchSetup {
            opening,
            cancel: Some(stop.clone()),
            ..MatchSetup::new(seating, chance, fork(chance, 1 + number as u64))
        };
        let mut progress = Progress { cancel: stop, report: &mut |_| {} };
        all.add(referee.judge(&sitting, Seat(number as u8), &mut progress)?);
    }
    Ok(all)
}
