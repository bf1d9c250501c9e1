//! The mailbox: questions of agents, answers of workers, and which workers are alive.

use std::fmt;
use std::time::Duration;

use parlor_core::{Place, Seat};
use serde_json::{Value, json};

use crate::error::StoreError;

/// The number of a request.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RequestId(pub i64);

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What an agent asks every heuristic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// Who asks: a name for people.
    pub agent: String,
    /// The game's full form.
    pub game: String,
    /// Whose decision it is.
    pub seat: Seat,
    /// What the seat sees.
    pub cells: Vec<u8>,
    /// What it may do: texts and places.
    pub actions: Vec<(String, Place)>,
    /// What it wants to reach, such as `win`.
    pub goal: String,
    /// How long the agent waits for answers; it measures that on its own clock. `None`: until all have answered.
    pub deadline: Option<Duration>,
}

/// A question with its number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// Its number.
    pub id: RequestId,
    /// What is asked.
    pub question: Question,
}

/// What a heuristic says about one action.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct Answer {
    /// The probability that the action leads to the goal; negative for one that leads away from it.
    pub probability: f64,
    /// How much evidence that rests on, from 0 to 1.
    pub confidence: f64,
}

/// What became of an answer.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Delivery {
    /// The agent was still waiting.
    InTime,
    /// The agent had decided.
    Late,
    /// This heuristic had answered before.
    Again,
    /// It was not an answer to this question.
    Malformed,
}

impl Delivery {
    /// Every kind, by the number that is stored.
    pub(crate) const ALL: [Delivery; 4] =
        [Delivery::InTime, Delivery::Late, Delivery::Again, Delivery::Malformed];

    pub(crate) const fn code(self) -> i16 {
        self as i16
    }

    pub(crate) fn of_code(code: i16) -> Option<Delivery> {
        Delivery::ALL.get(usize::try_from(code).ok()?).copied()
    }
}

/// An answer as the agent finds it.
#[derive(Clone, PartialEq, Debug)]
pub struct Reply {
    /// Which heuristic.
    pub heuristic: String,
    /// Which worker.
    pub worker: String,
    /// Its answers, one for each action of the question.
    pub answers: Vec<Answer>,
}

/// A worker as it describes itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WorkerState {
    /// A name that no other worker has: host, process and heuristic.
    pub name: String,
    /// What it computes.
    pub heuristic: String,
    /// The machine.
    pub host: String,
    /// The process on that machine.
    pub process: u32,
    /// How many questions it has answered.
    pub answered: u64,
    /// The last game of the history that it has counted.
    pub last_game: i64,
}

/// A worker as others see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeenWorker {
    /// What it said last.
    pub state: WorkerState,
    /// How long ago that was.
    pub ago: Duration,
}

/// What became of the answers of a heuristic.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeliveryCounts {
    /// Which heuristic.
    pub heuristic: String,
    /// Answers that came in time.
    pub in_time: u64,
    /// Answers that came too late.
    pub late: u64,
    /// Second answers to the same question.
    pub again: u64,
    /// What was not an answer.
    pub malformed: u64,
}

impl DeliveryCounts {
    /// Brings rows of heuristic, delivery and count together; the rows are sorted by heuristic.
    pub(crate) fn gathered(rows: Vec<(String, i16, i64)>) -> Vec<DeliveryCounts> {
        let mut all: Vec<DeliveryCounts> = Vec::new();
        for (heuristic, code, count) in rows {
            if all.last().is_none_or(|last| last.heuristic != heuristic) {
                all.push(DeliveryCounts { heuristic, ..DeliveryCounts::default() });
            }
            if let (Some(delivery), Some(last)) = (Delivery::of_code(code), all.last_mut()) {
                *match delivery {
                    Delivery::InTime => &mut last.in_time,
                    Delivery::Late => &mut last.late,
                    Delivery::Again => &mut last.again,
                    Delivery::Malformed => &mut last.malformed,
                } += count.max(0) as u64;
            }
        }
        all
    }
}

/// Questions of agents and answers of workers, on this or other machines.
pub trait Mailbox: Send {
    /// Adds a question and tells the workers.
    ///
    /// # Errors
    /// If the store cannot be written.
    fn ask(&mut self, question: &Question) -> Result<RequestId, StoreError>;

    /// Returns questions that are open and that this heuristic has not answered, oldest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn pending(&mut self, heuristic: &str, limit: usize) -> Result<Vec<Request>, StoreError>;

    /// Answers a question and tells the agent. What comes too late, twice or malformed is kept for the counts, too.
    ///
    /// # Errors
    /// [`StoreError::NoRequest`] if there is no such question, and if the store cannot be written.
    fn answer(
        &mut self,
        request: RequestId,
        heuristic: &str,
        worker: &str,
        answers: &[Answer],
    ) -> Result<Delivery, StoreError>;

    /// Keeps a text that is not an answer, for the counts.
    ///
    /// # Errors
    /// If the store cannot be written.
    fn reject(
        &mut self,
        request: RequestId,
        heuristic: &str,
        worker: &str,
        text: &str,
    ) -> Result<(), StoreError>;

