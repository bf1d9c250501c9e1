//! The special functions that the distributions rest on.
//!
//! Sources: C. Loader, *Fast and accurate computation of binomial probabilities* (2000), for the factors that would
//! otherwise lose digits with large counts; Abramowitz and Stegun, *Handbook of Mathematical Functions* (1964),
//! 6.5.31 and 26.5.8, for the continued fractions; W. J. Lentz, *Generating Bessel functions in Mie scattering
//! calculations* (1976), for their evaluation.
//!
//! Why not a crate: the incomplete beta function of `statrs` 0.19 returns 0.491 for the median of Beta(10⁶, 10⁶), its
//! inverse is wrong by a factor of 68 at Beta(½, ½), 10⁻⁹, and its `erfc` has nine digits. Matches have millions of
//! games and our tests need their tails. `libm` computes `erfc` and `lgamma` to the last digits.

use std::f64::consts::TAU;

/// Enough steps for both continued fractions at counts of 10⁹, which need about the square root of the parameters.
const MOST_STEPS: u32 = 400_000;

/// Replaces 0 in Lentz's method, where a true 0 would be a divisor.
const TINY: f64 = 1e-300;

/// Returns `x²`.
pub(crate) fn square(x: f64) -> f64 {
    x * x
}

/// Returns `ln Γ(z + 1)` minus Stirling's formula for it, for `z > 0`.
fn stirling_error(z: f64) -> f64 {
    if z < 16.0 {
        return libm::lgamma(z + 1.0) - (z + 0.5) * libm::log(z) + z - 0.5 * libm::log(TAU);
    }
    let w = 1.0 / (z * z);
    (1.0 / 12.0 - w * (1.0 / 360.0 - w * (1.0 / 1260.0 - w * (1.0 / 1680.0 - w / 1188.0)))) / z
}

