//! Minesweeper on any board of up to 512 cells, for one player.
//!
//! After Jackson 2009 (FABLE), section on minesweeper: a fifth of the cells are mines, they are laid before the first
//! click, which may lose, and a 0 opens its neighbours. Two more lenient rules for the first click are options.

mod afterstates;
mod count;
mod entry;
mod imagine;
mod layout;
mod listed;
mod notation;
pub mod odds;
mod people;
pub mod perfect;
pub mod players;
mod stimulus;
mod view;

use parlor_core::{Game, Payoffs, Phase, Range, Rng, Seat};

pub use count::{Ahead, Layouts, Prospect};
pub use notation::Sheet;
pub use perfect::solver;
pub use stimulus::Codec;
pub use view::{Status, View};

use crate::board::bits::{Cells, Word};

/// The largest side of a board.
pub const MAX_SIDE: u8 = 32;

/// The largest number of cells.
pub const MAX_CELLS: u16 = 512;

/// Number of random cells to try before one is drawn from a set; on a board that is mostly covered, one try suffices.
const BLIND_TRIES: u32 = 4;

/// Rule for the first click.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum First {
    /// Mines are laid before the first click, which may lose.
    Any,
    /// Mines are laid after the first click, which is never one of them.
    Safe,
    /// Mines are laid after the first click, neither there nor beside it, so it shows a 0.
    Clear,
}

/// The rules: one seat opens cells until it hits a mine or has opened every other cell.
///
/// Cells are numbered row by row from the top left, and cell *i* is bit *i*. On 3×4:
///
/// ```text
///    0  1  2  3
///    4  5  6  7
///    8  9 10 11
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Minesweeper<W> {
    rows: u8,
    columns: u8,
    mines: u16,
    first: First,
    board: W,
    /// The cells with a neighbour on their left.
    has_left: W,
    /// The cells with a neighbour on their right.
    has_right: W,
}

/// The hidden state: the mines and the opened cells.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Field<W> {
    mines: W,
    /// Opened cells without a mine. While mines are laid after the first click, that click.
    opened: W,
    stage: Stage,
}

/// Stage of a match; it follows from the rest of a [`Field`] and saves counting at every ply.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
enum Stage {
    /// Waiting for the first click, after which mines are laid.
    First,
    /// Laying mines; this number is left.
    Laying(u16),
    /// Waiting for clicks; this number of safe cells is covered.
    Playing(u16),
    /// Over: this cell was clicked and is a mine.
    Lost(u16),
    /// Over: every safe cell is open.
    Won,
}

/// An action of the player or of chance.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// The player opens a cell.
    Click(u16),
    /// Chance lays a mine in a cell.
    Mine(u16),
}

impl<W: Word> Minesweeper<W> {
    /// Returns the game; `None` if the board does not fit the word or [`MAX_SIDE`], or if it does not have at least
    /// one mine and room for all of them after any first click.
    #[must_use]
    pub fn new(rows: u8, columns: u8, mines: u16, first: First) -> Option<Self> {
        let sides = 1..=MAX_SIDE;
        if !sides.contains(&rows) || !sides.contains(&columns) {
            return None;
        }
        let cells = u16::from(rows) * u16::from(columns);
        if cells > MAX_CELLS
            || u32::from(cells) > W::BITS
            || !(1..=room(rows, columns, first)).contains(&mines)
        {
            return None;
        }
        let board = W::first(u32::from(cells));
        let column = |at: u8| {
            (0..rows)
                .fold(W::ZERO, |set, row| set | W::bit(u32::from(row) * u32::from(columns) + u32::from(at)))
        };
        let (has_left, has_right) = (board & !column(0), board & !column(columns - 1));
        Some(Minesweeper { rows, columns, mines, first, board, has_left, has_right })
    }

    /// Returns the number of rows.
    #[must_use]
    pub const fn rows(&self) -> u8 {
        self.rows
    }

    /// Returns the number of columns.
    #[must_use]
    pub const fn columns(&self) -> u8 {
        self.columns
    }

    /// Returns the number of cells.
    #[must_use]
    pub const fn cells(&self) -> u16 {
        self.rows as u16 * self.columns as u16
    }

