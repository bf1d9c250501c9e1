//! A child process for each heuristic, asked and answering in lines of JSON on pipes.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use parlor_store::{Store, StoreError};

use super::mailbox::letter;
use super::{Carrier, Collector};
use crate::decision::Answer;
use crate::engine::Question;
use crate::worker::{PipeAnswer, PipeQuestion, write_places};

/// The longest line that is read; a worker that writes more without an end of line is not answering.
const LONGEST_LINE: u64 = 1 << 20;

/// A process that leaves this number of questions unanswered hangs and is replaced, long before its pipe is full and the agent would hang, too.
const MOST_UNANSWERED: u32 = 8;

/// How much of a line that is not an answer is recorded.
const LONGEST_RECORDED: usize = 200;

/// What a worker's pipe brought.
enum Line {
    Text(String),
    Closed,
}

struct Running {
    child: Child,
    stdin: ChildStdin,
    /// Whether its end of the pipe was closed.
    dead: bool,
    /// Questions since its last answer.
    unanswered: u32,
}

impl Running {
    /// Returns whether a new process should take its place.
    fn is_useless(&self) -> bool {
        self.dead || self.unanswered >= MOST_UNANSWERED
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Child processes that end when it is dropped.
pub(crate) struct ProcessCarrier {
    families: Vec<&'static str>,
    store: String,
    agent: String,
    game: String,
    program: std::path::PathBuf,
    workers: Vec<Option<Running>>,
    lines: Receiver<(usize, u64, Line)>,
    to_lines: Sender<(usize, u64, Line)>,
    /// Counts starts, so that what an earlier process wrote is not taken for what its successor wrote.
    started: Vec<u64>,
    number: u64,
}

/// The variable that names the program whose `fable worker` is started; this program itself without it.
const PROGRAM: &str = "PARLOR_FABLE_PROGRAM";

impl ProcessCarrier {
    pub(crate) fn start(
        families: Vec<&'static str>,
        store: String,
        agent: String,
        game: String,
    ) -> io::Result<Self> {
        let program = match std::env::var_os(PROGRAM) {
            Some(program) => program.into(),
            None => std::env::current_exe()?,
        };
        let (to_lines, lines) = channel();
        let count = families.len();
        let mut carrier = ProcessCarrier {
            families,
            store,
            agent,
            game,
            program,
            workers: (0..count).map(|_| None).collect(),
            lines,
            to_lines,
            started: vec![0; count],
            number: 0,
        };
        for family in 0..count {
            carrier.workers[family] = Some(carrier.spawn(family)?);
        }
        Ok(carrier)
    }

    /// Starts the process of a family.
    fn spawn(&mut self, family: usize) -> io::Result<Running> {
        let mut child = Command::new(&self.program)
            .args(["fable", "worker", self.families[family], "--store", &self.store, "--pipe"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("a child process has no pipes"));
        };
        self.started[family] += 1;
        let (start, to_lines) = (self.started[family], self.to_lines.clone());
        thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            loop {
                let mut line = Vec::new();
                let read = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
                // Half a line at the end is what a process wrote that was killed.
                let text = match read {
                    Ok(count) if count > 0 => String::from_utf8_lossy(&line).into_owned(),
                    _ => break,
                };
                if to_lines.send((family, start, Line::Text(text))).is_err() {
                    return;
                }
            }
            let _ = to_lines.send((family, start, Line::Closed));
        });
        Ok(Running { child, stdin, dead: false, unanswered: 0 })
    }

    /// Records what was not an answer to a question in the store's mailbox, where `parlor fable status` counts it.
    fn record(
        &self,
        question: &Question<'_>,
        deadline: Option<Duration>,
        ignored: &[(usize, String)],
    ) -> Result<(), StoreError> {
        let mut mailbox = Store::create(&self.store)?.mailbox()?;
        let request = mailbox.ask(&letter(&self.agent, &self.game, question, deadline))?;
        mailbox.close(request)?;
        for (family, text) in ignored {
            let process = self.workers[*family].as_ref().map_or(0, |worker| worker.child.id());
            let shown: String = text.chars().take(LONGEST_RECORDED).collect();
            mailbox.reject(request, self.families[*family], &format!("process {process}"), &shown)?;
        }
        Ok(())
    }

    /// Sends a line to a family; a process that has died or hangs is replaced.
    fn send(&mut self, family: usize, line: &str) -> bool {
        for _ in 0..2 {
            if self.workers[family].as_ref().is_none_or(Running::is_useless) {
                self.workers[family] = None;
                self.workers[family] = self.spawn(family).ok();
            }
            if let Some(worker) = &mut self.workers[family] {
                worker.unanswered += 1;
                if worker.stdin.write_all(line.as_bytes()).and_then(|()| worker.stdin.flush()).is_ok() {
                    return true;
                }
                worker.dead = true;
            }
        }
        false
    }
}

impl Carrier for ProcessCarrier {
    fn ask(&mut self, question: &Question<'_>, deadline: Option<Duration>) -> Vec<Option<Vec<Answer>>> {
        self.number += 1;
        let asked = PipeQuestion {
            id: self.number,
            agent: self.agent.clone(),
            game: self.game.clone(),
            seat: question.seat,
            cells: question.cells.to_vec(),
            places: write_places(question.places),
        };
        let line = serde_json::to_string(&asked).expect("plain data always becomes JSON") + "\n";
        let mut collector = Collector::new(self.families.len(), question.places.len(), deadline);
        let mut alive: Vec<bool> = (0..self.families.len()).map(|family| self.send(family, &line)).collect();
        let mut ignored: Vec<(usize, String)> = Vec::new();
        while let Some(longest) = collector.patience(|family| alive[family]) {
            let Ok((family, start, line)) = self.lines.recv_timeout(longest) else { break };
            let is_current = start == self.started[family];
            match line {
                Line::Closed if is_current => {
                    alive[family] = false;
                    if let Some(worker) = &mut self.workers[family] {
                        worker.dead = true;
                    }
                }
                Line::Closed => {}
                Line::Text(text) => match serde_json::from_str::<PipeAnswer>(&text) {
                    Ok(PipeAnswer { id, answers }) if id == self.number => {
                        if let Some(worker) = &mut self.workers[family] {
                            worker.unanswered = 0;
                        }
                        let pair = |(probability, confidence)| Answer { probability, confidence };
                        if !collector.take(family, answers.into_iter().map(pair).collect()) {
                            ignored.push((family, text));
                        }
                    }
                    // Late, for another question, or nothing that could be an answer.
                    _ => ignored.push((family, text)),
                },
            }
        }
        if !ignored.is_empty() {
            // A mailbox that cannot be written is no reason to stop the match.
            let _ = self.record(question, deadline, &ignored);
        }
        collector.finish()
    }
}
