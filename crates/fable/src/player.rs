//! FABLE at the table of any game that shows its views as cells.

use std::io::{self, Read, Write};
use std::marker::PhantomData;
use std::time::Instant;

use parlor_core::api::BuildContext;
use parlor_core::files::recall::recall;
use parlor_core::play::automaton::{Automaton, AutomatonQuery};
use parlor_core::{
    Agent, Cells, Certainty, Considered, Context, Decision, Entry, Episode, KnowledgeSize, KnowledgeTable,
    Learner, Place, Policy, Rng, SpecError, Thought,
};

use crate::automaton;
use crate::board::Board;
use crate::decision::Answer;
use crate::engine::{Engine, Question, Scratch};
use crate::history::{GameLog, RecordedGame};
use crate::inspect;
use crate::settings;
use crate::state_keys::End;

/// FABLE in a seat, or in several.
pub struct Fable<G: Cells> {
    engine: Engine,
    /// Every game that it has learnt from.
    log: GameLog,
    /// The game that has just ended, until all seats have been added to it.
    ended: RecordedGame,
    frozen: bool,
    /// The full form.
    spec: String,
    buffers: Buffers,
    game: PhantomData<fn(&G)>,
}

/// Buffers, so that deciding allocates nothing.
#[derive(Default)]
struct Buffers {
    cells: Vec<u8>,
    places: Vec<Place>,
    scratch: Scratch,
    answers: Vec<Answer>,
    strongest: Vec<Answer>,
    values: Vec<f64>,
    order: Vec<usize>,
}

/// Builds the learner from checked settings.
///
/// # Errors
/// If a heuristic is not known, or the file cannot be used.
pub fn build<G: Cells + Entry>(context: &BuildContext<'_, G>) -> Result<Box<dyn Learner<G>>, SpecError> {
    Ok(Box::new(made(context)?))
}

/// Builds the policy that the learner plays with its present knowledge.
///
/// # Errors
/// As [`build`].
pub fn build_policy<G: Cells + Entry>(
    context: &BuildContext<'_, G>,
) -> Result<Box<dyn Policy<G>>, SpecError> {
    Ok(Box::new(made(context)?))
}

fn made<G: Cells + Entry>(context: &BuildContext<'_, G>) -> Result<Fable<G>, SpecError> {
    let &BuildContext { game, settings, .. } = context;
    let recalled = recall(settings, settings::NAME, settings::KEYS, None)?;
    let heuristics = settings::heuristics(&recalled.settings)?;
    let board = Board::new(game.spec().to_string(), game.layout());
    let engine = Engine::new(board, heuristics, settings::rules(&recalled.settings));
    let mut fable = Fable {
        engine,
        log: GameLog::default(),
        ended: RecordedGame::default(),
        frozen: !recalled.settings.switch("learning"),
        spec: recalled.settings.full_form().to_string(),
        buffers: Buffers::default(),
        game: PhantomData,
    };
    if let Some(payload) = recalled.payload {
        fable.load(&mut &payload[..]).map_err(|error| settings.unusable("file", error))?;
    }
    Ok(fable)
}

impl<G: Cells> Fable<G> {
    /// Works out the value of every action.
    fn evaluate(&mut self, decision: &Decision<'_, G>) {
        let Fable { engine, buffers, .. } = self;
        let Buffers { cells, places, scratch, answers, strongest, values, .. } = buffers;
        cells.resize(engine.board.cells(), 0);
        decision.game.cells(decision.view, cells);
        places.clear();
        places.extend(decision.actions.iter().map(|&action| decision.game.place(decision.view, action)));
        let question = Question { seat: decision.seat.0, cells, places };
        strongest.clear();
        strongest.resize(places.len(), Answer::default());
        for heuristic in engine.heuristics.iter() {
            engine.answer(heuristic, &question, scratch, answers);
            for (strongest, &answer) in strongest.iter_mut().zip(&*answers) {
                *strongest = strongest.stronger(answer);
            }
        }
        values.clear();
        values.extend(strongest.iter().map(|&answer| engine.rules.value(answer)));
    }

    /// Adds the game that has just ended to what is known.
    fn take_in(&mut self) {
        if !self.ended.is_empty() {
            self.engine.learn(&self.ended);
            self.log.push(&self.ended);
            self.ended.clear();
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
        let begun = Instant::now();
        self.evaluate(decision);
        context.reporter.report_with(|| self.thought(decision, begun));
        let Buffers { values, order, .. } = &mut self.buffers;
        decision.actions[self.engine.rules.choose(values, order, context.rng)]
    }
}

impl<G: Cells> Policy<G> for Fable<G> {
    fn weigh(&mut self, decision: &Decision<'_, G>, weights: &mut Vec<f64>) {
        self.evaluate(decision);
        let Buffers { values, order, .. } = &mut self.buffers;
        self.engine.rules.odds(values, order, weights);
    }
}

impl<G: Cells> Learner<G> for Fable<G> {
    /// Notes the seat's steps when the match is over. A contest of several stages is one game: its goal is to win the contest.
    fn learn(&mut self, episode: &Episode<'_, G>, _: &mut Rng) {
        let Some(payoffs) = episode.payoffs.filter(|_| !self.frozen) else { return };
        let game = episode.game;
        let count = self.engine.board.cells();
        for step in episode.steps {
            let place = game.place(&step.view, step.action);
            self.ended.push_with(episode.seat.0, place, count, |cells| game.cells(&step.view, cells));
        }
        let end = match if game.seats() > 1 { payoffs.winner() } else { episode.result.winner } {
            Some(winner) if winner == episode.seat => End::Win,
            None if game.seats() > 1 => End::Tie,
            _ => End::Loss,
        };
        self.ended.set_end(episode.seat.0, end);
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
        let bytes = (self.engine.bytes() + self.log.bytes().len()) as u64;
        KnowledgeSize { entries: self.engine.entries() as u64, bytes, peak_bytes: bytes, forgotten: 0 }
    }

    fn inspect(&self, _: &G, rows: usize) -> Vec<KnowledgeTable> {
        inspect::tables(&self.engine, &self.log, rows)
    }

    fn automaton(&self, query: &AutomatonQuery<'_>) -> Result<Option<Automaton>, String> {
        automaton::automaton(&self.engine, &self.log, query).map(Some)
    }

    fn write_text(&self, _: &G, to: &mut dyn Write) -> io::Result<()> {
        inspect::write_all(&self.engine, &self.log, to)
    }

    fn save(&self, to: &mut dyn Write) -> io::Result<()> {
        self.log.write(&self.engine.board, to)
    }

    fn load(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.log = GameLog::read(&self.engine.board, from)?;
        self.ended.clear();
        self.engine.clear();
        self.engine.learn_all(&self.log);
        Ok(())
    }
}
