//! `alphabeta`: alpha-beta search for two-seat games of perfect information without chance.

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

use crate::endgame::{EndgameProbe, probe};
use crate::evaluation::{BuildLearnt, Evaluation};
use crate::limits::Limits;
use crate::table::{Table, hash_of};
use crate::thought_reporter::ThoughtReporter;
use crate::weights;
use order::ThreadState;
use root::Root;
use scale::Scale;
use search::{AlphaBetaSearch, MOST_DEPTH, table_hash};

/// The agent's name in specs.
pub const NAME: &str = "alphabeta";

/// A one-line summary.
pub const SUMMARY: &str = "alpha-beta search with iterative deepening and a transposition table";

/// The budget of a decision if neither a key nor a clock sets one.
const FALLBACK: Budget = Budget::nodes(200_000);

/// Agreement between depths counts only after one in this many parts of the target time: the first depths take no time at
/// all.
const AGREEMENT_SHARE: u32 = 4;

/// The agent.
pub struct AlphaBeta<G: Evaluate> {
    evaluation: Evaluation<G>,
    limits: Limits,
    switches: Switches,
    table_mb: usize,
    /// Allocated on first use.
    table: Option<Table>,
    /// One per thread.
    threads: Vec<ThreadState<G::Action>>,
    /// One per thread, or empty.
    databases: Vec<Box<dyn EndgameProbe<G>>>,
    /// The position expected after the last action, and the expected reply to it.
    expected: Option<(G::State, G::Action)>,
    /// The position that was pondered, and the depth reached.
    pondered: Option<(G::State, u32)>,
    /// Hashes of the positions of the match, at its own decisions and after them.
    played: Vec<u64>,
}

/// Builds the agent from checked settings.
///
/// # Errors
/// If the weights file cannot be read or parsed.
pub fn build<G: PerfectInfo + Keyed + Evaluate>(
    context: &BuildContext<'_, G>,
) -> Result<Box<dyn Agent<G>>, SpecError> {
    build_tuned(context, Tuning::USUAL, None)
}

/// Builds the agent for a game with its own tuning, in which a learner may value positions.
///
/// # Errors
/// If the file of weights or values cannot be used.
pub fn build_tuned<G: PerfectInfo + Keyed + Evaluate>(
    context: &BuildContext<'_, G>,
    tuning: Tuning,
    learnt: Option<BuildLearnt<G>>,
) -> Result<Box<dyn Agent<G>>, SpecError> {
    Ok(Box::new(from_context(context, tuning, learnt)?))
}

/// Builds the agent for a game with endgame databases.
///
/// # Errors
/// If the weights file cannot be read or parsed, or the database cannot be used.
pub fn build_with_endgames<G: PerfectInfo + Keyed + Evaluate + Reversible>(
    context: &BuildContext<'_, G>,
    learnt: Option<BuildLearnt<G>>,
) -> Result<Box<dyn Agent<G>>, SpecError> {
    let agent = from_context(context, Tuning::EXCHANGES, learnt)?;
    Ok(Box::new(agent.with_database(probe::read(context.game, context.settings)?)))
}

fn from_context<G: PerfectInfo + Keyed + Evaluate>(
    context: &BuildContext<'_, G>,
    tuning: Tuning,
    learnt: Option<BuildLearnt<G>>,
) -> Result<AlphaBeta<G>, SpecError> {
    let &BuildContext { game, settings, .. } = context;
    let learnt = learnt.map_or(Ok(None), |learnt| learnt(game, settings))?;
    let evaluation = Evaluation::new(weights::read(game, settings)?).or_learnt(learnt);
    let limits = Limits::read(settings, &Limits::NODES, true, FALLBACK);
    let threads = settings.whole("threads") as usize;
    let table_mb = Table::mebibytes(settings);
    Ok(AlphaBeta::new(evaluation, limits, Switches::read(settings, tuning), table_mb, threads))
}

