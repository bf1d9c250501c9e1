//! The guide's page on JSON: every call is run, and what it prints is compared with the tables, both ways.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

use crate::place::Place;

/// A small experiment of one's own, for the calls that need one.
const MINE: &str = include_str!("json_page.toml");

/// The types that a field may have.
type Types = BTreeSet<String>;

/// A document of the page: the calls that print it, and its fields.
#[derive(Default, Debug)]
struct Document {
    name: String,
    calls: Vec<String>,
    fields: BTreeMap<String, Types>,
    /// Places that have the fields of another document.
    parts: Vec<(String, String)>,
}

fn page() -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/json.md");
    std::fs::read_to_string(path).unwrap()
}

/// Returns what stands between backticks.
fn in_backticks(text: &str) -> impl Iterator<Item = String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned)
}

fn documents(page: &str) -> Vec<Document> {
    let mut all: Vec<Document> = Vec::new();
    for line in page.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            all.push(Document { name: name.to_owned(), ..Document::default() });
        }
        let Some(document) = all.last_mut() else { continue };
        if let Some(call) = line.strip_prefix("$ parlor ") {
            document.calls.push(call.to_owned());
        }
        if line.starts_with("| `") {
            let cells: Vec<&str> = line.split(" | ").collect();
            if let Some(other) = cells[1].strip_prefix("as [") {
                let other = other.split(']').next().unwrap().to_owned();
                document.parts.extend(in_backticks(cells[0]).map(|place| (place, other.clone())));
                continue;
            }
            let types: Types = cells[1].split(", ").map(|kind| kind.trim().to_owned()).collect();
            for field in in_backticks(cells[0]) {
                let known = document.fields.insert(field.clone(), types.clone());
                assert!(known.is_none(), "{}: `{field}` stands there twice", document.name);
            }
        }
    }
    all
}

/// Returns the fields of the parts of a document.
fn parts(all: &[Document], document: &Document, depth: usize) -> BTreeMap<String, Types> {
    let mut fields = BTreeMap::new();
    for (place, name) in document.parts.iter().filter(|_| depth < 3) {
        let other = all.iter().find(|other| other.name == *name);
        let other = other.unwrap_or_else(|| panic!("{}: there is no `{name}`", document.name));
        let inner = if other.name == document.name { BTreeMap::new() } else { parts(all, other, depth + 1) };
        for (field, types) in other.fields.iter().chain(&inner) {
            fields.insert(format!("{place}.{field}"), types.clone());
        }
    }
    fields
}

/// Splits a call into words as a shell does.
fn words(call: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), String::new(), false);
    for c in call.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(std::mem::take(&mut word)),
            c => word.push(c),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// Collects the places of all values with their types: `agents[].elo` is a number.
fn collect(at: &str, value: &Value, found: &mut BTreeMap<String, BTreeSet<String>>) {
    let kind = match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (key, value) in fields {
                let place = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
                collect(&place, value, found);
            }
            return;
        }
        Value::Array(items) if !items.is_empty() => {
            items.iter().for_each(|item| collect(&format!("{at}[]"), item, found));
            return;
        }
        Value::Object(_) => "object",
        Value::Array(_) => "list",
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "text",
    };
    found.entry(at.to_owned()).or_default().insert(kind.to_owned());
}

/// Returns whether a field of the page means a place in a document. `<…>` stands for any key.
fn means(field: &str, place: &str) -> bool {
    let (mut left, mut right) = (field.split('.'), place.split('.'));
    loop {
        match (left.next(), right.next()) {
            (None, None) => return true,
            // Such a key may have dots of its own; it is the last one.
            (Some(key), Some(_)) if key.starts_with('<') => return true,
            (Some(key), Some(found)) if key == found => {}
            _ => return false,
        }
    }
}

/// Returns whether a place is inside a field that is null or empty in some documents: `thought.depth` of `thought`.
fn is_inside(place: &str, field: &str) -> bool {
    field.strip_prefix(place).is_some_and(|rest| rest.starts_with(['.', '[']))
}

fn fits(kind: &str, types: &BTreeSet<String>) -> bool {
    types.contains(kind) || (kind == "integer" && types.contains("number"))
}

