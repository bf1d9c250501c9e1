//! Checks whether an engine follows the line protocol. Each check reports what was expected and what was found.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use parlor_core::api::{AnyGame, AnyTable};
use parlor_core::rng::fork;
use parlor_core::text::notation::quoted;
use parlor_core::text::protocol::{Clocks, FromEngine, ToEngine, VERSION};
use parlor_core::{Cancel, Clock, Phase, Rng, Seat, TimeControl};
use serde::Serialize;

use super::{HANDSHAKE_TIMEOUT, await_reply};
use crate::process::stderr::Stderr;
use crate::process::{self, Process};

/// How long an engine may take to exit.
const EXIT_TIMEOUT: Duration = Duration::from_secs(2);

/// The parameters of a check.
pub struct Checker<'a> {
    /// The engine's command line.
    pub command: &'a str,
    /// The games to offer.
    pub games: &'a [Box<dyn AnyGame>],
    /// Whether it may refuse some of them, if it accepts at least one.
    pub may_refuse: bool,
    /// The number of matches per game.
    pub matches: u32,
    /// The time limit of a decision.
    pub time: Duration,
    /// Cancels the check.
    pub cancel: &'a Cancel,
    /// The standard error of the program that was started last; empty at first.
    pub stderr: RefCell<Stderr>,
}

/// The result of one check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// A short name of the check.
    pub check: &'static str,
    /// The game, if the check is about one.
    pub game: Option<&'static str>,
    /// Whether it passed.
    pub passed: bool,
    /// The expected behaviour.
    pub expected: &'static str,
    /// The observed behaviour.
    pub found: String,
    /// If it failed, the last lines that the program wrote to its standard error.
    pub stderr: Vec<String>,
}

/// Events of a running check.
#[derive(Debug)]
pub enum Event {
    /// A match is finished.
    Match,
    /// A check is finished.
    Found(Finding),
}

/// The observed behaviour, as `Ok` if the check passed.
type CheckResult = Result<String, String>;

