//! `cargo xtask docs-check`: do the numbers in the tables of the docs come from the calls that stand beside them?
//!
//! `docs/tables.toml` lists the tables: where they are, and for each column of numbers the call and the fields of its JSON. The numbers
//! of a cell are compared with these fields to the digits that are printed. A test finds tables of results that are not listed.

mod answer;
mod calls;
mod list;
mod numbers;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, bail};

use self::calls::{Program, Row, filled};
use self::list::{Table, Tables, cells, tables_of};
use self::numbers::{Expected, fresh_cell, numbers};
use crate::steps::{build, root};
use crate::strength;

/// What is to be done.
#[derive(Default)]
pub struct Request {
    /// Check rows that take long, too.
    pub slow: bool,
    /// Rewrite cells that differ.
    pub write: bool,
    /// Use the program as the tests build it: the numbers are the same, and no other program is built.
    pub dev: bool,
    /// A program that was built before, instead of building one.
    pub program: Option<PathBuf>,
    /// Only rows that contain this, or pages with this in their names.
    pub filter: String,
}

impl Request {
    /// Reads the words after the chore's name.
    pub fn read(words: &[String]) -> anyhow::Result<Request> {
        let mut request = Request::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--slow" => request.slow = true,
                "--write" => request.write = true,
                "--dev" => request.dev = true,
                "--program" => {
                    let path = words.next().context("--program takes the path of a program")?;
                    request.program = Some(std::path::absolute(path)?);
                }
                word if !word.starts_with('-') => request.filter = word.to_owned(),
                _ => bail!(
                    "cargo xtask docs-check [PART OF A ROW OR PAGE] [--slow] [--write] [--dev] [--program FILE]"
                ),
            }
        }
        Ok(request)
    }
}

/// Checks, and rewrites if that was asked for.
pub fn run(request: &Request) -> anyhow::Result<()> {
    let tables = Tables::read()?;
    let path = match &request.program {
        Some(path) => path.clone(),
        None => build(request.slow && !request.dev)?,
    };
    let mut program = Program::new(path)?;
    let mut wrong = tables.unlisted()?;
    wrong.extend(strength::stale()?);
    let (mut checked, mut left) = (0, 0);
    for table in &tables.table {
        let path = root().join(&table.page);
        let mut lines: Vec<String> = fs::read_to_string(&path)
            .with_context(|| table.page.clone())?
            .lines()
            .map(str::to_owned)
            .collect();
        let rows = rows(&lines, table).with_context(|| format!("{}, {}", table.page, table.under))?;
        for row in &rows {
            let line = lines[row.at].clone();
            let is_fast = table.fast.iter().any(|begin| row.line().starts_with(begin));
            let is_wanted = line.contains(&request.filter) || table.page.contains(&request.filter);
            if !is_wanted || !(is_fast || request.slow) {
                left += 1;
                continue;
            }
            let fresh = fresh_row(&mut program, table, &line, row, &rows)?;
            checked += 1;
            if fresh != line {
                wrong.push(format!("{}:{}\n  has {line}\n  now {fresh}", table.page, row.at + 1));
                lines[row.at] = fresh;
                if request.write {
                    fs::write(&path, lines.join("\n") + "\n")?;
                }
            }
        }
    }
    println!("{checked} rows checked, {left} left out (--slow checks all)");
    for row in &wrong {
        println!("{row}");
    }
    if wrong.is_empty() || request.write {
        return Ok(());
    }
    bail!("{} findings; `cargo xtask docs-check --slow --write` rewrites rows that differ", wrong.len())
}

/// Returns the rows of a table.
fn rows(lines: &[String], table: &Table) -> anyhow::Result<Vec<Row>> {
    let mut found = tables_of(lines).into_iter();
    let found = found
        .find(|found| found.under == table.under && found.number == table.number)
        .context("there is no such table")?;
    let mut rows: Vec<Row> = Vec::new();
    for (at, line) in lines.iter().enumerate().take(found.end).skip(found.start + 2) {
        let row = Row::read(at, line, rows.last());
        rows.push(row);
    }
    Ok(rows)
}

/// Returns a row with what the program prints now.
fn fresh_row(
    program: &mut Program,
    table: &Table,
    line: &str,
    row: &Row,
    all: &[Row],
) -> anyhow::Result<String> {
    let mut fresh: Vec<String> = cells(line).iter().map(|&cell| cell.to_owned()).collect();
    for cell in &table.cell {
        let old = fresh[cell.column - 1].clone();
        // A dash, or words instead of numbers: nothing was run.
        let has_result = !numbers(&old).is_empty()
            || ((cell.words.is_some() || !cell.names.is_empty()) && old.trim() != "–");
        let call = cell.call_of(&row.line()).and_then(|template| filled(template, row, all));
        let Some(call) = call.filter(|_| has_result && !old.trim().is_empty()) else { continue };
        let files = cell.before.iter().filter_map(|(file, made)| {
            let (file, made) = (filled(file, row, all)?, filled(made, row, all)?);
            call.contains(&file).then_some(made)
        });
        let answer = program.ask(&call, &files.collect::<Vec<_>>())?;
        fresh[cell.column - 1] = if let Some(path) = &cell.words {
            let comma = if old.contains(',') { ", " } else { " " };
            let words =
                answer.words(path).with_context(|| format!("{call}: {path} is not a list of words"))?;
            format!(" {} ", words.join(comma))
        } else if !cell.names.is_empty() {
            let value = cell.fields.first().and_then(|field| answer.number(field));
            let name = value.and_then(|value| cell.names.get(&value.to_string()));
            let name = name.with_context(|| format!("{call}: there is no name for {value:?}"))?;
            if old.trim().starts_with(name.as_str()) { old } else { format!(" {name} ") }
        } else {
            let number = |field: &str| Some(answer.number(field)? * cell.scale);
            let fields = cell.fields.iter().filter_map(|field| filled(field, row, all));
            let expected = fields.map(|field| match field.strip_prefix('/') {
                _ if field == "_" => Expected::Any,
                Some(field) => Expected::Fraction(number(field)),
                None => Expected::Value(number(&field)),
            });
            fresh_cell(&old, &expected.collect::<Vec<_>>())
        };
    }
    Ok(format!("|{}|", fresh.join("|")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_table_has_its_rows_and_calls() {
        for table in &Tables::read().unwrap().table {
            let page = fs::read_to_string(root().join(&table.page)).unwrap();
            let lines: Vec<String> = page.lines().map(str::to_owned).collect();
            let place = format!("{}, {}", table.page, table.under);
            let rows = rows(&lines, table).unwrap_or_else(|error| panic!("{place}: {error}"));
            for begin in &table.fast {
                assert!(rows.iter().any(|row| row.line().starts_with(begin)), "{place}: no row {begin}");
            }
            for cell in &table.cell {
                for begin in cell.except.keys() {
                    assert!(rows.iter().any(|row| row.line().starts_with(begin)), "{place}: no row {begin}");
                }
                let call = |row: &Row| filled(cell.call_of(&row.line())?, row, &rows);
                assert!(
                    rows.iter().any(|row| call(row).is_some()),
                    "{place}: no call of column {}",
                    cell.column
                );
                let checks = [!cell.fields.is_empty(), cell.words.is_some(), !cell.names.is_empty()];
                assert!(checks.contains(&true), "{place}: column {} compares nothing", cell.column);
            }
        }
    }
}