#[test]
fn the_page_lists_what_the_program_prints() {
    let place = Place::new();
    std::fs::write(place.path("mine.toml"), MINE).unwrap();
    let program = assert_cmd::cargo::cargo_bin("parlor");
    let paths = [program.parent().unwrap().to_owned()];
    let inherited = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(paths.into_iter().chain(std::env::split_paths(&inherited))).unwrap();
    let mut wrong = Vec::new();
    let all = documents(&page());
    for document in all.iter().filter(|document| !document.calls.is_empty()) {
        let mut known = parts(&all, document, 0);
        known.extend(document.fields.clone());
        let mut found = BTreeMap::new();
        for call in &document.calls {
            let words = words(call);
            let mut command: Command = place.parlor(&words.iter().map(String::as_str).collect::<Vec<_>>());
            command.current_dir(Path::new(&place.path("mine.toml")).parent().unwrap()).env("PATH", &path);
            let output = command.output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            assert!(
                matches!(output.status.code(), Some(0 | 1)),
                "parlor {call}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            if !words.iter().any(|word| word == "--json") {
                continue;
            }
            for line in text.lines() {
                let value: Value =
                    serde_json::from_str(line).unwrap_or_else(|error| panic!("{call}: {error}"));
                assert!(value.is_array() || value["version"] == 1, "parlor {call} has no version");
                collect("", &value, &mut found);
            }
        }
        found.remove("version");
        for (at, kinds) in &found {
            let fields: Vec<&String> = known.keys().filter(|field| means(field, at)).collect();
            match fields.first() {
                Some(field) => {
                    for kind in kinds.iter().filter(|kind| !fits(kind, &known[*field])) {
                        wrong.push(format!("{}: `{field}` is {kind}, too", document.name));
                    }
                }
                None if kinds.iter().all(|kind| ["null", "list", "object"].contains(&kind.as_str()))
                    && known.keys().any(|field| is_inside(at, field)) => {}
                None => wrong.push(format!("{}: `{at}` ({kinds:?}) is not on the page", document.name)),
            }
        }
        for field in document.fields.keys().filter(|field| !found.keys().any(|at| means(field, at))) {
            wrong.push(format!("{}: `{field}` is on the page, but was not printed", document.name));
        }
    }
    assert!(wrong.is_empty(), "docs/guide/json.md:\n{}", wrong.join("\n"));
}

/// Returns the commands with `--json`, by walking through all help texts.
fn with_json(place: &Place, command: &[&str], found: &mut Vec<String>) {
    let help = place.stdout(&[command, &["--help"]].concat());
    if help.lines().any(|line| line.trim_start().starts_with("--json")) {
        found.push(command.join(" "));
    }
    let lists = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let names: Vec<&str> = if command.is_empty() {
        // The list of the program is in groups.
        help.lines()
            .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
            .filter_map(|line| line.split_whitespace().next())
            .filter(|word| word.chars().all(|c| c.is_ascii_lowercase() || c == '-') && !word.starts_with('-'))
            .collect()
    } else {
        lists
            .take_while(|line| line.starts_with("  "))
            .filter(|line| !line.starts_with("   "))
            .filter_map(|line| line.split_whitespace().next())
            .collect()
    };
    for name in names.into_iter().filter(|name| *name != "help") {
        let call: Vec<&str> = command.iter().copied().chain([name]).collect();
        if place.parlor(&[&call[..], &["--help"]].concat()).output().unwrap().status.success() {
            with_json(place, &call, found);
        }
    }
}

#[test]
fn every_command_with_json_is_on_the_page() {
    let place = Place::new();
    let mut commands = Vec::new();
    with_json(&place, &[], &mut commands);
    assert!(commands.len() > 25, "{commands:?}");
    let calls: Vec<String> = documents(&page()).into_iter().flat_map(|document| document.calls).collect();
    let missing = commands.iter().filter(|command| {
        !calls.iter().any(|call| call.starts_with(&format!("{command} ")) && call.contains("--json"))
    });
    let missing: Vec<&String> = missing.collect();
    assert!(missing.is_empty(), "docs/guide/json.md has no {missing:?}");
}
