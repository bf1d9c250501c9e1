//! The saturating learning curve y = a(b − e^(−cx)), fitted by least squares.
//!
//! Source: Jackson 2009 (FABLE), Table 4.2. Written as y = A − a·u with u = e^(−cx), the curve is linear in A = ab and a, so
//! only c is searched for (variable projection: Golub, Pereyra 1973); standard errors are those of the linearised problem.

use crate::distributions::student_quantile;
use crate::intervals::Interval;
use crate::samples::Sample;

/// A number of a fitted curve with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitted {
    /// The least-squares estimate.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

impl Fitted {
    /// Returns the interval of a confidence level such as 0.95 by Student's distribution with `freedom` degrees; `None` for a level
    /// that is not between 0 and 1.
    #[must_use]
    pub fn interval(self, level: f64, freedom: f64) -> Option<Interval> {
        let half = student_quantile((1.0 + level) / 2.0, freedom)? * self.error;
        Some(Interval { low: self.value - half, high: self.value + half })
    }
}

/// The curve y = a(b − e^(−cx)) through some points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SaturatingFit {
    /// The scale.
    pub a: Fitted,
    /// The asymptote divided by the scale.
    pub b: Fitted,
    /// The rate, per unit of x.
    pub c: Fitted,
    /// The asymptote a·b.
    pub asymptote: Fitted,
    /// The standard deviation of the points about the curve, divided by n − 3.
    pub deviation: f64,
    /// The correlation of the points with the curve.
    pub correlation: f64,
    /// Degrees of freedom, n − 3.
    pub freedom: f64,
}

/// The rates that are tried first, as multiples of 1/(largest x): from a nearly straight line to a step at the first point.
const SLOWEST: f64 = 1e-3;
const FASTEST: f64 = 1e3;
const TRIED: u32 = 240;

/// Steps of the golden-section search between three tried rates; each keeps 0.618 of the range.
const NARROWINGS: u32 = 100;

impl SaturatingFit {
    /// Fits the curve to points (x, y).
    ///
    /// `None` for fewer than four points, numbers that are not finite, an x that is negative, or points without a bend: the best curve is
    /// then a straight line or a step, and no rate is the best.
    #[must_use]
    pub fn of(points: &[(f64, f64)]) -> Option<SaturatingFit> {
        let fine = |&(x, y): &(f64, f64)| x.is_finite() && x >= 0.0 && y.is_finite();
        if points.len() < 4 || !points.iter().all(fine) {
            return None;
        }
        let largest = points.iter().map(|point| point.0).fold(0.0, f64::max);
        let smallest = points.iter().map(|point| point.0).filter(|&x| x > 0.0).fold(largest, f64::min);
        if largest == 0.0 {
            return None;
        }
        // Step 1. The best of many rates, evenly spaced by their logarithm.
        let (slowest, fastest) = (SLOWEST / largest, FASTEST.min(20.0 * largest / smallest) / largest);
        let growth = libm::log(fastest / slowest) / f64::from(TRIED);
        let rate = |step: f64| slowest * libm::exp(growth * step);
        let squares = |step: f64| Line::of(points, rate(step)).map_or(f64::INFINITY, |line| line.squares);
        let all: Vec<f64> = (0..=TRIED).map(|step| squares(f64::from(step))).collect();
        let best = (0..all.len()).min_by(|&one, &other| all[one].total_cmp(&all[other]))?;
        if best == 0 || best == all.len() - 1 || !all[best].is_finite() {
            return None;
        }
        // Step 2. Golden-section search between its neighbours.
        const GOLDEN: f64 = 0.618_033_988_749_894_9;
        let (mut low, mut high) = (best as f64 - 1.0, best as f64 + 1.0);
        for _ in 0..NARROWINGS {
            let (one, other) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
            if squares(one) <= squares(other) {
                high = other;
            } else {
                low = one;
            }
        }
        let c = rate((low + high) / 2.0);
        Line::of(points, c)?.with_errors(points, c)
    }

    /// Returns the curve's value at x.
    #[must_use]
    pub fn at(&self, x: f64) -> f64 {
        self.asymptote.value - self.a.value * libm::exp(-self.c.value * x)
    }
}

/// The straight line y = top − scale·u through the points, for one rate.
struct Line {
    top: f64,
    scale: f64,
    /// The sum of the squared residuals.
    squares: f64,
}

