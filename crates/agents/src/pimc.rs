//! Perfect information Monte Carlo: as if the hands lay open, in one world after the other, averaged.
//!
//! Every world is searched to the end of the stage where the limits allow it, else as deep as they do, all worlds one choice
//! deeper at a time, and played out from there. What an action is worth is the average over the worlds by their weights. The
//! method lets every seat know in each world what it cannot know (Frank, Basin 1998: strategy fusion, non-locality), so its
//! values are no equilibrium.

use parlor_core::{
    Agent, Beliefs, Budget, Certainty, Considered, Decision, Game, Key, Kind, Meter, Modelled, Rng, Seat,
    Settings, SpecError, Staged, Thought, Worlds,
};

use crate::beliefs::{BELIEFS, Believed, Believer, FAITH, Leave, MODEL, WORLDS};
use crate::limits::Limits;
use crate::openhand::{Chance, DEEPEST, DRAWS, Draws, OpenHand};
use crate::playout::{PLAYOUT_OR_NOT, Playout};
use crate::table::Table;

/// Positions of a stage are few.
const TABLE: Key = Key {
    kind: Kind::Whole { min: 1, max: 1_048_576 },
    default: "4",
    help: "mebibytes for what was found out about positions",
    ..Table::MEBIBYTES
};

/// The keys of `pimc`.
pub const KEYS: &[Key] = &[
    MORE_WORLDS,
    BELIEFS,
    MODEL,
    FAITH,
    DRAWS,
    PLAYOUT_OR_NOT,
    Limits::NODES,
    Limits::DEPTH,
    Limits::TIME,
    TABLE,
];

/// The keys of `expectimax` over worlds.
pub const EXPECTIMAX_KEYS: &[Key] =
    &[WORLDS, SEEN, MODEL, FAITH, Limits::NODES, Limits::DEPTH, Limits::TIME, TABLE];

/// Playouts differ a lot from world to world: their mean needs more of them.
const MORE_WORLDS: Key = Key { default: "200", ..WORLDS };

/// As the source has it, expectimax weighs worlds by what chance tells.
const SEEN: Key = Key { default: "seen", ..BELIEFS };

/// What a decision may visit if nothing else limits it.
const FALLBACK: Budget = Budget::nodes(100_000);

/// With so many worlds or fewer, and all of them known, what comes by chance is averaged.
const FEW_WORLDS: usize = 100;

/// So many nodes are needed to look one choice ahead in a world of double-six and to play it out from there.
const NODES_FOR_A_WORLD: u64 = 150;

/// So many worlds are looked at even where the nodes do not suffice for one choice in each: more of them are better then.
const ALWAYS_WORLDS: u64 = 200;

/// What a world says about the actions.
struct Row {
    /// What each action gains for the seat, in the order of the decision.
    values: Vec<f64>,
    /// Whether that is certain in this world.
    solved: bool,
    draws: Draws,
}

/// The player.
pub struct Pimc<G: Modelled> {
    limits: Limits,
    believer: Believer<G>,
    chance: Chance,
    playout: Option<Playout<G>>,
    table: Table,
    /// Whether the table holds anything.
    used: bool,
}

/// Makes `pimc` from its settings.
///
/// # Errors
/// If the game has no such model.
pub fn build<G: Worlds + Modelled + Staged>(
    game: &G,
    settings: &Settings,
) -> Result<Box<dyn Agent<G>>, SpecError> {
    let playout = Playout::read(game, settings)?;
    Ok(Box::new(Pimc::read(game, settings, Chance::read(settings), playout)?))
}

/// Makes `expectimax` over worlds from its settings: in each world the larger value, the smaller and the average to the end.
///
/// # Errors
/// If the game has no such model.
pub fn build_expectimax<G: Worlds + Modelled + Staged>(
    game: &G,
    settings: &Settings,
) -> Result<Box<dyn Agent<G>>, SpecError> {
    Ok(Box::new(Pimc::read(game, settings, Chance::Weighed, None)?))
}

impl<G: Worlds + Modelled + Staged> Pimc<G> {
    fn read(
        game: &G,
        settings: &Settings,
        chance: Chance,
        playout: Option<Playout<G>>,
    ) -> Result<Self, SpecError> {
        let limits = Limits::read(settings, &Limits::NODES, true, FALLBACK);
        let table = Table::new(settings.whole(TABLE.name) as usize);
        Ok(Pimc::new(limits, Believer::read(game, settings)?, chance, playout, table))
    }

    /// Makes the player from its parts.
    pub fn new(
        limits: Limits,
        believer: Believer<G>,
        chance: Chance,
        playout: Option<Playout<G>>,
        table: Table,
    ) -> Self {
        Pimc { limits, believer, chance, playout, table, used: false }
    }

    /// Returns a row for each world, or for the first of them if the leave is over: then the others are not looked at.
    fn rows(
        &self,
        decision: &Decision<'_, G>,
        believed: &Believed<G::State>,
        leave: Leave<'_>,
        rng: &mut Rng,
    ) -> Vec<Row> {
        let weighed = match self.chance {
            Chance::Auto => believed.all && believed.worlds.len() <= FEW_WORLDS,
            Chance::Fixed => false,
            Chance::Weighed => true,
        };
        let mut row = |(world, _): &(G::State, f64)| Row {
            values: glance(decision, world),
            solved: false,
            draws: if weighed { Draws::Weighed } else { Draws::Fixed(rng.bits()) },
        };
        let mut rows = Vec::with_capacity(believed.worlds.len());
        for world in &believed.worlds {
            if !rows.is_empty() && leave.is_over() {
                break;
            }
            rows.push(row(world));
        }
        rows
    }

