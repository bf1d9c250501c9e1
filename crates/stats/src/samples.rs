//! Mean and variance of a sample.

use crate::special::square;

/// Size, mean and squared deviations of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Number of values.
    pub n: usize,
    /// Their mean.
    pub mean: f64,
    /// Sum of their squared distances from the mean.
    pub squares: f64,
}

impl Sample {
    /// Returns the summary of `values`; `None` without values, or if one is not a finite number.
    ///
    /// Equal values have a variance of exactly 0, even if rounding changes their mean.
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Self> {
        let first = *values.first()?;
        let n = values.len();
        // Distances from the first value: exact zeros for equal values, and no loss of digits when all are large.
        let shift = values.iter().map(|v| v - first).sum::<f64>() / n as f64;
        let squares: f64 = values.iter().map(|v| square(v - first - shift)).sum();
        let mean = first + shift;
        (mean.is_finite() && squares.is_finite()).then_some(Sample { n, mean, squares })
    }

    /// Returns a sample without values, to which others are [added](Sample::add).
    #[must_use]
    pub const fn empty() -> Self {
        Sample { n: 0, mean: 0.0, squares: 0.0 }
    }

    /// Adds a value (Welford 1962).
    pub fn add(&mut self, value: f64) {
        self.n += 1;
        let before = value - self.mean;
        self.mean += before / self.n as f64;
        self.squares += before * (value - self.mean);
    }

    /// Returns the summary of both samples together (Chan, Golub, LeVeque 1979).
    #[must_use]
    pub fn merged(&self, other: &Sample) -> Sample {
        if self.n == 0 || other.n == 0 {
            return if self.n == 0 { *other } else { *self };
        }
        // Sizes that are read from a file may be anything.
        let n = self.n.saturating_add(other.n);
        let (own, more) = (self.n as f64, other.n as f64);
        let apart = other.mean - self.mean;
        Sample {
            n,
            mean: self.mean + apart * more / n as f64,
            squares: self.squares + other.squares + square(apart) * own * more / n as f64,
        }
    }

    /// Returns the variance of the sample, divided by n − 1; `None` for a single number.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        (self.n > 1).then(|| self.squares / (self.n - 1) as f64)
    }

    /// Returns the variance of the numbers as a whole population, divided by n.
    #[must_use]
    pub fn population_variance(&self) -> f64 {
        self.squares / self.n as f64
    }

    /// Returns the square of the standard error of the mean; `None` for a single number.
    pub(crate) fn squared_error(&self) -> Option<f64> {
        Some(self.variance()? / self.n as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up_to_the_whole() {
        let values: Vec<f64> = (0..57).map(|i| f64::from(i * i % 23) - 7.5).collect();
        let whole = Sample::of(&values).unwrap();
        let mut one_by_one = Sample::empty();
        values.iter().for_each(|&value| one_by_one.add(value));
        let parts = values.chunks(10).map(|part| Sample::of(part).unwrap());
        let merged = parts.fold(Sample::empty(), |all, part| all.merged(&part));
        for other in [one_by_one, merged] {
            assert_eq!(other.n, whole.n);
            assert!((other.mean - whole.mean).abs() < 1e-12 && (other.squares - whole.squares).abs() < 1e-9);
        }
    }
}