    /// Returns the number of mines.
    #[must_use]
    pub const fn mines(&self) -> u16 {
        self.mines
    }

    /// Returns the rule for the first click.
    #[must_use]
    pub const fn first(&self) -> First {
        self.first
    }

    /// Returns every cell of the board.
    #[must_use]
    pub const fn board(&self) -> W {
        self.board
    }

    /// Returns `cells` and all their neighbours.
    #[inline]
    #[must_use]
    pub fn around(&self, cells: W) -> W {
        let row = cells | ((cells & self.has_right) << 1) | ((cells & self.has_left) >> 1);
        let columns = u32::from(self.columns);
        (row | (row << columns) | (row >> columns)) & self.board
    }

    /// Returns the neighbours of a cell.
    #[inline]
    #[must_use]
    pub fn neighbours(&self, cell: u16) -> W {
        let cell = W::bit(u32::from(cell));
        self.around(cell) & !cell
    }

    /// Returns bit planes of the number of mines beside each cell: bit *i* of plane *p* is worth 2ᵖ for cell *i*.
    fn numbers(&self, mines: W) -> [W; 4] {
        let columns = u32::from(self.columns);
        let (from_left, from_right) = ((mines & self.has_right) << 1, (mines & self.has_left) >> 1);
        let three = [from_left, mines, from_right];
        let sides = [from_left, from_right];
        let shifted =
            sides.into_iter().chain(three.map(|set| set << columns)).chain(three.map(|set| set >> columns));
        let mut planes = [W::ZERO; 4];
        for mut carry in shifted {
            for plane in &mut planes {
                let sum = *plane ^ carry;
                carry &= *plane;
                *plane = sum;
            }
        }
        planes.map(|plane| plane & self.board)
    }

    /// Returns the cells that a click on `cell`, which is not a mine, opens: the cell itself, around a 0 its
    /// neighbours, and so on.
    #[inline]
    fn flood(&self, mines: W, cell: W) -> W {
        let mut open = cell;
        if !(self.around(cell) & mines).is_empty() {
            return open;
        }
        let zeros = !self.around(mines);
        loop {
            let wider = open | self.around(open & zeros);
            if wider == open {
                return open;
            }
            open = wider;
        }
    }

    /// Returns the cells that can receive the next mine.
    #[inline]
    fn room_for_mine(&self, field: &Field<W>) -> W {
        let kept_free = match self.first {
            First::Any => W::ZERO,
            First::Safe => field.opened,
            First::Clear => self.around(field.opened),
        };
        self.board & !kept_free & !field.mines
    }

    /// Opens the cells that a click on `cell`, which is not a mine, opens.
    #[inline]
    fn uncover(&self, field: &mut Field<W>, cell: W) {
        field.opened |= self.flood(field.mines, cell);
        let safe = self.cells() - self.mines;
        let left = safe - field.opened.len() as u16;
        field.stage = if left == 0 { Stage::Won } else { Stage::Playing(left) };
    }

    /// Returns one of `cells`, each equally likely. The set must not be empty.
    #[inline]
    fn any_of(&self, cells: W, rng: &mut Rng) -> u16 {
        // A random cell of the board is mostly in the set, and faster to find than the n-th of the set.
        for _ in 0..BLIND_TRIES {
            let cell = rng.below(u32::from(self.cells()));
            if cells.has(cell) {
                return cell as u16;
            }
        }
        cells.nth(rng.below(cells.len())) as u16
    }

    /// Returns the cells that the seat may click.
    #[inline]
    fn clickable(&self, field: &Field<W>) -> W {
        match field.stage {
            Stage::First | Stage::Playing(_) => self.board & !field.opened,
            _ => W::ZERO,
        }
    }
}

/// Returns the largest number of mines that a board has room for after any first click; 0 if it is too small for any.
fn room(rows: u8, columns: u8, first: First) -> u16 {
    let cells = u16::from(rows) * u16::from(columns);
    let kept_free = match first {
        First::Any | First::Safe => 1,
        First::Clear => u16::from(rows.min(3)) * u16::from(columns.min(3)),
    };
    cells.saturating_sub(kept_free)
}

impl<W: Word> Game for Minesweeper<W> {
    type State = Field<W>;
    type Action = Action;
    type View = View<W>;

