//! Live curves: points from the events of a run, for front ends that draw while it goes on.

use std::collections::BTreeMap;

use parlor_core::WinDrawLoss;
use parlor_stats::intervals::{Interval, mean, wilson_of_rate};
use serde::Serialize;

use super::Event;
use crate::experiment::{Experiment, Measure};
use crate::verdict::Verdict;

/// How sure the bands are.
const LEVEL: f64 = 0.95;

/// Between two points of a match there is at least this share of new pairs.
const GROWTH: u64 = 20;

/// A point of a curve. A later one of the same series with the same `x` takes its place.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Point {
    /// Which curve.
    pub series: String,
    /// How far the run was.
    pub x: f64,
    /// The value, in per cent.
    pub y: f64,
    /// The lower end of its 95 % interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// The upper end of its 95 % interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// Whether it was printed elsewhere rather than measured here.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub published: bool,
}

/// The curves of a run.
#[derive(Clone, Debug, Default)]
pub struct LiveCurves {
    /// The names of the series: testers of a training, arms of an experiment.
    names: Vec<String>,
    /// The next number of pairs after which there is a point.
    next: u64,
    /// The rates of an experiment: those of each training, by arm and round.
    rates: BTreeMap<(u32, u32), BTreeMap<u32, Vec<f64>>>,
}

impl LiveCurves {
    /// The curve of a match, for its first agent.
    #[must_use]
    pub fn of_match(first: &str) -> LiveCurves {
        LiveCurves { names: vec![first.to_owned()], ..LiveCurves::default() }
    }

    /// The curves of a training, one a tester.
    #[must_use]
    pub fn of_training(testers: &[String]) -> LiveCurves {
        let names = testers.iter().map(|tester| format!("against {tester}")).collect();
        LiveCurves { names, ..LiveCurves::default() }
    }

    /// The curves of an experiment, one an arm.
    #[must_use]
    pub fn of_experiment(experiment: &Experiment) -> LiveCurves {
        let names = experiment.arms.iter().map(|arm| arm.name.clone()).collect();
        LiveCurves { names, ..LiveCurves::default() }
    }

    /// Returns what the source of an experiment printed, where it is what the curves show.
    #[must_use]
    pub fn published(experiment: &Experiment) -> Vec<Point> {
        let printed = experiment.published.iter().filter(|printed| printed.measure == Measure::WinPercent);
        let points = printed.flat_map(|printed| {
            let name = experiment.arms.get(printed.arm).map_or("", |arm| &arm.name);
            let point = |&(round, value): &(u32, f64)| Point {
                series: name.to_owned(),
                x: f64::from(round),
                y: value,
                low: None,
                high: None,
                published: true,
            };
            printed.points.iter().map(point).collect::<Vec<_>>()
        });
        points.collect()
    }

    /// Returns the points that an event adds.
    pub fn hear(&mut self, event: &Event<'_>) -> Vec<Point> {
        match event {
            Event::MatchPair { tally, .. } => {
                let pairs = tally.pairs();
                if pairs < self.next {
                    return Vec::new();
                }
                self.next = pairs + 1 + pairs / GROWTH;
                let verdict = Verdict::of(tally, None);
                let score = |elo: f64| 100.0 / (1.0 + libm::exp10(-elo / 400.0));
                let Some(y) = verdict.score else { return Vec::new() };
                let (low, high) = (verdict.elo_low.map(score), verdict.elo_high.map(score));
                let series = self.names[0].clone();
                vec![Point { series, x: pairs as f64, y: 100.0 * y, low, high, published: false }]
            }
            Event::Round { round, about } => {
                let tests = round.tests.iter().zip(&self.names);
                let point = |(test, name): (&crate::trainee::Results, &String)| {
                    rated(name, about.matches as f64, test.matches)
                };
                tests.filter_map(point).collect()
            }
            Event::ExperimentUnit { rows, .. } => {
                let mut changed = Vec::new();
                for row in *rows {
                    let Some(rate) = row.results.win_rate() else { continue };
                    let key = (row.arm, row.round);
                    self.rates.entry(key).or_default().entry(row.training).or_default().push(rate);
                    if changed.last() != Some(&key) {
                        changed.push(key);
                    }
                }
                changed.dedup();
                changed.iter().filter_map(|key| self.averaged(*key)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the mean over trainings: the unit of learning is a training, not a match.
    fn averaged(&self, (arm, round): (u32, u32)) -> Option<Point> {
        let trainings = self.rates.get(&(arm, round))?;
        let rates: Vec<f64> =
            trainings.values().map(|tests| tests.iter().sum::<f64>() / tests.len() as f64).collect();
        let y = rates.iter().sum::<f64>() / rates.len() as f64;
        let series = self.names.get(arm as usize)?.clone();
        Some(banded(series, f64::from(round), y, mean(&rates, LEVEL)))
    }
}

fn rated(name: &str, x: f64, results: WinDrawLoss) -> Option<Point> {
    let rate = results.score()?;
    Some(banded(name.to_owned(), x, rate, wilson_of_rate(rate, results.total() as f64, LEVEL)))
}

fn banded(series: String, x: f64, rate: f64, band: Option<Interval>) -> Point {
    let (low, high) = (band.map(|band| 100.0 * band.low), band.map(|band| 100.0 * band.high));
    Point { series, x, y: 100.0 * rate, low, high, published: false }
}
