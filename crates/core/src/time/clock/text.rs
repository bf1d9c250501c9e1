//! The text form of time controls.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

use crate::text::notation::{ReadError, quoted};

use super::{Periods, TimeControl};

const WHAT: &str = "time control";
const EXAMPLES: &str = "write one word: `5m`, `5m+2s`, `10s/move`, `40/5m:20/2m` or `none`";
const TIME_EXAMPLES: &str = "write `90s`, `1h30m`, `2.5s` or `250ms`";

/// No time may be longer. A year is beyond any match, and sums of it are far from overflowing.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

const NANOS_PER_SECOND: u128 = 1_000_000_000;

/// Units in falling order, with their nanoseconds.
const UNITS: [(&str, u128); 4] = [
    ("h", 3600 * NANOS_PER_SECOND),
    ("m", 60 * NANOS_PER_SECOND),
    ("s", NANOS_PER_SECOND),
    ("ms", NANOS_PER_SECOND / 1000),
];

/// A part of the text that remembers where it began.
#[derive(Copy, Clone)]
struct Piece<'a> {
    text: &'a str,
    /// Characters before it.
    before: usize,
}

impl<'a> Piece<'a> {
    fn error(&self, wrong: impl Into<String>) -> ReadError {
        ReadError::new(WHAT, wrong).at(self.before + 1)
    }

    fn split(&self, sign: char) -> Option<(Piece<'a>, Piece<'a>)> {
        let (left, right) = self.text.split_once(sign)?;
        Some((Piece { text: left, before: self.before }, self.after(left, right)))
    }

    fn after(&self, left: &str, right: &'a str) -> Piece<'a> {
        Piece { text: right, before: self.before + left.chars().count() + 1 }
    }
}

/// Reads a time control from one word.
///
/// ```text
/// control := "none" | each | bank | bank "@" each
/// each    := time "/move"                     any single decision
/// bank    := main [ "+" time ]                with an increment after each decision
/// main    := time                             all decisions together
///          | moves "/" time                   this many decisions in every such time
///          | moves "/" time ":" moves "/" time    a first session, then others again and again; savings are kept
///          | time ":" moves "/" time          a total, then overtime; savings in overtime are lost
/// time    := { number unit }                  units h, m, s, ms, each once and in this order: 1h30m, 2.5s
/// ```
impl FromStr for TimeControl {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        let whole = Piece { text, before: 0 };
        if text.is_empty() {
            return Err(ReadError::new(WHAT, "it is empty").hint(EXAMPLES));
        }
        if text == "none" {
            return Ok(TimeControl::default());
        }
        if let Some(at) = text.chars().position(char::is_whitespace) {
            return Err(ReadError::new(WHAT, "there is a space").at(at + 1).hint(EXAMPLES));
        }
        if let Some((bank, each)) = whole.split('@') {
            let Some(time) = each.text.strip_suffix("/move") else {
                let hint = "the time of a single decision stands there, as in `5m@10s/move`";
                return Err(each
                    .error(format!("{} after `@` does not end in `/move`", quoted(each.text)))
                    .hint(hint));
            };
            let per_move = Some(read_positive(Piece { text: time, ..each })?);
            return Ok(TimeControl { per_move, ..read_bank(bank)? });
        }
        match text.strip_suffix("/move") {
            Some(time) => match whole.split('+') {
                Some((bank, added)) => {
                    let added = added.text.strip_suffix("/move").unwrap_or_default();
                    let hint = format!(
                        "write `{0}+{added}` if it is added after each move, `{0}@{added}/move` if no move may take longer",
                        bank.text
                    );
                    Err(whole.error(format!("{} can be meant in two ways", quoted(text))).hint(hint))
                }
                None => Ok(TimeControl::per_move(read_positive(Piece { text: time, ..whole })?)),
            },
            None => read_bank(whole),
        }
    }
}

fn read_bank(bank: Piece<'_>) -> Result<TimeControl, ReadError> {
    let (main, increment) = match bank.split('+') {
        Some((main, added)) => (main, read_time(added)?),
        None => (bank, Duration::ZERO),
    };
    let (total, periods) = match main.split(':') {
        None => match main.split('/') {
            None => (read_positive(main)?, None),
            Some(_) => {
                let (moves, time) = read_period(main)?;
                (time, Some(Periods::Sessions { first: moves, moves, time }))
            }
        },
        Some((first, then)) => {
            if let Some((_, third)) = then.split(':') {
                return Err(third
                    .error("there is a third part")
                    .hint("the second repeats until the match ends, as in `40/5m:20/2m`"));
            }
            let (moves, time) = read_period(then)?;
            match first.split('/') {
                Some(_) => {
                    let (first, total) = read_period(first)?;
                    (total, Some(Periods::Sessions { first, moves, time }))
                }
                // No total at all is good here: overtime from the start.
                None => (read_time(first)?, Some(Periods::Overtime { moves, time })),
            }
        }
    };
    Ok(TimeControl { total: Some(total), per_move: None, increment, periods })
}

fn read_period(piece: Piece<'_>) -> Result<(NonZeroU32, Duration), ReadError> {
    let Some((moves, time)) = piece.split('/') else {
        let hint = "write the moves and their time, as in `20/2m`";
        return Err(piece
            .error(format!("{} does not say for how many moves", quoted(piece.text)))
            .hint(hint));
    };
    let digits = !moves.text.is_empty() && moves.text.bytes().all(|b| b.is_ascii_digit());
    let count = moves.text.parse::<u32>().ok().filter(|_| digits).and_then(NonZeroU32::new);
    let Some(count) = count else {
        let wrong = format!("{} is not a number of moves", quoted(moves.text));
        return Err(moves.error(wrong).hint("write a whole number from 1, as in `40/5m`"));
    };
    Ok((count, read_positive(time)?))
}

