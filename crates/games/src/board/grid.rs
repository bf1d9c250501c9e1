//! Text of rectangular boards: rows with `/` between them, squares as letter and number, drawings with a frame.

use parlor_core::text::notation::quoted;
use parlor_core::{Ink, ReadError};

/// Checks the shape of a board text and returns its characters with their positions (from 1), row by row.
///
/// # Errors
/// If the text does not have `rows` rows of `columns` characters.
pub fn read_rows(
    what: &'static str,
    text: &str,
    rows: u8,
    columns: u8,
) -> Result<Vec<(usize, char)>, ReadError> {
    let (rows, columns) = (usize::from(rows), usize::from(columns));
    let found = text.split('/').count();
    if found != rows {
        let plural = if found == 1 { "" } else { "s" };
        return Err(ReadError::new(what, format!("{found} row{plural} where the board has {rows}"))
            .hint("rows are separated by `/`, the top row first"));
    }
    let mut cells = Vec::with_capacity(rows * columns);
    let mut at = 1;
    for (number, row) in text.split('/').enumerate() {
        let width = row.chars().count();
        if width != columns {
            let wrong = format!("row {} has {width} cells where the board has {columns} columns", number + 1);
            return Err(ReadError::new(what, wrong).at(at));
        }
        cells.extend(row.chars().enumerate().map(|(i, c)| (at + i, c)));
        at += width + 1;
    }
    Ok(cells)
}

/// Returns the name of column `column`, counted from 0: `a` … `z`, then `aa`, `ab` …
#[must_use]
pub fn column_name(column: u8) -> String {
    let letter = |n: u8| char::from(b'a' + n);
    if column < 26 {
        letter(column).to_string()
    } else {
        format!("{}{}", letter(column / 26 - 1), letter(column % 26))
    }
}

/// Returns a square's text, `b1` for column 1 and row 0. The caller chooses whether rows count from the top.
#[must_use]
pub fn write_square(column: u8, row: u8) -> String {
    format!("{}{}", column_name(column), u16::from(row) + 1)
}

/// Returns the column and row, both from 0, that a text such as `b1` names.
///
/// # Errors
/// If the text does not name a square of a board with this number of columns and rows.
pub fn read_square(what: &'static str, text: &str, columns: u8, rows: u8) -> Result<(u8, u8), ReadError> {
    let last = write_square(columns - 1, rows - 1);
    let wrong = || {
        ReadError::new(what, format!("{} is not a square of this board", quoted(text)))
            .hint(format!("squares run from a1 to {last}"))
    };
    let digits = text.find(|c: char| c.is_ascii_digit()).ok_or_else(wrong)?;
    let (letters, digits) = text.split_at(digits);
    let column = (0..columns).find(|&c| column_name(c) == letters.to_ascii_lowercase()).ok_or_else(wrong)?;
    let canonical = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
    let row = digits.parse::<u8>().ok().filter(|r| canonical && (1..=rows).contains(r)).ok_or_else(wrong)?;
    Ok((column, row - 1))
}

/// Numbering of the rows of a drawing.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RowLabels {
    /// The top row is 1.
    FromTop,
    /// The bottom row is 1.
    FromBottom,
}

/// Draws a board with a letter above each column and a number beside each row. `cell(column, row)` returns the one
/// visible character of a cell; rows count from the top.
pub fn draw(
    columns: u8,
    rows: u8,
    labels: RowLabels,
    ink: Ink,
    cell: impl FnMut(u8, u8) -> String,
) -> String {
    let names: Vec<String> = (0..columns).map(column_name).collect();
    framed(&names, rows, labels, ink, cell)
}

/// Draws a board whose bottom row is 1 from the other side: its top row is at the bottom and its last column on the left.
pub fn draw_turned(columns: u8, rows: u8, ink: Ink, mut cell: impl FnMut(u8, u8) -> String) -> String {
    let names: Vec<String> = (0..columns).rev().map(column_name).collect();
    framed(&names, rows, RowLabels::FromTop, ink, |column, row| cell(columns - 1 - column, rows - 1 - row))
}

/// Draws a board below the names of its columns.
fn framed(
    names: &[String],
    rows: u8,
    labels: RowLabels,
    ink: Ink,
    mut cell: impl FnMut(u8, u8) -> String,
) -> String {
    let columns = names.len() as u8;
    let mut text = String::new();
    // Names of two letters are written vertically, so that a column of a wide board stays two characters wide.
    let tallest = names.iter().map(String::len).max().unwrap_or(1);
    for line in 0..tallest {
        let letters = names.iter().map(|name| {
            let at = (line + name.len()).checked_sub(tallest);
            at.map_or(' ', |at| char::from(name.as_bytes()[at]))
        });
        let header = letters.fold("    ".to_owned(), |header, letter| format!("{header} {letter}"));
        text.push_str(header.trim_end());
        text.push('\n');
    }
    let rule = ink.pick("─", "-").repeat(usize::from(columns) * 2 + 1);
    let (side, corners) = (ink.pick("│", "|"), if ink.ascii { ["+"; 4] } else { ["┌", "┐", "└", "┘"] });
    text.push_str(&format!("   {}{rule}{}\n", corners[0], corners[1]));
    for row in 0..rows {
        let label = match labels {
            RowLabels::FromTop => row + 1,
            RowLabels::FromBottom => rows - row,
        };
        text.push_str(&format!("{label:>2} {side}"));
        for column in 0..columns {
            text.push_str(&format!(" {}", cell(column, row)));
        }
        text.push_str(&format!(" {side}\n"));
    }
    text.push_str(&format!("   {}{rule}{}\n", corners[2], corners[3]));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_survive_writing_and_reading() {
        for (column, row, text) in [(0, 0, "a1"), (25, 9, "z10"), (26, 0, "aa1"), (29, 15, "ad16")] {
            assert_eq!(write_square(column, row), text);
            assert_eq!(read_square("move", text, 30, 16), Ok((column, row)));
        }
        for bad in ["", "a", "1", "a0", "a01", "a17", "ae1", "a1x", "é1", "a+1"] {
            assert!(read_square("move", bad, 30, 16).is_err(), "{bad}");
        }
    }
}