impl Checker<'_> {
    /// Runs all checks and calls `on_event` after each. Returns whether all passed.
    pub fn run(&self, on_event: &mut dyn FnMut(Event)) -> bool {
        let mut passed = true;
        let mut found = |check, game, expected, outcome: CheckResult, on_event: &mut dyn FnMut(Event)| {
            let good = outcome.is_ok();
            passed &= good;
            let found = outcome.unwrap_or_else(|why| why);
            let stderr = if good { Vec::new() } else { self.stderr.take().last_lines() };
            on_event(Event::Found(Finding { check, game, passed: good, expected, found, stderr }));
            good
        };

        let greeting = "`ready` within ten seconds after `parlor 1`, perhaps `name` and `info` before it";
        if !found("greets", None, greeting, self.started().map(|(_, name)| name), on_event) {
            return false;
        }
        found(
            "ignores unknown words",
            None,
            "`ready`, also after lines that mean nothing",
            self.unknown_words(),
            on_event,
        );
        found(
            "refuses what it does not know",
            None,
            "`refuse` to a game that does not exist",
            self.refuses(),
            on_event,
        );

        let mut taken = 0;
        for game in self.games {
            let name = Some(game.name());
            match self.offer(&**game) {
                Err(why) => {
                    found("answers to a game", name, "`ok`, or `refuse` and why", Err(why), on_event);
                }
                Ok(Err(why)) if self.may_refuse => {
                    let refused = Ok(format!("refused: {why}"));
                    found("answers to a game", name, "`ok`, or `refuse` and why", refused, on_event);
                }
                Ok(Err(why)) => {
                    found("takes the game", name, "`ok`", Err(format!("refused: {why}")), on_event);
                }
                Ok(Ok(process)) => {
                    taken += 1;
                    found("takes the game", name, "`ok`", Ok("ok".to_owned()), on_event);
                    let outcome = self.matches(&**game, &process, on_event);
                    let legal = "a legal `move` within its time after every `go`, match after match";
                    found("plays", name, legal, outcome, on_event);
                    let anew = "a legal `move` in a `new` match though the last one was not `over`";
                    found("begins anew", name, anew, self.abandoned(&**game), on_event);
                }
            }
            if self.cancel.is_cancelled() {
                break;
            }
        }
        if self.may_refuse {
            let outcome = if taken > 0 { Ok(format!("takes {taken}")) } else { Err("takes none".to_owned()) };
            found("plays something", None, "`ok` to at least one game", outcome, on_event);
        }
        found("quits", None, "an end within two seconds after `quit`", self.leaves(true), on_event);
        found(
            "follows its input",
            None,
            "an end within two seconds after its input has ended",
            self.leaves(false),
            on_event,
        );
        passed && !self.cancel.is_cancelled()
    }

    fn spawn(&self) -> Result<Process, String> {
        let words = process::words(self.command)?;
        let mut process = Process::start(&words, Path::new("."))
            .map_err(|error| format!("it cannot be started: {error}"))?;
        self.stderr.replace(process.stderr().clone());
        process.set_goodbye(&ToEngine::Quit);
        Ok(process)
    }

    fn greet(process: &Process) -> Result<String, String> {
        let mut name = "ready, but no name".to_owned();
        process.send(&ToEngine::Hello(VERSION));
        await_reply(process, Instant::now() + HANDSHAKE_TIMEOUT, |message| match message {
            FromEngine::Ready => ControlFlow::Break(()),
            FromEngine::Name(said) => {
                name = said;
                ControlFlow::Continue(())
            }
            _ => ControlFlow::Continue(()),
        })
        .map_err(|fault| fault.to_string())?;
        Ok(name)
    }

    /// Starts the engine and performs the handshake. Also returns its name.
    fn started(&self) -> Result<(Process, String), String> {
        let process = self.spawn()?;
        let name = Self::greet(&process)?;
        Ok((process, name))
    }

    fn unknown_words(&self) -> CheckResult {
        let process = self.spawn()?;
        for line in ["xyzzy 1 2 3", "", "   ", "capabilities?", "see nobody nothing"] {
            process.send(&line);
        }
        Self::greet(&process).map(|_| "ready".to_owned())
    }

    fn refuses(&self) -> CheckResult {
        let (process, _) = self.started()?;
        match offer_spec(&process, "no-such-game(size=3)")? {
            Ok(()) => Err("ok".to_owned()),
            Err(why) => Ok(format!("refuse {why}")),
        }
    }

    /// Starts the engine and offers a game. Returns the running engine, or the reason of its refusal.
    fn offer(&self, game: &dyn AnyGame) -> Result<Result<Process, String>, String> {
        let (process, _) = self.started()?;
        Ok(offer_spec(&process, &game.spec())?.map(|()| process))
    }

    /// Plays matches one after the other with the same process.
    fn matches(&self, game: &dyn AnyGame, process: &Process, on_event: &mut dyn FnMut(Event)) -> CheckResult {
        let mut slowest = Duration::ZERO;
        let mut decisions = 0;
        for number in 0..self.matches {
            let seat = Seat((number % u32::from(game.seats())) as u8);
            let mut table = Referee::new(self, game, process, seat, u64::from(number))?;
            table.play(u32::MAX).map_err(|why| format!("match {}, seat {seat}: {why}", number + 1))?;
            slowest = slowest.max(table.slowest);
            decisions += table.decisions;
            on_event(Event::Match);
            if self.cancel.is_cancelled() {
                return Err("the check was stopped".to_owned());
            }
        }
        let matches = if self.matches == 1 { "match" } else { "matches" };
        Ok(format!("{} {matches}, {decisions} moves, slowest {} ms", self.matches, slowest.as_millis()))
    }

    /// Abandons a match and starts another.
    fn abandoned(&self, game: &dyn AnyGame) -> CheckResult {
        let process = self.offer(game)?.map_err(|why| format!("refused: {why}"))?;
        for (seat, decisions) in [(Seat(game.seats() - 1), 1), (Seat::FIRST, 2)] {
            Referee::new(self, game, &process, seat, 77)?.play(decisions)?;
        }
        Ok("a new match".to_owned())
    }

    fn leaves(&self, asked: bool) -> CheckResult {
        let (mut process, _) = self.started()?;
        if asked {
            process.send(&ToEngine::Quit);
        } else {
            process.close_input();
        }
        let started = Instant::now();
        while !process.has_ended() {
            if started.elapsed() > EXIT_TIMEOUT {
                process.end(Duration::ZERO);
                return Err("it stays".to_owned());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        Ok("it ends".to_owned())
    }
}

fn offer_spec(process: &Process, spec: &str) -> Result<Result<(), String>, String> {
    process.send(&ToEngine::Game(spec.to_owned()));
    await_reply(process, Instant::now() + HANDSHAKE_TIMEOUT, |message| match message {
        FromEngine::Ok => ControlFlow::Break(Ok(())),
        FromEngine::Refuse(why) => ControlFlow::Break(Err(why)),
        _ => ControlFlow::Continue(()),
    })
    .map_err(|fault| format!("after `game {spec}`: {fault}"))
}

/// One match between the engine and `random`, step by step.
struct Referee<'a> {
    table: Box<dyn AnyTable>,
    process: &'a Process,
    cancel: &'a Cancel,
    seat: Seat,
    clock: Clock,
    /// The number of the seat's sights that were sent.
    sent: usize,
    dice: Rng,
    decisions: u32,
    slowest: Duration,
}

