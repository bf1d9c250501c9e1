//! A player that asks the game's exact solver.
//!
//! With a book for what the solver takes long over ([`book::exact`](crate::book::exact)), it is perfect.

use parlor_core::api::BuildContext;
use parlor_core::play::solve::Progress;
use parlor_core::{
    Agent, Budget, BuildSolver, Cancel, Certainty, Considered, Context, Decision, Entry, Game, Key, Kind,
    Payoffs, Position, Seat, Sight, Solver, SpecError, Thought,
};

use crate::book::exact::PLAYERS_MEANS;
use crate::limits::Limits;

/// The name in specs.
pub const NAME: &str = "exact";

/// What it does, in one line.
pub const SUMMARY: &str =
    "plays a best action by the exact solver; where that takes too long, as another agent would";

/// Its keys.
pub const KEYS: &[Key] = &[
    Limits::NODES,
    Limits::TIME,
    Key {
        name: "otherwise",
        kind: Kind::Agent { words: &[], forms: &[] },
        default: "alphabeta(nodes=200000)",
        help: "the agent that decides where the limits are too low for an exact answer",
    },
    Key::choice(
        "best",
        &["first", "random"],
        "which of several best actions the solver's answer is: always the same one, or each alike",
    ),
];

/// The limit where none is set: some seconds.
const FALLBACK: Budget = Budget::nodes(30_000_000);

/// The part of a clock's time for a decision that the solver may use; the rest is left to the other agent.
const SOLVERS_SHARE: u32 = 2;

/// Asks the solver first, then another agent.
pub struct ExactPlayer<G: Game> {
    limits: Limits,
    build: BuildSolver<G>,
    /// A new one for each match: whether an answer takes too long depends on what the table holds.
    solver: Box<dyn Solver<G>>,
    otherwise: Box<dyn Agent<G>>,
    /// Whether it draws from the best actions.
    random: bool,
}

/// Makes the player from its settings and the game's solver.
///
/// # Errors
/// If the other agent cannot be made.
pub fn build<G: Entry + parlor_core::PerfectInfo>(
    context: &BuildContext<'_, G>,
    solver: BuildSolver<G>,
) -> Result<Box<dyn Agent<G>>, SpecError> {
    Ok(Box::new(ExactPlayer {
        limits: Limits::read(context.settings, &Limits::NODES, false, FALLBACK),
        build: solver,
        solver: solver(context.game, &PLAYERS_MEANS),
        otherwise: context.agent(context.settings.text("otherwise"))?,
        random: context.settings.text("best") == "random",
    }))
}

impl<G: parlor_core::PerfectInfo> Agent<G> for ExactPlayer<G> {
    fn begin_session(&mut self) {
        self.otherwise.begin_session();
    }

    fn begin(&mut self, game: &G, seat: Seat) {
        self.solver = (self.build)(game, &PLAYERS_MEANS);
        self.otherwise.begin(game, seat);
    }

    fn watch(&mut self, game: &G, sight: Sight<G::Action>) {
        self.otherwise.watch(game, sight);
    }

    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        let situation = context.situation(decision);
        let (_, plan) = self.limits.for_situation(&situation);
        let mut budget = self.limits.up_to_target(&situation);
        if plan.is_some() {
            budget.time = budget.time.map(|time| time / SOLVERS_SHARE);
        }
        let position = Position::State(decision.game.truth(decision.view).clone());
        let never = Cancel::new();
        let cancel = context.cancel.unwrap_or(&never);
        let started = std::time::Instant::now();
        let Ok(mut exact) = self.solver.best_action(decision.game, &position, &budget, cancel) else {
            return self.otherwise.act(decision, context);
        };
        if self.random {
            // The table knows the value now, which is most of the work; a cancelled answer keeps the one best action.
            let mut progress = Progress { cancel, report: &mut |_| {} };
            exact = self.solver.solve(decision.game, &position, &mut progress).unwrap_or(exact);
        }
        let action = if self.random { *context.rng.choose(&exact.best) } else { exact.best[0] };
        context.reporter.report_with(|| Thought {
            depth: 0,
            nodes: exact.nodes,
            counts: "nodes",
            elapsed: started.elapsed(),
            value: exact.value,
            unit: self.solver.unit(),
            certainty: Certainty::Proven,
            end_in: None,
            line: vec![action],
            moves: vec![Considered {
                action,
                value: exact.value,
                certainty: Certainty::Proven,
                visits: exact.nodes,
            }],
        });
        action
    }

    fn end(&mut self, game: &G, payoffs: &Payoffs) {
        self.otherwise.end(game, payoffs);
    }
}
