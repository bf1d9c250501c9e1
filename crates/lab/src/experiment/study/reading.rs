//! Studies written in TOML. The guide's page on experiments explains every key.

use super::evidence::Key;
use super::kinds::{classify, duels, frontier, matches, recognise};
use super::{
    ChartAxis, ChartSpec, PLACE, Participant, Study, StudyClaim, StudyFigure, StudyHypothesis, StudyKind,
    StudyTest,
};
use crate::experiment::claims::Verdict;
use crate::toml_reader::{FileError, Keys, Placed, Section, Value, did_you_mean};

/// The tables that make an experiment a study.
const KINDS: &[&str] = &["duels", "matches", "frontier", "classify", "recognise"];

pub(super) const PLAYER: &Keys = &[
    ("name", "\"M*\""),
    ("agent", "\"mstar(model={target})\""),
    ("repeats", "1, a whole number from 0 to 10000"),
];

pub(super) const TARGET: &Keys =
    &[("name", "\"scoring\""), ("agent", "\"scoring\""), ("game", "\"dominoes\", if it is another one")];

const QUICK: &Keys = &[
    ("repeats", "1, a whole number from 0 to 10000"),
    ("step", "10, a whole number from 1 to 100000"),
    ("exact", "false"),
    ("ceiling", "false"),
    ("weights", "[0, 1], numbers from 0 to 1"),
    ("full", "false"),
    ("sessions", "20, a whole number from 1 to 10000"),
    ("games", "3, a whole number from 1 to 10000"),
    ("blocks", "2, a whole number from 1 to 10000"),
    ("pairs", "5, a whole number from 1 to 10000"),
    ("sizes", "[500, 8242], whole numbers that rise"),
    ("trees", "20, a whole number from 1 to 10000"),
];

const HYPOTHESIS: &Keys = &[
    ("id", "\"gain\""),
    ("says", "\"M* scores more than expectimax.\""),
    ("test", "\"above\", \"below\" or \"near\""),
    ("player", "\"M*\""),
    ("than", "\"expectimax\""),
    ("target", "\"scoring\""),
    ("measure", "\"score\""),
    ("at", "0.5"),
    ("value", "0"),
    ("margin", "0.1"),
    ("found", "\"holds\", \"does not hold\" or \"undecided\""),
    ("explain", "\"why it differs from the source\""),
];

const PUBLISHED: &Keys = &[
    ("place", "\"Table 19\""),
    ("measure", "\"score\""),
    ("within", "0.15"),
    ("at", "8242"),
    ("than", "\"expectimax\""),
    ("figures", "[[\"M*\", \"random\", 1.869]]"),
];

const CHART: &Keys = &[
    ("name", "\"gain\""),
    ("title", "\"Gain against risk\""),
    ("caption", "\"What is drawn.\""),
    ("x", "[\"exploitability\", \"points lost to a best response\"]"),
    ("y", "[\"gain\", \"points won\"]"),
    ("curve", "\"response\""),
    ("target", "\"scoring\""),
    ("logarithmic", "true"),
];

pub(super) const MOST_REPEATS: u64 = 10_000;

