//! Settings that were checked against keys.

use std::path::PathBuf;

use super::error::Unusable;
use super::key::{ANY_CHECKSUM, Key, Kind};
use super::renamed::{self, OldKey};
use super::{Spec, SpecError};
use crate::rules::game::Game;

/// The checked settings of a game or an agent: every key is known and every value fits its key.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    owner: String,
    given: Vec<(&'static Key, String)>,
    keys: &'static [Key],
    old_keys: Vec<OldKey>,
}

/// Returns the key that a name in a spec means, the value in today's words, and whether the name is an old one.
pub(super) fn find<'v>(
    owner: &str,
    keys: &'static [Key],
    name: &str,
    value: &'v str,
) -> Result<(&'static Key, &'v str, Option<OldKey>), SpecError> {
    if let Some(key) = keys.iter().find(|key| key.name == name) {
        return Ok((key, value, None));
    }
    let Some((key, value)) = renamed::find(keys, name, value) else {
        let known = keys.iter().map(|key| key.name.to_owned()).collect();
        return Err(SpecError::Key { owner: owner.to_owned(), key: name.to_owned(), known });
    };
    Ok((key, value, Some(OldKey { owner: owner.to_owned(), old: name.to_owned(), new: key.name })))
}

impl Spec {
    /// Returns the spec with the names that its keys have today; what is not known stays as it is.
    #[must_use]
    pub fn with_new_keys(&self, keys: &'static [Key]) -> Spec {
        let pairs = self.pairs.iter().map(|(name, value)| match find(&self.name, keys, name, value) {
            Ok((key, value, _)) => (key.name.to_owned(), value.to_owned()),
            Err(_) => (name.clone(), value.clone()),
        });
        Spec { name: self.name.clone(), pairs: pairs.collect() }
    }
}

impl Settings {
    /// Checks a spec against the keys that its owner has.
    ///
    /// # Errors
    /// If a key is unknown or given twice, or a value does not fit.
    pub fn read(spec: &Spec, keys: &'static [Key]) -> Result<Settings, SpecError> {
        let owner = spec.name.clone();
        let mut given: Vec<(&'static Key, String)> = Vec::new();
        let mut old_keys = Vec::new();
        for (name, value) in &spec.pairs {
            let (key, value, old) = find(&owner, keys, name, value)?;
            old_keys.extend(old);
            if given.iter().any(|(k, _)| k.name == key.name) {
                return Err(SpecError::Twice { owner, key: name.clone() });
            }
            if !key.kind.fits(value) {
                let wanted = match (&key.kind, key.closest_word(value)) {
                    (kind, Some(word)) => format!("did you mean `{word}`? ({})", kind.describe()),
                    (kind, None) => format!("it takes {}", kind.describe()),
                };
                return Err(SpecError::Value { owner, key: name.clone(), value: value.to_owned(), wanted });
            }
            given.push((key, value.to_owned()));
        }
        Ok(Settings { owner, given, keys, old_keys })
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

    /// Returns the keys that were given under their old names.
    #[must_use]
    pub fn old_keys(&self) -> &[OldKey] {
        &self.old_keys
    }

    /// Returns the spec with every key, defaults included. A checksum that may be any is left out: nothing rests on it.
    #[must_use]
    pub fn full_form(&self) -> Spec {
        let keys = self
            .keys
            .iter()
            .filter(|key| !matches!(key.kind, Kind::Checksum { .. }) || self.text(key.name) != ANY_CHECKSUM);
        let pairs = keys.map(|key| (key.name.to_owned(), self.text(key.name).to_owned()));
        Spec { name: self.owner.clone(), pairs: pairs.collect() }
    }

    /// Returns the name of the game or agent whose settings these are.
    #[must_use]
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// Returns the error for values that do not go together.
    pub fn together(&self, wrong: impl Into<String>) -> SpecError {
        SpecError::Together { owner: self.owner.clone(), wrong: wrong.into() }
    }

    /// Returns the error for a value, given for the key `name`, that does not fit.
    pub fn unfit(&self, name: &str, wanted: impl Into<String>) -> SpecError {
        let (owner, value) = (self.owner.clone(), self.text(name).to_owned());
        SpecError::Value { owner, key: name.to_owned(), value, wanted: wanted.into() }
    }

    /// Returns the error for the key `name`, which has no default and is not given.
    pub fn missing(&self, name: &str, wanted: impl Into<String>) -> SpecError {
        SpecError::Missing { owner: self.owner.clone(), key: self.key(name).name, wanted: wanted.into() }
    }

    /// Returns the error for a file or folder, named by the key `name`, that cannot be used.
    pub fn unusable(&self, name: &str, why: impl Into<Unusable>) -> SpecError {
        let Unusable { problem, cause } = why.into();
        let path = PathBuf::from(self.text(name));
        SpecError::File { owner: self.owner.clone(), key: self.key(name).name, path, problem, cause }
    }

    /// Returns the error for an encoding, named by the key `name`, that the game does not have.
    pub fn no_codec(&self, name: &str, wrong: String) -> SpecError {
        let codec = self.text(name).to_owned();
        SpecError::Codec { owner: self.owner.clone(), key: self.key(name).name, name: codec, wrong }
    }

    fn key(&self, name: &str) -> &'static Key {
        self.keys.iter().find(|key| key.name == name).expect("`given` has checked the name")
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
