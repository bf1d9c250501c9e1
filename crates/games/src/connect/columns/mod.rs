//! The column learner of Team Domination Association (2011): each column has 17 features, a column's value is their weighted sum and
//! the discounted sums of the plies predicted to follow, and weights change after each match.
//!
//! `rule=printed` is the source's own rule with its caps; `rule=td` learns the same weights by temporal differences.

mod baseline;
mod block;
mod board_value;
mod features;
mod inspect;
mod keys;
mod saved;
mod td;
mod update;
mod value;

use std::io;

use parlor_core::api::{AgentEntry, BuildContext, Make};
use parlor_core::files::recall::recall;
use parlor_core::{
    Agent, BySeat, Certainty, Considered, Context, Decision, Episode, KnowledgeSize, KnowledgeTable, Learner,
    LearningReport, Rng, Seat, SpecError, Thought,
};

pub use baseline::Baseline;
pub use block::block;
pub use board_value::BoardValue;
pub use features::{COUNT, ColumnFeatures, INFO, Windows};
pub use keys::{
    Draw, EARLIER, EARLIER_KEYS, EARLIER_SUMMARY, Explore, KEYS, Keep, NAME, Parts, Rule, SUMMARY,
};
pub use saved::START;
pub use td::TdRule;
pub use update::{Caps, PrintedRule};
pub use value::{LookAhead, Weights};

use saved::Saved;
use td::{After, Search, softmax};
use value::{ByColumn, Judge, Judged};

use crate::board::bits::Word;
use crate::connect::{Board, Column, Connect, MAX_WIDTH};

/// The learner, on a board of one size.
pub struct ColumnLearner<W> {
    parts: Parts,
    judge: Judge<W>,
    /// The columns from the middle outwards.
    order: Vec<u8>,
    saved: Saved,
    frozen: bool,
    /// How learning went since the last report.
    since: Since,
    /// What each seat has done in the match that has just ended; learnt from when all seats have come in.
    lessons: BySeat<Option<Lesson>>,
}

/// The decisions of one seat in a match.
#[derive(Clone, Debug, Default)]
struct Lesson {
    /// The features of the chosen columns, first to last.
    history: Vec<ColumnFeatures>,
    /// The boards after them, with rule=td.
    boards: Vec<After>,
    /// −1, 0 or 1.
    result: f64,
}

/// How learning went since the last report. It is no part of what the learner knows.
#[derive(Clone, Debug, Default)]
struct Since {
    /// The weights then.
    weights: Weights,
    /// The differences of rule=td, summed up, and their number.
    surprise: f64,
    steps: u64,
}

/// A column as the learner sees it.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct DescribedColumn {
    /// Its features.
    pub features: ColumnFeatures,
    /// Weights · features.
    pub sum: f64,
    /// The sum, and the discounted sums of what is predicted to follow.
    pub value: f64,
}

/// Returns the players of connect that look at columns.
pub fn agents<W: Word>() -> [AgentEntry<Connect<W>>; 3] {
    [
        AgentEntry {
            name: NAME,
            summary: SUMMARY,
            keys: KEYS,
            make: Make::Learner(|context| Ok(Box::new(build(context)?))),
            policy: None,
        },
        AgentEntry {
            name: EARLIER,
            summary: EARLIER_SUMMARY,
            keys: &EARLIER_KEYS,
            make: Make::Agent(|context| Ok(Box::new(build_earlier(context)?))),
            policy: None,
        },
        AgentEntry {
            name: "baseline",
            summary: "takes a win, blocks a loss, otherwise drops near the middle",
            keys: &[],
            make: Make::Agent(|_| Ok(Box::new(Baseline))),
            policy: Some(|_| Ok(Box::new(Baseline))),
        },
    ]
}

