//! Exact numbers about many strategies of one game, which is expanded once.

use parlor_core::api::{AnyStrategies, ApiError, ExpansionParams, Hosted, StrategyPlan};
use parlor_core::{Entry, Forfeit, InformationSets, Notation, Progress, Resources, Unsolved};

use super::exploit::{AgentPlans, ExploitError, ExploitParams, agent_plans};
use super::hosted::player;
use super::respond::{RespondParams, payoff, response_plans};
use super::sequence_form::{Detail, ExpandedGame, SizeLimits, expand};
use super::solve::bounds;

/// The maximum number of rounds for a response.
const MOST_ROUNDS: u64 = 1_000_000;

/// An expanded game with its agents.
pub(super) struct Strategies<G: InformationSets> {
    hosted: Hosted<G>,
    expanded: ExpandedGame<G::Action>,
    detail: Detail,
    memory_mb: usize,
}

impl<G: Entry + Notation + InformationSets> Strategies<G> {
    pub(super) fn new(
        hosted: Hosted<G>,
        params: &ExpansionParams,
        progress: &mut Progress<'_>,
    ) -> Result<Self, Unsolved> {
        let detail = if params.full { Detail::Everything } else { Detail::Essential };
        let memory_mb = params.resources.memory_mb;
        let expanded = expand(hosted.game(), detail, SizeLimits::for_memory_mb(memory_mb), progress)?;
        Ok(Strategies { hosted, expanded, detail, memory_mb })
    }

    fn queries(&self, samples: u32, seed: u64, threads: usize) -> ExploitParams {
        let resources = Resources { threads, memory_mb: self.memory_mb };
        ExploitParams { samples, detail: self.detail, seed, resources }
    }
}

impl From<ExploitError> for ApiError {
    fn from(error: ExploitError) -> Self {
        match error {
            ExploitError::Unsolved(error) => error.into(),
            ExploitError::Forfeit(error) => Forfeit::into(error),
        }
    }
}

impl<G: Entry + Notation + InformationSets> AnyStrategies for Strategies<G> {
    fn information_sets(&self) -> usize {
        self.expanded.form.sets()
    }

    fn agent(
        &self,
        spec: &str,
        samples: u32,
        seed: u64,
        threads: usize,
        progress: &mut Progress<'_>,
    ) -> Result<StrategyPlan, ApiError> {
        let name = self.hosted.honest_agent(spec)?.1;
        player(&self.hosted, &name)?;
        let build_player = || player(&self.hosted, &name).expect("the same spec was built above");
        let queries = self.queries(samples, seed, threads);
        let AgentPlans { plans, exact, .. } =
            agent_plans(self.hosted.game(), &self.expanded, &build_player, &queries, progress)?;
        Ok(StrategyPlan { name, plans, exact })
    }

    fn respond(
        &self,
        to: &StrategyPlan,
        weight: f64,
        precision: f64,
        threads: usize,
        progress: &mut Progress<'_>,
    ) -> Result<StrategyPlan, ApiError> {
        let params =
            RespondParams { weight, precision, rounds: MOST_ROUNDS, queries: self.queries(1, 0, threads) };
        let found = response_plans(&self.expanded, &to.plans, &params, progress);
        if found.stopped {
            return Err(Unsolved::Cancelled.into());
        }
        Ok(StrategyPlan { name: to.name.clone(), plans: found.plans, exact: to.exact })
    }

    fn gain(&self, own: &StrategyPlan, other: &StrategyPlan) -> f64 {
        let form = &self.expanded.form;
        let role = |role: usize| payoff(form, role, &own.plans[role], &other.plans[1 - role]);
        (role(0) + role(1)) / 2.0
    }

    fn exploitability(&self, plan: &StrategyPlan) -> f64 {
        bounds(&self.expanded.form, &plan.plans).exploitability()
    }
}
