//! Monte Carlo tree search over information sets (Cowling, Powley, Whitehouse 2012, with a single observer).
//!
//! Each simulation samples a world that the seat's view allows and descends one tree of the events that the seat can see.
//! An action that only some worlds offer is compared by how often it was available. Below the tree, a playout with a policy
//! or with random actions ends the stage.

mod logarithms;
mod tree;
mod world_source;

use std::hash::Hash;
use std::time::Duration;

use parlor_core::api::BuildContext;
use parlor_core::{
    Agent, Beliefs, Budget, Certainty, Considered, Context, Deadline, Decision, Entry, Game, Imagine, Key,
    Kind, Meter, Objective, Phase, Pondering, Rng, Seat, Settings, Sight, SpecError, Staged, Thought,
};

use crate::beliefs::{BELIEFS, MODEL, MODEL_TRUST, PossibleWorlds, WORLDS, preparation};
use crate::evaluation::BuildViewValues;
use crate::limits::Limits;
use crate::playout::PLAYOUT;
use crate::table::hash_of;
use logarithms::Logarithms;
use tree::{ROOT, Tree};
use world_source::{Plain, Weighed, WorldSource};

/// `explore=`: the weight of exploration.
const EXPLORE: Key = Key {
    name: "explore",
    kind: Kind::Real { min: 0.0, max: 100.0 },
    default: "0.7",
    help: "how much actions that were tried less are tried, as a share of the spread of results",
};

/// `reuse=`: whether the tree outlives a decision.
const REUSE: Key = Key {
    name: "reuse",
    kind: Kind::Switch,
    default: "on",
    help: "keep what lies below the actions that were taken",
};

/// The keys of `ismcts` where worlds can be listed and weighted.
pub const KEYS: &[Key] = &[
    Limits::SIMS,
    Limits::TIME,
    EXPLORE,
    REUSE,
    PLAYOUT,
    Objective::KEY,
    MORE_WORLDS,
    BELIEFS,
    MODEL,
    MODEL_TRUST,
    Limits::PONDER,
];

/// A simulation is cheaper than a search, so more worlds can be used.
const MORE_WORLDS: Key = Key { default: "500", ..WORLDS };

/// The keys of `ismcts` where worlds can be sampled.
pub const PLAIN_KEYS: &[Key] = &[Limits::SIMS, Limits::TIME, MORE_EXPLORE, REUSE];

/// Random playouts are a noisy estimate: actions that looked bad at first must be tried more often.
const MORE_EXPLORE: Key = Key { default: "2", ..EXPLORE };

/// Pondering stops when the tree has this number of nodes.
const MOST_NODES: usize = 2_000_000;

/// Simulations of a decision without any other limit.
const FALLBACK: Budget = Budget::nodes(2_000);

/// Approximate interval between thoughts.
const BETWEEN_THOUGHTS: Duration = Duration::from_millis(250);

/// Number of simulations between two reads of the clock for thoughts.
const BETWEEN_LOOKS: u64 = 64;

/// Makes `ismcts` for a game whose worlds can be listed and weighted. `learnt` makes the learnt values that its keys may name, if the game
/// has any.
///
/// # Errors
/// If the game has no such model, or a file cannot be used.
pub fn build<G: Entry + PossibleWorlds + Staged>(
    context: &BuildContext<'_, G>,
    learnt: Option<BuildViewValues<G>>,
) -> Result<Box<dyn Agent<G>>, SpecError> {
    let settings = context.settings;
    let ponder = settings.switch(Limits::PONDER.name);
    Ok(Box::new(IsMcts::read(settings, ponder, Weighed::read(context, learnt)?)))
}

/// Makes `ismcts` for a game whose worlds can be sampled. `learnt` makes the learnt values that its keys may name, if the game has any.
///
/// # Errors
/// If a file cannot be used.
pub fn build_plain<G: Imagine>(
    context: &BuildContext<'_, G>,
    learnt: Option<BuildViewValues<G>>,
) -> Result<Box<dyn Agent<G>>, SpecError> {
    let values = learnt.map_or(Ok(None), |build| build(context.game, context.settings))?;
    Ok(Box::new(IsMcts::read(context.settings, false, Plain(values))))
}

/// The player; `D` supplies its worlds.
struct IsMcts<G: Game, D> {
    limits: Limits,
    explore: f64,
    reuse: bool,
    /// Whether it ponders, and how often it has.
    ponder: bool,
    pondered: u64,
    world_source: D,
    tree: Tree<Seen<G::Action>>,
    logarithms: Logarithms,
    /// The path of a simulation.
    path: Vec<u32>,
    /// The lowest and the highest result seen in the match. The declared range can be far wider.
    low: f64,
    high: f64,
    /// The seat's knowledge at the last decision, if it has seen nothing since.
    last: Option<G::View>,
    /// Whether the seat has seen anything since the tree was started.
    moved: bool,
}

