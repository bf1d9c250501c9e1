//! The plays that score on a board, by what they score.

use super::board::{Board, End, OpenEnd};
use super::holdings::Odds;
use super::tile::{MAX_PIPS, Tile, TileSet};

/// The largest count of a board of four ends, in steps of five.
pub(super) const STEPS: usize = 4 * 18 / 5 + 1;

/// Returns the tiles among `tiles` that can score on a board: at index *i* those that can make a count of 5·*i*.
pub(super) fn scorers(board: &Board, tiles: TileSet) -> [TileSet; STEPS] {
    let mut steps = [TileSet::EMPTY; STEPS];
    for open in board.open() {
        let rest = rest_of(board, open);
        let mut add = |outer: u8, value: u8| {
            let tile = Tile::new(open.pips, outer).map_or(TileSet::EMPTY, TileSet::from);
            steps[usize::from((rest + value) / 5)] |= tiles & tile;
        };
        if (rest + 2 * open.pips).is_multiple_of(5) {
            add(open.pips, 2 * open.pips);
        }
        // Only every fifth value completes a multiple of five.
        let first = (5 - rest % 5) % 5;
        for outer in (first..=MAX_PIPS).step_by(5).filter(|&outer| outer != open.pips) {
            add(outer, outer);
        }
    }
    steps
}

/// Returns the mean of `value` over the points of the other seat's best reply, given the tiles that [`scorers`] found among the hidden
/// ones.
pub(super) fn mean_best(odds: &Odds, steps: &[TileSet; STEPS], value: impl Fn(f64) -> f64) -> f64 {
    let mut better = TileSet::EMPTY;
    let mut none_better = 1.0;
    let mut mean = 0.0;
    for (step, &tiles) in steps.iter().enumerate().skip(1).rev().filter(|(_, tiles)| !tiles.is_empty()) {
        better |= tiles;
        let none = odds.lacks(better);
        mean += (none_better - none) * value(5.0 * step as f64);
        none_better = none;
    }
    mean
}

/// Upper bound of the points of a reply.
pub(super) const MAX_REPLY: f64 = 5.0 * (STEPS - 1) as f64;

/// Returns the tiles of the largest set that score at an open end.
pub(super) fn fives_at(board: &Board, open: OpenEnd) -> TileSet {
    let rest = rest_of(board, open);
    let scores = |outer: &u8| {
        let value = if *outer == open.pips { 2 * outer } else { *outer };
        (rest + value).is_multiple_of(5) && rest + value > 0
    };
    (0..=MAX_PIPS).filter(scores).filter_map(|outer| Tile::new(open.pips, outer)).collect()
}

/// Returns the board count without an open end.
fn rest_of(board: &Board, open: OpenEnd) -> u8 {
    let value = if board.is_lone() && open.end == End::Left { 0 } else { open.value };
    board.count() - value
}
