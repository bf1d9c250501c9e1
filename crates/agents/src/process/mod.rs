//! A child process with line-based input and output that cannot block its owner.

pub mod guard;
pub mod stderr;

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use stderr::Stderr;

/// The maximum length of a line.
const MAX_LINE: u64 = 1 << 16;

/// The maximum number of unread lines. A program that sends more blocks on its own full pipe.
const MAX_UNREAD_LINES: usize = 1024;

/// How long a program may take to exit after its input is closed.
pub(crate) const SHUTDOWN_GRACE: Duration = Duration::from_millis(200);

/// A running program.
pub struct Process {
    child: Child,
    /// Its standard error. The pipe closes when this process ends for any reason, which tells the guard, if there is one, to kill
    /// the program.
    stderr: Stderr,
    /// Lines to send. Another thread writes them, so a program that does not read blocks only that thread.
    send: Option<Sender<String>>,
    received: Receiver<Result<String, ReceiveError>>,
    /// The last line that `drop` sends.
    goodbye: Option<String>,
    /// How long `drop` waits for the program to exit.
    grace: Duration,
}

/// Reasons why no line was received.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ReceiveError {
    /// The deadline has passed.
    Timeout,
    /// The program has ended or closed its output.
    Closed,
    /// A line exceeded the maximum length.
    TooLong,
    /// A line was not UTF-8.
    NotText,
}

impl Process {
    /// Starts a program in a folder. The end of its standard error is [kept](Process::stderr).
    ///
    /// On Unix it gets its own process group: an interrupt typed at the terminal does not reach it, and its descendants
    /// can be killed with it.
    pub fn start(words: &[String], folder: &Path) -> io::Result<Process> {
        let mut command = command(words, folder)?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let stderr = child.stderr.take().expect("standard error is piped");
        let stderr = Stderr::read(stderr, &words.join(" "));
        let mut stdin = child.stdin.take().expect("standard input is piped");
        let stdout = child.stdout.take().expect("standard output is piped");
        let (send, to_say) = mpsc::channel::<String>();
        thread::spawn(move || {
            for line in to_say {
                // If the program is gone, the next `receive` reports it.
                if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        });
        let (receive, received) = mpsc::sync_channel(MAX_UNREAD_LINES);
        thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            loop {
                let line = bounded_line(&mut reader);
                let last = line.is_err();
                if receive.send(line).is_err() || last {
                    return;
                }
            }
        });
        Ok(Process { child, stderr, send: Some(send), received, goodbye: None, grace: SHUTDOWN_GRACE })
    }

    /// Sets the line that is sent when this value is dropped.
    pub fn set_goodbye(&mut self, line: &impl std::fmt::Display) {
        self.goodbye = Some(line.to_string());
    }

    /// Sends a line. Never blocks.
    pub fn send(&self, line: &impl std::fmt::Display) {
        if let Some(send) = &self.send {
            // The writer thread ends with the program; the next `receive` reports that.
            let _ = send.send(format!("{line}\n"));
        }
    }

    /// Returns the next line, waiting until `deadline` at most.
    pub fn receive(&self, deadline: Instant) -> Result<String, ReceiveError> {
        let wait = deadline.saturating_duration_since(Instant::now());
        self.received.recv_timeout(wait).unwrap_or_else(|error| {
            Err(match error {
                RecvTimeoutError::Timeout => ReceiveError::Timeout,
                RecvTimeoutError::Disconnected => ReceiveError::Closed,
            })
        })
    }

    /// Discards all unread lines. Returns `false` if there is no end of them.
    pub fn discard_unread(&self) -> bool {
        // Twice the buffer, because the program may continue to send meanwhile.
        (0..2 * MAX_UNREAD_LINES).any(|_| self.received.try_recv().is_err())
    }

    /// Returns whether the program has ended. Its process is kept from vanishing, so that nobody else gets its number.
    #[cfg(unix)]
    pub fn has_ended(&mut self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(Pid::from_child(&self.child)), options), Ok(None))
    }

    /// Returns whether the program has ended.
    #[cfg(not(unix))]
    pub fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Ends the program and everything that it has started and left behind, at once.
    fn kill(&mut self) {
        // The child has not been waited for, so its process group number cannot have been reused.
        #[cfg(unix)]
        let _ = rustix::process::kill_process_group(
            rustix::process::Pid::from_child(&self.child),
            rustix::process::Signal::KILL,
        );
        // Both calls fail only if the process is already gone.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Closes the program's input.
    pub fn close_input(&mut self) {
        self.send = None;
    }

    /// Returns what it writes to its standard error.
    pub fn stderr(&self) -> &Stderr {
        &self.stderr
    }

    /// Ends the program, which has this long to exit by itself. Returns the last lines of its standard error.
    pub fn end(mut self, grace: Duration) -> Vec<String> {
        self.grace = grace;
        let stderr = self.stderr.clone();
        drop(self);
        stderr.last_lines()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(goodbye) = self.goodbye.take() {
            self.send(&goodbye);
        }
        self.send = None;
        let deadline = Instant::now() + self.grace;
        while !self.has_ended() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
        }
        self.kill();
    }
}

/// Returns the command that starts a program in a folder, guarded if it can be. On Unix it leads a process group of its own.
fn command(words: &[String], folder: &Path) -> io::Result<Command> {
    let (program, rest) = words.split_first().expect("a command has at least one word");
    // A relative path means the folder in which the program will run, whatever the system makes of it.
    let program =
        if program.contains('/') { std::path::absolute(folder.join(program))? } else { program.into() };
    #[cfg(unix)]
    let mut command = match guard::guard_of(&program) {
        Some(guard) => {
            let mut command = Command::new(&guard[0]);
            command.args(&guard[1..]).arg(program);
            command
        }
        None => Command::new(program),
    };
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    #[cfg(not(unix))]
    let mut command = Command::new(program);
    command.args(rest).current_dir(folder);
    Ok(command)
}

/// Reads one line without its newline.
fn bounded_line(reader: &mut impl BufRead) -> Result<String, ReceiveError> {
    let mut line = Vec::new();
    reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line).map_err(|_| ReceiveError::Closed)?;
    if line.is_empty() {
        return Err(ReceiveError::Closed);
    }
    if line.len() as u64 == MAX_LINE && !line.ends_with(b"\n") {
        return Err(ReceiveError::TooLong);
    }
    let text = String::from_utf8(line).map_err(|_| ReceiveError::NotText)?;
    Ok(text.trim_end().to_owned())
}

/// Splits a command into words. Quotes group words, as in a shell; nothing else is special.
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
        let long = "x".repeat(MAX_LINE as usize + 1);
        assert_eq!(bounded_line(&mut long.as_bytes()), Err(ReceiveError::TooLong));
        assert_eq!(bounded_line(&mut "a\nb".as_bytes()).as_deref(), Ok("a"));
        assert_eq!(bounded_line(&mut &b"\xff\xfe\n"[..]), Err(ReceiveError::NotText));
        assert_eq!(bounded_line(&mut &b""[..]), Err(ReceiveError::Closed));
    }
}
