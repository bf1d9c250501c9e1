//! `name(key=value, …)`: how games and agents are written everywhere, and how their keys are checked.

use std::fmt;

use crate::game::Game;
use crate::notation::quoted;
use crate::suggest::closest;

/// A name and its settings as somebody typed them: well-formed, but not yet checked against anything.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    /// What comes before the parenthesis.
    pub name: String,
    /// The settings in the order in which they were written.
    pub pairs: Vec<(String, String)>,
}

/// Why a spec is not understood.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpecError {
    /// The text is not of the form `name(key=value, …)`.
    #[error("{}, character {at}: {wrong}; a spec looks like `connect(width=7, height=6)`", quoted(.text))]
    Form {
        /// The whole text.
        text: String,
        /// Where, counted in characters from 1.
        at: usize,
        /// What is wrong there.
        wrong: String,
    },
    /// There is no such game or agent.
    #[error("there is no {kind} named {}{}; known: {}", quoted(.name), did_you_mean(.name, .known), .known.join(", "))]
    Name {
        /// "game" or "agent".
        kind: String,
        /// What was typed.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// There is no such key.
    #[error("{owner} has no key {}{}; keys: {}", quoted(.key), did_you_mean(.key, .known), if .known.is_empty() { "none".to_owned() } else { .known.join(", ") })]
    Key {
        /// Whose keys were asked for.
        owner: String,
        /// What was typed.
        key: String,
        /// What there is.
        known: Vec<String>,
    },
    /// A key was given twice.
    #[error("{owner}: key `{key}` is given twice")]
    Twice {
        /// Whose key.
        owner: String,
        /// Which.
        key: String,
    },
    /// A value does not fit its key.
    #[error("{owner}: {key}={} does not fit; {wanted}", quoted(.value))]
    Value {
        /// Whose key.
        owner: String,
        /// Which.
        key: String,
        /// What was typed.
        value: String,
        /// What would fit.
        wanted: String,
    },
    /// Each value is fine but together they are not.
    #[error("{owner}: {wrong}")]
    Together {
        /// Whose keys.
        owner: String,
        /// What is wrong.
        wrong: String,
    },
}

fn did_you_mean(typed: &str, known: &[String]) -> String {
    closest(typed, known.iter().map(String::as_str))
        .map(|word| format!(" (did you mean `{word}`?)"))
        .unwrap_or_default()
}

