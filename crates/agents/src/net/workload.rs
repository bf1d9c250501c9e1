//! The same positions again and again, to time a net.

use std::sync::Arc;

use parlor_core::{NetInputs, PerfectInfo, Phase, Rng};
use parlor_ml::net::Accumulators;

use super::shipped_value;
use crate::evaluation::LearntValue;

/// Positions of random matches and a net that values them.
pub trait NetWorkload: Send {
    /// Values all positions, match by match, and returns the sum. With `incremental` the sums of the first layer go from one position to
    /// the next, as in a search; without it they are computed anew for each.
    fn value_all(&mut self, incremental: bool) -> i64;
}

struct Workload<G: NetInputs> {
    game: G,
    net: Arc<dyn LearntValue<G>>,
    positions: Vec<G::State>,
}

impl<G: NetInputs> NetWorkload for Workload<G> {
    fn value_all(&mut self, incremental: bool) -> i64 {
        let mut kept = Accumulators::default();
        let mut sum = 0;
        for position in &self.positions {
            if !incremental {
                kept = Accumulators::default();
            }
            sum += i64::from(self.net.evaluate(&self.game, position, &mut kept));
        }
        sum
    }
}

/// Draws positions for a net that comes with the program; `None` if it was trained for other boards.
pub(super) fn workload<G: NetInputs + PerfectInfo>(
    game: &G,
    net: &[u8],
    seed: u64,
    count: usize,
) -> Option<Box<dyn NetWorkload>> {
    let net = shipped_value(game, net)?;
    let mut rng = Rng::new(seed);
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        let mut state = game.start();
        while matches!(game.phase(&state), Phase::Decide(_)) && positions.len() < count {
            positions.push(state.clone());
            let action = game.pick(&state, &mut rng);
            game.apply(&mut state, action);
        }
    }
    Some(Box::new(Workload { game: game.clone(), net, positions }))
}
