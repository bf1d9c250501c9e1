//! A view as cells, and numbers of actions.

use parlor_core::{CellLayout, CellSymbol, Cells, Numbered, Place};

use super::board::End;
use super::rules::Spinner;
use super::state::Action;
use super::tile::Tile;
use super::view::View;
use super::{Dominoes, TileSet};

/// The symbols of the grid; [`CLOSED`] also lies beside it, as do the numbers from [`NUMBERS`] on.
const NO_TILE: u8 = 0;
const UNSEEN: u8 = 1;
const HAND: u8 = 2;
const TABLE: u8 = 3;
const OTHER_HAND: u8 = 4;
const CLOSED: u8 = 5;
const NUMBERS: u8 = 6;

/// The largest number that a cell can hold.
const MOST: u8 = 99;

/// The cells beside the grid.
const BESIDE: [&str; 16] = [
    "pips of the left end",
    "pips of the right end",
    "pips of the upper arm",
    "pips of the lower arm",
    "value of the left end",
    "value of the right end",
    "value of the upper arm",
    "value of the lower arm",
    "pips of the spinner",
    "own tiles",
    "tiles of the other seat",
    "tiles of the boneyard",
    "own score, hundreds",
    "own score, rest",
    "score of the other seat, hundreds",
    "score of the other seat, rest",
];

/// Returns the symbol of a number.
#[inline]
const fn number(n: u8) -> u8 {
    NUMBERS + if n < MOST { n } else { MOST }
}

impl Dominoes {
    /// Returns the number of columns and rows of the grid.
    #[inline]
    fn side(&self) -> usize {
        usize::from(self.rules.set) + 1
    }

    /// Returns the cell of a tile: the smaller half is the row, the larger one the column.
    #[inline]
    fn grid_cell(&self, tile: Tile) -> usize {
        usize::from(tile.low()) * self.side() + usize::from(tile.high())
    }

    /// Returns the number of ends that a tile can be put at under these rules, the empty table included.
    const fn ends(&self) -> usize {
        match self.rules.spinner {
            Spinner::None => 3,
            Spinner::FirstDouble | Spinner::FirstTile => 5,
        }
    }
}

/// The grid has a cell for each tile, row by the smaller half and column by the larger one; the cells below the diagonal are no
/// tiles. Ends, counts and scores lie beside it. Earlier draws and passes are not cells.
impl Cells for Dominoes {
    fn layout(&self) -> CellLayout {
        let grid = [
            (".", "not a tile"),
            ("?", "a tile that the seat has not seen"),
            ("h", "a tile in the own hand"),
            ("t", "a tile on the table"),
            ("o", "a tile in the hand of the other seat, shown at the end"),
            ("-", "closed"),
        ];
        let numbers = (0..=MOST).map(|n| CellSymbol::new(n.to_string(), format!("the number {n}")));
        let side = self.side() as u16;
        CellLayout {
            width: side,
            height: side,
            beside: BESIDE.map(str::to_owned).into(),
            symbols: grid
                .map(|(text, meaning)| CellSymbol::new(text, meaning))
                .into_iter()
                .chain(numbers)
                .collect(),
        }
    }

    #[inline]
    fn cells(&self, view: &View, out: &mut [u8]) {
        let side = self.side();
        assert_eq!(out.len(), side * side + BESIDE.len(), "one element for each cell");
        let (grid, beside) = out.split_at_mut(side * side);
        grid.fill(NO_TILE);
        let sets = [
            (UNSEEN, self.all),
            (HAND, view.hand),
            (TABLE, view.board.played()),
            (OTHER_HAND, view.shown.unwrap_or(TileSet::EMPTY)),
        ];
        for (symbol, set) in sets {
            for tile in set.tiles() {
                grid[self.grid_cell(tile)] = symbol;
            }
        }
        let (pips, rest) = beside.split_at_mut(End::PLACES.len());
        let (values, counts) = rest.split_at_mut(End::PLACES.len());
        for (place, end) in End::PLACES.into_iter().enumerate() {
            let open = view.board.end(end);
            pips[place] = open.map_or(CLOSED, |open| number(open.pips));
            values[place] = open.map_or(CLOSED, |open| number(open.value));
        }
        let score = |points: u16| [(points / 100).min(u16::from(MOST)) as u8, (points % 100) as u8];
        let [own, own_rest] = score(view.scores[view.seat]);
        let [other, other_rest] = score(view.scores[view.seat.other()]);
        counts[0] = view.board.spinner().map_or(CLOSED, number);
        let numbers = [view.hand.len(), view.other, view.boneyard, own, own_rest, other, other_rest];
        for (cell, n) in counts[1..].iter_mut().zip(numbers) {
            *cell = number(n);
        }
    }

    /// A play lies on the cell of its tile, and the kind is the end: 0 for the empty table, then left, right, up, down. A pass
    /// lies nowhere.
    #[inline]
    fn place(&self, _: &View, action: Action) -> Place {
        match action {
            Action::Play(tile, end) => {
                Place { kind: end as u16, ..Place::along([self.grid_cell(tile) as u16]) }
            }
            Action::Pass => Place::nowhere(0),
            other => panic!("{other:?} is not an action of a seat and has no place"),
        }
    }
}

/// A play has the number of its tile times the number of ends, plus the end as in its place; the pass comes last. Double-six has
/// 141 numbers; without a spinner there are only three ends, and 85 numbers.
impl Numbered for Dominoes {
    fn numbers(&self) -> usize {
        usize::from(self.all.len()) * self.ends() + 1
    }

    #[inline]
    fn number(&self, action: Action) -> usize {
        match action {
            Action::Play(tile, end) => tile.index() * self.ends() + end as usize,
            Action::Pass => self.numbers() - 1,
            other => panic!("{other:?} is not an action of a seat and has no number"),
        }
    }

    fn numbered(&self, number: usize) -> Option<Action> {
        const ENDS: [End; 5] = [End::Start, End::Left, End::Right, End::Up, End::Down];
        let pass = self.numbers() - 1;
        if number >= pass {
            return (number == pass).then_some(Action::Pass);
        }
        let tile = self.all.nth((number / self.ends()) as u32);
        Some(Action::Play(tile, ENDS[number % self.ends()]))
    }
}
