//! A child process that is spoken to line by line and cannot hold anybody up.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// No message is longer; a line that is belongs to a program that has lost its way.
const LONGEST_LINE: u64 = 1 << 16;

/// How many lines may wait unread. A program that floods is held up by its own full pipe.
const WAITING_LINES: usize = 1024;

/// How long a program may take to leave after it was asked to.
const FAREWELL: Duration = Duration::from_millis(200);

/// A running program.
pub struct Process {
    child: Child,
    /// Lines to say. Another thread writes them, so a program that does not read holds up only that thread.
    say: Option<Sender<String>>,
    heard: Receiver<String>,
}

/// Why nothing was heard.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Silence {
    /// The time is up.
    Late,
    /// The program has ended or closed its output, or a line had no end.
    Gone,
}

impl Process {
    /// Starts a program. What it prints on standard error is dropped.
    pub fn start(words: &[String]) -> io::Result<Process> {
        let (program, rest) = words.split_first().expect("a command has at least one word");
        let mut child = Command::new(program)
            .args(rest)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut stdin = child.stdin.take().expect("standard input is piped");
        let stdout = child.stdout.take().expect("standard output is piped");
        let (say, to_say) = mpsc::channel::<String>();
        thread::spawn(move || {
            for line in to_say {
                // A program that has gone will be noticed where an answer is due.
                if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        });
        let (hear, heard) = mpsc::sync_channel(WAITING_LINES);
        thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            while let Some(line) = bounded_line(&mut reader) {
                if hear.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Process { child, say: Some(say), heard })
    }

    /// Sends a line. Never waits.
    pub fn say(&self, line: &impl std::fmt::Display) {
        if let Some(say) = &self.say {
            // The writer has left if the program has; the next answer that is due will say so.
            let _ = say.send(format!("{line}\n"));
        }
    }

    /// Returns the next line, waiting for it no longer than until `deadline`.
    pub fn hear(&self, deadline: Instant) -> Result<String, Silence> {
        let wait = deadline.saturating_duration_since(Instant::now());
        self.heard.recv_timeout(wait).map_err(|error| match error {
            RecvTimeoutError::Timeout => Silence::Late,
            RecvTimeoutError::Disconnected => Silence::Gone,
        })
    }

    /// Forgets what was said before it was asked for.
    pub fn forget_unread(&self) {
        while self.heard.try_recv().is_ok() {}
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.say(&parlor_core::protocol::ToEngine::Quit);
        self.say = None;
        let deadline = Instant::now() + FAREWELL;
        while Instant::now() < deadline {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
        // It had its chance. Both calls fail only if it has gone by now.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads one line without its newline; `None` at the end, on bytes that are no text, and on a line without end.
fn bounded_line(reader: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).ok()?;
    if line.is_empty() || (line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n")) {
        return None;
    }
    Some(String::from_utf8(line).ok()?.trim_end().to_owned())
}

/// Splits a command into words; quotes keep words together, as in a shell, and nothing else is special.
pub fn words(command: &str) -> Result<Vec<String>, &'static str> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in command.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err("a quote is not closed");
    }
    words.extend(word);
    if words.is_empty() { Err("the command is empty") } else { Ok(words) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_split_like_in_a_shell() {
        assert_eq!(words("a b  c").unwrap(), ["a", "b", "c"]);
        assert_eq!(words("a 'b c' \"d'e\" f''").unwrap(), ["a", "b c", "d'e", "f"]);
        assert_eq!(words("a ''").unwrap(), ["a", ""]);
        assert!(words("a 'b").is_err());
        assert!(words("  ").is_err());
    }

    #[test]
    fn lines_without_end_are_the_end() {
        let long = "x".repeat(LONGEST_LINE as usize + 1);
        assert_eq!(bounded_line(&mut long.as_bytes()), None);
        assert_eq!(bounded_line(&mut "a\nb".as_bytes()).as_deref(), Some("a"));
        assert_eq!(bounded_line(&mut &b"\xff\xfe\n"[..]), None);
    }
}
