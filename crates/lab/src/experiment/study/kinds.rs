//! The sections of TOML files that are particular to a kind of study.

use super::Participant;
use super::classify::Classify;
use super::duels::{DuelPlayer, Duels, Smaller};
use super::frontier::Frontier;
use super::matches::Matches;
use super::reading::{MOST_REPEATS, PLAYER, TARGET, count, flag, named, participant, participants, section};
use super::recognise::Recognise;
use super::times::PublishedTime;
use crate::toml_reader::{FileError, Keys, Section, Value};

const DUELS: &Keys = &[
    ("baseline", "\"expectimax\", the name of a player"),
    ("repeats", "12, a whole number from 0 to 10000"),
    ("exact", "true"),
    ("ceiling", "true"),
];

const FRONTIER: &Keys = &[
    ("weights", "[0, 0.5, 1], numbers from 0 to 1"),
    ("samples", "8, a whole number from 1 to 10000"),
    ("precision", "0.001"),
    ("full", "true"),
];

const MATCHES: &Keys = &[
    ("baseline", "\"pimc\", the name of a player"),
    ("blocks", "8, a whole number from 1 to 10000"),
    ("pairs", "50, a whole number from 1 to 10000"),
    ("sessions", "true: a block is a session"),
];

const RECOGNISE: &Keys =
    &[("sessions", "200, a whole number from 1 to 10000"), ("games", "10, a whole number from 1 to 10000")];

const CLASSIFY: &Keys = &[
    ("sizes", "[8242, 50291], whole numbers that rise"),
    ("trees", "100, a whole number from 1 to 10000"),
    ("seconds", "[[\"mda\", 8242, 0.05]], players, rows and the source's times"),
];

/// Reads `[duels]`.
pub(super) fn duels(
    file: &Section<'_, '_>,
    quick: Option<&Section<'_, '_>>,
    targets: Vec<Participant>,
) -> Result<Duels, FileError> {
    let own = section(file, "duels", "[duels]", DUELS)?.expect("this section makes it a study of duels");
    let mut players: Vec<DuelPlayer> = Vec::new();
    for value in file.tables("player")? {
        let section = Section::within(file.source(), value, "[[player]]", PLAYER)?;
        let who = participant(&section)?;
        if players.iter().any(|known| known.name == who.name) {
            return Err(section.wrong("name", format!("there are two named `{}`", who.name)));
        }
        players.push(DuelPlayer { who, repeats: section.optional("repeats", count)? });
    }
    if players.is_empty() {
        return Err(file.missing("player"));
    }
    let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
    let baseline = match own.get("baseline") {
        Some(value) => Some(named(&own, "baseline", value, "player", &names)?),
        None => None,
    };
    let smaller = match quick {
        None => Smaller::default(),
        Some(quick) => Smaller {
            repeats: quick.optional("repeats", count)?,
            step: quick.optional("step", |quick, key, value| {
                Ok(quick.whole_number(key, value, 1..=100_000)? as u32)
            })?,
            inexact: quick.optional("exact", flag)? == Some(false),
            without_ceiling: quick.optional("ceiling", flag)? == Some(false),
        },
    };
    Ok(Duels {
        targets,
        baseline,
        repeats: own.optional("repeats", count)?.unwrap_or(0),
        step: 1,
        exact: own.optional("exact", flag)?.unwrap_or(false),
        ceiling: own.optional("ceiling", flag)?.unwrap_or(false),
        smaller,
        players,
    })
}

fn positive(section: &Section<'_, '_>, key: &str, value: &Value<'_>) -> Result<u32, FileError> {
    Ok(section.whole_number(key, value, 1..=MOST_REPEATS)? as u32)
}

/// Reads `[matches]`.
pub(super) fn matches(
    file: &Section<'_, '_>,
    quick: Option<&Section<'_, '_>>,
    targets: Vec<Participant>,
) -> Result<Matches, FileError> {
    let own =
        section(file, "matches", "[matches]", MATCHES)?.expect("this section makes it a study of matches");
    let players = participants(file, "player", "[[player]]", PLAYER)?;
    if players.is_empty() {
        return Err(file.missing("player"));
    }
    let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
    let baseline = match own.get("baseline") {
        Some(value) => Some(named(&own, "baseline", value, "player", &names)?),
        None => None,
    };
    let mut games = Vec::new();
    for value in file.tables("target")? {
        games.push(
            Section::within(file.source(), value, "[[target]]", TARGET)?.optional("game", Section::placed)?,
        );
    }
    Ok(Matches {
        baseline,
        targets: targets.into_iter().zip(games).collect(),
        blocks: positive(&own, "blocks", own.need("blocks")?)?,
        pairs: positive(&own, "pairs", own.need("pairs")?)?,
        sessions: own.optional("sessions", flag)?.unwrap_or(false),
        smaller: match quick {
            None => (None, None),
            Some(quick) => (quick.optional("blocks", positive)?, quick.optional("pairs", positive)?),
        },
        players,
    })
}