    /// Searches every world one choice deeper at a time, until all are solved or the meter says no. Returns the last depth
    /// that all worlds have been searched to, and whether that is all: some may have been searched deeper.
    fn deepen(
        &mut self,
        decision: &Decision<'_, G>,
        believed: &Believed<G::State>,
        rows: &mut [Row],
        meter: &mut Meter<'_>,
        tell: &mut dyn FnMut(&Thought<G::Action>),
    ) -> (u32, bool) {
        let mut values = Vec::with_capacity(decision.actions.len());
        for depth in 1..=DEEPEST {
            if !meter.allows_depth(depth) {
                return (depth - 1, depth > 1);
            }
            for (row, (world, _)) in rows.iter_mut().zip(&believed.worlds).filter(|(row, _)| !row.solved) {
                let mut solved = true;
                values.clear();
                for &action in decision.actions {
                    let mut search = OpenHand::new(decision.game, world, &self.table, &mut *meter, row.draws)
                        .playing_out(self.playout.as_mut());
                    let Some(value) = search.value_of(world, action, depth - 1) else {
                        return (depth - 1, false);
                    };
                    solved &= value.solved;
                    values.push(for_seat(decision.seat, value.gain));
                }
                row.values.clone_from(&values);
                row.solved = solved;
            }
            tell(&thought(decision, believed, rows, depth, meter));
            if rows.iter().all(|row| row.solved) {
                return (depth, true);
            }
        }
        (DEEPEST, true)
    }

    fn decide(
        &mut self,
        decision: &Decision<'_, G>,
        rng: &mut Rng,
        tell: &mut dyn FnMut(&Thought<G::Action>),
    ) -> G::Action {
        if let &[only] = decision.actions {
            return only;
        }
        self.used = true;
        let (budget, _) = self.limits.for_decision(decision);
        let mut meter = budget.start(decision.stop);
        let affordable =
            budget.nodes.map_or(u64::MAX, |nodes| (nodes / NODES_FOR_A_WORLD).max(ALWAYS_WORLDS));
        let believed = self.believer.believe(decision, Leave::of(decision, &budget), rng);
        let believed = believed.at_most(usize::try_from(affordable).unwrap_or(usize::MAX), rng);
        let mut rows = self.rows(decision, &believed, Leave::of(decision, &budget), rng);
        let (depth, told) = self.deepen(decision, &believed, &mut rows, &mut meter, tell);
        // What is told last is what is done, and all that it took.
        let last = thought(decision, &believed, &rows, depth, &meter);
        if !told {
            tell(&last);
        }
        last.moves[0].action
    }
}

/// Returns what the first seat gains as `seat` sees it.
fn for_seat(seat: Seat, gain: f64) -> f64 {
    if seat == Seat::FIRST { gain } else { -gain }
}

/// Returns what each action looks like without any search: an answer before the meter is asked.
fn glance<G: Staged>(decision: &Decision<'_, G>, world: &G::State) -> Vec<f64> {
    let game = decision.game;
    let after = |&action: &G::Action| {
        let mut next = world.clone();
        game.apply(&mut next, action);
        let outlook = if game.stages(&next) == game.stages(world) { game.outlook(&next) } else { 0.0 };
        for_seat(decision.seat, game.lead(&next) - game.lead(world) + outlook)
    };
    decision.actions.iter().map(after).collect()
}

fn means<S>(believed: &Believed<S>, rows: &[Row]) -> Vec<f64> {
    let mut means = vec![0.0; rows[0].values.len()];
    for (row, (_, weight)) in rows.iter().zip(&believed.worlds) {
        means.iter_mut().zip(&row.values).for_each(|(mean, value)| *mean += weight * value);
    }
    means
}

fn thought<G: Game + Staged>(
    decision: &Decision<'_, G>,
    believed: &Believed<G::State>,
    rows: &[Row],
    depth: u32,
    meter: &Meter<'_>,
) -> Thought<G::Action> {
    let proven = believed.all && believed.worlds.len() == 1 && rows[0].solved;
    let certainty = if proven { Certainty::Proven } else { Certainty::Guess };
    let mut moves: Vec<Considered<G::Action>> = decision
        .actions
        .iter()
        .zip(means(believed, rows))
        .map(|(&action, value)| Considered { action, value, certainty, visits: 0 })
        .collect();
    moves.sort_by(|one, other| other.value.total_cmp(&one.value));
    Thought {
        depth,
        nodes: meter.nodes(),
        counts: "nodes",
        elapsed: meter.elapsed(),
        value: moves[0].value,
        unit: G::UNIT,
        certainty,
        end_in: None,
        line: vec![moves[0].action],
        moves,
    }
}

impl<G: Worlds + Modelled + Staged> Agent<G> for Pimc<G> {
    fn begin(&mut self, _: &G, _: Seat) {
        // What an earlier match has left would make this one depend on it.
        if std::mem::take(&mut self.used) {
            self.table.clear();
        }
    }

    fn act(&mut self, decision: &Decision<'_, G>, rng: &mut Rng) -> G::Action {
        self.decide(decision, rng, &mut |_| {})
    }

    fn think(
        &mut self,
        decision: &Decision<'_, G>,
        rng: &mut Rng,
        tell: &mut dyn FnMut(&Thought<G::Action>),
    ) -> G::Action {
        self.decide(decision, rng, tell)
    }

    fn beliefs(&mut self, decision: &Decision<'_, G>, rng: &mut Rng) -> Option<Beliefs> {
        let leave = Leave::of(decision, &Budget::default());
        Some(self.believer.believe(decision, leave, rng).odds(decision.game, decision.view))
    }
}