/// Returns `x·ln(x/m) + m − x` without cancellation near `x = m`; both positive.
fn deviance(x: f64, m: f64) -> f64 {
    if (x - m).abs() > 0.1 * (x + m) {
        return x * libm::log(x / m) + m - x;
    }
    // With v = (x − m)/(x + m): x·ln(x/m) = 2x·artanh(v), and the first term cancels against m − x by hand.
    let v = (x - m) / (x + m);
    let mut sum = (x - m) * v;
    let mut term = 2.0 * x * v;
    for odd in (3u32..).step_by(2) {
        term *= v * v;
        let next = sum + term / f64::from(odd);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

/// Returns `xᵃ·yᵇ / B(a, b)` for `a, b > 0` and `x + y = 1`.
fn beta_kernel(a: f64, b: f64, x: f64, y: f64) -> f64 {
    if x <= 0.0 || y <= 0.0 {
        return 0.0;
    }
    let n = a + b;
    let exponent =
        stirling_error(n) - stirling_error(a) - stirling_error(b) - deviance(a, n * x) - deviance(b, n * y);
    (a / n * b / TAU).sqrt() * libm::exp(exponent)
}

/// Returns `1/(first + n₁/(d₁ + n₂/(d₂ + …)))`, where `c(step)` is the pair `(n, d)` of a step.
fn fraction(c: impl Fn(f64) -> (f64, f64), first: f64) -> f64 {
    let guard = |v: f64| if v.abs() < TINY { TINY } else { v };
    let mut value = guard(first);
    let (mut up, mut down) = (value, 0.0);
    for step in 1..=MOST_STEPS {
        let (numerator, denominator) = c(f64::from(step));
        down = 1.0 / guard(denominator + numerator * down);
        up = guard(denominator + numerator / up);
        let factor = up * down;
        value *= factor;
        if (factor - 1.0).abs() < 1e-16 {
            break;
        }
    }
    1.0 / value
}

/// Returns the regularised incomplete beta function `I_x(a, b)` for `a, b > 0`, `x + y = 1`.
///
/// Takes `y` as well, so that a tail near `x = 1` keeps its digits.
pub(crate) fn beta_regularised(a: f64, b: f64, x: f64, y: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if y <= 0.0 {
        return 1.0;
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta_regularised_direct(b, a, y, x);
    }
    beta_regularised_direct(a, b, x, y)
}

fn beta_regularised_direct(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let kernel = beta_kernel(a, b, x, y);
    if kernel == 0.0 {
        return 0.0;
    }
    let coefficient = |step: f64| {
        let m = (step / 2.0).floor();
        let top = if step % 2.0 == 1.0 {
            -(a + m) / (a + 2.0 * m) * ((a + b + m) / (a + 2.0 * m + 1.0)) * x
        } else {
            m / (a + 2.0 * m - 1.0) * ((b - m) / (a + 2.0 * m)) * x
        };
        (top, 1.0)
    };
    (kernel / a * fraction(coefficient, 1.0)).clamp(0.0, 1.0)
}

/// Returns `ln(x / (1 − x))` for the `x` with `I_x(a, b) = p`, for `0 < p < 1`.
///
/// The logit stays away from 0 and 1; its derivative is the kernel itself, so Newton's method is cheap.
pub(crate) fn beta_quantile_logit(a: f64, b: f64, p: f64) -> f64 {
    let split = |u: f64| {
        let small = libm::exp(-u.abs()) / (1.0 + libm::exp(-u.abs()));
        if u < 0.0 { (small, 1.0 - small) } else { (1.0 - small, small) }
    };
    // Step 1. A bracket: at ±740/min(a, b, 1) both tails have underflowed.
    let reach = 745.0 / a.min(b).min(1.0);
    let (mut low, mut high) = (-reach, reach);
    let mut u = libm::log(a / b).clamp(low, high);
    // Step 2. Newton's method, with bisection whenever it leaves the bracket: always ends, mostly after some ten
    // steps.
    for _ in 0..200 {
        let (x, y) = split(u);
        let miss = beta_regularised(a, b, x, y) - p;
        if miss > 0.0 {
            high = u;
        } else {
            low = u;
        }
        let slope = beta_kernel(a, b, x, y);
        let newton = u - miss / slope;
        let next = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        if (next - u).abs() <= 1e-15 * u.abs().max(1e-3) {
            return next;
        }
        u = next;
    }
    u
}

/// Returns the upper regularised incomplete gamma function `Q(a, x)` for `a > 0`.
pub(crate) fn gamma_upper(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let kernel = (a / TAU).sqrt() * libm::exp(-stirling_error(a) - deviance(a, x));
    if x < a + 1.0 {
        // P(a, x) = kernel/a · (1 + x/(a+1) + x²/((a+1)(a+2)) + …)
        let (mut sum, mut term) = (1.0, 1.0);
        for step in 1..=MOST_STEPS {
            term *= x / (a + f64::from(step));
            sum += term;
            if term < 1e-17 * sum {
                break;
            }
        }
        return (1.0 - kernel / a * sum).clamp(0.0, 1.0);
    }
    if kernel == 0.0 {
        return 0.0;
    }
    let coefficient = |i: f64| (-i * (i - a), x - a + 1.0 + 2.0 * i);
    (kernel * fraction(coefficient, x - a + 1.0)).clamp(0.0, 1.0)
}

/// Returns `Γ(n+1)/(Γ(k+1)Γ(n−k+1))·xᵏ·yⁿ⁻ᵏ`, the binomial probability, for `0 ≤ k ≤ n`, `x + y = 1`.
pub(crate) fn binomial_mass(n: f64, k: f64, x: f64, y: f64) -> f64 {
    if k == 0.0 {
        return if x < 0.1 { libm::exp(n * libm::log1p(-x)) } else { libm::pow(y, n) };
    }
    if k == n {
        return if y < 0.1 { libm::exp(n * libm::log1p(-y)) } else { libm::pow(x, n) };
    }
    if x <= 0.0 || y <= 0.0 {
        return 0.0;
    }
    beta_kernel(k, n - k, x, y) * (n / k / (n - k))
}
