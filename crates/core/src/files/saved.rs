//! Finished and unfinished games as one line of JSON each, readable by people and programs, replayed exactly.

use std::fmt;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::play::outcome::{Ending, Forfeit};
use crate::rng::{GENERATOR, Rng};
use crate::rules::seat::Seat;
use crate::text::notation::quoted;
use crate::time::clock::TimeControl;

/// The version of the line format that is written; older lines stay readable.
pub const VERSION: u32 = 1;

/// One game. The field order is the order on the line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object in braces")]
pub struct SavedGame {
    /// The format's version.
    pub parlor: u32,
    /// The game's full form.
    pub game: String,
    /// Who sat in each seat: an agent's full form, or a person's name.
    pub seats: Vec<String>,
    /// The seed that the match's streams were forked from.
    pub seed: u64,
    /// The generator of those streams.
    pub rng: String,
    /// The position it began from, if not the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Every action in order, those of chance included, with spaces between.
    pub moves: String,
    /// How it ended.
    pub ending: SavedEnding,
    /// What each seat got; absent while unfinished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payoffs: Option<Vec<f64>>,
    /// How often the agent in each seat recognised its opponent; absent if none tells types of opponents apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recognised: Vec<Recognised>,
    /// What a table needs to resume a match with people; absent once it has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<SavedTable>,
}

/// How often an agent recognised its opponent: the accuracy of Myers 2014, Equation 6, is `right` / `turns`.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recognised {
    /// How many of its decisions offered a choice: at each it said how likely its opponent is of each type.
    pub turns: u64,
    /// At how many of them the likeliest type, the first of equal ones, was the opponent itself.
    pub right: u64,
}

impl Recognised {
    /// Returns whether it was never asked.
    #[must_use]
    pub const fn is_nothing(&self) -> bool {
        self.turns == 0
    }

    /// Returns the share of the turns at which it was right; `None` without any turn.
    #[must_use]
    pub fn accuracy(&self) -> Option<f64> {
        (self.turns > 0).then(|| self.right as f64 / self.turns as f64)
    }
}

impl AddAssign for Recognised {
    fn add_assign(&mut self, more: Recognised) {
        self.turns += more.turns;
        self.right += more.right;
    }
}

/// The table of an interrupted match: what its actions do not tell.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object in braces")]
pub struct SavedTable {
    /// The seats that people play.
    pub people: Vec<Seat>,
    /// Whether agents think on other seats' time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ponder: bool,
    /// Everyone's time.
    #[serde(default)]
    pub time: TimeControl,
    /// For each seat how long its decisions took, in microseconds; empty without clocks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spent_us: Vec<Vec<u64>>,
    /// The random stream of each seat's agent, as it stood.
    pub streams: Vec<Rng>,
}

/// How a saved game ended. On the line it is a text: `finished`, `unfinished`, `seat 0 forfeits: ran out of time`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum SavedEnding {
    /// By the rules.
    Finished,
    /// It did not end.
    Unfinished,
    /// The agent in a seat misbehaved and lost.
    Forfeit {
        /// Whose agent it was.
        seat: Seat,
        /// What it did, in words.
        why: String,
    },
}

impl SavedEnding {
    /// Returns the seat that forfeited, if one did.
    #[must_use]
    pub const fn forfeit(&self) -> Option<Seat> {
        match self {
            SavedEnding::Forfeit { seat, .. } => Some(*seat),
            SavedEnding::Finished | SavedEnding::Unfinished => None,
        }
    }
}

impl From<&Ending> for SavedEnding {
    fn from(ending: &Ending) -> SavedEnding {
        match ending {
            Ending::Finished => SavedEnding::Finished,
            Ending::Abandoned => SavedEnding::Unfinished,
            Ending::Forfeit(forfeit) => forfeit.into(),
        }
    }
}

impl From<&Forfeit> for SavedEnding {
    fn from(forfeit: &Forfeit) -> SavedEnding {
        SavedEnding::Forfeit { seat: forfeit.seat, why: forfeit.why.to_string() }
    }
}

impl fmt::Display for SavedEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SavedEnding::Finished => f.write_str("finished"),
            SavedEnding::Unfinished => f.write_str("unfinished"),
            SavedEnding::Forfeit { seat, why } => write!(f, "seat {seat} forfeits: {why}"),
        }
    }
}

impl From<SavedEnding> for String {
    fn from(ending: SavedEnding) -> String {
        ending.to_string()
    }
}

impl TryFrom<String> for SavedEnding {
    type Error = String;

    fn try_from(text: String) -> Result<SavedEnding, String> {
        let forfeit = || {
            let (seat, why) = text.strip_prefix("seat ")?.split_once(" forfeits: ")?;
            Some(SavedEnding::Forfeit { seat: Seat(seat.parse().ok()?), why: why.to_owned() })
        };
        match text.as_str() {
            "finished" => Ok(SavedEnding::Finished),
            "unfinished" => Ok(SavedEnding::Unfinished),
            _ => forfeit().ok_or_else(|| {
                format!(
                    "{} is not an ending; an ending is `finished`, `unfinished`, or `seat 0 forfeits: …`",
                    quoted(&text)
                )
            }),
        }
    }
}

