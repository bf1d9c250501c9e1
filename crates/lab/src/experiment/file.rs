//! Experiments written in TOML. The guide's page on experiments explains every key.
//!
//! Every complaint says where it is and what would be right. What games, learners and agents are is not known here: their
//! specs keep their places, so that errors can name the line of a wrong one.

use super::reading::{Reader, fact, hypothesis, published, reference};
use super::study::reading::study;
use parlor_core::Seat;

use super::{Arm, ArmStage, Experiment, Opponent, Smaller, Study, Test, sweep};
use crate::stages::{PlacedStage, STAGE};
use crate::toml_reader::{FileError, Keys, Placed, Section, Source, Value, did_you_mean};
use crate::trainee::EXERCISES;
use crate::training::ITSELF;

const KEYS: &Keys = &[
    ("id", "\"A1\""),
    ("title", "\"The learner against random play\""),
    ("source", "\"where the experiment was first made\""),
    ("question", "\"Does the learner beat random play?\""),
    ("game", "\"tictactoe\""),
    ("seed", "1, a whole number from 0 on"),
    ("trainings", "12, a whole number from 1 to 10000"),
    ("notes", "[\"what differs from the source\"]"),
    ("duels", "games from every deal, under [duels]"),
    ("matches", "matches in pairs, under [matches]"),
    ("frontier", "responses and players, under [frontier]"),
    ("classify", "classifiers of styles of play, under [classify]"),
    ("recognise", "recognition of targets, under [recognise]"),
    ("player", "tables, each under [[player]]"),
    ("target", "tables, each under [[target]]"),
    ("chart", "tables, each under [[chart]]"),
    ("default", "the keys of an arm, under [default]"),
    ("arm", "tables, each under [[arm]]"),
    ("sweep", "an arm and the keys that are varied, under [sweep]"),
    ("quick", "what there is less of in the smaller version, under [quick]"),
    ("hypothesis", "tables, each under [[hypothesis]]"),
    ("published", "tables, each under [[published]]"),
    ("fact", "tables, each under [[fact]]"),
    ("reference", "tables, each under [[reference]]"),
];

const ARM: &Keys = &[
    ("name", "\"baseline\""),
    ("game", "\"tictactoe\""),
    ("learner", "\"collective(win=1.06, loss=0.98)\""),
    ("against", "\"random\", \"self\", \"learner: SPEC\" or \"trained: ARM\""),
    ("rounds", "50, a whole number from 1 to 100000"),
    ("matches", "50, a whole number from 1 to 1000000"),
    ("stage", "tables, each under [[arm.stage]]"),
    ("seat", "\"first\", \"second\" or \"both\""),
    ("test", "the test's keys, under [arm.test]"),
];

const TEST: &Keys = &[
    ("against", "\"random\", \"empty\", \"self\", \"rival\", \"exercises\" or \"training\""),
    ("after", "[1, 2, 5, 10], \"every\" or \"every 5\""),
    ("repeats", "30, a whole number from 1 to 10000"),
    ("matches", "500, a whole number from 1 to 1000000"),
];

const QUICK: &Keys = &[
    ("trainings", "2, a whole number from 1 to 10000"),
    ("rounds", "10, a whole number from 1 to 100000"),
    ("matches", "50, a whole number from 1 to 1000000"),
    ("after", "[1, 10, 50]"),
    ("repeats", "5, a whole number from 1 to 10000"),
    ("test_matches", "100, a whole number from 1 to 1000000"),
];

const MOST_TRAININGS: u64 = 10_000;
const MOST_ROUNDS: u64 = 100_000;
const MOST_MATCHES: u64 = 1_000_000;
const MOST_REPEATS: u64 = 10_000;

impl Experiment {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// If it is not TOML, has unknown keys or values that do not fit, lacks something, or names an arm or a round that
    /// there is not.
    pub fn read(text: &str) -> Result<Experiment, FileError> {
        let source = Source { text };
        let table = source.parse()?;
        let file = Section::whole(source, &table, KEYS)?;
        let game = file.optional("game", Section::placed)?;
        if let Some(study) = study(&file, game)? {
            return head(&file, Vec::new(), Some(study));
        }
        let defaults = Defaults::read(&file)?;
        let mut arms: Vec<Arm> = Vec::new();
        for value in file.tables("arm")? {
            let section = Section::within(source, value, "[[arm]]", ARM)?;
            arms.push(arm(&section, &defaults, &arms)?);
        }
        if arms.is_empty() {
            return Err(file.missing("arm"));
        }
        let sweep = file.get("sweep").map(|value| sweep::sweep(source, value, &mut arms)).transpose()?;
        let reader = Reader { source, arms: &arms };
        let mut hypotheses = Vec::new();
        for value in file.tables("hypothesis")? {
            hypotheses.push(hypothesis(reader, value, &hypotheses)?);
        }
        let quick =
            file.get("quick").map(|value| Section::within(source, value, "[quick]", QUICK)).transpose()?;
        let smaller = quick.map_or_else(|| Ok(Smaller::default()), |quick| smaller(&quick))?;
        let published = all(&file, "published", |value| published(reader, value))?;
        let facts = all(&file, "fact", |value| fact(reader, value))?;
        let references = all(&file, "reference", |value| reference(reader, value))?;
        let experiment = head(&file, arms, None)?;
        Ok(Experiment { sweep, hypotheses, smaller, published, facts, references, ..experiment })
    }
}

