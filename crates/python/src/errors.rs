//! Exceptions with the sentences of the Rust side.

use std::error::Error;
use std::fmt::Write;
use std::sync::{Mutex, MutexGuard, TryLockError};

use parlor_core::SpecError;
use parlor_core::api::{ApiError, ErrorKind};
use parlor_lab::run::RunError;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::{PyErr, PyResult};

create_exception!(parlor, ParlorError, PyValueError, "Something that parlor cannot do, and why: a sentence.");
create_exception!(parlor, Conflict, ParlorError, "Not now: another seat is to move, or the match is over.");
create_exception!(parlor, Unsupported, ParlorError, "The game or its rules do not offer this.");
create_exception!(parlor, AgentFault, ParlorError, "An agent misbehaved and forfeited.");

/// Returns what only one thread uses at a time. Never waits: the thread that has it may be waiting for the interpreter.
pub fn locked<'a, T>(shared: &'a Mutex<T>, name: &str) -> PyResult<MutexGuard<'a, T>> {
    match shared.try_lock() {
        Ok(guard) => Ok(guard),
        // What panicked has changed nothing half-way that matters: tables and batches are checked before they are changed.
        Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => {
            Err(Conflict::new_err(format!("another thread is using this {name}")))
        }
    }
}

/// Returns an error with its causes.
pub fn sentence(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let _ = write!(text, ": {cause}");
        source = cause.source();
    }
    text
}

/// Returns the exception for any other error.
pub fn other(error: &(dyn Error + 'static)) -> PyErr {
    ParlorError::new_err(sentence(error))
}

/// Returns the exception for a spec that is not understood.
pub fn spec(error: SpecError) -> PyErr {
    other(&error)
}

/// Returns the exception for an error of the dynamic API.
pub fn api(error: ApiError) -> PyErr {
    let text = sentence(&error);
    match error.kind() {
        ErrorKind::BadRequest | ErrorKind::Cancelled => ParlorError::new_err(text),
        ErrorKind::Conflict => Conflict::new_err(text),
        ErrorKind::Unsupported => Unsupported::new_err(text),
        ErrorKind::AgentFault => AgentFault::new_err(text),
    }
}

/// Returns the exception for an error of a run.
pub fn run(error: RunError) -> PyErr {
    match error {
        RunError::Judging(error) | RunError::Study(error) => api(error),
        error => other(&error),
    }
}