impl<G: PerfectInfo + Keyed + Evaluate> AlphaBeta<G> {
    /// Returns an agent; `table_mb` 0 means no table.
    #[must_use]
    pub fn new(
        evaluation: Evaluation<G>,
        limits: Limits,
        switches: Switches,
        table_mb: usize,
        threads: usize,
    ) -> Self {
        AlphaBeta {
            evaluation,
            limits,
            switches: Switches { table: switches.table && table_mb > 0, ..switches },
            table_mb,
            table: None,
            threads: (0..threads.max(1)).map(|_| ThreadState::new()).collect(),
            databases: Vec::new(),
            expected: None,
            pondered: None,
            played: Vec::new(),
        }
    }

    /// Adds an endgame database for positions with few pieces.
    #[must_use]
    pub fn with_database(mut self, database: Option<Box<dyn EndgameProbe<G>>>) -> Self {
        self.databases = database.map_or_else(Vec::new, |database| {
            let mut databases: Vec<Box<dyn EndgameProbe<G>>> =
                (1..self.threads.len()).map(|_| database.clone_boxed()).collect();
            databases.push(database);
            databases
        });
        self
    }

    /// Writes down a position of the match and the one after its own action.
    fn note(&mut self, game: &G, state: &G::State, action: G::Action) {
        if self.switches.repeats {
            let mut after = state.clone();
            game.apply(&mut after, action);
            self.played.extend([state, &after].map(|state| hash_of(&game.standing(state).key)));
        }
    }

    /// Searches a position from depth `first` on. Returns the best action, the principal variation and the last finished
    /// depth.
    fn search(
        &mut self,
        params: &SearchParams<'_, G>,
        mut reporter: Reporter<'_, G::Action>,
    ) -> SearchResult<G::Action> {
        let threads = self.threads.len() as u64;
        let budget =
            Budget { nodes: params.budget.nodes.map(|nodes| (nodes / threads).max(1)), ..params.budget };
        // Preparations take time too, so the meter starts before them.
        let meter = budget.start(params.cancel);
        if self.switches.table {
            let nodes = params.budget.nodes.unwrap_or(u64::MAX);
            let table = self.table.take().filter(|table| table.suits(self.table_mb, nodes));
            let table = table.unwrap_or_else(|| Table::for_searches(self.table_mb, nodes));
            table.age();
            self.table = Some(table);
        }
        for thread in &mut self.threads {
            thread.age();
            thread.path.clear();
            thread.path.extend_from_slice(&self.played);
            thread.played = thread.path.len();
            if self.switches.replies {
                thread.keep_replies();
            }
        }
        let (evaluation, table, switches) = (&self.evaluation, self.table.as_ref(), self.switches);
        let scale = Scale::of(params.game);
        let (main, others) = self.threads.split_first_mut().expect("there is a thread");
        let mut databases = self.databases.iter_mut().map(|database| &mut **database);
        let main_database = databases.next();
        fn open<'a, G: PerfectInfo + Keyed + Evaluate>(
            parts: (&'a G, &'a Evaluation<G>, Option<&'a Table>, Switches, Scale),
            thread: &'a mut ThreadState<G::Action>,
            meter: Meter<'a>,
            reporter: ThoughtReporter<'a, G::Action>,
            database: Option<&'a mut (dyn EndgameProbe<G> + 'static)>,
        ) -> AlphaBetaSearch<'a, G> {
            let (game, evaluation, table, switches, scale) = parts;
            AlphaBetaSearch {
                game,
                evaluation,
                table,
                switches,
                scale,
                thread,
                meter,
                reporter,
                database,
                evaluations: 0,
                stopped: false,
            }
        }
        let parts = (params.game, evaluation, table, switches, scale);
        let (halt, elsewhere) = (Cancel::new(), AtomicU64::new(0));
        let mut search = open(
            parts,
            main,
            meter,
            ThoughtReporter::new(reporter.reborrow(), Some(&elsewhere), G::UNIT),
            main_database,
        );
        let mut root = Root::new(&mut search, params.state, params.seat);
        thread::scope(|scope| {
            // Also if this thread ends with a fault: the scope waits for the others.
            let halt_at_end = CancelOnDrop(&halt);
            let mut handles = Vec::with_capacity(others.len());
            for (number, thread) in others.iter_mut().enumerate() {
                let (halt, elsewhere, database) = (&halt, &elsewhere, databases.next());
                // Threads that start at different depths fill the table with different entries.
                let first = params.first + (number as u32 + 1) % 2;
                handles.push(scope.spawn(move || {
                    let reporter = ThoughtReporter::new(Reporter::none(), None, G::UNIT);
                    let mut search = open(parts, thread, budget.start(Some(halt)), reporter, database);
                    let mut root = Root::new(&mut search, params.state, params.seat);
                    let mut counted = 0;
                    for depth in first..=MOST_DEPTH {
                        let goes_on = search.meter.allows_depth(depth) && root.deepen(&mut search, depth);
                        elsewhere.fetch_add(search.meter.nodes() - counted, Ordering::Relaxed);
                        counted = search.meter.nodes();
                        if !goes_on || root.proven {
                            break;
                        }
                    }
                }));
            }
            let mut pace = params.plan.map(|plan| (plan, Pace::new(params.planner, plan)));
            for depth in params.first..=MOST_DEPTH {
                if !search.meter.allows_depth(depth) || !root.deepen(&mut search, depth) {
                    break;
                }
                search.reporter.report(&search.meter);
                let elapsed = search.meter.elapsed();
                if root.proven || pace.as_mut().is_some_and(|pace| should_stop(pace, &root, elapsed)) {
                    break;
                }
            }
            drop(halt_at_end);
            for handle in handles {
                handle.join().unwrap_or_else(|fault| std::panic::resume_unwind(fault));
            }
        });
        if search.stopped || threads > 1 {
            search.reporter.report(&search.meter);
        }
        SearchResult { action: root.best(), depth: root.depth, line: search.reporter.thought.line }
    }
}

