//! The line protocol between a referee and an engine in a process of its own, for every game.
//!
//! One message a line, a word and the rest. Either side ignores lines whose first word it does not know, so the
//! protocol can grow. A seat learns what it sees and never more. `docs/guide/engines.md` has transcripts.

mod clocks;

use std::fmt;

pub use clocks::Clocks;

use crate::play::outcome::Actor;
use crate::rules::seat::Seat;
use crate::text::shown::shown;

/// The version that is spoken.
pub const VERSION: u32 = 1;

/// What an engine says for people (its name, why it refuses, what it thinks) is cut to this number of characters.
const LONGEST_TEXT: usize = 200;

/// What the referee says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ToEngine {
    /// `parlor 1`: hello. Answered by any number of `name`/`info` lines and `ready`.
    Hello(u32),
    /// `game SPEC`: the rules of all matches to come. Answered by `ok` or `refuse WHY`.
    Game(String),
    /// `new SEAT`: a new match, in that seat.
    New(Seat),
    /// `see seat0 ACTION` or `see chance ACTION`: something happened that the seat could see.
    See(Actor, String),
    /// `view JSON`: what the seat knows, just before it is asked.
    View(String),
    /// `legal ACTION ACTION …`: what it may do.
    Legal(Vec<String>),
    /// `clock own=MS other=MS …`: what both clocks show. Left out if no time is limited.
    Clock(Box<Clocks>),
    /// `go BITS`: answer with `move ACTION`. The number is 64 random bits for this decision: an engine that takes its
    /// randomness from them plays the same match again for the same seed.
    Go(u64),
    /// `ponder JSON`: another seat is to act; this is what the engine's seat knows, and it may think until `stop`. Said only
    /// where pondering is on, and answered by nothing.
    Ponder(String),
    /// `stop`: no more pondering; or, after `go`, answer at once.
    Stop,
    /// `over PAYOFF …`: the match is over; what each seat got.
    Over(Vec<String>),
    /// `quit`: leave.
    Quit,
}

/// What the engine says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FromEngine {
    /// `name TEXT`: who it is.
    Name(String),
    /// `ready`: hello to you too.
    Ready,
    /// `ok`: it can play that game.
    Ok,
    /// `refuse WHY`: it cannot.
    Refuse(String),
    /// `info TEXT`: what it thinks; for logs.
    Info(String),
    /// `move ACTION`: its decision.
    Move(String),
}

impl fmt::Display for ToEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ToEngine::Hello(version) => write!(f, "parlor {version}"),
            ToEngine::Game(spec) => write!(f, "game {spec}"),
            ToEngine::New(seat) => write!(f, "new {seat}"),
            ToEngine::See(Actor::Seat(seat), action) => write!(f, "see seat{seat} {action}"),
            ToEngine::See(Actor::Chance, action) => write!(f, "see chance {action}"),
            ToEngine::View(json) => write!(f, "view {json}"),
            ToEngine::Legal(actions) => write!(f, "legal {}", actions.join(" ")),
            ToEngine::Clock(clocks) => clocks.fmt(f),
            ToEngine::Go(bits) => write!(f, "go {bits}"),
            ToEngine::Ponder(json) => write!(f, "ponder {json}"),
            ToEngine::Stop => f.write_str("stop"),
            ToEngine::Over(payoffs) => write!(f, "over {}", payoffs.join(" ")),
            ToEngine::Quit => f.write_str("quit"),
        }
    }
}

impl fmt::Display for FromEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FromEngine::Name(text) => write!(f, "name {text}"),
            FromEngine::Ready => f.write_str("ready"),
            FromEngine::Ok => f.write_str("ok"),
            FromEngine::Refuse(why) => write!(f, "refuse {why}"),
            FromEngine::Info(text) => write!(f, "info {text}"),
            FromEngine::Move(action) => write!(f, "move {action}"),
        }
    }
}

/// Splits a line into its first word and the rest.
fn first_word(line: &str) -> (&str, &str) {
    let line = line.trim();
    line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()))
}

