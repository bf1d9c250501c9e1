//! Reading and writing `name(key=value, …)`.
//!
//! A value ends at a comma or at the closing parenthesis, unless these stand inside parentheses or quotes of its own. A value that
//! begins with a double quote is quoted as a whole: `\"` and `\\` stand for a quote and a backslash in it. Quotes further inside a
//! value, such as those of a nested spec, stay as they are.

use std::fmt;

use super::{Spec, SpecError};
use crate::text::shown::is_unsafe;

/// The first characters of the spec of an outside program.
const COMMAND_PREFIX: &str = "cmd:";

/// Specs nested more deeply are refused: readers of nested specs call themselves.
const MOST_NESTED: usize = 32;

impl Spec {
    /// Reads `name` or `name(key=value, …)`. Values may hold balanced parentheses, `mstar(model=random(seed=1))`, and anything at
    /// all in quotes, `alphabeta(book="a, b.book")`.
    ///
    /// `cmd:…` is short for a spec named `cmd` whose one key `command` is the rest of the text, verbatim.
    ///
    /// # Errors
    /// [`SpecError::Form`] with the place.
    pub fn parse(text: &str) -> Result<Spec, SpecError> {
        let form = |at: usize, wrong: &str| SpecError::Form {
            text: text.to_owned(),
            at: at + 1,
            wrong: wrong.to_owned(),
        };
        // What was parsed once can be shown anywhere: in tables, in logs, on terminals.
        if let Some(at) = text.chars().position(|c| is_unsafe(c) && !matches!(c, '\n' | '\r' | '\t')) {
            return Err(form(at, "control characters are not allowed"));
        }
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
        if let Some(bad) = name.chars().position(|c| !is_of_name(c)) {
            return Err(form(lead + bad, "a name has letters, digits, `-` and `_` only"));
        }
        let Some(open) = open else { return Ok(Spec { name, pairs: Vec::new() }) };

        let mut pairs = Vec::new();
        let mut from = open + 1;
        let close = loop {
            let to = match end_of_item(&chars, from) {
                Ok(to) => to,
                Err((at, wrong)) => return Err(form(at, wrong)),
            };
            let is_last = chars[to] == ')';
            let item: String = chars[from..to].iter().collect();
            if !(is_last && pairs.is_empty() && item.trim().is_empty()) {
                let (key, value) = item.split_once('=').unwrap_or((&item, ""));
                let (key, value) = (key.trim(), value.trim());
                if key.is_empty() || value.is_empty() {
                    return Err(form(from, "expected `key=value`"));
                }
                if !key.chars().all(is_of_name) {
                    return Err(form(from, "a key has letters, digits, `-` and `_` only"));
                }
                let value = match unquoted(value) {
                    Some(value) => value.map_err(|wrong| form(from, wrong))?,
                    None => value.to_owned(),
                };
                pairs.push((key.to_owned(), value));
            }
            if is_last {
                break to;
            }
            from = to + 1;
        };
        if let Some(extra) = chars[close + 1..].iter().position(|c| !c.is_whitespace()) {
            return Err(form(close + 1 + extra, "nothing may follow the closing `)`"));
        }
        Ok(Spec { name, pairs })
    }

    /// Returns the spec of an outside program.
    #[must_use]
    pub fn command(command: &str) -> Spec {
        Spec::with("cmd", "command", command)
    }

    /// Returns the spec with one key: `collective(file=…)`.
    #[must_use]
    pub fn with(name: &str, key: &str, value: &str) -> Spec {
        Spec { name: name.to_owned(), pairs: vec![(key.to_owned(), value.to_owned())] }
    }

    /// Returns the name at the beginning of a spec that need not be well-formed: `mcts` of `mcts(sims=100)`.
    #[must_use]
    pub fn bare_name(text: &str) -> &str {
        let text = text.trim_start();
        if text.starts_with(COMMAND_PREFIX) {
            return "cmd";
        }
        text.split('(').next().unwrap_or_default().trim_end()
    }
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '-' || c == '_'
}