impl Line {
    fn of(points: &[(f64, f64)], c: f64) -> Option<Line> {
        let n = points.len() as f64;
        let u = |x: f64| libm::exp(-c * x);
        let mean_u = points.iter().map(|&(x, _)| u(x)).sum::<f64>() / n;
        let mean_y = points.iter().map(|&(_, y)| y).sum::<f64>() / n;
        let spread: f64 = points.iter().map(|&(x, _)| (u(x) - mean_u) * (u(x) - mean_u)).sum();
        let common: f64 = points.iter().map(|&(x, y)| (u(x) - mean_u) * (y - mean_y)).sum();
        if spread <= 0.0 {
            return None;
        }
        let scale = -common / spread;
        let top = mean_y + scale * mean_u;
        let residual = |&(x, y): &(f64, f64)| y - (top - scale * u(x));
        let squares = points.iter().map(|point| residual(point) * residual(point)).sum();
        Some(Line { top, scale, squares })
    }

    /// Returns the fit with the standard errors of s²·(JᵀJ)⁻¹, J being the derivatives by top, scale and c.
    fn with_errors(&self, points: &[(f64, f64)], c: f64) -> Option<SaturatingFit> {
        let Line { top, scale, squares } = *self;
        let freedom = points.len() as f64 - 3.0;
        let mut product = [[0.0; 3]; 3];
        for &(x, _) in points {
            let u = libm::exp(-c * x);
            let gradient = [1.0, -u, scale * x * u];
            for (row, one) in product.iter_mut().zip(gradient) {
                for (cell, other) in row.iter_mut().zip(gradient) {
                    *cell += one * other;
                }
            }
        }
        let inverse = inverse(&product)?;
        let variance = squares / freedom;
        // Of a function of the three with this gradient.
        let error = |gradient: [f64; 3]| {
            let mut sum = 0.0;
            for (row, one) in inverse.iter().zip(gradient) {
                for (cell, other) in row.iter().zip(gradient) {
                    sum += one * cell * other;
                }
            }
            (variance * sum).max(0.0).sqrt()
        };
        let fitted = |value: f64, gradient: [f64; 3]| Fitted { value, error: error(gradient) };
        let fit = SaturatingFit {
            a: fitted(scale, [0.0, 1.0, 0.0]),
            b: fitted(top / scale, [1.0 / scale, -top / (scale * scale), 0.0]),
            c: fitted(c, [0.0, 0.0, 1.0]),
            asymptote: fitted(top, [1.0, 0.0, 0.0]),
            deviation: variance.sqrt(),
            correlation: correlation(points, |x| top - scale * libm::exp(-c * x))?,
            freedom,
        };
        let numbers = [fit.a, fit.b, fit.c, fit.asymptote];
        numbers.iter().all(|number| number.value.is_finite() && number.error.is_finite()).then_some(fit)
    }
}

/// Returns the correlation of the points with a curve; `None` if either does not vary.
fn correlation(points: &[(f64, f64)], curve: impl Fn(f64) -> f64) -> Option<f64> {
    let (ours, theirs): (Vec<f64>, Vec<f64>) = points.iter().map(|&(x, y)| (y, curve(x))).unzip();
    let (one, other) = (Sample::of(&ours)?, Sample::of(&theirs)?);
    let pairs = ours.iter().zip(&theirs);
    let common: f64 = pairs.map(|(y, fitted)| (y - one.mean) * (fitted - other.mean)).sum();
    let spreads = (one.population_variance() * other.population_variance()).sqrt();
    let correlation = common / (spreads * points.len() as f64);
    correlation.is_finite().then_some(correlation)
}

