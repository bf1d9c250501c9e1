//! How far an agent is from perfect play: what its decisions lose, match by match, with intervals.

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
    pub fn run(&self, stop: &Cancel, mut on_deal: impl FnMut(u64)) -> Result<Regret, ApiError> {
        let solitary = self.game.seats() == 1;
        let specs = if solitary { vec![self.agent] } else { vec![self.agent, self.against] };
        let referees = (0..self.threads.max(1))
            .map(|_| self.game.referee(&specs, &self.means))
            .collect::<Result<Vec<_>, ApiError>>()?;
        let unit = referees[0].unit();
        let mut deals = Vec::new();
        let mut trouble = None;
        let judge = |referee: &mut Box<dyn AnyReferee>, deal: u64| {
            let judged = self.judge(&mut **referee, solitary, deal, stop);
            // After cancellation, the result so far is returned.
            (judged != Err(ApiError::Unsolved(Unsolved::Cancelled))).then_some(judged)
        };
        in_order(referees, 0..self.deals, stop, judge, |judged| match judged {
            Ok(judged) => {
                deals.push(judged);
                on_deal(deals.len() as u64);
                ControlFlow::Continue(())
            }
            Err(error) => {
                trouble = Some(error);
                ControlFlow::Break(())
            }
        });
        trouble.map_or_else(|| Ok(Regret::of(unit, &deals, u64::from(self.game.seats()))), Err)
    }

    fn judge(
        &self,
        referee: &mut dyn AnyReferee,
        solitary: bool,
        deal: u64,
        stop: &Cancel,
    ) -> Result<Judged, ApiError> {
        let chance = fork(self.seed, deal);
        let mut all = Judged::default();
        let seatings: &[&[usize]] = if solitary { &[&[0]] } else { &[&[0, 1], &[1, 0]] };
        for (number, seating) in seatings.iter().enumerate() {
            let sitting = MatchSetup {
                opening: self.opening,
                cancel: Some(stop.clone()),
                ..MatchSetup::new(seating, chance, fork(chance, 1 + number as u64))
            };
            let mut progress = Progress { cancel: stop, report: &mut |_| {} };
            all.add(referee.judge(&sitting, Seat(number as u8), &mut progress)?);
        }
        Ok(all)
    }
}
