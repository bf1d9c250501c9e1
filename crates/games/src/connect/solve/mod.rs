//! Exact values of boards: the algorithm of P. Pons' solver, except that a node passes on what it knows about its
//! moves to its children, that replies are looked up before any is searched, and that quick ends are sought first.

mod search;
#[cfg(test)]
mod tests;

use parlor_core::play::solve::{Exact, Progress, Resources, Solver, Unsolved};
use parlor_core::{Budget, Cancel, Deadline, Game, Position};

use super::{Board, Column, Connect};
use crate::board::bits::Word;
use crate::solving::{BoundsTable, NodeCounter};
use search::{Node, Search};

/// Positions with at most this number of free cells take some hundredths of a second, all moves together.
const QUICK_CELLS: u32 = 26;

/// With more free cells than this only a short search is tried. The start of 7×6 has 42 and takes minutes; each two cells more take about
/// four times as long.
const MAX_CELLS_FOR_LONG_SEARCH: u32 = 50;

/// The number of discs within which wins and losses are sought first. Of 0, 3, 5, 7, 9, 11 and 20, 7 takes the fewest
/// nodes on the easy sets of P. Pons (0.29 of those without on begin-easy) and as many as 0 on the others.
const QUICK_ENDS: u32 = 7;

/// The maximum number of nodes of a short search: takes some hundredths of a second.
const SHORT_SEARCH_NODES: u64 = 1 << 19;

/// Returns a solver for boards of this size.
#[must_use]
pub fn solver<W: Word>(game: &Connect<W>, resources: &Resources) -> Box<dyn Solver<Connect<W>>> {
    Box::new(ConnectSolver::new(game, resources))
}

/// Solver for boards of one size. Later questions reuse the bounds of earlier ones.
pub struct ConnectSolver<W> {
    game: Connect<W>,
    table: BoundsTable<W>,
    /// The columns from the middle outwards.
    columns: Vec<W>,
}

impl<W: Word> ConnectSolver<W> {
    /// Returns a solver that uses at most these resources.
    #[must_use]
    pub fn new(game: &Connect<W>, resources: &Resources) -> Self {
        ConnectSolver {
            game: game.clone(),
            table: BoundsTable::new(resources.memory_mb),
            columns: columns(game),
        }
    }

    /// Switches to the size of `game`, because boards of another size have other keys.
    fn begin(&mut self, game: &Connect<W>) {
        if self.game != *game {
            self.clear();
            (self.game, self.columns) = (game.clone(), columns(game));
        }
    }

    /// Clears the bounds of earlier questions.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Returns the value of a board for the side to move, and the number of nodes searched.
    ///
    /// # Errors
    /// If the computation was cancelled.
    pub fn value(&mut self, board: &Board<W>, progress: &mut Progress<'_>) -> Result<(i32, u64), Unsolved> {
        self.ask(board, progress, &Budget::default(), Request::Value)
            .map(|answer| (answer.value, answer.nodes))
    }

    fn ask(
        &mut self,
        board: &Board<W>,
        progress: &mut Progress<'_>,
        budget: &Budget,
        request: Request,
    ) -> Result<Solution, Unsolved> {
        let free = (self.game.board & !self.game.taken(board)).len();
        if self.game.usual && self.game.row == 4 {
            self.search::<true>(free, progress, budget).answer(board, request)
        } else {
            self.search::<false>(free, progress, budget).answer(board, request)
        }
    }

    fn search<'a, 'p, const USUAL: bool>(
        &'a mut self,
        free: u32,
        progress: &'a mut Progress<'p>,
        budget: &Budget,
    ) -> Search<'a, 'p, W, USUAL> {
        let mut counter = NodeCounter::new(progress);
        counter = counter.until(Deadline::after(budget.time, None));
        if let Some(most) = budget.nodes {
            counter = counter.limited(most, format!("the value takes more than {most} nodes"));
        }
        if free > MAX_CELLS_FOR_LONG_SEARCH {
            let why = format!(
                "out of reach: {free} cells are free, and a short search finds no answer; a long one is tried with up to {MAX_CELLS_FOR_LONG_SEARCH} free cells (7×6 has 42)"
            );
            counter = counter.limited(SHORT_SEARCH_NODES.min(budget.nodes.unwrap_or(u64::MAX)), why);
        }
        Search {
            game: &self.game,
            table: &mut self.table,
            counter,
            columns: &self.columns,
            uppers: (0..self.game.height)
                .rev()
                .step_by(2)
                .fold(W::ZERO, |cells, row| cells | self.game.bottom << u32::from(row)),
            cells: i32::from(self.game.width) * i32::from(self.game.height),
        }
    }
}

/// Returns the columns from the middle outwards.
fn columns<W: Word>(game: &Connect<W>) -> Vec<W> {
    let mut order: Vec<u32> = (0..u32::from(game.width)).collect();
    order.sort_by_key(|&column| (2 * column + 1).abs_diff(u32::from(game.width)));
    order.iter().map(|column| game.column << (column * game.stride())).collect()
}

/// The values to compute for a board.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Request {
    Value,
    /// Also a move that keeps the value.
    Move,
    /// Also the moves that keep the value.
    Best,
    /// Also the value of each move.
    Each,
}

/// The value of a board, and the values of the requested moves.
struct Solution {
    value: i32,
    moves: Vec<(Column, i32)>,
    nodes: u64,
}

impl From<Solution> for Exact<Column> {
    fn from(Solution { value, moves, nodes }: Solution) -> Self {
        Exact { value: f64::from(value), best: moves.iter().map(|&(column, _)| column).collect(), nodes }
    }
}