impl<'a> Referee<'a> {
    fn new(
        checker: &Checker<'a>,
        game: &dyn AnyGame,
        process: &'a Process,
        seat: Seat,
        number: u64,
    ) -> Result<Self, String> {
        let mut table = game.table(fork(1, number), None).map_err(|error| error.to_string())?;
        if game.seats() > 1 {
            table.seat_agent(seat.other(), "random").map_err(|error| error.to_string())?;
        }
        process.send(&ToEngine::New(seat));
        Ok(Referee {
            table,
            process,
            cancel: checker.cancel,
            seat,
            clock: Clock::new(TimeControl::per_move(checker.time)),
            sent: 0,
            dice: Rng::forked(2, number),
            decisions: 0,
            slowest: Duration::ZERO,
        })
    }

    /// Plays until the end, or until the engine has made `most` decisions.
    fn play(&mut self, most: u32) -> Result<(), String> {
        while !self.cancel.is_cancelled() {
            match self.table.phase() {
                Phase::Chance => {
                    self.table.chance().map_err(|error| error.to_string())?;
                }
                Phase::Decide(seat) if seat == self.seat => {
                    if self.decisions == most {
                        return Ok(());
                    }
                    self.ask()?;
                }
                Phase::Decide(_) => {
                    // An engine may ponder or ignore the unknown word, but must play on.
                    let view = self.table.view_json(self.seat)["view"].to_string();
                    self.process.send(&ToEngine::Ponder(view));
                    self.process.send(&ToEngine::Stop);
                    self.table.agent_act().map_err(|error| error.to_string())?;
                }
                Phase::Over => break,
            }
        }
        self.tell();
        let payoffs = self.table.payoffs().unwrap_or_default();
        self.process.send(&ToEngine::Over(payoffs.iter().map(f64::to_string).collect()));
        Ok(())
    }

    /// Sends what the seat has seen since the last call.
    fn tell(&mut self) {
        let sights = self.table.sights(self.seat);
        for (actor, action) in &sights[self.sent..] {
            self.process.send(&ToEngine::See(*actor, action.clone()));
        }
        self.sent = sights.len();
    }

    fn ask(&mut self) -> Result<(), String> {
        self.tell();
        let process = self.process;
        if !process.discard_unread() {
            return Err(super::TOO_MANY_LINES.to_owned());
        }
        process.send(&ToEngine::View(self.table.view_json(self.seat)["view"].to_string()));
        // The protocol may grow: an unknown word must not confuse an engine, here or elsewhere.
        process.send(&"hint none");
        process.send(&ToEngine::Legal(self.table.actions()));
        process.send(&Clocks { own: self.clock, other: None });
        let started = Instant::now();
        process.send(&ToEngine::Go(self.dice.bits()));
        let deadline = started + self.clock.allowance().unwrap_or(HANDSHAKE_TIMEOUT);
        let answer = await_reply(process, deadline, |message| match message {
            FromEngine::Move(text) => ControlFlow::Break(text),
            _ => ControlFlow::Continue(()),
        });
        let which = format!("move {}", self.decisions + 1);
        let answer = answer.map_err(|fault| format!("{which}: {fault}"))?;
        self.slowest = self.slowest.max(started.elapsed());
        self.decisions += 1;
        self.table
            .act(self.seat, &answer)
            .map_err(|error| format!("{which}, {}: {error}", quoted(&answer)))?;
        Ok(())
    }
}
