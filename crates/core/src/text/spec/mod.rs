//! `name(key=value, …)`: how games and agents are written everywhere, and how their keys are checked.

mod settings;

use std::fmt;

use crate::text::notation::quoted;
use crate::text::suggest::closest;

pub use settings::{Entry, Key, Kind, Settings, full_form};

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

/// Returns the name of a game or an agent without its keys: `mcts` of `mcts(sims=400)`, `cmd` of `cmd:engine --fast`.
#[must_use]
pub fn bare_name(spec: &str) -> &str {
    let spec = spec.trim();
    if spec.starts_with(COMMAND_PREFIX) {
        return COMMAND_PREFIX.trim_end_matches(':');
    }
    spec.split('(').next().unwrap_or(spec).trim_end()
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
