//! The rows of a study, merged: one number for each key.

use parlor_stats::distributions::{normal_above, student_above, student_quantile};
use parlor_stats::samples::Sample;

use super::StudyRow;
use crate::experiment::estimate::{Limits, Sides};

/// The confidence of every interval.
const LEVEL: f64 = 0.95;

/// What a number is of.
#[derive(Clone, PartialEq, Debug)]
pub struct Key {
    /// The player.
    pub player: String,
    /// The player that it is compared with.
    pub than: Option<String>,
    /// The target.
    pub target: String,
    /// The place on the horizontal axis.
    pub place: Option<f64>,
    /// The measure.
    pub measure: String,
}

/// A number with its precision.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Number {
    /// The number of observations, or the weight of an exact number.
    pub n: u64,
    /// The mean.
    pub mean: f64,
    /// The standard error of the mean; 0 for an exact number, `None` for a single observation.
    pub error: Option<f64>,
    /// Whether nothing was sampled.
    pub exact: bool,
}

impl Number {
    /// Returns the standard error that intervals and tests rest on; `None` for a single observation, and for equal ones: their spread
    /// cannot be estimated.
    fn spread(&self) -> Option<f64> {
        if self.exact { Some(0.0) } else { self.error.filter(|error| *error > 0.0) }
    }

    /// Returns the 95 % confidence interval; `None` for a single observation and for equal ones.
    #[must_use]
    pub fn interval(&self) -> Option<Limits> {
        let half = match self.spread()? {
            0.0 => 0.0,
            error => student_quantile((1.0 + LEVEL) / 2.0, self.n as f64 - 1.0)? * error,
        };
        Some(Limits { low: self.mean - half, high: self.mean + half })
    }

    /// Returns the standard deviation of one observation.
    #[must_use]
    pub fn deviation(&self) -> Option<f64> {
        Some(self.error? * (self.n as f64).sqrt())
    }

    /// Returns the one-sided p-values of the mean against a value; `None` for a single observation and for equal ones. An exact number is
    /// above or below for certain.
    #[must_use]
    pub fn sides(&self, value: f64) -> Option<Sides> {
        let error = self.spread()?;
        let difference = self.mean - value;
        if error == 0.0 {
            let certain = |so: bool| if so { 0.0 } else { 1.0 };
            return Some(Sides { above: certain(difference > 0.0), below: certain(difference < 0.0) });
        }
        let t = difference / error;
        let freedom = self.n as f64 - 1.0;
        let above = |t: f64| student_above(t, freedom).unwrap_or_else(|| normal_above(t));
        Some(Sides { above: above(t), below: above(-t) })
    }

    /// Returns this number minus an independent one.
    #[must_use]
    pub fn minus(&self, other: &Number) -> Number {
        let squared = |number: &Number| number.error.map(|error| error * error);
        let error = squared(self).zip(squared(other)).map(|(one, other)| (one + other).sqrt());
        Number {
            n: self.n.min(other.n),
            mean: self.mean - other.mean,
            error,
            exact: self.exact && other.exact,
        }
    }
}

/// Every number of a study.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StudyEvidence {
    numbers: Vec<(Key, Number)>,
}

impl StudyEvidence {
    /// Merges rows with equal keys. The order is that of their first rows.
    #[must_use]
    pub fn new(rows: &[StudyRow]) -> StudyEvidence {
        let mut merged: Vec<(Key, Sample, bool)> = Vec::new();
        for row in rows {
            let key = Key {
                player: row.player.clone(),
                than: row.than.clone(),
                target: row.target.clone(),
                place: row.place,
                measure: row.measure.clone(),
            };
            let part = Sample { n: row.n as usize, mean: row.mean, squares: row.squares.unwrap_or_default() };
            match merged.iter_mut().find(|(known, ..)| *known == key) {
                Some((_, sample, exact)) => {
                    *sample = sample.merged(&part);
                    *exact &= row.squares.is_none();
                }
                None => merged.push((key, part, row.squares.is_none())),
            }
        }
        let number = |sample: Sample, exact: bool| Number {
            n: sample.n as u64,
            mean: sample.mean,
            error: if exact {
                Some(0.0)
            } else {
                sample.variance().map(|variance| (variance / sample.n as f64).sqrt())
            },
            exact,
        };
        let numbers = merged.into_iter().map(|(key, sample, exact)| (key, number(sample, exact)));
        StudyEvidence { numbers: numbers.collect() }
    }

    /// Returns every number, in the order of the rows.
    #[must_use]
    pub fn numbers(&self) -> &[(Key, Number)] {
        &self.numbers
    }

    /// Returns a number by its key.
    #[must_use]
    pub fn find(&self, key: &Key) -> Option<Number> {
        self.numbers.iter().find(|(known, _)| known == key).map(|(_, number)| *number)
    }

    /// Returns a player's number without a place.
    #[must_use]
    pub fn of(&self, player: &str, target: &str, measure: &str) -> Option<Number> {
        let key = Key {
            player: player.to_owned(),
            than: None,
            target: target.to_owned(),
            place: None,
            measure: measure.to_owned(),
        };
        self.find(&key)
    }

    /// Returns a player's difference to another, game by game where that was measured, else as independent numbers.
    #[must_use]
    pub fn difference(&self, key: &Key) -> Option<Number> {
        let Some(than) = &key.than else { return self.find(key) };
        self.find(key).or_else(|| {
            let own = self.find(&Key { than: None, ..key.clone() })?;
            let other = self.find(&Key { than: None, player: than.clone(), ..key.clone() })?;
            Some(own.minus(&other))
        })
    }

    /// Returns every measure, in the order of the rows.
    #[must_use]
    pub fn measures(&self) -> Vec<&str> {
        let mut all: Vec<&str> = Vec::new();
        for (key, _) in &self.numbers {
            if !all.contains(&key.measure.as_str()) {
                all.push(&key.measure);
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_observations_decide_nothing() {
        let of = |values: &[f64]| {
            let mut sample = Sample::empty();
            values.iter().for_each(|value| sample.add(*value));
            let rows = [StudyRow::sampled("a", "b", "score", &sample)];
            StudyEvidence::new(&rows).of("a", "b", "score").unwrap()
        };
        for equal in [of(&[0.25]), of(&[0.25, 0.25])] {
            assert_eq!((equal.interval(), equal.sides(0.0)), (None, None), "{equal:?}");
        }
        assert!(of(&[0.25, 0.26, 0.24]).sides(0.0).unwrap().above < 0.01);
        let exact = StudyEvidence::new(&[StudyRow::exact("a", "b", "score", 1, 0.25)]);
        assert_eq!(exact.of("a", "b", "score").unwrap().sides(0.0).unwrap().above, 0.0);
    }
}