impl<W: Word, const USUAL: bool> Search<'_, '_, W, USUAL> {
    fn answer(&mut self, board: &Board<W>, request: Request) -> Result<Solution, Unsolved> {
        let mut moves = Vec::new();
        if request == Request::Each {
            for column in self.game.actions(board) {
                moves.push((column, -self.value(&self.after_move(board, column))?));
            }
        }
        let value = match moves.iter().map(|&(_, value)| value).max() {
            Some(value) => value,
            None => self.value(board)?,
        };
        if request == Request::Best {
            for column in self.game.actions(board) {
                if !self.reaches(&self.after_move(board, column), 1 - value)? {
                    moves.push((column, value));
                }
            }
        }
        if request == Request::Move && !self.game.is_over(board) {
            // From the middle outwards, so that it does not depend on what the table holds.
            let stride = self.game.stride();
            for cells in self.columns {
                let column = Column((cells.lowest() / stride) as u8);
                if (self.game.top & *cells & !board.taken).is_empty() {
                    continue;
                }
                if !self.reaches(&self.after_move(board, column), 1 - value)? {
                    moves.push((column, value));
                    break;
                }
            }
        }
        Ok(Solution { value, moves, nodes: self.counter.nodes })
    }

    fn after_move(&self, board: &Board<W>, column: Column) -> Board<W> {
        let mut after = *board;
        self.game.apply(&mut after, column);
        after
    }

    /// Returns the node of a board, or its value if there is nothing to search.
    fn node(&self, board: &Board<W>) -> Result<(Node<W>, i32), i32> {
        let (mover, taken) = (board.mover, self.game.taken(board));
        let discs = taken.len() as i32;
        if self.game.is_over(board) {
            return Err(if self.game.winner(board).is_some() { -(self.cells + 2 - discs) / 2 } else { 0 });
        }
        let left = self.cells - discs;
        if !(self.completing(mover, taken) & self.playable(taken)).is_empty() {
            return Err((left + 1) / 2);
        }
        let safe = self.safe(taken, self.completing(taken ^ mover, taken));
        if safe.is_empty() { Err(-left / 2) } else { Ok((Node { mover, taken, safe }, discs)) }
    }

    fn value(&mut self, board: &Board<W>) -> Result<i32, Unsolved> {
        let (node, discs) = match self.node(board) {
            Ok(node) => node,
            Err(value) => return Ok(value),
        };
        let left = self.cells - discs;
        let (mut least, mut most) = (-((left - 2) / 2), (left - 1) / 2);
        // Quick wins and losses, the soonest first: such a search is shallow, and most wins are quick.
        for _ in 0..QUICK_ENDS {
            if least >= most {
                break;
            }
            let value = self.test(node, discs, most)?;
            if value >= most {
                return Ok(value);
            }
            most = value;
            if least >= most {
                break;
            }
            let value = self.test(node, discs, least + 1)?;
            if value <= least {
                return Ok(value);
            }
            least = value;
        }
        while least < most {
            // Goals far from 0 first: they are decided sooner, and their bounds help the next ones.
            let middle = least + (most - least) / 2;
            let goal = if middle <= 0 && least / 2 < middle {
                least / 2 + 1
            } else if middle >= 0 && most / 2 > middle {
                most / 2 + 1
            } else {
                middle + 1
            };
            let value = self.test(node, discs, goal)?;
            if value >= goal {
                least = value;
            } else {
                most = value;
            }
        }
        Ok(least)
    }

    fn reaches(&mut self, board: &Board<W>, goal: i32) -> Result<bool, Unsolved> {
        match self.node(board) {
            Ok((node, discs)) => Ok(self.test(node, discs, goal)? >= goal),
            Err(value) => Ok(value >= goal),
        }
    }

    fn test(&mut self, node: Node<W>, discs: i32, goal: i32) -> Result<i32, Unsolved> {
        let value = self.search(node, discs, goal);
        self.counter.unless_cancelled(value)
    }
}

impl<W: Word> Solver<Connect<W>> for ConnectSolver<W> {
    fn unit(&self) -> &'static str {
        "discs"
    }

    fn is_quick(&self, game: &Connect<W>, position: &Position<Connect<W>>) -> bool {
        (game.board & !game.taken(board_of(position))).len() <= QUICK_CELLS
    }

    fn solve(
        &mut self,
        game: &Connect<W>,
        position: &Position<Connect<W>>,
        progress: &mut Progress<'_>,
    ) -> Result<Exact<Column>, Unsolved> {
        self.begin(game);
        self.ask(board_of(position), progress, &Budget::default(), Request::Best).map(Exact::from)
    }

    fn best_action(
        &mut self,
        game: &Connect<W>,
        position: &Position<Connect<W>>,
        budget: &Budget,
        cancel: &Cancel,
    ) -> Result<Exact<Column>, Unsolved> {
        self.begin(game);
        let mut progress = Progress { cancel, report: &mut |_| {} };
        self.ask(board_of(position), &mut progress, budget, Request::Move).map(Exact::from)
    }

    fn values(
        &mut self,
        game: &Connect<W>,
        position: &Position<Connect<W>>,
        progress: &mut Progress<'_>,
    ) -> Result<Vec<(Column, f64)>, Unsolved> {
        self.begin(game);
        let answer = self.ask(board_of(position), progress, &Budget::default(), Request::Each)?;
        Ok(answer.moves.iter().map(|&(column, value)| (column, f64::from(value))).collect())
    }
}

fn board_of<W: Word>(position: &Position<Connect<W>>) -> &Board<W> {
    match position {
        Position::State(board) | Position::View(board) => board,
    }
}
