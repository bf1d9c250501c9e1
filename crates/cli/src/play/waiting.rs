//! A sign that somebody is thinking, on terminals only.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::screen::{Screen, width};
use crate::terminal::overwrite_line;

/// What takes less time shows no sign.
const UNNOTICED: Duration = Duration::from_millis(400);

/// How often the time is shown anew.
const TICK: Duration = Duration::from_millis(500);

/// Does some work; if it takes long, `what … 3 s` is on the screen meanwhile.
pub fn waiting<T>(screen: Screen, what: &str, work: impl FnOnce() -> T) -> T {
    if !io::stdout().is_terminal() {
        return work();
    }
    let dots = screen.ink.pick("…", "...");
    thread::scope(|scope| {
        let (done, over) = mpsc::channel::<()>();
        let sign = scope.spawn(move || {
            let started = Instant::now();
            let mut pause = UNNOTICED;
            let mut shown = false;
            while over.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                let text = format!("{what} {dots} {} s", started.elapsed().as_secs());
                let short: String = text.chars().take(width() - 1).collect();
                overwrite_line(&short);
                shown = true;
                pause = TICK;
            }
            if shown {
                overwrite_line("");
            }
        });
        let result = work();
        drop(done);
        // The sign is gone before anything else is printed.
        let _ = sign.join();
        result
    })
}