/// Builds the learner from its settings.
///
/// # Errors
/// If values contradict each other or a file cannot be used.
pub fn build<W: Word>(context: &BuildContext<'_, Connect<W>>) -> Result<ColumnLearner<W>, SpecError> {
    let &BuildContext { game, settings, .. } = context;
    let recalled = recall(settings, NAME, KEYS, None)?;
    let parts = keys::read(&recalled.settings, game.width())?;
    let mut learner = ColumnLearner::new(game, parts);
    learner.frozen = !recalled.settings.switch("learning");
    if let Some(payload) = recalled.payload {
        learner.load_bytes(&payload).map_err(|error| settings.unusable("file", error))?;
    }
    Ok(learner)
}

fn build_earlier<W: Word>(context: &BuildContext<'_, Connect<W>>) -> Result<ColumnLearner<W>, SpecError> {
    let mut learner =
        ColumnLearner::new(context.game, keys::read_earlier(context.settings, context.game.width())?);
    learner.frozen = true;
    Ok(learner)
}

impl<W: Word> ColumnLearner<W> {
    /// Returns a learner with the weights at the start.
    #[must_use]
    pub fn new(game: &Connect<W>, parts: Parts) -> Self {
        let judge = Judge { windows: Windows::new(game), ahead: parts.ahead };
        let saved = Saved::new(parts.weights);
        let mut order: Vec<u8> = (0..game.width()).collect();
        order.sort_by_key(|&column| (2 * i32::from(column) + 1 - i32::from(game.width())).abs());
        let since = Since { weights: saved.weights, ..Since::default() };
        ColumnLearner { parts, judge, order, saved, frozen: false, since, lessons: BySeat::default() }
    }

    /// Returns features, sum and value of every column from the left, for the side to move; `None` for a full one.
    #[must_use]
    pub fn describe(&self, game: &Connect<W>, board: &Board<W>) -> Vec<Option<DescribedColumn>> {
        let judged = self.judge.judge(game, board, &self.saved.weights);
        let values = self.values(game, board, &judged, f64::INFINITY);
        (0..game.width())
            .map(|column| {
                let at = usize::from(column);
                let described = DescribedColumn {
                    features: judged.features[at],
                    sum: judged.sums[at],
                    value: values[at],
                };
                judged.open.contains(&column).then_some(described)
            })
            .collect()
    }

    fn load_bytes(&mut self, payload: &[u8]) -> io::Result<()> {
        self.saved = saved::from_bytes(payload)?;
        self.since = Since { weights: self.saved.weights, ..Since::default() };
        Ok(())
    }

    /// Returns the values of all open columns: by their features and look-ahead, or with rule=td by the boards after them. Values more
    /// than `slack` below the best may be bounds: they are no more than that.
    fn values(&self, game: &Connect<W>, board: &Board<W>, judged: &Judged, slack: f64) -> ByColumn<f64> {
        let weights = &self.saved.weights;
        if let Rule::Printed(_) = self.parts.rule {
            return self.judge.values(game, board, weights, judged);
        }
        let mut values = [0.0; MAX_WIDTH as usize];
        // In training one move is enough, and many times faster.
        let plies = if self.frozen { self.parts.ahead.moves } else { 0 };
        let search =
            Search { judge: &self.judge, game, weights, tempo: self.saved.tempo, order: &self.order };
        let mut best = -f64::INFINITY;
        for &column in self.order.iter().filter(|column| judged.open.contains(column)) {
            let value = search.column(board, column, plies, best - slack);
            values[usize::from(column)] = value;
            best = best.max(value);
        }
        values
    }

    /// Returns the probability of a random column in the next match.
    fn epsilon(&self) -> f64 {
        let Explore { epsilon, matches, .. } = &self.parts.explore;
        let at = (self.saved.matches / matches) as usize;
        epsilon.get(at).or(epsilon.last()).copied().unwrap_or(0.0)
    }

