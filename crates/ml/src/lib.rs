//! Classifiers: multiple discriminant analysis and random forests, with the measures of what they are worth; values as sums of
//! table entries, learnt by temporal differences; and values by a small net. Arrays in, arrays out: this crate knows no game, reads no files and starts no threads.
//!
//! ```
//! use parlor_ml::{Classifier, Dataset, Discriminant};
//!
//! // Two classes on a line.
//! let values = vec![0.0, 1.0, 2.0, 10.0, 11.0, 12.0];
//! let data = Dataset::new(1, 2, values, vec![0, 0, 0, 1, 1, 1]).unwrap();
//! let model = Discriminant::fit(&data).unwrap();
//! let mut chances = [0.0; 2];
//! model.probabilities(&[3.0], &mut chances);
//! assert!(chances[0] > 0.999);
//! ```

mod bytes;
mod classifier;
mod dataset;
mod discriminant;
pub mod entries;
pub mod folds;
pub mod forest;
pub mod net;
mod scores;
mod symmetric;

pub use bytes::DecodeError;
pub use classifier::{Classifier, Kind, Model, most_likely};
pub use dataset::{DataError, Dataset, MOST_CLASSES, MOST_FEATURES, MOST_ROWS};
pub use discriminant::Discriminant;
pub use entries::{Entries, Link, Rates, lambda_returns};
pub use forest::{Forest, ForestParams};
pub use scores::{BINS, Bin, Confusion, Scores};
