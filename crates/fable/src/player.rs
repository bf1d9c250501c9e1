//! FABLE at the table of any game that shows its views as cells.

use std::io::{self, Read, Write};
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use parlor_core::api::BuildContext;
use parlor_core::files::recall::recall;
use parlor_core::play::automaton::{Automaton, AutomatonQuery};
use parlor_core::text::spec::{Cause, NO_STORE};
use parlor_core::{
    Agent, Cells, Certainty, Considered, Context, Decision, Entry, Episode, KnowledgeSize, KnowledgeTable,
    Learner, Notation, Payoffs, Place, Policy, Rng, SpecError, Thought,
};
use parlor_store::{Location, StoreError};

use crate::automaton;
use crate::board::Board;
use crate::carrier::{Carrier, MailboxCarrier, ProcessCarrier, ThreadCarrier};
use crate::decision::{Answer, Rules};
use crate::engine::{Engine, Question, Scratch};
use crate::history::{GameLog, RecordedGame};
use crate::inspect;
use crate::judge::Judge;
use crate::settings;
use crate::state_keys::End;
use crate::stored::{StoredKnowledge, io_error};

/// FABLE in a seat, or in several.
pub struct Fable<G: Cells> {
    /// Shared with the threads of a carrier.
    engine: Arc<RwLock<Engine>>,
    rules: Rules,
    /// Every game that it has learnt from; empty if they are in a store.
    log: GameLog,
    /// Where its knowledge lives, if not in the log.
    store: Option<Mutex<StoredKnowledge>>,
    /// Whether every match is recorded at once: it learns at a table, and nobody saves it.
    is_at_a_table: bool,
    /// What went wrong when the last match was recorded.
    trouble: Option<String>,
    /// Switches heuristics off and on while it learns, if there is a budget.
    judge: Option<Judge>,
    /// What asks the heuristics, if they are not in this thread, and how long it waits.
    carrier: Option<Box<dyn Carrier>>,
    deadline: Option<Duration>,
    ended: EndedGame,
    frozen: bool,
    /// The full form.
    spec: String,
    buffers: Buffers,
    game: PhantomData<fn(&G)>,
}

/// The game that has just ended, until all seats have been added to it.
#[derive(Default)]
struct EndedGame {
    steps: RecordedGame,
    /// The texts of the actions, for a store.
    inputs: Vec<String>,
    payoffs: Option<Payoffs>,
    /// The seats that this learner had.
    own: [bool; 2],
    seats: usize,
}

/// Buffers, so that deciding allocates nothing.
#[derive(Default)]
struct Buffers {
    cells: Vec<u8>,
    places: Vec<Place>,
    scratch: Scratch,
    strongest: Vec<Answer>,
    values: Vec<f64>,
    order: Vec<usize>,
}

/// Builds the learner from checked settings.
///
/// # Errors
/// If a heuristic is not known, or the file cannot be used.
pub fn build<G: Cells + Notation + Entry>(
    context: &BuildContext<'_, G>,
) -> Result<Box<dyn Learner<G>>, SpecError> {
    Ok(Box::new(made(context)?))
}

/// Builds the policy that the learner plays with its present knowledge.
///
/// # Errors
/// As [`build`].
pub fn build_policy<G: Cells + Notation + Entry>(
    context: &BuildContext<'_, G>,
) -> Result<Box<dyn Policy<G>>, SpecError> {
    Ok(Box::new(made(context)?))
}

fn made<G: Cells + Notation + Entry>(context: &BuildContext<'_, G>) -> Result<Fable<G>, SpecError> {
    let &BuildContext { game, settings, .. } = context;
    let recalled = recall(settings, settings::NAME, settings::KEYS, None)?;
    let settings = &recalled.settings;
    let heuristics = settings::heuristics(settings)?;
    let rules = settings::rules(settings);
    let board = Board::new(game.spec().to_string(), game.layout());
    let mut engine = Engine::new(board, heuristics, rules);
    let at = settings.text("store");
    let unusable = |error: StoreError| settings.unusable("store", io_error(error));
    if at != NO_STORE && Location::parse(at).is_ok_and(|location| location.to_string() != at) {
        return Err(settings.together(
            "`store` must not contain a password, because full forms are written into results; set the variable PGPASSWORD",
        ));
    }
    let store = match at {
        NO_STORE => None,
        at => Some(Mutex::new(StoredKnowledge::open(at, &mut engine).map_err(unusable)?)),
    };
    let game_form = engine.board.game.clone();
    let engine = Arc::new(RwLock::new(engine));
    let spec = settings.full_form().to_string();
    let families = heuristics.families();
    let kind = settings.text("carrier");
    if store.is_none() && matches!(kind, "processes" | "mailbox") {
        return Err(settings
            .together(format!("carrier={kind} needs a store that both sides can open; add store=DIR")));
    }
    let carrier: Option<Box<dyn Carrier>> = match kind {
        "threads" => Some(Box::new(ThreadCarrier::start(&engine, &families))),
        "processes" => {
            let started = ProcessCarrier::start(families, at.to_owned(), spec.clone(), game_form);
            Some(Box::new(started.map_err(|error| SpecError::Program {
                owner: settings::NAME.to_owned(),
                command: "parlor fable worker".to_owned(),
                cause: Cause::new(error),
            })?))
        }
        "mailbox" => {
            let opened = MailboxCarrier::open(at, families, spec.clone(), game_form);
            Some(Box::new(opened.map_err(unusable)?))
        }
        _ => None,
    };
    let judge =
        settings.whole_or_none("budget").map(|percent| Judge::new(heuristics, percent as f64 / 100.0));
    if judge.is_some() && carrier.is_some() {
        return Err(settings
            .together("`budget` judges heuristics that answer in the agent's thread; use carrier=direct"));
    }
    let learns = settings.switch("learning");
    let deadline = settings.whole_or_none("deadline_ms").map(|ms| Duration::from_millis(ms as u64));
    let mut fable = Fable {
        engine,
        rules,
        log: GameLog::default(),
        store,
        is_at_a_table: learns,
        trouble: None,
        judge,
        carrier,
        deadline,
        ended: EndedGame::default(),
        frozen: !learns,
        spec,
        buffers: Buffers::default(),
        game: PhantomData,
    };
    if let Some(payload) = recalled.payload {
        fable.load(&mut &payload[..]).map_err(|error| context.settings.unusable("file", error))?;
    }
    Ok(fable)
}

