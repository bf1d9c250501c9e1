//! `weights=`: which numbers an evaluation rests on.

use std::borrow::Cow;
use std::fs;

use parlor_core::files::fingerprint;
use parlor_core::text::spec::FileProblem;
use parlor_core::{Evaluate, Key, Kind, OnDisk, Settings, SpecError, Unusable};

/// The weights that the program carries.
const SHIPPED: &str = "shipped";

/// The key of every agent that judges by an evaluation.
pub const KEY: Key = Key {
    name: "weights",
    kind: Kind::File(OnDisk { words: &[SHIPPED], checksum: fingerprint::of_bytes }),
    default: SHIPPED,
    help: "the file with the weights of the evaluation, or `shipped`",
};

/// The key for the checksum of that file.
pub const CHECKSUM: Key = Key::checksum("weights_checksum", KEY.name);

/// Returns the weights that the settings name.
///
/// # Errors
/// If the file cannot be read or understood.
pub fn read<G: Evaluate>(game: &G, settings: &Settings) -> Result<G::Weights, SpecError> {
    let text = match settings.text(KEY.name) {
        SHIPPED => Cow::Borrowed(G::WEIGHTS),
        path => fs::read_to_string(path).map_err(|error| settings.unusable(KEY.name, error))?.into(),
    };
    let damaged = |error| settings.unusable(KEY.name, Unusable::new(FileProblem::Damaged, error));
    game.read_weights(&text).map_err(damaged)
}
