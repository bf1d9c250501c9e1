//! An agent that is an external engine in its own process.
//!
//! The engine receives what its seat sees and nothing else. Every failure of the engine (exiting, hanging, flooding,
//! illegal answers) costs it the match, within its time, and never harms the run.

pub mod check;

use std::error::Error;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use parlor_core::text::protocol::{Clocks, FromEngine, ToEngine, VERSION};
use parlor_core::{
    Agent, Cancel, Context, Decision, Entry, Fault, Notation, Payoffs, Pondering, Seat, Sight,
};

use crate::process::{self, Process, ReceiveError};

pub use crate::process::{guard, stderr};

/// The maximum number of lines before an answer.
const MAX_LINES: u32 = 100_000;

/// The maximum time for the greeting and for accepting a game.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// How often a wait for an answer checks for cancellation.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// How long an engine has to answer after `stop`.
const AFTER_STOP: Duration = Duration::from_millis(30);

/// How often a wait during pondering checks for its end. Short, because the opponent's clock runs until then.
const PONDER_POLL_INTERVAL: Duration = Duration::from_micros(200);

/// The timeouts of an engine.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Timeouts {
    /// The timeout of a decision without a clock; also of the greeting, if shorter than ten seconds.
    pub decision: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Timeouts { decision: Duration::from_secs(60) }
    }
}

/// An external engine as an agent.
pub struct Outside {
    words: Vec<String>,
    folder: PathBuf,
    spec: String,
    timeouts: Timeouts,
    process: Option<Process>,
    name: String,
}

