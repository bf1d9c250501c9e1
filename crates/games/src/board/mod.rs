//! Boards: sets of cells as machine words, numbered subsets, tuples of cells, and text of rectangular grids.

pub mod bits;
pub mod grid;
pub(crate) mod subsets;
pub mod tuples;
pub mod wide;
