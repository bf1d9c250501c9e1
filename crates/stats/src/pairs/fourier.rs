//! Exact lattice distributions of sums, by Fourier inversion of a tilted sum.
//!
//! A sum of many small independent steps has a known characteristic function φ(ω), and each probability is a mean of
//! φ(ω)·e^(−iωs) over equally spaced ω. Computed plainly this is exact to 10⁻¹⁶ in *absolute* terms, useless for a
//! tail of 10⁻³⁰. So the steps are first **tilted** (each weight times e^(θk), θ chosen so that the tilted mean is the
//! value in question; Esscher 1932), inverted there, where the probability is largest, and tilted back by a factor
//! that is known in closed form. The result is right to about 10⁻¹¹ of the likeliest score next to it, wherever that
//! does not underflow.
//!
//! The wider the tilted distribution, the finer the spacing that the mean over ω needs. With the period of
//! [`Tilted::period`] the probability that aliasing folds back onto the value is below 10⁻⁴⁰ of it (Bennett's
//! inequality for steps of at most 4 from their mean).

use std::f64::consts::TAU;

use crate::special::square;

/// A number of independent steps with the same symmetric distribution: weights of −2, −1, 0, 1, 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Steps {
    /// Probabilities of −2 … 2, symmetric.
    pub(crate) weights: [f64; 5],
    /// Number of steps.
    pub(crate) times: u64,
}

/// Step sizes in the order of [`Steps::weights`].
const SIZES: [f64; 5] = [-2.0, -1.0, 0.0, 1.0, 2.0];

/// Waves weaker than e to this power do not affect the sixteenth digit.
const WEAKEST: f64 = -50.0;

/// No tilt beyond this is ever needed: e^1000 exceeds the ratio of any two positive weights.
const STEEPEST: f64 = 1000.0;

impl Steps {
    /// Returns the largest sum of these steps.
    pub(crate) fn most(&self) -> i64 {
        let size = if self.weights[4] > 0.0 { 2 } else { i64::from(self.weights[3] > 0.0) };
        size * self.times as i64
    }

    /// Returns the parity of the sum if all sums have the same parity.
    pub(crate) fn parity(&self) -> Option<i64> {
        let odd = self.weights[1] > 0.0;
        let even = self.weights[0] > 0.0 || self.weights[2] > 0.0;
        match (odd, even) {
            (true, true) => None,
            (true, false) => Some(self.times as i64 % 2),
            _ => Some(0),
        }
    }

    /// Returns the tilted weights.
    fn tilted(&self, theta: f64) -> [f64; 5] {
        let logs: [f64; 5] = std::array::from_fn(|i| libm::log(self.weights[i]) + theta * SIZES[i]);
        let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let raised = logs.map(|l| libm::exp(l - top));
        let sum: f64 = raised.iter().sum();
        raised.map(|w| w / sum)
    }

    /// Returns the logarithm of the sum of the tilted weights, 0 without tilt.
    ///
    /// It is multiplied by the number of steps, so its last digits matter: small tilts go through `ln_1p`, and
    /// weights that sum to 1 only up to rounding are normalised.
    fn log_scale(&self, theta: f64) -> f64 {
        let sum: f64 = self.weights.iter().sum();
        if theta < 1.0 {
            let excess: f64 = self.weights.iter().zip(SIZES).map(|(w, k)| w * libm::expm1(theta * k)).sum();
            return libm::log1p(excess / sum);
        }
        let steep: f64 = self.weights.iter().zip(SIZES).map(|(w, k)| w * libm::exp(theta * (k - 2.0))).sum();
        2.0 * theta + libm::log(steep / sum)
    }
}

/// Returns mean and variance of one tilted step.
fn moments(weights: &[f64; 5]) -> (f64, f64) {
    let mean: f64 = weights.iter().zip(SIZES).map(|(w, k)| w * k).sum();
    let variance = weights.iter().zip(SIZES).map(|(w, k)| w * square(k - mean)).sum();
    (mean, variance)
}

/// One term of the inverse Fourier sum.
#[derive(Clone, Copy, Debug)]
struct Wave {
    omega: f64,
    amplitude: f64,
    phase: f64,
}

