//! A process between us and an engine that ends the engine when we are gone.
//!
//! An engine that hangs notices neither that its input has ended nor that nobody reads its output. If this program is killed, it
//! cannot end its engines any more. So a guard starts each engine: a process that does nothing but wait for the engine's end, or for
//! ours, and then ends the engine and whatever it has started.
//!
//! Why not `PR_SET_PDEATHSIG`: it exists on Linux only, is sent when the *thread* that started the process ends, and reaches the
//! engine but not the processes that the engine has started.

use std::ffi::OsString;
use std::sync::OnceLock;

/// The command that runs [`guard`] with the words that follow it.
static GUARD: OnceLock<Vec<OsString>> = OnceLock::new();

/// Starts engines by way of `command` from now on: a program and its first arguments, which must call [`guard`] with the arguments
/// that follow. Without one, an engine that hangs outlives us if we are killed.
pub fn guard_engines_by(command: Vec<OsString>) {
    // The first one stays: engines may be running under it.
    let _ = GUARD.set(command);
}

/// Returns the command that guards engines, if there is one and it can start `program`. One that cannot be started is better
/// started directly: the system's reason is then known at once. A guard whose file was replaced during a long run is left out.
#[cfg(unix)]
pub(super) fn guard_of(program: &str) -> Option<&'static [OsString]> {
    let guard = GUARD.get()?;
    let is_there = guard.first().is_some_and(|ourselves| std::path::Path::new(ourselves).is_file());
    (is_there && can_be_started(program)).then_some(guard)
}

#[cfg(unix)]
fn can_be_started(program: &str) -> bool {
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;
    let is_program = |path: &Path| {
        path.metadata().is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
    };
    if program.contains('/') {
        return is_program(Path::new(program));
    }
    let places = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&places).any(|place| is_program(&place.join(program)))
}

/// Runs an engine, and ends it when standard error, which must be the end of a pipe to read from, is closed at its other end.
/// Returns the engine's exit code.
///
/// # Errors
/// If the engine cannot be started, or this process does not lead its process group: the whole group is ended.
#[cfg(unix)]
pub fn guard(words: &[OsString]) -> std::io::Result<i32> {
    use std::fs::File;
    use std::io;
    use std::process::{Command, Stdio};
    use std::thread;

    use rustix::process::{Signal, getpgrp, getpid, kill_process_group};

    let [program, rest @ ..] = words else { return Err(io::ErrorKind::InvalidInput.into()) };
    let group = getpgrp();
    if group != getpid() {
        return Err(io::Error::other("a guard must lead its process group"));
    }
    let mut engine = Command::new(program).args(rest).stderr(Stdio::null()).spawn()?;
    thread::spawn(move || {
        let mut unused = [0];
        while match rustix::io::read(io::stderr(), &mut unused) {
            Ok(read) => read > 0,
            Err(wrong) => wrong == rustix::io::Errno::INTR,
        } {}
        // This process is one of the group, so nothing is left to be done if it succeeds, and nothing can be done if not.
        let _ = kill_process_group(group, Signal::KILL);
    });
    // The engine's pipes are its own: their other ends must notice when it closes them.
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    rustix::stdio::dup2_stdout(&nothing)?;
    Ok(engine.wait()?.code().unwrap_or(1))
}
