//! Fitted classifiers that recognise the style of a seat from its turns.
//!
//! ```
//! use parlor_core::{Features, Seat, Sight};
//! use parlor_agents::classifier::StyleClassifier;
//!
//! /// Writes how likely each style is after the last turn of a seat.
//! fn recognise<G: Features>(
//!     game: &G,
//!     classifier: &StyleClassifier,
//!     tracker: &G::Tracker,
//!     seat: Seat,
//!     probabilities: &mut [f64],
//! ) {
//!     let mut features = [0.0; parlor_ml::MOST_FEATURES];
//!     let features = &mut features[..G::FEATURES.len()];
//!     game.features(tracker, seat, features);
//!     classifier.probabilities(features, probabilities);
//! }
//! ```

use std::path::Path;
use std::sync::Arc;

use parlor_core::Features;
use parlor_core::files::checksummed_file::ChecksummedFileError;
use parlor_core::files::model::{AboutModel, ModelFile, OtherModel};
use parlor_ml::{Classifier, Model};

/// A classifier that comes with the program, as the bytes of its file.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ShippedClassifier {
    /// The name in specs: the kind of classifier.
    pub name: &'static str,
    /// The file.
    pub bytes: &'static [u8],
}

/// Errors of opening a classifier for a game.
#[derive(Debug, thiserror::Error)]
pub enum ClassifierError {
    /// The file is not a model, or damaged.
    #[error(transparent)]
    File(#[from] ChecksummedFileError),
    /// The model is for other features or classes.
    #[error(transparent)]
    Other(#[from] OtherModel),
}

/// A fitted classifier of a game's styles, read once and shared.
#[derive(Clone, Debug)]
pub struct StyleClassifier {
    /// Where it comes from.
    pub about: AboutModel,
    model: Arc<Model>,
}

impl StyleClassifier {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, is not a model, is damaged, or is for other features or styles than the game's.
    pub fn open<G: Features>(path: &Path) -> Result<StyleClassifier, ClassifierError> {
        StyleClassifier::new::<G>(ModelFile::open(path)?)
    }

    /// Reads a file's bytes, such as those of a [`ShippedClassifier`].
    ///
    /// # Errors
    /// As those of [`open`](StyleClassifier::open).
    pub fn parse<G: Features>(bytes: &[u8]) -> Result<StyleClassifier, ClassifierError> {
        StyleClassifier::new::<G>(ModelFile::parse(bytes)?)
    }

    fn new<G: Features>(file: ModelFile) -> Result<StyleClassifier, ClassifierError> {
        file.about.check(G::FEATURES.iter().map(|feature| feature.name), G::STYLES.iter().copied())?;
        let model = file.decode(|kind, features, classes, bytes| {
            Model::decode(kind, features, classes, bytes).map_err(|error| error.0)
        })?;
        Ok(StyleClassifier { about: file.about, model: Arc::new(model) })
    }

    /// Writes how likely each style is by the features of one turn. Allocates nothing.
    ///
    /// # Panics
    /// If there is not one place for each feature and each style.
    #[inline]
    pub fn probabilities(&self, features: &[f64], out: &mut [f64]) {
        self.model.probabilities(features, out);
    }

    /// Returns each style's share of the rows that the classifier was fitted to: what it believes before any turn.
    #[must_use]
    pub fn priors(&self) -> Vec<f64> {
        let all: u64 = self.about.rows.iter().sum();
        self.about.rows.iter().map(|&rows| rows as f64 / all as f64).collect()
    }
}