/// Returns an experiment with what all kinds have in common.
fn head(file: &Section<'_, '_>, arms: Vec<Arm>, study: Option<Study>) -> Result<Experiment, FileError> {
    Ok(Experiment {
        id: name(file, "id")?,
        title: file.prose("title", file.need("title")?)?,
        source: file.optional("source", Section::prose)?,
        question: file.prose("question", file.need("question")?)?,
        seed: file.whole_number("seed", file.need("seed")?, 0..=u64::MAX)?,
        trainings: match (&study, file.get("trainings")) {
            (Some(_), None) => 1,
            (Some(_), Some(_)) => return Err(file.wrong("trainings", "nothing is trained in this kind")),
            (None, _) => count(file, "trainings", file.need("trainings")?, MOST_TRAININGS)?,
        },
        notes: match file.get("notes") {
            None => Vec::new(),
            Some(value) => {
                let notes = file.list("notes", value)?;
                notes.into_iter().map(|note| file.prose("notes", note)).collect::<Result<_, _>>()?
            }
        },
        smaller: Smaller::default(),
        hypotheses: Vec::new(),
        published: Vec::new(),
        facts: Vec::new(),
        references: Vec::new(),
        sweep: None,
        arms,
        study,
    })
}

fn all<'a, 'i, T>(
    file: &Section<'a, 'i>,
    name: &str,
    read: impl FnMut(&'a Value<'i>) -> Result<T, FileError>,
) -> Result<Vec<T>, FileError> {
    file.tables(name)?.into_iter().map(read).collect()
}

/// Returns a short name: it stands in tables and names folders.
fn name(section: &Section<'_, '_>, key: &str) -> Result<String, FileError> {
    const LONGEST: usize = 64;
    let value = section.need(key)?;
    let text = section.placed(key, value)?.text;
    let fits = |c: char| c.is_alphanumeric() || "-_.+ ,".contains(c);
    let is_name = text.chars().next().is_some_and(char::is_alphanumeric) && text.chars().all(fits);
    if is_name && text.len() <= LONGEST && text.trim() == text {
        Ok(text)
    } else {
        let wrong = format!(
            "a name begins with a letter or digit, has letters, digits, spaces and -_.+, only, and at most {LONGEST} of them"
        );
        Err(section.wrong(key, wrong))
    }
}

fn count(section: &Section<'_, '_>, key: &str, value: &Value<'_>, most: u64) -> Result<u32, FileError> {
    Ok(section.whole_number(key, value, 1..=most)? as u32)
}

/// What an arm has unless it says otherwise.
struct Defaults<'a, 'i> {
    game: Option<Placed>,
    arm: Option<Section<'a, 'i>>,
    test: Option<Section<'a, 'i>>,
}

impl<'a, 'i> Defaults<'a, 'i> {
    fn read(file: &Section<'a, 'i>) -> Result<Self, FileError> {
        let source = file.source();
        // A name is an arm's own.
        let keys = &ARM[1..];
        let arm =
            file.get("default").map(|value| Section::within(source, value, "[default]", keys)).transpose()?;
        let test = match arm.and_then(|arm| arm.get("test")) {
            Some(value) => Some(Section::within(source, value, "[default.test]", TEST)?),
            None => None,
        };
        Ok(Defaults { game: file.optional("game", Section::placed)?, arm, test })
    }
}

/// Returns the section that has the key: the arm's own, else the defaults, else the arm's, to complain about.
fn holder<'a, 'i>(own: Section<'a, 'i>, default: Option<Section<'a, 'i>>, key: &str) -> Section<'a, 'i> {
    if own.get(key).is_some() {
        own
    } else {
        default.filter(|default| default.get(key).is_some()).unwrap_or(own)
    }
}

