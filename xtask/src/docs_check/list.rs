//! `docs/tables.toml`: the tables of the docs that hold calls or numbers, and where they are in the pages.

use std::collections::BTreeMap;
use std::fs;

use anyhow::Context;
use serde::Deserialize;

use crate::steps::root;

/// All tables: `docs/tables.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tables {
    /// Tables whose first heading is one of these describe something: keys, options, fields. They hold no results.
    pub describing: Vec<String>,
    /// Tables whose numbers come from calls.
    pub table: Vec<Table>,
    /// Tables that something else checks, or that hold no results of calls.
    pub other: Vec<Other>,
}

/// A table of a page.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The page, from the root of the workspace.
    pub page: String,
    /// The heading above it.
    pub under: String,
    /// Which table below the heading, from 1.
    #[serde(default = "one")]
    pub number: usize,
    /// How the rows begin that are checked by every test run; an empty text means all rows.
    #[serde(default)]
    pub fast: Vec<String>,
    /// The columns of numbers.
    pub cell: Vec<Cell>,
}

fn one() -> usize {
    1
}

/// A column of numbers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// Which column, from 1.
    pub column: usize,
    /// The call without `parlor` and `--json`, see [`super::calls::filled`] for what stands in braces.
    pub call: String,
    /// Files that calls read, and the calls that make them.
    #[serde(default)]
    pub before: BTreeMap<String, String>,
    /// What the numbers of the cell are, in their order: see [`super::answer::Answer::number`].
    #[serde(default)]
    pub fields: Vec<String>,
    /// What the fields are multiplied by: 100 for percent.
    #[serde(default = "unscaled")]
    pub scale: f64,
    /// The cell is this list of words; with a space between them, or a comma if the page has one.
    #[serde(default)]
    pub words: Option<String>,
    /// What the cell says for each value of the first field, instead of a number.
    #[serde(default)]
    pub names: BTreeMap<String, String>,
    /// Rows that begin so have other calls; with an empty one they are not checked.
    #[serde(default)]
    pub except: BTreeMap<String, String>,
}

fn unscaled() -> f64 {
    1.0
}

impl Cell {
    /// Returns the call of a row; `None` where nothing is checked.
    pub fn call_of(&self, line: &str) -> Option<&str> {
        let other = self.except.iter().find(|(begin, _)| line.starts_with(begin.as_str()));
        let call = other.map_or(&self.call, |(_, call)| call);
        (!call.is_empty()).then_some(call)
    }
}

/// Tables that are not compared here.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Other {
    /// The page, from the root of the workspace.
    pub page: String,
    /// The heading above it; without one, all tables of the page.
    pub under: Option<String>,
    /// Which table below the heading, from 1.
    #[serde(default = "one")]
    pub number: usize,
    /// What checks it, or why nothing can.
    pub why: String,
}

impl Tables {
    /// Reads `docs/tables.toml`.
    pub fn read() -> anyhow::Result<Tables> {
        let text = fs::read_to_string(root().join("docs/tables.toml"))?;
        toml::from_str(&text).context("docs/tables.toml")
    }
}

/// A table as it stands in a page.
pub struct Found {
    /// The heading above it.
    pub under: String,
    /// Which table below the heading, from 1.
    pub number: usize,
    /// The line of its first row, the one with the names of the columns.
    pub start: usize,
    /// The lines after its last row.
    pub end: usize,
}

/// Returns the tables of a page.
pub fn tables_of(lines: &[String]) -> Vec<Found> {
    let is_row = |line: &String| line.trim_start().starts_with('|');
    let mut found: Vec<Found> = Vec::new();
    let (mut under, mut number, mut is_code) = (String::new(), 0, false);
    let mut at = 0;
    while at < lines.len() {
        let line = &lines[at];
        if line.starts_with("```") {
            is_code = !is_code;
        } else if !is_code && line.starts_with('#') {
            (under, number) = (line.trim_start_matches('#').trim().to_owned(), 0);
        } else if !is_code && is_row(line) {
            let end = lines[at..].iter().position(|line| !is_row(line)).map_or(lines.len(), |rows| at + rows);
            number += 1;
            found.push(Found { under: under.clone(), number, start: at, end });
            at = end;
            continue;
        }
        at += 1;
    }
    found
}

