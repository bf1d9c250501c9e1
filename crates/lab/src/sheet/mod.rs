//! Tables of result rows: columns with a name and a type, written as CSV during a run and as Parquet at its end.
//!
//! ```
//! use parlor_lab::sheet::{Cell, Column, Kind, Sheet};
//!
//! let columns = vec![Column::new("agent", Kind::Text), Column::new("score", Kind::Real).optional()];
//! let mut sheet = Sheet::new(columns)?;
//! sheet.push([Cell::from("expert"), Cell::from(0.75)])?;
//! sheet.push([Cell::from("random"), Cell::Missing])?;
//! assert_eq!(sheet.reals("score"), Some(&[Some(0.75), None][..]));
//! # Ok::<(), parlor_lab::sheet::SheetError>(())
//! ```
//!
//! The same rows always give the same bytes.

mod csv;
mod parquet;

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// What the cells of a column are.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Any text.
    Text,
    /// Whole numbers from 0 on: counts, seeds, numbers of rounds.
    Whole,
    /// Whole numbers with a sign.
    Signed,
    /// Real numbers.
    Real,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Text => "a text",
            Kind::Whole => "a whole number from 0 on",
            Kind::Signed => "a whole number",
            Kind::Real => "a number",
        })
    }
}

/// A column's name and type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// The name; no two columns of a sheet have the same.
    pub name: String,
    /// What its cells are.
    pub kind: Kind,
    /// Whether cells may be missing.
    pub optional: bool,
}

impl Column {
    /// Returns a column whose cells are never missing.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: Kind) -> Column {
        Column { name: name.into(), kind, optional: false }
    }

    /// Returns the same column, but its cells may be missing.
    #[must_use]
    pub fn optional(self) -> Column {
        Column { optional: true, ..self }
    }
}

/// One cell. Every type of column has a `From`, and an `Option` may be missing: `Cell::from(Some(0.5))`.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell<'a> {
    /// A text.
    Text(Cow<'a, str>),
    /// A whole number from 0 on.
    Whole(u64),
    /// A whole number with a sign.
    Signed(i64),
    /// A real number. A sheet knows only one NaN.
    Real(f64),
    /// Nothing.
    Missing,
}

impl<'a> From<&'a str> for Cell<'a> {
    fn from(text: &'a str) -> Cell<'a> {
        Cell::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Cell<'_> {
    fn from(text: String) -> Self {
        Cell::Text(Cow::Owned(text))
    }
}

impl From<u64> for Cell<'_> {
    fn from(number: u64) -> Self {
        Cell::Whole(number)
    }
}

impl From<i64> for Cell<'_> {
    fn from(number: i64) -> Self {
        Cell::Signed(number)
    }
}

impl From<f64> for Cell<'_> {
    fn from(number: f64) -> Self {
        Cell::Real(number)
    }
}

impl<T: Into<Self>> From<Option<T>> for Cell<'_> {
    fn from(cell: Option<T>) -> Self {
        cell.map_or(Cell::Missing, Into::into)
    }
}

/// A table of rows, kept column by column.
#[derive(Clone, PartialEq, Debug)]
pub struct Sheet {
    columns: Vec<Column>,
    data: Vec<Data>,
    rows: usize,
}

/// The cells of one column. They are `None` only in optional columns.
#[derive(Clone, PartialEq, Debug)]
enum Data {
    Text(Vec<Option<String>>),
    Whole(Vec<Option<u64>>),
    Signed(Vec<Option<i64>>),
    Real(Vec<Option<f64>>),
}

impl Data {
    fn new(kind: Kind) -> Data {
        match kind {
            Kind::Text => Data::Text(Vec::new()),
            Kind::Whole => Data::Whole(Vec::new()),
            Kind::Signed => Data::Signed(Vec::new()),
            Kind::Real => Data::Real(Vec::new()),
        }
    }

    /// Adds a cell that was checked against the column.
    fn push(&mut self, cell: Cell<'_>) {
        match (self, cell) {
            (Data::Text(cells), Cell::Text(text)) => cells.push(Some(text.into_owned())),
            (Data::Whole(cells), Cell::Whole(number)) => cells.push(Some(number)),
            (Data::Signed(cells), Cell::Signed(number)) => cells.push(Some(number)),
            // The bits of a NaN cannot be written as text, so all become the same one.
            (Data::Real(cells), Cell::Real(number)) => {
                cells.push(Some(if number.is_nan() { f64::NAN } else { number }));
            }
            (Data::Text(cells), _) => cells.push(None),
            (Data::Whole(cells), _) => cells.push(None),
            (Data::Signed(cells), _) => cells.push(None),
            (Data::Real(cells), _) => cells.push(None),
        }
    }
}

impl Sheet {
    /// Returns a sheet without rows.
    ///
    /// # Errors
    /// If there is no column, or two have the same name.
    pub fn new(columns: Vec<Column>) -> Result<Sheet, SheetError> {
        if columns.is_empty() {
            return Err(SheetError::NoColumns);
        }
        for (place, column) in columns.iter().enumerate() {
            if columns[..place].iter().any(|other| other.name == column.name) {
                return Err(SheetError::SameName { name: column.name.clone() });
            }
        }
        let data = columns.iter().map(|column| Data::new(column.kind)).collect();
        Ok(Sheet { columns, data, rows: 0 })
    }

