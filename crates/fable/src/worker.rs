//! A heuristic as a process of its own: it counts games that it has not counted, and answers questions.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::time::{Duration, Instant};

use parlor_core::files::reading::read_regular;
use parlor_core::{Cancel, Place, Settings, Spec};
use parlor_store::{GameId, Store, StoreError, WorkerState};
use serde::{Deserialize, Serialize};

use crate::board::Model;
use crate::counting::{self, Reader, board_of};
use crate::decision::{Answer, Rules};
use crate::engine::{Engine, Question, Scratch};
use crate::heuristics::{Chosen, HEURISTICS, families};
use crate::settings;

/// How often a worker says that it is alive.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// How long a worker waits before it tries a store again that could not be reached.
const RETRY: Duration = Duration::from_millis(500);

/// How many questions a worker takes at a time.
const QUESTIONS: usize = 16;

/// Errors of a worker.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// There is no such heuristic.
    #[error("there is no heuristic `{name}`; there are {}", families().join(", "))]
    Unknown {
        /// The name.
        name: String,
    },
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The other end of the pipe is gone.
    #[error("the agent's pipe is broken")]
    Pipe(#[from] std::io::Error),
}

/// What happens while a worker serves a mailbox.
#[derive(Debug)]
pub enum Served<'a> {
    /// The store can be used, for the first time or again.
    Connected,
    /// It has answered this number of questions.
    Answered(u64),
    /// The store cannot be reached at the moment.
    Lost(&'a StoreError),
}

/// A question on a pipe: one line of JSON.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PipeQuestion {
    /// The number of the question.
    pub id: u64,
    /// The agent's full form: how evidence becomes an answer.
    pub agent: String,
    /// The game's full form.
    pub game: String,
    /// Who decides.
    pub seat: u8,
    /// What the seat sees.
    pub cells: Vec<u8>,
    /// The kind and the cells of each action.
    pub places: Vec<(u16, Vec<u16>)>,
}

/// An answer on a pipe: one line of JSON.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PipeAnswer {
    /// The number of the question.
    pub id: u64,
    /// Probability and confidence for each action.
    pub answers: Vec<(f64, f64)>,
}

/// Evidence about one game, with the rules of the last agent that asked.
struct Known {
    engine: Engine,
    /// The last game of the history that the engine knows.
    last: GameId,
    agent: String,
}

/// A worker of one family of heuristics.
pub struct Worker {
    store: Store,
    family: &'static str,
    members: Chosen,
    /// The models that this family counts; heuristics that only look into the model of another one have none.
    owned: Vec<Model>,
    /// Up to this game, everything is counted.
    counted: GameId,
    reader: Option<Reader>,
    known: BTreeMap<String, Known>,
    scratch: Scratch,
}

impl Worker {
    /// Makes the worker of a heuristic, by its name or that of its family.
    ///
    /// # Errors
    /// If there is no such heuristic, or the store cannot be opened.
    pub fn new(heuristic: &str, at: &str) -> Result<Worker, WorkerError> {
        let unknown = |_| WorkerError::Unknown { name: heuristic.to_owned() };
        let members = Chosen::parse(heuristic).map_err(unknown)?;
        let [family] = members.families()[..] else {
            return Err(WorkerError::Unknown { name: heuristic.to_owned() });
        };
        let store = Store::create(at)?;
        // A heuristic counts the model that has its own name.
        let own = |model: &Model| members.iter().any(|at| HEURISTICS[at].name() == model.name());
        let owned = Model::ALL.into_iter().filter(own).collect();
        let (reader, known) = (None, BTreeMap::new());
        Ok(Worker {
            store,
            family,
            members,
            owned,
            counted: GameId(0),
            reader,
            known,
            scratch: Scratch::default(),
        })
    }

