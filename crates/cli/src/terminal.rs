//! Printing: text for people, JSON for programs, colour for terminals only.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parlor_lab::format::signed;
use serde::Serialize;

/// The question's answer is no, and everything about it has been printed: exit code 1.
#[derive(Debug)]
pub struct No;

impl std::fmt::Display for No {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("no")
    }
}

impl std::error::Error for No {}

/// Prints a line; a reader that has gone away is an error that `main` forgives.
pub fn say(line: impl AsRef<str>) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    writeln!(out, "{}", line.as_ref())
}

/// Prints one JSON document.
pub fn say_json(value: &impl Serialize) -> anyhow::Result<()> {
    say(serde_json::to_string(value)?)?;
    Ok(())
}

/// Returns whether standard output is a terminal that shows colours.
pub fn has_colour() -> bool {
    anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
}

/// Returns an error and its causes as one line.
pub fn sentence(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1) {
        let cause = cause.to_string();
        if !text.contains(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    text
}

/// A bar on standard error that appears only on a terminal, and only if the work takes longer than two seconds.
pub fn progress(total: u64, unit: &'static str) -> ProgressBar {
    let bar = if io::stderr().is_terminal() {
        ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(5))
    } else {
        ProgressBar::hidden()
    };
    let template = format!("{{bar:30}} {{pos}}/{{len}} {unit} · {{msg}} · {{eta}} left");
    bar.with_style(ProgressStyle::with_template(&template).expect("the template is well-formed"))
        .with_elapsed(Duration::ZERO)
}

/// Returns Elo with its interval, as people write it.
pub fn elo(elo: Option<f64>, low: Option<f64>, high: Option<f64>) -> String {
    let end = |number: Option<f64>| number.map_or_else(|| "–".to_owned(), signed);
    match elo {
        // An end that does not exist is a dash: a claim comes with its interval, even if that is half open.
        Some(elo) => format!("Elo {} [{} … {}]", signed(elo), end(low), end(high)),
        None => "Elo –".to_owned(),
    }
}

/// Lays rows out in columns, two spaces between them.
pub fn columns<const N: usize>(rows: &[[String; N]], indent: &str) -> Vec<String> {
    let widths: [usize; N] =
        std::array::from_fn(|i| rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0));
    rows.iter()
        .map(|row| {
            let mut line = indent.to_owned();
            for (cell, width) in row.iter().zip(widths) {
                line.push_str(&format!("{cell:<width$}  "));
            }
            line.trim_end().to_owned()
        })
        .collect()
}

/// Lays a table out, its first row bold; columns are flush right but for those in `left`.
pub fn grid(rows: &[Vec<String>], left: &[usize]) -> Vec<String> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width =
        |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|c| c.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count).map(width).collect();
    let lines = rows.iter().map(|row| {
        let cells = row.iter().enumerate().map(|(at, cell)| {
            let width = widths[at];
            if left.contains(&at) { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    });
    let bold = |(number, line): (usize, String)| {
        if number == 0 { format!("\x1b[1m{line}\x1b[0m") } else { line }
    };
    lines.enumerate().map(bold).collect()
}
