//! Estimates of the difference after a sequential test has stopped.
//!
//! A test that stops when the results look convincing makes them look too convincing: the plain estimate at that
//! moment is biased away from the middle. The estimate here uses the probability of an outcome at least as good as
//! the observed one, at each possible difference, including the stopping rule. Outcomes are ordered by stages (P.
//! Armitage 1957; D. Siegmund, *Estimation following sequential tests* (1978)): H1 early is best, then H1 late, then
//! undecided by distance, then H0 late, then H0 early. The difference at which an outcome at least this good has
//! probability ½ is **median unbiased**; those with 2½ % and 97½ % are the ends of a 95 % interval.
//!
//! The probabilities are those of a Brownian motion between two absorbing bounds, the limit of the test for small
//! differences. In the time τ = n·(s₁ − s₀)²/v the log-likelihood ratio has variance 1 per unit and the drift
//! η = (s − ½(s₀ + s₁))/(s₁ − s₀): −½ under H0, +½ under H1. The overshoot of the last result beyond a bound is
//! removed by moving the stop back along the line from the start.

use super::{Scale, Sprt, State};
use crate::distributions::normal_below;
use crate::elo::{FISHTEST_LEAST, NELO_UNIT, elo_of_score};
use crate::outcomes::Tally;

/// The difference after a sequential test, in the Elo of the test's [`Scale`].
///
/// Median unbiased with an exact interval for the limit of many results and small differences; with few results it is
/// as approximate as the normal distribution is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stopped {
    /// Median unbiased estimate: too high as often as too low; `None` if it would be a score of 0 or 1.
    pub elo: Option<f64>,
    /// Lower end of the 95 % interval.
    pub elo_low: Option<f64>,
    /// Upper end of the 95 % interval.
    pub elo_high: Option<f64>,
}

pub(super) fn estimate(test: &Sprt, tally: &Tally) -> Option<Stopped> {
    let f = tally.frequencies_at_least(FISHTEST_LEAST)?;
    let (s0, s1) = test.scores(&f, tally);
    let gap = s1 - s0;
    let middle = f64::midpoint(s0, s1);
    let bounds = Bounds { below: -test.lower(), above: test.upper() };
    let time = f.n * gap * gap / f.variance;
    let drift = (f.mean - middle) / gap;

    // A bound is reached only by drifting towards it; the ratio of the exact likelihoods may reach it a moment
    // earlier.
    let outcome = match test.state(test.llr(*tally)) {
        State::H1 if drift > 0.0 => Ending::Above { time: bounds.above / drift },
        State::H0 if drift < 0.0 => Ending::Below { time: bounds.below / -drift },
        _ => Ending::Between { time, at: (drift * time).clamp(-bounds.below, bounds.above) },
    };
    let elo = |chance: f64| {
        let score = middle + gap * bounds.drift_with_chance(outcome, chance);
        match test.scale {
            Scale::Logistic => elo_of_score(score),
            Scale::Normalised => Some((score - 0.5) / (f.variance * tally.games_each()).sqrt() * NELO_UNIT),
        }
    };
    Some(Stopped { elo: elo(0.5), elo_low: elo(0.025), elo_high: elo(0.975) })
}

/// The end of a test: at a bound, or undecided.
#[derive(Clone, Copy, Debug)]
enum Ending {
    Above { time: f64 },
    Below { time: f64 },
    Between { time: f64, at: f64 },
}

/// Distances of the two bounds from the start.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    below: f64,
    above: f64,
}

impl Bounds {
    /// Returns the drift at which an outcome at least as good as this one has the probability `chance`.
    fn drift_with_chance(self, outcome: Ending, chance: f64) -> f64 {
        let (time, centre) = match outcome {
            Ending::Above { time } => (time, self.above / time),
            Ending::Below { time } => (time, -self.below / time),
            Ending::Between { time, at } => (time, at / time),
        };
        // The probability grows with the drift. Ten standard errors and ten units of drift to either side contain
        // every solution: beyond, one bound is reached practically at once.
        let reach = 10.0 / time.sqrt() + 10.0;
        let (mut low, mut high) = (centre - reach, centre + reach);
        for _ in 0..60 {
            let drift = f64::midpoint(low, high);
            if self.at_least(outcome, drift) < chance {
                low = drift;
            } else {
                high = drift;
            }
        }
        f64::midpoint(low, high)
    }

    fn at_least(self, outcome: Ending, drift: f64) -> f64 {
        match outcome {
            Ending::Above { time } => self.above_by(time, drift),
            Ending::Below { time } => 1.0 - self.flipped().above_by(time, -drift),
            Ending::Between { time, at } => self.above_by(time, drift) + self.between_by(time, drift, at),
        }
    }

    fn flipped(self) -> Self {
        Bounds { below: self.above, above: self.below }
    }