/// An observation of a seat: the label of an edge of the tree.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Seen<A> {
    /// An event.
    Event(A),
    /// A hash of what the seat knows when it decides.
    Knowledge(u64),
}

impl<A> Seen<A> {
    fn knowledge(view: &impl Hash) -> Self {
        Seen::Knowledge(hash_of(view))
    }

    fn event(self) -> Option<A> {
        match self {
            Seen::Event(action) => Some(action),
            Seen::Knowledge(_) => None,
        }
    }
}

impl<G: Imagine, D: WorldSource<G>> IsMcts<G, D> {
    fn read(settings: &Settings, ponder: bool, world_source: D) -> Self {
        IsMcts {
            limits: Limits::read(settings, &Limits::SIMS, false, FALLBACK),
            explore: settings.real(EXPLORE.name),
            reuse: settings.switch(REUSE.name),
            ponder,
            pondered: 0,
            world_source,
            tree: Tree::new(),
            logarithms: Logarithms::new(),
            path: Vec::new(),
            low: 0.0,
            high: 0.0,
            last: None,
            moved: false,
        }
    }

    fn simulate(&mut self, game: &G, me: Seat, mut world: G::State, rng: &mut Rng) {
        let stages = game.stages(&world);
        let ended = |world: &G::State| game.phase(world) == Phase::Over || game.stages(world) != stages;
        let mut at = ROOT;
        let learns = self.world_source.learnt().is_some();
        // The last action of a seat, for a learnt value.
        let mut last: Option<(G::State, Seat, G::Action)> = None;
        self.path.clear();
        self.path.push(at);
        // Step 1. Selection: descend until an event that the tree does not have.
        while !ended(&world) {
            let seen = match game.phase(&world) {
                Phase::Decide(seat) => {
                    if D::LOOKS && seat == me && self.path.len() > 1 {
                        at = self.tree.grow(at, Seen::knowledge(&game.view(&world, me)));
                        self.path.push(at);
                        if self.tree.node(at).tried == 0 {
                            break;
                        }
                    }
                    let action = self.choose(game, &world, at, (seat, me), rng);
                    let seen = game.seen(&world, action, me);
                    if learns {
                        last = Some((world.clone(), seat, action));
                    }
                    game.apply(&mut world, action);
                    seen
                }
                _ => {
                    let outcome = game.sample(&world, rng);
                    let seen = game.seen(&world, outcome, me);
                    game.apply(&mut world, outcome);
                    seen
                }
            };
            let Some(seen) = seen else { continue };
            at = self.tree.grow(at, Seen::Event(seen));
            self.path.push(at);
            if self.tree.node(at).tried == 0 {
                break;
            }
        }
        // Step 2. Playout to the end of the stage, or to the next choice if that has a learnt value.
        let mut estimate = None;
        while !ended(&world) {
            let action = match game.phase(&world) {
                Phase::Decide(seat) => {
                    if let Some(learnt) = self.world_source.learnt()
                        && game.actions(&world).len() > 1
                    {
                        let last = last.as_ref().map(|(state, seat, action)| (state, *seat, *action));
                        let value = learnt.value(game, &world, me, last).value;
                        estimate = Some(self.world_source.result_learnt(game, value));
                        break;
                    }
                    let action = self.world_source.choose(game, &world, seat, rng);
                    if learns {
                        last = Some((world.clone(), seat, action));
                    }
                    action
                }
                _ => game.sample(&world, rng),
            };
            game.apply(&mut world, action);
        }
        // Step 3. Backup: every node of the path gets the result.
        let result = estimate.unwrap_or_else(|| self.world_source.result(game, &world, me));
        (self.low, self.high) = (self.low.min(result), self.high.max(result));
        for &at in &self.path {
            let node = self.tree.node_mut(at);
            node.tried += 1;
            node.total += result;
        }
    }

    /// Returns the action with the highest upper confidence bound; untried ones first, in random order.
    fn choose(
        &mut self,
        game: &G,
        world: &G::State,
        at: u32,
        (mover, me): (Seat, Seat),
        rng: &mut Rng,
    ) -> G::Action {
        let scale = self.explore * (self.high - self.low);
        let mut best: Option<(f64, G::Action)> = None;
        let mut untried: Option<G::Action> = None;
        let mut fresh = 0;
        for action in game.actions(world) {
            // Actions that the seat does not see share one edge of its tree, so any of them will do.
            let child = game.seen(world, action, me).and_then(|seen| self.tree.child(at, Seen::Event(seen)));
            let Some(child) = child else {
                fresh += 1;
                if rng.below(fresh) == 0 {
                    untried = Some(action);
                }
                continue;
            };
            let node = self.tree.node_mut(child);
            node.offered += 1;
            let tried = f64::from(node.tried.max(1));
            let mean = if mover == me { node.mean() } else { -node.mean() };
            let promise = mean + scale * (self.logarithms.of(node.offered) / tried).sqrt();
            if best.is_none_or(|(most, _)| promise > most) {
                best = Some((promise, action));
            }
        }
        untried.or(best.map(|(_, action)| action)).expect("a decision offers at least one action")
    }

