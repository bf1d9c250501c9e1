//! What matches and tournaments have in common: how they stop, where they are kept, how they are remembered.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::Context;
use parlor_core::Cancel;
use parlor_lab::record::Settings;
use parlor_lab::{Record, log};

use crate::args::is_nowhere;

/// How a run came to its end.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Stop {
    AllPairs,
    Accepted(&'static str),
    Time,
    Asked,
}

impl Stop {
    /// Returns the word that the log has for it.
    pub fn word(self) -> &'static str {
        match self {
            Stop::AllPairs => "pairs",
            Stop::Accepted(hypothesis) => hypothesis,
            Stop::Time => "time",
            Stop::Asked => "stopped",
        }
    }

    /// Returns whether there is more to play.
    pub fn is_early(self) -> bool {
        matches!(self, Stop::Time | Stop::Asked)
    }
}

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

/// Returns the flag that Ctrl-C raises. A second Ctrl-C does not wait for agents that are deaf to it.
pub fn stop_on_ctrl_c() -> anyhow::Result<Cancel> {
    let asked = Cancel::new();
    let raise = asked.clone();
    let mut first: Option<Instant> = None;
    ctrlc::set_handler(move || {
        WAS_INTERRUPTED.store(true, Ordering::Relaxed);
        raise.cancel();
        if first.get_or_insert_with(Instant::now).elapsed() > SECOND_AFTER {
            // What was written is whole pairs, so nothing is lost.
            std::process::exit(INTERRUPTED.into());
        }
    })?;
    Ok(asked)
}

/// Panics of agents are forfeits and are told as such; their back-traces would only bury the result.
pub fn silence_agents() {
    std::panic::set_hook(Box::new(|_| {}));
}

/// Returns how many threads play: as many as were asked for, or as there are cores.
pub fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(|| thread::available_parallelism().map_or(1, std::num::NonZero::get), usize::from)
}

/// Returns when `--minutes` are over. More minutes than a clock can hold never are.
pub fn deadline(minutes: Option<f64>) -> Option<Instant> {
    let time = Duration::try_from_secs_f64(60.0 * minutes?).ok()?;
    Instant::now().checked_add(time)
}

/// Opens the folder of a new run: the one that was asked for, or one in the program's own place. A machine without
/// such a place plays all the same.
pub fn new_record(
    out: Option<&Path>,
    keep: bool,
    settings: &impl Settings,
) -> anyhow::Result<Option<Record>> {
    match (out, keep) {
        (Some(folder), _) if is_nowhere(folder) => Ok(None),
        (Some(folder), _) => Ok(Some(Record::create(folder, settings)?)),
        (None, false) => Ok(None),
        (None, true) => Ok(kept_at_home(settings)),
    }
}

fn kept_at_home<S: Settings>(settings: &S) -> Option<Record> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let name = format!("{}-{:09}-{}", now.as_secs(), now.subsec_nanos(), std::process::id());
    let plural = if S::WHAT == "match" { "matches" } else { "tournaments" };
    let folder: PathBuf = log::home()?.join(plural).join(name);
    match Record::create(&folder, settings) {
        Ok(record) => Some(record),
        Err(error) => {
            anstream::eprintln!("the games are not kept: {error}");
            None
        }
    }
}

/// Adds a run to the log. A log that cannot be written is no reason to lose the result.
pub fn remember(played: log::Played, stop: Stop, folder: Option<&Path>) {
    let entry = log::Entry {
        ended: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
        ended_by: stop.word().to_owned(),
        folder: folder.map(|folder| folder.canonicalize().unwrap_or_else(|_| folder.to_owned())),
        played,
    };
    let written =
        log::home().context("there is no home folder").and_then(|home| Ok(log::append(&home, &entry)?));
    if let Err(error) = written {
        anstream::eprintln!("this is not in the log: {error:#}");
    }
}