/// Returns the cells of a row.
pub fn cells(line: &str) -> Vec<&str> {
    line.trim().trim_start_matches('|').trim_end_matches('|').split('|').collect()
}

impl Tables {
    /// Returns a line for each table of results in the docs that is not listed, and for each that is listed without a reason.
    pub fn unlisted(&self) -> anyhow::Result<Vec<String>> {
        let mut wrong = Vec::new();
        for page in pages()? {
            let text = fs::read_to_string(root().join(&page))?;
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            for found in tables_of(&lines) {
                let here = |other: &str, under: &str, number: usize| {
                    other == page && under == found.under && number == found.number
                };
                let compared = self.table.iter().any(|table| here(&table.page, &table.under, table.number));
                let explained = self.other.iter().any(|other| match &other.under {
                    Some(under) => here(&other.page, under, other.number),
                    None => other.page == page,
                });
                let first = cells(&lines[found.start])[0].trim().to_owned();
                let is_listed = compared || explained || self.describing.contains(&first);
                if !is_listed && has_results(&lines[(found.start + 2).min(found.end)..found.end]) {
                    wrong.push(format!(
                        "{page}:{}: docs/tables.toml does not list this table of calls or results (under `{}`, number {})",
                        found.start + 1,
                        found.under,
                        found.number
                    ));
                }
            }
        }
        let unexplained = self.other.iter().filter(|other| other.why.trim().is_empty());
        wrong.extend(unexplained.map(|other| format!("docs/tables.toml: {}: `why` is empty", other.page)));
        Ok(wrong)
    }
}

/// Returns every page of the docs, from the root of the workspace.
fn pages() -> anyhow::Result<Vec<String>> {
    let mut pages = vec!["README.md".to_owned(), "CONTRIBUTING.md".to_owned()];
    let mut folders = vec!["docs".to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder))? {
            let entry = entry?;
            let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                folders.push(path);
            } else if path.ends_with(".md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    Ok(pages)
}

/// Returns whether a table holds calls, or results: in some column at least half of the cells have numbers outside of code.
fn has_results(rows: &[String]) -> bool {
    let rows: Vec<Vec<&str>> = rows.iter().map(|line| cells(line)).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let is_call = |cell: &&str| cell.trim().starts_with("`parlor ");
    let is_number =
        |cell: &&str| cell.split('`').step_by(2).any(|text| text.contains(|c: char| c.is_ascii_digit()));
    let half = |column: usize, is: &dyn Fn(&&str) -> bool| {
        2 * rows.iter().filter_map(|row| row.get(column)).filter(|cell| is(cell)).count() >= rows.len()
    };
    (0..columns).any(|column| half(column, &is_call) || half(column, &is_number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_of_results_is_listed() {
        let missing = Tables::read().unwrap().unlisted().unwrap();
        assert!(missing.is_empty(), "{}", missing.join("\n"));
    }

    #[test]
    fn a_table_that_is_not_listed_is_found() {
        let nothing = Tables { describing: Vec::new(), table: Vec::new(), other: Vec::new() };
        let found = nothing.unlisted().unwrap();
        for page in ["README.md", "docs/solved.md", "docs/guide/playing.md"] {
            assert!(found.iter().any(|line| line.starts_with(page)), "{page} has tables of results");
        }
    }

    #[test]
    fn results_are_recognised() {
        let rows = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        assert!(has_results(&rows("| `random` | 12 % |\n| `expert` | – |")));
        assert!(has_results(&rows("| `parlor match x y z` | plays |")));
        assert!(!has_results(&rows("| `sims=100` | simulations |\n| `nodes` | at most 3 |\n| `x` | y |")));
    }

    #[test]
    fn what_is_listed_is_there() {
        let tables = Tables::read().unwrap();
        let there = |page: &str, under: Option<&str>, number: usize| {
            let text = fs::read_to_string(root().join(page)).unwrap_or_else(|_| panic!("there is no {page}"));
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            let found = tables_of(&lines);
            let is_it =
                |found: &Found| under.is_none_or(|under| found.under == under && found.number == number);
            assert!(found.iter().any(is_it), "{page}: there is no table {number} under {under:?}");
        };
        for table in &tables.table {
            there(&table.page, Some(&table.under), table.number);
        }
        for other in &tables.other {
            there(&other.page, other.under.as_deref(), other.number);
        }
    }
}
