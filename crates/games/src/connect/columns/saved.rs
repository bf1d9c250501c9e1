//! Weights as TOML: what a person can read and edit, and what a knowledge file holds.

use std::fmt::Write;
use std::io;

use parlor_core::ReadError;
use serde::Deserialize;

use super::features::{COUNT, INFO};
use super::value::Weights;

/// The weights at the start, with the signs that the idea of each feature gives it: under the printed rule a weight of 0 never moves
/// and none changes its sign.
pub const START: Weights =
    [8.0, 8.0, 8.0, 8.0, 4.0, 4.0, 4.0, 4.0, 0.5, 0.5, 0.5, 0.5, 0.4, 0.4, 0.4, 0.4, -2.0];

/// The most epochs that are noted; beyond it every other one is dropped.
const MOST_EPOCHS: usize = 512;

/// The greatest weight that a file may have.
const LARGEST: f64 = 1e15;

/// What a learner knows.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Saved {
    /// The matches that it has learnt from.
    pub matches: u64,
    /// The weights of the features.
    pub weights: Weights,
    /// The weight of having the move, with rule=td.
    pub tempo: f64,
    /// The weights after epochs, and the number of each epoch.
    pub epochs: Vec<(u64, Weights)>,
    /// Every how many epochs the weights are noted.
    pub stride: u64,
}

impl Saved {
    /// Returns what a learner knows before its first match.
    pub fn new(weights: Weights) -> Self {
        Saved { matches: 0, weights, tempo: 0.0, epochs: vec![(0, weights)], stride: 1 }
    }

    /// Notes the weights after an epoch.
    pub fn note(&mut self, epoch: u64) {
        if epoch.is_multiple_of(self.stride) {
            self.epochs.push((epoch, self.weights));
        }
        if self.epochs.len() > MOST_EPOCHS {
            self.stride *= 2;
            let stride = self.stride;
            self.epochs.retain(|(epoch, _)| epoch.is_multiple_of(stride));
        }
    }
}

/// The file as TOML has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    matches: u64,
    #[serde(default = "one")]
    epochs_between: u64,
    weights: toml::Table,
    #[serde(default)]
    tempo: f64,
    #[serde(default)]
    epochs: Vec<Epoch>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Epoch {
    epoch: u64,
    weights: Vec<f64>,
}

fn one() -> u64 {
    1
}

/// Writes everything as TOML; equal knowledge gives equal text.
pub(super) fn write(saved: &Saved) -> String {
    let list =
        |numbers: &[f64]| numbers.iter().map(|number| format!("{number:?}")).collect::<Vec<_>>().join(", ");
    let mut text = String::from(
        "# What `columns` has learnt. Weights can be edited and seated: columns(weights=FILE).\n",
    );
    let _ = writeln!(text, "matches = {}", saved.matches);
    let _ = writeln!(text, "epochs_between = {}", saved.stride);
    if saved.tempo != 0.0 {
        let _ = writeln!(text, "tempo = {:?}", saved.tempo);
    }
    text.push_str("\n[weights]\n");
    for (info, weight) in INFO.iter().zip(saved.weights) {
        let _ = writeln!(text, "{} = {weight:?}", info.name);
    }
    for (epoch, weights) in &saved.epochs {
        let _ = write!(text, "\n[[epochs]]\nepoch = {epoch}\nweights = [{}]\n", list(weights));
    }
    text
}

/// Reads what [`write()`] wrote from bytes.
pub(super) fn from_bytes(payload: &[u8]) -> io::Result<Saved> {
    let bad = |wrong: String| io::Error::new(io::ErrorKind::InvalidData, wrong);
    let text =
        std::str::from_utf8(payload).map_err(|_| bad("weights are text, and this is not".to_owned()))?;
    parse(text).map_err(|error| bad(error.to_string()))
}

/// Reads what [`write()`] wrote, or a person: only the weights are needed.
pub(super) fn parse(text: &str) -> Result<Saved, ReadError> {
    const WHAT: &str = "weights of columns";
    let file: File = crate::weights::read(WHAT, text)?;
    let bad = |wrong: String| ReadError::new(WHAT, wrong);
    let mut weights = Weights::default();
    for (info, weight) in INFO.iter().zip(&mut weights) {
        let value = file.weights.get(info.name).ok_or_else(|| bad(format!("`{}` is missing", info.name)))?;
        let number = value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64));
        let number = number.filter(|number| number.abs() <= LARGEST);
        *weight =
            number.ok_or_else(|| bad(format!("`{}` is not a number within ±{LARGEST:e}", info.name)))?;
    }
    if let Some(name) = file.weights.keys().find(|name| INFO.iter().all(|info| info.name != name.as_str())) {
        return Err(bad(format!("there is no feature `{name}`")));
    }
    let finite = |numbers: &[f64]| numbers.iter().all(|number| number.is_finite());
    let mut saved = Saved::new(weights);
    saved.matches = file.matches;
    saved.stride = file.epochs_between.max(1);
    saved.tempo = file.tempo;
    if !finite(&[file.tempo]) {
        return Err(bad("`tempo` is not a number".to_owned()));
    }
    if !file.epochs.is_empty() {
        let epochs = file.epochs.into_iter().map(|Epoch { epoch, weights }| {
            let weights = Weights::try_from(weights).ok().filter(|weights| finite(weights));
            weights.map(|weights| (epoch, weights))
        });
        saved.epochs = epochs
            .collect::<Option<_>>()
            .ok_or_else(|| bad(format!("`weights` of an epoch takes {COUNT} numbers")))?;
    }
    Ok(saved)
}
