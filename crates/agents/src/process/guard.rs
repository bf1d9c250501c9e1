//! A guard process that kills an engine when parlor is gone.
//!
//! A hanging engine notices neither the end of its input nor that its output is no longer read. If parlor is killed, it
//! cannot kill its engines. So a guard starts each engine: a process that waits for the end of the engine or of parlor,
//! and then kills the engine and its descendants.
//!
//! `PR_SET_PDEATHSIG` is no alternative: it exists on Linux only, is sent when the parent *thread* ends, and does not
//! reach the engine's descendants.

use std::ffi::OsString;
#[cfg(unix)]
use std::path::Path;
use std::sync::OnceLock;

/// The command that runs [`guard`] with the words that follow it.
static GUARD: OnceLock<Vec<OsString>> = OnceLock::new();

/// Starts engines through `command` from now on: a program and its first arguments, which must call [`guard`] with the
/// arguments that follow. Without a guard, a hanging engine outlives parlor if parlor is killed.
pub fn guard_engines_by(command: Vec<OsString>) {
    // The first command stays, because engines may be running under it.
    let _ = GUARD.set(command);
}

/// Returns the guard command, if it is set, its file still exists, and `program` can be started. A program that cannot be
/// started is started directly, so that the system's error is known at once.
#[cfg(unix)]
pub(super) fn guard_of(program: &Path) -> Option<&'static [OsString]> {
    let guard = GUARD.get()?;
    let is_there = guard.first().is_some_and(|ourselves| Path::new(ourselves).is_file());
    (is_there && can_be_started(program)).then_some(guard)
}

#[cfg(unix)]
fn can_be_started(program: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let is_program = |path: &Path| {
        path.metadata().is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
    };
    if program.is_absolute() {
        return is_program(program);
    }
    let places = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&places).any(|place| is_program(&place.join(program)))
}

/// Runs an engine and kills it when the other end of standard error, which must be a pipe and is the engine's, too, is closed.
/// Returns the engine's exit code.
///
/// # Errors
/// If the engine cannot be started, or this process does not lead its process group, which is killed as a whole.
#[cfg(unix)]
pub fn guard(words: &[OsString]) -> std::io::Result<i32> {
    use std::fs::File;
    use std::io;
    use std::process::Command;
    use std::thread;

    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::process::{Signal, getpgrp, getpid, kill_process_group};

    let [program, rest @ ..] = words else { return Err(io::ErrorKind::InvalidInput.into()) };
    let group = getpgrp();
    if group != getpid() {
        return Err(io::Error::other("a guard must lead its process group"));
    }
    let mut engine = Command::new(program).args(rest).spawn()?;
    thread::spawn(move || {
        let stderr = io::stderr();
        // Without any event to wait for, `poll` returns when nobody can read the pipe any more.
        while match poll(&mut [PollFd::new(&stderr, PollFlags::empty())], None) {
            Ok(closed) => closed == 0,
            Err(wrong) => wrong == rustix::io::Errno::INTR,
        } {}
        // This process belongs to the group, so success ends it, and failure leaves nothing to do.
        let _ = kill_process_group(group, Signal::KILL);
    });
    // The engine owns its pipes: their other ends must notice when it closes them.
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    rustix::stdio::dup2_stdout(&nothing)?;
    Ok(engine.wait()?.code().unwrap_or(1))
}
