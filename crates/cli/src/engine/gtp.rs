//! Go Text Protocol, version 2, for dark chess. The guide's page on engines defines what is supported.
//!
//! G. Farnebäck, *Specification of the Go Text Protocol, version 2* (draft 2, 2002); the commands of dark chess are those
//! that programs of the Computer Olympiad share: `reset_board`, `move`, `flip`, squares by pairs.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::num::NonZeroU32;
use std::time::Duration;

use parlor_core::api::ApiError;
use parlor_core::text::protocol::Clocks;
use parlor_core::text::shown::shown;
use parlor_core::{Clock, Ink, Periods, Phase, TimeControl};

use super::lines::Lines;
use super::seated::Opponent;

const COMMANDS: [&str; 19] = [
    "boardsize",
    "clear_board",
    "flip",
    "game_over",
    "genmove",
    "known_command",
    "list_commands",
    "move",
    "name",
    "play",
    "protocol_version",
    "quit",
    "ready",
    "reset_board",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

/// Errors are cut to this number of characters.
const LONGEST_ERROR: usize = 400;

/// The longest time that is accepted: a year.
const LONGEST: f64 = 365.0 * 24.0 * 3600.0;

struct Session {
    seated: Opponent,
    control: TimeControl,
    /// What `time_left` said of each colour: the time, and the moves it is for.
    left: BTreeMap<char, (Duration, Option<NonZeroU32>)>,
}

pub fn run<R: BufRead>(seated: Opponent, lines: &mut Lines<R>, out: &mut impl Write) -> anyhow::Result<()> {
    let mut session = Session { seated, control: TimeControl::default(), left: BTreeMap::new() };
    while let Some(line) = lines.next()? {
        let line = line.split('#').next().unwrap_or_default();
        let mut words: Vec<&str> =
            line.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
        let Some(first) = words.first() else { continue };
        let id = if first.bytes().all(|byte| byte.is_ascii_digit()) { words.remove(0) } else { "" };
        let Some((&command, arguments)) = words.split_first() else { continue };
        let (sign, text) = match session.reply(command, arguments) {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        write!(out, "{}\n\n", format!("{sign}{id} {text}").trim_end())?;
        out.flush()?;
        if command == "quit" {
            break;
        }
    }
    Ok(())
}

impl Session {
    fn reply(&mut self, command: &str, arguments: &[&str]) -> Result<String, String> {
        let nothing = Ok(String::new());
        match (command, arguments) {
            ("protocol_version", _) => Ok("2".to_owned()),
            ("name", _) => Ok(format!("parlor {}", self.seated.name())),
            ("version", _) => Ok(env!("CARGO_PKG_VERSION").to_owned()),
            ("known_command", [word, ..]) => Ok(COMMANDS.contains(word).to_string()),
            ("list_commands", _) => Ok(COMMANDS.join("\n")),
            ("quit" | "ready" | "game_over", _) => nothing,
            ("boardsize", ["4", "8"] | ["8", "4"]) => nothing,
            ("boardsize", _) => Err("unacceptable size".to_owned()),
            ("clear_board" | "reset_board", _) => {
                self.left.clear();
                reply(self.seated.set_up(None).map(drop))
            }
            ("play", [colour, rest @ ..]) => {
                self.check_colour(colour)?;
                self.play(rest)
            }
            ("move", [from, to]) => self.play(&[from, to]),
            ("flip", [square, piece]) => self.flip(square, piece),
            ("genmove", [colour]) => self.genmove(colour),
            ("undo", _) => match self.seated.table.undo() {
                Ok(true) => nothing,
                _ => Err("cannot undo".to_owned()),
            },
            ("showboard", _) => {
                let drawing =
                    self.seated.table.draw(parlor_core::Seat::FIRST, Ink { ascii: true, colour: false });
                Ok(format!("\n{}", drawing.trim_end()))
            }
            ("time_settings", [main, period, stones]) => {
                self.control = time_settings(main, period, stones).ok_or("syntax error")?;
                self.left.clear();
                nothing
            }
            ("time_left", [colour, time, stones]) => {
                let letter = letter(colour).ok_or("invalid color")?;
                let time = seconds(time).ok_or("syntax error")?;
                let stones: u32 = stones.parse().map_err(|_| "syntax error")?;
                self.left.insert(letter, (time, NonZeroU32::new(stones)));
                nothing
            }
            (known, _) if COMMANDS.contains(&known) => Err("syntax error".to_owned()),
            _ => Err("unknown command".to_owned()),
        }
    }

    /// Returns the colour to move: `r`, `b`, or `?` before the first piece is up.
    fn turn(&self) -> char {
        let view = self.seated.table.view_json(parlor_core::Seat::FIRST);
        view["view"]["turn"].as_str().and_then(|text| text.chars().next()).unwrap_or('?')
    }

    fn check_colour(&self, colour: &str) -> Result<(), String> {
        let (letter, turn) = (letter(colour).ok_or("invalid color")?, self.turn());
        let other = turn != '?' && letter != '?' && letter != turn;
        if other {
            Err(format!("it is {}'s turn", if turn == 'r' { "red" } else { "black" }))
        } else {
            Ok(())
        }
    }

    /// Carries out `a8 a7`, `a8-a7`, `a6=K`, or the flip `a6` (also `a6 a6`) whose piece is still to be given.
    fn play(&mut self, words: &[&str]) -> Result<String, String> {
        let text = words.join("-");
        if let Some((square, piece)) = text.split_once('=') {
            return self.flip(square, piece);
        }
        let squares: Vec<&str> = text.split('-').collect();
        let action = match squares[..] {
            [from, to] if from == to => from,
            _ => &text,
        };
        self.seated.mover().map_err(|error| one_line(&error))?;
        reply(self.seated.act(action).map(drop))
    }

    /// Turns a piece up, or says what the one that is being turned up has turned out to be.
    fn flip(&mut self, square: &str, piece: &str) -> Result<String, String> {
        let pending = self.seated.table.phase() == Phase::Chance;
        if pending {
            let view = self.seated.table.view_json(parlor_core::Seat::FIRST);
            let flipping = view["view"]["flipping"].as_str().unwrap_or_default().to_owned();
            if flipping != square {
                return Err(format!("illegal move: {flipping} is being turned up"));
            }
        } else {
            if square.contains('-') {
                return Err("illegal move".to_owned());
            }
            reply(self.seated.act(square).map(drop))?;
        }
        let shown = self.seated.table.replay(&format!("={piece}"));
        if shown.is_err() && !pending {
            // Nothing has happened if it cannot have happened.
            let _ = self.seated.table.undo();
        }
        reply(shown)
    }

    fn genmove(&mut self, colour: &str) -> Result<String, String> {
        self.check_colour(colour)?;
        let seat = self.seated.mover().map_err(|error| one_line(&error))?;
        let turn = self.turn();
        let other = match turn {
            'r' => 'b',
            'b' => 'r',
            unknown => unknown,
        };
        let clocks = Clocks {
            own: self.clock(turn, self.seated.decisions(seat)),
            other: Some(self.clock(other, self.seated.decisions(seat.other()))).filter(Clock::is_limited),
        };
        let answer = self.seated.think(&clocks).map_err(|error| one_line(&error))?;
        reply(self.seated.act(&answer).map(drop))?;
        Ok(match answer.split_once('-') {
            Some((from, to)) => format!("{from} {to}"),
            None => format!("{answer} {answer}"),
        })
    }

    fn clock(&self, colour: char, decisions: u32) -> Clock {
        match self.left.get(&colour) {
            Some(&(left, due)) => Clock::resumed(self.control, Duration::ZERO, decisions, left, due),
            None => Clock::new(self.control),
        }
    }
}

fn reply(result: Result<(), ApiError>) -> Result<String, String> {
    result.map(|()| String::new()).map_err(|error| format!("illegal move: {}", one_line(&error)))
}

fn one_line(error: &ApiError) -> String {
    match error {
        // In dark chess only a flip waits for chance, and a controller can answer that.
        ApiError::ChanceFirst => "a piece is being turned up; say which with `flip`".to_owned(),
        error => shown(&error.to_string(), LONGEST_ERROR),
    }
}

/// Reads a colour: red, black, or unknown before the first piece is up.
fn letter(colour: &str) -> Option<char> {
    match colour.to_ascii_lowercase().as_str() {
        "r" | "red" => Some('r'),
        "b" | "black" => Some('b'),
        "?" | "unknown" => Some('?'),
        _ => None,
    }
}

fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    (0.0..=LONGEST).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

/// Main time, then a number of moves in every period. A period for no moves means that time is not limited.
fn time_settings(main: &str, period: &str, stones: &str) -> Option<TimeControl> {
    let (main, period) = (seconds(main)?, seconds(period)?);
    let stones = NonZeroU32::new(stones.parse().ok()?);
    Some(match (period.is_zero(), stones) {
        (true, _) if main.is_zero() => return None,
        (true, _) => TimeControl::total(main),
        (false, None) => TimeControl::default(),
        (false, Some(moves)) => TimeControl {
            periods: Some(Periods::Overtime { moves, time: period }),
            ..TimeControl::total(main)
        },
    })
}
