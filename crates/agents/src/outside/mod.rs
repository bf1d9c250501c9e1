//! An engine in a process of its own, seated like any other agent.
//!
//! It is told what its seat sees and nothing else. Whatever it does wrong (breaking off, hanging, flooding, lying)
//! costs it the match, within its time, and never harms the run.

pub mod check;
pub mod guard;
mod process;

use std::ops::ControlFlow;
use std::thread;
use std::time::{Duration, Instant};

use parlor_core::text::protocol::{Clocks, FromEngine, ToEngine, VERSION};
use parlor_core::{
    Agent, Cancel, Context, Decision, Entry, Fault, Notation, Payoffs, Pondering, Seat, Sight,
};

use process::{Process, Silence};

/// How many lines an engine may say before its answer.
const MOST_LINES: u32 = 100_000;

/// How long an engine has for hello and for taking a game, at the most.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// How often someone who waits looks whether the answer is still wanted.
const GLANCE: Duration = Duration::from_millis(5);

/// How long a program has to answer after `stop`.
const AFTER_STOP: Duration = Duration::from_millis(30);

/// How often someone who waits for a program that ponders looks up. The clock of whoever is thinking waits for it, too.
const BLINK: Duration = Duration::from_micros(200);

/// What a seated program is allowed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Timeouts {
    /// How long a decision may take when no clock runs, and a greeting if that is less than ten seconds.
    pub decision: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Timeouts { decision: Duration::from_secs(60) }
    }
}

/// A program in a seat.
pub struct Outside {
    words: Vec<String>,
    spec: String,
    timeouts: Timeouts,
    process: Option<Process>,
    name: String,
}