/// Returns where the item that begins at `from` ends: at a comma or the closing parenthesis. Errors say where they are.
fn end_of_item(chars: &[char], from: usize) -> Result<usize, (usize, &'static str)> {
    let mut depth = 0;
    let mut quote = None;
    let mut at = from;
    while let Some(&c) = chars.get(at) {
        match (c, quote) {
            ('"', Some(_)) => quote = None,
            ('"', None) => quote = Some(at),
            ('\\', Some(_)) => at += 1,
            (_, Some(_)) => {}
            ('(', None) if depth == MOST_NESTED => return Err((at, "specs are nested too deeply")),
            ('(', None) => depth += 1,
            (')', None) if depth > 0 => depth -= 1,
            (')', None) => return Ok(at),
            (',', None) if depth == 0 => return Ok(at),
            _ => {}
        }
        at += 1;
    }
    Err(quote.map_or((chars.len(), "`)` is missing"), |at| (at, "this quote is not closed")))
}

/// Returns the parts of a text between plus signs that stand outside parentheses and quotes.
fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0_usize);
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = quoted,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '+' if depth == 0 => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

impl Spec {
    /// Reads specs with `+` between them: `scoring+nash(file="a+b")+random`. The order is kept.
    ///
    /// # Errors
    /// As those of [`Spec::parse`]; a part can be missing.
    pub fn parse_list(text: &str) -> Result<Vec<Spec>, SpecError> {
        parts(text).into_iter().map(Spec::parse).collect()
    }

    /// Writes specs so that [`Spec::parse_list`] reads them again.
    #[must_use]
    pub fn write_list(specs: &[Spec]) -> String {
        specs.iter().map(Spec::to_string).collect::<Vec<_>>().join("+")
    }
}

/// Returns what a value in quotes stands for; `None` if it does not begin with a quote.
fn unquoted(value: &str) -> Option<Result<String, &'static str>> {
    let rest = value.strip_prefix('"')?;
    let mut text = String::new();
    let mut chars = rest.chars();
    loop {
        match chars.next() {
            Some('"') => break,
            Some('\\') => match chars.next() {
                Some(c @ ('"' | '\\')) => text.push(c),
                _ => return Some(Err("in quotes, a backslash stands before a quote or another backslash")),
            },
            Some(c) => text.push(c),
            None => return Some(Err("this quote is not closed")),
        }
    }
    Some(if chars.as_str().is_empty() {
        Ok(text)
    } else {
        Err("a value that begins with a quote ends with the next one")
    })
}

/// Returns whether a value can be written without quotes and still be read as itself.
fn is_plain(value: &str) -> bool {
    let chars: Vec<char> = value.chars().chain([')']).collect();
    !value.is_empty()
        && value.trim() == value
        && !value.starts_with('"')
        && end_of_item(&chars, 0) == Ok(chars.len() - 1)
}

