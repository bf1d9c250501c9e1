//! The deals of a stage.

use parlor_core::{BySeat, Seat};

use super::Dominoes;
use super::state::State;
use super::tile::{Tile, TileSet};

impl Dominoes {
    /// Returns the number of deals: the tiles of each hand and of the boneyard, in no order. Equation 2 of Myers
    /// 2014.
    #[must_use]
    pub fn deals(&self) -> u128 {
        let (tiles, hand) = (u128::from(self.all.len()), u128::from(self.rules.hand));
        choose(tiles, hand) * choose(tiles - hand, hand)
    }

    /// Returns every deal, ordered by the first hand and then the second, each by the numbers of its tiles. Seat 0
    /// leads unless the rules determine the leader.
    pub fn all_deals(&self) -> impl Iterator<Item = State> + '_ {
        let hand = self.rules.hand;
        subsets(self.all, hand).flat_map(move |first| {
            let seconds = subsets(self.all - first, hand);
            seconds.map(move |second| {
                self.dealt(BySeat([first, second])).expect("two hands that are apart are a deal")
            })
        })
    }

    /// Returns the leader of a stage that has been dealt.
    pub(super) fn leader_of(state: &State) -> Seat {
        state.leader.unwrap_or(Seat::FIRST)
    }
}

/// Returns the number of ways to choose `some` of `all` things.
fn choose(all: u128, some: u128) -> u128 {
    // Every product of the first factors is itself a binomial coefficient, so each division is exact.
    (0..some).fold(1, |ways, at| ways * (all - at) / (at + 1))
}

/// Returns every set of `size` tiles out of `all`.
fn subsets(all: TileSet, size: u8) -> impl Iterator<Item = TileSet> {
    let tiles: Vec<Tile> = all.tiles().collect();
    let mut chosen: Option<Vec<usize>> =
        (usize::from(size) <= tiles.len()).then(|| (0..usize::from(size)).collect());
    std::iter::from_fn(move || {
        let now = chosen.clone()?;
        // The last tile that can move on does, and those after it follow directly.
        let movable = (0..now.len()).rev().find(|&at| now[at] + now.len() - at < tiles.len());
        chosen = movable.map(|at| {
            let mut next = now.clone();
            let from = now[at] + 1;
            next[at..].iter_mut().zip(from..).for_each(|(slot, tile)| *slot = tile);
            next
        });
        Some(now.iter().map(|&at| tiles[at]).collect())
    })
}
