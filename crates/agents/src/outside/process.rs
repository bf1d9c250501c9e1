//! A child process that is spoken to line by line and cannot hold anybody up.

use std::io::{self, BufRead, BufReader, PipeWriter, Read, Write};
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
    /// Closes when this process ends, however that happens: the sign for the guard, if there is one, to end the program.
    _lifeline: Option<PipeWriter>,
    /// Lines to say. Another thread writes them, so a program that does not read holds up only that thread.
    say: Option<Sender<String>>,
    heard: Receiver<Result<String, Silence>>,
    /// How long it has to leave when it is no longer needed.
    farewell: Duration,
}

/// Why nothing was heard.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Silence {
    /// The time is up.
    Late,
    /// The program has ended or closed its output.
    Gone,
    /// A line had no end.
    Endless,
    /// A line was no text.
    Garbage,
}

impl Process {
    /// Starts a program. What it prints on standard error is dropped.
    ///
    /// On Unix it gets a process group of its own: an interrupt that is typed at the terminal is for the referee, and
    /// whatever the program starts can be ended with it.
    pub fn start(words: &[String]) -> io::Result<Process> {
        let (mut command, lifeline) = command(words)?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
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
            loop {
                let line = bounded_line(&mut reader);
                let last = line.is_err();
                if hear.send(line).is_err() || last {
                    return;
                }
            }
        });
        Ok(Process { child, _lifeline: lifeline, say: Some(say), heard, farewell: FAREWELL })
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
        self.heard.recv_timeout(wait).unwrap_or_else(|error| {
            Err(match error {
                RecvTimeoutError::Timeout => Silence::Late,
                RecvTimeoutError::Disconnected => Silence::Gone,
            })
        })
    }

    /// Forgets what was said before it was asked for. Returns `false` if that has no end.
    pub fn forget_unread(&self) -> bool {
        // Twice what can wait, since the program may go on talking meanwhile.
        (0..2 * WAITING_LINES).any(|_| self.heard.try_recv().is_err())
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
        // The child is not waited for before this, so the group's number cannot belong to anyone else by now.
        #[cfg(unix)]
        let _ = rustix::process::kill_process_group(
            rustix::process::Pid::from_child(&self.child),
            rustix::process::Signal::KILL,
        );
        // Both calls fail only if it has gone by now.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Ends the program's input, as if the referee had gone.
    pub fn hang_up(&mut self) {
        self.say = None;
    }

    /// Ends the program without a farewell.
    pub fn dismiss(mut self) {
        self.farewell = Duration::ZERO;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.say(&parlor_core::text::protocol::ToEngine::Quit);
        self.say = None;
        let deadline = Instant::now() + self.farewell;
        while !self.has_ended() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
        }
        // It had its chance.
        self.kill();
    }
}

/// Returns the command that starts a program, guarded if it can be. On Unix it leads a process group of its own.
fn command(words: &[String]) -> io::Result<(Command, Option<PipeWriter>)> {
    let (program, rest) = words.split_first().expect("a command has at least one word");
    #[cfg(unix)]
    let (mut command, lifeline) = match super::guard::guard_of(program) {
        Some(guard) => {
            let (theirs, ours) = io::pipe()?;
            let mut command = Command::new(&guard[0]);
            command.args(&guard[1..]).arg(program).args(rest).stderr(theirs);
            (command, Some(ours))
        }
        None => (unguarded(program, rest), None),
    };
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    #[cfg(not(unix))]
    let (command, lifeline) = (unguarded(program, rest), None);
    Ok((command, lifeline))
}

fn unguarded(program: &str, rest: &[String]) -> Command {
    let mut command = Command::new(program);
    command.args(rest).stderr(Stdio::null());
    command
}

/// Reads one line without its newline.
fn bounded_line(reader: &mut impl BufRead) -> Result<String, Silence> {
    let mut line = Vec::new();
    reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(|_| Silence::Gone)?;
    if line.is_empty() {
        return Err(Silence::Gone);
    }
    if line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n") {
        return Err(Silence::Endless);
    }
    let text = String::from_utf8(line).map_err(|_| Silence::Garbage)?;
    Ok(text.trim_end().to_owned())
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
        assert_eq!(bounded_line(&mut long.as_bytes()), Err(Silence::Endless));
        assert_eq!(bounded_line(&mut "a\nb".as_bytes()).as_deref(), Ok("a"));
        assert_eq!(bounded_line(&mut &b"\xff\xfe\n"[..]), Err(Silence::Garbage));
        assert_eq!(bounded_line(&mut &b""[..]), Err(Silence::Gone));
    }
}
