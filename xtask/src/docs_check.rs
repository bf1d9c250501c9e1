//! `cargo xtask docs-check`: do the numbers in the tables of the docs come from the calls that stand beside them?
//!
//! `docs/tables.toml` lists the tables: where they are, and for each column of numbers the call and the fields of its JSON. The numbers
//! of a cell are compared with these fields to the digits that are printed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};
use serde::Deserialize;
use serde_json::Value;

use crate::steps::{build, root};
use crate::strength;

/// All tables: `docs/tables.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    table: Vec<Table>,
}

/// A table of a page.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    /// The page, from the root of the workspace.
    page: String,
    /// The heading above it.
    under: String,
    /// Which table below the heading, from 1.
    #[serde(default = "one")]
    number: usize,
    /// How the rows begin that are checked by every test run.
    #[serde(default)]
    fast: Vec<String>,
    cell: Vec<Cell>,
}

fn one() -> usize {
    1
}

/// A column of numbers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cell {
    /// Which column, from 1.
    column: usize,
    /// The call without `parlor` and `--json`; `{2}` is the code in the row's second column, or in the rows above if that is empty.
    call: String,
    /// What the numbers of the cell are, in their order.
    fields: Vec<String>,
    /// What the fields are multiplied by: 100 for percent.
    #[serde(default = "unscaled")]
    scale: f64,
    /// Rows that begin so have other calls; with an empty one they are not checked.
    #[serde(default)]
    except: BTreeMap<String, String>,
}

fn unscaled() -> f64 {
    1.0
}

/// What is to be done.
#[derive(Default)]
pub struct Request {
    /// Check rows that take long, too.
    pub slow: bool,
    /// Rewrite cells that differ.
    pub write: bool,
    /// Use the program as the tests build it: the numbers are the same, and nothing need be built for speed.
    pub dev: bool,
    /// Only rows that contain this.
    pub filter: String,
}

impl Request {
    /// Reads the words after the chore's name.
    pub fn read(words: &[String]) -> anyhow::Result<Request> {
        let mut request = Request::default();
        for word in words {
            match word.as_str() {
                "--slow" => request.slow = true,
                "--write" => request.write = true,
                "--dev" => request.dev = true,
                word if !word.starts_with('-') => request.filter = word.to_owned(),
                _ => bail!("cargo xtask docs-check [PART OF A ROW] [--slow] [--write] [--dev]"),
            }
        }
        Ok(request)
    }
}

