//! Restricted Nash responses: how to win from an agent without becoming an easy victim.
//!
//! The opponent is taken to play like the agent with probability *p* and as it likes otherwise. An equilibrium of that game
//! is an equilibrium of the game itself for *p* = 0 and a best response to the agent for *p* = 1; between them it wins as much
//! from the agent as is possible at its exploitability (M. Johanson, M. Zinkevich, M. Bowling, *Computing robust
//! counter-strategies*, NIPS 2007).
//!
//! In sequence form the opponent's coin is a weighted sum of two plans, so the solver for equilibria finds the response.
//! Each role is solved by itself, because the other role is restricted in turn. For *p* = 1 the result is, of all
//! best responses, the least exploitable.

use parlor_core::{InformationSets, Progress, Unsolved};

use super::exploit::{AgentPlans, ExploitError, ExploitParams, Subject, agent_plans};
use super::form::{Role, SequenceForm};
use super::regret::{
    Regrets, Restriction, Rule, best_choices, best_response, best_response_within, mix_into,
};
use super::sequence_form::{Detail, ExpandedGame, SizeLimits, expand};
use super::solve::{Converging, SolveParams, bounds, converge, equilibrium};
use super::strategy::{ResponseHeader, Strategy, StrategyHeader};

/// The parameters of a response.
#[derive(Clone, PartialEq, Debug)]
pub struct RespondParams {
    /// The probability with which the opponent is the agent, from 0 to 1.
    pub weight: f64,
    /// How close to the optimum is close enough, in payoff a game.
    pub precision: f64,
    /// The maximum number of rounds.
    pub rounds: u64,
    /// How the agent is queried.
    pub queries: ExploitParams,
}

/// A response to an agent. All payoffs are averages over deciding first and second.
#[derive(Clone, PartialEq, Debug)]
pub struct Response {
    /// The strategy.
    pub strategy: Strategy,
    /// Its payoff against the agent.
    pub gain: f64,
    /// What it loses to its own best response.
    pub exploitability: f64,
    /// The payoff of a best response to the agent: no strategy gains more.
    pub ceiling: f64,
    /// It guarantees at least this against an opponent that is the agent with probability `weight`.
    pub low: f64,
    /// No strategy guarantees more than this.
    pub high: f64,
    /// The number of information sets.
    pub information_sets: usize,
    /// The number of rounds of the solver.
    pub rounds: u64,
    /// The number of queries of the agent in each information set.
    pub samples: u32,
    /// Whether the agent's probabilities are known; otherwise they are estimates from `samples` answers.
    pub exact: bool,
    /// Whether the computation was cancelled before it reached the precision.
    pub stopped: bool,
}

/// Computes the response to an agent. `build_player` builds one instance per thread; `names` are the full forms of the game
/// and the agent. If cancelled while solving, it returns the result so far.
///
/// # Errors
/// If the game cannot be expanded, the agent breaks the rules, or the computation is cancelled before there is a result.
pub fn respond<G: InformationSets>(
    game: &G,
    names: (String, String),
    build_player: &(dyn Fn() -> Subject<G> + Sync),
    params: &RespondParams,
    progress: &mut Progress<'_>,
) -> Result<Response, ExploitError> {
    let RespondParams { queries, .. } = params;
    let most = SizeLimits::for_memory_mb(queries.resources.memory_mb);
    let expanded = expand(game, queries.detail, most, progress)?;
    let agent = agent_plans(game, &expanded, build_player, queries, progress)?;
    Ok(respond_to(&expanded, names, &agent, params, progress)?)
}

/// Computes the response to an agent whose plans are known; otherwise as [`respond`].
///
/// # Errors
/// If a seat's memory does not say whether it decided first.
pub fn respond_to<A>(
    expanded: &ExpandedGame<A>,
    (game, agent_name): (String, String),
    agent: &AgentPlans,
    params: &RespondParams,
    progress: &mut Progress<'_>,
) -> Result<Response, Unsolved> {
    let form = &expanded.form;
    let ResponsePlans { plans, low, high, rounds, stopped } =
        response_plans(expanded, &agent.plans, params, progress);
    let best = |role: Role| best_response(&form.sides[role], &agent.plans[1 - role], &mut Vec::new());
    let ceiling = mean([best(0), best(1)]);
    let RespondParams { weight, queries, .. } = params;
    let gain = mean([0, 1].map(|role| payoff(form, role, &plans[role], &agent.plans[1 - role])));
    let own = bounds(form, &plans);
    let about = StrategyHeader {
        parlor: env!("CARGO_PKG_VERSION").to_owned(),
        game,
        value: own.value,
        low: own.low,
        high: own.high,
        exploitability: own.exploitability(),
        rounds,
        full: queries.detail == Detail::Everything,
        response: Some(ResponseHeader { agent: agent_name, weight: *weight, gain }),
    };
    Ok(Response {
        strategy: Strategy::of_plans(about, form, &expanded.situations, &plans)?,
        gain,
        exploitability: own.exploitability(),
        ceiling,
        low,
        high,
        information_sets: form.sets(),
        rounds,
        samples: agent.samples,
        exact: agent.exact,
        stopped,
    })
}

