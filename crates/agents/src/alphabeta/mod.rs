//! `alphabeta`: looks ahead in games in which both seats see everything and nothing is left to chance.

mod keys;
mod order;
mod root;
mod scale;
mod search;

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use parlor_core::api::BuildContext;
use parlor_core::time::planner::{Fails, Iteration, Next, Pace, Plan, Why};
use parlor_core::{
    Agent, Budget, Cancel, Context, Decision, Evaluate, Game, Keyed, Meter, PerfectInfo, Phase, Planner,
    Pondering, Reporter, Reversible, Seat, SpecError,
};

pub use keys::{KEYS, Switches, Tuning, keys_with_endgames};
pub use scale::WON;

use crate::endgame::{Judge, judge};
use crate::limits::Limits;
use crate::table::{Table, hash_of};
use crate::thought_reporter::ThoughtReporter;
use crate::weights;
use order::Memory;
use root::Root;
use scale::Scale;
use search::{MOST_DEPTH, Search};

/// The name in specs.
pub const NAME: &str = "alphabeta";

/// What it does, in one line.
pub const SUMMARY: &str =
    "looks ahead as far as its limits allow: alpha-beta search with a table of positions";

/// What a decision may visit if neither a key nor a clock says anything.
const FALLBACK: Budget = Budget::nodes(200_000);

/// Agreement of depths that took less than this share of the time says nothing yet: the first ones take no time at all.
const AGREEMENT_SHARE: u32 = 4;

/// The agent.
pub struct AlphaBeta<G: Evaluate> {
    weights: G::Weights,
    limits: Limits,
    switches: Switches,
    table_mb: usize,
    /// Made when it is first needed.
    table: Option<Table>,
    /// One for each thread.
    memories: Vec<Memory<G::Action>>,
    /// One for each thread, or none.
    judges: Vec<Box<dyn Judge<G>>>,
    /// What it expected after its last action: the position, and the answer to it.
    expected: Option<(G::State, G::Action)>,
    /// The position that it thought about on the other seat's time, and how deep.
    pondered: Option<(G::State, u32)>,
}

/// Makes the agent from checked settings.
///
/// # Errors
/// If the file with the weights cannot be read or understood.
pub fn build<G: PerfectInfo + Keyed + Evaluate>(
    context: &BuildContext<'_, G>,
) -> Result<Box<dyn Agent<G>>, SpecError> {
    build_tuned(context, Tuning::USUAL)
}

/// Makes the agent for a game that has a tuning of its own.
///
/// # Errors
/// If the file with the weights cannot be read or understood.
pub fn build_tuned<G: PerfectInfo + Keyed + Evaluate>(
    context: &BuildContext<'_, G>,
    tuning: Tuning,
) -> Result<Box<dyn Agent<G>>, SpecError> {
    Ok(Box::new(made(context, tuning)?))
}

/// Makes the agent for a game that has endgame databases from checked settings.
///
/// # Errors
/// If the file with the weights cannot be read or understood, or the database cannot be used.
pub fn build_with_endgames<G: PerfectInfo + Keyed + Evaluate + Reversible>(
    context: &BuildContext<'_, G>,
) -> Result<Box<dyn Agent<G>>, SpecError> {
    let agent = made(context, Tuning::USUAL)?;
    Ok(Box::new(agent.with_judge(judge::read(context.game, context.settings)?)))
}

fn made<G: PerfectInfo + Keyed + Evaluate>(
    context: &BuildContext<'_, G>,
    tuning: Tuning,
) -> Result<AlphaBeta<G>, SpecError> {
    let &BuildContext { game, settings, .. } = context;
    let weights = weights::read(game, settings)?;
    let limits = Limits::read(settings, &Limits::NODES, true, FALLBACK);
    let threads = settings.whole("threads") as usize;
    let table_mb = Table::mebibytes(settings);
    Ok(AlphaBeta::new(weights, limits, Switches::read(settings, tuning), table_mb, threads))
}

