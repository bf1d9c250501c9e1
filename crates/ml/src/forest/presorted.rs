//! Data as growers need them: equal rows joined, and their order by each feature.

use std::cmp::Ordering;

use crate::dataset::{DataError, Dataset};

/// A row in the order of a feature: the place of its value among the different values (upper half), and its number (lower half).
///
/// Both stand together, because growers read values in order but everything else about a row at random places.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Placed(u64);

impl Placed {
    fn new(place: u32, row: u32) -> Placed {
        Placed(u64::from(place) << 32 | u64::from(row))
    }

    /// Returns the place of the value.
    #[inline]
    pub fn place(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// Returns the number of the row.
    #[inline]
    pub fn row(self) -> usize {
        self.0 as u32 as usize
    }
}

/// Rows in the order of each feature, sorted once for all trees. Rows with equal features and equal classes are one row with a count:
/// where features are ratios of small numbers, a hundred thousand rows are a few thousand different ones.
#[derive(Clone, Debug)]
pub struct Presorted<'d> {
    data: &'d Dataset,
    /// For each feature its different values in order.
    pub(super) values: Vec<Vec<f64>>,
    /// For each feature the different rows in the order of their values.
    pub(super) order: Vec<Vec<Placed>>,
    /// For each different row its class.
    pub(super) class: Vec<u32>,
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

        // Equal rows are neighbours when sorted by everything.
        let labels = data.labels();
        let by_all = |one: u32, other: u32| {
            let (one, other) = (one as usize, other as usize);
            let by_features = row_places.iter().map(|places| places[one].cmp(&places[other]));
            by_features.chain([labels[one].cmp(&labels[other])]).find(|order| order.is_ne())
        };
        sorted.sort_unstable_by(|&one, &other| by_all(one, other).unwrap_or(Ordering::Equal));
        let mut different = vec![0; rows];
        let mut class = Vec::new();
        let mut order: Vec<Vec<Placed>> = vec![Vec::new(); features];
        for (at, &row) in sorted.iter().enumerate() {
            if at == 0 || by_all(sorted[at - 1], row).is_some() {
                let number = class.len() as u32;
                let each = order.iter_mut().zip(&row_places);
                each.for_each(|(of, places)| of.push(Placed::new(places[row as usize], number)));
                class.push(labels[row as usize]);
            }
            different[row as usize] = class.len() as u32 - 1;
        }
        order.iter_mut().for_each(|of| of.sort_unstable());
        Ok(Presorted { data, values, order, class, different })
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

    /// Returns the number of different rows; rows of different classes are different.
    #[must_use]
    pub fn different_rows(&self) -> usize {
        self.class.len()
    }
}