/// Errors of starting an engine.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The command is invalid.
    #[error("{0}")]
    Command(&'static str),
    /// The operating system could not start the program.
    #[error("it cannot be started")]
    Start(#[source] std::io::Error),
    /// The engine did not complete the handshake.
    #[error("it does not speak the protocol")]
    Handshake(#[source] Fault),
    /// The engine does not play this game.
    #[error("it refuses the game: {0}")]
    Refused(String),
}

impl Outside {
    /// Starts the engine of `command` in `folder` and offers it `game`.
    ///
    /// # Errors
    /// If it cannot be started, does not complete the handshake, or refuses the game.
    pub fn start<G: Entry>(
        game: &G,
        command: &str,
        folder: &Path,
        timeouts: Timeouts,
    ) -> Result<Outside, StartError> {
        let words = process::words(command).map_err(StartError::Command)?;
        let (folder, spec) = (folder.to_owned(), game.spec().to_string());
        let mut outside = Outside { words, folder, spec, timeouts, process: None, name: String::new() };
        outside.connect()?;
        Ok(outside)
    }

    /// Returns the engine's name; empty if it has sent none.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Starts the engine if it is not running, and performs the handshake.
    fn connect(&mut self) -> Result<&Process, StartError> {
        // An engine that exited between two matches is started again: it owed no answer.
        if self.process.as_mut().is_some_and(Process::has_ended) {
            self.process = None;
        }
        if self.process.is_none() {
            let mut process = Process::start(&self.words, &self.folder).map_err(StartError::Start)?;
            process.set_goodbye(&ToEngine::Quit);
            if let Err(error) = self.greet(&process) {
                return Err(match error {
                    StartError::Handshake(fault) => {
                        let grace = grace_after(&fault);
                        StartError::Handshake(fault.with_stderr(&process.end(grace)))
                    }
                    other => other,
                });
            }
            self.process = Some(process);
        }
        Ok(self.process.as_ref().expect("it was just started"))
    }

    /// Performs the handshake.
    fn greet(&mut self, process: &Process) -> Result<(), StartError> {
        let deadline = Instant::now() + HANDSHAKE_TIMEOUT.min(self.timeouts.decision);
        process.send(&ToEngine::Hello(VERSION));
        let name = &mut self.name;
        await_reply(process, deadline, |message| match message {
            FromEngine::Ready => ControlFlow::Break(()),
            FromEngine::Name(said) => {
                *name = said;
                ControlFlow::Continue(())
            }
            _ => ControlFlow::Continue(()),
        })
        .map_err(StartError::Handshake)?;
        process.send(&ToEngine::Game(self.spec.clone()));
        await_reply(process, deadline, |message| match message {
            FromEngine::Ok => ControlFlow::Break(Ok(())),
            FromEngine::Refuse(why) => ControlFlow::Break(Err(StartError::Refused(why))),
            _ => ControlFlow::Continue(()),
        })
        .map_err(StartError::Handshake)?
    }

    /// Ends the match with the engine's fault. The next match starts it again.
    fn fail(&mut self, fault: Fault) -> ! {
        let Some(process) = self.process.take() else { fault.raise() };
        let grace = grace_after(&fault);
        fault.with_stderr(&process.end(grace)).raise()
    }
}

/// Returns how long a program may take to exit after a fault. One that has closed its output may still be writing why.
fn grace_after(fault: &Fault) -> Duration {
    match fault {
        Fault::ProgramFailed(_) => process::SHUTDOWN_GRACE,
        _ => Duration::ZERO,
    }
}

/// Returns an error and its causes as one text.
fn with_causes(error: &dyn Error) -> String {
    let texts = std::iter::successors(Some(error), |&error| error.source()).map(ToString::to_string);
    texts.collect::<Vec<_>>().join(": ")
}

/// Waits for a reply until `deadline`, with a limit on the number of lines.
fn await_reply<T>(
    process: &Process,
    deadline: Instant,
    wanted: impl FnMut(FromEngine) -> ControlFlow<T>,
) -> Result<T, Fault> {
    await_reply_unless(process, deadline, None, wanted)
}

/// Does the same, but sends `stop` when cancelled and then waits only briefly.
fn await_reply_unless<T>(
    process: &Process,
    mut deadline: Instant,
    mut cancel: Option<&Cancel>,
    mut wanted: impl FnMut(FromEngine) -> ControlFlow<T>,
) -> Result<T, Fault> {
    for _ in 0..MAX_LINES {
        let line = loop {
            if cancel.is_some_and(Cancel::is_cancelled) {
                process.send(&ToEngine::Stop);
                deadline = deadline.min(Instant::now() + AFTER_STOP);
                cancel = None;
            }
            let poll = if cancel.is_some() { deadline.min(Instant::now() + POLL_INTERVAL) } else { deadline };
            match process.receive(poll) {
                Err(ReceiveError::Timeout) if poll < deadline => {}
                received => break received,
            }
        };
        let line = line.map_err(|silence| match silence {
            ReceiveError::Timeout => Fault::Overran,
            ReceiveError::Closed => broken("the program ended or closed its output"),
            ReceiveError::TooLong => broken("the program sent a line without end"),
            ReceiveError::NotText => broken("the program sent bytes that are no text"),
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
    Err(broken(TOO_MANY_LINES))
}

const TOO_MANY_LINES: &str = "the program talks without end";

fn broken(what: &str) -> Fault {
    Fault::ProgramFailed(what.to_owned())
}

impl<G: Entry + Notation> Agent<G> for Outside {
    fn begin(&mut self, _: &G, seat: Seat) {
        match self.connect() {
            Ok(process) => process.send(&ToEngine::New(seat)),
            Err(error) => self.fail(Fault::ProgramFailed(with_causes(&error))),
        }
    }

    fn watch(&mut self, game: &G, sight: Sight<G::Action>) {
        if let Some(process) = &self.process {
            process.send(&ToEngine::See(sight.actor, game.write_action(sight.action)));
        }
    }

    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        let started = Instant::now();
        let game = decision.game;
        let Some(process) = &self.process else {
            self.fail(broken("the program is gone"));
        };
        if !process.discard_unread() {
            self.fail(broken(TOO_MANY_LINES));
        }
        let sheet = serde_json::to_string(&game.sheet(decision.view)).expect("a sheet is plain data");
        process.send(&ToEngine::View(sheet));
        process.send(&ToEngine::Legal(decision.actions.iter().map(|&a| game.write_action(a)).collect()));
        let clocks = Clocks { own: context.clock, other: context.opponent_clock };
        if clocks.is_limited() {
            process.send(&clocks);
        }
        process.send(&ToEngine::Go(context.rng.bits()));
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
        process.send(&ToEngine::Ponder(sheet));
        while !pondering.cancel.is_cancelled() {
            thread::sleep(PONDER_POLL_INTERVAL);
        }
        process.send(&ToEngine::Stop);
    }

    fn end(&mut self, game: &G, payoffs: &Payoffs) {
        if let Some(process) = &self.process {
            let list = Seat::all(game.seats()).map(|seat| payoffs.of(seat).to_string()).collect();
            process.send(&ToEngine::Over(list));
        }
    }
}
