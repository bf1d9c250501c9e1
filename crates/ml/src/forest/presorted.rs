//! Data as growers need them: equal rows joined, and the order of the rows by each feature.

use crate::dataset::{DataError, Dataset};

/// Rows in the order of each feature, sorted once for all trees. Rows with equal features are one row with counts: where features are
/// ratios of small numbers, a hundred thousand rows are a few thousand different ones.
#[derive(Clone, Debug)]
pub struct Presorted<'d> {
    data: &'d Dataset,
    /// For each feature its different values in order.
    pub(super) values: Vec<Vec<f64>>,
    /// For each feature, for each different row, the place of its value.
    pub(super) places: Vec<Vec<u32>>,
    /// For each feature the different rows in the order of their values.
    pub(super) order: Vec<Vec<u32>>,
    /// For each row of the data the different row it equals.
    pub(super) different: Vec<u32>,
}

impl<'d> Presorted<'d> {
    /// Sorts the data.
    ///
    /// # Errors
    /// If a class has no rows.
    pub fn new(data: &'d Dataset) -> Result<Self, DataError> {
        data.check_classes()?;
        let (rows, features) = (data.rows(), data.features());
        let mut values = Vec::with_capacity(features);
        let mut row_places = Vec::with_capacity(features);
        let mut sorted: Vec<u32> = (0..rows as u32).collect();
        for feature in 0..features {
            // Minus zero and zero are equal to a threshold, so they are made one.
            let value = |row: u32| data.row(row as usize)[feature] + 0.0;
            sorted.sort_unstable_by(|&one, &other| value(one).total_cmp(&value(other)));
            let mut different: Vec<f64> = Vec::new();
            let mut places = vec![0; rows];
            for &row in &sorted {
                if different.last() != Some(&value(row)) {
                    different.push(value(row));
                }
                places[row as usize] = different.len() as u32 - 1;
            }
            values.push(different);
            row_places.push(places);
        }

        // Equal rows are neighbours when sorted by all features.
        let by_all = |one: u32, other: u32| {
            row_places
                .iter()
                .map(|places| places[one as usize].cmp(&places[other as usize]))
                .find(|order| order.is_ne())
        };
        sorted.sort_unstable_by(|&one, &other| by_all(one, other).unwrap_or(std::cmp::Ordering::Equal));
        let mut different = vec![0; rows];
        let mut places: Vec<Vec<u32>> = vec![Vec::new(); features];
        for (at, &row) in sorted.iter().enumerate() {
            if at == 0 || by_all(sorted[at - 1], row).is_some() {
                places.iter_mut().zip(&row_places).for_each(|(of, all)| of.push(all[row as usize]));
            }
            different[row as usize] = places[0].len() as u32 - 1;
        }
        let order = places
            .iter()
            .map(|places| {
                let mut order: Vec<u32> = (0..places.len() as u32).collect();
                order.sort_by_key(|&row| places[row as usize]);
                order
            })
            .collect();
        Ok(Presorted { data, values, places, order, different })
    }

    /// Returns the number of features.
    #[must_use]
    pub fn features(&self) -> usize {
        self.data.features()
    }

    /// Returns the number of classes.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.data.classes()
    }

    /// Returns the number of rows of the data.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.data.rows()
    }

    /// Returns the number of different rows.
    #[must_use]
    pub fn different_rows(&self) -> usize {
        self.places[0].len()
    }

    /// Returns the class of each row of the data.
    pub(super) fn labels(&self) -> &[u32] {
        self.data.labels()
    }
}
