//! The random player of "Dominating Dominoes".

use parlor_core::{Agent, Context, Decision, Policy};

use crate::dominoes::{Action, Dominoes, Tile, TileSet};

/// Chooses uniformly among the tiles that can be played, then uniformly among the places where the tile fits.
///
/// This differs from a uniform choice among moves, where a tile that fits at three places is three times as likely as
/// a tile that fits at one.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct TileRandom;

fn tile_of(action: Action) -> Option<Tile> {
    if let Action::Play(tile, _) = action { Some(tile) } else { None }
}

impl Agent<Dominoes> for TileRandom {
    fn act(&mut self, decision: &Decision<'_, Dominoes>, context: &mut Context<'_, Dominoes>) -> Action {
        let tiles: TileSet = decision.actions.iter().filter_map(|&action| tile_of(action)).collect();
        if tiles.is_empty() {
            return decision.actions[0];
        }
        let tile = tiles.nth(context.rng.below(u32::from(tiles.len())));
        let places = || decision.actions.iter().filter(|&&action| tile_of(action) == Some(tile));
        let place = context.rng.below(places().count() as u32);
        *places().nth(place as usize).expect("the tile was taken from the actions")
    }
}

impl Policy<Dominoes> for TileRandom {
    fn weigh(&mut self, decision: &Decision<'_, Dominoes>, weights: &mut Vec<f64>) {
        let tiles: TileSet = decision.actions.iter().filter_map(|&action| tile_of(action)).collect();
        weights.clear();
        weights.extend(decision.actions.iter().map(|&action| {
            let places = decision.actions.iter().filter(|&&other| tile_of(other) == tile_of(action)).count();
            // A pass is the only action and has no tile.
            1.0 / (f64::from(tiles.len().max(1)) * places as f64)
        }));
    }
}