/// Returns the study of a file, if it is one.
pub(crate) fn study(file: &Section<'_, '_>, game: Option<Placed>) -> Result<Option<Study>, FileError> {
    let mut kinds = KINDS.iter().filter(|name| file.get(name).is_some());
    let Some(name) = kinds.next() else { return Ok(None) };
    if let Some(other) = kinds.next() {
        return Err(file.wrong(other, format!("an experiment has one kind, and this one has [{name}]")));
    }
    let quick = section(file, "quick", "[quick]", QUICK)?;
    let targets = participants(file, "target", "[[target]]", TARGET)?;
    if targets.is_empty() {
        return Err(file.missing("target"));
    }
    let kind = match *name {
        "duels" => StudyKind::Duels(duels(file, quick.as_ref(), targets)?),
        "matches" => StudyKind::Matches(matches(file, quick.as_ref(), targets)?),
        "recognise" => StudyKind::Recognise(recognise(file, quick.as_ref(), targets)?),
        "classify" => StudyKind::Classify(classify(file, quick.as_ref(), targets)?),
        _ => StudyKind::Frontier(frontier(file, quick.as_ref(), targets)?),
    };
    let mut study = Study {
        kind,
        game: game.ok_or_else(|| file.missing("game"))?,
        hypotheses: Vec::new(),
        figures: Vec::new(),
        charts: Vec::new(),
    };
    for value in file.tables("hypothesis")? {
        let section = Section::within(file.source(), value, "[[hypothesis]]", HYPOTHESIS)?;
        let found = hypothesis(&study, &section)?;
        if study.hypotheses.iter().any(|known| known.id == found.id) {
            return Err(section.wrong("id", format!("there are two hypotheses named `{}`", found.id)));
        }
        study.hypotheses.push(found);
    }
    for value in file.tables("published")? {
        let section = Section::within(file.source(), value, "[[published]]", PUBLISHED)?;
        study.figures.extend(figures(&study, &section)?);
    }
    for value in file.tables("chart")? {
        let section = Section::within(file.source(), value, "[[chart]]", CHART)?;
        study.charts.push(chart(&section)?);
    }
    Ok(Some(study))
}

pub(super) fn section<'a, 'i>(
    file: &Section<'a, 'i>,
    key: &str,
    heading: &'static str,
    keys: &'a Keys,
) -> Result<Option<Section<'a, 'i>>, FileError> {
    file.get(key).map(|value| Section::within(file.source(), value, heading, keys)).transpose()
}

pub(super) fn participants(
    file: &Section<'_, '_>,
    key: &str,
    heading: &'static str,
    keys: &Keys,
) -> Result<Vec<Participant>, FileError> {
    let mut all: Vec<Participant> = Vec::new();
    for value in file.tables(key)? {
        let section = Section::within(file.source(), value, heading, keys)?;
        let who = participant(&section)?;
        if all.iter().any(|known| known.name == who.name) {
            return Err(section.wrong("name", format!("there are two named `{}`", who.name)));
        }
        all.push(who);
    }
    Ok(all)
}

pub(super) fn participant(section: &Section<'_, '_>) -> Result<Participant, FileError> {
    let agent = section.text("agent")?;
    let name =
        section.optional("name", Section::placed)?.map_or_else(|| agent.text.clone(), |name| name.text);
    Ok(Participant { name, agent })
}

pub(super) fn flag(section: &Section<'_, '_>, key: &str, value: &Value<'_>) -> Result<bool, FileError> {
    match value.get_ref() {
        toml::de::DeValue::Boolean(flag) => Ok(*flag),
        _ => Err(section.unfit(key, value)),
    }
}

pub(super) fn count(section: &Section<'_, '_>, key: &str, value: &Value<'_>) -> Result<u32, FileError> {
    Ok(section.whole_number(key, value, 0..=MOST_REPEATS)? as u32)
}

/// Returns the place of a name in a list.
pub(super) fn named(
    section: &Section<'_, '_>,
    key: &str,
    value: &Value<'_>,
    what: &str,
    known: &[&str],
) -> Result<usize, FileError> {
    let name = section.placed(key, value)?;
    known.iter().position(|known| *known == name.text).ok_or_else(|| {
        let meant = did_you_mean(&name.text, known.iter().copied());
        let wrong = format!("there is no {what} `{name}`{meant}; {what}s: {}", known.join(", "));
        FileError { at: name.at, wrong }
    })
}

/// Returns the name of a player or target that must be one of the study's.
fn known_name(
    section: &Section<'_, '_>,
    key: &str,
    what: &str,
    known: &[&str],
) -> Result<Option<String>, FileError> {
    section.get(key).map(|value| Ok(known[named(section, key, value, what, known)?].to_owned())).transpose()
}

