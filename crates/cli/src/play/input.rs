//! Lines that a person types, without being deaf to Ctrl-C.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use parlor_core::Cancel;

use crate::engine::lines::Lines;
use crate::run_support::{Signal, on_signal};

use super::editor::Keyboard;

/// How often a waiting table looks up.
const GLANCE: Duration = Duration::from_millis(30);

/// How many lines may wait. A program that types on and on is held up by its own full pipe.
const WAITING: usize = 64;

/// Something that Ctrl-C ends before it ends the program.
type Interruptible = Arc<Mutex<Option<Cancel>>>;

/// What is typed, line by line.
pub struct Input {
    lines: Receiver<io::Result<String>>,
    /// `None` where lines come from a file or a pipe.
    keyboard: Option<Keyboard>,
    left: Cancel,
    running: Interruptible,
}

/// What came of waiting for a line.
pub enum Typed {
    /// A line.
    Line(String),
    /// There are no more, or the person has left.
    Left,
    /// The time was over first.
    Late,
}

impl Input {
    /// Listens to standard input. Ctrl-C is from now on a person who leaves, not a program that dies.
    pub fn listen() -> anyhow::Result<Input> {
        let (left, running) = (Cancel::new(), Interruptible::default());
        let (leave, interrupt) = (left.clone(), Arc::clone(&running));
        on_signal(move |signal| {
            let running = interrupt.lock().unwrap_or_else(PoisonError::into_inner).take();
            match running {
                Some(running) if signal == Signal::CtrlC => running.cancel(),
                running => {
                    leave.cancel();
                    running.iter().for_each(Cancel::cancel);
                }
            }
        })?;
        if io::stdin().is_terminal() && io::stdout().is_terminal() {
            let (keyboard, lines) = Keyboard::take()?;
            return Ok(Input { lines, keyboard: Some(keyboard), left, running });
        }
        let (send, lines) = mpsc::sync_channel(WAITING);
        thread::spawn(move || {
            let mut reader = Lines::new(io::stdin().lock());
            while let Some(line) = reader.next().transpose() {
                let last = line.is_err();
                if send.send(line).is_err() || last {
                    return;
                }
            }
        });
        Ok(Input { lines, keyboard: None, left, running })
    }

    /// Returns the flag that is raised when the person leaves.
    pub fn left(&self) -> &Cancel {
        &self.left
    }

    /// Returns whether a person types, and not a script.
    pub fn is_terminal(&self) -> bool {
        self.keyboard.is_some()
    }

    /// Does some work that Ctrl-C interrupts: the first one raises the flag that it gets, the next one is a person who leaves.
    pub fn interruptible<T>(&self, work: impl FnOnce(&Cancel) -> T) -> T {
        let cancel = Cancel::new();
        let running = || self.running.lock().unwrap_or_else(PoisonError::into_inner);
        *running() = Some(cancel.clone());
        let result = work(&cancel);
        running().take();
        result
    }

    /// Waits for the next line, until `deadline` if there is one. Bytes that are no text are nonsense like any other, not the
    /// end of the game.
    pub fn line(&self, deadline: Option<Instant>) -> io::Result<Typed> {
        if let Some(keyboard) = &self.keyboard {
            keyboard.ask();
        }
        loop {
            if self.left.is_cancelled() {
                return Ok(Typed::Left);
            }
            if deadline.is_some_and(|at| Instant::now() >= at) {
                return Ok(Typed::Late);
            }
            match self.lines.recv_timeout(GLANCE) {
                Ok(line) => return Ok(Typed::Line(line?.trim().to_owned())),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(Typed::Left),
            }
        }
    }
}
