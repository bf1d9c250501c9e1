//! Files that people write in TOML: keys that are known, values that fit, and complaints that say where.
//!
//! A kind of file lists its keys, each with an example of what it takes; the examples are what a complaint tells to write.

use std::ops::RangeInclusive;

use parlor_core::text::suggest::closest;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A text and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placed {
    /// The text.
    pub text: String,
    /// Where.
    pub at: Place,
}

impl std::fmt::Display for Placed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

/// A place in a file, both numbers from 1.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// What is wrong with a file, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{at}: {wrong}")]
pub struct FileError {
    /// Where.
    pub at: Place,
    /// What is wrong, and what would be right.
    pub wrong: String,
}

/// Keys, each with an example of what it takes.
pub(crate) type Keys = [(&'static str, &'static str)];

/// A value and where it stands.
pub(crate) type Value<'i> = Spanned<DeValue<'i>>;

/// The text of a file, for places.
#[derive(Copy, Clone)]
pub(crate) struct Source<'a> {
    pub text: &'a str,
}

impl<'a> Source<'a> {
    /// Returns the file as a table.
    pub fn parse(self) -> Result<DeTable<'a>, FileError> {
        let table = DeTable::parse(self.text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            self.error(at, format!("this is not TOML: {}", error.message()))
        })?;
        Ok(table.into_inner())
    }

    pub fn place(self, byte: usize) -> Place {
        let before = &self.text[..self.text.floor_char_boundary(byte)];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        Place { line: before.matches('\n').count() + 1, column: before[start..].chars().count() + 1 }
    }

    pub fn error(self, byte: usize, wrong: impl Into<String>) -> FileError {
        FileError { at: self.place(byte), wrong: wrong.into() }
    }
}

/// Returns "(did you mean …?)" with a space before it, or nothing if no word is close.
pub(crate) fn did_you_mean<'w>(typed: &str, known: impl IntoIterator<Item = &'w str>) -> String {
    closest(typed, known).map_or_else(String::new, |word| format!(" (did you mean `{word}`?)"))
}

/// One table of a file whose keys are all known.
#[derive(Copy, Clone)]
pub(crate) struct Section<'a, 'i> {
    source: Source<'a>,
    table: &'a DeTable<'i>,
    keys: &'a Keys,
    /// Its heading as it is written, `[[arm]]`; nothing for the file itself.
    heading: &'static str,
    /// Where to say that something is missing.
    at: usize,
}

impl<'a, 'i> Section<'a, 'i> {
    /// Returns the file itself, if it has no other keys than these.
    pub fn whole(source: Source<'a>, table: &'a DeTable<'i>, keys: &'a Keys) -> Result<Self, FileError> {
        let section = Section { source, table, keys, heading: "", at: source.text.trim_end().len() };
        section.check_keys()?;
        Ok(section)
    }

    /// Returns a table inside the file, if it is one and has no other keys than these.
    pub fn within(
        source: Source<'a>,
        value: &'a Value<'i>,
        heading: &'static str,
        keys: &'a Keys,
    ) -> Result<Self, FileError> {
        let at = value.span().start;
        match value.get_ref() {
            DeValue::Table(table) => {
                let section = Section { source, table, keys, heading, at };
                section.check_keys()?;
                Ok(section)
            }
            _ => Err(source.error(at, format!("this must be a table; write {heading}"))),
        }
    }

    fn check_keys(&self) -> Result<(), FileError> {
        let mut typed: Vec<_> = self.table.keys().collect();
        // The table is sorted by name, but the first slip in the file is the one to tell.
        typed.sort_by_key(|key| key.span().start);
        for key in typed {
            let name: &str = key.get_ref();
            if !self.keys.iter().any(|(known, _)| *known == name) {
                let known: Vec<&str> = self.keys.iter().map(|(known, _)| *known).collect();
                let meant = did_you_mean(name, known.iter().copied());
                let place = if self.heading.is_empty() { "keys" } else { self.heading };
                let wrong = format!("there is no key `{name}`{meant}; {place}: {}", known.join(", "));
                return Err(self.source.error(key.span().start, wrong));
            }
        }
        Ok(())
    }