    /// Chooses a column by its values.
    fn choose(&self, judged: &Judged, values: &ByColumn<f64>, rng: &mut Rng) -> u8 {
        let Parts { explore, draw, .. } = &self.parts;
        let best =
            judged.open.iter().map(|&column| values[usize::from(column)]).fold(f64::NEG_INFINITY, f64::max);
        let within = |window: f64| {
            let close = move |column: &u8| values[usize::from(*column)] >= best - window;
            judged.open.iter().copied().filter(close).collect::<arrayvec::ArrayVec<u8, 64>>()
        };
        if !self.frozen {
            match explore.temperature {
                Some(temperature) => {
                    let values: arrayvec::ArrayVec<f64, 64> =
                        judged.open.iter().map(|&column| values[usize::from(column)]).collect();
                    let odds = softmax(&values, temperature);
                    let drawn = rng.by_weight(1.0, judged.open.iter().copied().zip(odds));
                    return drawn.expect("a decision offers at least one column");
                }
                None => {
                    let epsilon = self.epsilon();
                    if epsilon > 0.0 && rng.unit() < epsilon {
                        return *rng.choose(&within(explore.window));
                    }
                }
            }
        }
        draw_column(draw, &within(draw.tie), rng)
    }

    /// Returns the decisions of a seat as the learner's rule needs them.
    fn lesson(&self, episode: &Episode<'_, Connect<W>>) -> Lesson {
        let game = episode.game;
        let mut lesson = Lesson {
            result: episode.payoffs.map_or(0.0, |payoffs| payoffs.of(episode.seat)),
            ..Lesson::default()
        };
        for step in episode.steps {
            let weights = &self.saved.weights;
            let judged = self.judge.judge(game, &step.view, weights);
            let Column(chosen) = step.action;
            lesson.history.push(judged.features[usize::from(chosen)]);
            if let Rule::Td(_) = self.parts.rule {
                lesson.boards.push(td::after(&self.judge, game, &step.view, chosen));
            }
        }
        lesson
    }

    fn apply(&mut self, lesson: &Lesson) {
        match self.parts.rule {
            // Draws change nothing.
            Rule::Printed(_) if lesson.result == 0.0 => {}
            Rule::Printed(rule) => {
                rule.update(&mut self.saved.weights, &lesson.history, lesson.result.signum());
            }
            Rule::Td(rule) => {
                let Saved { weights, tempo, .. } = &mut self.saved;
                let (surprise, steps) = rule.learn(weights, tempo, &lesson.boards, lesson.result);
                self.since.surprise += surprise;
                self.since.steps += steps;
            }
        }
    }
}

/// Draws one of the close columns: a rounded normal number until it is one of them, then any.
fn draw_column(draw: &Draw, close: &[u8], rng: &mut Rng) -> u8 {
    if let [only] = close {
        return *only;
    }
    if let Some((mean, deviation)) = draw.normal {
        for _ in 0..draw.draws {
            let drawn = libm::round(mean + deviation * standard_normal(rng));
            if let Some(&column) = close.iter().find(|&&column| f64::from(column) == drawn) {
                return column;
            }
        }
    }
    *rng.choose(close)
}

/// Draws a number from the standard normal distribution, by the method of Box and Muller.
fn standard_normal(rng: &mut Rng) -> f64 {
    let radius = libm::sqrt(-2.0 * libm::log(1.0 - rng.unit()));
    radius * libm::cos(std::f64::consts::TAU * rng.unit())
}

impl<W: Word> Agent<Connect<W>> for ColumnLearner<W> {
    fn act(&mut self, decision: &Decision<'_, Connect<W>>, context: &mut Context<'_, Connect<W>>) -> Column {
        let Decision { game, view, .. } = *decision;
        let judged = self.judge.judge(game, view, &self.saved.weights);
        let slack = if self.frozen { self.parts.draw.tie } else { f64::INFINITY };
        let values = self.values(game, view, &judged, slack);
        let chosen = self.choose(&judged, &values, context.rng);
        context.reporter.report_with(|| self.thought(&judged, &values, slack));
        Column(chosen)
    }
}