/// Errors of reading a saved game.
#[derive(Debug, thiserror::Error)]
pub enum SavedError {
    /// It is not the JSON that was expected.
    #[error(
        "not a saved game, character {at}: {wrong}; a saved game is one line like {{\"parlor\":1,\"game\":\"connect\",…}}"
    )]
    Json {
        /// Where, in the line.
        at: usize,
        /// What is wrong there.
        wrong: String,
    },
    /// It was written by a later version.
    #[error("the line has format version {found}, this program reads up to {VERSION}")]
    Version {
        /// What the line says.
        found: u32,
    },
    /// It rests on another generator, so its seed means nothing here.
    #[error("the game was dealt by the generator {}, this program has {GENERATOR}", crate::text::notation::quoted(.found))]
    Generator {
        /// What the line says.
        found: String,
    },
}

impl SavedGame {
    /// Returns the line, without a newline at its end.
    #[must_use]
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("plain data always becomes JSON")
    }

    /// Reads a line.
    ///
    /// # Errors
    /// If it is not a saved game of a version that is known.
    pub fn parse(line: &str) -> Result<SavedGame, SavedError> {
        let saved: SavedGame = serde_json::from_str(line).map_err(|error| {
            // The reader names its place as "line 1 column 4"; the line that people mean is that of the file.
            let text = error.to_string();
            let wrong = text.rsplit_once(" at line ").map_or(text.as_str(), |(wrong, _)| wrong).to_owned();
            SavedError::Json { at: error.column(), wrong }
        })?;
        if !(1..=VERSION).contains(&saved.parlor) {
            return Err(SavedError::Version { found: saved.parlor });
        }
        if saved.rng != GENERATOR {
            return Err(SavedError::Generator { found: saved.rng });
        }
        Ok(saved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ending, Fault, Forfeit, Seat};
    use proptest::prelude::*;

    const LINE: &str = r#"{"parlor":1,"game":"tictactoe(rows=3, columns=3, lines=windows)","seats":["random","you"],"seed":7,"rng":"xoshiro256++","moves":"a1 b2","ending":"unfinished"}"#;

    #[test]
    fn lines_survive() {
        let saved = SavedGame::parse(LINE).unwrap();
        assert_eq!(saved.line(), LINE);
        assert_eq!(saved.moves, "a1 b2");
    }

    #[test]
    fn endings_survive_and_others_are_refused() {
        let with = |ending: &str| SavedGame::parse(&LINE.replace("unfinished", ending));
        let forfeit =
            Ending::Forfeit(Forfeit { seat: Seat(1), why: Fault::Illegal("forfeits: b9".to_owned()) });
        let saved = with(&forfeit.to_string()).unwrap();
        assert_eq!(saved.ending, SavedEnding::from(&forfeit));
        assert_eq!(saved.ending.forfeit(), Some(Seat(1)));
        assert_eq!(saved.ending.to_string(), forfeit.to_string());
        assert_eq!(with("finished").unwrap().ending.forfeit(), None);
        for wrong in ["", "abandoned", "seat of the problem", "seat x forfeits: why", "seat 1 forfeits"] {
            assert!(matches!(with(wrong), Err(SavedError::Json { .. })), "{wrong}");
        }
    }

    #[test]
    fn tables_survive_and_streams_of_zeros_are_refused() {
        let table = r#","table":{"people":[1],"time":"5m","spent_us":[[7],[]],"streams":[{"s":[1,2,3,4]}]}}"#;
        let line = format!("{}{table}", LINE.strip_suffix('}').unwrap());
        let saved = SavedGame::parse(&line).unwrap();
        assert_eq!(saved.table.as_ref().unwrap().people, [Seat(1)]);
        assert_eq!(saved.line(), line);
        let zeros = line.replace("[1,2,3,4]", "[0,0,0,0]");
        assert!(SavedGame::parse(&zeros).unwrap_err().to_string().contains("not one of a random stream"));
    }

    #[test]
    fn later_versions_and_other_generators_are_refused() {
        let later = LINE.replace("\"parlor\":1", "\"parlor\":2");
        assert!(SavedGame::parse(&later).unwrap_err().to_string().contains("format version 2"));
        let other = LINE.replace("xoshiro256++", "dice");
        assert!(SavedGame::parse(&other).unwrap_err().to_string().contains("generator `dice`"));
    }

    #[test]
    fn nonsense_is_told_in_words() {
        let says = |line: &str| SavedGame::parse(line).unwrap_err().to_string();
        assert!(says("null").starts_with(
            "not a saved game, character 4: invalid type: null, expected an object in braces; "
        ));
        assert!(
            says("{}").starts_with(
                "not a saved game, character 2: missing field `parlor`; a saved game is one line"
            )
        );
    }

    proptest! {
        #[test]
        fn never_panics(at in 0..LINE.len(), c in any::<char>()) {
            let mut chars: Vec<char> = LINE.chars().collect();
            chars[at] = c;
            let _ = SavedGame::parse(&chars.into_iter().collect::<String>());
        }
    }
}
