//! What all classifiers have in common.

use std::fmt;
use std::str::FromStr;

use crate::bytes::{DecodeError, Reader, Writer};
use crate::discriminant::Discriminant;
use crate::forest::Forest;

/// A fitted classifier. It does not change, so threads can share it.
pub trait Classifier: Send + Sync {
    /// Returns the number of features that a row has.
    fn features(&self) -> usize;

    /// Returns the number of classes.
    fn classes(&self) -> usize;

    /// Writes how likely each class is for a row; the probabilities add up to 1. Allocates nothing.
    ///
    /// They rest on the shares that the classes had among the rows of the training.
    ///
    /// # Panics
    /// If `features` or `out` has another length than [`features`](Classifier::features) or [`classes`](Classifier::classes).
    fn probabilities(&self, features: &[f64], out: &mut [f64]);
}

/// Returns the number of the largest probability, the first of equal ones: the class that a classifier predicts.
#[must_use]
pub fn most_likely(probabilities: &[f64]) -> usize {
    let mut best = 0;
    for (class, probability) in probabilities.iter().enumerate() {
        if *probability > probabilities[best] {
            best = class;
        }
    }
    best
}

/// The kinds of classifiers.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Multiple discriminant analysis, [`Discriminant`].
    Mda,
    /// A random forest, [`Forest`].
    Forest,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 2] = [Kind::Mda, Kind::Forest];

    /// Returns the name in calls and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Mda => "mda",
            Kind::Forest => "forest",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Kind, String> {
        Kind::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| format!("`{text}` is not a kind of classifier; kinds: mda, forest"))
    }
}

/// A classifier of one of the kinds.
#[derive(Clone, PartialEq, Debug)]
pub enum Model {
    /// Multiple discriminant analysis.
    Mda(Discriminant),
    /// A random forest.
    Forest(Forest),
}

impl Model {
    /// Returns its kind.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Model::Mda(_) => Kind::Mda,
            Model::Forest(_) => Kind::Forest,
        }
    }

    /// Returns the classifier behind one interface.
    #[must_use]
    pub fn classifier(&self) -> &dyn Classifier {
        match self {
            Model::Mda(model) => model,
            Model::Forest(model) => model,
        }
    }

    /// Returns the model as bytes; equal models give equal bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut to = Writer::default();
        match self {
            Model::Mda(model) => model.write(&mut to),
            Model::Forest(model) => model.write(&mut to),
        }
        to.bytes
    }

    /// Returns the model that bytes hold: of the kind with this name, for rows of that many features and classes.
    ///
    /// # Errors
    /// If the bytes are not what [`encode`](Model::encode) makes of such a model. No bytes can make it panic or take much more memory
    /// than they have.
    pub fn decode(kind: &str, features: usize, classes: usize, bytes: &[u8]) -> Result<Model, DecodeError> {
        let mut from = Reader::new(bytes);
        let model = match kind.parse().map_err(|_| DecodeError("its kind of classifier is unknown"))? {
            Kind::Mda => Model::Mda(Discriminant::read(&mut from)?),
            Kind::Forest => Model::Forest(Forest::read(&mut from)?),
        };
        from.end()?;
        if (model.features(), model.classes()) != (features, classes) {
            return Err(DecodeError("it is for another number of features or classes"));
        }
        // One model, one form: numbers with more bytes than they need, thresholds that no tree has.
        if model.encode() != bytes {
            return Err(DecodeError("it is not written as this program writes models"));
        }
        Ok(model)
    }
}

impl Classifier for Model {
    fn features(&self) -> usize {
        self.classifier().features()
    }

    fn classes(&self) -> usize {
        self.classifier().classes()
    }

    #[inline]
    fn probabilities(&self, features: &[f64], out: &mut [f64]) {
        match self {
            Model::Mda(model) => model.probabilities(features, out),
            Model::Forest(model) => model.probabilities(features, out),
        }
    }
}
