//! The agent: opens certainly safe cells first, then solves the rest of the match if it can, then guesses.

use parlor_core::{
    Agent, Beliefs, Budget, Cancel, Certainty, Considered, Context, Decision, Key, Kind, Meter, Planner,
    Seat, Settings, Thought,
};

use super::guess::{ScoredCell, by_safety, look_ahead, look_further, opening};
use super::obvious::obvious;
use crate::board::bits::Word;
use crate::minesweeper::listed::ListedLayouts;
use crate::minesweeper::{Action, First, Layouts, Minesweeper, View};

const GUESS: Key = Key {
    name: "guess",
    kind: Kind::Choice(&["best", "safest"]),
    default: "best",
    help: "when no cell is certainly safe: balance risk and information, or take the least risk",
};
const ENDGAME: Key = Key {
    name: "endgame",
    kind: Kind::Whole { min: 0, max: 100_000 },
    default: "400",
    help: "number of layouts from which on it plays perfectly",
};
const LOOK: Key = Key {
    name: "look",
    kind: Kind::Whole { min: 1, max: 512 },
    default: "24",
    help: "number of cells searched one click ahead, the safest first",
};
const DEEP: Key = Key {
    name: "deep",
    kind: Kind::Whole { min: 0, max: 512 },
    default: "0",
    help: "number of these cells searched two clicks ahead, the best first",
};
const NODES: Key = Key {
    name: "nodes",
    kind: Kind::Whole { min: 1, max: 1_000_000_000 },
    default: "20000",
    help: "limit on the positions of perfect play; beyond it, cells are searched one click ahead",
};

/// Limit on the numbers stored when counting. Boards from play take some thousands.
const MAX_NUMBERS: usize = 1 << 24;

/// A player that computes the exact mine probability of each cell.
#[derive(Clone, Debug)]
pub struct Deduce<W> {
    /// Whether to take the least risk and ignore everything else.
    safest: bool,
    endgame: usize,
    look: usize,
    deep: usize,
    nodes: u64,
    /// Cells that a view showed to be safe; they stay safe in every later view.
    safe: Option<(View<W>, W)>,
    /// The rest of the match, from the view on in which it could be listed.
    rest: Option<(View<W>, ListedLayouts<W>)>,
}

/// The scores of a guess.
struct Scores {
    /// The cells, best first.
    cells: Vec<ScoredCell>,
    /// Whether the scores are probabilities of winning.
    is_exact: bool,
    nodes: u64,
}

impl<W: Word> Deduce<W> {
    /// The keys of guessing and look-ahead.
    pub const KEYS: &'static [Key] = &[GUESS, ENDGAME, LOOK, DEEP, NODES];

    /// Returns the player with the settings of its keys.
    #[must_use]
    pub fn read(settings: &Settings) -> Self {
        Deduce {
            safest: settings.text(GUESS.name) == "safest",
            endgame: settings.whole(ENDGAME.name) as usize,
            look: settings.whole(LOOK.name) as usize,
            deep: settings.whole(DEEP.name) as usize,
            nodes: settings.whole(NODES.name) as u64,
            safe: None,
            rest: None,
        }
    }

    /// Returns the cell to open; `None` if the view is too complex to count its layouts.
    fn choose(
        &mut self,
        decision: &Decision<'_, Minesweeper<W>>,
        context: &mut Context<'_, Minesweeper<W>>,
    ) -> Option<u16> {
        let (game, view) = (decision.game, decision.view);
        if view.opened().is_empty() && !self.knows_the_start(game, view) {
            return Some(opening(game));
        }
        let plan = Planner::default().plan(&context.situation(decision));
        let budget = plan.map_or(Budget::default(), |plan| plan.budget());
        let meter = budget.start(context.cancel);
        let covered = game.board() & !view.opened();
        let mut safe = match self.safe {
            Some((earlier, safe)) if view.follows(&earlier) => safe & covered,
            _ => W::ZERO,
        };
        if safe.is_empty() {
            safe = obvious(game, view);
            self.safe = Some((*view, safe));
        }
        if !safe.is_empty() {
            context.reporter.report_with(|| certain(safe, &meter));
            return Some(safe.lowest() as u16);
        }
        let layouts = Layouts::within(game, view, MAX_NUMBERS)?;
        let odds = layouts.mine_probabilities();
        for cell in covered.cells().filter(|&cell| odds[cell as usize] == 0.0) {
            safe |= W::bit(cell);
        }
        self.safe = Some((*view, safe));
        if !safe.is_empty() {
            context.reporter.report_with(|| certain(safe, &meter));
            return Some(safe.lowest() as u16);
        }
        let scores = self.score_cells(decision, &layouts, &odds, budget, context.cancel);
        context.reporter.report_with(|| scores.thought(&meter));
        scores.cells.first().map(|best| best.cell)
    }

    /// Returns whether there are few enough layouts to play even the first click perfectly.
    fn knows_the_start(&self, game: &Minesweeper<W>, view: &View<W>) -> bool {
        // Under rules that lay mines after the first click, the layouts depend on that click.
        game.first() == First::Any
            && !self.safest
            && Layouts::within(game, view, MAX_NUMBERS)
                .is_some_and(|layouts| layouts.total() <= self.endgame as f64)
    }