    fn thought(&self, decision: &Decision<'_, G>, meter: &Meter<'_>) -> Thought<G::Action> {
        let considered = |&action: &G::Action| {
            let node = self.tree.child(ROOT, Seen::Event(action)).map(|child| self.tree.node(child));
            Considered {
                action,
                value: node.map_or(0.0, |node| node.mean()),
                certainty: Certainty::Guess,
                visits: node.map_or(0, |node| u64::from(node.tried)),
            }
        };
        let mut moves: Vec<Considered<G::Action>> = decision.actions.iter().map(considered).collect();
        moves.sort_by_key(|considered| std::cmp::Reverse(considered.visits));
        let most_tried = |at: u32| self.tree.children(at).max_by_key(|&child| self.tree.node(child).tried);
        // Actions may have equal visit counts: the principal variation starts with the one listed first.
        let first = self.tree.child(ROOT, Seen::Event(moves[0].action));
        let line: Vec<G::Action> = std::iter::successors(first, |&at| most_tried(at))
            .filter_map(|at| self.tree.node(at).seen?.event())
            .collect();
        Thought {
            depth: line.len() as u32,
            nodes: meter.nodes(),
            counts: "simulations",
            elapsed: meter.elapsed(),
            value: moves[0].value,
            unit: self.world_source.unit(decision.game),
            certainty: Certainty::Guess,
            end_in: None,
            line,
            moves,
        }
    }

    fn decide(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        if let &[only] = decision.actions {
            return only;
        }
        if !self.reuse || self.last.as_ref().is_some_and(|last| last != decision.view) {
            self.tree.clear();
        } else if D::LOOKS && std::mem::take(&mut self.moved) {
            self.tree.follow(Seen::knowledge(decision.view));
        }
        self.tree.settle();
        self.last = Some(decision.view.clone());
        let budget = self.limits.up_to_target(&context.situation(decision));
        let Context { rng, cancel, reporter, .. } = context;
        let mut meter = budget.start(*cancel);
        self.world_source.prepare(decision, preparation(&budget, *cancel), rng);
        let mut told = Duration::ZERO;
        while meter.tick(1) {
            let world = self.world_source.world(decision, rng);
            self.simulate(decision.game, decision.seat, world, rng);
            if meter.nodes().is_multiple_of(BETWEEN_LOOKS) && meter.elapsed() >= told + BETWEEN_THOUGHTS {
                told = meter.elapsed();
                reporter.report(&self.thought(decision, &meter));
            }
        }
        let last = self.thought(decision, &meter);
        reporter.report(&last);
        last.moves[0].action
    }
}

impl<G: Imagine, D: WorldSource<G>> Agent<G> for IsMcts<G, D> {
    fn begin(&mut self, game: &G, _: Seat) {
        self.world_source.begin(game);
        self.tree.clear();
        (self.low, self.high) = (0.0, 0.0);
        self.last = None;
        self.moved = false;
        self.pondered = 0;
    }

    fn watch(&mut self, _: &G, sight: Sight<G::Action>) {
        self.tree.follow(Seen::Event(sight.action));
        self.last = None;
        self.moved = true;
    }

    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        self.decide(decision, context)
    }

    /// Searches from the seat's present knowledge without assuming the other seat's action; the next observation selects the
    /// subtree.
    fn ponder(&mut self, pondering: &Pondering<'_, G>) {
        if !self.reuse || !self.ponder {
            return;
        }
        let &Pondering { game, seat, view, cancel } = pondering;
        let decision = Decision::new(game, seat, view, &[]);
        if self.last.as_ref().is_some_and(|last| last != view) {
            self.tree.clear();
        }
        self.tree.settle();
        self.last = Some(view.clone());
        self.pondered += 1;
        let mut rng = Rng::forked(u64::from(seat.0), self.pondered);
        self.world_source.prepare(&decision, Deadline::after(None, Some(cancel)), &mut rng);
        let mut meter = Budget::default().start(Some(cancel));
        while self.tree.len() < MOST_NODES && meter.tick(1) {
            let world = self.world_source.world(&decision, &mut rng);
            self.simulate(game, seat, world, &mut rng);
        }
    }

    fn beliefs(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> Option<Beliefs> {
        self.world_source.beliefs(decision, context)
    }
}
