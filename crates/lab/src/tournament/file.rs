//! Tournaments written in TOML.
//!
//! ```toml
//! game = "dominoes"
//! agents = ["expert", "scoring", "random"]
//! kind = "round-robin"    # or "gauntlet": the first agent meets all others
//! pairs = 100
//! seed = 1
//! time = "none"
//! ```
//!
//! Every complaint says where it is and what would be right.

use parlor_core::TimeControl;
use parlor_core::suggest::closest;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Kind;

/// A tournament as it was typed: well-formed, but not yet checked against games and agents.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// The game's spec.
    pub game: Placed,
    /// The agents' specs.
    pub agents: Vec<Placed>,
    /// Who meets whom.
    pub kind: Kind,
    /// How many pairs each pairing plays, if the file says so.
    pub pairs: Option<u64>,
    /// The seed, if the file says so.
    pub seed: Option<u64>,
    /// The time each agent has, if the file says so.
    pub time: Option<TimeControl>,
}

/// A text and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placed {
    /// The text.
    pub text: String,
    /// Where.
    pub at: Place,
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

/// Every key, with an example of what it takes.
const KEYS: [(&str, &str); 6] = [
    ("game", "\"dominoes\""),
    ("agents", "[\"expert\", \"random\"]"),
    ("kind", "\"round-robin\" or \"gauntlet\""),
    ("pairs", "100, a whole number from 1 to 100000000"),
    ("seed", "1, a whole number from 0 on"),
    ("time", "\"5m+2s\" or \"none\""),
];

/// The most pairs of a pairing.
pub const MOST_PAIRS: u64 = 100_000_000;

impl Request {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// If it is not TOML, has unknown keys or values that do not fit, or lacks the game or the agents.
    pub fn read(text: &str) -> Result<Request, FileError> {
        let source = Source { text };
        let table = DeTable::parse(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            source.error(at, format!("this is not TOML: {}", error.message()))
        })?;
        let table = table.into_inner();
        let mut keys: Vec<_> = table.keys().collect();
        // The table is sorted by name, but the first slip in the file is the one to tell.
        keys.sort_by_key(|key| key.span().start);
        for key in keys {
            source.check_key(key)?;
        }
        let find = |name: &str| table.iter().find(|(key, _)| key.get_ref() == name).map(|(_, value)| value);
        let missing = |name| {
            let at = source.text.trim_end().len();
            source.error(at, format!("`{name}` is missing; write {name} = {}", example(name)))
        };
        let agents = find("agents").ok_or_else(|| missing("agents"))?;
        Ok(Request {
            game: source.text("game", find("game").ok_or_else(|| missing("game"))?)?,
            agents: match agents.get_ref() {
                DeValue::Array(list) => {
                    list.iter().map(|agent| source.text("agents", agent)).collect::<Result<_, _>>()?
                }
                _ => return Err(source.unfit("agents", agents)),
            },
            kind: find("kind").map(|value| source.kind(value)).transpose()?.unwrap_or_default(),
            pairs: find("pairs").map(|value| source.whole("pairs", value, 1..=MOST_PAIRS)).transpose()?,
            seed: find("seed").map(|value| source.whole("seed", value, 0..=u64::MAX)).transpose()?,
            time: find("time").map(|value| source.time(value)).transpose()?,
        })
    }
}

fn example(name: &str) -> &'static str {
    KEYS.iter().find(|(key, _)| *key == name).map_or("", |(_, example)| example)
}

/// The text, for places.
struct Source<'a> {
    text: &'a str,
}

