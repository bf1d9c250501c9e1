//! Labelled rows from CSV files.

use std::io;
use std::path::{Path, PathBuf};

use parlor_core::api::AnyFeatures;
use parlor_core::files::checksummed_file::{ChecksummedFileError, read_file};
use parlor_core::files::model::{AboutModel, OtherModel};
use parlor_ml::{DataError, Dataset};

use crate::samples::{LABEL, ORIGIN, Samples};
use crate::sheet::{Column, Kind, Sheet, SheetError};

/// Errors of reading rows and of fitting, testing and opening classifiers.
#[derive(Debug, thiserror::Error)]
pub enum ClassifyError {
    /// The file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        cause: io::Error,
    },
    /// The file is not CSV, or a line does not fit its first one.
    #[error("cannot use {}", path.display())]
    Csv {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        cause: SheetError,
    },
    /// No column has the classes.
    #[error("{} has no column `{LABEL}`; its columns are {}", path.display(), columns.join(", "))]
    NoLabel {
        /// The file.
        path: PathBuf,
        /// The columns.
        columns: Vec<String>,
    },
    /// A label that is not a class.
    #[error("line {line}: `{LABEL}` is `{label}`; classes are {}", classes.join(", "))]
    Label {
        /// The line, from 1.
        line: usize,
        /// What stands there.
        label: String,
        /// What could stand there.
        classes: Vec<String>,
    },
    /// A number that is none.
    #[error("line {line}: `{feature}` is not a finite number")]
    NotFinite {
        /// The line, from 1.
        line: usize,
        /// The column.
        feature: String,
    },
    /// A class of which there are too few rows.
    #[error("the class `{class}` has too few rows ({rows}) to learn it and to test it")]
    SmallClass {
        /// The class.
        class: String,
        /// How many rows it has.
        rows: usize,
    },
    /// Rows that nothing can be fitted to.
    #[error(transparent)]
    Data(DataError),
    /// The rows are not of the game that was named.
    #[error(
        "{} has the features {}, but those of {game} are {}",
        path.display(), features.join(", "), expected.join(", ")
    )]
    OtherGame {
        /// The file.
        path: PathBuf,
        /// Its features.
        features: Vec<String>,
        /// The game.
        game: String,
        /// The game's features.
        expected: Vec<String>,
    },
    /// The model and the rows do not belong together.
    #[error(transparent)]
    Other(#[from] OtherModel),
    /// The model cannot be read.
    #[error("cannot use {}", path.display())]
    Model {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        cause: ChecksummedFileError,
    },
}

/// The classes that labels name.
#[derive(Copy, Clone, Debug)]
pub enum Classes<'a> {
    /// These, in the order of their numbers. A label is a number, from 0, or a name.
    Known(&'a [String]),
    /// Those that occur among the labels.
    FromLabels,
}

/// Rows with the names of their features and classes.
#[derive(Clone, PartialEq, Debug)]
pub struct LabelledRows {
    /// The names of the features.
    pub features: Vec<String>,
    /// The names of the classes.
    pub classes: Vec<String>,
    /// The rows.
    pub data: Dataset,
}

impl LabelledRows {
    /// Reads a CSV file.
    ///
    /// # Errors
    /// If the file cannot be read, has no column `target` or no features, or a line that does not fit.
    pub fn read(path: &Path, classes: Classes<'_>) -> Result<LabelledRows, ClassifyError> {
        Table::read(path)?.rows(classes)
    }

    /// Reads a CSV file of rows of a game. Its classes are the game's styles.
    ///
    /// # Errors
    /// As those of [`read`](LabelledRows::read), and if the features are others than the game's.
    pub fn read_of(path: &Path, name: &str, game: &dyn AnyFeatures) -> Result<LabelledRows, ClassifyError> {
        let table = Table::read(path)?;
        if !table.is_of(game) {
            let expected = game.features().iter().map(|feature| feature.name.to_owned()).collect();
            let features = table.features;
            return Err(ClassifyError::OtherGame {
                path: table.path,
                features,
                game: name.to_owned(),
                expected,
            });
        }
        table.rows(Classes::Known(&styles(game)))
    }

    /// Reads a CSV file. Its classes are the styles of the first of the games that has its features; if none has, those that occur
    /// among its labels.
    ///
    /// # Errors
    /// As those of [`read`](LabelledRows::read).
    pub fn read_of_any<'g>(
        path: &Path,
        games: impl IntoIterator<Item = &'g dyn AnyFeatures>,
    ) -> Result<LabelledRows, ClassifyError> {
        let table = Table::read(path)?;
        match games.into_iter().find(|&game| table.is_of(game)) {
            Some(game) => table.rows(Classes::Known(&styles(game))),
            None => table.rows(Classes::FromLabels),
        }
    }

    /// Reads a CSV file whose features and classes must be those of a model.
    ///
    /// # Errors
    /// As those of [`read`](LabelledRows::read), and if the features are others.
    pub fn read_for(path: &Path, model: &AboutModel) -> Result<LabelledRows, ClassifyError> {
        let table = Table::read(path)?;
        model.check(table.features.iter().map(String::as_str), model.classes.iter().map(String::as_str))?;
        table.rows(Classes::Known(&model.classes))
    }

    /// Returns the rows of samples, with the styles of their game as classes.
    ///
    /// # Errors
    /// If there are none.
    pub fn of(samples: &Samples, game: &dyn AnyFeatures) -> Result<LabelledRows, ClassifyError> {
        let features: Vec<String> = game.features().iter().map(|feature| feature.name.to_owned()).collect();
        let classes = styles(game);
        let sheet = &samples.sheet;
        let mut values = vec![0.0; sheet.rows() * features.len()];
        for (at, name) in features.iter().enumerate() {
            let places = values.iter_mut().skip(at).step_by(features.len());
            if let Some(numbers) = sheet.wholes(name) {
                places.zip(numbers).for_each(|(place, number)| *place = number.unwrap_or(0) as f64);
            } else if let Some(numbers) = sheet.reals(name) {
                places.zip(numbers).for_each(|(place, number)| *place = number.unwrap_or(0.0));
            }
        }
        let labels = sheet.wholes(LABEL).unwrap_or_default();
        let labels = labels.iter().map(|label| label.unwrap_or(0) as u32).collect();
        match Dataset::new(features.len(), classes.len(), values, labels) {
            Ok(data) => Ok(LabelledRows { features, classes, data }),
            Err(error) => Err(explain(error, &features, &classes)),
        }
    }

    /// Returns an error about the rows with the names of features and classes.
    #[must_use]
    pub fn explain(&self, error: DataError) -> ClassifyError {
        explain(error, &self.features, &self.classes)
    }
}

