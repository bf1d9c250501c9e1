//! The Hub protocol of draughts programs, version 2, for checkers on 8×8. The guide's page on engines defines what is
//! supported.
//!
//! F. Letouzey, *Hub protocol for draughts, version 2* (2017).

use std::io::{BufRead, Write};
use std::num::NonZeroU32;
use std::time::Duration;

use parlor_core::text::protocol::Clocks;
use parlor_core::text::shown::shown;
use parlor_core::{Clock, Periods, TimeControl};

use super::lines::Lines;
use super::seated::Opponent;

/// Squares that are played on.
const SQUARES: usize = 32;

/// Errors are cut to this number of characters.
const LONGEST_ERROR: usize = 400;

/// The longest time that is accepted: a year.
const LONGEST: f64 = 365.0 * 24.0 * 3600.0;

struct Session {
    seated: Opponent,
    control: TimeControl,
    /// Moves that the time left is for.
    due: Option<NonZeroU32>,
}

pub fn run<R: BufRead>(seated: Opponent, lines: &mut Lines<R>, out: &mut impl Write) -> anyhow::Result<()> {
    if !seated.spec().starts_with("checkers(rows=8, columns=8,") {
        anyhow::bail!("the Hub protocol is spoken on 8×8 only, not for {}", seated.spec());
    }
    let mut session = Session { seated, control: TimeControl::default(), due: None };
    while let Some(line) = lines.next()? {
        let (command, arguments) = read(&line);
        if command == "quit" {
            break;
        }
        match session.reply(&command, &arguments) {
            Ok(replies) => replies.iter().try_for_each(|reply| writeln!(out, "{reply}"))?,
            Err(wrong) => {
                writeln!(out, "error message=\"{}\"", shown(&wrong, LONGEST_ERROR).replace('"', " "))?;
            }
        }
        out.flush()?;
    }
    Ok(())
}

/// Splits a line into its command and its arguments; a flag is an argument with an empty value.
fn read(line: &str) -> (String, Vec<(String, String)>) {
    let mut words: Vec<(String, String)> = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        let end = rest.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(rest.len());
        let name = rest[..end].to_owned();
        rest = &rest[end..];
        let mut value = "";
        if let Some(after) = rest.strip_prefix('=') {
            let (found, left) = match after.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
                None => after.split_at(after.find(char::is_whitespace).unwrap_or(after.len())),
            };
            (value, rest) = (found, left);
        }
        words.push((name, value.to_owned()));
        rest = rest.trim_start();
    }
    if words.is_empty() {
        return (String::new(), words);
    }
    (words.remove(0).0, words)
}

