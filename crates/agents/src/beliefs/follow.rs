//! Following worlds through what a seat saw happen, one thing at a time.

use parlor_core::{Decision, Game, Phase, Rng, Seat, Sight};

use super::{PossibleWorlds, WeightedWorlds, WorldSampler};

/// More worlds than this are thinned: hidden draws multiply them.
const MOST_FOLLOWED: usize = 4_096;

impl<G: PossibleWorlds> WorldSampler<G> {
    /// Returns the worlds after `seat` has seen something happen, weighed by how likely it was in each; `None` if it can have happened
    /// in none of them.
    pub fn follow(
        &mut self,
        game: &G,
        seat: Seat,
        worlds: WeightedWorlds<G::State>,
        sight: Sight<G::Action>,
        rng: &mut Rng,
    ) -> Option<WeightedWorlds<G::State>> {
        let WorldSampler { types, trust, actions, weights, .. } = self;
        let mut likelihoods = Vec::with_capacity(types.len());
        let after = worlds.stepped(|world, found| {
            let looks_so = |action: G::Action| game.seen(world, action, seat) == Some(sight.action);
            match game.phase(world) {
                Phase::Over => {}
                Phase::Chance => {
                    for (action, odds) in game.chances(world).filter(|&(action, _)| looks_so(action)) {
                        found(applied(game, world, action), odds, &[]);
                    }
                }
                Phase::Decide(mover) => {
                    actions.clear();
                    actions.extend(game.actions(world));
                    let chose = mover != seat && actions.len() > 1;
                    for at in 0..actions.len() {
                        if !looks_so(actions[at]) {
                            continue;
                        }
                        likelihoods.clear();
                        if chose {
                            let view = game.view(world, mover);
                            for kind in types.iter_mut() {
                                kind.policy.weigh(&Decision::new(game, mover, &view, actions), weights);
                                likelihoods.push(trust.likelihood(weights[at], actions.len()));
                            }
                        }
                        found(applied(game, world, actions[at]), 1.0, &likelihoods);
                    }
                }
            }
        })?;
        Some(after.at_most(MOST_FOLLOWED, rng))
    }
}

fn applied<G: Game>(game: &G, state: &G::State, action: G::Action) -> G::State {
    let mut next = state.clone();
    game.apply(&mut next, action);
    next
}