impl<G: PerfectInfo + Keyed + Evaluate> AlphaBeta<G> {
    /// Makes an agent; a table of 0 mebibytes is none.
    #[must_use]
    pub fn new(
        weights: G::Weights,
        limits: Limits,
        switches: Switches,
        table_mb: usize,
        threads: usize,
    ) -> Self {
        AlphaBeta {
            weights,
            limits,
            switches: Switches { table: switches.table && table_mb > 0, ..switches },
            table_mb,
            table: None,
            memories: (0..threads.max(1)).map(|_| Memory::new()).collect(),
            judges: Vec::new(),
            expected: None,
            pondered: None,
        }
    }

    /// Gives it someone to ask about positions with few pieces.
    #[must_use]
    pub fn with_judge(mut self, judge: Option<Box<dyn Judge<G>>>) -> Self {
        self.judges = judge.map_or_else(Vec::new, |judge| {
            let mut judges: Vec<Box<dyn Judge<G>>> =
                (1..self.memories.len()).map(|_| judge.another()).collect();
            judges.push(judge);
            judges
        });
        self
    }

    /// Searches a position from depth `first` on. Returns the best action, the best line and the depth that was finished.
    fn search(&mut self, order: &Order<'_, G>, mut reporter: Reporter<'_, G::Action>) -> Answer<G::Action> {
        let threads = self.memories.len() as u64;
        let budget =
            Budget { nodes: order.budget.nodes.map(|nodes| (nodes / threads).max(1)), ..order.budget };
        // Everything that follows takes time, and it counts.
        let meter = budget.start(order.cancel);
        if self.switches.table {
            let nodes = order.budget.nodes.unwrap_or(u64::MAX);
            let table = self.table.take().filter(|table| table.suits(self.table_mb, nodes));
            let table = table.unwrap_or_else(|| Table::for_searches(self.table_mb, nodes));
            table.age();
            self.table = Some(table);
        }
        self.memories.iter_mut().for_each(Memory::fade);
        let (weights, table, switches) = (&self.weights, self.table.as_ref(), self.switches);
        let scale = Scale::of(order.game);
        let (main, others) = self.memories.split_first_mut().expect("there is a thread");
        let mut judges = self.judges.iter_mut().map(|judge| &mut **judge);
        let main_judge = judges.next();
        fn open<'a, G: PerfectInfo + Keyed + Evaluate>(
            parts: (&'a G, &'a G::Weights, Option<&'a Table>, Switches, Scale),
            memory: &'a mut Memory<G::Action>,
            meter: Meter<'a>,
            reporter: ThoughtReporter<'a, G::Action>,
            judge: Option<&'a mut (dyn Judge<G> + 'static)>,
        ) -> Search<'a, G> {
            let (game, weights, table, switches, scale) = parts;
            Search {
                game,
                weights,
                table,
                switches,
                scale,
                memory,
                meter,
                reporter,
                judge,
                judged: 0,
                stopped: false,
            }
        }
        let parts = (order.game, weights, table, switches, scale);
        let (halt, elsewhere) = (Cancel::new(), AtomicU64::new(0));
        let mut search = open(
            parts,
            main,
            meter,
            ThoughtReporter::new(reporter.reborrow(), Some(&elsewhere), G::UNIT),
            main_judge,
        );
        let mut root = Root::new(&mut search, order.state, order.seat);
        thread::scope(|scope| {
            for (number, memory) in others.iter_mut().enumerate() {
                let (halt, elsewhere, judge) = (&halt, &elsewhere, judges.next());
                // Threads that begin at different depths fill the table with different things.
                let first = order.first + (number as u32 + 1) % 2;
                scope.spawn(move || {
                    let reporter = ThoughtReporter::new(Reporter::none(), None, G::UNIT);
                    let mut search = open(parts, memory, budget.start(Some(halt)), reporter, judge);
                    let mut root = Root::new(&mut search, order.state, order.seat);
                    let mut counted = 0;
                    for depth in first..=MOST_DEPTH {
                        let goes_on = search.meter.allows_depth(depth) && root.deepen(&mut search, depth);
                        elsewhere.fetch_add(search.meter.nodes() - counted, Ordering::Relaxed);
                        counted = search.meter.nodes();
                        if !goes_on || root.proven {
                            break;
                        }
                    }
                });
            }
            let mut pace = order.plan.map(|plan| (plan, Pace::new(order.planner, plan)));
            for depth in order.first..=MOST_DEPTH {
                if !search.meter.allows_depth(depth) || !root.deepen(&mut search, depth) {
                    break;
                }
                search.reporter.report(&search.meter);
                let elapsed = search.meter.elapsed();
                if root.proven || pace.as_mut().is_some_and(|pace| is_enough(pace, &root, elapsed)) {
                    break;
                }
            }
            halt.cancel();
        });
        if search.stopped || threads > 1 {
            search.reporter.report(&search.meter);
        }
        Answer { action: root.best(), depth: root.depth, line: search.reporter.thought.line }
    }
}