    /// Returns the name of the family.
    #[must_use]
    pub fn family(&self) -> &'static str {
        self.family
    }

    /// Counts all games that its models have not counted. Returns the last game of the history.
    ///
    /// # Errors
    /// If the store cannot be read or written.
    pub fn count(&mut self) -> Result<GameId, StoreError> {
        if self.reader.is_none() {
            self.reader = Some(Reader::open(&self.store)?);
        }
        let last = self.reader.as_mut().map_or(Ok(GameId(0)), Reader::last)?;
        if last > self.counted {
            for &model in &self.owned {
                counting::count_new(&self.store, model, self.counted)?;
            }
            self.counted = last;
        }
        Ok(last)
    }

    /// Returns what the heuristic says about each action, from all games of the history.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn answer(
        &mut self,
        agent: &str,
        game: &str,
        question: &Question<'_>,
    ) -> Result<Vec<Answer>, StoreError> {
        let last = self.count()?;
        let nothing = || vec![Answer::default(); question.places.len()];
        if !self.known.contains_key(game) {
            let types = self.store.history()?.game_types()?;
            let Some(board) =
                types.iter().find(|(_, known)| known.game == game).and_then(|(_, known)| board_of(known))
            else {
                return Ok(nothing());
            };
            let mut engine = Engine::new(board, self.members, Rules::default());
            let last = counting::load(&self.store, &mut engine)?;
            self.known.insert(game.to_owned(), Known { engine, last, agent: String::new() });
        }
        let known = self.known.get_mut(game).expect("inserted above");
        if let Some(reader) = self.reader.as_mut().filter(|_| known.last < last) {
            known.last = counting::load_after(reader, &mut known.engine, known.last)?;
        }
        if known.agent != agent {
            known.agent = agent.to_owned();
            let spec = Spec::parse(agent).and_then(|spec| Settings::read(&spec, settings::KEYS));
            if let Ok(settings) = spec {
                known.engine.rules = settings::rules(&settings);
                let chosen = settings::heuristics(&settings).unwrap_or(self.members);
                known.engine.heuristics = chosen.of_family(self.family);
            }
        }
        let board = &known.engine.board;
        let fits = question.cells.len() == board.cells()
            && question.cells.iter().all(|&symbol| usize::from(symbol) < board.layout.symbols.len())
            && question
                .places
                .iter()
                .flat_map(|place| &place.cells)
                .all(|&cell| usize::from(cell) < board.grid());
        if !fits {
            return Ok(nothing());
        }
        let mut answers = Vec::new();
        known.engine.strongest(known.engine.heuristics, question, &mut self.scratch, &mut answers);
        Ok(answers)
    }

    /// Answers questions from a pipe, line by line, until it is closed. A line that is not a question is ignored.
    ///
    /// # Errors
    /// If the store cannot be used, or the pipe is broken.
    pub fn serve_pipe(&mut self, from: impl BufRead, mut to: impl Write) -> Result<(), WorkerError> {
        for line in from.lines() {
            let Ok(PipeQuestion { id, agent, game, seat, cells, places }) = serde_json::from_str(&line?)
            else {
                continue;
            };
            let Some(places) = read_places(&places) else { continue };
            let question = Question { seat, cells: &cells, places: &places };
            let answers = self.answer(&agent, &game, &question)?;
            let answers = answers.iter().map(|answer| (answer.probability, answer.confidence)).collect();
            serde_json::to_writer(&mut to, &PipeAnswer { id, answers }).map_err(std::io::Error::from)?;
            to.write_all(b"\n")?;
            to.flush()?;
        }
        Ok(())
    }

    /// Answers questions from the store's mailbox until cancelled; counts new games while nothing is asked. A store that cannot be
    /// reached, or is locked, is tried again; `report` receives what happens.
    ///
    /// # Errors
    /// If the store cannot be used.
    pub fn serve_mailbox(
        &mut self,
        cancel: &Cancel,
        mut report: impl FnMut(Served<'_>),
    ) -> Result<(), WorkerError> {
        let host = host_name();
        let process = std::process::id();
        let mut state = WorkerState {
            name: format!("{host}-{process}-{}", self.family),
            heuristic: self.family.to_owned(),
            host,
            process,
            answered: 0,
            last_game: 0,
        };
        loop {
            match self.serve_connected(cancel, &mut state, &mut report) {
                Err(WorkerError::Store(error)) if error.is_passing() => {
                    report(Served::Lost(&error));
                    // A game may have been added to the evidence in part.
                    self.known.clear();
                    if !wait(RETRY, cancel) {
                        return Ok(());
                    }
                }
                ended => return ended,
            }
        }
    }

    /// Answers questions until cancelled, or until the store cannot be used.
    fn serve_connected(
        &mut self,
        cancel: &Cancel,
        state: &mut WorkerState,
        report: &mut impl FnMut(Served<'_>),
    ) -> Result<(), WorkerError> {
        let mut mailbox = self.store.mailbox()?;
        let mut told = None;
        while !cancel.is_cancelled() {
            let last = self.count()?;
            if state.last_game != last.0 || told.is_none_or(|told: Instant| told.elapsed() >= HEARTBEAT) {
                state.last_game = last.0;
                mailbox.heartbeat(state)?;
                if told.replace(Instant::now()).is_none() {
                    report(Served::Connected);
                }
            }
            let requests = mailbox.pending(self.family, QUESTIONS)?;
            if requests.is_empty() {
                mailbox.wait(Duration::from_millis(100))?;
            }
            for request in requests {
                let asked = &request.question;
                let places: Vec<Place> = asked.actions.iter().map(|(_, place)| place.clone()).collect();
                let question = Question { seat: asked.seat.0, cells: &asked.cells, places: &places };
                let answers: Vec<parlor_store::Answer> = self
                    .answer(&asked.agent, &asked.game, &question)?
                    .iter()
                    .map(|answer| parlor_store::Answer {
                        probability: answer.probability,
                        confidence: answer.confidence,
                    })
                    .collect();
                match mailbox.answer(request.id, self.family, &state.name, &answers) {
                    // A question that was forgotten in between needs no answer.
                    Ok(_) | Err(StoreError::NoRequest(_)) => {}
                    Err(error) => return Err(error.into()),
                }
                state.answered += 1;
                report(Served::Answered(state.answered));
            }
        }
        Ok(())
    }
}

/// Waits; returns `false` at once when cancelled.
fn wait(time: Duration, cancel: &Cancel) -> bool {
    let until = Instant::now() + time;
    while Instant::now() < until {
        if cancel.is_cancelled() {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    !cancel.is_cancelled()
}

/// Returns places as they are on a pipe.
pub(crate) fn write_places(places: &[Place]) -> Vec<(u16, Vec<u16>)> {
    places.iter().map(|place| (place.kind, place.cells.to_vec())).collect()
}

fn read_places(places: &[(u16, Vec<u16>)]) -> Option<Vec<Place>> {
    let one = |(kind, cells): &(u16, Vec<u16>)| {
        let mut place = Place::nowhere(*kind);
        place.cells.try_extend_from_slice(cells).ok()?;
        Some(place)
    };
    places.iter().map(one).collect()
}

/// Returns the name of this machine, for people.
fn host_name() -> String {
    const LONGEST: u64 = 256;
    let file = read_regular("/proc/sys/kernel/hostname".as_ref(), LONGEST);
    let name = file.ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
    let name = name.trim();
    if name.is_empty() { "host".to_owned() } else { name.to_owned() }
}