impl Session {
    fn reply(&mut self, command: &str, arguments: &[(String, String)]) -> Result<Vec<String>, String> {
        let value = |name: &str| arguments.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str());
        match command {
            "hub" => Ok(vec![
                format!(
                    "id name=\"parlor {}\" version={}",
                    self.seated.name().replace('"', "'"),
                    env!("CARGO_PKG_VERSION")
                ),
                "wait".to_owned(),
            ]),
            "init" => Ok(vec!["ready".to_owned()]),
            "ping" => Ok(vec!["pong".to_owned()]),
            "new-game" => {
                self.seated.set_up(None).map_err(|error| error.to_string())?;
                Ok(Vec::new())
            }
            "pos" => {
                let position = fen(value("pos").ok_or("pos needs pos=")?)?;
                let before = self.seated.set_up(Some(&position)).map_err(|error| error.to_string())?;
                let played = self.play(value("moves").unwrap_or_default());
                if played.is_err() {
                    self.seated.table = before;
                }
                played.map(|()| Vec::new())
            }
            "level" => {
                (self.control, self.due) = level(value)?;
                Ok(Vec::new())
            }
            "go" => {
                let seat = self.seated.mover().map_err(|error| error.to_string())?;
                let done = self.seated.decisions(seat);
                let left = self.control.total.unwrap_or_default();
                let own = Clock::resumed(self.control, Duration::ZERO, done, left, self.due);
                let answer =
                    self.seated.think(&Clocks { own, other: None }).map_err(|error| error.to_string())?;
                Ok(vec![format!("done move={}", numbered(&answer))])
            }
            // What is unknown is ignored, and a search is over before anything about it could be read.
            _ => Ok(Vec::new()),
        }
    }

    fn play(&mut self, moves: &str) -> Result<(), String> {
        for text in moves.split_whitespace() {
            let action = self.find(text)?;
            self.seated.act(&action).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// Finds the legal move that a text means; the captured squares may come in any order.
    fn find(&self, text: &str) -> Result<String, String> {
        let wanted = sorted(text);
        let legal = self.seated.table.actions();
        let found = legal.iter().find(|action| sorted(&numbered(action)) == wanted);
        found.cloned().ok_or_else(|| format!("{text} is not legal here"))
    }
}

/// Returns a move with its captured squares in order.
fn sorted(text: &str) -> String {
    let mut squares: Vec<&str> = text.split('x').collect();
    if squares.len() > 2 {
        squares[2..].sort_unstable();
    }
    squares.join("x")
}

/// Returns a move of ours, `c3-d4` or `e3xc5xe7`, in the numbers of Hub: from, to, then what is captured.
fn numbered(action: &str) -> String {
    let squares: Vec<(i32, i32)> = action
        .split(['-', 'x'])
        .filter_map(|name| {
            let mut bytes = name.bytes();
            Some((i32::from(bytes.next()?.checked_sub(b'a')?), i32::from(bytes.next()?.checked_sub(b'1')?)))
        })
        .collect();
    let number = |(file, rank): (i32, i32)| 4 * rank + 4 - file / 2;
    let (Some(&from), Some(&to)) = (squares.first(), squares.last()) else { return action.to_owned() };
    if !action.contains('x') {
        return format!("{}-{}", number(from), number(to));
    }
    let mut text = format!("{}x{}", number(from), number(to));
    for pair in squares.windows(2) {
        let jumped = ((pair[0].0 + pair[1].0) / 2, (pair[0].1 + pair[1].1) / 2);
        text.push_str(&format!("x{}", number(jumped)));
    }
    text
}

/// Returns a position of Hub, the side to move and a letter for each square from 1 on, as a FEN.
fn fen(position: &str) -> Result<String, String> {
    let mut letters = position.chars();
    let side =
        letters.next().filter(|side| matches!(side, 'W' | 'B')).ok_or("a position begins with W or B")?;
    let squares: Vec<char> = letters.collect();
    if squares.len() != SQUARES {
        return Err(format!("a position has {SQUARES} squares, not {}", squares.len()));
    }
    if let Some(wrong) = squares.iter().find(|letter| !matches!(letter, 'w' | 'b' | 'W' | 'B' | 'e')) {
        return Err(format!("{} is not a square; write w, b, W, B or e", wrong.escape_debug()));
    }
    let pieces = |man: char, king: char| {
        let list: Vec<String> = squares
            .iter()
            .enumerate()
            .filter(|(_, letter)| **letter == man || **letter == king)
            .map(|(index, letter)| format!("{}{}", if *letter == king { "K" } else { "" }, index + 1))
            .collect();
        list.join(",")
    };
    Ok(format!("{side}:W{}:B{}", pieces('w', 'W'), pieces('b', 'B')))
}

/// Reads `move-time=`, or `time=` with `moves=` or `inc=`; everything else leaves the time unlimited.
fn level<'a>(value: impl Fn(&str) -> Option<&'a str>) -> Result<(TimeControl, Option<NonZeroU32>), String> {
    let time = |name: &str| {
        value(name)
            .map(|text| {
                let seconds = text.parse().ok().filter(|seconds| (0.0..=LONGEST).contains(seconds));
                seconds
                    .map(Duration::from_secs_f64)
                    .ok_or_else(|| format!("{name} takes seconds, not {text}"))
            })
            .transpose()
    };
    if let Some(each) = time("move-time")? {
        return Ok((TimeControl::per_move(each), None));
    }
    let Some(left) = time("time")? else { return Ok((TimeControl::default(), None)) };
    let due = value("moves")
        .map(|text| {
            text.parse::<NonZeroU32>().map_err(|_| format!("moves takes a number from 1 up, not {text}"))
        })
        .transpose()?;
    let periods = due.map(|moves| Periods::Sessions { first: moves, moves, time: left });
    let increment = time("inc")?.unwrap_or_default();
    Ok((TimeControl { increment, periods, ..TimeControl::total(left) }, due))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_arguments_and_flags() {
        let (command, arguments) = read("  pos pos=Wbe moves=\"38-15 5-41\"  analyze x= ");
        assert_eq!(command, "pos");
        let pairs: Vec<(&str, &str)> = arguments.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        assert_eq!(pairs, [("pos", "Wbe"), ("moves", "38-15 5-41"), ("analyze", ""), ("x", "")]);
        for nonsense in ["", "=", "a=\"", "==\"\"=", "\u{1F600}=\u{1F600} \""] {
            let _ = read(nonsense);
        }
    }

    #[test]
    fn moves_in_numbers() {
        assert_eq!(numbered("a1-b2"), "4-8");
        assert_eq!(numbered("g3-h4"), "9-13");
        assert_eq!(numbered("c3xe5"), "11x18x15");
        assert_eq!(numbered("e3xc5xe7"), "10x26x15x23");
        assert_eq!(sorted("10x26x23x15"), sorted("10x26x15x23"));
    }
}