/// A sum of steps, prepared for exact probabilities near one value.
#[derive(Clone, Debug)]
pub(crate) struct Tilted {
    theta: f64,
    log_scale: f64,
    waves: Vec<Wave>,
    sigma: f64,
}

impl Tilted {
    /// Prepares probabilities of values near `target ≥ 0`.
    pub(crate) fn new(parts: &[Steps], target: i64) -> Self {
        // Step 1. The tilt whose mean is the target, at most half a point below the largest sum, which only an
        // infinite tilt reaches. The mean grows with θ, so bisection finds it; it need not be exact.
        let most: i64 = parts.iter().map(Steps::most).sum();
        let aim = (target as f64).min(most as f64 - 0.5).max(0.0);
        let mean =
            |theta: f64| -> f64 { parts.iter().map(|p| p.times as f64 * moments(&p.tilted(theta)).0).sum() };
        let (mut low, mut high) = (0.0, STEEPEST);
        if aim > 0.0 {
            for _ in 0..70 {
                let middle = f64::midpoint(low, high);
                if mean(middle) < aim {
                    low = middle;
                } else {
                    high = middle;
                }
            }
        }
        let theta = low;

        // Step 2. The tilted steps.
        let tilted: Vec<([f64; 5], f64)> =
            parts.iter().filter(|p| p.times > 0).map(|p| (p.tilted(theta), p.times as f64)).collect();
        let log_scale = parts.iter().map(|p| p.times as f64 * p.log_scale(theta)).sum();
        let sigma = tilted.iter().map(|(w, n)| n * moments(w).1).sum::<f64>().sqrt();

        // Step 3. The waves that matter.
        let period = Self::period(sigma, most);
        let waves = (0..=period / 2)
            .filter_map(|k| {
                let mut wave = wave(&tilted, TAU * k as f64 / period as f64)?;
                // Waves k and period − k are conjugate: count the pair once, doubled.
                wave.amplitude *= if k == 0 { 1.0 } else { 2.0 } / period as f64;
                Some(wave)
            })
            .collect();
        Tilted { theta, log_scale, waves, sigma }
    }

    /// Returns the distance between two values that the Fourier sum cannot distinguish, an odd number.
    fn period(sigma: f64, most: i64) -> i64 {
        let wide = 24.0 * sigma + 64.0;
        let all = 2 * most + 1;
        if wide < all as f64 { wide as i64 | 1 } else { all }
    }

    /// Returns the standard deviation of the tilted sum: the distance from the target up to which the digits are
    /// accurate.
    pub(crate) fn sigma(&self) -> f64 {
        self.sigma
    }

    /// Returns whether the probabilities of `value` and of all larger values underflow.
    pub(crate) fn underflows(&self, value: i64) -> bool {
        self.log_scale - self.theta * (value as f64) < -760.0
    }

    /// Returns the probability of exactly `value`.
    pub(crate) fn mass(&self, value: i64) -> f64 {
        let s = value as f64;
        let sum: f64 = self.waves.iter().map(|w| w.amplitude * libm::cos(w.phase - w.omega * s)).sum();
        libm::exp(libm::log(sum.max(0.0)) + self.log_scale - self.theta * s)
    }
}

/// Returns the characteristic function of the tilted sum at `omega` in polar form, `None` where it is negligible.
fn wave(tilted: &[([f64; 5], f64)], omega: f64) -> Option<Wave> {
    let (half, sine, double) = (libm::sin(omega / 2.0), libm::sin(omega), libm::sin(2.0 * omega));
    let (mut log_size, mut phase) = (0.0, 0.0);
    for (w, times) in tilted {
        // φ − 1 rather than φ: near ω = 0 all digits of |φ| are in its distance from 1.
        let real = -2.0 * ((w[1] + w[3]) * half * half + (w[0] + w[4]) * sine * sine);
        let imaginary = (w[3] - w[1]) * sine + (w[4] - w[0]) * double;
        log_size += times * 0.5 * libm::log1p((real * (2.0 + real) + imaginary * imaginary).max(-1.0));
        phase += times * libm::atan2(imaginary, 1.0 + real);
    }
    (log_size > WEAKEST).then(|| Wave { omega, amplitude: libm::exp(log_size), phase })
}
