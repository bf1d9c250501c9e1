//! Lines that a person types, without being deaf to Ctrl-C.

use std::io::{self, BufRead};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How often a waiting table looks up.
const GLANCE: Duration = Duration::from_millis(30);

/// What is typed, line by line. Another thread waits for the keyboard, because waiting there cannot be broken off.
pub struct Input {
    lines: Receiver<io::Result<Vec<u8>>>,
    left: Arc<AtomicBool>,
}

impl Input {
    /// Listens to standard input. Ctrl-C is from now on a person who leaves, not a program that dies.
    pub fn listen() -> anyhow::Result<Input> {
        let left = Arc::new(AtomicBool::new(false));
        let leave = Arc::clone(&left);
        ctrlc::set_handler(move || leave.store(true, Ordering::Relaxed))?;
        let (send, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in io::stdin().lock().split(b'\n') {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Input { lines, left })
    }

    /// Returns the next line; `None` when there are no more, or the person has left. Bytes that are no text are nonsense
    /// like any other, not the end of the game.
    pub fn line(&self) -> io::Result<Option<String>> {
        loop {
            if self.left.load(Ordering::Relaxed) {
                return Ok(None);
            }
            match self.lines.recv_timeout(GLANCE) {
                Ok(line) => return Ok(Some(String::from_utf8_lossy(&line?).trim().to_owned())),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }
}
