//! The standard error of programs: the last lines for errors, all of it for a log.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

/// How many lines are kept.
const KEPT_LINES: usize = 6;

/// How many characters of a line are kept.
const KEPT_CHARS: usize = 200;

/// The longest piece of a line that is read at once. A longer line is several.
const MAX_LINE: u64 = 1 << 13;

/// How long to wait for the last lines of a program that has ended. Usually no time: the pipe closes with the program. On a busy
/// machine the thread that reads it may be late, and a descendant that has left the program's process group may hold the pipe open.
const LAST_LINES_TIMEOUT: Duration = Duration::from_secs(2);

/// The file that gets everything.
static LOG: OnceLock<Mutex<File>> = OnceLock::new();

/// Appends all that programs write to their standard error to `file` from now on. The first file stays.
pub fn log_to(file: File) {
    let _ = LOG.set(Mutex::new(file));
}

fn log(engine: u64, text: &str) {
    if let Some(file) = LOG.get() {
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        // One call, so that lines of several programs do not mix. A log that cannot be written is no reason to lose a game.
        let _ = file.write_all(format!("engine {engine}: {text}\n").as_bytes());
    }
}

/// What a program writes to its standard error. Copies are the same one.
#[derive(Clone, Default)]
pub struct Stderr(Arc<Shared>);

#[derive(Default)]
struct Shared {
    kept: Mutex<Kept>,
    ended: Condvar,
}

#[derive(Default)]
struct Kept {
    lines: VecDeque<String>,
    has_ended: bool,
}

impl Stderr {
    /// Reads `pipe` to its end on a thread of its own, so that a program never blocks on it. The log knows the program as
    /// `command`.
    pub(super) fn read(pipe: impl Read + Send + 'static, command: &str) -> Stderr {
        static STARTED: AtomicU64 = AtomicU64::new(0);
        let engine = 1 + STARTED.fetch_add(1, Ordering::Relaxed);
        log(engine, &format!("started: {command}"));
        let stderr = Stderr::default();
        let ours = stderr.clone();
        thread::spawn(move || {
            let mut reader = BufReader::new(pipe);
            let mut line = Vec::new();
            while reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
                let text = String::from_utf8_lossy(&line);
                let text = text.trim_end();
                log(engine, text);
                ours.keep(text);
                line.clear();
            }
            log(engine, "ended");
            ours.lock().has_ended = true;
            ours.0.ended.notify_all();
        });
        stderr
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.0.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, line: &str) {
        let mut kept = self.lock();
        if kept.lines.len() == KEPT_LINES {
            kept.lines.pop_front();
        }
        let short = line.chars().take(KEPT_CHARS).collect();
        kept.lines.push_back(short);
    }

    /// Returns the last lines, as soon as the program has closed its standard error or after a short while.
    #[must_use]
    pub fn last_lines(&self) -> Vec<String> {
        let waited = self.0.ended.wait_timeout_while(self.lock(), LAST_LINES_TIMEOUT, |kept| !kept.has_ended);
        let (kept, _) = waited.unwrap_or_else(PoisonError::into_inner);
        kept.lines.iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept_and_long_ones_cut() {
        let mut text: String = (0..100).map(|line| format!("line {line}\n")).collect();
        text += &"x".repeat(10_000);
        let lines = Stderr::read(std::io::Cursor::new(text.into_bytes()), "test").last_lines();
        assert_eq!(lines.len(), KEPT_LINES);
        // The last line is longer than what is read at once.
        assert_eq!(lines[KEPT_LINES - 3], "line 99");
        assert_eq!(lines[KEPT_LINES - 2].len(), KEPT_CHARS);
    }

    #[test]
    fn bytes_that_are_no_text_do_no_harm() {
        let lines = Stderr::read(&b"\xff\xfe\nend"[..], "test").last_lines();
        assert_eq!(lines, ["\u{fffd}\u{fffd}", "end"]);
    }
}
