//! Long calls: they run on a thread of their own while this one hears Ctrl-C and reports progress.

use std::any::Any;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use parlor_core::{Cancel, Progress, ProgressUpdate};
use parlor_lab::run::Event;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::errors;

/// How often signals are looked at.
const POLL: Duration = Duration::from_millis(50);

/// The stack of the thread that works: as much as the main thread of a program has, for searches that recurse.
const STACK: usize = 8 << 20;

/// What a long call reports on its way.
#[derive(Clone, Debug)]
pub enum Update {
    /// So much of so much is done; 0 if the end is not known.
    Done { done: u64, total: u64 },
    /// A warning.
    Warning(String),
}

/// Receives updates from any thread.
pub type Tell<'a> = &'a (dyn Fn(Update) + Sync);

/// Does the work without holding the interpreter's lock. Ctrl-C raises the flag and, when the work has ended, its exception.
/// `progress` is called with what is done and the total, a few times a second.
pub fn run<T: Send>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Cancel, Tell<'_>) -> PyResult<T> + Send,
) -> PyResult<T> {
    let cancel = Cancel::new();
    py.detach(|| {
        thread::scope(|scope| {
            let (send, updates) = mpsc::channel();
            let flag = &cancel;
            let worker = move || work(flag, &|update| drop(send.send(update)));
            let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker)?;
            let mut interrupted = Ok(());
            let mut ended = false;
            while !ended {
                let news = collect(&updates, &mut ended);
                if interrupted.is_ok() {
                    interrupted = Python::attach(|py| report(py, progress, news));
                    if interrupted.is_err() {
                        cancel.cancel();
                    }
                }
            }
            let result = worker.join().map_err(|cause| PyRuntimeError::new_err(words(&*cause)))?;
            interrupted.and(result)
        })
    })
}

/// Waits for the next look at signals, or the end of the work. Returns the warnings and the last count.
fn collect(updates: &mpsc::Receiver<Update>, ended: &mut bool) -> Vec<Update> {
    let (mut news, mut count) = (Vec::new(), None);
    let until = Instant::now() + POLL;
    loop {
        match updates.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(update @ Update::Done { .. }) => count = Some(update),
            Ok(update) => news.push(update),
            Err(RecvTimeoutError::Timeout) => break,
            Err(RecvTimeoutError::Disconnected) => {
                *ended = true;
                break;
            }
        }
        if Instant::now() >= until {
            break;
        }
    }
    news.extend(count);
    news
}

fn report(py: Python<'_>, progress: Option<&Py<PyAny>>, news: Vec<Update>) -> PyResult<()> {
    py.check_signals()?;
    for update in news {
        match (update, progress) {
            (Update::Done { done, total }, Some(progress)) => {
                progress.call1(py, (done, total))?;
            }
            (Update::Done { .. }, None) => {}
            (Update::Warning(text), _) => {
                py.import("warnings")?.call_method1("warn", (text,))?;
            }
        }
    }
    Ok(())
}

fn words(cause: &(dyn Any + Send)) -> String {
    let text = cause.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| cause.downcast_ref::<String>().cloned()).unwrap_or_else(|| "it panicked".to_owned())
}

/// Tells what happens in a run: warnings, and how many of its units are done.
pub struct Listening<'a> {
    tell: Tell<'a>,
    done: u64,
    total: u64,
}

impl<'a> Listening<'a> {
    pub fn new(tell: Tell<'a>) -> Self {
        Listening { tell, done: 0, total: 0 }
    }

    pub fn hear(&mut self, event: &Event<'_>) {
        match event {
            // Runs of Python are not in the log of the command line.
            Event::Warning(parlor_lab::run::Warning::NotLogged(_)) => return,
            Event::Warning(warning) => return (self.tell)(Update::Warning(errors::sentence(*warning))),
            Event::Started { done, total, .. } => (self.done, self.total) = (*done, *total),
            Event::Progress { done } => self.done = *done,
            Event::MatchPair { .. } | Event::TournamentPair { .. } => self.done += 1,
            Event::Round { about, .. } => self.done = about.matches,
            Event::Trained { .. } | Event::ExperimentUnit { .. } | Event::Done(_) => return,
        }
        (self.tell)(Update::Done { done: self.done, total: self.total });
    }
}

/// Calls a computation with a progress that tells how much of it is done.
pub fn with_progress<T>(cancel: &Cancel, tell: Tell<'_>, work: impl FnOnce(&mut Progress<'_>) -> T) -> T {
    const WHOLE: f64 = 1000.0;
    let mut report = |update: &ProgressUpdate| {
        if let Some(done) = update.done {
            tell(Update::Done { done: (WHOLE * done) as u64, total: WHOLE as u64 });
        }
    };
    work(&mut Progress { cancel, report: &mut report })
}