/// Returns the names of a game's styles.
fn styles(game: &dyn AnyFeatures) -> Vec<String> {
    game.styles().iter().map(|&style| style.to_owned()).collect()
}

/// A CSV file whose first line has been read.
struct Table {
    path: PathBuf,
    bytes: Vec<u8>,
    names: Vec<String>,
    features: Vec<String>,
}

impl Table {
    fn read(path: &Path) -> Result<Table, ClassifyError> {
        let path = path.to_owned();
        let mut bytes =
            read_file(&path).map_err(|cause| ClassifyError::Read { path: path.clone(), cause })?;
        // Sheets take a last line without an end for one that was cut off; in files of others it is a line like all.
        if bytes.last().is_some_and(|&byte| byte != b'\n') {
            bytes.push(b'\n');
        }
        let names = match Sheet::csv_names(&bytes) {
            Ok(names) => names,
            Err(cause) => return Err(ClassifyError::Csv { path, cause }),
        };
        if !names.iter().any(|name| name == LABEL) {
            return Err(ClassifyError::NoLabel { path, columns: names });
        }
        let is_feature = |name: &&String| *name != LABEL && !ORIGIN.contains(&name.as_str());
        let features = names.iter().filter(is_feature).cloned().collect();
        Ok(Table { path, bytes, names, features })
    }

    /// Returns whether the features are those of a game.
    fn is_of(&self, game: &dyn AnyFeatures) -> bool {
        game.features().iter().map(|feature| feature.name).eq(self.features.iter().map(String::as_str))
    }

    fn rows(self, classes: Classes<'_>) -> Result<LabelledRows, ClassifyError> {
        let Table { path, bytes, names, features } = self;
        let column = |name: String| match name.as_str() {
            LABEL => Column::new(name, Kind::Text),
            other if ORIGIN.contains(&other) => Column::new(name, Kind::Text).optional(),
            _ => Column::new(name, Kind::Real),
        };
        let sheet = Sheet::read_whole_csv(&bytes, names.into_iter().map(column).collect())
            .map_err(|cause| ClassifyError::Csv { path, cause })?;
        let texts = sheet.texts(LABEL).expect("the column is one of texts");
        let texts: Vec<&str> = texts.iter().map(|text| text.as_deref().unwrap_or_default()).collect();
        let classes = match classes {
            Classes::Known(classes) => classes.to_vec(),
            Classes::FromLabels => different(&texts),
        };
        let labels = texts.iter().enumerate().map(|(row, text)| {
            let class = class_of(text, &classes).ok_or_else(|| ClassifyError::Label {
                line: row + 2,
                label: (*text).to_owned(),
                classes: classes.clone(),
            })?;
            Ok(class as u32)
        });
        let labels = labels.collect::<Result<Vec<u32>, ClassifyError>>()?;
        let columns: Vec<&[Option<f64>]> = features
            .iter()
            .map(|name| sheet.reals(name).expect("a feature is a column of numbers"))
            .collect();
        let mut values = Vec::with_capacity(labels.len() * features.len());
        for row in 0..labels.len() {
            values.extend(columns.iter().map(|column| column[row].expect("no cell of a feature is missing")));
        }
        drop(sheet);
        match Dataset::new(features.len(), classes.len(), values, labels) {
            Ok(data) => Ok(LabelledRows { features, classes, data }),
            Err(error) => Err(explain(error, &features, &classes)),
        }
    }
}

/// Returns the different labels: numbers by size, then texts by letter.
fn different(texts: &[&str]) -> Vec<String> {
    let mut names: Vec<&str> = texts.to_vec();
    let key = |name: &str| (name.parse::<u64>().map_err(|_| name.to_owned()), name.to_owned());
    names.sort_unstable();
    names.dedup();
    names.sort_by_key(|name| key(name));
    names.into_iter().map(str::to_owned).collect()
}

/// Returns the class that a label names: by its name, else by its number.
fn class_of(label: &str, classes: &[String]) -> Option<usize> {
    let by_name = classes.iter().position(|class| class == label);
    let named = || classes.iter().any(|class| class.parse::<u64>().is_err());
    by_name.or_else(|| label.parse().ok().filter(|&number: &usize| number < classes.len() && named()))
}

fn explain(error: DataError, features: &[String], classes: &[String]) -> ClassifyError {
    match error {
        // The first line has the names.
        DataError::NotFinite { row, feature } => {
            ClassifyError::NotFinite { line: row + 2, feature: features[feature].clone() }
        }
        DataError::EmptyClass { class } => {
            ClassifyError::SmallClass { class: classes[class].clone(), rows: 0 }
        }
        DataError::Unsplittable { class, rows } => {
            ClassifyError::SmallClass { class: classes[class].clone(), rows }
        }
        other => ClassifyError::Data(other),
    }
}