impl Source<'_> {
    fn place(&self, byte: usize) -> Place {
        let before = &self.text[..self.text.floor_char_boundary(byte)];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        Place { line: before.matches('\n').count() + 1, column: before[start..].chars().count() + 1 }
    }

    fn error(&self, byte: usize, wrong: String) -> FileError {
        FileError { at: self.place(byte), wrong }
    }

    fn unfit(&self, key: &str, value: &Spanned<DeValue<'_>>) -> FileError {
        self.error(value.span().start, format!("this does not fit; write {key} = {}", example(key)))
    }

    fn check_key(&self, key: &Spanned<std::borrow::Cow<'_, str>>) -> Result<(), FileError> {
        let names = KEYS.map(|(name, _)| name);
        let typed: &str = key.get_ref();
        if names.contains(&typed) {
            return Ok(());
        }
        let meant =
            closest(typed, names).map_or_else(String::new, |word| format!(" (did you mean `{word}`?)"));
        let wrong = format!("there is no key `{typed}`{meant}; keys: {}", names.join(", "));
        Err(self.error(key.span().start, wrong))
    }

    fn text(&self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<Placed, FileError> {
        match value.get_ref() {
            DeValue::String(text) => {
                Ok(Placed { text: text.to_string(), at: self.place(value.span().start) })
            }
            _ => Err(self.unfit(key, value)),
        }
    }

    fn whole(
        &self,
        key: &str,
        value: &Spanned<DeValue<'_>>,
        range: std::ops::RangeInclusive<u64>,
    ) -> Result<u64, FileError> {
        let number = match value.get_ref() {
            DeValue::Integer(number) => u64::from_str_radix(number.as_str(), number.radix()).ok(),
            _ => None,
        };
        number.filter(|number| range.contains(number)).ok_or_else(|| self.unfit(key, value))
    }

    fn kind(&self, value: &Spanned<DeValue<'_>>) -> Result<Kind, FileError> {
        let typed = self.text("kind", value)?.text;
        match typed.as_str() {
            "round-robin" => Ok(Kind::RoundRobin),
            "gauntlet" => Ok(Kind::Gauntlet),
            _ => Err(self.unfit("kind", value)),
        }
    }

    fn time(&self, value: &Spanned<DeValue<'_>>) -> Result<TimeControl, FileError> {
        self.text("time", value)?
            .text
            .parse()
            .map_err(|error: parlor_core::ReadError| self.error(value.span().start, error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "game = \"dominoes\"\nagents = [\"expert\", \"random\"]\nkind = \"gauntlet\"\npairs = 1_000\nseed = 0xffffffffffffffff\ntime = \"300s\"\n";

    #[test]
    fn reads_every_key() {
        let request = Request::read(WHOLE).unwrap();
        assert_eq!(request.game.text, "dominoes");
        assert_eq!(request.agents[1].at, Place { line: 2, column: 21 });
        assert_eq!((request.kind, request.pairs, request.seed), (Kind::Gauntlet, Some(1000), Some(u64::MAX)));
        assert_eq!(request.time.unwrap().to_string(), "5m");
        let short = Request::read("agents = []\ngame = 'x'").unwrap();
        assert_eq!((short.kind, short.pairs, short.seed), (Kind::RoundRobin, None, None));
    }

    #[test]
    fn says_where_and_what_would_be_right() {
        let says = |from: &str, to: &str| Request::read(&WHOLE.replace(from, to)).unwrap_err().to_string();
        assert_eq!(
            says("pairs", "pars"),
            "line 4, column 1: there is no key `pars` (did you mean `pairs`?); keys: game, agents, kind, pairs, seed, time"
        );
        assert_eq!(
            says("1_000", "0"),
            "line 4, column 9: this does not fit; write pairs = 100, a whole number from 1 to 100000000"
        );
        assert!(
            says("\"gauntlet\"", "\"ladder\"").starts_with("line 3, column 8: this does not fit; write kind")
        );
        assert!(
            says("\"random\"", "7").starts_with("line 2, column 21: this does not fit; write agents = [")
        );
        assert!(says("300s", "300").starts_with("line 6, column 8: time control"));
        assert!(says("game = \"dominoes\"\n", "").ends_with("`game` is missing; write game = \"dominoes\""));
        assert!(says("\"expert\",", "\"expert\"").starts_with("line 2, column 20: this is not TOML"));
        assert!(says("seed", "é").starts_with("line 5, column 1: this is not TOML"));
        assert!(says("kind", "[table]\nkind").starts_with("line 3, column 2: there is no key `table`"));
    }

    #[test]
    fn never_panics_on_mutations() {
        for at in 0..WHOLE.len() {
            for c in ['"', '\n', '[', '=', 'é', '\0', '9'] {
                let mut chars: Vec<char> = WHOLE.chars().collect();
                chars[at] = c;
                let _ = Request::read(&chars.into_iter().collect::<String>());
            }
            let _ = Request::read(&WHOLE[..at]);
        }
    }
}