fn arm<'a, 'i>(
    own: &Section<'a, 'i>,
    defaults: &Defaults<'a, 'i>,
    earlier: &[Arm],
) -> Result<Arm, FileError> {
    let from = |key: &str| holder(*own, defaults.arm, key);
    let number = |key: &str, most| {
        let section = from(key);
        count(&section, key, section.need(key)?, most)
    };
    let name = name(own, "name")?;
    if earlier.iter().any(|arm| arm.name == name) {
        return Err(own.wrong("name", format!("there are two arms named `{name}`")));
    }
    let game = match from("game").optional("game", Section::placed)? {
        Some(game) => game,
        None => defaults.game.clone().ok_or_else(|| own.missing("game"))?,
    };
    let of_length = ["rounds", "matches", "against"];
    // An arm with a length of its own has no stages, even if others have.
    let plain = own.get("stage").is_none() && of_length.iter().any(|key| own.get(key).is_some());
    let stages = if plain { Vec::new() } else { stages(&from("stage"))? };
    if let Some(key) = of_length.iter().find(|key| !stages.is_empty() && own.get(key).is_some()) {
        return Err(own.wrong(key, format!("the stages have their own `{key}`")));
    }
    let (against, rival, rounds, matches) = match &stages[..] {
        [] => {
            let against = from("against");
            let (against, rival) = trainer(&against, against.text("against")?, &game, earlier)?;
            (against, rival, number("rounds", MOST_ROUNDS)?, number("matches", MOST_MATCHES)?)
        }
        [first, ..] => {
            let rounds = stages.iter().map(|stage| u64::from(stage.rounds)).sum::<u64>();
            let rounds = u32::try_from(rounds).ok().filter(|&rounds| u64::from(rounds) <= MOST_ROUNDS);
            let wrong = || from("stage").wrong("stage", format!("at most {MOST_ROUNDS} rounds in all"));
            let matches = stages.iter().map(|stage| stage.matches).max().unwrap_or(1);
            (first.against[0].clone(), None, rounds.ok_or_else(wrong)?, matches)
        }
    };
    let test = match own.get("test") {
        Some(value) => Some(Section::within(own.source(), value, "[arm.test]", TEST)?),
        None => None,
    };
    let (test, fallback) = match (test, defaults.test) {
        (Some(test), fallback) => (test, fallback),
        (None, Some(fallback)) => (fallback, None),
        (None, None) => return Err(own.missing("test")),
    };
    let met = Met { rounds, matches, against: &against, has_rival: rival.is_some() };
    Ok(Arm {
        learner: from("learner").text("learner")?,
        matches,
        stages,
        seat: seat(&from("seat"))?,
        test: self::test(test, fallback, &met)?,
        name,
        game,
        against,
        rival,
        rounds,
    })
}

/// Returns whom an arm is trained against, and the second learner if that is one.
fn trainer(
    section: &Section<'_, '_>,
    typed: Placed,
    game: &Placed,
    earlier: &[Arm],
) -> Result<(Opponent<Placed>, Option<Placed>), FileError> {
    let rest = |after: &str| Placed { text: after.trim().to_owned(), at: typed.at };
    if typed.text == "self" {
        return Ok((Opponent::Itself, None));
    }
    if let Some(learner) = typed.text.strip_prefix("learner:") {
        return Ok((Opponent::Rival, Some(rest(learner))));
    }
    let Some(wanted) = typed.text.strip_prefix("trained:").map(str::trim) else {
        return Ok((Opponent::Agent(typed), None));
    };
    let Some(arm) = earlier.iter().position(|arm| arm.name == wanted) else {
        let names: Vec<&str> = earlier.iter().map(|arm| arm.name.as_str()).collect();
        let wrong = format!(
            "there is no arm `{wanted}` above this one{}; arms above: {}",
            did_you_mean(wanted, names.iter().copied()),
            if names.is_empty() { "none".to_owned() } else { names.join(", ") }
        );
        return Err(section.wrong("against", wrong));
    };
    if earlier[arm].game.text != game.text {
        let wrong = format!("`{wanted}` plays {}, but this arm plays {game}", earlier[arm].game);
        return Err(section.wrong("against", wrong));
    }
    Ok((Opponent::Trained { arm }, None))
}

/// Returns the stages of an arm's training; none if all rounds are alike.
fn stages(section: &Section<'_, '_>) -> Result<Vec<ArmStage>, FileError> {
    let source = section.source();
    let stage = |value| {
        let section = Section::within(source, value, "[[arm.stage]]", STAGE)?;
        let PlacedStage { rounds, matches, against, settings } = PlacedStage::read(&section)?;
        let count = |key: &str, number: u64, most: u64| {
            let fits = u32::try_from(number).ok().filter(|_| number <= most);
            fits.ok_or_else(|| section.wrong(key, format!("at most {most}")))
        };
        let itself = || vec![Placed { text: ITSELF.to_owned(), at: source.place(0) }];
        let opponent = |placed: Placed| {
            if placed.text == ITSELF { Opponent::Itself } else { Opponent::Agent(placed) }
        };
        Ok(ArmStage {
            rounds: count("rounds", rounds, MOST_ROUNDS)?,
            matches: count("matches", matches, MOST_MATCHES)?,
            against: against.unwrap_or_else(itself).into_iter().map(opponent).collect(),
            settings,
        })
    };
    section.tables("stage")?.into_iter().map(stage).collect()
}