impl<G: Cells> Fable<G> {
    fn engine(&self) -> RwLockReadGuard<'_, Engine> {
        self.engine.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works out the value of every action.
    fn evaluate(&mut self, decision: &Decision<'_, G>) {
        let Fable { engine, carrier, buffers, rules, deadline, judge, frozen, .. } = self;
        let Buffers { cells, places, scratch, strongest, values, .. } = buffers;
        let engine = engine.read().unwrap_or_else(PoisonError::into_inner);
        cells.resize(engine.board.cells(), 0);
        decision.game.cells(decision.view, cells);
        places.clear();
        places.extend(decision.actions.iter().map(|&action| decision.game.place(decision.view, action)));
        let question = Question { seat: decision.seat.0, cells, places };
        match carrier {
            None => {
                let judged = judge.as_ref().filter(|_| !*frozen).map(Judge::on);
                engine.strongest(judged.unwrap_or(engine.heuristics), &question, scratch, strongest);
            }
            Some(carrier) => {
                drop(engine);
                strongest.clear();
                strongest.resize(question.places.len(), Answer::default());
                // In the order of the heuristics: an answer that came first does not count for more.
                for answers in carrier.ask(&question, *deadline).into_iter().flatten() {
                    for (strongest, answer) in strongest.iter_mut().zip(answers) {
                        *strongest = strongest.stronger(answer);
                    }
                }
            }
        }
        values.clear();
        values.extend(strongest.iter().map(|&answer| rules.value(answer)));
    }

    /// Adds the game that has just ended to what is known.
    fn take_in(&mut self) {
        let Some(payoffs) = self.ended.payoffs.take() else { return };
        let mut engine = self.engine.write().unwrap_or_else(PoisonError::into_inner);
        engine.learn(&self.ended.steps);
        if let Some(judge) = &mut self.judge {
            let own = (0..2).filter(|&seat| self.ended.own[usize::from(seat)]);
            judge.game_over(own.into_iter().any(|seat| self.ended.steps.end(seat) == Some(End::Win)));
        }
        match &mut self.store {
            None => self.log.push(&self.ended.steps),
            Some(store) => {
                let store = store.get_mut().unwrap_or_else(PoisonError::into_inner);
                let own = &self.ended.own[..self.ended.seats];
                let seats =
                    own.iter().map(|&own| if own { self.spec.clone() } else { "another player".to_owned() });
                store.push(&self.ended.steps, &self.ended.inputs, &payoffs, seats.collect());
                if self.is_at_a_table
                    && let Err(error) = store.record(&mut engine)
                {
                    self.trouble = Some(error.to_string());
                }
            }
        }
        self.ended.steps.clear();
        self.ended.inputs.clear();
        self.ended.own = [false; 2];
    }

    /// Runs some work on all games: those of the log, or of the store.
    fn with_games<T>(&self, work: impl FnOnce(&Engine, &GameLog) -> T) -> io::Result<T> {
        let engine = self.engine();
        match &self.store {
            None => Ok(work(&engine, &self.log)),
            Some(store) => {
                let store = store.lock().unwrap_or_else(PoisonError::into_inner);
                let log = store.log(&engine.board).map_err(io_error)?;
                Ok(work(&engine, &log))
            }
        }
    }

    fn thought(&self, decision: &Decision<'_, G>, begun: Instant) -> Thought<G::Action> {
        let values = &self.buffers.values;
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
        let moves = order.iter().map(|&at| Considered {
            action: decision.actions[at],
            value: values[at],
            certainty: Certainty::Guess,
            visits: u64::from(self.buffers.strongest[at].is_known()),
        });
        Thought {
            depth: 1,
            nodes: self.buffers.strongest.iter().filter(|answer| answer.is_known()).count() as u64,
            counts: "actions with evidence",
            elapsed: begun.elapsed(),
            value: values[order[0]],
            unit: "probability of a win times confidence",
            certainty: Certainty::Guess,
            end_in: None,
            line: vec![decision.actions[order[0]]],
            moves: moves.collect(),
        }
    }
}

