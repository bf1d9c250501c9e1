//! Matches and lessons written in TOML. Tournaments and experiments have files of their own.
//!
//! ```toml
//! game = "dominoes"
//! agents = ["expert", "scoring"]
//! pairs = 100
//! seed = 1
//! time = "none"
//! opening = 0
//! session = 0
//! sprt = [0, 10]          # may end the match early
//! ```
//!
//! ```toml
//! game = "connect(width=7, height=6)"
//! learner = "collective"
//! against = ["self"]
//! testers = ["random"]
//! rounds = 40
//! round = 500             # matches of each round
//! test_matches = 100
//! pairs = 200             # of the measurement at the end
//! deals = 0               # of the comparison with perfect play
//! seed = 1
//! ```
//!
//! In place of `against`, `rounds` and `round`, a lesson may have stages:
//!
//! ```toml
//! [[stage]]
//! rounds = 10
//! matches = 50
//! against = "baseline"
//! settings = { epsilon = 0.5 }
//! ```

use std::collections::BTreeMap;

use parlor_core::files::knowledge::Stage;
use parlor_core::{ReadError, TimeControl};

use super::{Lesson, MatchRequest};
use crate::pairs::{MOST_OPENING, MOST_SESSION};
use crate::stages;
use crate::toml_reader::{FileError, Keys, Section, Source, Value};
use crate::training::{ITSELF, Request};

/// The most pairs of a match.
const MOST_PAIRS: u64 = 100_000_000;

/// The most memory for what a learner knows, in MiB.
const MEMORY_MB: u64 = 64;

const MATCH: &Keys = &[
    ("game", "\"dominoes\""),
    ("agents", "[\"expert\", \"random\"]"),
    ("pairs", "100, a whole number from 1 to 100000000"),
    ("seed", "1, a whole number from 0 on"),
    ("time", "\"5m+2s\" or \"none\""),
    ("opening", "8, a whole number from 0 to 1000"),
    ("session", "10, a whole number from 0 to 1000000"),
    ("sprt", "[0, 10], two differences in Elo"),
];

const LESSON: &Keys = &[
    ("game", "\"tictactoe\""),
    ("learner", "\"collective\""),
    ("against", "[\"self\"]"),
    ("testers", "[\"random\"]"),
    ("rounds", "40, a whole number from 1 to 100000"),
    ("round", "500, a whole number from 1 to 100000000"),
    ("test_matches", "100, a whole number from 1 to 1000000"),
    ("pairs", "200, a whole number from 1 to 1000000"),
    ("deals", "100, a whole number from 0 to 1000000"),
    ("seed", "1, a whole number from 0 on"),
    ("stage", "tables, each under [[stage]]"),
];

fn number(file: &Section<'_, '_>, name: &str, [least, most]: [u64; 2], usual: u64) -> Result<u64, FileError> {
    let found = file.optional(name, |file, key, value| file.whole_number(key, value, least..=most))?;
    Ok(found.unwrap_or(usual))
}

fn texts(file: &Section<'_, '_>, name: &str, value: &Value<'_>) -> Result<Vec<String>, FileError> {
    let list = file.list(name, value)?;
    list.into_iter().map(|text| Ok(file.placed(name, text)?.text)).collect()
}

impl MatchRequest {
    /// Reads a match from a file.
    ///
    /// # Errors
    /// If it is not TOML, has unknown keys or values that do not fit, or lacks the game or the agents.
    pub fn read(text: &str) -> Result<MatchRequest, FileError> {
        let source = Source { text };
        let table = source.parse()?;
        let file = Section::whole(source, &table, MATCH)?;
        let agents = file.need("agents")?;
        let agents: [String; 2] =
            texts(&file, "agents", agents)?.try_into().map_err(|_| file.unfit("agents", agents))?;
        let time = file.optional("time", |file, key, value| {
            let typed = file.placed(key, value)?;
            typed
                .text
                .parse::<TimeControl>()
                .map_err(|error: ReadError| FileError { at: typed.at, wrong: error.to_string() })
        })?;
        let sprt = file.optional("sprt", |file, key, value| {
            let numbers = file.list(key, value)?;
            let numbers: Result<Vec<f64>, FileError> =
                numbers.into_iter().map(|number| file.number(key, number)).collect();
            <[f64; 2]>::try_from(numbers?).map_err(|_| file.unfit(key, value))
        })?;
        Ok(MatchRequest {
            game: file.text("game")?.text,
            agents,
            seed: number(&file, "seed", [0, u64::MAX], 1)?,
            pairs: number(&file, "pairs", [1, MOST_PAIRS], 100)?,
            sprt,
            time: time.unwrap_or_default(),
            opening: number(&file, "opening", [0, u64::from(MOST_OPENING)], 0)? as u32,
            ponder: false,
            session: number(&file, "session", [0, MOST_SESSION], 0)?,
        })
    }
}