impl Spec {
    /// Reads `name` or `name(key=value, …)`. Values may hold balanced parentheses: `mstar(model=random(seed=1))`.
    ///
    /// `cmd:…` is short for a spec named `cmd` whose one key `command` is the rest of the text, whatever it holds.
    ///
    /// # Errors
    /// [`SpecError::Form`] with the place.
    pub fn parse(text: &str) -> Result<Spec, SpecError> {
        let form = |at: usize, wrong: &str| SpecError::Form {
            text: text.to_owned(),
            at: at + 1,
            wrong: wrong.to_owned(),
        };
        if let Some(command) = text.trim_start().strip_prefix(COMMAND_PREFIX) {
            if command.trim().is_empty() {
                return Err(form(text.chars().count(), "a command is missing behind `cmd:`"));
            }
            return Ok(Spec::command(command.trim()));
        }
        let chars: Vec<char> = text.chars().collect();
        let open = chars.iter().position(|&c| c == '(');
        let name: String = chars[..open.unwrap_or(chars.len())].iter().collect::<String>().trim().to_owned();
        if name.is_empty() {
            return Err(form(0, "a name is missing"));
        }
        let lead = chars.iter().take_while(|c| c.is_whitespace()).count();
        if let Some(bad) = name.chars().position(|c| !(c.is_alphanumeric() || c == '-' || c == '_')) {
            return Err(form(lead + bad, "a name has letters, digits, `-` and `_` only"));
        }
        let Some(open) = open else { return Ok(Spec { name, pairs: Vec::new() }) };

        let mut pairs = Vec::new();
        let mut depth = 1;
        let mut from = open + 1;
        let mut close = None;
        for at in open + 1..chars.len() {
            match chars[at] {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            let ends = depth == 0 || (chars[at] == ',' && depth == 1);
            if ends {
                let inside: String = chars[from..at].iter().collect();
                let last_and_empty = depth == 0 && inside.trim().is_empty() && pairs.is_empty();
                if !last_and_empty {
                    let (key, value) =
                        inside.split_once('=').ok_or_else(|| form(from, "expected `key=value`"))?;
                    let (key, value) = (key.trim(), value.trim());
                    if key.is_empty() || value.is_empty() {
                        return Err(form(from, "expected `key=value`"));
                    }
                    pairs.push((key.to_owned(), value.to_owned()));
                }
                from = at + 1;
            }
            if depth == 0 {
                close = Some(at);
                break;
            }
        }
        let close = close.ok_or_else(|| form(chars.len(), "`)` is missing"))?;
        if let Some(extra) = chars[close + 1..].iter().position(|c| !c.is_whitespace()) {
            return Err(form(close + 1 + extra, "nothing may follow the closing `)`"));
        }
        Ok(Spec { name, pairs })
    }
}

/// How the spec of an outside program begins.
const COMMAND_PREFIX: &str = "cmd:";

impl Spec {
    /// Returns the spec of an outside program.
    #[must_use]
    pub fn command(command: &str) -> Spec {
        Spec { name: "cmd".to_owned(), pairs: vec![("command".to_owned(), command.to_owned())] }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let ("cmd", [(key, command)]) = (self.name.as_str(), &self.pairs[..])
            && key == "command"
        {
            return write!(f, "{COMMAND_PREFIX}{command}");
        }
        f.write_str(&self.name)?;
        for (i, (key, value)) in self.pairs.iter().enumerate() {
            write!(f, "{}{key}={value}", if i == 0 { "(" } else { ", " })?;
        }
        if self.pairs.is_empty() { Ok(()) } else { f.write_str(")") }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    static KEYS: &[Key] = &[
        Key { name: "width", kind: Kind::Whole { min: 1, max: 20 }, default: "11", help: "columns" },
        Key {
            name: "arms",
            kind: Kind::Choice(&["both", "immediate"]),
            default: "both",
            help: "when arms open",
        },
        Key { name: "fives", kind: Kind::Switch, default: "on", help: "score fives" },
    ];

    fn settings(text: &str) -> Result<Settings, SpecError> {
        Settings::read(&Spec::parse(text)?, KEYS)
    }

    #[test]
    fn parses_and_prints() {
        for text in ["a", "a(b=c)", "a(b=c, d=e)", "mstar(model=random(seed=1), depth=3)"] {
            assert_eq!(Spec::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Spec::parse(" a ( b = c ) ").unwrap().to_string(), "a(b=c)");
        assert_eq!(Spec::parse("a()").unwrap().to_string(), "a");
        let command = Spec::parse("cmd:./engine --depth 3 (fast)").unwrap();
        assert_eq!(command, Spec::command("./engine --depth 3 (fast)"));
        assert_eq!(command.to_string(), "cmd:./engine --depth 3 (fast)");
        assert!(Spec::parse("cmd: ").is_err());
    }

    #[test]
    fn defaults_and_values() {
        let s = settings("g(width=7, fives=off)").unwrap();
        assert_eq!((s.whole("width"), s.text("arms"), s.switch("fives")), (7, "both", false));
        assert_eq!(s.given("arms"), None);
    }

    #[test]
    fn errors_say_what_would_be_right() {
        let says = |text: &str| settings(text).unwrap_err().to_string();
        assert_eq!(
            says("g(widht=7)"),
            "g has no key `widht` (did you mean `width`?); keys: width, arms, fives"
        );
        assert_eq!(says("g(width=99)"), "g: width=`99` does not fit; it takes 1 … 20");
        assert_eq!(
            says("g(arms=bth)"),
            "g: arms=`bth` does not fit; did you mean `both`? (both / immediate)"
        );
        assert_eq!(says("g(width=7, width=8)"), "g: key `width` is given twice");
        assert!(says("g(width=7").contains("character 10: `)` is missing"));
        assert!(says("g(width)").contains("character 3: expected `key=value`"));
        assert!(says("g(width=7)x").contains("nothing may follow"));
        assert!(says("").contains("a name is missing"));
    }

    proptest! {
        #[test]
        fn never_panics(text in "\\PC*") {
            let _ = settings(&text);
        }

        #[test]
        fn never_panics_on_mutations(at in 0usize..20, c in any::<char>()) {
            let mut chars: Vec<char> = "g(width=7, arms=both)".chars().collect();
            chars[at] = c;
            let _ = settings(&chars.into_iter().collect::<String>());
        }
    }
}
