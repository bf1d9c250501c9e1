//! Sheets as CSV (RFC 4180, lines end in `\n`).
//!
//! A text is quoted where it must be, and the empty text always is: `""` is a text, nothing is a missing cell. Numbers have the
//! fewest digits that read back as the same number. Reals keep a `.0` if they are whole, so that programs which guess types
//! from the first lines see a column of reals.

use std::borrow::Cow;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};

use parlor_core::files::reading::{MAX_DATA, read_to_limit};

use super::{Cell, Column, Data, Kind, Sheet, SheetError};

impl Sheet {
    /// Appends the rows from number `first` on, and before them the line of names if the file is empty.
    ///
    /// All is handed over in one call; if that is cut short, [`Sheet::resume_csv`] finds where.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append_csv(&self, file: &mut File, first: usize) -> Result<(), SheetError> {
        let is_new = file.seek(SeekFrom::End(0))? == 0;
        let names = if is_new { header(&self.columns) } else { String::new() };
        file.write_all(self.with_rows(names, first).as_bytes())?;
        Ok(())
    }

    /// Returns the content of a file with all rows.
    #[must_use]
    pub fn to_csv(&self) -> String {
        self.with_rows(header(&self.columns), 0)
    }

    fn with_rows(&self, mut text: String, first: usize) -> String {
        for row in first..self.rows {
            for (place, data) in self.data.iter().enumerate() {
                if place > 0 {
                    text.push(',');
                }
                write_cell(&mut text, data, row);
            }
            text.push('\n');
        }
        text
    }

    /// Returns the rows of a file, removes a truncated last line, and leaves the file ready to be appended to.
    ///
    /// # Errors
    /// If the file cannot be read or cut, has other columns, or has a whole line that does not fit them. It is then left as it
    /// was.
    pub fn resume_csv(file: &mut File, columns: Vec<Column>) -> Result<Sheet, SheetError> {
        file.seek(SeekFrom::Start(0))?;
        let bytes = read_to_limit(&mut *file, MAX_DATA)?;
        let (sheet, whole) = parse(&bytes, columns)?;
        if whole < bytes.len() {
            file.set_len(whole as u64)?;
        }
        file.seek(SeekFrom::End(0))?;
        Ok(sheet)
    }

    /// Returns the names in the first line of a file's content.
    ///
    /// # Errors
    /// If it has no first line, or that is not CSV.
    pub fn csv_names(bytes: &[u8]) -> Result<Vec<String>, SheetError> {
        let names = Records { bytes, at: 0, line: 1 }.next()?.ok_or(SheetError::NoColumns)?;
        let name = |field: Field| {
            String::from_utf8(field.bytes)
                .map_err(|_| SheetError::Csv { line: 1, wrong: "a name is not UTF-8".to_owned() })
        };
        names.fields.into_iter().map(name).collect()
    }

    /// Returns the rows of a file's content. A truncated last line is left out.
    ///
    /// # Errors
    /// If it has other columns, or a whole line that does not fit them.
    pub fn read_csv(bytes: &[u8], columns: Vec<Column>) -> Result<Sheet, SheetError> {
        parse(bytes, columns).map(|(sheet, _)| sheet)
    }

    /// Returns the rows of a file's content, all of them.
    ///
    /// # Errors
    /// As those of [`read_csv`](Sheet::read_csv), and if the last line is truncated.
    pub fn read_whole_csv(bytes: &[u8], columns: Vec<Column>) -> Result<Sheet, SheetError> {
        let (sheet, whole) = parse(bytes, columns)?;
        if whole < bytes.len() {
            let line = 1 + bytes[..whole].iter().filter(|byte| **byte == b'\n').count();
            let wrong = "the row does not end; a quote may not be closed".to_owned();
            return Err(SheetError::Csv { line, wrong });
        }
        Ok(sheet)
    }
}

/// Returns the line of names, with its end.
fn header(columns: &[Column]) -> String {
    let names: Vec<Cow<'_, str>> = columns.iter().map(|column| quoted(&column.name)).collect();
    names.join(",") + "\n"
}

fn write_cell(text: &mut String, data: &Data, row: usize) {
    match data {
        Data::Text(cells) => text.extend(cells[row].as_deref().map(quoted)),
        Data::Whole(cells) => text.extend(cells[row].map(|number| number.to_string())),
        Data::Signed(cells) => text.extend(cells[row].map(|number| number.to_string())),
        Data::Real(cells) => text.extend(cells[row].map(|number| format!("{number:?}"))),
    }
}

/// Returns a text as a cell: in quotes if it is empty or a reader could take it for something else.
fn quoted(text: &str) -> Cow<'_, str> {
    let plain = !text.is_empty() && text.trim() == text && !text.contains([',', '"', '\n', '\r']);
    if plain { text.into() } else { format!("\"{}\"", text.replace('"', "\"\"")).into() }
}

