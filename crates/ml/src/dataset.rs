//! Labelled rows.

/// The largest number of features.
pub const MOST_FEATURES: usize = 64;

/// The largest number of classes.
pub const MOST_CLASSES: usize = 64;

/// The largest number of rows.
pub const MOST_ROWS: usize = 1 << 26;

/// Errors of data that nothing can be fitted to. Rows, features and classes are numbered from 0.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DataError {
    /// No rows.
    #[error("there are no rows")]
    NoRows,
    /// Too many rows.
    #[error("{rows} rows; a classifier takes {MOST_ROWS} at the most")]
    TooManyRows {
        /// How many there are.
        rows: usize,
    },
    /// No features, or too many.
    #[error("{features} features; a classifier takes 1 to {MOST_FEATURES}")]
    Features {
        /// How many there are.
        features: usize,
    },
    /// Fewer than two classes, or too many.
    #[error("{classes} classes; a classifier tells 2 to {MOST_CLASSES} apart")]
    Classes {
        /// How many there are.
        classes: usize,
    },
    /// Values and labels that do not belong together.
    #[error("{values} values do not make {labels} rows of {features} features")]
    Shape {
        /// How many values there are.
        values: usize,
        /// How many labels there are.
        labels: usize,
        /// How many features a row has.
        features: usize,
    },
    /// A value that is not a number, or infinite.
    #[error("feature {feature} of row {row} is not a finite number")]
    NotFinite {
        /// The row.
        row: usize,
        /// The feature.
        feature: usize,
    },
    /// A label that is not a class.
    #[error("row {row} has class {label}, but classes are 0 to {}", classes - 1)]
    Label {
        /// The row.
        row: usize,
        /// Its label.
        label: u32,
        /// How many classes there are.
        classes: usize,
    },
    /// A class of which nothing can be learnt.
    #[error("class {class} has no rows")]
    EmptyClass {
        /// The class.
        class: usize,
    },
    /// Too few rows for a covariance.
    #[error(
        "{rows} rows are too few to estimate the spread within {classes} classes; one more row than classes is the least"
    )]
    TooFewRows {
        /// How many rows there are.
        rows: usize,
        /// How many classes there are.
        classes: usize,
    },
    /// A class that cannot be split over folds.
    #[error("class {class} has {rows} rows; a split needs at least 2 of each class")]
    Unsplittable {
        /// The class.
        class: usize,
        /// How many rows it has.
        rows: usize,
    },
}

/// Rows of finite numbers, each with the number of its class.
#[derive(Clone, PartialEq, Debug)]
pub struct Dataset {
    features: usize,
    classes: usize,
    values: Vec<f64>,
    labels: Vec<u32>,
}

impl Dataset {
    /// Returns the rows in `values`, one after the other.
    ///
    /// # Errors
    /// If there are no rows, numbers do not fit together, a value is not finite, or a label is not below `classes`. Classes may be
    /// empty.
    pub fn new(
        features: usize,
        classes: usize,
        values: Vec<f64>,
        labels: Vec<u32>,
    ) -> Result<Dataset, DataError> {
        if !(1..=MOST_FEATURES).contains(&features) {
            return Err(DataError::Features { features });
        }
        if !(2..=MOST_CLASSES).contains(&classes) {
            return Err(DataError::Classes { classes });
        }
        if labels.len().checked_mul(features) != Some(values.len()) {
            return Err(DataError::Shape { values: values.len(), labels: labels.len(), features });
        }
        if labels.is_empty() {
            return Err(DataError::NoRows);
        }
        if labels.len() > MOST_ROWS {
            return Err(DataError::TooManyRows { rows: labels.len() });
        }
        if let Some(at) = values.iter().position(|value| !value.is_finite()) {
            return Err(DataError::NotFinite { row: at / features, feature: at % features });
        }
        if let Some(row) = labels.iter().position(|&label| label as usize >= classes) {
            return Err(DataError::Label { row, label: labels[row], classes });
        }
        Ok(Dataset { features, classes, values, labels })
    }

    /// Returns the number of features of a row.
    #[must_use]
    pub fn features(&self) -> usize {
        self.features
    }

    /// Returns the number of classes.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.labels.len()
    }

    /// Returns the features of a row.
    #[must_use]
    pub fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.features..(row + 1) * self.features]
    }

    /// Returns the class of each row.
    #[must_use]
    pub fn labels(&self) -> &[u32] {
        &self.labels
    }

    /// Returns the rows with their classes.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&[f64], usize)> {
        self.values.chunks_exact(self.features).zip(self.labels.iter().map(|&label| label as usize))
    }

    /// Returns the number of rows of each class.
    #[must_use]
    pub fn class_rows(&self) -> Vec<u64> {
        let mut counts = vec![0; self.classes];
        for &label in &self.labels {
            counts[label as usize] += 1;
        }
        counts
    }

    /// Returns the rows for which `keep` is true.
    ///
    /// # Errors
    /// If there are none.
    pub fn filter(&self, keep: impl Fn(usize) -> bool) -> Result<Dataset, DataError> {
        let mut values = Vec::new();
        let mut labels = Vec::new();
        for row in (0..self.rows()).filter(|&row| keep(row)) {
            values.extend_from_slice(self.row(row));
            labels.push(self.labels[row]);
        }
        Dataset::new(self.features, self.classes, values, labels)
    }

    /// Returns an error if a class has no rows.
    pub(crate) fn check_classes(&self) -> Result<(), DataError> {
        let empty = self.class_rows().iter().position(|&rows| rows == 0);
        empty.map_or(Ok(()), |class| Err(DataError::EmptyClass { class }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_data_is_refused() {
        let with = |features, classes, values: &[f64], labels: &[u32]| {
            Dataset::new(features, classes, values.to_vec(), labels.to_vec()).unwrap_err()
        };
        assert_eq!(with(1, 2, &[], &[]), DataError::NoRows);
        assert_eq!(with(0, 2, &[], &[0]), DataError::Features { features: 0 });
        assert_eq!(with(65, 2, &[], &[]), DataError::Features { features: 65 });
        assert_eq!(with(1, 1, &[0.0], &[0]), DataError::Classes { classes: 1 });
        assert_eq!(with(2, 2, &[0.0], &[0]), DataError::Shape { values: 1, labels: 1, features: 2 });
        assert_eq!(with(1, 2, &[0.0, f64::NAN], &[0, 1]), DataError::NotFinite { row: 1, feature: 0 });
        assert_eq!(with(1, 2, &[0.0, 1.0], &[0, 2]), DataError::Label { row: 1, label: 2, classes: 2 });
        let error = with(2, 2, &[0.0, f64::INFINITY], &[0]);
        assert_eq!(error.to_string(), "feature 1 of row 0 is not a finite number");
    }

    #[test]
    fn rows_are_chosen_by_number() {
        let data = Dataset::new(2, 3, vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0], vec![2, 0, 2]).unwrap();
        assert_eq!(data.class_rows(), [1, 0, 2]);
        assert_eq!(data.check_classes(), Err(DataError::EmptyClass { class: 1 }));
        let odd = data.filter(|row| row != 1).unwrap();
        assert_eq!((odd.rows(), odd.row(1), odd.labels()), (2, &[4.0, 5.0][..], &[2, 2][..]));
        assert_eq!(data.filter(|_| false), Err(DataError::NoRows));
    }
}
