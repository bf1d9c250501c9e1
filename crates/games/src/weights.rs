//! Data files with the weights of an evaluation.

use parlor_core::ReadError;
use serde::de::DeserializeOwned;

/// Reads a data file of weights. Missing and unknown keys are errors.
pub(crate) fn read<T: DeserializeOwned>(what: &'static str, text: &str) -> Result<T, ReadError> {
    toml::from_str(text).map_err(|error| {
        let wrong = error.message().trim().replace('\n', "; ");
        let place = error.span().map_or(0, |span| span.start);
        let before = text.get(..place).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        ReadError::new(what, format!("line {line}, character {column}: {wrong}"))
    })
}

/// Returns an error unless every weight lies within ±`limit`, so that sums of a few weights stay within the range of
/// evaluations.
pub(crate) fn within(what: &'static str, limit: i32, weights: &[(&str, i32)]) -> Result<(), ReadError> {
    weights.iter().find(|(_, weight)| weight.unsigned_abs() > limit.unsigned_abs()).map_or(
        Ok(()),
        |(name, weight)| {
            Err(ReadError::new(what, format!("{name} = {weight}"))
                .hint(format!("weights lie between -{limit} and {limit}")))
        },
    )
}