/// Returns the rows, and how many bytes they and the line of names take.
fn parse(bytes: &[u8], columns: Vec<Column>) -> Result<(Sheet, usize), SheetError> {
    let mut sheet = Sheet::new(columns)?;
    let expected = header(&sheet.columns);
    let mut records = Records { bytes, at: 0, line: 1 };
    match records.next()? {
        Some(names) if fit(&names.fields, &sheet.columns) => {}
        // A truncated header line: nothing is lost. Anything else is another program's file.
        None if expected.as_bytes().starts_with(bytes) => return Ok((sheet, 0)),
        _ => {
            let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
            let found = String::from_utf8_lossy(line).trim_end().to_owned();
            return Err(SheetError::OtherColumns { found, expected: expected.trim_end().to_owned() });
        }
    }
    while let Some(record) = records.next()? {
        let wrong = |wrong: String| SheetError::Csv { line: record.line, wrong };
        let [cells, expected] = [record.fields.len(), sheet.columns.len()];
        if cells != expected {
            return Err(wrong(format!("the row has {cells} cells, but there are {expected} columns")));
        }
        let row: Result<Vec<_>, _> = record.fields.iter().zip(&sheet.columns).map(read_cell).collect();
        let row = row.map_err(wrong)?;
        sheet.push(row).map_err(|error| wrong(error.to_string()))?;
    }
    Ok((sheet, records.at))
}

fn fit(fields: &[Field], columns: &[Column]) -> bool {
    fields.len() == columns.len()
        && fields.iter().zip(columns).all(|(field, column)| field.bytes == column.name.as_bytes())
}

fn read_cell((field, column): (&Field, &Column)) -> Result<Cell<'static>, String> {
    let text = std::str::from_utf8(&field.bytes).map_err(|_| format!("`{}` is not UTF-8", column.name))?;
    if text.is_empty() && !field.quoted {
        return Ok(Cell::Missing);
    }
    let number = match column.kind {
        Kind::Text => return Ok(Cell::from(text.to_owned())),
        Kind::Whole => text.parse().ok().map(Cell::Whole),
        Kind::Signed => text.parse().ok().map(Cell::Signed),
        Kind::Real => text.parse().ok().map(Cell::Real),
    };
    number.ok_or_else(|| format!("`{}` takes {}, not `{text}`", column.name, column.kind))
}

/// The lines of a file, cut into fields. A line may hold several when quotes hold line breaks.
struct Records<'a> {
    bytes: &'a [u8],
    /// The end of the last whole record.
    at: usize,
    /// The line on which the next record begins.
    line: usize,
}

struct Record {
    fields: Vec<Field>,
    line: usize,
}

#[derive(Default)]
struct Field {
    bytes: Vec<u8>,
    quoted: bool,
}

impl Records<'_> {
    /// Returns the next complete record; `None` at the end, truncated or not.
    fn next(&mut self) -> Result<Option<Record>, SheetError> {
        let line = self.line;
        let mut fields = Vec::new();
        let mut at = self.at;
        loop {
            let Some(field) = self.field(&mut at)? else { return Ok(None) };
            fields.push(field);
            match self.bytes.get(at..) {
                Some([b',', ..]) => at += 1,
                Some([b'\n', ..]) => at += 1,
                Some([b'\r', b'\n', ..]) => at += 2,
                Some([] | [b'\r']) | None => return Ok(None),
                Some(_) => return Err(self.stray()),
            }
            if self.bytes[at - 1] == b'\n' {
                break;
            }
        }
        self.line += self.bytes[self.at..at].iter().filter(|byte| **byte == b'\n').count();
        self.at = at;
        Ok(Some(Record { fields, line }))
    }

    /// Returns the field at `at` and moves there to its end; `None` if a quote is still open at the end of the file.
    fn field(&self, at: &mut usize) -> Result<Option<Field>, SheetError> {
        let mut field = Field::default();
        if self.bytes.get(*at) != Some(&b'"') {
            while let Some(byte) = self.bytes.get(*at).filter(|byte| !matches!(byte, b',' | b'\n' | b'\r')) {
                if *byte == b'"' {
                    return Err(self.stray());
                }
                field.bytes.push(*byte);
                *at += 1;
            }
            return Ok(Some(field));
        }
        field.quoted = true;
        *at += 1;
        loop {
            match self.bytes.get(*at..) {
                Some([b'"', b'"', ..]) => {
                    field.bytes.push(b'"');
                    *at += 2;
                }
                Some([b'"', ..]) => {
                    *at += 1;
                    return Ok(Some(field));
                }
                Some([byte, ..]) => {
                    field.bytes.push(*byte);
                    *at += 1;
                }
                Some([]) | None => return Ok(None),
            }
        }
    }

    fn stray(&self) -> SheetError {
        let wrong = "a quote or a line break inside a cell; such cells stand in quotes, with their own quotes doubled";
        SheetError::Csv { line: self.line, wrong: wrong.to_owned() }
    }
}