impl<G: Cells> Agent<G> for Fable<G> {
    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        if let [only] = decision.actions {
            return *only;
        }
        if let Some(trouble) = &self.trouble {
            // A learner that cannot keep what it learns must not go on unnoticed: the match is forfeited with this sentence.
            panic!("{trouble}");
        }
        let begun = Instant::now();
        self.evaluate(decision);
        context.reporter.report_with(|| self.thought(decision, begun));
        let Buffers { values, order, scratch, strongest, .. } = &mut self.buffers;
        let chosen = self.rules.choose(values, order, context.rng);
        if let Some(judge) = self.judge.as_mut().filter(|_| !self.frozen) {
            let (work, decider) = scratch.last(chosen);
            judge.count(work, strongest[chosen].is_known().then_some(decider));
        }
        decision.actions[chosen]
    }
}

impl<G: Cells> Policy<G> for Fable<G> {
    fn weigh(&mut self, decision: &Decision<'_, G>, weights: &mut Vec<f64>) {
        self.evaluate(decision);
        let Buffers { values, order, .. } = &mut self.buffers;
        self.rules.odds(values, order, weights);
    }
}

impl<G: Cells + Notation> Learner<G> for Fable<G> {
    /// Notes the seat's steps when the match is over. A contest of several stages is one game: its goal is to win the contest.
    fn learn(&mut self, episode: &Episode<'_, G>, _: &mut Rng) {
        let Some(payoffs) = episode.payoffs.filter(|_| !self.frozen) else { return };
        let game = episode.game;
        let count = self.engine().board.cells();
        let ended = &mut self.ended;
        for step in episode.steps {
            let place = game.place(&step.view, step.action);
            ended.steps.push_with(episode.seat.0, place, count, |cells| game.cells(&step.view, cells));
            if self.store.is_some() {
                ended.inputs.push(game.write_action(step.action));
            }
        }
        let end = match if game.seats() > 1 { payoffs.winner() } else { episode.result.winner } {
            Some(winner) if winner == episode.seat => End::Win,
            None if game.seats() > 1 => End::Tie,
            _ => End::Loss,
        };
        ended.steps.set_end(episode.seat.0, end);
        ended.own[episode.seat.index()] = true;
        (ended.payoffs, ended.seats) = (Some(payoffs), usize::from(game.seats()));
    }

    fn match_ended(&mut self) {
        self.take_in();
    }

    fn freeze(&mut self, frozen: bool) {
        self.frozen = frozen;
    }

    fn is_frozen(&self) -> bool {
        self.frozen
    }

    fn spec(&self) -> String {
        self.spec.clone()
    }

    fn size(&self) -> KnowledgeSize {
        let engine = self.engine();
        let bytes = (engine.bytes() + self.log.bytes().len()) as u64;
        KnowledgeSize { entries: engine.entries() as u64, bytes, peak_bytes: bytes, forgotten: 0 }
    }

    fn inspect(&self, _: &G, rows: usize) -> Vec<KnowledgeTable> {
        let tables = self.with_games(|engine, games| inspect::tables(engine, games, rows));
        tables.unwrap_or_else(|error| vec![inspect::trouble(&error)])
    }

    fn automaton(&self, query: &AutomatonQuery<'_>) -> Result<Option<Automaton>, String> {
        let drawn = self.with_games(|engine, games| automaton::automaton(engine, games, query));
        drawn.map_err(|error| error.to_string())?.map(Some)
    }

    fn write_text(&self, _: &G, to: &mut dyn Write) -> io::Result<()> {
        self.with_games(|engine, games| inspect::write_all(engine, games, to))?
    }

    /// Writes the games; for a learner with a store, records them there and writes where in the store it is.
    fn save(&self, to: &mut dyn Write) -> io::Result<()> {
        match &self.store {
            None => self.log.write(&self.engine().board, to),
            Some(store) => {
                let mut store = store.lock().unwrap_or_else(PoisonError::into_inner);
                let mut engine = self.engine.write().unwrap_or_else(PoisonError::into_inner);
                store.record(&mut engine).map_err(io_error)?;
                to.write_all(store.reference().as_bytes())
            }
        }
    }

    fn load(&mut self, from: &mut dyn Read) -> io::Result<()> {
        let mut engine = self.engine.write().unwrap_or_else(PoisonError::into_inner);
        self.ended.steps.clear();
        self.ended.inputs.clear();
        match &mut self.store {
            None => {
                self.log = GameLog::read(&engine.board, from)?;
                engine.clear();
                engine.learn_all(&self.log);
            }
            Some(store) => {
                let mut bytes = Vec::new();
                from.take(1 << 12).read_to_end(&mut bytes)?;
                let reference = String::from_utf8(bytes)
                    .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
                let store = store.get_mut().unwrap_or_else(PoisonError::into_inner);
                store.follow(&reference)?;
                store.reload(&mut engine).map_err(io_error)?;
            }
        }
        Ok(())
    }
}
