//! Random play to the end: the unit of speed.

use crate::rng::Rng;
use crate::rules::game::{Game, Phase};

/// Plays uniformly random actions from `state` to the end and returns how many there were, those of chance included.
///
/// Allocates nothing and calls nothing dynamic.
#[inline]
pub fn playout<G: Game>(game: &G, state: &mut G::State, rng: &mut Rng) -> u32 {
    let mut plies = 0;
    loop {
        let action = match game.phase(state) {
            Phase::Decide(_) => game.pick(state, rng),
            Phase::Chance => game.sample(state, rng),
            Phase::Over => return plies,
        };
        game.apply(state, action);
        plies += 1;
    }
}
