//! Classifiers of labelled rows: fitting, testing, cross-validation, and the files that keep them.

mod fit;
mod measures;
mod rows;

pub use fit::{CrossValidation, FitPlan, HeldOut, cross_validate, fit, hold_out};
pub use measures::Measures;
pub use rows::{Classes, ClassifyError, LabelledRows};

// What plans and results are made of, for those that may not know `parlor-ml`.
pub use parlor_ml::forest::MOST_TREES;
pub use parlor_ml::{BINS, Bin, Classifier, Dataset, ForestParams, Kind, MOST_FEATURES, Model, Scores};

use std::path::Path;

use parlor_core::files::model::{AboutModel, ModelFile};

/// Returns the content of a model's file.
#[must_use]
pub fn model_file(model: &Model, rows: &LabelledRows, plan: &FitPlan, game: Option<String>) -> ModelFile {
    let about = AboutModel {
        parlor: env!("CARGO_PKG_VERSION").to_owned(),
        kind: model.kind().name().to_owned(),
        game,
        features: rows.features.clone(),
        classes: rows.classes.clone(),
        rows: rows.data.class_rows(),
        settings: plan.settings(),
        seed: (plan.kind == Kind::Forest).then_some(plan.seed),
    };
    ModelFile { about, model: model.encode() }
}

/// Opens a model's file.
///
/// # Errors
/// If it cannot be read, is not a model, or is damaged.
pub fn open_model(path: &Path) -> Result<(AboutModel, Model), ClassifyError> {
    let wrong = |cause| ClassifyError::Model { path: path.to_owned(), cause };
    let file = ModelFile::open(path).map_err(wrong)?;
    let decode = |kind: &str, features, classes, bytes: &[u8]| {
        Model::decode(kind, features, classes, bytes).map_err(|error| error.0)
    };
    let model = file.decode(decode).map_err(wrong)?;
    Ok((file.about, model))
}