/// Reads `[recognise]`.
pub(super) fn recognise(
    file: &Section<'_, '_>,
    quick: Option<&Section<'_, '_>>,
    targets: Vec<Participant>,
) -> Result<Recognise, FileError> {
    let own =
        section(file, "recognise", "[recognise]", RECOGNISE)?.expect("this section makes it recognition");
    let players = participants(file, "player", "[[player]]", PLAYER)?;
    if players.is_empty() {
        return Err(file.missing("player"));
    }
    Ok(Recognise {
        targets,
        sessions: positive(&own, "sessions", own.need("sessions")?)?,
        games: positive(&own, "games", own.need("games")?)?,
        smaller: match quick {
            None => (None, None),
            Some(quick) => (quick.optional("sessions", positive)?, quick.optional("games", positive)?),
        },
        players,
    })
}

/// Reads `[classify]`.
pub(super) fn classify(
    file: &Section<'_, '_>,
    quick: Option<&Section<'_, '_>>,
    targets: Vec<Participant>,
) -> Result<Classify, FileError> {
    let own =
        section(file, "classify", "[classify]", CLASSIFY)?.expect("this section makes it a classification");
    let players = participants(file, "player", "[[player]]", PLAYER)?;
    if players.is_empty() {
        return Err(file.missing("player"));
    }
    let sizes = |section: &Section<'_, '_>, key: &str, value: &Value<'_>| {
        let toml::de::DeValue::Array(list) = value.get_ref() else { return Err(section.unfit(key, value)) };
        let mut sizes: Vec<u64> = Vec::new();
        for value in list {
            let size = section.whole_number(key, value, 50..=10_000_000)?;
            if sizes.last().is_some_and(|&last| last >= size) {
                return Err(section.unfit(key, value));
            }
            sizes.push(size);
        }
        Ok(sizes)
    };
    let trees = |section: &Section<'_, '_>, key: &str, value: &Value<'_>| {
        Ok(section.whole_number(key, value, 1..=MOST_REPEATS)? as usize)
    };
    let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
    let mut published = Vec::new();
    if let Some(value) = own.get("seconds") {
        for time in own.list("seconds", value)? {
            let cells = own.list("seconds", time)?;
            let [player, rows, seconds] = cells[..] else { return Err(own.unfit("seconds", time)) };
            published.push(PublishedTime {
                player: names[named(&own, "seconds", player, "player", &names)?].to_owned(),
                place: own.number("seconds", rows)?,
                seconds: own.number("seconds", seconds)?,
            });
        }
    }
    Ok(Classify {
        published,
        targets,
        sizes: sizes(&own, "sizes", own.need("sizes")?)?,
        trees: own.optional("trees", trees)?.unwrap_or(100),
        smaller: match quick {
            None => (None, None),
            Some(quick) => (quick.optional("sizes", sizes)?, quick.optional("trees", trees)?),
        },
        players,
    })
}

/// Reads `[frontier]`.
pub(super) fn frontier(
    file: &Section<'_, '_>,
    quick: Option<&Section<'_, '_>>,
    targets: Vec<Participant>,
) -> Result<Frontier, FileError> {
    let own = section(file, "frontier", "[frontier]", FRONTIER)?.expect("this section makes it a frontier");
    let weights = |section: &Section<'_, '_>, key: &str, value: &Value<'_>| {
        let toml::de::DeValue::Array(list) = value.get_ref() else { return Err(section.unfit(key, value)) };
        let mut weights = Vec::new();
        for value in list {
            let weight = section.number(key, value)?;
            if !(0.0..=1.0).contains(&weight) || weights.last().is_some_and(|&last| last >= weight) {
                let wrong = "weights are probabilities from 0 to 1, in rising order";
                return Err(section.source().error(value.span().start, wrong));
            }
            weights.push(weight);
        }
        Ok(weights)
    };
    let samples = own
        .optional("samples", |own, key, value| Ok(own.whole_number(key, value, 1..=MOST_REPEATS)? as u32))?;
    let precision = own.optional("precision", |own, key, value| {
        own.number(key, value).ok().filter(|number| *number > 0.0).ok_or_else(|| own.unfit(key, value))
    })?;
    Ok(Frontier {
        targets,
        weights: weights(&own, "weights", own.need("weights")?)?,
        players: participants(file, "player", "[[player]]", PLAYER)?,
        samples: samples.unwrap_or(8),
        precision: precision.unwrap_or(1e-3),
        full: own.optional("full", flag)?.unwrap_or(false),
        smaller: match quick {
            None => (None, None),
            Some(quick) => (quick.optional("weights", weights)?, quick.optional("full", flag)?),
        },
    })
}