    /// Scores the covered cells when none is certainly safe.
    fn score_cells(
        &mut self,
        decision: &Decision<'_, Minesweeper<W>>,
        layouts: &Layouts<W>,
        odds: &[f64],
        budget: Budget,
        cancel: Option<&Cancel>,
    ) -> Scores {
        let (game, view) = (decision.game, decision.view);
        let covered = game.board() & !view.opened();
        if self.safest {
            let cells = by_safety(covered, odds);
            return Scores { nodes: cells.len() as u64, cells, is_exact: false };
        }
        let solving = budget.and(Budget::nodes(self.nodes));
        self.solve(decision, layouts, odds, solving, cancel).unwrap_or_else(|| {
            let mut meter = budget.start(cancel);
            let mut cells = look_ahead(game, layouts, covered, odds, self.look, &mut meter);
            let limits = (self.deep, MAX_NUMBERS);
            look_further(game, view, layouts.total(), &mut cells, limits, &mut meter);
            Scores { cells, is_exact: false, nodes: meter.nodes() }
        })
    }

    /// Scores the cells by perfect play, if few layouts are left and the nodes suffice.
    fn solve(
        &mut self,
        decision: &Decision<'_, Minesweeper<W>>,
        layouts: &Layouts<W>,
        odds: &[f64],
        budget: Budget,
        cancel: Option<&Cancel>,
    ) -> Option<Scores> {
        let (game, view) = (decision.game, decision.view);
        if !self.rest.as_ref().is_some_and(|(earlier, _)| view.follows(earlier)) {
            let list = layouts.list(self.endgame)?;
            self.rest = Some((*view, ListedLayouts::new(game, view.opened(), list)));
        }
        let mut meter = budget.start(cancel);
        let (_, listed) = self.rest.as_mut()?;
        let Some(choices) = listed.choices(game, view, &mut meter) else {
            self.rest = None;
            return None;
        };
        let cells = choices.iter().map(|choice| ScoredCell {
            cell: choice.cell,
            safe: 1.0 - odds[usize::from(choice.cell)],
            score: f64::from(choice.wins) / layouts.total(),
            is_bound: choice.is_bound,
        });
        Some(Scores { cells: cells.collect(), is_exact: true, nodes: meter.nodes() })
    }
}

impl Scores {
    fn thought(&self, meter: &Meter<'_>) -> Thought<Action> {
        let certainty = |cell: &ScoredCell| match (cell.is_bound, self.is_exact) {
            (true, _) => Certainty::AtMost,
            (false, true) => Certainty::Proven,
            (false, false) => Certainty::Guess,
        };
        let moves: Vec<Considered<Action>> = self
            .cells
            .iter()
            .map(|cell| Considered {
                action: Action::Click(cell.cell),
                value: cell.score,
                certainty: certainty(cell),
                visits: 1,
            })
            .collect();
        Thought {
            depth: 1,
            nodes: self.nodes,
            counts: "nodes",
            elapsed: meter.elapsed(),
            value: moves.first().map_or(0.0, |best| best.value),
            unit: if self.is_exact { "odds of winning" } else { "score of the guess" },
            certainty: self.cells.first().map_or(Certainty::Guess, certainty),
            end_in: None,
            line: moves.first().map(|best| best.action).into_iter().collect(),
            moves,
        }
    }
}

/// Returns the thought that some cells are certainly safe.
fn certain<W: Word>(safe: W, meter: &Meter<'_>) -> Thought<Action> {
    let moves = safe.cells().map(|cell| Considered {
        action: Action::Click(cell as u16),
        value: 1.0,
        certainty: Certainty::Proven,
        visits: 1,
    });
    Thought {
        depth: 1,
        nodes: u64::from(safe.len()),
        counts: "nodes",
        elapsed: meter.elapsed(),
        value: 1.0,
        unit: "odds of no mine",
        certainty: Certainty::Proven,
        end_in: None,
        line: vec![Action::Click(safe.lowest() as u16)],
        moves: moves.collect(),
    }
}

impl<W: Word> Agent<Minesweeper<W>> for Deduce<W> {
    fn begin(&mut self, _: &Minesweeper<W>, _: Seat) {
        self.safe = None;
        self.rest = None;
    }

    fn act(
        &mut self,
        decision: &Decision<'_, Minesweeper<W>>,
        context: &mut Context<'_, Minesweeper<W>>,
    ) -> Action {
        if let &[only] = decision.actions {
            return only;
        }
        self.choose(decision, context).map_or(decision.actions[0], Action::Click)
    }

    fn beliefs(
        &mut self,
        decision: &Decision<'_, Minesweeper<W>>,
        _: &mut Context<'_, Minesweeper<W>>,
    ) -> Option<Beliefs> {
        let (game, view) = (decision.game, decision.view);
        let layouts = Layouts::within(game, view, MAX_NUMBERS)?;
        let odds = layouts.mine_probabilities();
        let covered = game.board() & !view.opened();
        Some(Beliefs {
            places: vec!["mine".to_owned()],
            odds: covered.cells().map(|cell| (game.square(cell as u16), vec![odds[cell as usize]])).collect(),
            basis: basis(layouts.total()),
            types: Vec::new(),
            sample_size: None,
        })
    }
}

/// Returns what probabilities rest on, in words. A number of more digits than a reader would count is rounded.
fn basis(layouts: f64) -> String {
    if layouts < 1e15 {
        format!("all {layouts} layouts")
    } else {
        format!("all of about {layouts:.1e} layouts")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_of_layouts_are_rounded() {
        assert_eq!(basis(171.0), "all 171 layouts");
        assert_eq!(basis(4.543e103), "all of about 4.5e103 layouts");
    }
}
