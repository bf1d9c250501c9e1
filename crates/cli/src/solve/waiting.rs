//! What one sees while a solver works.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parlor_core::{Cancel, Progress, ProgressUpdate};
use parlor_lab::format::grouped;

/// Work that is shorter than this is not worth a line.
const QUIET: Duration = Duration::from_secs(2);

/// A line on standard error, on terminals only, once the work has taken two seconds.
pub struct Waiting {
    bar: ProgressBar,
    tell: Box<dyn FnMut(&ProgressUpdate) + Send>,
}

impl Waiting {
    /// Begins to wait.
    pub fn new() -> Self {
        let bar = if io::stderr().is_terminal() {
            ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5))
        } else {
            ProgressBar::hidden()
        };
        let bar = bar.with_style(
            ProgressStyle::with_template("{spinner} {elapsed} · {msg}").expect("the template is well-formed"),
        );
        let (line, started) = (bar.clone(), Instant::now());
        let tell = Box::new(move |progress: &ProgressUpdate| {
            if started.elapsed() > QUIET {
                let done = progress.done.map_or_else(String::new, |done| format!("{:.0} % · ", 100.0 * done));
                line.set_message(format!("{} · {done}{} nodes", progress.doing, grouped(progress.nodes)));
                line.tick();
            }
        });
        Waiting { bar, tell }
    }

    /// Returns what a solver is handed.
    pub fn progress<'a>(&'a mut self, stop: &'a Cancel) -> Progress<'a> {
        Progress { cancel: stop, report: &mut *self.tell }
    }

    /// Takes the line away.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