    /// Returns the number of reflections to either side that matter by `time`: the farthest is 12 deviations away.
    fn images(self, time: f64) -> i32 {
        (6.0 * time.sqrt() / (self.below + self.above)).ceil().min(1e4) as i32 + 1
    }

    /// Returns the probability of reaching the upper bound by `time` without having reached the lower one.
    ///
    /// The path without drift is reflected at both bounds again and again; each image is a first passage to one level
    /// y, whose time has the inverse Gaussian distribution.
    fn above_by(self, time: f64, drift: f64) -> f64 {
        let root = time.sqrt();
        let images = self.images(time);
        let sum: f64 = (-images..=images)
            .map(|k| {
                let y = self.above + 2.0 * f64::from(k) * (self.below + self.above);
                let level = y.abs();
                let early = weighted(drift * (self.above - level), (drift * time - level) / root);
                let late = weighted(drift * (self.above + level), -(drift * time + level) / root);
                y.signum() * (early + late)
            })
            .sum();
        sum.clamp(0.0, 1.0)
    }

    /// Returns the probability of not having reached a bound by `time` and being at `at` or above.
    fn between_by(self, time: f64, drift: f64, at: f64) -> f64 {
        let root = time.sqrt();
        let images = self.images(time);
        // ∫ e^(ηx − η²τ/2)·φ_τ(x − c) dx from `at` to the upper bound, for an image that starts from c.
        let mass = |c: f64| {
            let (from, to) = ((at - c - drift * time) / root, (self.above - c - drift * time) / root);
            if from > 0.0 {
                weighted(drift * c, -from) - weighted(drift * c, -to)
            } else {
                weighted(drift * c, to) - weighted(drift * c, from)
            }
        };
        let sum: f64 = (-images..=images)
            .map(|k| {
                let shift = 2.0 * f64::from(k) * (self.below + self.above);
                mass(shift) - mass(2.0 * self.above + shift)
            })
            .sum();
        sum.clamp(0.0, 1.0)
    }
}

/// Returns e^`exponent`·Φ(`z`), also where one factor overflows and the other underflows.
fn weighted(exponent: f64, z: f64) -> f64 {
    if z > -30.0 {
        return libm::exp(exponent + libm::log(normal_below(z)));
    }
    // Φ(z) ≈ φ(z)/|z|·(1 − 1/z² + 3/z⁴ − 15/z⁶), accurate to nine digits here.
    let w = 1.0 / (z * z);
    let mills = (1.0 - w * (1.0 - 3.0 * w * (1.0 - 5.0 * w))) / (z.abs() * std::f64::consts::TAU.sqrt());
    libm::exp(exponent - 0.5 * z * z + libm::log(mills))
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "compared within a tolerance")]
mod tests {
    use super::*;

    /// Compares the formulas with small steps of the diffusion equation, for two bounds, a time and a drift.
    #[test]
    fn passages_agree_with_small_steps() {
        let bounds = Bounds { below: 2.0, above: 3.0 };
        for (time, drift) in [(2.0, 0.5), (6.0, -0.3), (20.0, 0.05), (0.7, 2.0)] {
            // A lattice walk of steps ±h with the right drift: cells of width h, h² a step.
            let h = 0.01;
            let up = 0.5 + 0.5 * f64::tanh(drift * h);
            let cells = 500;
            let mut mass = vec![0.0; cells + 1];
            mass[200] = 1.0;
            let mut reached = 0.0;
            for _ in 0..(time / (h * h)) as usize {
                let mut next = vec![0.0; cells + 1];
                for i in 1..cells {
                    next[i + 1] += up * mass[i];
                    next[i - 1] += (1.0 - up) * mass[i];
                }
                reached += next[cells];
                next[cells] = 0.0;
                next[0] = 0.0;
                mass = next;
            }
            let got = bounds.above_by(time, drift);
            assert!((got - reached).abs() < 2e-3, "by {time} with {drift}: {got}, walked {reached}");
            let at = 0.505;
            let walked: f64 = mass[251..].iter().sum();
            let got = bounds.between_by(time, drift, at);
            assert!((got - walked).abs() < 4e-3, "between by {time} with {drift}: {got}, walked {walked}");
        }
    }

    #[test]
    fn in_the_long_run_a_bound_is_reached_as_wald_says() {
        let bounds = Bounds { below: 2.0, above: 3.0 };
        for drift in [-0.5f64, -0.1, 0.2, 1.0] {
            let want = (1.0 - (2.0 * drift * 2.0).exp().recip()) / (1.0 - (-2.0 * drift * 5.0).exp());
            let got = bounds.above_by(1e3, drift);
            assert!((got - want).abs() < 1e-9, "{drift}: {got}, expected {want}");
        }
    }

    #[test]
    fn weights_that_overflow_apart_stay_finite_together() {
        assert!((weighted(0.0, -30.5) / normal_below(-30.5) - 1.0).abs() < 1e-9);
        assert!(weighted(5000.0, -100.0) > 0.0 && weighted(5000.0, -100.0).is_finite());
    }
}
