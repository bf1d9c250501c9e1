//! The `weights=` key: where an evaluation reads its weights from.

use std::borrow::Cow;
use std::path::Path;

use parlor_core::files::fingerprint;
use parlor_core::files::reading::read_text;
use parlor_core::text::spec::FileProblem;
use parlor_core::{Evaluate, Key, Kind, OnDisk, Settings, SpecError, Unusable};

/// The value that selects the weights embedded in the program.
const SHIPPED: &str = "shipped";

/// The key of every agent that uses an evaluation.
pub const KEY: Key = Key {
    name: "weights",
    kind: Kind::File(OnDisk { words: &[SHIPPED], checksum: fingerprint::of_bytes }),
    default: SHIPPED,
    help: "file with the weights of the evaluation, or `shipped`",
};

/// The key for the checksum of that file.
pub const CHECKSUM: Key = Key::checksum("weights_checksum", KEY.name);

/// Returns the weights that the settings select.
///
/// # Errors
/// If the file cannot be read or parsed.
pub fn read<G: Evaluate>(game: &G, settings: &Settings) -> Result<G::Weights, SpecError> {
    let text = match settings.text(KEY.name) {
        SHIPPED => Cow::Borrowed(G::WEIGHTS),
        path => read_text(Path::new(path)).map_err(|error| settings.unusable(KEY.name, error))?.into(),
    };
    let damaged = |error| settings.unusable(KEY.name, Unusable::new(FileProblem::Damaged, error));
    game.read_weights(&text).map_err(damaged)
}