impl<W: Word> ColumnLearner<W> {
    fn thought(&self, judged: &Judged, values: &ByColumn<f64>, slack: f64) -> Thought<Column> {
        let slack = if let Rule::Td(_) = self.parts.rule { slack } else { f64::INFINITY };
        let best =
            judged.open.iter().map(|&column| values[usize::from(column)]).fold(f64::NEG_INFINITY, f64::max);
        let mut moves: Vec<Considered<Column>> = judged
            .open
            .iter()
            .map(|&column| Considered {
                action: Column(column),
                value: values[usize::from(column)],
                certainty: if best - values[usize::from(column)] > slack {
                    Certainty::AtMost
                } else {
                    Certainty::Guess
                },
                visits: 1,
            })
            .collect();
        moves.sort_by(|left, right| right.value.total_cmp(&left.value));
        Thought {
            depth: 1 + self.parts.ahead.moves * if let Rule::Printed(_) = self.parts.rule { 2 } else { 1 },
            nodes: judged.open.len() as u64,
            counts: "columns",
            elapsed: std::time::Duration::ZERO,
            value: moves[0].value,
            unit: "weighted threats",
            certainty: Certainty::Guess,
            end_in: None,
            line: vec![moves[0].action],
            moves,
        }
    }
}

impl<W: Word> Learner<Connect<W>> for ColumnLearner<W> {
    fn learn(&mut self, episode: &Episode<'_, Connect<W>>, _: &mut Rng) {
        if !self.frozen {
            self.lessons[episode.seat] = Some(self.lesson(episode));
        }
    }

    /// Changes the weights. When it has played itself, two seats have come in, and which of them count is a setting.
    fn match_ended(&mut self) {
        let mut lessons = std::mem::take(&mut self.lessons);
        if self.frozen {
            return;
        }
        let [first, second] = [Seat::FIRST, Seat::SECOND].map(|seat| lessons[seat].take());
        match (first, second, self.parts.keep) {
            (Some(first), Some(second), Keep::Both) => {
                self.apply(&first);
                self.apply(&second);
            }
            (Some(_), Some(second), Keep::Alternate) if self.saved.matches % 2 == 1 => self.apply(&second),
            (Some(first), Some(_), _) | (Some(first), None, _) => self.apply(&first),
            (None, Some(second), _) => self.apply(&second),
            (None, None, _) => return,
        }
        self.saved.matches += 1;
        if self.saved.matches.is_multiple_of(self.parts.epoch) {
            self.saved.note(self.saved.matches / self.parts.epoch);
        }
    }

    fn freeze(&mut self, frozen: bool) {
        self.frozen = frozen;
    }

    fn is_frozen(&self) -> bool {
        self.frozen
    }

    fn spec(&self) -> String {
        self.parts.spec.clone()
    }

    fn size(&self) -> KnowledgeSize {
        let bytes = size_of_val(&self.saved) + size_of_val(&*self.saved.epochs);
        KnowledgeSize { entries: COUNT as u64, bytes: bytes as u64, peak_bytes: bytes as u64, forgotten: 0 }
    }

    fn report(&mut self) -> LearningReport {
        let weights = self.saved.weights;
        let then = std::mem::replace(&mut self.since, Since { weights, ..Since::default() });
        let moved = weights.iter().zip(then.weights).filter(|(_, before)| *before != 0.0);
        let (sum, count) = moved
            .fold((0.0, 0), |(sum, count), (now, before)| (sum + ((now - before) / before).abs(), count + 1));
        LearningReport {
            error: (then.steps > 0).then(|| then.surprise / then.steps as f64),
            change: (count > 0).then(|| sum / f64::from(count)),
            largest: Some(weights.iter().fold(0.0, |most: f64, weight| most.max(weight.abs()))),
        }
    }

    fn inspect(&self, _: &Connect<W>, rows: usize) -> Vec<KnowledgeTable> {
        inspect::tables(&self.saved, rows)
    }

    fn write_text(&self, _: &Connect<W>, to: &mut dyn io::Write) -> io::Result<()> {
        to.write_all(saved::write(&self.saved).as_bytes())
    }

    fn save(&self, to: &mut dyn io::Write) -> io::Result<()> {
        to.write_all(saved::write(&self.saved).as_bytes())
    }

    fn load(&mut self, from: &mut dyn io::Read) -> io::Result<()> {
        let mut payload = Vec::new();
        from.read_to_end(&mut payload)?;
        self.load_bytes(&payload)
    }
}

#[cfg(test)]
mod tests;