impl ToEngine {
    /// Reads a line; `None` for one whose first word is unknown or whose rest does not fit: both are to be ignored.
    #[must_use]
    pub fn read(line: &str) -> Option<ToEngine> {
        let (word, rest) = first_word(line);
        let words = || rest.split_whitespace().map(str::to_owned).collect();
        Some(match word {
            "parlor" => ToEngine::Hello(rest.parse().ok()?),
            "game" => ToEngine::Game(rest.to_owned()),
            "new" => ToEngine::New(Seat(rest.parse().ok()?)),
            "see" => {
                let (who, action) = first_word(rest);
                let actor = match who.strip_prefix("seat") {
                    Some(number) => Actor::Seat(Seat(number.parse().ok()?)),
                    None if who == "chance" => Actor::Chance,
                    None => return None,
                };
                ToEngine::See(actor, action.to_owned())
            }
            "view" => ToEngine::View(rest.to_owned()),
            "legal" => ToEngine::Legal(words()),
            "clock" => ToEngine::Clock(Box::new(Clocks::read(rest))),
            "go" => ToEngine::Go(rest.parse().ok()?),
            "ponder" => ToEngine::Ponder(rest.to_owned()),
            "stop" => ToEngine::Stop,
            "over" => ToEngine::Over(words()),
            "quit" => ToEngine::Quit,
            _ => return None,
        })
    }
}

impl FromEngine {
    /// Reads a line; `None` for one whose first word is unknown: it is to be ignored. Texts for people come back fit to be
    /// [shown].
    #[must_use]
    pub fn read(line: &str) -> Option<FromEngine> {
        let (word, rest) = first_word(line);
        Some(match word {
            "name" => FromEngine::Name(shown(rest, LONGEST_TEXT)),
            "ready" => FromEngine::Ready,
            "ok" => FromEngine::Ok,
            "refuse" => FromEngine::Refuse(shown(rest, LONGEST_TEXT)),
            "info" => FromEngine::Info(shown(rest, LONGEST_TEXT)),
            "move" => FromEngine::Move(rest.to_owned()),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_both_ways() {
        let said = [
            ToEngine::Hello(1),
            ToEngine::Game("connect(width=7, height=6, row=4)".to_owned()),
            ToEngine::New(Seat(1)),
            ToEngine::See(Actor::Seat(Seat(0)), "13@left".to_owned()),
            ToEngine::See(Actor::Chance, "draw:??".to_owned()),
            ToEngine::View("{\"a\":1}".to_owned()),
            ToEngine::Legal(vec!["a1".to_owned(), "b2".to_owned()]),
            ToEngine::Clock(Box::default()),
            ToEngine::Go(u64::MAX),
            ToEngine::Ponder("{\"a\":1}".to_owned()),
            ToEngine::Stop,
            ToEngine::Over(vec!["1".to_owned(), "-1".to_owned()]),
            ToEngine::Quit,
        ];
        for message in said {
            assert_eq!(ToEngine::read(&message.to_string()), Some(message));
        }
        for line in ["name me 1.0", "ready", "ok", "refuse too large", "info depth 3", "move a1"] {
            assert_eq!(FromEngine::read(line).expect("a known word").to_string(), line);
        }
    }

    #[test]
    fn texts_for_people_are_fit_to_be_shown() {
        let name = format!("\u{1b}[31m{}", "x".repeat(500));
        let Some(FromEngine::Name(read)) = FromEngine::read(&format!("name {name}")) else {
            panic!("a name")
        };
        assert!(read.starts_with("\\u{1b}[31mxxx") && read.ends_with("x…") && read.chars().count() < 210);
        assert_eq!(FromEngine::read(&format!("move {name}")), Some(FromEngine::Move(name)));
    }

    proptest! {
        #[test]
        fn unknown_lines_are_ignored(line in "\\PC*") {
            let _ = ToEngine::read(&line);
            let _ = FromEngine::read(&line);
        }
    }
}