/// A search that is asked for.
struct Order<'a, G: Game> {
    game: &'a G,
    state: &'a G::State,
    seat: Seat,
    budget: Budget,
    planner: &'a Planner,
    plan: Option<Plan>,
    cancel: Option<&'a Cancel>,
    /// The first depth.
    first: u32,
}

struct Answer<A> {
    action: A,
    depth: u32,
    line: Vec<A>,
}

/// Returns whether the clock wants the search to end after this depth.
fn is_enough<G: PerfectInfo + Keyed + Evaluate>(
    (plan, pace): &mut (Plan, Pace<'_, G::Action>),
    root: &Root<'_, G>,
    elapsed: Duration,
) -> bool {
    let [low, high] = root.fails;
    let fails = Fails { searches: low + high + 1, low, high };
    let iteration = Iteration { best: root.best(), value: f64::from(root.value), won: root.proven, fails };
    match pace.finished(iteration, elapsed) {
        Next::Deeper(_) => false,
        Next::Stop(Why::Agreed) => elapsed * AGREEMENT_SHARE >= plan.target,
        Next::Stop(_) => true,
    }
}

impl<G: PerfectInfo + Keyed + Evaluate> Agent<G> for AlphaBeta<G> {
    fn begin(&mut self, _: &G, _: Seat) {
        if let Some(table) = &mut self.table {
            table.clear();
        }
        self.memories.iter_mut().for_each(|memory| *memory = Memory::new());
        (self.expected, self.pondered) = (None, None);
    }

    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        let &Decision { game, seat, actions, .. } = decision;
        let pondered = self.pondered.take();
        self.expected = None;
        if let [only] = actions {
            return *only;
        }
        let state = game.truth(decision.view);
        // What was thought about this very position is in the table: there is no need to begin at the beginning.
        let first = pondered.filter(|(position, _)| position == state).map_or(1, |(_, depth)| depth);
        let (budget, plan) = self.limits.for_decision(decision, context);
        let first = first.min(budget.depth.unwrap_or(MOST_DEPTH)).max(1);
        let planner = self.limits.planner;
        let cancel = context.cancel;
        let order = Order { game, state, seat, budget, planner: &planner, plan, cancel, first };
        let Answer { action, line, .. } = self.search(&order, context.reporter.reborrow());
        if let [own, answer, ..] = line[..]
            && own == action
        {
            let mut after = state.clone();
            game.apply(&mut after, own);
            self.expected = Some((after, answer));
        }
        action
    }

    fn ponder(&mut self, pondering: &Pondering<'_, G>) {
        if !self.switches.ponder {
            return;
        }
        let &Pondering { game, seat, view, cancel } = pondering;
        let state = game.truth(view);
        let from_table = |table: &Table| {
            let index = table.get(hash_of(&game.key(state)))?.action?;
            game.actions(state).nth(usize::from(index))
        };
        let answer = match &self.expected {
            Some((after, answer)) if after == state => Some(*answer),
            _ => self.table.as_ref().and_then(from_table),
        };
        let Some(answer) = answer.filter(|answer| game.actions(state).any(|action| action == *answer)) else {
            return;
        };
        let mut next = state.clone();
        game.apply(&mut next, answer);
        if game.phase(&next) != Phase::Decide(seat) || game.actions(&next).len() == 1 {
            return;
        }
        let planner = self.limits.planner;
        let (budget, plan, cancel) = (Budget::default(), None, Some(cancel));
        let order = Order { game, state: &next, seat, budget, planner: &planner, plan, cancel, first: 1 };
        let depth = self.search(&order, Reporter::none()).depth;
        self.pondered = Some((next, depth));
    }
}
