//! Every call of `parlor` that the README and the guide show is one that the command line understands.

use std::fs;
use std::path::{Path, PathBuf};

use clap::FromArgMatches;
use clap::error::ErrorKind;

use crate::commands::{self, Args};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the README, and all pages below `docs`.
fn pages() -> Vec<PathBuf> {
    let (mut pages, mut folders) = (vec![root().join("README.md")], vec![root().join("docs")]);
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// Where a call stands.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Place {
    /// In a console: it is whole.
    Console,
    /// In a table: it may be the name of a command.
    Table,
}

/// Returns the calls of a page: lines of a console, and code in tables.
fn calls(page: &str) -> Vec<(Place, String)> {
    let mut calls = Vec::new();
    for line in page.lines() {
        if let Some(call) = line.trim_start().strip_prefix("$ parlor ") {
            calls.push((Place::Console, call.to_owned()));
        } else if line.trim_start().starts_with('|') {
            let code = line.split('`').skip(1).step_by(2);
            // `parlor 1` is a line of the protocol.
            let is_call = |code: &&str| !code.starts_with(|c: char| c.is_ascii_digit());
            let code = code.filter_map(|code| code.strip_prefix("parlor ")).filter(is_call);
            calls.extend(code.map(|code| (Place::Table, code.to_owned())));
        }
    }
    calls
}

/// Splits a call into words as a shell does, up to a comment or what is done with its output; `None` if words are left out.
fn words(call: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in call.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (None, '#' | '|' | '>' | '&' | '<') if word.is_none() => break,
            (None, '…' | '\\') => return None,
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Some(words)
}

#[test]
fn every_call_in_the_docs_is_understood() {
    let parser = commands::parser();
    let (mut wrong, mut read) = (Vec::new(), 0);
    for path in pages() {
        for (place, call) in calls(&fs::read_to_string(&path).unwrap()) {
            let Some(words) = words(&call) else { continue };
            read += 1;
            let words = std::iter::once("parlor".to_owned()).chain(words);
            let typed = parser.clone().try_get_matches_from(words);
            let Err(error) = typed.and_then(|typed| Args::from_arg_matches(&typed)) else { continue };
            let is_fine = match error.kind() {
                // A capital letter stands for a number or a name.
                ErrorKind::ValueValidation | ErrorKind::InvalidValue => true,
                ErrorKind::MissingRequiredArgument
                | ErrorKind::MissingSubcommand
                | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => place == Place::Table,
                _ => error.exit_code() == 0,
            };
            if !is_fine {
                let error = error.to_string();
                wrong.push(format!(
                    "{}: parlor {call}\n  {}",
                    path.display(),
                    error.lines().next().unwrap_or("")
                ));
            }
        }
    }
    assert!(read > 100, "only {read} calls were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn words_are_those_of_a_shell() {
    let words = |call| words(call).map(|words| words.join("/"));
    assert_eq!(words("match 'a(b=1, c=2)' x  # again").as_deref(), Some("match/a(b=1, c=2)/x"));
    assert_eq!(words("solve x --json | jq .value").as_deref(), Some("solve/x/--json"));
    assert_eq!(words("train … --plan 3x4"), None);
    assert_eq!(words("analyse x --position '…'").as_deref(), Some("analyse/x/--position/…"));
}
