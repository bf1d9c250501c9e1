//! Keys, and settings that were checked against them.

use super::{Spec, SpecError};
use crate::rules::game::Game;
use crate::text::suggest::closest;

/// What values a key takes.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Kind {
    /// A whole number within bounds.
    Whole {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// A whole number within bounds, or the word `none`.
    WholeOrNone {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// A whole number within bounds, or the word `all`.
    WholeOrAll {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// `on` or `off`.
    Switch,
    /// A number within bounds.
    Real {
        /// The smallest.
        min: f64,
        /// The largest.
        max: f64,
    },
    /// Anything.
    Text,
}

impl Kind {
    /// Returns what fits, for help and errors.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Kind::Whole { min, max } => format!("{min} … {max}"),
            Kind::WholeOrNone { min, max } => format!("{min} … {max} or none"),
            Kind::WholeOrAll { min, max } => format!("{min} … {max} or all"),
            Kind::Choice(words) => words.join(" / "),
            Kind::Switch => "on / off".to_owned(),
            Kind::Real { min, max } => format!("{min} … {max}"),
            Kind::Text => "text".to_owned(),
        }
    }

    fn fits(&self, value: &str) -> bool {
        match *self {
            Kind::Whole { min, max } => value.parse::<i64>().is_ok_and(|v| (min..=max).contains(&v)),
            Kind::WholeOrNone { min, max } => {
                value == "none" || value.parse::<i64>().is_ok_and(|v| (min..=max).contains(&v))
            }
            Kind::WholeOrAll { min, max } => {
                value == "all" || value.parse::<i64>().is_ok_and(|v| (min..=max).contains(&v))
            }
            Kind::Choice(words) => words.contains(&value),
            Kind::Switch => matches!(value, "on" | "off"),
            Kind::Real { min, max } => value.parse::<f64>().is_ok_and(|v| (min..=max).contains(&v)),
            Kind::Text => true,
        }
    }
}

/// One key of a game or an agent.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// Its value when it is not given; words in parentheses where that depends on other keys.
    pub default: &'static str,
    /// What it does, in one line.
    pub help: &'static str,
}

/// The checked settings of a game or an agent: every key is known and every value fits its key.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    owner: String,
    given: Vec<(&'static Key, String)>,
    keys: &'static [Key],
}

impl Settings {
    /// Checks a spec against the keys that its owner has.
    ///
    /// # Errors
    /// If a key is unknown or given twice, or a value does not fit.
    pub fn read(spec: &Spec, keys: &'static [Key]) -> Result<Settings, SpecError> {
        let owner = spec.name.clone();
        let mut given: Vec<(&'static Key, String)> = Vec::new();
        for (name, value) in &spec.pairs {
            let Some(key) = keys.iter().find(|key| key.name == name) else {
                let known = keys.iter().map(|key| key.name.to_owned()).collect();
                return Err(SpecError::Key { owner, key: name.clone(), known });
            };
            if given.iter().any(|(k, _)| k.name == key.name) {
                return Err(SpecError::Twice { owner, key: name.clone() });
            }
            if !key.kind.fits(value) {
                let wanted = match (&key.kind, closest_choice(key, value)) {
                    (kind, Some(word)) => format!("did you mean `{word}`? ({})", kind.describe()),
                    (kind, None) => format!("it takes {}", kind.describe()),
                };
                return Err(SpecError::Value { owner, key: name.clone(), value: value.clone(), wanted });
            }
            given.push((key, value.clone()));
        }
        Ok(Settings { owner, given, keys })
    }

    /// Returns the value of a key if it was given.
    ///
    /// # Panics
    /// If the owner's list of keys lacks `name`: a slip in our code, not in the spec.
    #[must_use]
    pub fn given(&self, name: &str) -> Option<&str> {
        assert!(self.keys.iter().any(|key| key.name == name), "`{}` declares no key `{name}`", self.owner);
        self.given.iter().find(|(key, _)| key.name == name).map(|(_, value)| value.as_str())
    }

    /// Returns the value of a key, its default if it was not given.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        self.given(name).unwrap_or_else(|| self.key(name).default)
    }

    /// Returns the value of a key that takes whole numbers.
    #[must_use]
    pub fn whole(&self, name: &str) -> i64 {
        self.text(name).parse().expect("a whole number was checked, and defaults are whole numbers")
    }

    /// Returns the value of a key that takes numbers.
    #[must_use]
    pub fn real(&self, name: &str) -> f64 {
        self.text(name).parse().expect("a number was checked, and defaults are numbers")
    }

    /// Returns the value of a key that takes whole numbers or `none`.
    #[must_use]
    pub fn whole_or_none(&self, name: &str) -> Option<i64> {
        match self.text(name) {
            "none" => None,
            number => Some(number.parse().expect("a whole number was checked")),
        }
    }

    /// Returns the value of a key that takes whole numbers or `all`, for which it is `None`.
    #[must_use]
    pub fn whole_or_all(&self, name: &str) -> Option<i64> {
        match self.text(name) {
            "all" => None,
            number => Some(number.parse().expect("a whole number was checked")),
        }
    }

    /// Returns the value of a switch.
    #[must_use]
    pub fn switch(&self, name: &str) -> bool {
        self.text(name) == "on"
    }

    /// Returns the spec with every key, defaults included.
    #[must_use]
    pub fn full_form(&self) -> Spec {
        let pairs = self.keys.iter().map(|key| (key.name.to_owned(), self.text(key.name).to_owned()));
        Spec { name: self.owner.clone(), pairs: pairs.collect() }
    }

    /// Returns the error for values that do not go together.
    pub fn together(&self, wrong: impl Into<String>) -> SpecError {
        SpecError::Together { owner: self.owner.clone(), wrong: wrong.into() }
    }

    fn key(&self, name: &str) -> &'static Key {
        self.keys.iter().find(|key| key.name == name).expect("`given` has checked the name")
    }
}

fn closest_choice(key: &Key, value: &str) -> Option<&'static str> {
    match key.kind {
        Kind::Choice(words) => closest(value, words.iter().copied()),
        Kind::Switch => closest(value, ["on", "off"]),
        _ => None,
    }
}

/// A game that can be opened by name.
pub trait Entry: Game {
    /// The name in specs.
    const NAME: &'static str;
    /// What the game is, in one line.
    const SUMMARY: &'static str;
    /// Every key, in the order of the full form.
    const KEYS: &'static [Key];
    /// In perft, whether an action and the outcome that chance adds to it are one ply together.
    const JOIN_CHANCE: bool = false;

    /// Makes the game from checked settings.
    ///
    /// # Errors
    /// If values that are fine each do not go together, or do not fit this type (a board too large for its word).
    fn open(settings: &Settings) -> Result<Self, SpecError>;

    /// Returns the game whose action sequences perft counts, if that is not the game itself. Both have the same states.
    #[must_use]
    fn for_perft(&self) -> Self {
        self.clone()
    }

    /// Returns the full form, defaults included. Opening it gives an equal game.
    fn spec(&self) -> Spec;
}

/// Makes a [`Spec`] in the full form from its name and values.
#[must_use]
pub fn full_form(name: &str, values: &[(&str, String)]) -> Spec {
    Spec {
        name: name.to_owned(),
        pairs: values.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect(),
    }
}
