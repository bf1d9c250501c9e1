//! Lines that a person types, without being deaf to Ctrl-C.

use crate::engine::lines::Lines;
use crate::run_support::leave_on_ctrl_c;
use parlor_core::Cancel;
use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// How often a waiting table looks up.
const GLANCE: Duration = Duration::from_millis(30);

/// How many lines may wait. A program that types on and on is held up by its own full pipe.
const WAITING: usize = 64;

/// What is typed, line by line. Another thread waits for the keyboard, because waiting there cannot be broken off.
pub struct Input {
    lines: Receiver<io::Result<String>>,
    left: Cancel,
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
        let left = leave_on_ctrl_c()?;
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
        Ok(Input { lines, left })
    }

    /// Returns the flag that is raised when the person leaves.
    pub fn left(&self) -> &Cancel {
        &self.left
    }

    /// Waits for the next line, until `deadline` if there is one. Bytes that are no text are nonsense like any other, not the
    /// end of the game.
    pub fn line(&self, deadline: Option<Instant>) -> io::Result<Typed> {
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