/// Cancels when it is dropped.
struct CancelOnDrop<'a>(&'a Cancel);

impl Drop for CancelOnDrop<'_> {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// The parameters of one search.
struct SearchParams<'a, G: Game> {
    game: &'a G,
    state: &'a G::State,
    seat: Seat,
    budget: Budget,
    planner: &'a Planner,
    plan: Option<Plan>,
    cancel: Option<&'a Cancel>,
    /// The depth to start with.
    first: u32,
}

struct SearchResult<A> {
    action: A,
    depth: u32,
    line: Vec<A>,
}

/// Returns whether the plan says to stop after this depth.
fn should_stop<G: PerfectInfo + Keyed + Evaluate>(
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
        self.threads.iter_mut().for_each(|thread| *thread = ThreadState::new());
        (self.expected, self.pondered) = (None, None);
        self.played.clear();
    }

    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        let &Decision { game, seat, actions, .. } = decision;
        let pondered = self.pondered.take();
        self.expected = None;
        let state = game.truth(decision.view);
        if let [only] = actions {
            self.note(game, state, *only);
            return *only;
        }
        // Pondering has filled the table for this position, so the search need not start at depth 1.
        let first = pondered.filter(|(position, _)| position == state).map_or(1, |(_, depth)| depth);
        let (budget, plan) = self.limits.for_decision(decision, context);
        let first = first.min(budget.depth.unwrap_or(MOST_DEPTH)).max(1);
        let planner = self.limits.planner;
        let cancel = context.cancel;
        let params = SearchParams { game, state, seat, budget, planner: &planner, plan, cancel, first };
        let SearchResult { action, line, .. } = self.search(&params, context.reporter.reborrow());
        if let [own, answer, ..] = line[..]
            && own == action
        {
            let mut after = state.clone();
            game.apply(&mut after, own);
            self.expected = Some((after, answer));
        }
        self.note(game, state, action);
        action
    }

    fn ponder(&mut self, pondering: &Pondering<'_, G>) {
        if !self.switches.ponder {
            return;
        }
        let &Pondering { game, seat, view, cancel } = pondering;
        let state = game.truth(view);
        let switches = self.switches;
        let from_table = |table: &Table| {
            let index = table.get(table_hash(game, switches, state))?.action?;
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
        let params =
            SearchParams { game, state: &next, seat, budget, planner: &planner, plan, cancel, first: 1 };
        let depth = self.search(&params, Reporter::none()).depth;
        self.pondered = Some((next, depth));
    }
}
