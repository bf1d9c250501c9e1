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
