//! What a seat sees as plain cells, and the frames in which heuristics look at it.

use parlor_core::{CellLayout, Place, Symmetry};

use crate::state_keys::{StateKeys, input_key};

/// The number of sizes of windows: 1 × 1 to 4 × 4.
pub const WINDOWS: usize = 4;

/// A model that is counted from the history; each has its own transitions.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Model {
    /// The whole view is the state.
    Whole,
    /// A square window of the grid is the state; the number is the length of its side, 1 to [`WINDOWS`].
    Window(u16),
}

impl Model {
    /// Every model, the whole view first.
    pub const ALL: [Model; 1 + WINDOWS] =
        [Model::Whole, Model::Window(1), Model::Window(2), Model::Window(3), Model::Window(4)];

    /// Returns its place in [`Model::ALL`].
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        match self {
            Model::Whole => 0,
            Model::Window(size) => usize::from(size),
        }
    }

    /// Returns the name under which a store keeps it: that of the heuristic that counts it.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["observed", "locality1", "locality2", "locality3", "locality4"][self.index()]
    }
}

/// The kind of grid that a game is seen on, and the keys of its states. Everything that the engine knows about a game.
#[derive(Clone, Debug)]
pub struct Board {
    /// The game's full form.
    pub game: String,
    /// The layout of the cells.
    pub layout: CellLayout,
    keys: [StateKeys; Model::ALL.len()],
}

impl Board {
    /// Returns the board of a game with this full form.
    #[must_use]
    pub fn new(game: String, layout: CellLayout) -> Board {
        let symbols: Vec<&str> = layout.symbols.iter().map(|symbol| &*symbol.text).collect();
        let keys = Model::ALL.map(|model| {
            let cells = match model {
                Model::Whole => layout.count(),
                Model::Window(size) => usize::from(size * size),
            };
            StateKeys::new(&format!("{} {game}", model.name()), cells, &symbols)
        });
        Board { game, layout, keys }
    }

    /// Returns the number of cells, those beside the grid included.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.layout.count()
    }

    /// Returns the number of cells of the grid.
    #[must_use]
    pub fn grid(&self) -> usize {
        self.layout.grid()
    }

    /// Returns the keys of a model's states.
    #[inline]
    #[must_use]
    pub fn keys(&self, model: Model) -> &StateKeys {
        &self.keys[model.index()]
    }

    /// Returns whether a 90° turn of the grid is a grid of the same size.
    #[must_use]
    pub fn is_square(&self) -> bool {
        self.layout.width == self.layout.height
    }

    /// Returns the key of a view.
    #[must_use]
    pub fn whole(&self, cells: &[u8]) -> u64 {
        self.keys(Model::Whole).key(cells.iter().copied().enumerate())
    }

    /// Returns the key of the state that a frame shows of a view.
    #[inline]
    #[must_use]
    pub fn state(&self, frame: Frame, cells: &[u8]) -> u64 {
        let width = usize::from(self.layout.width);
        match frame {
            Frame::Whole => self.whole(cells),
            Frame::Turned(symmetry) => {
                let (grid, beside) = cells.split_at(self.grid());
                let turned = grid.iter().enumerate().map(|(cell, &symbol)| {
                    let cell = symmetry.apply(cell as u16, self.layout.width, self.layout.height);
                    (usize::from(cell), symbol)
                });
                let beside = beside.iter().enumerate().map(|(at, &symbol)| (grid.len() + at, symbol));
                self.keys(Model::Whole).key(turned.chain(beside))
            }
            Frame::Window { left, top, size } => {
                let [left, top, side] = [left, top, size].map(usize::from);
                let inside = (0..side * side).map(|at| {
                    let (row, column) = (top + at / side, left + at % side);
                    (at, cells[row * width + column])
                });
                self.keys(Model::Window(size)).key(inside)
            }
        }
    }

    /// Returns the key of an action as a frame shows it; `None` if the frame does not show all of it.
    #[inline]
    #[must_use]
    pub fn input(&self, frame: Frame, seat: u8, place: &Place) -> Option<u64> {
        let CellLayout { width, height, .. } = self.layout;
        match frame {
            Frame::Whole => Some(input_key(seat, place.kind, place.cells.iter().copied())),
            Frame::Turned(symmetry) => {
                let turned = place.cells.iter().map(|&cell| symmetry.apply(cell, width, height));
                Some(input_key(seat, place.kind, turned))
            }
            Frame::Window { left, top, size } => {
                let within = |cell: u16| {
                    let (row, column) = ((cell / width).wrapping_sub(top), (cell % width).wrapping_sub(left));
                    (row < size && column < size).then(|| row * size + column)
                };
                if place.cells.is_empty() || !place.cells.iter().all(|&cell| within(cell).is_some()) {
                    return None;
                }
                Some(input_key(seat, place.kind, place.cells.iter().filter_map(|&cell| within(cell))))
            }
        }
    }

    /// Calls `visit` with every frame in which a model looks at a view.
    #[inline]
    pub fn frames(&self, model: Model, mut visit: impl FnMut(Frame)) {
        match model {
            Model::Whole => visit(Frame::Whole),
            Model::Window(size) => {
                let CellLayout { width, height, .. } = self.layout;
                for top in 0..(height + 1).saturating_sub(size) {
                    for left in 0..(width + 1).saturating_sub(size) {
                        visit(Frame::Window { left, top, size });
                    }
                }
            }
        }
    }
}

/// A way to look at a view: all of it, turned or mirrored, or through a window.
///
/// A window shows nothing beside the grid, and an action only if all cells that it touches are inside; cells are counted from the window's
/// corner, so that one pattern is one state wherever it is seen.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Frame {
    /// All of it.
    Whole,
    /// The grid turned or mirrored; what is beside the grid stays.
    Turned(Symmetry),
    /// A square part of the grid.
    Window {
        /// The first column.
        left: u16,
        /// The first row.
        top: u16,
        /// The length of a side.
        size: u16,
    },
}
