//! Does a program keep to the line protocol? A list of checks, each with what was expected and what was found.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use parlor_core::api::{AnyGame, AnyTable};
use parlor_core::rng::fork;
use parlor_core::text::notation::quoted;
use parlor_core::text::protocol::{Clocks, FromEngine, ToEngine, VERSION};
use parlor_core::{Cancel, Clock, Phase, Rng, Seat, TimeControl};
use serde::Serialize;

use super::process::{self, Process};
use super::{HANDSHAKE_TIMEOUT, await_reply};

/// How long a program has to leave.
const LEAVING: Duration = Duration::from_secs(2);

/// What is to be checked, and how hard.
pub struct Checker<'a> {
    /// The program and its words.
    pub command: &'a str,
    /// The games that it is offered.
    pub games: &'a [Box<dyn AnyGame>],
    /// Whether it may refuse some of them, as long as it takes one.
    pub may_refuse: bool,
    /// How many matches of each game it plays.
    pub matches: u32,
    /// How long each of its decisions may take.
    pub time: Duration,
    /// Raised by whoever wants it to end early.
    pub cancel: &'a Cancel,
}

/// One check and how it went.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// What was checked, in a few words.
    pub check: &'static str,
    /// In which game, where that matters.
    pub game: Option<&'static str>,
    /// Whether it went well.
    pub passed: bool,
    /// What a good program does.
    pub expected: &'static str,
    /// What this one did.
    pub found: String,
}

/// What happens while checking.
#[derive(Debug)]
pub enum Event {
    /// A match has been played.
    Match,
    /// A check is done.
    Found(Finding),
}

/// A check that went well or not: what was found.
type Outcome = Result<String, String>;

impl Checker<'_> {
    /// Runs all checks and tells `on_event` about each as it is done. Returns whether all went well.
    pub fn run(&self, on_event: &mut dyn FnMut(Event)) -> bool {
        let mut passed = true;
        let mut found = |check, game, expected, outcome: Outcome, on_event: &mut dyn FnMut(Event)| {
            let good = outcome.is_ok();
            passed &= good;
            let found = outcome.unwrap_or_else(|why| why);
            on_event(Event::Found(Finding { check, game, passed: good, expected, found }));
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
        Process::start(&words).map_err(|error| format!("it cannot be started: {error}"))
    }

    fn greet(process: &Process) -> Result<String, String> {
        let mut name = "ready, but no name".to_owned();
        process.say(&ToEngine::Hello(VERSION));
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

    /// Starts the program and greets it. Returns its name, too.
    fn started(&self) -> Result<(Process, String), String> {
        let process = self.spawn()?;
        let name = Self::greet(&process)?;
        Ok((process, name))
    }

    fn unknown_words(&self) -> Outcome {
        let process = self.spawn()?;
        for line in ["xyzzy 1 2 3", "", "   ", "capabilities?", "see nobody nothing"] {
            process.say(&line);
        }
        Self::greet(&process).map(|_| "ready".to_owned())
    }

    fn refuses(&self) -> Outcome {
        let (process, _) = self.started()?;
        match offer_spec(&process, "no-such-game(size=3)")? {
            Ok(()) => Err("ok".to_owned()),
            Err(why) => Ok(format!("refuse {why}")),
        }
    }

    /// Starts the program and offers a game. Returns the running program, or why it refuses.
    fn offer(&self, game: &dyn AnyGame) -> Result<Result<Process, String>, String> {
        let (process, _) = self.started()?;
        Ok(offer_spec(&process, &game.spec())?.map(|()| process))
    }

    /// Plays matches one after the other with the same process.
    fn matches(&self, game: &dyn AnyGame, process: &Process, on_event: &mut dyn FnMut(Event)) -> Outcome {
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

    /// Breaks a match off and begins another.
    fn abandoned(&self, game: &dyn AnyGame) -> Outcome {
        let process = self.offer(game)?.map_err(|why| format!("refused: {why}"))?;
        for (seat, decisions) in [(Seat(game.seats() - 1), 1), (Seat::FIRST, 2)] {
            Referee::new(self, game, &process, seat, 77)?.play(decisions)?;
        }
        Ok("a new match".to_owned())
    }

    fn leaves(&self, asked: bool) -> Outcome {
        let (mut process, _) = self.started()?;
        if asked {
            process.say(&ToEngine::Quit);
        } else {
            process.hang_up();
        }
        let started = Instant::now();
        while !process.has_ended() {
            if started.elapsed() > LEAVING {
                process.dismiss();
                return Err("it stays".to_owned());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        Ok("it ends".to_owned())
    }
}

fn offer_spec(process: &Process, spec: &str) -> Result<Result<(), String>, String> {
    process.say(&ToEngine::Game(spec.to_owned()));
    await_reply(process, Instant::now() + HANDSHAKE_TIMEOUT, |message| match message {
        FromEngine::Ok => ControlFlow::Break(Ok(())),
        FromEngine::Refuse(why) => ControlFlow::Break(Err(why)),
        _ => ControlFlow::Continue(()),
    })
    .map_err(|fault| format!("after `game {spec}`: {fault}"))
}

/// One match between the program and `random`, step by step.
struct Referee<'a> {
    table: Box<dyn AnyTable>,
    process: &'a Process,
    cancel: &'a Cancel,
    seat: Seat,
    clock: Clock,
    /// How much of what the seat has seen has been told.
    told: usize,
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
        process.say(&ToEngine::New(seat));
        Ok(Referee {
            table,
            process,
            cancel: checker.cancel,
            seat,
            clock: Clock::new(TimeControl::per_move(checker.time)),
            told: 0,
            dice: Rng::forked(2, number),
            decisions: 0,
            slowest: Duration::ZERO,
        })
    }

    /// Plays until the end, or until the program has decided so many times.
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
                    // Whether it ponders or does not know the word: it plays on.
                    let view = self.table.view_json(self.seat)["view"].to_string();
                    self.process.say(&ToEngine::Ponder(view));
                    self.process.say(&ToEngine::Stop);
                    self.table.agent_act().map_err(|error| error.to_string())?;
                }
                Phase::Over => break,
            }
        }
        self.tell();
        let payoffs = self.table.payoffs().unwrap_or_default();
        self.process.say(&ToEngine::Over(payoffs.iter().map(f64::to_string).collect()));
        Ok(())
    }

    /// Tells what the seat has seen since the last time.
    fn tell(&mut self) {
        let sights = self.table.sights(self.seat);
        for (actor, action) in &sights[self.told..] {
            self.process.say(&ToEngine::See(*actor, action.clone()));
        }
        self.told = sights.len();
    }

    fn ask(&mut self) -> Result<(), String> {
        self.tell();
        let process = self.process;
        if !process.forget_unread() {
            return Err(super::ENDLESS_TALK.to_owned());
        }
        process.say(&ToEngine::View(self.table.view_json(self.seat)["view"].to_string()));
        // The protocol may grow: what a program does not know must not confuse it, here as little as elsewhere.
        process.say(&"hint none");
        process.say(&ToEngine::Legal(self.table.actions()));
        process.say(&Clocks { own: self.clock, other: None });
        let started = Instant::now();
        process.say(&ToEngine::Go(self.dice.bits()));
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
