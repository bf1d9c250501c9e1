//! Solves a game with hidden information to a given precision.

use parlor_core::{InformationSets, Progress, ProgressUpdate, Resources, Unsolved};

use super::form::SequenceForm;
use super::regret::{Regrets, Rule, best_response};
use super::sequence_form::{Detail, ExpandedGame, Situation, SizeLimits, expand};

/// The parameters of a solution.
#[derive(Clone, PartialEq, Debug)]
pub struct SolveParams {
    /// The exploitability at which to stop.
    pub precision: f64,
    /// The maximum number of rounds.
    pub rounds: u64,
    /// Threads, and the memory limit of the game.
    pub resources: Resources,
}

impl Default for SolveParams {
    fn default() -> Self {
        SolveParams {
            precision: 1e-4,
            rounds: 1_000_000,
            resources: Resources { threads: 1, memory_mb: 4096 },
        }
    }
}

/// Proven bounds on the value of a game, from each role's best response to the other's plan.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct ValueBounds {
    /// The role that decides first gets at least this with its plan.
    pub low: f64,
    /// The other role's plan limits it to this.
    pub high: f64,
    /// Its payoff if both play their plans.
    pub value: f64,
}

impl ValueBounds {
    /// Returns the exploitability, averaged over the two roles.
    #[must_use]
    pub fn exploitability(&self) -> f64 {
        // Rounding can make `high` smaller than `low`.
        ((self.high - self.low) / 2.0).max(0.0)
    }
}

/// Returns the bounds if the roles play these plans.
#[must_use]
pub fn bounds(form: &SequenceForm, plans: &[Vec<f64>; 2]) -> ValueBounds {
    let mut worth = Vec::new();
    let low = -best_response(&form.sides[1], &plans[0], &mut worth);
    let high = best_response(&form.sides[0], &plans[1], &mut worth);
    let rows = &form.sides[0].rows;
    let value = plans[0].iter().enumerate().map(|(row, weight)| weight * rows.dot(row, &plans[1])).sum();
    ValueBounds { low, high, value }
}

/// A game that was solved as far as the time allowed.
pub struct Solved<A> {
    /// The sequence form of the game.
    pub form: SequenceForm,
    /// The information sets.
    pub situations: [Vec<Situation<A>>; 2],
    /// The probability of each sequence, for each role.
    pub plans: [Vec<f64>; 2],
    /// The bounds on the value.
    pub bounds: ValueBounds,
    /// The number of rounds.
    pub rounds: u64,
    /// The number of histories of the game.
    pub histories: u64,
    /// Whether the computation was cancelled before it reached the precision.
    pub stopped: bool,
}

/// The first round after which bounds are computed. The intervals grow with the rounds, so that this costs little.
const FIRST_BOUNDS: u64 = 8;

/// Bounds that shrink from round to round.
pub(super) trait Converging {
    /// Runs one round and returns how many information sets it visited.
    fn round(&mut self) -> u64;

    /// Averages the plans so far and returns half the distance of the proven bounds, and the state in words.
    fn look(&mut self) -> (f64, String);
}

/// Runs rounds until the precision or the maximum number of rounds is reached. Returns the number of rounds and whether
/// the computation was cancelled; the last call of `look` follows the last round.
pub(super) fn converge(
    work: &mut impl Converging,
    params: &SolveParams,
    mut nodes: u64,
    progress: &mut Progress<'_>,
) -> (u64, bool) {
    let (mut rounds, mut next_look) = (0, FIRST_BOUNDS);
    loop {
        let mut stopped = false;
        while rounds < next_look.min(params.rounds) && !stopped {
            nodes += work.round();
            rounds += 1;
            stopped = progress.check().is_err();
        }
        let (reached, state) = work.look();
        if stopped || reached <= params.precision || rounds >= params.rounds {
            return (rounds, stopped);
        }
        let doing = format!("round {rounds}, {state}, exploitability {reached:.1e}");
        (progress.report)(&ProgressUpdate { doing, done: None, nodes });
        next_look += (next_look / 4).max(FIRST_BOUNDS);
    }
}

/// An equilibrium in the making.
struct Solving<'f> {
    form: &'f SequenceForm,
    regrets: Regrets,
    threads: usize,
    plans: [Vec<f64>; 2],
    bounds: Option<ValueBounds>,
}

impl Converging for Solving<'_> {
    fn round(&mut self) -> u64 {
        self.regrets.round(self.form, self.threads);
        self.form.sets() as u64
    }

    fn look(&mut self) -> (f64, String) {
        for (role, plan) in self.plans.iter_mut().enumerate() {
            self.regrets.average(role, plan);
        }
        let bounds = bounds(self.form, &self.plans);
        self.bounds = Some(bounds);
        (bounds.exploitability(), format!("value {:.7} … {:.7}", bounds.low, bounds.high))
    }
}

/// Solves a game. If cancelled while solving, it returns the result so far.
///
/// # Errors
/// If the game cannot be expanded, or the expansion is cancelled.
pub fn solve<G: InformationSets>(
    game: &G,
    params: &SolveParams,
    progress: &mut Progress<'_>,
) -> Result<Solved<G::Action>, Unsolved> {
    let most = SizeLimits::for_memory_mb(params.resources.memory_mb);
    let ExpandedGame { form, situations, histories } = expand(game, Detail::Essential, most, progress)?;
    let (plans, bounds, rounds, stopped) = equilibrium(&form, params, histories, progress);
    Ok(Solved { form, situations, plans, bounds, rounds, histories, stopped })
}

/// Returns plans near an equilibrium with their bounds, the number of rounds, and whether it was cancelled.
pub(super) fn equilibrium(
    form: &SequenceForm,
    params: &SolveParams,
    histories: u64,
    progress: &mut Progress<'_>,
) -> ([Vec<f64>; 2], ValueBounds, u64, bool) {
    let mut solving = Solving {
        form,
        regrets: Regrets::new(form, Rule::default()),
        threads: params.resources.threads,
        plans: [Vec::new(), Vec::new()],
        bounds: None,
    };
    let (rounds, stopped) = converge(&mut solving, params, histories, progress);
    (solving.plans, solving.bounds.expect("every computation ends with a look"), rounds, stopped)
}
