//! Tournaments written in TOML.
//!
//! ```toml
//! game = "dominoes"
//! agents = ["expert", "scoring", "random"]
//! kind = "round-robin"    # or "gauntlet": the first agent meets all others
//! pairs = 100
//! seed = 1
//! time = "none"
//! opening = 0             # random moves at the beginning of each pair
//! session = 10            # pairs in a session, in which agents may remember their opponent
//! ```
//!
//! Every complaint says where it is and what would be right.

use parlor_core::{ReadError, TimeControl};

use super::Kind;
use crate::pairs::{MOST_OPENING, MOST_SESSION};
use crate::toml_reader::{FileError, Keys, Placed, Section, Source, Value};

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
    /// How many decisions at the beginning of each pair are random, if the file says so.
    pub opening: Option<u32>,
    /// How many pairs a session has, if the file says so.
    pub session: Option<u64>,
}

/// Every key, with an example of what it takes.
const KEYS: &Keys = &[
    ("game", "\"dominoes\""),
    ("agents", "[\"expert\", \"random\"]"),
    ("kind", "\"round-robin\" or \"gauntlet\""),
    ("pairs", "100, a whole number from 1 to 100000000"),
    ("seed", "1, a whole number from 0 on"),
    ("time", "\"5m+2s\" or \"none\""),
    ("opening", "8, a whole number from 0 to 1000"),
    ("session", "10, a whole number from 0 to 1000000"),
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
        let table = source.parse()?;
        let file = Section::whole(source, &table, KEYS)?;
        let agents = file.list("agents", file.need("agents")?)?;
        Ok(Request {
            game: file.text("game")?,
            agents: agents.into_iter().map(|agent| file.placed("agents", agent)).collect::<Result<_, _>>()?,
            kind: file.optional("kind", kind)?.unwrap_or_default(),
            pairs: file
                .optional("pairs", |file, key, value| file.whole_number(key, value, 1..=MOST_PAIRS))?,
            seed: file.optional("seed", |file, key, value| file.whole_number(key, value, 0..=u64::MAX))?,
            time: file.optional("time", time)?,
            opening: file
                .optional("opening", |file, key, value| {
                    file.whole_number(key, value, 0..=u64::from(MOST_OPENING))
                })?
                .map(|plies| plies as u32),
            session: file
                .optional("session", |file, key, value| file.whole_number(key, value, 0..=MOST_SESSION))?,
        })
    }
}

fn kind(file: &Section<'_, '_>, key: &str, value: &Value<'_>) -> Result<Kind, FileError> {
    match file.placed(key, value)?.text.as_str() {
        "round-robin" => Ok(Kind::RoundRobin),
        "gauntlet" => Ok(Kind::Gauntlet),
        _ => Err(file.unfit(key, value)),
    }
}

fn time(file: &Section<'_, '_>, key: &str, value: &Value<'_>) -> Result<TimeControl, FileError> {
    let typed = file.placed(key, value)?;
    typed.text.parse().map_err(|error: ReadError| FileError { at: typed.at, wrong: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toml_reader::Place;

    const WHOLE: &str = "game = \"dominoes\"\nagents = [\"expert\", \"random\"]\nkind = \"gauntlet\"\npairs = 1_000\nseed = 0xffffffffffffffff\ntime = \"300s\"\nopening = 8\nsession = 10\n";

    #[test]
    fn reads_every_key() {
        let request = Request::read(WHOLE).unwrap();
        assert_eq!(request.game.text, "dominoes");
        assert_eq!(request.agents[1].at, Place { line: 2, column: 21 });
        assert_eq!((request.kind, request.pairs, request.seed), (Kind::Gauntlet, Some(1000), Some(u64::MAX)));
        assert_eq!((request.time.unwrap().to_string().as_str(), request.opening), ("5m", Some(8)));
        assert_eq!(request.session, Some(10));
        let short = Request::read("agents = []\ngame = 'x'").unwrap();
        assert_eq!((short.kind, short.pairs, short.seed), (Kind::RoundRobin, None, None));
    }

    #[test]
    fn says_where_and_what_would_be_right() {
        let says = |from: &str, to: &str| Request::read(&WHOLE.replace(from, to)).unwrap_err().to_string();
        assert_eq!(
            says("pairs", "pars"),
            "line 4, column 1: there is no key `pars` (did you mean `pairs`?); keys: game, agents, kind, pairs, seed, time, opening, session"
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
        assert!(says("= 8", "= 1001").ends_with("write opening = 8, a whole number from 0 to 1000"));
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