    /// Returns the answers that came in time so far, in the order of the heuristics' names.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn replies(&mut self, request: RequestId) -> Result<Vec<Reply>, StoreError>;

    /// Closes a question: the agent has decided, and answers from now on are late.
    ///
    /// # Errors
    /// If the store cannot be written.
    fn close(&mut self, request: RequestId) -> Result<(), StoreError>;

    /// Waits until another process has changed something, at most this long and at most 100 ms, so that callers look again even if
    /// a message was lost. Returns whether something may have changed.
    ///
    /// # Errors
    /// If the store cannot be reached.
    fn wait(&mut self, longest: Duration) -> Result<bool, StoreError>;

    /// Tells others that a worker is alive.
    ///
    /// # Errors
    /// If the store cannot be written.
    fn heartbeat(&mut self, worker: &WorkerState) -> Result<(), StoreError>;

    /// Returns the workers that were ever seen, in the order of their names.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn workers(&mut self) -> Result<Vec<SeenWorker>, StoreError>;

    /// Returns what became of the answers of each heuristic, in the order of their names.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn deliveries(&mut self) -> Result<Vec<DeliveryCounts>, StoreError>;

    /// Forgets questions that were asked, and workers that were seen, at least this long ago. Returns how many questions.
    ///
    /// # Errors
    /// If the store cannot be written.
    fn forget(&mut self, age: Duration) -> Result<u64, StoreError>;
}

/// The longest wait for a message.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_millis(100);

/// Returns actions as they are stored: `[["a1", 0, 3], …]` with the kind and the cells of each place.
pub(crate) fn actions_text(actions: &[(String, Place)]) -> String {
    let one = |(text, place): &(String, Place)| {
        let mut parts = vec![json!(text), json!(place.kind)];
        parts.extend(place.cells.iter().map(|cell| json!(cell)));
        Value::Array(parts)
    };
    Value::Array(actions.iter().map(one).collect()).to_string()
}

/// Reads what [`actions_text`] wrote.
pub(crate) fn read_actions(text: &str) -> Option<Vec<(String, Place)>> {
    let number = |value: &Value| value.as_u64().and_then(|number| u16::try_from(number).ok());
    let one = |value: &Value| {
        let [text, kind, cells @ ..] = value.as_array()?.as_slice() else { return None };
        let mut place = Place::nowhere(number(kind)?);
        for cell in cells {
            place.cells.try_push(number(cell)?).ok()?;
        }
        Some((text.as_str()?.to_owned(), place))
    };
    serde_json::from_str::<Value>(text).ok()?.as_array()?.iter().map(one).collect()
}

/// Returns answers as they are stored: `[[probability, confidence], …]`. Numbers are read back as the ones that were written.
pub(crate) fn answers_text(answers: &[Answer]) -> String {
    let one = |answer: &Answer| json!([answer.probability, answer.confidence]);
    Value::Array(answers.iter().map(one).collect()).to_string()
}

/// Reads answers to a question with `actions` actions; `None` if the text is not that.
pub(crate) fn read_answers(text: &str, actions: usize) -> Option<Vec<Answer>> {
    let one = |value: &Value| {
        let [probability, confidence] = value.as_array()?.as_slice() else { return None };
        let answer = Answer { probability: probability.as_f64()?, confidence: confidence.as_f64()? };
        is_answer(&answer).then_some(answer)
    };
    let answers: Vec<Answer> =
        serde_json::from_str::<Value>(text).ok()?.as_array()?.iter().map(one).collect::<Option<_>>()?;
    (answers.len() == actions).then_some(answers)
}

/// Returns whether the numbers are possible.
pub(crate) fn is_answer(answer: &Answer) -> bool {
    (-1.0..=1.0).contains(&answer.probability) && (0.0..=1.0).contains(&answer.confidence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_and_answers_survive() {
        let actions = vec![
            ("a \"1\"".to_owned(), Place::along([3])),
            ("pass".to_owned(), Place::nowhere(2)),
            ("a1xc3xe5".to_owned(), Place::along([0, 18, 36])),
        ];
        assert_eq!(read_actions(&actions_text(&actions)), Some(actions));
        let answers = [Answer { probability: 1.0 / 3.0, confidence: 0.1 + 0.2 }, Answer::default()];
        assert_eq!(read_answers(&answers_text(&answers), 2).unwrap(), answers);
    }

    #[test]
    fn garbage_is_no_answer() {
        for wrong in [
            "",
            "[",
            "{}",
            "[[1]]",
            "[[1,2]]",
            "[[-2,0.5]]",
            "[[1e400,0.5]]",
            "[[null,0.5]]",
            "[[0,1],[0,1]]",
        ] {
            assert_eq!(read_answers(wrong, 1), None, "{wrong}");
        }
        assert_eq!(read_answers("[]", 0), Some(Vec::new()));
        for wrong in ["", "[1]", "[[1,2]]", "[[\"a\"]]", "[[\"a\",70000]]"] {
            assert_eq!(read_actions(wrong), None, "{wrong}");
        }
    }
}
