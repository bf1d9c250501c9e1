//! Labelled rows for classifiers: games between known styles of play, one row a turn.

use std::fs;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use parlor_core::api::{AnyFeatures, AnySampler, SampleRow, SampledGame};
use parlor_core::files::saved::SavedGame;
use parlor_core::files::write_atomically_with;
use parlor_core::parallel::in_order;
use parlor_core::rng::fork;
use parlor_core::{Cancel, FeatureInfo, SpecError};

use crate::sheet::{Cell, Column, Kind, Sheet, SheetError};

/// The columns before the features. They say where a row comes from and are not features themselves.
pub const ORIGIN: [&str; 3] = ["game", "turn", "player"];

/// The column with the number of the style.
pub const LABEL: &str = "target";

/// Which rows are wanted.
pub struct SamplePlan<'a> {
    /// The game.
    pub game: &'a dyn AnyFeatures,
    /// The number of rows.
    pub rows: usize,
    /// Game *i*, counted from 0, draws from `fork(seed, i)` and is of pairing *i* modulo their number.
    pub seed: u64,
    /// The number of threads; the rows do not depend on it.
    pub threads: usize,
    /// Whether the games are kept, too.
    pub keep_games: bool,
}

/// Rows, and the games that they come from.
pub struct Samples {
    /// The rows in the order of the games; the column `game` counts from 1.
    pub sheet: Sheet,
    /// The games, if they were to be kept. The last one may have more turns than rows.
    pub games: Vec<SavedGame>,
}

/// Errors of making and writing samples.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// A style is not an agent of the game.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A file name that does not say how to write rows.
    #[error("{} ends neither in .csv nor in .parquet", .0.display())]
    Ending(PathBuf),
    /// The rows could not be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        cause: SheetError,
    },
}

/// How a file of rows is written.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RowFormat {
    /// Text, readable by everything.
    Csv,
    /// Columns in binary form.
    Parquet,
}

impl RowFormat {
    /// Returns the format that a file's ending names.
    ///
    /// # Errors
    /// If it names none.
    pub fn of(path: &Path) -> Result<RowFormat, SampleError> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("csv") => Ok(RowFormat::Csv),
            Some("parquet") => Ok(RowFormat::Parquet),
            _ => Err(SampleError::Ending(path.to_owned())),
        }
    }
}

fn columns(features: &[FeatureInfo]) -> Vec<Column> {
    let origin = ORIGIN.map(|name| Column::new(name, Kind::Whole));
    let kind = |feature: &FeatureInfo| if feature.whole { Kind::Whole } else { Kind::Real };
    let features = features.iter().map(|feature| Column::new(feature.name, kind(feature)));
    origin.into_iter().chain(features).chain([Column::new(LABEL, Kind::Whole)]).collect()
}

impl SamplePlan<'_> {
    /// Plays games until there are enough rows; `on_rows` receives their number after each game. A raised `stop` ends it early, after
    /// a whole number of games.
    ///
    /// # Errors
    /// If a style is not an agent of the game.
    pub fn run(&self, stop: &Cancel, mut on_rows: impl FnMut(usize)) -> Result<Samples, SampleError> {
        let features = self.game.features();
        let mut sheet = Sheet::new(columns(features)).expect("features have names of their own");
        let mut games = Vec::new();
        let mut number = 0;
        self.each_game(stop, |SampledGame { saved, rows }| {
            number += 1;
            if self.keep_games {
                games.push(saved);
            }
            for row in rows.iter().take(self.rows - sheet.rows()) {
                let origin = [number, u64::from(row.turn), u64::from(row.seat.0)].map(Cell::Whole);
                let values = row.features.iter().zip(features).map(|(&value, feature)| {
                    if feature.whole { Cell::Whole(value as u64) } else { Cell::Real(value) }
                });
                let cells = origin.into_iter().chain(values).chain([Cell::Whole(row.style as u64)]);
                sheet.push(cells).expect("a row has the sheet's columns");
            }
            on_rows(sheet.rows());
            sheet.rows() < self.rows
        })?;
        Ok(Samples { sheet, games })
    }

    /// Plays games until there are enough rows and hands each row to `on_row`, in order.
    ///
    /// # Errors
    /// If a style is not an agent of the game.
    pub fn each_row(&self, stop: &Cancel, mut on_row: impl FnMut(&SampleRow)) -> Result<(), SpecError> {
        let mut left = self.rows;
        self.each_game(stop, |game| {
            let rows = &game.rows[..game.rows.len().min(left)];
            rows.iter().for_each(&mut on_row);
            left -= rows.len();
            left > 0
        })
    }

    /// Plays games, in order, as long as `on_game` wants more.
    fn each_game(
        &self,
        stop: &Cancel,
        mut on_game: impl FnMut(SampledGame) -> bool,
    ) -> Result<(), SpecError> {
        let pairings = self.game.pairings();
        let play = |sampler: &mut Box<dyn AnySampler>, game: u64| {
            let chance = fork(self.seed, game);
            Some(sampler.play(pairings[game as usize % pairings.len()], chance, fork(chance, 1)))
        };
        let samplers =
            (0..self.threads.max(1)).map(|_| self.game.sampler()).collect::<Result<Vec<_>, SpecError>>()?;
        in_order(samplers, 0.., stop, play, |game| {
            if on_game(game) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        Ok(())
    }
}

impl Samples {
    /// Writes the rows as CSV or Parquet, by the file's ending; the file is there as a whole or not at all.
    ///
    /// # Errors
    /// If the ending is another one, or the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), SampleError> {
        let written = match RowFormat::of(path)? {
            RowFormat::Csv => write_atomically_with(path, |file| self.sheet.append_csv(file, 0)),
            RowFormat::Parquet => self.sheet.write_parquet(path),
        };
        written.map_err(|cause| SampleError::Write { path: path.to_owned(), cause })
    }

    /// Writes the games, one line each; line *n* is the game that rows call *n*.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_games(&self, path: &Path) -> Result<(), SampleError> {
        let write = |file: &mut fs::File| {
            let mut file = io::BufWriter::new(file);
            self.games.iter().try_for_each(|game| writeln!(file, "{}", game.line()))?;
            file.flush()
        };
        write_atomically_with(path, write)
            .map_err(|cause: io::Error| SampleError::Write { path: path.to_owned(), cause: cause.into() })
    }
}