/// The plans of a response, with bounds on what such a response can guarantee.
pub(super) struct ResponsePlans {
    pub(super) plans: [Vec<f64>; 2],
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) rounds: u64,
    pub(super) stopped: bool,
}

/// Computes the plans of the response to an agent's plans.
pub(super) fn response_plans<A>(
    expanded: &ExpandedGame<A>,
    agent: &[Vec<f64>; 2],
    params: &RespondParams,
    progress: &mut Progress<'_>,
) -> ResponsePlans {
    let form = &expanded.form;
    let RespondParams { weight, precision, rounds, queries } = params;
    let solving =
        SolveParams { precision: *precision, rounds: *rounds, resources: queries.resources.clone() };
    if *weight == 0.0 {
        let (plans, bounds, rounds, stopped) = equilibrium(form, &solving, expanded.histories, progress);
        let half = bounds.exploitability();
        return ResponsePlans { plans, low: -half, high: half, rounds, stopped };
    }
    let mut roles = [0, 1].map(|role| RestrictedRole::new(form, role, *weight, &agent[1 - role]));
    let mut both = Both { form, threads: queries.resources.threads, roles: &mut roles };
    let (rounds, stopped) = converge(&mut both, &solving, expanded.histories, progress);
    let [low, high] = [0, 1].map(|end| mean(roles.each_ref().map(|role| role.bounds[end])));
    ResponsePlans { plans: roles.map(|role| role.plan), low, high, rounds, stopped }
}

fn mean([first, second]: [f64; 2]) -> f64 {
    (first + second) / 2.0
}

/// Returns what a role's plan gets from the other role's.
pub fn payoff(form: &SequenceForm, role: Role, plan: &[f64], other: &[f64]) -> f64 {
    let rows = &form.sides[role].rows;
    plan.iter()
        .enumerate()
        .filter(|(_, weight)| **weight != 0.0)
        .map(|(row, weight)| weight * rows.dot(row, other))
        .sum()
}

/// One role's response in the making.
struct RestrictedRole<'a> {
    role: Role,
    weight: f64,
    agent: &'a [f64],
    /// The choices of best responses, where nothing else is wanted; else empty.
    allowed: Vec<bool>,
    regrets: Regrets,
    plan: Vec<f64>,
    /// What the plan guarantees, and what no plan can exceed.
    bounds: [f64; 2],
}

impl<'a> RestrictedRole<'a> {
    fn new(form: &SequenceForm, role: Role, weight: f64, agent: &'a [f64]) -> RestrictedRole<'a> {
        let mut restrictions = [None, None];
        let mut allowed = Vec::new();
        if weight == 1.0 {
            (allowed, _) = best_choices(&form.sides[role], agent);
            restrictions[role] = Some(Restriction::Only(allowed.clone()));
        } else {
            restrictions[1 - role] = Some(Restriction::Mixed { weight, fixed: agent.to_vec() });
        }
        let regrets = Regrets::restricted(form, Rule::default(), restrictions);
        RestrictedRole { role, weight, agent, allowed, regrets, plan: Vec::new(), bounds: [0.0; 2] }
    }

    /// Averages the plan and returns how far it may be from the optimum.
    fn look(&mut self, form: &SequenceForm) -> f64 {
        let (own, other) = (&form.sides[self.role], &form.sides[1 - self.role]);
        let mut free = Vec::new();
        self.regrets.average(self.role, &mut self.plan);
        self.regrets.average(1 - self.role, &mut free);
        let mut worth = Vec::new();
        let worst = -best_response(other, &self.plan, &mut worth);
        if self.weight == 1.0 {
            // Every allowed plan is a best response; what is left to optimise is its worst case.
            let most = best_response_within(own, &self.allowed, &free, &mut worth);
            self.bounds = [best_response(own, self.agent, &mut worth); 2];
            return most - worst;
        }
        let gain = payoff(form, self.role, &self.plan, self.agent);
        let mut met = Vec::new();
        mix_into(&mut met, self.weight, self.agent, &free);
        self.bounds =
            [self.weight * gain + (1.0 - self.weight) * worst, best_response(own, &met, &mut worth)];
        self.bounds[1] - self.bounds[0]
    }
}

/// The responses of both roles: rounds alternate, so that both are usable whenever the computation ends.
struct Both<'a, 'r> {
    form: &'a SequenceForm,
    threads: usize,
    roles: &'r mut [RestrictedRole<'a>; 2],
}

impl Converging for Both<'_, '_> {
    fn round(&mut self) -> u64 {
        self.roles.iter_mut().for_each(|role| role.regrets.round(self.form, self.threads));
        2 * self.form.sets() as u64
    }

    fn look(&mut self) -> (f64, String) {
        let form = self.form;
        let [first, second] = self.roles.each_mut().map(|role| role.look(form));
        let [low, high] = [0, 1].map(|end| mean(self.roles.each_ref().map(|role| role.bounds[end])));
        // Rounding can make the difference negative.
        (mean([first, second]).max(0.0) / 2.0, format!("value {low:.7} … {high:.7}"))
    }
}
