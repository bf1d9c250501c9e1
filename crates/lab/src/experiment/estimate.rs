//! What some trainings say about trainings in general.
//!
//! The unit is a training. Tests of one learner can be repeated for ever: that only tells more precisely how good *this*
//! learner has become, and nothing about the next one. So intervals and tests rest on one number a training.

use parlor_stats::compare::{binomial, paired_means};
use parlor_stats::distributions::{student_above, student_quantile};
use parlor_stats::intervals::Interval;
use parlor_stats::samples::Sample;
use serde::Serialize;

/// Two limits.
#[derive(Copy, Clone, PartialEq, Debug, Serialize)]
pub struct Limits {
    /// The lower one.
    pub low: f64,
    /// The upper one.
    pub high: f64,
}

impl Limits {
    /// Returns whether a value lies between the limits or on one.
    #[must_use]
    pub fn contain(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Returns the limits of a function that rises.
    #[must_use]
    pub fn map(self, rising: impl Fn(f64) -> f64) -> Limits {
        Limits { low: rising(self.low), high: rising(self.high) }
    }
}

impl From<Interval> for Limits {
    fn from(interval: Interval) -> Limits {
        Limits { low: interval.low, high: interval.high }
    }
}

/// The confidence of every interval here.
const LEVEL: f64 = 0.95;

/// What one number of each training says.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Estimate {
    /// How many trainings.
    pub trainings: usize,
    /// Their mean.
    pub mean: f64,
    /// The 95 % interval of the mean that more and more trainings would approach; `None` for a single one.
    pub interval: Option<Limits>,
    /// The standard deviation between trainings, test noise included.
    pub deviation: Option<f64>,
    /// Where one further training would lie with 95 % probability, if trainings are about normally distributed.
    pub prediction: Option<Limits>,
}

impl Estimate {
    /// Returns what the values say; `None` if there are none or one is not finite.
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Estimate> {
        let sample = Sample::of(values)?;
        let n = sample.n as f64;
        let deviation = sample.variance().map(f64::sqrt);
        let around = |half: f64| {
            let limits = Limits { low: sample.mean - half, high: sample.mean + half };
            (limits.low.is_finite() && limits.high.is_finite()).then_some(limits)
        };
        let t = student_quantile((1.0 + LEVEL) / 2.0, n - 1.0);
        let scaled = t.zip(deviation).map(|(t, deviation)| t * deviation);
        Some(Estimate {
            trainings: sample.n,
            mean: sample.mean,
            interval: scaled.and_then(|scaled| around(scaled / n.sqrt())),
            deviation,
            prediction: scaled.and_then(|scaled| around(scaled * (1.0 + 1.0 / n).sqrt())),
        })
    }
}

/// One-sided p-values of a mean.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Sides {
    /// Of "the mean is not above the value": small if it is above.
    pub above: f64,
    /// Of "the mean is not below the value": small if it is below.
    pub below: f64,
}

/// Returns Student's one-sided p-values of the mean against a value; `None` for fewer than two values or one that is not finite.
///
/// Equal values have no spread to judge by. Then only their number counts, as in a sign test: n of n on one side.
#[must_use]
pub fn sides(values: &[f64], value: f64) -> Option<Sides> {
    let difference = paired_means(values, &vec![value; values.len()])?;
    if let Some(t) = difference.t {
        return Some(Sides {
            above: student_above(t, difference.freedom)?,
            below: student_above(-t, difference.freedom)?,
        });
    }
    let all = libm::ldexp(1.0, -(values.len().min(1000) as i32));
    Some(Sides {
        above: if difference.difference > 0.0 { all } else { 1.0 },
        below: if difference.difference < 0.0 { all } else { 1.0 },
    })
}

/// The sign test: in how many trainings it is so. It needs no normal distribution.
#[derive(Copy, Clone, PartialEq, Debug, Serialize)]
pub struct Signs {
    /// Trainings in which it is so.
    pub so: usize,
    /// Trainings in which it is so or the opposite; those exactly between are left out.
    pub of: usize,
    /// The exact two-sided p-value of "as often as not".
    pub p_value: f64,
}

/// Returns the sign test of values above another value.
#[must_use]
pub fn signs(values: &[f64], value: f64) -> Option<Signs> {
    let so = values.iter().filter(|&&v| v > value).count();
    let of = values.iter().filter(|&&v| v != value).count();
    Some(Signs { so, of, p_value: binomial(so as u64, of as u64, 0.5)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of a textbook kind: mean 5, standard deviation 2, n = 9; t(0.975, 8) = 2.306004.
    const VALUES: [f64; 9] = [2.0, 3.0, 3.0, 5.0, 5.0, 6.0, 7.0, 7.0, 7.0];

    #[test]
    fn estimates_are_students() {
        let estimate = Estimate::of(&VALUES).unwrap();
        let deviation = (30.0_f64 / 8.0).sqrt();
        assert_eq!((estimate.trainings, estimate.mean), (9, 5.0));
        assert!((estimate.deviation.unwrap() - deviation).abs() < 1e-12);
        let half = 2.306_004_135 * deviation;
        let close = |limits: Limits, half: f64| {
            assert!((limits.low - (5.0 - half)).abs() < 1e-6 && (limits.high - (5.0 + half)).abs() < 1e-6);
        };
        close(estimate.interval.unwrap(), half / 3.0);
        close(estimate.prediction.unwrap(), half * (10.0_f64 / 9.0).sqrt());
        let single = Estimate::of(&[3.0]).unwrap();
        assert_eq!((single.interval, single.deviation, single.prediction), (None, None, None));
        assert_eq!(Estimate::of(&[]), None);
    }

    #[test]
    fn sides_and_signs() {
        let at_limit = Estimate::of(&VALUES).unwrap().interval.unwrap().low;
        let both = sides(&VALUES, at_limit).unwrap();
        assert!((both.above - 0.025).abs() < 1e-6 && (both.below - 0.975).abs() < 1e-6);
        let alike = sides(&[1.0; 5], 0.0).unwrap();
        assert_eq!((alike.above, alike.below), (1.0 / 32.0, 1.0));
        assert_eq!(sides(&[1.0], 0.0), None);
        let count = signs(&VALUES, 3.0).unwrap();
        assert_eq!((count.so, count.of), (6, 7));
        assert!((count.p_value - 0.125).abs() < 1e-12);
    }
}
