//! Agents written in Python. Each runs on a thread of its own, so that one that never answers can be left behind.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use parlor_core::api::{AnyGame, Guest, GuestChoice, GuestEntry, GuestQuery};
use parlor_core::{Actor, Cancel, Fault, Seat, SpecError};
use pyo3::prelude::*;

use crate::decision::Decision;

/// How often a waiting match looks whether it was cancelled.
const POLL: Duration = Duration::from_millis(20);

/// The longest message of an exception that a result repeats.
const LONGEST_MESSAGE: usize = 200;

/// The Python agents of a call: name, what makes the agent, seconds for each call, and whether it watches.
pub type GuestList = Vec<(String, Py<PyAny>, Option<f64>, bool)>;

/// Returns what seats Python agents by name. Raising `cancel` gives up those that do not answer.
pub fn entries(guests: GuestList, cancel: &Cancel) -> Vec<GuestEntry> {
    let entry = |(name, make, timeout, watches): (String, Py<PyAny>, Option<f64>, bool)| {
        let timeout = timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let factory = Arc::new(Factory { make, timeout, watches, cancel: cancel.clone() });
        let make = move || Box::new(PythonAgent { factory: factory.clone(), worker: None }) as Box<dyn Guest>;
        GuestEntry { name, make: Arc::new(make) }
    };
    guests.into_iter().map(entry).collect()
}

/// Opens a game as the laboratory knows it, with guests.
pub fn open_with(guests: &[GuestEntry]) -> impl Fn(&str) -> Result<Box<dyn AnyGame>, SpecError> {
    move |spec| {
        let mut game = parlor_catalog::open(spec)?;
        for guest in guests {
            game.add_guest(guest.clone())?;
        }
        Ok(game)
    }
}

struct Factory {
    make: Py<PyAny>,
    timeout: Option<Duration>,
    watches: bool,
    cancel: Cancel,
}

/// What an agent is called with.
enum Call {
    BeginSession,
    Begin { game: String, seat: u8 },
    Watch { actor: Option<u8>, action: String },
    Act(Decision),
    End(Vec<f64>),
}

type Answer = Result<Option<GuestChoice>, Fault>;

/// The thread of an agent.
struct Worker {
    calls: Sender<Call>,
    answers: Receiver<Answer>,
    /// What Python calls the thread; 0 until it is known.
    ident: Arc<AtomicU64>,
}

impl Worker {
    fn start(factory: Arc<Factory>) -> Worker {
        let (calls, inbox) = mpsc::channel();
        let (outbox, answers) = mpsc::channel();
        let ident = Arc::new(AtomicU64::new(0));
        let own = ident.clone();
        thread::spawn(move || serve(&factory, &own, &inbox, &outbox));
        Worker { calls, answers, ident }
    }

    /// Raises an exception in the agent, so that a loop in Python ends.
    fn interrupt(&self) {
        let ident = self.ident.load(Ordering::Relaxed);
        Python::attach(|py| {
            let interrupt = py.import("parlor._agents").and_then(|module| module.getattr("_interrupt"));
            // Nothing more can be done about an agent that cannot be interrupted.
            let _ = interrupt.and_then(|interrupt| interrupt.call1((ident,)));
        });
    }
}

/// Makes the agent and answers calls until nobody calls any more.
fn serve(factory: &Factory, ident: &AtomicU64, calls: &Receiver<Call>, answers: &Sender<Answer>) {
    let made = Python::attach(|py| {
        if let Ok(own) = py.import("threading").and_then(|module| module.call_method0("get_ident")?.extract())
        {
            ident.store(own, Ordering::Relaxed);
        }
        factory.make.call0(py).map_err(|error| fault(py, &error))
    });
    for call in calls {
        let answer = match &made {
            Ok(agent) => Python::attach(|py| handle(py, agent, call)),
            Err(fault) => Err(fault.clone()),
        };
        if answers.send(answer).is_err() {
            return;
        }
    }
}

fn handle(py: Python<'_>, agent: &Py<PyAny>, call: Call) -> Answer {
    let done = match call {
        Call::BeginSession => agent.call_method0(py, "begin_session"),
        Call::Begin { game, seat } => agent.call_method1(py, "begin", (game, seat)),
        Call::Watch { actor, action } => agent.call_method1(py, "watch", (actor, action)),
        Call::End(payoffs) => agent.call_method1(py, "end", (payoffs,)),
        Call::Act(decision) => {
            let answer = agent.call_method1(py, "act", (decision,));
            let answer = answer.map_err(|error| fault(py, &error))?;
            return choice(answer.bind(py)).map(Some);
        }
    };
    done.map(|_| None).map_err(|error| fault(py, &error))
}

