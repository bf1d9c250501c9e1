//! How fast is the search for an equilibrium?

use std::time::{Duration, Instant};

use super::{SLICE, timed};

/// Games whose equilibrium is sought: rounds of CFR+ over all information sets. Leduc poker is there to compare with others.
pub(super) const EQUILIBRIA: &[&str] =
    &[LEDUC, "dominoes(rules=myers, set=2, hand=2, lead=free)", "dominoes(rules=myers)"];

/// No game that is played here.
const LEDUC: &str = "leduc poker";

/// Rounds of regret minimisation a second, from the fastest slice.
pub(super) fn rounds(game: &str, budget: Duration) -> anyhow::Result<f64> {
    let mut rounds = match game {
        LEDUC => parlor_catalog::leduc_rounds(),
        game => parlor_catalog::open(game)?.equilibrium()?.rounds()?,
    };
    let mut batch = 1;
    while timed(|| rounds.run(batch)) < SLICE {
        batch *= 2;
    }
    let started = Instant::now();
    let mut best = 0.0_f64;
    while best == 0.0 || started.elapsed() < budget {
        best = best.max(batch as f64 / timed(|| rounds.run(batch)).as_secs_f64());
    }
    Ok(best)
}
