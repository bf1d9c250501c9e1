//! Exact margins of boards of up to 25 cells.

mod search;
mod symmetry;
#[cfg(test)]
mod tests;
mod windows;

use parlor_core::play::solve::{Exact, Progress, Resources, Solver, Unsolved};
use parlor_core::{Game, Position};

use super::{Board, Cell, Lines, TicTacToe};
use crate::board::bits::Word;
use crate::solving::{BoundsTable, NodeCounter};
use search::Search;
use symmetry::Images;
use windows::{MAX_CELLS, Node, Windows};

/// Side length from which two runs in a line can become one, so that taking a cell can cost a point.
const RUNS_CAN_JOIN: u8 = 7;

/// Positions with at most this number of free cells take some hundredths of a second, all moves together.
const QUICK_CELLS: u32 = 16;

/// Returns a solver for boards of this size.
#[must_use]
pub fn solver(game: &TicTacToe, resources: &Resources) -> Box<dyn Solver<TicTacToe>> {
    Box::new(TicTacToeSolver::new(game, resources))
}

/// Solver for boards of one size. Later questions reuse the bounds of earlier ones.
pub struct TicTacToeSolver {
    game: TicTacToe,
    windows: Windows,
    images: Images,
    table: BoundsTable<u64>,
}

impl TicTacToeSolver {
    /// Returns a solver that uses at most these resources. Boards out of reach are refused when a position is to be
    /// solved.
    #[must_use]
    pub fn new(game: &TicTacToe, resources: &Resources) -> Self {
        let (windows, images) = boards(game);
        TicTacToeSolver { game: game.clone(), windows, images, table: BoundsTable::new(resources.memory_mb) }
    }

    /// Clears the bounds of earlier questions.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    fn search<'a, 'p>(&'a mut self, progress: &'a mut Progress<'p>) -> GameSearch<'a, 'p> {
        let search = Search {
            windows: &self.windows,
            images: &self.images,
            table: &mut self.table,
            counter: NodeCounter::new(progress),
            cells: self.game.cells(),
        };
        GameSearch { game: &self.game, search }
    }
}

/// A search together with its game.
struct GameSearch<'a, 'p> {
    game: &'a TicTacToe,
    search: Search<'a, 'p>,
}

impl GameSearch<'_, '_> {
    /// Returns the margin of the side to move so far, and the board in the search's form.
    fn node(&self, board: &Board) -> (i32, Node) {
        let (mover, other) = sides(board);
        (margin(self.game, board), Node::new(self.search.windows, self.game.cells(), mover, other))
    }

    /// Returns the final margin. The search tests `guess` first.
    fn value(&mut self, board: &Board, guess: i32) -> Result<i32, Unsolved> {
        let (so_far, node) = self.node(board);
        let (mut least, mut most) = (-(node.other.potential() / 8), node.mover.open.len() as i32);
        let mut goal = (guess - so_far).clamp(least + 1, most.max(least + 1));
        while least < most {
            let value = self.search.search(node, goal);
            if self.search.counter.unless_cancelled(value)? >= goal {
                least = value;
                goal = least + 1;
            } else {
                most = value;
                goal = most;
            }
        }
        Ok(so_far + least)
    }

    fn reaches(&mut self, board: &Board, goal: i32) -> Result<bool, Unsolved> {
        let (so_far, node) = self.node(board);
        let value = self.search.search(node, goal - so_far);
        self.search.counter.unless_cancelled(value >= goal - so_far)
    }

    fn after(&self, board: &Board, cell: Cell) -> Board {
        let mut after = *board;
        self.game.apply(&mut after, cell);
        after
    }
}

impl Solver<TicTacToe> for TicTacToeSolver {
    fn unit(&self) -> &'static str {
        "points"
    }

    fn is_quick(&self, game: &TicTacToe, position: &Position<TicTacToe>) -> bool {
        fits(game).is_ok() && game.free(board_of(position)).len() <= QUICK_CELLS
    }

    fn solve(
        &mut self,
        game: &TicTacToe,
        position: &Position<TicTacToe>,
        progress: &mut Progress<'_>,
    ) -> Result<Exact<Cell>, Unsolved> {
        let board = board_of(position);
        if game.free(board) == 0 {
            return Ok(Exact { value: f64::from(margin(game, board)), best: Vec::new(), nodes: 0 });
        }
        self.begin(game)?;
        let mut search = self.search(progress);
        let value = search.value(board, 0)?;
        let mut best = Vec::new();
        let cells = game.cells();
        for cell in game.actions(board) {
            if !search.reaches(&search.after(board, cell), 1 - value)? {
                best.push(cell);
            }
            search.search.counter.done = f64::from(cell.0) / f64::from(cells);
        }
        Ok(Exact { value: f64::from(value), best, nodes: search.search.counter.nodes })
    }

    fn values(
        &mut self,
        game: &TicTacToe,
        position: &Position<TicTacToe>,
        progress: &mut Progress<'_>,
    ) -> Result<Vec<(Cell, f64)>, Unsolved> {
        let board = board_of(position);
        if game.free(board) == 0 {
            return Ok(Vec::new());
        }
        self.begin(game)?;
        let mut search = self.search(progress);
        let (mut values, mut guess) = (Vec::new(), 0);
        for cell in game.actions(board) {
            guess = search.value(&search.after(board, cell), guess)?;
            values.push((cell, f64::from(-guess)));
            search.search.counter.done = f64::from(cell.0) / f64::from(game.cells());
        }
        Ok(values)
    }
}

impl TicTacToeSolver {
    /// Switches to the size of `game`.
    fn begin(&mut self, game: &TicTacToe) -> Result<(), Unsolved> {
        fits(game).map_err(Unsolved::OutOfReach)?;
        if self.game != *game {
            self.clear();
            self.game = game.clone();
            (self.windows, self.images) = boards(game);
        }
        Ok(())
    }
}

fn board_of(position: &Position<TicTacToe>) -> &Board {
    match position {
        Position::State(board) | Position::View(board) => board,
    }
}

/// Returns the cells of the side to move and those of the other.
fn sides(board: &Board) -> (u64, u64) {
    let x_moves = (board.x | board.o).len() & 1 == 0;
    if x_moves { (board.x, board.o) } else { (board.o, board.x) }
}

/// Returns the margin of the side to move so far.
fn margin(game: &TicTacToe, board: &Board) -> i32 {
    let (mover, other) = sides(board);
    game.points(mover) as i32 - game.points(other) as i32
}

/// Returns why a board is out of reach, if it is.
fn fits(game: &TicTacToe) -> Result<(), String> {
    if game.cells() > MAX_CELLS {
        return Err(format!(
            "a board of {} cells is too large to solve; the largest has {MAX_CELLS}",
            game.cells()
        ));
    }
    if game.lines == Lines::Runs && game.rows.max(game.columns) >= RUNS_CAN_JOIN {
        return Err(format!(
            "with lines=runs a side of {RUNS_CAN_JOIN} or more cannot be solved: two runs can become one there"
        ));
    }
    Ok(())
}

/// Returns the tables of a board's search; empty ones for a board that is out of reach.
fn boards(game: &TicTacToe) -> (Windows, Images) {
    if fits(game).is_ok() { (Windows::new(game), Images::new(game)) } else { Default::default() }
}
