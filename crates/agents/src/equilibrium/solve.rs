//! Solving a game with hidden things to a stated precision.

use parlor_core::{InformationSets, Progress, ProgressUpdate, Unsolved};

use super::form::Form;
use super::regret::{Regrets, Rule, best_response};
use super::sequence_form::{Detail, Most, Situation, write_out};

/// How well a game is to be solved.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Aim {
    /// Exploitability at which to stop.
    pub precision: f64,
    /// Rounds after which to stop in any case.
    pub rounds: u64,
    /// How many threads work.
    pub threads: usize,
    /// How much memory the game may take, in mebibytes.
    pub megabytes: usize,
}

impl Default for Aim {
    fn default() -> Self {
        Aim { precision: 1e-4, rounds: 1_000_000, threads: 1, megabytes: 4096 }
    }
}

/// What is certain about the value of a game, by what each role can get against the other's plan.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Bounds {
    /// The role that decides first gets at least this with its plan.
    pub low: f64,
    /// It can be kept down to this by the other's plan.
    pub high: f64,
    /// What it gets if both play their plans.
    pub value: f64,
}

impl Bounds {
    /// Returns what a plan loses to its best response beyond the value, averaged over the two roles.
    #[must_use]
    pub fn exploitability(&self) -> f64 {
        // Rounding can bring the two past each other.
        ((self.high - self.low) / 2.0).max(0.0)
    }
}

/// Returns what is certain if the roles play these plans.
#[must_use]
pub fn bounds(form: &Form, plans: &[Vec<f64>; 2]) -> Bounds {
    let mut worth = Vec::new();
    let low = -best_response(&form.sides[1], &plans[0], &mut worth);
    let high = best_response(&form.sides[0], &plans[1], &mut worth);
    let rows = &form.sides[0].rows;
    let value = plans[0].iter().enumerate().map(|(row, weight)| weight * rows.dot(row, &plans[1])).sum();
    Bounds { low, high, value }
}

/// A game that was solved as well as time allowed.
pub struct Solved<A> {
    /// The game.
    pub form: Form,
    /// What its information sets are.
    pub situations: [Vec<Situation<A>>; 2],
    /// How likely each role makes all choices of each sequence.
    pub plans: [Vec<f64>; 2],
    /// What is certain about the value.
    pub bounds: Bounds,
    /// Rounds that it took.
    pub rounds: u64,
    /// Histories of the game.
    pub histories: u64,
    /// Whether it was stopped before the precision was reached.
    pub stopped: bool,
}

/// Bounds are looked at after so many rounds at first; the distance grows with the rounds, so that it costs little.
const FIRST_LOOK: u64 = 8;

/// Solves a game. If it is stopped while it solves, what has been reached is returned.
///
/// # Errors
/// If the game cannot be written out, or it is stopped before it was.
pub fn solve<G: InformationSets>(
    game: &G,
    aim: &Aim,
    progress: &mut Progress<'_>,
) -> Result<Solved<G::Action>, Unsolved> {
    let written = write_out(game, Detail::Essential, Most::in_megabytes(aim.megabytes), progress)?;
    let form = written.form;
    let mut regrets = Regrets::new(&form, Rule::default());
    let mut plans = [Vec::new(), Vec::new()];
    let mut nodes = written.histories;
    let mut next_look = FIRST_LOOK;
    let (bounds, stopped) = loop {
        let mut stopped = false;
        while regrets.rounds() < next_look.min(aim.rounds) && !stopped {
            regrets.round(&form, aim.threads);
            nodes += form.sets() as u64;
            stopped = progress.check().is_err();
        }
        for (role, plan) in plans.iter_mut().enumerate() {
            regrets.average(role, plan);
        }
        let bounds = bounds(&form, &plans);
        let reached = bounds.exploitability();
        if stopped || reached <= aim.precision || regrets.rounds() >= aim.rounds {
            break (bounds, stopped);
        }
        let doing = format!(
            "round {}, value {:.7} … {:.7}, exploitability {reached:.1e}",
            regrets.rounds(),
            bounds.low,
            bounds.high
        );
        (progress.report)(&ProgressUpdate { doing, done: None, nodes });
        next_look += (next_look / 4).max(FIRST_LOOK);
    };
    Ok(Solved {
        form,
        situations: written.situations,
        plans,
        bounds,
        rounds: regrets.rounds(),
        histories: written.histories,
        stopped,
    })
}