/// Returns the inverse of a symmetric matrix; `None` if it has none.
fn inverse(m: &[[f64; 3]; 3]) -> Option<[[f64; 3]; 3]> {
    let cofactor = |row: usize, column: usize| {
        let [r, s] = [(row + 1) % 3, (row + 2) % 3];
        let [c, d] = [(column + 1) % 3, (column + 2) % 3];
        m[r][c] * m[s][d] - m[r][d] * m[s][c]
    };
    let determinant: f64 = (0..3).map(|column| m[0][column] * cofactor(0, column)).sum();
    let inverse =
        std::array::from_fn(|row| std::array::from_fn(|column| cofactor(column, row) / determinant));
    (determinant > 0.0 && determinant.is_finite()).then_some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(values: &[f64]) -> Vec<(f64, f64)> {
        (1..).map(f64::from).zip(values.iter().copied()).collect()
    }

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 2e-5 * expected.abs(), "{found} is not {expected}");
    }

    /// Values, standard errors of a, b, c and of the asymptote, deviation and correlation: scipy 1.17 (`curve_fit`, `pearsonr`).
    #[test]
    fn agrees_with_scipy() {
        let rising = numbered(&[
            12.0, 22.0, 27.0, 35.0, 38.0, 44.0, 45.0, 50.0, 52.0, 51.0, 56.0, 55.0, 58.0, 57.0, 60.0, 59.0,
            61.0, 60.0, 62.0, 61.0,
        ]);
        let uneven: Vec<(f64, f64)> = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 100.0]
            .into_iter()
            .zip([3.0, 9.5, 14.2, 22.9, 30.1, 33.3, 35.0, 35.9])
            .collect();
        let falling = numbered(&[80.0, 61.0, 50.0, 41.0, 37.0, 33.0, 32.0, 29.0, 30.0, 29.0]);
        let cases = [
            (
                rising,
                [60.438_461_9, 1.038_854_5, 0.184_566_582, 62.786_767_8],
                [1.194_93, 0.023_794_1, 0.009_208_79, 0.709_117],
                [1.133_652_03, 0.997_245_803],
            ),
            (
                uneven,
                [34.950_852_6, 0.996_905_118, 0.132_424_656, 34.842_683_8],
                [1.291_56, 0.035_897_3, 0.012_569_8, 0.663_249],
                [1.116_612_32, 0.997_229_4],
            ),
            (
                falling,
                [-81.368_163_1, -0.342_296_92, 0.444_996_116, 27.852_071_6],
                [1.644_68, 0.007_685_13, 0.016_113_9, 0.502_798],
                [0.700_329_747, 0.999_328_592],
            ),
        ];
        for (points, values, errors, [deviation, correlation]) in cases {
            let fit = SaturatingFit::of(&points).unwrap();
            for ((number, value), error) in
                [fit.a, fit.b, fit.c, fit.asymptote].iter().zip(values).zip(errors)
            {
                close(number.value, value);
                close(number.error, error);
            }
            close(fit.deviation, deviation);
            close(fit.correlation, correlation);
            assert_eq!(fit.freedom, points.len() as f64 - 3.0);
        }
    }

    /// t(0.975, 17) = 2.109816.
    #[test]
    fn intervals_are_students() {
        let interval = Fitted { value: 5.0, error: 2.0 }.interval(0.95, 17.0).unwrap();
        close(interval.low, 5.0 - 2.0 * 2.109_815_58);
        close(interval.high, 5.0 + 2.0 * 2.109_815_58);
        assert_eq!(Fitted { value: 5.0, error: 2.0 }.interval(1.5, 17.0), None);
    }

    #[test]
    fn exact_curves_are_found() {
        for (a, b, c) in [(50.0, 1.2, 0.12), (35.0, 1.04, 0.01), (-3.0, 0.5, 0.9)] {
            let points: Vec<(f64, f64)> =
                (1..=100).map(f64::from).map(|x| (x, a * (b - libm::exp(-c * x)))).collect();
            let fit = SaturatingFit::of(&points).unwrap();
            close(fit.a.value, a);
            close(fit.b.value, b);
            close(fit.c.value, c);
            assert!((fit.at(7.0) - points[6].1).abs() < 1e-4 * a.abs());
        }
    }

    #[test]
    fn what_has_no_bend_has_no_fit() {
        let none = |values: &[f64]| assert_eq!(SaturatingFit::of(&numbered(values)), None, "{values:?}");
        none(&[1.0, 2.0, 3.0]);
        none(&[4.0; 10]);
        none(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        none(&[1.0, 5.0, 5.0, 5.0, 5.0, 5.0]);
        none(&[1.0, f64::NAN, 3.0, 4.0, 5.0]);
        none(&[1.0, 2.0, 4.0, 8.0, 16.0, 32.0]);
        assert_eq!(SaturatingFit::of(&[(0.0, 1.0); 5]), None);
        assert_eq!(SaturatingFit::of(&[(-1.0, 1.0), (1.0, 2.0), (2.0, 3.0), (3.0, 3.1)]), None);
    }
}
