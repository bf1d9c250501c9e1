//! How fast are boards read: the odds of their mines counted, their views written as cells?

use std::time::{Duration, Instant};

use super::timed;

/// Boards whose mine odds are counted, in positions that come up in play and in which a guess is due.
pub(super) const ODDS: &[&str] = &[
    "minesweeper(rows=9, columns=9, mines=10, first=safe)",
    "minesweeper(rows=16, columns=16, mines=40, first=safe)",
    "minesweeper(rows=16, columns=30, mines=99, first=safe)",
];

/// Boards whose views are written as cells.
pub(super) const CELLS: &[&str] = &[
    "tictactoe",
    "minesweeper(rows=4, columns=4)",
    "connect(width=7, height=6)",
    "checkers",
    "darkchess",
    "dominoes",
    "minesweeper(rows=16, columns=30, mines=99, first=safe)",
];

/// Number of positions that are timed together.
const COUNTED_BOARDS: usize = 200;
/// Number of views that are written together.
const WRITTEN_VIEWS: usize = 2_000;

/// Boards a second whose mine odds are counted, from the fastest of several runs over the same boards.
pub(super) fn counted(game: &str, budget: Duration) -> anyhow::Result<f64> {
    let boards = parlor_catalog::open(game)?.odds()?.workload(1, COUNTED_BOARDS);
    let started = Instant::now();
    let mut best = 0.0_f64;
    while best == 0.0 || started.elapsed() < budget {
        best = best.max(COUNTED_BOARDS as f64 / timed(|| boards.count()).as_secs_f64());
    }
    Ok(best)
}

/// Views a second that are written as cells, from the fastest of several runs over the same views.
pub(super) fn written(game: &str, budget: Duration) -> anyhow::Result<f64> {
    let mut views = parlor_catalog::open(game)?.cells()?.workload(1, WRITTEN_VIEWS);
    let started = Instant::now();
    let mut best = 0.0_f64;
    while best == 0.0 || started.elapsed() < budget {
        best = best.max(WRITTEN_VIEWS as f64 / timed(|| views.write_all()).as_secs_f64());
    }
    Ok(best)
}