    fn example(&self, name: &str) -> &'static str {
        self.keys.iter().find(|(key, _)| *key == name).map_or("", |(_, example)| example)
    }

    pub fn source(&self) -> Source<'a> {
        self.source
    }

    pub fn get(&self, name: &str) -> Option<&'a Value<'i>> {
        self.table.iter().find(|(key, _)| key.get_ref() == name).map(|(_, value)| value)
    }

    /// Returns a value that must be there.
    pub fn need(&self, name: &str) -> Result<&'a Value<'i>, FileError> {
        self.get(name).ok_or_else(|| self.missing(name))
    }

    pub fn missing(&self, name: &str) -> FileError {
        let place = if self.heading.is_empty() { String::new() } else { format!(" in {}", self.heading) };
        self.source
            .error(self.at, format!("`{name}` is missing{place}; write {name} = {}", self.example(name)))
    }

    /// Returns the complaint that a value does not fit its key.
    pub fn unfit(&self, name: &str, value: &Value<'_>) -> FileError {
        let wrong = format!("this does not fit; write {name} = {}", self.example(name));
        self.source.error(value.span().start, wrong)
    }

    /// Returns a complaint about the value of a key, or about the section if the key is not there.
    pub fn wrong(&self, name: &str, wrong: impl Into<String>) -> FileError {
        self.source.error(self.get(name).map_or(self.at, |value| value.span().start), wrong)
    }

    /// Returns what a value says, read as `read` does; nothing if the key is not there.
    pub fn optional<T>(
        &self,
        name: &str,
        read: impl FnOnce(&Self, &str, &'a Value<'i>) -> Result<T, FileError>,
    ) -> Result<Option<T>, FileError> {
        self.get(name).map(|value| read(self, name, value)).transpose()
    }

    pub fn placed(&self, name: &str, value: &Value<'_>) -> Result<Placed, FileError> {
        match value.get_ref() {
            DeValue::String(text) => {
                Ok(Placed { text: text.to_string(), at: self.source.place(value.span().start) })
            }
            _ => Err(self.unfit(name, value)),
        }
    }

    /// Returns a text that must be there.
    pub fn text(&self, name: &str) -> Result<Placed, FileError> {
        self.placed(name, self.need(name)?)
    }

    /// Returns a text of several words or lines with single spaces between the words.
    pub fn prose(&self, name: &str, value: &Value<'_>) -> Result<String, FileError> {
        let text = self.placed(name, value)?.text;
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.is_empty() { Err(self.unfit(name, value)) } else { Ok(words.join(" ")) }
    }

    pub fn whole_number(
        &self,
        name: &str,
        value: &Value<'_>,
        range: RangeInclusive<u64>,
    ) -> Result<u64, FileError> {
        let number = match value.get_ref() {
            DeValue::Integer(number) => u64::from_str_radix(number.as_str(), number.radix()).ok(),
            _ => None,
        };
        number.filter(|number| range.contains(number)).ok_or_else(|| self.unfit(name, value))
    }

    /// Returns a finite number.
    pub fn number(&self, name: &str, value: &Value<'_>) -> Result<f64, FileError> {
        let number = match value.get_ref() {
            DeValue::Integer(number) => {
                i64::from_str_radix(number.as_str(), number.radix()).ok().map(|n| n as f64)
            }
            DeValue::Float(number) => number.as_str().parse().ok(),
            _ => None,
        };
        number.filter(|number: &f64| number.is_finite()).ok_or_else(|| self.unfit(name, value))
    }

    /// Returns the elements of a list.
    pub fn list(&self, name: &str, value: &'a Value<'i>) -> Result<Vec<&'a Value<'i>>, FileError> {
        match value.get_ref() {
            DeValue::Array(list) => Ok(list.iter().collect()),
            _ => Err(self.unfit(name, value)),
        }
    }

    /// Returns the tables `[[name]]`, in their order; none if there are none.
    pub fn tables(&self, name: &str) -> Result<Vec<&'a Value<'i>>, FileError> {
        Ok(self.optional(name, Self::list)?.unwrap_or_default())
    }
}
