//! Equilibria behind the dynamic API, with games and agents as text.

use parlor_core::api::{AnyGame, AnyStrategies, ApiError, ExpansionParams, Hosted};
use parlor_core::{Cancel, Entry, InformationSets, Notation, Phase, Progress, SpecError, Unsolved};

use super::exploit::{ExploitError, ExploitParams, Exploited, Subject, exploit};
use super::form::SequenceForm;
use super::regret::{Regrets, Rule};
use super::respond::{RespondParams, Response, respond};
use super::sequence_form::{Detail, SizeLimits, expand};
use super::solve::{SolveParams, solve};
use super::strategies::Strategies;
use super::strategy::Strategy;

/// The result of solving a game.
pub struct EquilibriumResult {
    /// The strategy and its value.
    pub strategy: Strategy,
    /// The choices of the role that decides first, if it decides before chance, with their probabilities, likeliest
    /// first.
    pub best: Vec<(String, f64)>,
    /// The number of information sets.
    pub information_sets: usize,
    /// The number of histories expanded plus the number of information sets visited.
    pub nodes: u64,
    /// Whether the computation was cancelled before it reached the precision.
    pub stopped: bool,
}

/// A game with hidden information that may be small enough to solve.
pub trait AnyEquilibrium: Send + Sync {
    /// Computes an equilibrium.
    ///
    /// # Errors
    /// If the game is too large, or the computation is cancelled before it has a result.
    fn solve(&self, params: &SolveParams, progress: &mut Progress<'_>)
    -> Result<EquilibriumResult, Unsolved>;

    /// Prepares rounds of CFR+ for benchmarks.
    ///
    /// # Errors
    /// If the game is too large.
    fn rounds(&self) -> Result<Rounds, Unsolved>;

    /// Returns an agent's exploitability and its full form.
    ///
    /// # Errors
    /// If the agent's spec is invalid; the inner error if it cannot be measured.
    fn exploit(
        &self,
        agent: &str,
        params: &ExploitParams,
        progress: &mut Progress<'_>,
    ) -> Result<(String, Result<Exploited, ExploitError>), SpecError>;

    /// Returns the restricted Nash response to an agent, and the agent's full form.
    ///
    /// # Errors
    /// If the agent's spec is invalid; the inner error if there is no response.
    fn respond(
        &self,
        agent: &str,
        params: &RespondParams,
        progress: &mut Progress<'_>,
    ) -> Result<(String, Result<Response, ExploitError>), SpecError>;

    /// Expands the game, for exact numbers about many strategies.
    ///
    /// # Errors
    /// If the game is too large, or the work is cancelled.
    fn strategies(
        &self,
        params: &ExpansionParams,
        progress: &mut Progress<'_>,
    ) -> Result<Box<dyn AnyStrategies>, ApiError>;
}

/// Rounds of CFR+ on one thread, for benchmarks.
pub struct Rounds {
    form: SequenceForm,
    regrets: Regrets,
}

impl Rounds {
    /// Prepares the rounds of a game.
    ///
    /// # Errors
    /// If the game is too large.
    pub fn of<G: InformationSets>(game: &G, detail: Detail) -> Result<Rounds, Unsolved> {
        let stop = Cancel::new();
        let most = SizeLimits::for_memory_mb(SolveParams::default().resources.memory_mb);
        let form = expand(game, detail, most, &mut Progress { cancel: &stop, report: &mut |_| {} })?.form;
        let regrets = Regrets::new(&form, Rule::Plus);
        Ok(Rounds { form, regrets })
    }

    /// Runs `rounds` more rounds.
    pub fn run(&mut self, rounds: u64) {
        (0..rounds).for_each(|_| self.regrets.round(&self.form, 1));
    }
}

/// Builds an agent, as a policy if it has one.
pub(super) fn player<G: Entry + Notation + InformationSets>(
    hosted: &Hosted<G>,
    full: &str,
) -> Result<Subject<G>, SpecError> {
    Ok(match hosted.policy(full)? {
        Some(policy) => Subject::Weighs(policy),
        None => Subject::Acts(hosted.honest_agent(full)?.0),
    })
}

impl<G: Entry + Notation + InformationSets> AnyEquilibrium for Hosted<G> {
    fn solve(
        &self,
        params: &SolveParams,
        progress: &mut Progress<'_>,
    ) -> Result<EquilibriumResult, Unsolved> {
        let game = self.game();
        let solved = solve(game, params, progress)?;
        let mut best = Vec::new();
        if matches!(game.phase(&game.start()), Phase::Decide(_)) {
            let side = &solved.form.sides[0];
            let root = side.sets.iter().zip(&solved.situations[0]).find(|(set, _)| set.parent == 0);
            let start = game.start();
            let view = game.view(&start, parlor_core::Seat::FIRST);
            if let Some((set, situation)) = root {
                for (&label, &odds) in situation.labels.iter().zip(&solved.plans[0][set.range()]) {
                    let action = game.actions(&start).find(|&action| game.label(&view, action) == label);
                    best.extend(action.map(|action| (game.write_action(action), odds)));
                }
            }
            best.sort_by(|one, other| other.1.total_cmp(&one.1));
        }
        let information_sets = solved.form.sets();
        let nodes = solved.histories + solved.rounds * information_sets as u64;
        let strategy = Strategy::new(self.spec(), &solved)?;
        Ok(EquilibriumResult { strategy, best, information_sets, nodes, stopped: solved.stopped })
    }

    fn rounds(&self) -> Result<Rounds, Unsolved> {
        Rounds::of(self.game(), Detail::Essential)
    }

    fn exploit(
        &self,
        agent: &str,
        params: &ExploitParams,
        progress: &mut Progress<'_>,
    ) -> Result<(String, Result<Exploited, ExploitError>), SpecError> {
        let full = self.honest_agent(agent)?.1;
        // Reports errors before the threads build the same agent.
        player(self, &full)?;
        let build_player = || player(self, &full).expect("the same spec was built above");
        let found = exploit(self.game(), &build_player, params, progress);
        Ok((full, found))
    }

    fn respond(
        &self,
        agent: &str,
        params: &RespondParams,
        progress: &mut Progress<'_>,
    ) -> Result<(String, Result<Response, ExploitError>), SpecError> {
        let full = self.honest_agent(agent)?.1;
        player(self, &full)?;
        let build_player = || player(self, &full).expect("the same spec was built above");
        let names = (self.spec(), full.clone());
        let found = respond(self.game(), names, &build_player, params, progress);
        Ok((full, found))
    }

    fn strategies(
        &self,
        params: &ExpansionParams,
        progress: &mut Progress<'_>,
    ) -> Result<Box<dyn AnyStrategies>, ApiError> {
        Ok(Box::new(Strategies::new(self.clone(), params, progress)?))
    }
}
