//! The plan of a training: its stages, each with a length, opponents and settings of the learner; as a text and in TOML.
//!
//! `10x50(against=earlier, epsilon=0.25)` is a stage of 10 rounds of 50 matches; stages follow each other with `then`.

use std::collections::BTreeMap;
use std::fmt::Write;

use parlor_core::files::knowledge::Stage;
use parlor_core::{Spec, SpecError};
use toml::de::DeValue;

use crate::toml_reader::{FileError, Keys, Placed, Section, Source, Value};

/// What stands between two stages.
const THEN: &str = " then ";

/// The key of a stage's opponents; every other key is one of the learner.
const AGAINST: &str = "against";

/// The most rounds, and the most matches of a round.
pub const MOST: u64 = 1_000_000_000;

/// The keys of `[[stage]]`.
pub(crate) const STAGE: &Keys = &[
    ("rounds", "10, a whole number from 1 on"),
    ("matches", "50, a whole number from 1 on"),
    (AGAINST, "\"baseline\", or a list of agents that are met in turn"),
    ("settings", "{ epsilon = 0.1 }, keys of the learner"),
];

const FILE: &Keys = &[("stage", "tables, each under [[stage]]")];

/// A text that is not a plan.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlanError {
    /// Rounds and matches are missing.
    #[error(
        "`{0}` is not a plan; it takes rounds x matches, such as 50x200, each from 1 to {MOST}, with settings in parentheses: 10x50(against=random, epsilon=0.1) then 50x200"
    )]
    Length(String),
    /// What is in parentheses is not well-formed.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A key has two values.
    #[error("the stage `{stage}` has two values for `{key}`")]
    Twice {
        /// The stage.
        stage: String,
        /// The key.
        key: String,
    },
}

/// Reads a plan; a stage without opponents has `against`.
///
/// # Errors
/// If a stage is not `ROUNDSxMATCHES`, or its settings are not well-formed.
pub fn parse(text: &str, against: &[String]) -> Result<Vec<Stage>, PlanError> {
    text.split(THEN).map(|stage| parse_stage(stage.trim(), against)).collect()
}

fn parse_stage(text: &str, against: &[String]) -> Result<Stage, PlanError> {
    let length = || PlanError::Length(text.to_owned());
    // Blanks around the sign were always read.
    let open = text.find('(').unwrap_or(text.len());
    let number = |word: &str| word.trim().parse::<u64>().ok().filter(|number| (1..=MOST).contains(number));
    let (rounds, round) = text[..open].split_once(['x', '×']).ok_or_else(length)?;
    let (rounds, round) = number(rounds).zip(number(round)).ok_or_else(length)?;
    let mut stage = Stage { rounds, round, ..Stage::default() };
    if open < text.len() {
        for (key, value) in Spec::parse(&format!("stage{}", &text[open..]))?.pairs {
            if key == AGAINST {
                stage.against.push(value);
            } else if stage.settings.insert(key.clone(), value).is_some() {
                return Err(PlanError::Twice { stage: text.to_owned(), key });
            }
        }
    }
    if stage.against.is_empty() {
        stage.against = against.to_vec();
    }
    Ok(stage)
}

/// Returns a plan as a text that [`parse`] reads.
#[must_use]
pub fn write(stages: &[Stage]) -> String {
    let mut text = String::new();
    for stage in stages {
        if !text.is_empty() {
            text.push_str(THEN);
        }
        let _ = write!(text, "{}x{}", stage.rounds, stage.round);
        let against = stage.against.iter().map(|agent| (AGAINST.to_owned(), agent.clone()));
        let settings = stage.settings.iter().map(|(key, value)| (key.clone(), value.clone()));
        let spec = Spec { name: "stage".to_owned(), pairs: against.chain(settings).collect() }.to_string();
        text.push_str(spec.trim_start_matches("stage"));
    }
    text
}

/// Reads a file of `[[stage]]` tables; a stage without opponents has `against`.
///
/// # Errors
/// If it is not TOML, has unknown keys or values that do not fit, or no stage.
pub fn read(text: &str, against: &[String]) -> Result<Vec<Stage>, FileError> {
    let source = Source { text };
    let table = source.parse()?;
    let file = Section::whole(source, &table, FILE)?;
    let stages = tables(&file, against)?;
    if stages.is_empty() { Err(file.missing("stage")) } else { Ok(stages) }
}

/// Reads the tables `[[stage]]` of a file; none if there are none.
pub(crate) fn tables(file: &Section<'_, '_>, against: &[String]) -> Result<Vec<Stage>, FileError> {
    let source = file.source();
    file.tables("stage")?
        .into_iter()
        .map(|value| {
            let stage = PlacedStage::read(&Section::within(source, value, "[[stage]]", STAGE)?)?;
            let typed = |agents: Vec<Placed>| agents.into_iter().map(|agent| agent.text).collect();
            Ok(Stage {
                rounds: stage.rounds,
                round: stage.matches,
                against: stage.against.map_or_else(|| against.to_vec(), typed),
                settings: stage.settings.into_iter().map(|(key, value)| (key, value.text)).collect(),
            })
        })
        .collect()
}

/// A stage with the places of its texts in a file.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PlacedStage {
    pub rounds: u64,
    pub matches: u64,
    pub against: Option<Vec<Placed>>,
    pub settings: BTreeMap<String, Placed>,
}