/// Returns which seat an arm has; `None` for both in turn.
fn seat(section: &Section<'_, '_>) -> Result<Option<Seat>, FileError> {
    let Some(value) = section.get("seat") else { return Ok(None) };
    match section.placed("seat", value)?.text.as_str() {
        "first" => Ok(Some(Seat::FIRST)),
        "second" => Ok(Some(Seat::SECOND)),
        "both" => Ok(None),
        _ => Err(section.unfit("seat", value)),
    }
}

/// What a test needs to know of its training.
struct Met<'a> {
    rounds: u32,
    matches: u32,
    against: &'a Opponent<Placed>,
    has_rival: bool,
}

fn test<'a, 'i>(
    own: Section<'a, 'i>,
    fallback: Option<Section<'a, 'i>>,
    met: &Met<'_>,
) -> Result<Test, FileError> {
    let from = |key: &str| holder(own, fallback, key);
    let number = |key: &str, most| {
        let section = from(key);
        count(&section, key, section.need(key)?, most)
    };
    let section = from("against");
    let against = section.text("against")?;
    let tested = from("after");
    let after = after(&tested, tested.need("after")?, met.rounds)?;
    if against.text == "training" {
        for key in ["repeats", "matches"] {
            if section.get(key).is_some() {
                let wrong =
                    format!("the matches of the training are the test, so `{key}` has no meaning here");
                return Err(section.wrong(key, wrong));
            }
        }
        let (against, matches) = (met.against.clone(), met.matches);
        return Ok(Test { against, after, repeats: 1, matches, while_training: true });
    }
    let against = match against.text.as_str() {
        "empty" => Opponent::Empty,
        "self" => Opponent::Itself,
        EXERCISES => Opponent::Exercises,
        "rival" if met.has_rival => Opponent::Rival,
        "rival" => {
            let wrong =
                "there is no rival: this arm is not trained against a second learner (\"learner: SPEC\")";
            return Err(section.wrong("against", wrong));
        }
        _ => Opponent::Agent(against),
    };
    Ok(Test {
        against,
        after,
        repeats: number("repeats", MOST_REPEATS)?,
        matches: number("matches", MOST_MATCHES)?,
        while_training: false,
    })
}

/// Returns the rounds after which there are tests.
fn after<'a, 'i>(
    section: &Section<'a, 'i>,
    value: &'a Value<'i>,
    rounds: u32,
) -> Result<Vec<u32>, FileError> {
    if let Ok(typed) = section.placed("after", value) {
        let step = match typed.text.strip_prefix("every").map(str::trim) {
            Some("") => Some(1),
            Some(number) => number.parse().ok().filter(|step| (1..=rounds).contains(step)),
            None => None,
        };
        let step = step.ok_or_else(|| section.unfit("after", value))?;
        return Ok((1..=rounds).filter(|round| round % step == 0).collect());
    }
    rising(section, value, Some(rounds))
}

/// Returns a list of rounds in rising order, none beyond the last.
fn rising<'a, 'i>(
    section: &Section<'a, 'i>,
    value: &'a Value<'i>,
    last: Option<u32>,
) -> Result<Vec<u32>, FileError> {
    let mut list: Vec<u32> = Vec::new();
    for element in section.list("after", value)? {
        let round = count(section, "after", element, MOST_ROUNDS)?;
        let at = element.span().start;
        if let Some(last) = last.filter(|&last| round > last) {
            return Err(section.source().error(at, format!("round {round} is beyond the last one, {last}")));
        }
        if list.last().is_some_and(|&before| before >= round) {
            return Err(section.source().error(at, format!("rounds must rise; {round} does not")));
        }
        list.push(round);
    }
    if list.is_empty() { Err(section.unfit("after", value)) } else { Ok(list) }
}

fn smaller(quick: &Section<'_, '_>) -> Result<Smaller, FileError> {
    let number = |key: &str, most| quick.optional(key, |quick, key, value| count(quick, key, value, most));
    Ok(Smaller {
        trainings: number("trainings", MOST_TRAININGS)?,
        rounds: number("rounds", MOST_ROUNDS)?,
        matches: number("matches", MOST_MATCHES)?,
        after: quick.get("after").map(|value| rising(quick, value, None)).transpose()?,
        repeats: number("repeats", MOST_REPEATS)?,
        test_matches: number("test_matches", MOST_MATCHES)?,
    })
}
