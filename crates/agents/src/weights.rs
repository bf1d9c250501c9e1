//! The `weights=` key: where an evaluation reads its weights from.

use std::fs;

use parlor_core::{Evaluate, Key, Kind, Settings, SpecError};

/// The value that selects the weights embedded in the program.
const SHIPPED: &str = "shipped";

/// The key of every agent that uses an evaluation.
pub const KEY: Key = Key {
    name: "weights",
    kind: Kind::Text,
    default: SHIPPED,
    help: "file with the weights of the evaluation, or `shipped`",
};

/// Returns the weights that the settings select.
///
/// # Errors
/// If the file cannot be read or parsed.
pub fn read<G: Evaluate>(game: &G, settings: &Settings) -> Result<G::Weights, SpecError> {
    match settings.text(KEY.name) {
        SHIPPED => game.read_weights(G::WEIGHTS).map_err(|error| settings.together(error.to_string())),
        path => {
            let text = fs::read_to_string(path)
                .map_err(|error| settings.together(format!("weights={path}: {error}")))?;
            game.read_weights(&text).map_err(|error| settings.together(format!("{path}: {error}")))
        }
    }
}
