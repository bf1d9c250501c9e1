//! Printing: text for people, JSON for programs, colour for terminals only.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parlor_core::files::explain::in_words;
use parlor_core::text::shown::{is_unsafe, without_controls};
use parlor_lab::format::{cut, signed};
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
///
/// Our own colours pass. No other control character of a name or a file reaches the screen.
pub fn say(line: impl AsRef<str>) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    writeln!(out, "{}", only_colours(line.as_ref()))
}

/// Replaces the last line of the terminal, which stays without a line break. A terminal that has gone away is ignored.
pub fn overwrite_line(text: &str) {
    let mut out = io::stdout().lock();
    let _ = write!(out, "\r\x1b[2K{}", only_colours(text)).and_then(|()| out.flush());
}

/// The version of every JSON document: `docs/guide/json.md` says what changes it.
const JSON_VERSION: u32 = 1;

/// A document with its version.
#[derive(Serialize)]
struct Versioned<'a, T: Serialize> {
    #[serde(flatten)]
    value: &'a T,
    version: u32,
}

/// Prints one JSON document, which must be an object. The page `docs/guide/json.md` lists its fields.
pub fn say_json(value: &impl Serialize) -> anyhow::Result<()> {
    write_json(&serde_json::to_string(&Versioned { value, version: JSON_VERSION })?)?;
    Ok(())
}

/// Prints one JSON document that is an array; it has no version. New documents are objects.
pub fn say_json_array<T: Serialize>(rows: &[T]) -> anyhow::Result<()> {
    write_json(&serde_json::to_string(rows)?)?;
    Ok(())
}

/// Prints JSON without control characters.
fn write_json(json: &str) -> io::Result<()> {
    let mut text = String::new();
    for c in json.chars() {
        // JSON lets them stand as they are; a terminal takes U+009B for the beginning of a sequence.
        if is_unsafe(c) {
            text.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            text.push(c);
        }
    }
    writeln!(io::stdout().lock(), "{text}")
}

/// Prints a line to standard error, as [`say`] prints to standard output. Nothing is left to report trouble to.
pub fn say_aside(line: impl AsRef<str>) {
    anstream::eprintln!("{}", only_colours(line.as_ref()));
}

/// Returns a text without control characters other than line breaks, tabs and sequences that set colours (`ESC [ … m`).
fn only_colours(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let colour = rest.strip_prefix("\x1b[").and_then(|after| {
            let end = after.find(|c: char| !c.is_ascii_digit() && c != ';')?;
            after[end..].starts_with('m').then_some("\x1b[".len() + end + 1)
        });
        let taken = colour.unwrap_or(c.len_utf8());
        if colour.is_some() || matches!(c, '\n' | '\t') {
            shown.push_str(&rest[..taken]);
        } else {
            shown.push_str(&without_controls(&rest[..taken]));
        }
        rest = &rest[taken..];
    }
    Cow::Owned(shown)
}

/// Returns whether standard output is a terminal that shows colours.
pub fn has_colour() -> bool {
    anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
}

/// Returns what is wrong with the words of a call, in colours, with what was typed fit for a terminal.
pub fn refusal(error: &clap::Error) -> String {
    only_colours(&error.render().ansi().to_string()).into_owned()
}

/// Errors are cut to this number of characters.
const LONGEST_ERROR: usize = 4_000;

/// Returns an error and its causes as one line, fit for a terminal.
pub fn sentence(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain() {
        let system = cause.downcast_ref::<io::Error>().and_then(in_words);
        let cause = system.map_or_else(|| cause.to_string(), str::to_owned);
        if !text.contains(&cause) {
            let colon = if text.is_empty() { "" } else { ": " };
            text.push_str(colon);
            text.push_str(&cause);
        }
    }
    without_controls(&cut(&text, LONGEST_ERROR))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_pass_and_nothing_else() {
        for fine in ["plain", "\x1b[1;31mred\x1b[0m ♠\n\tnext"] {
            assert_eq!(only_colours(fine), fine);
        }
        let title = "\x1b]0;title\x07 \x1b[2J \x1b[3 \r \u{9b}31m";
        assert_eq!(only_colours(title), "\\u{1b}]0;title\\u{7} \\u{1b}[2J \\u{1b}[3 \\u{d} \\u{9b}31m");
    }

    #[test]
    fn errors_are_one_readable_text() {
        let cause = io::Error::from(io::ErrorKind::NotFound);
        let error = anyhow::Error::new(cause).context("\x1b[31mfile\r cannot be read");
        assert_eq!(sentence(&error), "\\u{1b}[31mfile\\u{d} cannot be read: entity not found");
        #[cfg(unix)]
        {
            let error = anyhow::Error::new(io::Error::from_raw_os_error(28)).context("rows");
            assert_eq!(sentence(&error), "rows: no space is left on the disk; free some and resume");
        }
        assert!(sentence(&anyhow::anyhow!("x".repeat(10_000))).chars().count() <= LONGEST_ERROR);
    }
}