fn hypothesis(study: &Study, section: &Section<'_, '_>) -> Result<StudyHypothesis, FileError> {
    let (mut players, targets) = (study.players(), study.targets());
    players.push(super::duels::CEILING);
    let test = section.text("test")?.text;
    let number = |key: &str| section.optional(key, Section::number);
    let value = number("value")?.unwrap_or(0.0);
    let test = match test.as_str() {
        "above" => StudyTest::Above(value),
        "below" => StudyTest::Below(value),
        "near" => {
            let margin = number("margin")?.filter(|margin| *margin > 0.0);
            StudyTest::Near { value, margin: margin.ok_or_else(|| section.missing("margin"))? }
        }
        _ => {
            let meant = did_you_mean(&test, ["above", "below", "near"]);
            return Err(
                section.wrong("test", format!("there is no test `{test}`{meant}; tests: above, below, near"))
            );
        }
    };
    let found = match section.optional("found", Section::placed)? {
        None => None,
        Some(typed) => {
            let known = Verdict::ALL.iter().find(|(words, _)| *words == typed.text);
            Some(known.ok_or_else(|| section.unfit("found", section.need("found").expect("it is there")))?.1)
        }
    };
    let key = Key {
        player: known_name(section, "player", "player", &players)?
            .ok_or_else(|| section.missing("player"))?,
        than: known_name(section, "than", "player", &players)?,
        target: known_name(section, "target", "target", &targets)?.unwrap_or_default(),
        place: number("at")?,
        measure: section.text("measure")?.text,
    };
    Ok(StudyHypothesis {
        id: section.text("id")?.text,
        says: section.prose("says", section.need("says")?)?,
        claim: StudyClaim { key, test },
        found,
        explain: section.optional("explain", Section::prose)?,
    })
}

fn figures(study: &Study, section: &Section<'_, '_>) -> Result<Vec<StudyFigure>, FileError> {
    let (players, targets) = (study.players(), study.targets());
    let than = known_name(section, "than", "player", &players)?;
    let place = section.text("place")?.text;
    let measure = section.text("measure")?.text;
    let within = section.optional("within", Section::number)?.unwrap_or(0.0);
    let at = section.optional("at", Section::number)?;
    let mut all = Vec::new();
    for figure in section.list("figures", section.need("figures")?)? {
        let cells = section.list("figures", figure)?;
        let (player, target, value) = match cells[..] {
            [player, target, value] => (player, Some(target), value),
            [player, value] => (player, None, value),
            _ => return Err(section.unfit("figures", figure)),
        };
        let player = players[named(section, "figures", player, "player", &players)?];
        let target = match target {
            Some(target) => targets[named(section, "figures", target, "target", &targets)?],
            None => "",
        };
        all.push(StudyFigure {
            place: place.clone(),
            key: Key {
                player: player.to_owned(),
                than: than.clone(),
                target: target.to_owned(),
                place: at,
                measure: measure.clone(),
            },
            value: section.number("figures", value)?,
            within,
        });
    }
    Ok(all)
}

fn chart(section: &Section<'_, '_>) -> Result<ChartSpec, FileError> {
    let axis = |key: &str| {
        let value = section.need(key)?;
        let cells = section.list(key, value)?;
        let [measure, title] = cells[..] else { return Err(section.unfit(key, value)) };
        Ok(ChartAxis { measure: section.placed(key, measure)?.text, title: section.placed(key, title)?.text })
    };
    let text = |key: &str| Ok::<_, FileError>(section.optional(key, Section::placed)?.map(|text| text.text));
    let x = axis("x")?;
    let spec = ChartSpec {
        name: section.text("name")?.text,
        title: section.prose("title", section.need("title")?)?,
        caption: section.prose("caption", section.need("caption")?)?,
        y: axis("y")?,
        curve: text("curve")?,
        target: text("target")?,
        logarithmic: section.optional("logarithmic", flag)?.unwrap_or(false),
        x,
    };
    if spec.y.measure == PLACE {
        return Err(section.wrong("y", "the place is drawn from left to right, on the axis x"));
    }
    Ok(spec)
}