    fn seats(&self) -> u8 {
        1
    }

    #[inline]
    fn start(&self) -> Field<W> {
        let stage = if self.first == First::Any { Stage::Laying(self.mines) } else { Stage::First };
        Field { mines: W::ZERO, opened: W::ZERO, stage }
    }

    #[inline]
    fn phase(&self, field: &Field<W>) -> Phase {
        match field.stage {
            Stage::First | Stage::Playing(_) => Phase::Decide(Seat::FIRST),
            Stage::Laying(_) => Phase::Chance,
            Stage::Lost(_) | Stage::Won => Phase::Over,
        }
    }

    #[inline]
    fn actions(&self, field: &Field<W>) -> impl ExactSizeIterator<Item = Action> {
        Clicks(self.clickable(field).cells())
    }

    #[inline]
    fn chances(&self, field: &Field<W>) -> impl Iterator<Item = (Action, f64)> {
        let room = match field.stage {
            Stage::Laying(_) => self.room_for_mine(field),
            _ => W::ZERO,
        };
        let weight = 1.0 / f64::from(room.len());
        room.cells().map(move |cell| (Action::Mine(cell as u16), weight))
    }

    #[inline]
    fn apply(&self, field: &mut Field<W>, action: Action) {
        match (action, field.stage) {
            (Action::Mine(cell), Stage::Laying(left)) => {
                field.mines |= W::bit(u32::from(cell));
                if left > 1 {
                    field.stage = Stage::Laying(left - 1);
                } else if field.opened.is_empty() {
                    field.stage = Stage::Playing(self.cells() - self.mines);
                } else {
                    // The first click was pending until all mines were laid.
                    self.uncover(field, field.opened);
                }
            }
            (Action::Click(cell), Stage::First) => {
                field.opened = W::bit(u32::from(cell));
                field.stage = Stage::Laying(self.mines);
            }
            (Action::Click(cell), _) if field.mines.has(u32::from(cell)) => field.stage = Stage::Lost(cell),
            (Action::Click(cell), _) => self.uncover(field, W::bit(u32::from(cell))),
            (Action::Mine(_), _) => unreachable!("mines are laid while they are being laid"),
        }
    }

    #[inline]
    fn payoffs(&self, field: &Field<W>) -> Payoffs {
        Payoffs::solitary(if field.stage == Stage::Won { 1.0 } else { 0.0 })
    }

    fn range(&self) -> Range {
        Range { low: 0.0, high: 1.0, sum: None }
    }

    fn view(&self, field: &Field<W>, _: Seat) -> View<W> {
        let status = match field.stage {
            Stage::First | Stage::Playing(_) => Status::ToMove,
            Stage::Laying(_) => Status::Laying,
            Stage::Lost(cell) => Status::Lost(cell),
            Stage::Won => Status::Won,
        };
        // While mines are being laid, numbers are hidden.
        let mines = if status == Status::Laying { W::ZERO } else { field.mines };
        View::new(field.opened, self.numbers(mines), status)
    }

    /// Clicks are visible, mines are not, not even the fact that one was laid.
    fn seen(&self, _: &Field<W>, action: Action, _: Seat) -> Option<Action> {
        match action {
            Action::Click(_) => Some(action),
            Action::Mine(_) => None,
        }
    }

    #[inline]
    fn pick(&self, field: &Field<W>, rng: &mut Rng) -> Action {
        Action::Click(self.any_of(self.clickable(field), rng))
    }

    #[inline]
    fn sample(&self, field: &Field<W>, rng: &mut Rng) -> Action {
        Action::Mine(self.any_of(self.room_for_mine(field), rng))
    }
}

/// Cells as clicks.
struct Clicks<W>(Cells<W>);

impl<W: Word> Iterator for Clicks<W> {
    type Item = Action;
    #[inline]
    fn next(&mut self) -> Option<Action> {
        self.0.next().map(|cell| Action::Click(cell as u16))
    }
    #[inline]
    fn nth(&mut self, n: usize) -> Option<Action> {
        self.0.nth(n).map(|cell| Action::Click(cell as u16))
    }
    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<W: Word> ExactSizeIterator for Clicks<W> {}

#[cfg(test)]
mod tests;