    /// Adds a row, one cell a column in the columns' order.
    ///
    /// # Errors
    /// If the row has too few or too many cells, or one does not fit its column. The sheet is then as it was.
    pub fn push<'a>(&mut self, row: impl IntoIterator<Item = Cell<'a>>) -> Result<(), SheetError> {
        let row: Vec<Cell<'a>> = row.into_iter().collect();
        if row.len() != self.columns.len() {
            return Err(SheetError::RowLength { cells: row.len(), columns: self.columns.len() });
        }
        for (cell, column) in row.iter().zip(&self.columns) {
            let fits = match (cell, column.kind) {
                (Cell::Missing, _) => column.optional,
                (Cell::Text(_), Kind::Text)
                | (Cell::Whole(_), Kind::Whole)
                | (Cell::Signed(_), Kind::Signed)
                | (Cell::Real(_), Kind::Real) => true,
                _ => false,
            };
            if !fits {
                return Err(SheetError::Unfit {
                    column: column.name.clone(),
                    kind: column.kind,
                    cell: if *cell == Cell::Missing { "nothing".to_owned() } else { format!("{cell:?}") },
                });
            }
        }
        for (cell, data) in row.into_iter().zip(&mut self.data) {
            data.push(cell);
        }
        self.rows += 1;
        Ok(())
    }

    /// Returns the columns.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Returns how many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the cells of a column of texts; `None` if there is no such column.
    #[must_use]
    pub fn texts(&self, name: &str) -> Option<&[Option<String>]> {
        if let Data::Text(cells) = self.find(name)? { Some(cells) } else { None }
    }

    /// Returns the cells of a column of whole numbers from 0 on; `None` if there is no such column.
    #[must_use]
    pub fn wholes(&self, name: &str) -> Option<&[Option<u64>]> {
        if let Data::Whole(cells) = self.find(name)? { Some(cells) } else { None }
    }

    /// Returns the cells of a column of whole numbers with a sign; `None` if there is no such column.
    #[must_use]
    pub fn signeds(&self, name: &str) -> Option<&[Option<i64>]> {
        if let Data::Signed(cells) = self.find(name)? { Some(cells) } else { None }
    }

    /// Returns the cells of a column of real numbers; `None` if there is no such column.
    #[must_use]
    pub fn reals(&self, name: &str) -> Option<&[Option<f64>]> {
        if let Data::Real(cells) = self.find(name)? { Some(cells) } else { None }
    }

    fn find(&self, name: &str) -> Option<&Data> {
        let place = self.columns.iter().position(|column| column.name == name)?;
        Some(&self.data[place])
    }
}

/// Errors of making, filling, reading and writing a sheet.
#[derive(Debug, thiserror::Error)]
pub enum SheetError {
    /// A sheet without columns.
    #[error("a sheet needs at least one column")]
    NoColumns,
    /// Two columns of one name.
    #[error("two columns are named `{name}`")]
    SameName {
        /// The name.
        name: String,
    },
    /// A row of another length.
    #[error("the row has {cells} cells, but there are {columns} columns")]
    RowLength {
        /// How many it has.
        cells: usize,
        /// How many it should have.
        columns: usize,
    },
    /// A cell of another type, or a missing one where none may be missing.
    #[error("`{column}` takes {kind}, not {cell}")]
    Unfit {
        /// The column.
        column: String,
        /// What it takes.
        kind: Kind,
        /// The cell.
        cell: String,
    },
    /// A file of other columns.
    #[error("the first line is `{found}`, but these columns are written as `{expected}`")]
    OtherColumns {
        /// The file's first line.
        found: String,
        /// What it should be.
        expected: String,
    },
    /// A line that cannot be read.
    #[error("line {line}: {wrong}")]
    Csv {
        /// The line on which the row begins, from 1.
        line: usize,
        /// What is wrong, and what would be right.
        wrong: String,
    },
    /// The system did not read or write.
    #[error("cannot read or write the rows")]
    Io(#[from] io::Error),
    /// A Parquet file could not be written.
    #[error("cannot write {}", path.display())]
    Parquet {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> Vec<Column> {
        vec![Column::new("name", Kind::Text), Column::new("score", Kind::Real).optional()]
    }

    #[test]
    fn a_row_that_does_not_fit_leaves_the_sheet_as_it_was() {
        let mut sheet = Sheet::new(columns()).unwrap();
        sheet.push(["a".into(), 0.5.into()]).unwrap();
        let before = sheet.clone();
        for row in [
            vec!["b".into()],
            vec!["b".into(), 0.5.into(), 0.5.into()],
            vec![Cell::Missing, 0.5.into()],
            vec!["b".into(), 1u64.into()],
        ] {
            sheet.push(row).unwrap_err();
            assert_eq!(sheet, before);
        }
        sheet.push(["b".into(), None::<f64>.into()]).unwrap();
        assert_eq!(sheet.rows(), 2);
        assert_eq!(sheet.reals("score"), Some(&[Some(0.5), None][..]));
        assert_eq!(sheet.texts("name").unwrap()[1].as_deref(), Some("b"));
    }

    #[test]
    fn columns_are_asked_for_by_name_and_type() {
        let sheet = Sheet::new(columns()).unwrap();
        assert!(
            sheet.reals("score").is_some() && sheet.wholes("score").is_none() && sheet.reals("x").is_none()
        );
        assert!(matches!(Sheet::new(Vec::new()), Err(SheetError::NoColumns)));
        let twice = vec![Column::new("a", Kind::Real), Column::new("a", Kind::Text)];
        assert!(matches!(Sheet::new(twice), Err(SheetError::SameName { .. })));
    }
}