/// Returns what an agent chose: a text, or anything that Python takes for a whole number.
fn choice(answer: &Bound<'_, PyAny>) -> Result<GuestChoice, Fault> {
    if let Ok(text) = answer.extract::<String>() {
        return Ok(GuestChoice::Text(text));
    }
    if let Ok(number) = answer.extract::<usize>() {
        return Ok(GuestChoice::Number(number));
    }
    let shown = answer.repr().map_or_else(|_| "something".to_owned(), |repr| repr.to_string());
    Err(Fault::Illegal(cut(&shown)))
}

fn fault(py: Python<'_>, error: &PyErr) -> Fault {
    let name =
        error.get_type(py).qualname().map_or_else(|_| "an exception".to_owned(), |name| name.to_string());
    let message = error.value(py).str().map_or_else(|_| String::new(), |text| text.to_string());
    let message = cut(&message);
    Fault::ProgramFailed(if message.is_empty() {
        format!("raised {name}")
    } else {
        format!("raised {name}: {message}")
    })
}

/// Returns a text as results may repeat it: short, and without control characters.
fn cut(text: &str) -> String {
    let plain = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    plain.take(LONGEST_MESSAGE).collect::<String>().trim().to_owned()
}

/// An agent written in Python, as the laboratory seats it.
struct PythonAgent {
    factory: Arc<Factory>,
    worker: Option<Worker>,
}

impl PythonAgent {
    /// Calls the agent and waits for its answer. One that does not answer in time is left behind; the next match gets a new one.
    fn call(&mut self, call: Call, patience: Option<Duration>, cancel: Option<&Cancel>) -> Answer {
        let worker = self.worker.get_or_insert_with(|| Worker::start(self.factory.clone()));
        let gone = || Fault::ProgramFailed("its thread has ended".to_owned());
        worker.calls.send(call).map_err(|_| gone())?;
        let limits = [patience, self.factory.timeout];
        let until = limits.into_iter().flatten().min().and_then(|limit| Instant::now().checked_add(limit));
        loop {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            match worker.answers.recv_timeout(left.map_or(POLL, |left| left.min(POLL))) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let is_cancelled = self.factory.cancel.is_cancelled() || cancel.is_some_and(Cancel::is_cancelled);
            if is_cancelled || left.is_some_and(|left| left.is_zero()) {
                worker.interrupt();
                self.worker = None;
                return Err(Fault::Overran);
            }
        }
    }
}

impl Guest for PythonAgent {
    fn begin_session(&mut self) -> Result<(), Fault> {
        self.call(Call::BeginSession, None, None).map(drop)
    }

    fn begin(&mut self, game: &str, seat: Seat) -> Result<(), Fault> {
        self.call(Call::Begin { game: game.to_owned(), seat: seat.0 }, None, None).map(drop)
    }

    fn watch(&mut self, actor: Actor, action: &str) -> Result<(), Fault> {
        let actor = match actor {
            Actor::Seat(seat) => Some(seat.0),
            Actor::Chance => None,
        };
        self.call(Call::Watch { actor, action: action.to_owned() }, None, None).map(drop)
    }

    fn act(&mut self, query: GuestQuery) -> Result<GuestChoice, Fault> {
        let GuestQuery { decision, seed, patience, cancel } = query;
        let seconds = [patience, self.factory.timeout].into_iter().flatten().min();
        let call = Call::Act(Decision { decision, seed, seconds: seconds.map(|limit| limit.as_secs_f64()) });
        let answer = self.call(call, patience, cancel.as_ref())?;
        Ok(answer.expect("a decision is answered with a choice"))
    }

    fn end(&mut self, payoffs: &[f64]) -> Result<(), Fault> {
        // One that was left behind does not hear the end.
        if self.worker.is_none() {
            return Ok(());
        }
        self.call(Call::End(payoffs.to_vec()), None, None).map(drop)
    }

    fn watches(&self) -> bool {
        self.factory.watches
    }
}
