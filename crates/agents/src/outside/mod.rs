//! An engine in a process of its own, seated like any other agent.
//!
//! It is told what its seat sees and nothing else. Whatever it does wrong (breaking off, hanging, flooding, lying)
//! costs it the match, within its time, and never harms the run.

mod process;

use std::time::{Duration, Instant};

use parlor_core::protocol::{FromEngine, ToEngine, VERSION};
use parlor_core::{Agent, Decision, Entry, Fault, Notation, Payoffs, Rng, Seat, Sight};

use process::{Process, Silence};

/// How many lines an engine may say before its answer.
const MOST_LINES: u32 = 100_000;

/// How long an engine has for hello and for a new game.
const MANNERS: Duration = Duration::from_secs(10);

/// What a seated program is allowed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Patience {
    /// How long a decision may take when no clock runs.
    pub decision: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Patience { decision: Duration::from_secs(60) }
    }
}

/// A program in a seat.
pub struct Outside {
    words: Vec<String>,
    spec: String,
    patience: Patience,
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
    #[error("it cannot be started: {0}")]
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
    pub fn start<G: Entry>(game: &G, command: &str, patience: Patience) -> Result<Outside, StartError> {
        let words = process::words(command).map_err(StartError::Command)?;
        let mut outside =
            Outside { words, spec: game.spec().to_string(), patience, process: None, name: String::new() };
        outside.connect()?;
        Ok(outside)
    }

    /// Returns what the program calls itself; empty if it has not said.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    fn connect(&mut self) -> Result<&Process, StartError> {
        if self.process.is_none() {
            let process = Process::start(&self.words).map_err(StartError::Start)?;
            let deadline = Instant::now() + MANNERS;
            process.say(&ToEngine::Hello(VERSION));
            loop {
                match listen(&process, deadline).map_err(|fault| StartError::Manners(fault.to_string()))? {
                    FromEngine::Ready => break,
                    FromEngine::Name(name) => self.name = name,
                    _ => {}
                }
            }
            process.say(&ToEngine::Game(self.spec.clone()));
            loop {
                match listen(&process, deadline).map_err(|fault| StartError::Manners(fault.to_string()))? {
                    FromEngine::Ok => break,
                    FromEngine::Refuse(why) => return Err(StartError::Refused(why)),
                    _ => {}
                }
            }
            self.process = Some(process);
        }
        Ok(self.process.as_ref().expect("it was just started"))
    }

    /// Ends the match with the program's fault. The next match starts it afresh.
    fn fail(&mut self, fault: Fault) -> ! {
        self.process = None;
        fault.raise()
    }
}

/// Waits for a line that means something.
fn listen(process: &Process, deadline: Instant) -> Result<FromEngine, Fault> {
    for _ in 0..MOST_LINES {
        match process.hear(deadline) {
            Ok(line) => {
                if let Some(message) = FromEngine::read(&line) {
                    return Ok(message);
                }
            }
            Err(Silence::Late) => return Err(Fault::Overran),
            Err(Silence::Gone) => {
                return Err(Fault::Broken("the program broke off or sent a line without end".to_owned()));
            }
        }
        if Instant::now() >= deadline {
            return Err(Fault::Overran);
        }
    }
    Err(Fault::Broken("the program talks without end".to_owned()))
}

/// Waits for a move, within time and with a bound on talk.
fn await_move(process: &Process, deadline: Instant) -> Result<String, Fault> {
    for _ in 0..MOST_LINES {
        if let FromEngine::Move(text) = listen(process, deadline)? {
            return Ok(text);
        }
    }
    Err(Fault::Broken("the program talks without end".to_owned()))
}

impl<G: Entry + Notation> Agent<G> for Outside {
    fn begin(&mut self, _: &G, seat: Seat) {
        match self.connect() {
            Ok(process) => process.say(&ToEngine::New(seat)),
            Err(error) => self.fail(Fault::Broken(error.to_string())),
        }
    }

    fn watch(&mut self, game: &G, sight: Sight<G::Action>) {
        if let Some(process) = &self.process {
            process.say(&ToEngine::See(sight.actor, game.write_action(sight.action)));
        }
    }

    fn act(&mut self, decision: &Decision<'_, G>, rng: &mut Rng) -> G::Action {
        let started = Instant::now();
        let game = decision.game;
        let Some(process) = &self.process else {
            self.fail(Fault::Broken("the program is gone".to_owned()));
        };
        process.forget_unread();
        let allowance = decision.clock.allowance();
        let sheet = serde_json::to_string(&game.sheet(decision.view)).expect("a sheet is plain data");
        process.say(&ToEngine::View(sheet));
        process.say(&ToEngine::Legal(decision.actions.iter().map(|&a| game.write_action(a)).collect()));
        if let Some(left) = allowance {
            process.say(&ToEngine::Clock { own: Some(left.as_millis() as u64), other: None });
        }
        process.say(&ToEngine::Go(rng.bits()));
        let deadline = started + allowance.unwrap_or(self.patience.decision);
        let answer = match await_move(process, deadline) {
            Ok(answer) => answer,
            Err(fault) => self.fail(fault),
        };
        match game.understand(decision.actions, &answer) {
            Ok(action) => action,
            Err(_) => self.fail(Fault::Illegal(parlor_core::notation::quoted(&answer))),
        }
    }

    fn end(&mut self, game: &G, payoffs: &Payoffs) {
        if let Some(process) = &self.process {
            let list = Seat::all(game.seats()).map(|seat| payoffs.of(seat).to_string()).collect();
            process.say(&ToEngine::Over(list));
        }
    }
}