impl PlacedStage {
    /// Reads a table with the keys of [`STAGE`].
    pub fn read(section: &Section<'_, '_>) -> Result<PlacedStage, FileError> {
        let number = |key: &str| section.whole_number(key, section.need(key)?, 1..=MOST);
        Ok(PlacedStage {
            rounds: number("rounds")?,
            matches: number("matches")?,
            against: section.optional(AGAINST, texts)?,
            settings: section.optional("settings", settings)?.unwrap_or_default(),
        })
    }
}

/// Returns one text, or a list of them that is not empty.
fn texts(section: &Section<'_, '_>, key: &str, value: &Value<'_>) -> Result<Vec<Placed>, FileError> {
    let DeValue::Array(list) = value.get_ref() else { return Ok(vec![section.placed(key, value)?]) };
    if list.is_empty() {
        return Err(section.unfit(key, value));
    }
    list.iter().map(|text| section.placed(key, text)).collect()
}

/// Returns the values of a table as a spec has them.
fn settings(
    section: &Section<'_, '_>,
    key: &str,
    value: &Value<'_>,
) -> Result<BTreeMap<String, Placed>, FileError> {
    let DeValue::Table(table) = value.get_ref() else { return Err(section.unfit(key, value)) };
    table
        .iter()
        .map(|(name, value)| Ok((name.get_ref().to_string(), setting(section, key, value)?)))
        .collect()
}

/// Returns a text, a number or a switch as a spec has it.
pub(crate) fn setting(section: &Section<'_, '_>, key: &str, value: &Value<'_>) -> Result<Placed, FileError> {
    let text = match value.get_ref() {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Boolean(on) => if *on { "on" } else { "off" }.to_owned(),
        _ => return Err(section.unfit(key, value)),
    };
    Ok(Placed { text, at: section.source().place(value.span().start) })
}

/// Returns a learner's spec with the values that a stage has for some keys.
///
/// # Errors
/// If the spec is not well-formed.
pub fn with_settings(learner: &str, settings: &BTreeMap<String, String>) -> Result<String, SpecError> {
    let mut spec = Spec::parse(learner)?;
    for (key, value) in settings {
        match spec.pairs.iter_mut().find(|(known, _)| known == key) {
            Some((_, old)) => old.clone_from(value),
            None => spec.pairs.push((key.clone(), value.clone())),
        }
    }
    Ok(spec.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn itself() -> Vec<String> {
        vec!["self".to_owned()]
    }

    fn plan() -> Vec<Stage> {
        let settings = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect()
        };
        let against = vec!["mcts(sims=5, c=1)".to_owned(), "random".to_owned()];
        vec![
            Stage { rounds: 1, round: 50, against, settings: settings(&[("epsilon", "0.5")]) },
            Stage { rounds: 10, round: 200, against: itself(), settings: BTreeMap::new() },
        ]
    }

    #[test]
    fn text_and_toml_say_the_same() {
        let text = "1x50(against=mcts(sims=5, c=1), against=random, epsilon=0.5) then 10x200";
        assert_eq!(parse(text, &itself()).unwrap(), plan());
        assert_eq!(parse(&write(&plan()), &[]).unwrap(), plan());
        let toml = "[[stage]]\nrounds = 1\nmatches = 50\nagainst = [\"mcts(sims=5, c=1)\", \"random\"]\n\
                    settings = { epsilon = 0.5 }\n[[stage]]\nrounds = 10\nmatches = 200";
        assert_eq!(read(toml, &itself()).unwrap(), plan());
    }

    #[test]
    fn the_guide_has_one_plan_in_both_forms() {
        let page = include_str!("../../../docs/guide/learning.md");
        let text = page.split("--plan '").nth(1).and_then(|rest| rest.split('\'').next()).unwrap();
        let file = include_str!("../../../docs/guide/plans/columns.toml");
        let stages = read(file, &itself()).unwrap();
        assert_eq!(parse(text, &itself()).unwrap(), stages);
        assert_eq!(stages.iter().map(|stage| stage.rounds).sum::<u64>(), 61);
    }

    #[test]
    fn lengths_alone_are_a_plan() {
        for text in ["50x200", " 50 x 200 ", "50×200"] {
            let stages = parse(text, &itself()).unwrap();
            assert_eq!((stages.len(), stages[0].rounds, stages[0].round), (1, 50, 200), "{text}");
        }
    }

    #[test]
    fn what_is_no_plan_gets_a_sentence() {
        for text in
            ["", "50", "0x5", "5x0", "axb", "5x5x5", "5x5 then", "5x5(", "5x5(epsilon)", "1000000001x1"]
        {
            assert!(parse(text, &itself()).is_err(), "{text}");
        }
        let twice = parse("1x1(epsilon=1, epsilon=2)", &itself()).unwrap_err();
        assert_eq!(twice.to_string(), "the stage `1x1(epsilon=1, epsilon=2)` has two values for `epsilon`");
        let place = |toml: &str| read(toml, &itself()).map_err(|error| (error.at.line, error.at.column));
        assert_eq!(place("stage = []"), Err((1, 11)));
        assert_eq!(place("[[stage]]\nrounds = 1"), Err((1, 1)));
        assert_eq!(place("[[stage]]\nrounds = 1\nmatches = 1\nepsilon = 1"), Err((4, 1)));
        assert_eq!(place("[[stage]]\nrounds = 1\nmatches = 1\nsettings = 1"), Err((4, 12)));
    }

    #[test]
    fn settings_replace_those_of_the_learner() {
        let settings = [("a", "3"), ("c", "x")].map(|(key, value)| (key.to_owned(), value.to_owned()));
        assert_eq!(with_settings("l(a=1, b=2)", &settings.into()).unwrap(), "l(a=3, b=2, c=x)");
    }
}
