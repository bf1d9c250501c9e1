//! How long the parts of a study took. Times differ from machine to machine and from run to run, so they are no rows: they have a file
//! of their own, and a table of the report that says so.

use serde::{Deserialize, Serialize};

use super::report::StudyTable;
use super::{Study, StudyKind};
use crate::format::grouped;

/// Fitting to the rows that are not held out.
pub const TRAINING: &str = "training";
/// Predicting the held-out rows.
pub const CLASSIFICATION: &str = "classification";
/// Both, once more for the fold, and the test on the fitted rows.
pub const ALL: &str = "training, testing and validation";

/// How long one step of a unit took.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StudyTime {
    /// The unit.
    pub unit: u64,
    /// The player.
    pub player: String,
    /// The place on the horizontal axis.
    pub place: f64,
    /// The step.
    pub step: String,
    /// The elapsed time.
    pub seconds: f64,
}

/// What a source printed of times: how long a player took at a place.
#[derive(Clone, PartialEq, Debug)]
pub struct PublishedTime {
    /// The player.
    pub player: String,
    /// The place.
    pub place: f64,
    /// The time.
    pub seconds: f64,
}

/// Returns our times beside those of the source.
pub(super) fn table(study: &Study, times: &[StudyTime]) -> Option<StudyTable> {
    let StudyKind::Classify(classify) = &study.kind else { return None };
    let mut rows = Vec::new();
    for player in study.players() {
        for &size in &classify.sizes {
            let place = size as f64;
            let ours = |step: &str| {
                let found = times
                    .iter()
                    .find(|time| time.player == player && time.place == place && time.step == step);
                found.map_or_else(|| "–".to_owned(), |time| seconds(time.seconds))
            };
            let cells = [TRAINING, CLASSIFICATION, ALL].map(ours);
            if cells.iter().all(|cell| cell == "–") {
                continue;
            }
            let printed = classify.published.iter().find(|time| time.player == player && time.place == place);
            let printed = printed.map_or_else(|| "–".to_owned(), |time| seconds(time.seconds));
            rows.push([format!("{player}, {}", grouped(size)), printed].into_iter().chain(cells).collect());
        }
    }
    (!rows.is_empty()).then(|| StudyTable {
        title: "Times, on the machine of this run".to_owned(),
        note: "Elapsed time on one core beside the source's, which is for training, testing and validation. Times depend on the machine and on what else it did: they \
               are kept in `times.json`, and are not part of the rows and findings that equal runs have in common."
            .to_owned(),
        head: ["player, rows", "source", TRAINING, CLASSIFICATION, ALL].map(str::to_owned).to_vec(),
        rows,
    })
}

/// Returns a time with as many digits as it deserves.
fn seconds(time: f64) -> String {
    match time {
        time if time < 0.001 => format!("{:.2} ms", 1e3 * time),
        time if time < 0.1 => format!("{:.1} ms", 1e3 * time),
        time if time < 10.0 => format!("{time:.2} s"),
        time => format!("{time:.1} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn times_have_three_digits_at_most() {
        let said = [0.000_21, 0.0123, 0.33, 35.32, 413.31].map(seconds);
        assert_eq!(said, ["0.21 ms", "12.3 ms", "0.33 s", "35.3 s", "413.3 s"]);
    }
}
