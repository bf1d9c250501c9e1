//! How fast does a net value positions?

use std::time::{Duration, Instant};

use anyhow::Context;

use super::timed;

/// The net of a game, and whether each value makes use of the one before.
#[derive(Copy, Clone)]
pub(super) struct Valuing {
    game: &'static str,
    incremental: bool,
}

/// As a search values positions, and without its trick.
pub(super) const NETS: &[Valuing] =
    &[Valuing { game: "checkers", incremental: true }, Valuing { game: "checkers", incremental: false }];

/// Number of positions that are valued together.
const VALUED_POSITIONS: usize = 10_000;

impl Valuing {
    pub fn name(self) -> String {
        format!("{} net, {}", self.game, if self.incremental { "incremental" } else { "in full" })
    }

    /// Positions a second, from the fastest of several runs over the same positions.
    pub fn positions_a_second(self, budget: Duration) -> anyhow::Result<f64> {
        let game = parlor_catalog::open(self.game)?;
        let net = game.shipped_net().context("the program has no net for the game")?;
        let work = game.nets()?.workload(net, 1, VALUED_POSITIONS);
        let mut work = work.context("the program's net is for other boards")?;
        let started = Instant::now();
        let mut best = 0.0_f64;
        while best == 0.0 || started.elapsed() < budget {
            let seconds = timed(|| work.value_all(self.incremental)).as_secs_f64();
            best = best.max(VALUED_POSITIONS as f64 / seconds);
        }
        Ok(best)
    }
}
