//! The screen of a table: lines that fit its width, in characters that it can show.

use std::env;
use std::io;

use parlor_core::Ink;
use terminal_size::{Width, terminal_size};

use crate::terminal::{has_colour, say};

/// The width where there is no terminal to ask.
const WIDTH: usize = 80;

/// Narrower terminals are treated as this wide: no word would fit otherwise.
const NARROWEST: usize = 20;

/// Where a table is shown.
#[derive(Copy, Clone, Debug)]
pub struct Screen {
    /// How boards are drawn.
    pub ink: Ink,
}

impl Screen {
    /// Returns the screen on standard output; `ascii` asks for plain characters.
    pub fn new(ascii: bool) -> Screen {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(|name| env::var(name).ok());
        let plain = !cfg!(windows) && is_plain(&locale);
        Screen { ink: Ink { ascii: ascii || plain, colour: has_colour() } }
    }

    /// Prints text whose lines are broken where they would not fit.
    pub fn say(self, text: impl AsRef<str>) -> io::Result<()> {
        let width = width();
        let text = if self.ink.ascii { plain(text.as_ref()) } else { text.as_ref().to_owned() };
        if text.is_empty() {
            return say("");
        }
        text.lines().flat_map(|line| wrapped(line, width)).try_for_each(say)
    }

    /// Prints words behind a title, two spaces between them; later lines are indented as far as the title reaches.
    pub fn list(self, title: &str, words: &[String]) -> io::Result<()> {
        in_columns(title, words, width()).into_iter().try_for_each(|line| self.say(line))
    }

    /// Prints a drawing, after an empty line.
    pub fn draw(self, drawing: &str) -> io::Result<()> {
        say("")?;
        say(drawing.trim_end_matches('\n'))
    }
}

/// Returns how many characters fit in a line.
pub fn width() -> usize {
    terminal_size().map_or(WIDTH, |(Width(width), _)| usize::from(width).max(NARROWEST))
}

/// Returns whether the locale cannot show Unicode. The first variable that is set decides, as for every program; where none is set,
/// nothing is known, and today's terminals can.
fn is_plain(locale: &[Option<String>]) -> bool {
    let set = locale.iter().flatten().find(|value| !value.is_empty());
    set.is_some_and(|value| !value.to_ascii_lowercase().replace('-', "").contains("utf8"))
}

/// Returns text in plain ASCII.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '…' => plain.push_str("..."),
            '–' | '−' => plain.push('-'),
            '×' => plain.push('x'),
            '·' => plain.push('.'),
            '≤' => plain.push_str("<="),
            '≥' => plain.push_str(">="),
            '½' => plain.push_str("1/2"),
            letter if letter.is_ascii() => plain.push(letter),
            _ => plain.push('?'),
        }
    }
    plain
}

/// Breaks a line between words. Later lines are indented by two more than the first.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    if line.chars().count() <= width {
        return vec![line.to_owned()];
    }
    let own = line.chars().take_while(|c| *c == ' ').count();
    let indent = " ".repeat((own + 2).min(width / 2));
    let mut lines = vec![" ".repeat(own)];
    let mut is_empty = true;
    for word in line.split_whitespace() {
        let last = lines.last_mut().expect("there is a line from the start");
        if !is_empty && last.chars().count() + 1 + word.chars().count() > width {
            lines.push(format!("{indent}{word}"));
        } else {
            if !is_empty {
                last.push(' ');
            }
            last.push_str(word);
        }
        is_empty = false;
    }
    lines
}

/// Lays words out behind a title, two spaces between them.
fn in_columns(title: &str, words: &[String], width: usize) -> Vec<String> {
    let mut lines = vec![title.to_owned()];
    for word in words {
        let line = lines.last_mut().expect("there is a line from the start");
        let gap = if line.len() == title.len() { " " } else { "  " };
        if line.chars().count() + gap.len() + word.chars().count() > width && line.len() > title.len() {
            lines.push(format!("{} {word}", " ".repeat(title.len())));
        } else {
            line.push_str(gap);
            line.push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        let line = "  expert: 33@start, +10 for fives";
        assert_eq!(wrapped(line, 40), [line]);
        assert_eq!(wrapped(line, 22), ["  expert: 33@start,", "    +10 for fives"]);
        let long = "x".repeat(30);
        assert_eq!(wrapped(&long, 20).concat(), long, "a word is never cut");
        let words: Vec<String> = ["1) a1", "2) b1", "3) c1"].map(str::to_owned).to_vec();
        assert_eq!(in_columns("moves:", &words, 20), ["moves: 1) a1  2) b1", "       3) c1"]);
    }

    #[test]
    fn the_locale_decides_about_characters() {
        let set = |values: [&str; 3]| is_plain(&values.map(|value| Some(value.to_owned())));
        assert!(!is_plain(&[None, None, None]));
        assert!(!set(["", "", "de_DE.UTF-8"]) && !set(["C.utf8", "C", "C"]));
        assert!(set(["C", "", "de_DE.UTF-8"]) && set(["", "de_DE.ISO-8859-1", "C.UTF-8"]));
        assert_eq!(plain("3×3 … ≤ 5 ♛"), "3x3 ... <= 5 ?");
    }
}
