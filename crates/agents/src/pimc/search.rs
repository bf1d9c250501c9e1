//! Iterative deepening over worlds with open hands, and the mean over them.

use parlor_core::{
    Certainty, Deadline, Game, Key, Kind, Meter, Objective, Reporter, Rng, Seat, Settings, Staged, Thought,
};

use crate::leaves::Leaves;
use crate::openhand::{DEEPEST, Draws, OpenHand};
use crate::star;
use crate::table::Table;
use crate::worlds_question::Question;

/// A stage has few positions.
pub const TABLE: Key = Key {
    kind: Kind::Whole { min: 1, max: 1_048_576 },
    default: "4",
    help: "mebibytes for what was found out about positions",
    ..Table::MEBIBYTES
};

/// Cuts save no time here: the bounds of a stage are wide, drawn tiles are mostly forced moves, and exact averages are found
/// again in the table.
pub const STAR: Key = Key {
    default: "0",
    help: "cuts where everything that can be drawn is averaged: 0 none, 1 Star1, 2 Star2; the values found are the same",
    ..star::KEY
};

/// The values of the actions in one world.
pub(super) struct Row {
    /// The gain of each action for the seat, in the order of the decision.
    values: Vec<f64>,
    /// Whether they are exact in this world.
    pub solved: bool,
    draws: Draws,
}

impl<G: Staged> Question<'_, G> {
    /// Returns a row for each world, or only for the first ones if the deadline has passed. With a stream, the draws of a world
    /// have a fixed order that comes from it.
    pub(super) fn rows(
        &self,
        objective: Objective,
        deadline: Deadline<'_>,
        mut orders: Option<&mut Rng>,
    ) -> Vec<Row> {
        let mut rows = Vec::with_capacity(self.worlds.len());
        for (world, _) in self.worlds {
            if !rows.is_empty() && deadline.has_passed() {
                break;
            }
            let draws = orders.as_mut().map_or(Draws::Weighed, |rng| Draws::Fixed(rng.bits()));
            rows.push(Row { values: self.glance(objective, world), solved: false, draws });
        }
        rows
    }

    /// Returns static values of the actions: an answer before any search.
    fn glance(&self, objective: Objective, world: &G::State) -> Vec<f64> {
        let game = self.game;
        let after = |&action: &G::Action| {
            let mut next = world.clone();
            game.apply(&mut next, action);
            let goes_on = game.stages(&next) == game.stages(world);
            let outlook = if goes_on { game.outlook(objective, &next) } else { 0.0 };
            for_seat(self.seat, game.lead(objective, &next) - game.lead(objective, world) + outlook)
        };
        self.actions.iter().map(after).collect()
    }

    fn means(&self, rows: &[Row]) -> Vec<f64> {
        let mut means = vec![0.0; self.actions.len()];
        for (row, (_, weight)) in rows.iter().zip(self.worlds) {
            means.iter_mut().zip(&row.values).for_each(|(mean, value)| *mean += weight * value);
        }
        // Without time for all worlds, the mean is over those that were searched.
        if rows.len() < self.worlds.len() {
            let looked_at: f64 = self.worlds[..rows.len()].iter().map(|(_, weight)| weight).sum();
            means.iter_mut().for_each(|mean| *mean /= looked_at);
        }
        means
    }

    fn thought_of(
        &self,
        objective: Objective,
        rows: &[Row],
        depth: u32,
        meter: &Meter<'_>,
    ) -> Thought<G::Action> {
        let proven = self.is_complete && self.worlds.len() == 1 && rows[0].solved;
        let certainty = if proven { Certainty::Proven } else { Certainty::Guess };
        // Points scored before are the same in all worlds.
        let lead = self.worlds.first().map_or(0.0, |(world, _)| self.game.lead(objective, world));
        let unit = self.game.unit(objective);
        self.thought(self.means(rows), for_seat(self.seat, lead), certainty, unit, depth, meter)
    }
}

/// Returns a gain of the first seat from the point of view of `seat`.
fn for_seat(seat: Seat, gain: f64) -> f64 {
    if seat == Seat::FIRST { gain } else { -gain }
}

