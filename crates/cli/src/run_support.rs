//! What commands that run long have in common: Ctrl-C and SIGTERM, threads, and where a run is kept.

use std::error::Error;
use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use parlor_core::api::AnyGame;
use parlor_core::{Cancel, SpecError};
use parlor_lab::format::counted;
use parlor_lab::log;
use parlor_lab::record::Recorded;
use parlor_lab::run::{Keep, RunOptions, Warning};
use parlor_store::{Location, Store};

use crate::args::is_nowhere;
use crate::terminal::say_aside;

/// How long after the first Ctrl-C a second one counts: wrappers tend to send the same one twice.
const SECOND_AFTER: Duration = Duration::from_secs(1);

/// The exit code after Ctrl-C, which shells expect: 128 and the number of the signal.
pub const INTERRUPTED: u8 = 130;

/// Whether Ctrl-C has cut the command short.
static WAS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Returns whether Ctrl-C has cut the command short. What was done until then is kept and printed; scripts see it by
/// [`INTERRUPTED`].
pub fn was_interrupted() -> bool {
    WAS_INTERRUPTED.load(Ordering::Relaxed)
}

/// Returns the flag that Ctrl-C and SIGTERM raise. A second one does not wait for agents that are deaf to it.
pub fn stop_on_ctrl_c() -> anyhow::Result<Cancel> {
    let asked = Cancel::new();
    let raise = asked.clone();
    let mut first: Option<Instant> = None;
    on_signal(move |_| {
        WAS_INTERRUPTED.store(true, Ordering::Relaxed);
        raise.cancel();
        if first.get_or_insert_with(Instant::now).elapsed() > SECOND_AFTER {
            // What was written is whole pairs, so nothing is lost.
            std::process::exit(INTERRUPTED.into());
        }
    })?;
    Ok(asked)
}

/// Returns the flag that Ctrl-C and SIGTERM raise, for commands that end well all the same: leaving a table is no failure.
pub fn leave_on_ctrl_c() -> anyhow::Result<Cancel> {
    let left = Cancel::new();
    let leave = left.clone();
    on_signal(move |_| leave.cancel())?;
    Ok(left)
}

/// What asks a program to end.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Signal {
    /// Ctrl-C.
    CtrlC,
    /// SIGTERM.
    #[cfg(unix)]
    Terminate,
}

/// Calls `handler` at each Ctrl-C and each SIGTERM, on a thread of its own.
///
/// SIGHUP keeps its meaning: a run that was started by `nohup` outlives its terminal.
#[cfg(unix)]
pub fn on_signal(mut handler: impl FnMut(Signal) + Send + 'static) -> anyhow::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            handler(if signal == SIGTERM { Signal::Terminate } else { Signal::CtrlC });
        }
    })?;
    Ok(())
}

/// Calls `handler` at each Ctrl-C, on a thread of its own.
#[cfg(not(unix))]
pub fn on_signal(mut handler: impl FnMut(Signal) + Send + 'static) -> anyhow::Result<()> {
    Ok(ctrlc::set_handler(move || handler(Signal::CtrlC))?)
}

/// Lets programs (`cmd:`) write their standard error to a file.
pub fn log_engines(path: Option<&Path>) -> anyhow::Result<()> {
    if let Some(path) = path {
        let file = File::options().create(true).append(true).open(path);
        parlor_catalog::engine_stderr::log_to(
            file.with_context(|| format!("{} cannot be written", path.display()))?,
        );
    }
    Ok(())
}

/// Hides the back-traces of agents that panic: the run reports each panic as a forfeit.
pub fn silence_agents() {
    std::panic::set_hook(Box::new(|_| {}));
}

/// Returns how many threads play: as many as were asked for, or as there are cores.
pub fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(|| thread::available_parallelism().map_or(1, std::num::NonZero::get), usize::from)
}

/// Opens a game as the laboratory knows it.
pub fn open(spec: &str) -> Result<Box<dyn AnyGame>, SpecError> {
    Ok(parlor_catalog::open(spec)?)
}

/// Returns how a run is carried out: `--out`, `--no-games`, `--threads`, `--minutes`, `--record`.
pub fn options(
    out: Option<&Path>,
    keep: bool,
    threads_asked: Option<u16>,
    minutes: Option<f64>,
    record: Option<&str>,
) -> anyhow::Result<RunOptions> {
    Ok(RunOptions {
        threads: threads(threads_asked),
        // More minutes than a clock can hold are no limit.
        time_limit: minutes.and_then(|minutes| Duration::try_from_secs_f64(60.0 * minutes).ok()),
        keep: match out {
            Some(folder) if is_nowhere(folder) => Keep::Nowhere,
            Some(folder) => Keep::In(folder.to_owned()),
            None if keep => Keep::AtHome,
            None => Keep::Nowhere,
        },
        home: log::home(),
        record: record.map(Location::parse).transpose()?,
    })
}

/// Returns the store of `--record`. One that cannot be written is reported now rather than when a game has been played.
pub fn store_to_record(record: Option<&str>) -> anyhow::Result<Option<Location>> {
    let Some(at) = record else { return Ok(None) };
    let location = Location::parse(at)?;
    Store::create_at(location.clone())?.history()?;
    Ok(Some(location))
}

/// Prints what was recorded in a store.
pub fn tell_recorded(recorded: Option<&Recorded>) {
    if let Some(Recorded { store, games }) = recorded {
        say_aside(format!("{} recorded in {store}", counted(*games, "game")));
    }
}

/// Prints warnings that do not stop a run.
pub fn warn(warning: &Warning) {
    let mut text = warning.to_string();
    let mut cause = warning.source();
    while let Some(error) = cause {
        text += &format!(": {error}");
        cause = error.source();
    }
    say_aside(text);
}