impl Lesson {
    /// Reads a lesson from a file, and the game's spec.
    ///
    /// # Errors
    /// If it is not TOML, has unknown keys or values that do not fit, or lacks the game or the learner.
    pub fn read(text: &str, threads: usize) -> Result<(String, Lesson), FileError> {
        let source = Source { text };
        let table = source.parse()?;
        let file = Section::whole(source, &table, LESSON)?;
        let list = |name: &str, usual: &str| -> Result<Vec<String>, FileError> {
            let found = file.optional(name, texts)?.filter(|list| !list.is_empty());
            Ok(found.unwrap_or_else(|| vec![usual.to_owned()]))
        };
        let testers = list("testers", "random")?;
        let against = list("against", ITSELF)?;
        let stages = match stages::tables(&file, &against)? {
            stages if stages.is_empty() => vec![Stage {
                rounds: number(&file, "rounds", [1, 100_000], 40)?,
                round: number(&file, "round", [1, 100_000_000], 500)?,
                against,
                settings: BTreeMap::new(),
            }],
            stages => match ["rounds", "round"].iter().find(|key| file.get(key).is_some()) {
                Some(key) => return Err(file.wrong(key, format!("the stages have their own `{key}`"))),
                None => stages,
            },
        };
        let lesson = Lesson {
            training: Request {
                learner: file.text("learner")?.text,
                stages,
                patience: None,
                regret_deals: 0,
                testers: testers.clone(),
                test_matches: number(&file, "test_matches", [1, 1_000_000], 100)?,
                seed: number(&file, "seed", [0, u64::MAX], 1)?,
                memory_mb: MEMORY_MB,
            },
            opponents: testers,
            pairs: number(&file, "pairs", [1, 1_000_000], 200)?,
            deals: number(&file, "deals", [0, 1_000_000], 0)?,
            threads,
            command: "parlor serve".to_owned(),
        };
        Ok((file.text("game")?.text, lesson))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_are_read() {
        let text = "game = 'tictactoe'\nagents = ['random', 'mcts(sims=9)']\npairs = 7\ntime = '10s'\nsprt = [0, 5.5]\n";
        let request = MatchRequest::read(text).unwrap();
        assert_eq!(request.agents, ["random", "mcts(sims=9)"]);
        assert_eq!((request.pairs, request.seed, request.sprt), (7, 1, Some([0.0, 5.5])));
        assert_eq!(request.time.to_string(), "10s");
        let says =
            |from: &str, to: &str| MatchRequest::read(&text.replace(from, to)).unwrap_err().to_string();
        assert!(says("'random', ", "").starts_with("line 2, column 10: this does not fit; write agents"));
        assert!(says("= 7", "= 0").contains("write pairs = 100"));
        assert!(says("pairs", "pars").contains("did you mean `pairs`?"));
        assert!(says("[0, 5.5]", "[0]").contains("two differences in Elo"));
    }

    #[test]
    fn lessons_are_read() {
        let (game, lesson) =
            Lesson::read("game = 'tictactoe'\nlearner = 'collective'\nrounds = 3\n", 2).unwrap();
        let stage = Stage { rounds: 3, round: 500, against: vec!["self".to_owned()], ..Stage::default() };
        assert_eq!((game.as_str(), lesson.training.stages, lesson.threads), ("tictactoe", vec![stage], 2));
        assert_eq!(lesson.opponents, ["random"]);
        let staged = "game = 'x'\nlearner = 'y'\n[[stage]]\nrounds = 2\nmatches = 9\n[[stage]]\nrounds = 1\nmatches = 5";
        let stages = Lesson::read(staged, 1).unwrap().1.training.stages;
        assert_eq!(stages::write(&stages), "2x9(against=self) then 1x5(against=self)");
        assert!(Lesson::read(&format!("rounds = 3\n{staged}"), 1).is_err());
        assert!(Lesson::read("game = 'x'", 1).unwrap_err().to_string().contains("`learner` is missing"));
    }
}