/// The search of worlds and its transposition table.
pub struct Search<G: Game> {
    leaves: Option<Leaves<G>>,
    pub(super) objective: Objective,
    table: Table,
    star: u8,
    /// Whether the table has entries.
    used: bool,
}

impl<G: Staged> Search<G> {
    /// Makes a search with a table of this size in mebibytes.
    #[must_use]
    pub fn new(table_mb: usize, star: u8, leaves: Option<Leaves<G>>, objective: Objective) -> Self {
        Search { leaves, objective, table: Table::new(table_mb), star, used: false }
    }

    /// Reads [`TABLE`] and [`STAR`].
    #[must_use]
    pub fn read(settings: &Settings, leaves: Option<Leaves<G>>, objective: Objective) -> Self {
        let (table_mb, star) = (settings.whole(TABLE.name) as usize, settings.whole(STAR.name) as u8);
        Search::new(table_mb, star, leaves, objective)
    }

    /// Empties the table, so that a match does not depend on earlier ones.
    pub fn forget(&mut self) {
        if std::mem::take(&mut self.used) {
            self.table.clear();
        }
    }

    /// Searches by iterative deepening and returns the action with the best mean.
    pub(super) fn answer(
        &mut self,
        question: &Question<'_, G>,
        rows: &mut [Row],
        meter: &mut Meter<'_>,
        reporter: &mut Reporter<'_, G::Action>,
    ) -> G::Action {
        let (depth, told) = self.deepen(question, rows, meter, reporter);
        // The last thought is the action played, with the total effort.
        let last = question.thought_of(self.objective, rows, depth, meter);
        if !told {
            reporter.report(&last);
        }
        last.moves[0].action
    }

    /// Ponders: searches worlds in which the other seat is to move, to fill the table.
    pub(super) fn explore(&mut self, game: &G, worlds: &[(G::State, f64)], meter: &mut Meter<'_>) {
        self.used = true;
        let mut solved = vec![false; worlds.len()];
        for depth in 1..=DEEPEST {
            for ((world, _), solved) in worlds.iter().zip(&mut solved).filter(|(_, solved)| !**solved) {
                let value = OpenHand::new(game, world, &self.table, &mut *meter, Draws::Weighed)
                    .judging(self.leaves.as_mut())
                    .aiming_at(self.objective)
                    .cutting(self.star)
                    .value(world, depth);
                let Some(value) = value else { return };
                *solved = value.solved;
            }
            if solved.iter().all(|&solved| solved) {
                return;
            }
        }
    }

    /// Searches all worlds by iterative deepening until they are solved or the budget ends. Returns the last depth that all
    /// worlds have reached and whether none was searched deeper.
    pub(super) fn deepen(
        &mut self,
        question: &Question<'_, G>,
        rows: &mut [Row],
        meter: &mut Meter<'_>,
        reporter: &mut Reporter<'_, G::Action>,
    ) -> (u32, bool) {
        self.used = true;
        let mut values = Vec::with_capacity(question.actions.len());
        for depth in 1..=DEEPEST {
            if !meter.allows_depth(depth) {
                return (depth - 1, depth > 1);
            }
            for (row, (world, _)) in rows.iter_mut().zip(question.worlds).filter(|(row, _)| !row.solved) {
                let mut solved = true;
                values.clear();
                for &action in question.actions {
                    let mut search = OpenHand::new(question.game, world, &self.table, &mut *meter, row.draws)
                        .judging(self.leaves.as_mut())
                        .aiming_at(self.objective)
                        .cutting(self.star);
                    let Some(value) = search.value_of(world, action, depth - 1) else {
                        return (depth - 1, false);
                    };
                    solved &= value.solved;
                    values.push(for_seat(question.seat, value.gain));
                }
                row.values.clone_from(&values);
                row.solved = solved;
            }
            reporter.report(&question.thought_of(self.objective, rows, depth, meter));
            if rows.iter().all(|row| row.solved) {
                return (depth, true);
            }
        }
        (DEEPEST, true)
    }
}
