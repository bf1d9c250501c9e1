//! A view as a grid of symbols, and where an action lies on it: for learners that know no game, and for other languages.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use crate::rules::game::Game;
use crate::rules::symmetry::Symmetry;

/// The largest number of cells that one action covers: the start and 25 landing squares of a jump on the largest board of
/// checkers.
pub const MAX_PATH: usize = 26;

/// A symbol of a cell.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CellSymbol {
    /// A short text for grids, at most three characters without white space: `X`, `12`.
    pub text: String,
    /// What it means, in words: `a disc of the first seat`.
    pub meaning: String,
}

impl CellSymbol {
    /// Returns a symbol.
    pub fn new(text: impl Into<String>, meaning: impl Into<String>) -> Self {
        CellSymbol { text: text.into(), meaning: meaning.into() }
    }
}

/// The shape of the cells of a game: a grid and further cells beside it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CellLayout {
    /// Number of columns of the grid.
    pub width: u16,
    /// Number of rows of the grid.
    pub height: u16,
    /// The names of the cells beside the grid, such as a count or a score.
    pub beside: Vec<String>,
    /// The symbols; a cell holds a place in this list. At most 255.
    pub symbols: Vec<CellSymbol>,
}

impl CellLayout {
    /// Returns the number of cells of the grid.
    #[must_use]
    pub fn grid(&self) -> usize {
        usize::from(self.width) * usize::from(self.height)
    }

    /// Returns the number of all cells: the grid and those beside it.
    #[must_use]
    pub fn count(&self) -> usize {
        self.grid() + self.beside.len()
    }
}

/// Where an action lies on the grid.
///
/// The path and the kind together identify the action among the legal actions of its view. Two actions of different views with
/// equal places do the same thing to the same cells.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Place {
    /// The cells of the grid that the action covers, in its order: the cell that is taken, or each cell of a path. Empty for an
    /// action that lies nowhere, such as a pass.
    pub cells: ArrayVec<u16, MAX_PATH>,
    /// Distinguishes actions on the same cells; 0 where nothing needs distinguishing.
    pub kind: u16,
}

impl Place {
    /// Returns the place of an action of kind 0 along a path.
    ///
    /// # Panics
    /// If the path is longer than [`MAX_PATH`].
    pub fn along(path: impl IntoIterator<Item = u16>) -> Self {
        Place { cells: path.into_iter().collect(), kind: 0 }
    }

    /// Returns the place of an action that does not touch the grid.
    #[must_use]
    pub fn nowhere(kind: u16) -> Self {
        Place { cells: ArrayVec::new(), kind }
    }

    /// Returns the place in the image of the grid; the kind is unchanged.
    #[must_use]
    pub fn image(&self, symmetry: Symmetry, width: u16, height: u16) -> Self {
        let cells = self.cells.iter().map(|&cell| symmetry.apply(cell, width, height)).collect();
        Place { cells, kind: self.kind }
    }
}

/// A game whose views can be shown as a grid of symbols with further cells beside it.
///
/// The cells are what a person in that seat has before them: a snapshot, in which earlier events that left no trace do not occur.
/// They come from the view alone, so they cannot show anything that is hidden from the seat. Symbols are absolute: a disc of the
/// first seat has one symbol, whichever seat looks at it.
///
/// # Promises (checked by `parlor-testkit`)
/// - Every cell holds the number of a symbol of the layout.
/// - Different legal actions of a view have different places.
/// - The cells and the seat to move determine the places of the legal actions.
/// - A symmetry maps matches onto matches: playing the images of all actions gives the image of all cells; cells beside the grid
///   and kinds stay as they are.
/// - [`cells`](Cells::cells) and [`place`](Cells::place) do not allocate.
#[diagnostic::on_unimplemented(message = "`{Self}` does not show its views as cells")]
pub trait Cells: Game {
    /// Returns the shape of the cells, which is the same for all views of this game.
    fn layout(&self) -> CellLayout;

    /// Writes the symbol of each cell: the grid row by row from the top, then the cells beside it.
    ///
    /// # Panics
    /// If `out` does not have one element for each cell of the [layout](Cells::layout).
    fn cells(&self, view: &Self::View, out: &mut [u8]);

    /// Returns where an action lies, which must be a legal action of the seat whose view it is.
    fn place(&self, view: &Self::View, action: Self::Action) -> Place;

    /// Returns the symmetries of the grid under which the rules do not change, the identity first.
    fn symmetries(&self) -> &'static [Symmetry] {
        &[Symmetry::Identity]
    }
}