/// Writes a value, in quotes where it needs them.
fn write_value(f: &mut fmt::Formatter<'_>, value: &str) -> fmt::Result {
    if is_plain(value) {
        return f.write_str(value);
    }
    write!(f, "\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let ("cmd", [(key, command)]) = (self.name.as_str(), &self.pairs[..])
            && key == "command"
            && !command.is_empty()
            && command.trim() == command
        {
            return write!(f, "{COMMAND_PREFIX}{command}");
        }
        f.write_str(&self.name)?;
        for (i, (key, value)) in self.pairs.iter().enumerate() {
            write!(f, "{}{key}=", if i == 0 { "(" } else { ", " })?;
            write_value(f, value)?;
        }
        if self.pairs.is_empty() { Ok(()) } else { f.write_str(")") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parses_and_prints() {
        let plain = ["a", "a(b=c)", "a(b=c, d=e)", "mstar(model=random(seed=1), depth=3)", "a(b=c(d, e) f)"];
        for text in plain {
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
    fn quotes_hold_anything() {
        let value = |text: &str| Spec::parse(text).unwrap().pairs[0].1.clone();
        assert_eq!(value(r#"alphabeta(book="a, b (1).book")"#), "a, b (1).book");
        assert_eq!(value(r#"a( b = "say \"x\" \\ )" , c=d)"#), r#"say "x" \ )"#);
        assert_eq!(value(r#"a(b="")"#), "");
        // A plain value in quotes is the same value, and is written without them.
        assert_eq!(Spec::parse(r#"a(b="c")"#).unwrap().to_string(), "a(b=c)");
        // Quotes of a nested spec belong to it.
        let nested = r#"mstar(model=nash(file="a, b.nash"), depth=3)"#;
        assert_eq!(value(nested), r#"nash(file="a, b.nash")"#);
        assert_eq!(Spec::parse(nested).unwrap().to_string(), nested);
    }

    #[test]
    fn lists_are_split_outside_parentheses_and_quotes() {
        let names = |text: &str| -> Vec<String> {
            Spec::parse_list(text).unwrap().iter().map(Spec::to_string).collect()
        };
        assert_eq!(names("a"), ["a"]);
        assert_eq!(names("a + b(c=d+e)+f"), ["a", "b(c=d+e)", "f"]);
        assert_eq!(names(r#"a(b="(+\"+")+c"#), [r#"a(b="(+\"+")"#, "c"]);
        for wrong in ["", "+", "a+", "+a", "a++b", "a+b("] {
            assert!(Spec::parse_list(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn errors_say_where() {
        let says = |text: &str| Spec::parse(text).unwrap_err().to_string();
        assert!(says("g(width=7").contains("character 10: `)` is missing"));
        assert!(says("g(width)").contains("character 3: expected `key=value`"));
        assert!(says("g(width=7)x").contains("nothing may follow"));
        assert!(says("").contains("a name is missing"));
        assert!(says(r#"g(a="b)"#).contains("character 5: this quote is not closed"));
        assert!(says(r#"g(a="b" c)"#).contains("character 3: a value that begins with a quote"));
        assert!(says(r#"g(a="b\c")"#).contains("a backslash stands before"));
        let deep = format!("{}{}", "a(b=".repeat(1_000), ")".repeat(1_000));
        assert!(says(&deep).contains("nested too deeply"));
    }

    #[test]
    fn the_name_needs_no_well_formed_spec() {
        assert_eq!(Spec::bare_name(" mcts (sims=1)"), "mcts");
        assert_eq!(Spec::bare_name("mcts(sims"), "mcts");
        assert_eq!(Spec::bare_name("cmd:./engine (fast)"), "cmd");
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_again(
            name in "[a-z][a-z0-9_-]{0,8}",
            pairs in prop::collection::vec(("[a-z_]{1,6}", r#"[^\pC\p{Zl}\p{Zp}]{0,12}|[a(),="\\ ]{0,8}"#), 0..4),
        ) {
            let spec = Spec { name, pairs };
            prop_assert_eq!(&Spec::parse(&spec.to_string()).unwrap(), &spec);
            // Nested, too.
            let outer = Spec { name: "outer".to_owned(), pairs: vec![("model".to_owned(), spec.to_string())] };
            let read = Spec::parse(&outer.to_string()).unwrap();
            prop_assert_eq!(&Spec::parse(&read.pairs[0].1).unwrap(), &spec);
            // In a list, too, unless it is a command, which takes the rest of its text.
            if spec.name != "cmd" {
                let list = [spec.clone(), spec.clone()];
                prop_assert_eq!(&Spec::parse_list(&Spec::write_list(&list)).unwrap()[..], &list[..]);
            }
        }

        #[test]
        fn never_panics(text in r#"\PC*|[a(),="\\ ]*"#) {
            if let Ok(spec) = Spec::parse(&text) {
                prop_assert_eq!(Spec::parse(&spec.to_string()), Ok(spec));
            }
        }
    }
}
