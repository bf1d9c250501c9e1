//! The learning engine: counts what happened and answers questions. It knows no game.

use parlor_core::Place;

use crate::board::{Board, Model};
use crate::decision::{Answer, Pooling, Rules};
use crate::evidence::{Evidence, EvidenceTable};
use crate::heuristics::{Chosen, HEURISTICS, Heuristic, Position, Reading};
use crate::history::{GameLog, RecordedGame};

/// A decision to be taken, as plain cells.
#[derive(Copy, Clone, Debug)]
pub struct Question<'a> {
    /// Who decides.
    pub seat: u8,
    /// What the seat sees.
    pub cells: &'a [u8],
    /// Where each legal action lies.
    pub places: &'a [Place],
}

/// Buffers of a decision, kept from one to the next so that nothing is allocated.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    readings: Vec<Reading>,
    looked_up: Vec<(u64, u64)>,
    answers: Vec<Answer>,
    /// The heuristic whose answer is strongest for each action.
    deciders: Vec<usize>,
    /// The work of each heuristic for the last question.
    work: Vec<u64>,
}

impl Scratch {
    /// Returns the work of each heuristic for the last question, and whose answer was strongest for an action.
    pub(crate) fn last(&self, action: usize) -> (&[u64], usize) {
        (&self.work, self.deciders[action])
    }
}

/// The evidence of the models that some heuristics need.
#[derive(Clone, Debug)]
pub struct Engine {
    /// The kind of grid.
    pub board: Board,
    /// The heuristics.
    pub heuristics: Chosen,
    /// How evidence becomes a decision.
    pub rules: Rules,
    tables: [EvidenceTable; Model::ALL.len()],
    /// The models that are counted.
    models: Vec<Model>,
}

impl Engine {
    /// Returns an engine that knows nothing.
    #[must_use]
    pub fn new(board: Board, heuristics: Chosen, rules: Rules) -> Engine {
        let models = heuristics.models();
        Engine { board, heuristics, rules, tables: Default::default(), models }
    }

    /// Returns the models that are counted.
    #[must_use]
    pub fn models(&self) -> &[Model] {
        &self.models
    }

    /// Returns what a model knows.
    #[must_use]
    pub fn table(&self, model: Model) -> &EvidenceTable {
        &self.tables[model.index()]
    }

    /// Returns what a model knows, to be changed.
    pub fn table_mut(&mut self, model: Model) -> &mut EvidenceTable {
        &mut self.tables[model.index()]
    }

    /// Counts a game in every model.
    pub fn learn(&mut self, game: &RecordedGame) {
        for &model in &self.models {
            let table = &mut self.tables[model.index()];
            game.observe(&self.board, model, |seen| table.observe(seen));
        }
    }

    /// Counts every game of a log.
    pub fn learn_all(&mut self, games: &GameLog) {
        let Engine { board, tables, models, .. } = self;
        games.for_each(board, |game| {
            for &model in &*models {
                let table = &mut tables[model.index()];
                game.observe(board, model, |seen| table.observe(seen));
            }
        });
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for table in &mut self.tables {
            table.clear();
        }
    }

    /// Returns the evidence that a heuristic pools about an action, in all states at which it looks.
    fn pooled(
        &self,
        table: &EvidenceTable,
        question: &Question<'_>,
        place: &Place,
        scratch: &mut Scratch,
    ) -> Answered {
        let Engine { board, rules, .. } = self;
        let Scratch { readings, looked_up, .. } = scratch;
        let mut answered = Answered::default();
        looked_up.clear();
        for reading in &*readings {
            let seats = if rules.by_mover { question.seat..question.seat + 1 } else { 0..2 };
            for seat in seats {
                let Some(input) = board.input(reading.frame, seat, place) else { continue };
                let Some(evidence) = table.get(reading.state, input) else { continue };
                // A symmetric state looks the same in several orientations; its evidence counts once.
                if looked_up.contains(&(reading.state, input)) {
                    continue;
                }
                looked_up.push((reading.state, input));
                answered.total.merge(evidence);
                if rules.pooling == Pooling::Best {
                    let answer = rules.answer(evidence.credited(rules.credit), 1.0);
                    answered.best = answered.best.stronger(answer);
                }
            }
        }
        answered
    }

    /// Writes into `answers` what one heuristic says about each action.
    pub fn answer(
        &self,
        heuristic: usize,
        question: &Question<'_>,
        scratch: &mut Scratch,
        answers: &mut Vec<Answer>,
    ) {
        let heuristic = HEURISTICS[heuristic];
        let table = self.table(heuristic.model());
        self.read(heuristic, question, scratch);
        answers.clear();
        for place in question.places {
            let answered = self.pooled(table, question, place, scratch);
            answers.push(match self.rules.pooling {
                Pooling::Sum => {
                    self.rules.answer(answered.total.credited(self.rules.credit), heuristic.discount())
                }
                Pooling::Best => {
                    let discount = if self.rules.discount { heuristic.discount() } else { 1.0 };
                    Answer { confidence: answered.best.confidence * discount, ..answered.best }
                }
            });
        }
    }

    /// Writes into `strongest` for each action the answer of some heuristics whose value is greatest in magnitude.
    pub fn strongest(
        &self,
        heuristics: Chosen,
        question: &Question<'_>,
        scratch: &mut Scratch,
        strongest: &mut Vec<Answer>,
    ) {
        strongest.clear();
        strongest.resize(question.places.len(), Answer::default());
        let mut answers = std::mem::take(&mut scratch.answers);
        scratch.deciders.clear();
        scratch.deciders.resize(question.places.len(), 0);
        scratch.work.clear();
        scratch.work.resize(HEURISTICS.len(), 0);
        for heuristic in heuristics.iter() {
            self.answer(heuristic, question, scratch, &mut answers);
            let looked_at = (scratch.readings.len() * question.places.len()) as u64;
            scratch.work[heuristic] = HEURISTICS[heuristic].effort(&self.board) + looked_at;
            for ((strongest, decider), &answer) in
                strongest.iter_mut().zip(&mut scratch.deciders).zip(&answers)
            {
                let stronger = strongest.stronger(answer);
                if stronger != *strongest {
                    (*strongest, *decider) = (stronger, heuristic);
                }
            }
        }
        scratch.answers = answers;
    }

    fn read(&self, heuristic: &dyn Heuristic, question: &Question<'_>, scratch: &mut Scratch) {
        let key = self.board.whole(question.cells);
        let position = Position { board: &self.board, cells: question.cells, key };
        scratch.readings.clear();
        heuristic.readings(&position, self.table(heuristic.model()), &mut scratch.readings);
    }

    /// Returns the number of things known: inputs in states of all models.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.tables.iter().map(EvidenceTable::len).sum()
    }

    /// Returns about how many bytes the evidence takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.tables.iter().map(EvidenceTable::bytes).sum()
    }
}

/// The evidence of several states.
#[derive(Copy, Clone, Default)]
struct Answered {
    total: Evidence,
    best: Answer,
}
