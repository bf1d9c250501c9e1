//! Normal, Student, F, chi-square and binomial probabilities.
//!
//! Every function is defined for all arguments. Outside its domain (a negative number of degrees of freedom, a
//! probability beyond 0 … 1, not-a-number) it returns `None`; inside it returns a finite number.
//!
//! Tails are computed as tails, never as 1 minus something: `normal_above(40.0)` is 3.7·10⁻³⁵⁰ rounded to 0, but
//! `normal_above(30.0)` is 4.9·10⁻¹⁹⁸.

use std::f64::consts::{FRAC_1_SQRT_2, TAU};

use crate::special::{beta_quantile_logit, beta_regularised, binomial_mass, gamma_upper};

/// The two-sided 5 % point of the normal distribution: 95 % lie within this many standard deviations.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Returns the probability that a standard normal variable is at most `z`; ½ for not-a-number.
#[must_use]
pub fn normal_below(z: f64) -> f64 {
    if z.is_nan() { 0.5 } else { 0.5 * libm::erfc(-z * FRAC_1_SQRT_2) }
}

/// Returns the probability that a standard normal variable is at least `z`; ½ for not-a-number.
#[must_use]
pub fn normal_above(z: f64) -> f64 {
    normal_below(-z)
}

/// Returns the probability that a standard normal variable is at least as far from 0 as `z`.
#[must_use]
pub fn normal_two_sided(z: f64) -> f64 {
    (2.0 * normal_below(-z.abs())).min(1.0)
}

/// Returns the `z` below which a standard normal variable lies with probability `p`, for `0 < p < 1`.
///
/// A rational first guess (Abramowitz and Stegun 26.2.23) and Newton's method in the logarithm of the tail, which is
/// concave: it converges from every start.
#[must_use]
pub fn normal_quantile(p: f64) -> Option<f64> {
    if !(p > 0.0 && p < 1.0) {
        return None;
    }
    if p > 0.5 {
        return normal_quantile(1.0 - p).map(|z| -z);
    }
    let t = (-2.0 * libm::log(p)).sqrt();
    let mut z = -(t
        - (2.515_517 + t * (0.802_853 + t * 0.010_328))
            / (1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308))));
    for _ in 0..4 {
        let tail = normal_below(z);
        let density = libm::exp(-0.5 * z * z) / TAU.sqrt();
        z -= libm::log(tail / p) * tail / density;
    }
    Some(z)
}

/// Above this number of degrees of freedom, Student's distribution equals the normal one to nine digits.
const NORMAL_ENOUGH: f64 = 1e9;

/// Returns the two-sided normal point of a confidence level: 1.96 for 0.95. The level lies strictly between 0 and 1.
pub(crate) fn z_of_level(level: f64) -> Option<f64> {
    if level > 0.0 && level < 1.0 { normal_quantile((1.0 - level) / 2.0).map(|z| -z) } else { None }
}

/// Returns the probability that a Student variable with `freedom` degrees is at least `t`.
#[must_use]
pub fn student_above(t: f64, freedom: f64) -> Option<f64> {
    let half = student_two_sided(t, freedom)? / 2.0;
    Some(if t > 0.0 { half } else { 1.0 - half })
}

/// Returns the probability that a Student variable with `freedom` degrees is at least as far from 0 as `t`.
#[must_use]
pub fn student_two_sided(t: f64, freedom: f64) -> Option<f64> {
    if t.is_nan() || !positive(freedom) {
        return None;
    }
    if freedom > NORMAL_ENOUGH {
        return Some(normal_two_sided(t));
    }
    let square = t * t / freedom;
    if square.is_infinite() {
        return Some(0.0);
    }
    let (x, y) = (1.0 / (1.0 + square), square / (1.0 + square));
    Some(beta_regularised(freedom / 2.0, 0.5, x, y))
}

/// Returns the `t` below which a Student variable with `freedom` degrees lies with probability `p`, for `0 < p < 1`.
#[must_use]
pub fn student_quantile(p: f64, freedom: f64) -> Option<f64> {
    if !(p > 0.0 && p < 1.0 && positive(freedom)) {
        return None;
    }
    if p > 0.5 {
        return student_quantile(1.0 - p, freedom).map(|t| -t);
    }
    if p == 0.5 {
        return Some(0.0);
    }
    if freedom > NORMAL_ENOUGH {
        return normal_quantile(p);
    }
    // 2p = I_x(f/2, ½) with x = f/(f + t²), so t² = f·(1 − x)/x, which is f·exp(−logit x).
    let logit = beta_quantile_logit(freedom / 2.0, 0.5, 2.0 * p);
    let t = -(freedom.sqrt() * libm::exp(-logit / 2.0));
    t.is_finite().then_some(t)
}

/// Returns the probability that an F variable with `upper` and `lower` degrees of freedom is at least `f`.
#[must_use]
pub fn f_above(f: f64, upper: f64, lower: f64) -> Option<f64> {
    if f.is_nan() || !positive(upper) || !positive(lower) {
        return None;
    }
    if f <= 0.0 {
        return Some(1.0);
    }
    let ratio = f * (upper / lower);
    if ratio.is_infinite() {
        return Some(0.0);
    }
    Some(beta_regularised(lower / 2.0, upper / 2.0, 1.0 / (1.0 + ratio), ratio / (1.0 + ratio)))
}

/// Returns the probability that a chi-square variable with `freedom` degrees is at least `x`.
#[must_use]
pub fn chi_square_above(x: f64, freedom: f64) -> Option<f64> {
    if x.is_nan() || !positive(freedom) {
        return None;
    }
    if x.is_infinite() {
        return Some(if x > 0.0 { 0.0 } else { 1.0 });
    }
    Some(gamma_upper(freedom / 2.0, x / 2.0))
}

/// Returns the probability of exactly `k` successes in `n` trials of probability `p`.
#[must_use]
pub fn binomial_exactly(k: u64, n: u64, p: f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&p) {
        return None;
    }
    Some(if k > n { 0.0 } else { binomial_mass(n as f64, k as f64, p, 1.0 - p) })
}

/// Returns the probability of at most `k` successes in `n` trials of probability `p`.
#[must_use]
pub fn binomial_at_most(k: u64, n: u64, p: f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&p) {
        return None;
    }
    if k >= n {
        return Some(1.0);
    }
    Some(beta_regularised((n - k) as f64, k as f64 + 1.0, 1.0 - p, p))
}

/// Returns the probability of at least `k` successes in `n` trials of probability `p`.
#[must_use]
pub fn binomial_at_least(k: u64, n: u64, p: f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&p) {
        return None;
    }
    if k == 0 {
        return Some(1.0);
    }
    if k > n {
        return Some(0.0);
    }
    Some(beta_regularised(k as f64, (n - k) as f64 + 1.0, p, 1.0 - p))
}

/// Returns whether `freedom` is a valid number of degrees of freedom.
fn positive(freedom: f64) -> bool {
    freedom > 0.0 && freedom.is_finite()
}