fn read_positive(piece: Piece<'_>) -> Result<Duration, ReadError> {
    let time = read_time(piece)?;
    if time.is_zero() {
        return Err(piece
            .error(format!("{} leaves no time to move", quoted(piece.text)))
            .hint("write `none` for no limit"));
    }
    Ok(time)
}

fn read_time(piece: Piece<'_>) -> Result<Duration, ReadError> {
    if piece.text.is_empty() {
        return Err(piece.error("a time is missing").hint(TIME_EXAMPLES));
    }
    let mut rest = piece;
    let mut nanos: u128 = 0;
    let mut next_unit = 0;
    while !rest.text.is_empty() {
        let digits = rest.text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.text.len());
        let (number, tail) = rest.text.split_at(digits);
        let letters = tail.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(letters);
        if number.is_empty() {
            return Err(rest.error(format!("{} is not a time", quoted(rest.text))).hint(TIME_EXAMPLES));
        }
        let Some(index) = UNITS.iter().position(|(name, _)| *name == unit) else {
            let wrong = if unit.is_empty() {
                format!("{} has no unit", quoted(number))
            } else {
                format!("{} is not a unit of time", quoted(unit))
            };
            let hint = format!("units are h, m, s and ms, as in `{number}s`");
            return Err(rest.error(wrong).hint(hint));
        };
        if index < next_unit {
            let wrong = format!("`{unit}` cannot come here");
            return Err(rest.error(wrong).hint("larger units come first, each once, as in `1h30m`"));
        }
        next_unit = index + 1;
        nanos = nanos.saturating_add(read_number(&rest, number, UNITS[index].1)?);
        rest = Piece { text: tail, before: rest.before + number.len() + unit.len() };
    }
    if nanos > LONGEST.as_nanos() {
        let wrong = format!("{} is longer than a year", quoted(piece.text));
        return Err(piece.error(wrong).hint("write `none` for no limit"));
    }
    Ok(Duration::new((nanos / NANOS_PER_SECOND) as u64, (nanos % NANOS_PER_SECOND) as u32))
}

/// Returns `number` times `unit`, exactly.
fn read_number(at: &Piece<'_>, number: &str, unit: u128) -> Result<u128, ReadError> {
    let no_number = || at.error(format!("{} is not a number", quoted(number))).hint(TIME_EXAMPLES);
    let (whole, part) = match number.split_once('.') {
        Some((whole, part)) if !whole.is_empty() && !part.is_empty() && !part.contains('.') => (whole, part),
        Some(_) => return Err(no_number()),
        None => (number, ""),
    };
    // Twenty digits are beyond the longest time in any unit; the sum is checked against it later.
    let whole: u128 =
        if whole.trim_start_matches('0').len() > 20 { u128::MAX } else { whole.parse().unwrap_or(0) };
    let part = part.trim_end_matches('0');
    let scale = 10u128.checked_pow(part.len() as u32).filter(|_| part.len() <= 18);
    let fraction = scale.and_then(|scale| {
        let product = if part.is_empty() { 0 } else { part.parse::<u128>().ok()? * unit };
        (product % scale == 0).then_some(product / scale)
    });
    let Some(fraction) = fraction else {
        let wrong = format!("{} is finer than a nanosecond", quoted(number));
        return Err(at.error(wrong).hint(TIME_EXAMPLES));
    };
    Ok(whole.saturating_mul(unit).saturating_add(fraction))
}

/// A time in text: `1h30m`, `2.5s`, `250ms`.
struct Time(Duration);

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanos = self.0.as_nanos();
        if nanos == 0 {
            return f.write_str("0s");
        }
        let (hours, minutes) = (nanos / UNITS[0].1, nanos % UNITS[0].1 / UNITS[1].1);
        let rest = nanos % UNITS[1].1;
        if hours > 0 {
            write!(f, "{hours}h")?;
        }
        if minutes > 0 {
            write!(f, "{minutes}m")?;
        }
        let (unit, size) = if nanos < NANOS_PER_SECOND { UNITS[3] } else { UNITS[2] };
        if rest > 0 {
            let part = rest % size;
            let width = size.ilog10() as usize;
            write!(f, "{}", rest / size)?;
            if part > 0 {
                write!(f, ".{}", format!("{part:0width$}").trim_end_matches('0'))?;
            }
            f.write_str(unit)?;
        }
        Ok(())
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(total) = self.total.map(Time) else {
            return match self.per_move {
                Some(each) => write!(f, "{}/move", Time(each)),
                None => f.write_str("none"),
            };
        };
        match self.periods {
            None => write!(f, "{total}")?,
            Some(Periods::Sessions { first, moves, time }) if first == moves && total.0 == time => {
                write!(f, "{moves}/{total}")?;
            }
            Some(Periods::Sessions { first, moves, time }) => {
                write!(f, "{first}/{total}:{moves}/{}", Time(time))?;
            }
            Some(Periods::Overtime { moves, time }) => write!(f, "{total}:{moves}/{}", Time(time))?,
        }
        if !self.increment.is_zero() {
            write!(f, "+{}", Time(self.increment))?;
        }
        match self.per_move {
            Some(each) => write!(f, "@{}/move", Time(each)),
            None => Ok(()),
        }
    }
}

impl TryFrom<String> for TimeControl {
    type Error = ReadError;

    fn try_from(text: String) -> Result<Self, ReadError> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> String {
        control.to_string()
    }
}

#[cfg(test)]
mod tests;