/// Checks, and rewrites if that was asked for.
pub fn run(request: &Request) -> anyhow::Result<()> {
    let text = fs::read_to_string(root().join("docs/tables.toml"))?;
    let tables: Tables = toml::from_str(&text).context("docs/tables.toml")?;
    let program = build(request.slow && !request.dev)?;
    let mut wrong = strength::stale()?;
    let (mut checked, mut left) = (0, 0);
    for table in &tables.table {
        let path = root().join(&table.page);
        let mut lines: Vec<String> = fs::read_to_string(&path)
            .with_context(|| table.page.clone())?
            .lines()
            .map(str::to_owned)
            .collect();
        let rows = rows(&lines, table).with_context(|| format!("{}, {}", table.page, table.under))?;
        for (at, code) in rows {
            let line = lines[at].clone();
            let is_fast = table.fast.iter().any(|begin| line.starts_with(begin));
            if !line.contains(&request.filter) || !(is_fast || request.slow) {
                left += 1;
                continue;
            }
            let fresh = fresh_row(&program, table, &line, &code)?;
            checked += 1;
            if fresh != line {
                wrong.push(format!("{}:{}\n  has {line}\n  now {fresh}", table.page, at + 1));
                lines[at] = fresh;
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
    bail!("{} rows differ; `cargo xtask docs-check --slow --write` rewrites them", wrong.len())
}

/// Returns the lines of a table's rows, and the code in each of their columns.
fn rows(lines: &[String], table: &Table) -> anyhow::Result<Vec<(usize, Vec<String>)>> {
    let heading = lines
        .iter()
        .position(|line| line.starts_with('#') && line.trim_start_matches('#').trim() == table.under)
        .context("there is no such heading")?;
    let is_row = |at: usize| lines.get(at).is_some_and(|line| line.starts_with('|'));
    let starts: Vec<usize> = (heading + 1..lines.len())
        .take_while(|&at| !lines[at].starts_with('#'))
        .filter(|&at| is_row(at) && !is_row(at - 1))
        .collect();
    let start = *starts.get(table.number - 1).context("there is no such table")?;
    let mut above: Vec<String> = Vec::new();
    let mut rows = Vec::new();
    for at in (start + 2..).take_while(|&at| is_row(at)) {
        let code: Vec<String> = cells(&lines[at])
            .iter()
            .enumerate()
            .map(|(column, cell)| match cell.split('`').nth(1) {
                Some(code) => code.to_owned(),
                None if cell.trim().is_empty() => above.get(column).cloned().unwrap_or_default(),
                None => String::new(),
            })
            .collect();
        above.clone_from(&code);
        rows.push((at, code));
    }
    Ok(rows)
}

/// Returns the cells of a row.
fn cells(line: &str) -> Vec<&str> {
    line.trim().trim_start_matches('|').trim_end_matches('|').split('|').collect()
}

/// Returns a row with the numbers that the program prints now.
fn fresh_row(program: &Path, table: &Table, line: &str, code: &[String]) -> anyhow::Result<String> {
    let mut row: Vec<String> = cells(line).iter().map(|&cell| cell.to_owned()).collect();
    let mut asked: BTreeMap<String, Value> = BTreeMap::new();
    for cell in &table.cell {
        let old = row[cell.column - 1].clone();
        let template = cell.except.iter().find(|(begin, _)| line.starts_with(begin.as_str()));
        let template = template.map_or(&cell.call, |(_, call)| call);
        // A dash, or words instead of code: nothing was run.
        let has_call = !template.is_empty() && !numbers(&old).is_empty();
        let Some(call) = filled(template, code).filter(|_| has_call) else { continue };
        if !asked.contains_key(&call) {
            asked.insert(call.clone(), ask(program, &call)?);
        }
        let answer = &asked[&call];
        let fields = cell.fields.iter().map(|field| Some(answer[field].as_f64()? * cell.scale));
        row[cell.column - 1] = fresh_cell(&old, &fields.collect::<Vec<_>>());
    }
    Ok(format!("|{}|", row.join("|")))
}

/// Returns a call with the code of a row; `None` where a column has none.
fn filled(template: &str, code: &[String]) -> Option<String> {
    let mut call = template.to_owned();
    for (column, code) in code.iter().enumerate() {
        let place = format!("{{{}}}", column + 1);
        if call.contains(&place) {
            if code.is_empty() {
                return None;
            }
            let word = if code.contains(['(', ' ', ',']) { format!("'{code}'") } else { code.clone() };
            call = call.replace(&place, &word);
        }
    }
    Some(call)
}

fn ask(program: &Path, call: &str) -> anyhow::Result<Value> {
    println!("parlor {call}");
    // A shell, because calls are written for one.
    let line = format!("exec '{}' {call} --json", program.display());
    let home = root().join("target/docs-check");
    let output =
        Command::new("sh").args(["-c", &line]).current_dir(root()).env("PARLOR_HOME", home).output()?;
    if !output.status.success() {
        bail!("parlor {call}: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Returns the numbers of a cell: where they are, and as they are printed. Thousands may have commas.
fn numbers(cell: &str) -> Vec<(usize, &str)> {
    let is_part = |c: char| c.is_ascii_digit() || c == '.' || c == ',';
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(begin) = cell[at..].find(|c: char| c.is_ascii_digit()).map(|begin| at + begin) {
        let end = cell[begin..].find(|c: char| !is_part(c)).map_or(cell.len(), |end| begin + end);
        let end = begin + cell[begin..end].trim_end_matches([',', '.']).len();
        // A sign is part of it.
        let begin = match cell[..begin].chars().last() {
            Some(sign @ ('-' | '−')) => begin - sign.len_utf8(),
            _ => begin,
        };
        found.push((begin, &cell[begin..end]));
        at = end;
    }
    found
}

/// Returns a cell with these numbers in the place of its own, where they differ in the digits that are printed.
fn fresh_cell(old: &str, values: &[Option<f64>]) -> String {
    let mut fresh = String::new();
    let mut copied = 0;
    for ((at, printed), value) in numbers(old).into_iter().zip(values) {
        fresh.push_str(&old[copied..at]);
        copied = at + printed.len();
        let plain = printed.replace(',', "").replace('−', "-");
        let decimals = plain.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let shown: f64 = plain.parse().unwrap_or(f64::NAN);
        let is_same = value.is_some_and(|value| {
            // Half a unit of the last digit, and what a rounded half may be off.
            (value - shown).abs() <= half_a_digit(decimals) * (1.0 + 1e-9)
        });
        match value {
            _ if is_same => fresh.push_str(printed),
            Some(value) => fresh.push_str(&written(*value, decimals, printed)),
            None => fresh.push('–'),
        }
    }
    fresh.push_str(&old[copied..]);
    fresh
}

/// Returns half a unit of the last of so many decimals.
fn half_a_digit(decimals: usize) -> f64 {
    (0..decimals).fold(0.5, |half, _| half / 10.0)
}

/// Writes a number as another one is written.
fn written(value: f64, decimals: usize, like: &str) -> String {
    let mut text = format!("{:.decimals$}", value.abs());
    if like.contains(',') || (decimals == 0 && value.abs() >= 10_000.0) {
        let whole = text.split('.').next().unwrap_or_default().to_owned();
        let mut grouped = String::new();
        for (at, digit) in whole.chars().enumerate() {
            if at > 0 && (whole.len() - at).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        text = text.replacen(&whole, &grouped, 1);
    }
    if value < 0.0 { format!("−{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_keep_what_is_right() {
        let values = |values: &[f64]| values.iter().map(|&value| Some(value)).collect::<Vec<_>>();
        let same = [
            (" 0.259 [0.231 … 0.286] ", &[0.2594, 0.2308, 0.2861][..]),
            (" 1,383 ", &[1383.0]),
            (" 0 ", &[0.0, 0.0]),
        ];
        for (cell, numbers) in same {
            assert_eq!(fresh_cell(cell, &values(numbers)), cell);
        }
        assert_eq!(
            fresh_cell(" 0.259 [0.231 … 0.286] ", &values(&[0.3, 0.231, 0.29])),
            " 0.300 [0.231 … 0.290] "
        );
        assert_eq!(fresh_cell(" 2.5 % [2.0 … 3.0] ", &values(&[2.56, 2.04, 12.0])), " 2.6 % [2.0 … 12.0] ");
        assert_eq!(fresh_cell(" −0.039, 1,383 ", &values(&[-0.05, 12000.0])), " −0.050, 12,000 ");
        assert_eq!(fresh_cell(" 4000 ", &[None]), " – ");
        assert_eq!(
            numbers("96.1 ± 0.3 %, 12.").iter().map(|(_, n)| *n).collect::<Vec<_>>(),
            ["96.1", "0.3", "12"]
        );
    }

    #[test]
    fn calls_are_filled_with_the_code_of_their_row() {
        let page = "# Page\n\n## Here\n\n| a | b |\n|---|---|\n| x | 1 |\n\n| game | agent | loss |\n|---|---|---|\n| `g(x=1)` | `random` | 1 |\n| | `expert` | 2 |\n| the same | `other` | 3 |\n";
        let lines: Vec<String> = page.lines().map(str::to_owned).collect();
        let table = Table {
            page: String::new(),
            under: "Here".to_owned(),
            number: 2,
            fast: Vec::new(),
            cell: Vec::new(),
        };
        let rows = rows(&lines, &table).unwrap();
        let calls: Vec<Option<String>> =
            rows.iter().map(|(_, code)| filled("regret {1} {2}", code)).collect();
        assert_eq!(calls[0].as_deref(), Some("regret 'g(x=1)' random"));
        assert_eq!(calls[1].as_deref(), Some("regret 'g(x=1)' expert"));
        assert_eq!(calls[2], None);
    }

    #[test]
    fn every_table_is_there() {
        let text = fs::read_to_string(root().join("docs/tables.toml")).unwrap();
        let tables: Tables = toml::from_str(&text).unwrap();
        for table in &tables.table {
            let page = fs::read_to_string(root().join(&table.page)).unwrap();
            let lines: Vec<String> = page.lines().map(str::to_owned).collect();
            let rows =
                rows(&lines, table).unwrap_or_else(|error| panic!("{} {}: {error}", table.page, table.under));
            for begin in &table.fast {
                assert!(
                    rows.iter().any(|(at, _)| lines[*at].starts_with(begin)),
                    "{}: no row {begin}",
                    table.page
                );
            }
            for cell in &table.cell {
                let filled = rows.iter().filter(|(_, code)| filled(&cell.call, code).is_some()).count();
                assert!(filled > 0, "{}: no call of column {}", table.page, cell.column);
            }
        }
    }
}