/// Why a program cannot be seated.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The command is no command.
    #[error("{0}")]
    Command(&'static str),
    /// The system could not start it.
    #[error("it cannot be started")]
    Start(#[source] std::io::Error),
    /// It did not greet back.
    #[error("it does not speak the protocol: {0}")]
    Manners(String),
    /// It does not play this game.
    #[error("it refuses the game: {0}")]
    Refused(String),
}

impl Outside {
    /// Starts the program of `command` and makes sure that it plays `game`.
    ///
    /// # Errors
    /// If it cannot be started, does not greet, or refuses.
    pub fn start<G: Entry>(game: &G, command: &str, timeouts: Timeouts) -> Result<Outside, StartError> {
        let words = process::words(command).map_err(StartError::Command)?;
        let mut outside =
            Outside { words, spec: game.spec().to_string(), timeouts, process: None, name: String::new() };
        outside.connect()?;
        Ok(outside)
    }

    /// Returns what the program calls itself; empty if it has not said.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Starts the program if it is not running, and greets it.
    fn connect(&mut self) -> Result<&Process, StartError> {
        // One that has left between two matches is fetched back: nothing was asked of it.
        if self.process.as_mut().is_some_and(Process::has_ended) {
            self.process = None;
        }
        if self.process.is_none() {
            let process = Process::start(&self.words).map_err(StartError::Start)?;
            let deadline = Instant::now() + HANDSHAKE_TIMEOUT.min(self.timeouts.decision);
            let manners = |fault: Fault| StartError::Manners(fault.to_string());
            process.say(&ToEngine::Hello(VERSION));
            let name = &mut self.name;
            await_reply(&process, deadline, |message| match message {
                FromEngine::Ready => ControlFlow::Break(()),
                FromEngine::Name(said) => {
                    *name = said;
                    ControlFlow::Continue(())
                }
                _ => ControlFlow::Continue(()),
            })
            .map_err(manners)?;
            process.say(&ToEngine::Game(self.spec.clone()));
            await_reply(&process, deadline, |message| match message {
                FromEngine::Ok => ControlFlow::Break(Ok(())),
                FromEngine::Refuse(why) => ControlFlow::Break(Err(StartError::Refused(why))),
                _ => ControlFlow::Continue(()),
            })
            .map_err(manners)??;
            self.process = Some(process);
        }
        Ok(self.process.as_ref().expect("it was just started"))
    }

    /// Ends the match with the program's fault. The next match starts it afresh.
    fn fail(&mut self, fault: Fault) -> ! {
        if let Some(process) = self.process.take() {
            process.dismiss();
        }
        fault.raise()
    }
}

/// Waits for the reply that is wanted, within time and with a bound on talk.
fn await_reply<T>(
    process: &Process,
    deadline: Instant,
    wanted: impl FnMut(FromEngine) -> ControlFlow<T>,
) -> Result<T, Fault> {
    await_reply_unless(process, deadline, None, wanted)
}

/// Does the same; once `stop` is set, the program is told, and has very little time left.
fn await_reply_unless<T>(
    process: &Process,
    mut deadline: Instant,
    mut cancel: Option<&Cancel>,
    mut wanted: impl FnMut(FromEngine) -> ControlFlow<T>,
) -> Result<T, Fault> {
    for _ in 0..MOST_LINES {
        let line = loop {
            if cancel.is_some_and(Cancel::is_cancelled) {
                process.say(&ToEngine::Stop);
                deadline = deadline.min(Instant::now() + AFTER_STOP);
                cancel = None;
            }
            let glance = if cancel.is_some() { deadline.min(Instant::now() + GLANCE) } else { deadline };
            match process.hear(glance) {
                Err(Silence::Late) if glance < deadline => {}
                heard => break heard,
            }
        };
        let line = line.map_err(|silence| match silence {
            Silence::Late => Fault::Overran,
            Silence::Gone => broken("the program ended or closed its output"),
            Silence::Endless => broken("the program sent a line without end"),
            Silence::Garbage => broken("the program sent bytes that are no text"),
        })?;
        if let Some(message) = FromEngine::read(&line)
            && let ControlFlow::Break(reply) = wanted(message)
        {
            return Ok(reply);
        }
        if Instant::now() >= deadline {
            return Err(Fault::Overran);
        }
    }
    Err(broken(ENDLESS_TALK))
}

const ENDLESS_TALK: &str = "the program talks without end";

fn broken(what: &str) -> Fault {
    Fault::ProgramFailed(what.to_owned())
}

impl<G: Entry + Notation> Agent<G> for Outside {
    fn begin(&mut self, _: &G, seat: Seat) {
        match self.connect() {
            Ok(process) => process.say(&ToEngine::New(seat)),
            Err(error) => self.fail(Fault::ProgramFailed(error.to_string())),
        }
    }

    fn watch(&mut self, game: &G, sight: Sight<G::Action>) {
        if let Some(process) = &self.process {
            process.say(&ToEngine::See(sight.actor, game.write_action(sight.action)));
        }
    }

    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        let started = Instant::now();
        let game = decision.game;
        let Some(process) = &self.process else {
            self.fail(broken("the program is gone"));
        };
        if !process.forget_unread() {
            self.fail(broken(ENDLESS_TALK));
        }
        let sheet = serde_json::to_string(&game.sheet(decision.view)).expect("a sheet is plain data");
        process.say(&ToEngine::View(sheet));
        process.say(&ToEngine::Legal(decision.actions.iter().map(|&a| game.write_action(a)).collect()));
        let clocks = Clocks { own: context.clock, other: context.opponent_clock };
        if clocks.is_limited() {
            process.say(&clocks);
        }
        process.say(&ToEngine::Go(context.rng.bits()));
        let deadline = started + context.clock.patience().unwrap_or(self.timeouts.decision);
        let answer = await_reply_unless(process, deadline, context.cancel, |message| match message {
            FromEngine::Move(text) => ControlFlow::Break(text),
            _ => ControlFlow::Continue(()),
        });
        match answer.map(|text| (game.understand(decision.actions, &text), text)) {
            Ok((Ok(action), _)) => action,
            Ok((Err(_), text)) => self.fail(Fault::Illegal(parlor_core::text::notation::quoted(&text))),
            Err(fault) => self.fail(fault),
        }
    }

    fn ponder(&mut self, pondering: &Pondering<'_, G>) {
        let Some(process) = &self.process else { return };
        let sheet =
            serde_json::to_string(&pondering.game.sheet(pondering.view)).expect("a sheet is plain data");
        process.say(&ToEngine::Ponder(sheet));
        while !pondering.cancel.is_cancelled() {
            thread::sleep(BLINK);
        }
        process.say(&ToEngine::Stop);
    }

    fn end(&mut self, game: &G, payoffs: &Payoffs) {
        if let Some(process) = &self.process {
            let list = Seat::all(game.seats()).map(|seat| payoffs.of(seat).to_string()).collect();
            process.say(&ToEngine::Over(list));
        }
    }
}
