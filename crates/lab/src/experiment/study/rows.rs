//! The rows of a study.

use parlor_stats::samples::Sample;

use crate::sheet::{Cell, Column, Kind, Sheet};

/// One number of a study. Rows with equal keys are parts of one number.
#[derive(Clone, PartialEq, Debug)]
pub struct StudyRow {
    /// The unit that it comes from.
    pub unit: u64,
    /// The number of rows of this unit.
    pub of: u64,
    /// The player.
    pub player: String,
    /// The player that it is compared with: then the number is a difference, observation by observation.
    pub than: Option<String>,
    /// The target.
    pub target: String,
    /// The place on the horizontal axis, where there is one.
    pub place: Option<f64>,
    /// What is measured.
    pub measure: String,
    /// The number of observations.
    pub n: u64,
    /// Their mean.
    pub mean: f64,
    /// The sum of their squared distances from the mean; `None` for an exact number.
    pub squares: Option<f64>,
}

impl StudyRow {
    /// Returns an exact number, which counts as `n` observations when parts are merged.
    #[must_use]
    pub fn exact(player: &str, target: &str, measure: &str, n: u64, value: f64) -> StudyRow {
        StudyRow {
            unit: 0,
            of: 0,
            player: player.to_owned(),
            than: None,
            target: target.to_owned(),
            place: None,
            measure: measure.to_owned(),
            n,
            mean: value,
            squares: None,
        }
    }

    /// Returns the mean of a sample.
    #[must_use]
    pub fn sampled(player: &str, target: &str, measure: &str, sample: &Sample) -> StudyRow {
        let row = StudyRow::exact(player, target, measure, sample.n as u64, sample.mean);
        StudyRow { squares: Some(sample.squares), ..row }
    }

    /// Returns the same row as a difference to another player.
    #[must_use]
    pub fn than(self, other: &str) -> StudyRow {
        StudyRow { than: Some(other.to_owned()), ..self }
    }

    /// Returns the same row at a place.
    #[must_use]
    pub fn at(self, place: f64) -> StudyRow {
        StudyRow { place: Some(place), ..self }
    }
}

/// The columns of the file, in the order of [`push`].
pub(crate) fn columns() -> Vec<Column> {
    vec![
        Column::new("unit", Kind::Whole),
        Column::new("of", Kind::Whole),
        Column::new("player", Kind::Text),
        Column::new("than", Kind::Text).optional(),
        Column::new("target", Kind::Text),
        Column::new("place", Kind::Real).optional(),
        Column::new("measure", Kind::Text),
        Column::new("n", Kind::Whole),
        Column::new("mean", Kind::Real),
        Column::new("squares", Kind::Real).optional(),
    ]
}

pub(crate) fn push(sheet: &mut Sheet, row: &StudyRow) {
    let cells = [
        Cell::from(row.unit),
        Cell::from(row.of),
        Cell::from(row.player.as_str()),
        Cell::from(row.than.as_deref()),
        Cell::from(row.target.as_str()),
        Cell::from(row.place),
        Cell::from(row.measure.as_str()),
        Cell::from(row.n),
        Cell::from(row.mean),
        Cell::from(row.squares),
    ];
    sheet.push(cells).expect("a row has a cell of the right kind for each column");
}

pub(crate) fn read(sheet: &Sheet) -> Vec<StudyRow> {
    let text = |name: &str, row: usize| sheet.texts(name).and_then(|cells| cells[row].clone());
    let whole = |name: &str, row: usize| sheet.wholes(name).and_then(|cells| cells[row]).unwrap_or_default();
    let real = |name: &str, row: usize| sheet.reals(name).and_then(|cells| cells[row]);
    (0..sheet.rows())
        .map(|row| StudyRow {
            unit: whole("unit", row),
            of: whole("of", row),
            player: text("player", row).unwrap_or_default(),
            than: text("than", row),
            target: text("target", row).unwrap_or_default(),
            place: real("place", row),
            measure: text("measure", row).unwrap_or_default(),
            n: whole("n", row),
            mean: real("mean", row).unwrap_or_default(),
            squares: real("squares", row),
        })
        .collect()
}

/// Returns how many units are whole, and how many rows they have.
pub(crate) fn whole_units(rows: &[StudyRow]) -> (u64, usize) {
    let (mut units, mut whole) = (0, 0);
    while let Some(first) = rows.get(whole) {
        // The number is read from a file and may be anything.
        let end = usize::try_from(first.of).map_or(usize::MAX, |of| whole.saturating_add(of));
        let fits = |row: &StudyRow| row.unit == units && row.of == first.of;
        if first.of == 0 || !rows.get(whole..end).is_some_and(|rows| rows.iter().all(fits)) {
            break;
        }
        (units, whole) = (units + 1, end);
    }
    (units, whole)
}
