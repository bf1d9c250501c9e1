//! The calls of rows: templates filled with what stands in the row, and their answers.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::bail;
use serde_json::Value;

use super::answer::Answer;
use super::list::cells;
use super::numbers::numbers;
use crate::steps::root;

/// A row of a table: its cells, with the code of the row above where a cell is empty.
#[derive(Clone, Debug)]
pub struct Row {
    /// The line of the page.
    pub at: usize,
    /// The texts of the cells.
    texts: Vec<String>,
    /// What stands between backticks in each cell.
    code: Vec<Vec<String>>,
}

impl Row {
    /// Reads a row; `above` is the row before it.
    pub fn read(at: usize, line: &str, above: Option<&Row>) -> Row {
        let (mut texts, mut code) = (Vec::new(), Vec::new());
        for (column, cell) in cells(line).into_iter().enumerate() {
            let above = above.filter(|_| cell.trim().is_empty());
            let inherited = above.and_then(|row| row.code.get(column)).cloned();
            let own = || cell.split('`').skip(1).step_by(2).map(str::to_owned).collect();
            code.push(inherited.unwrap_or_else(own));
            let text = above.and_then(|row| row.texts.get(column));
            texts.push(text.map_or(cell.trim(), String::as_str).to_owned());
        }
        Row { at, texts, code }
    }

    /// Returns the row as a line, with the cells above in the place of empty ones.
    pub fn line(&self) -> String {
        format!("| {} |", self.texts.join(" | "))
    }
}

/// Returns a call with what stands in its row; `None` if something is not there. In braces, with columns from 1:
///
/// - `{2}`: the code in the second column, or in the rows above if that is empty; `{2.2}`: the second piece of code there;
/// - `{2#1}`: the first number in the second column;
/// - `{3@easy}`: the code in the third column of the row that has `easy` in a cell and the same code in the first column.
pub fn filled(template: &str, row: &Row, all: &[Row]) -> Option<String> {
    let mut call = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (place, after) = after.split_once('}')?;
        call += before;
        // Inside quotes, the shell needs none.
        let quoted = call.matches('\'').count() % 2 == 1;
        let value = value(place, row, all)?;
        if !quoted && value.contains(['(', ' ', ',']) {
            call += &format!("'{value}'");
        } else {
            call += &value;
        }
        rest = after;
    }
    Some(call + rest)
}

fn value(place: &str, row: &Row, all: &[Row]) -> Option<String> {
    let column = |text: &str| text.parse::<usize>().ok()?.checked_sub(1);
    if let Some((at, number)) = place.split_once('#') {
        let text = row.texts.get(column(at)?)?;
        return Some(numbers(text).get(column(number)?)?.1.replace(',', ""));
    }
    if let Some((at, word)) = place.split_once('@') {
        let is_it = |other: &&Row| {
            other.code.first() == row.code.first() && other.texts.iter().any(|text| text == word)
        };
        return all.iter().find(is_it)?.code.get(column(at)?)?.first().cloned();
    }
    let (at, number) = place.split_once('.').unwrap_or((place, "1"));
    row.code.get(column(at)?)?.get(column(number)?).cloned()
}

/// The program, and what it has answered already.
pub struct Program {
    path: PathBuf,
    place: PathBuf,
    known: BTreeMap<String, Value>,
}

impl Program {
    /// Prepares to run the program in an empty folder, which holds the files that calls make.
    pub fn new(path: PathBuf) -> anyhow::Result<Program> {
        let place = root().join("target/docs-check");
        if place.exists() {
            fs::remove_dir_all(&place)?;
        }
        fs::create_dir_all(&place)?;
        Ok(Program { path, place, known: BTreeMap::new() })
    }

    /// Returns the answer to a call, after those that make its files.
    pub fn ask(&mut self, call: &str, before: &[String]) -> anyhow::Result<Answer<'_>> {
        if !self.known.contains_key(call) {
            for call in before {
                if !self.known.contains_key(call) {
                    self.run(call)?;
                    self.known.insert(call.clone(), Value::Null);
                }
            }
            let printed = self.run(&format!("{call} --json"))?;
            self.known.insert(call.to_owned(), serde_json::from_slice(&printed)?);
        }
        Ok(Answer(&self.known[call]))
    }

    /// Runs a call; returns what it prints.
    fn run(&self, call: &str) -> anyhow::Result<Vec<u8>> {
        println!("parlor {call}");
        // A shell, because calls are written for one.
        let line = format!("exec '{}' {call}", self.path.display());
        let mut shell = Command::new("sh");
        shell.args(["-c", &line]).current_dir(&self.place).env("PARLOR_HOME", &self.place);
        let output = shell.output()?;
        if !output.status.success() {
            bail!("parlor {call}: {}", String::from_utf8_lossy(&output.stderr).trim());
        }
        Ok(output.stdout)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_filled_with_what_stands_in_their_row() {
        let lines = [
            "| `g(x=1)` | easy | `random` | 7×6, 1,000 nodes | 1 |",
            "| | hard | `expert` or `best(n=2)` | | 2 |",
            "| the same | `other` | | | 3 |",
        ];
        let mut rows: Vec<Row> = Vec::new();
        for line in lines {
            let row = Row::read(0, line, rows.last());
            rows.push(row);
        }
        let filled = |template: &str, row: usize| filled(template, &rows[row], &rows);
        assert_eq!(filled("regret {1} {3}", 0).as_deref(), Some("regret 'g(x=1)' random"));
        assert_eq!(filled("regret {1} {3}", 1).as_deref(), Some("regret 'g(x=1)' expert"));
        assert_eq!(
            filled("regret {1} {3.2} {3@easy}", 1).as_deref(),
            Some("regret 'g(x=1)' 'best(n=2)' random")
        );
        assert_eq!(
            filled("solve 'c(w={4#1}, h={4#2})' --nodes {4#3}", 1).as_deref(),
            Some("solve 'c(w=7, h=6)' --nodes 1000")
        );
        assert_eq!(filled("regret {1}", 2), None);
        assert_eq!(filled("regret {3@none}", 0), None);
    }
}
