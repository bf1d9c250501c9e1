//! The shape of cells, as histories keep it.

use parlor_core::{CellLayout, CellSymbol};
use serde::{Deserialize, Serialize};

/// The shape of cells as a store keeps it. It has what the numbers of states and places mean, and not the words that describe the symbols,
/// which may change.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StoredLayout {
    /// Number of columns of the grid.
    pub width: u16,
    /// Number of rows of the grid.
    pub height: u16,
    /// The names of the cells beside the grid.
    pub beside: Vec<String>,
    /// The texts of the symbols.
    pub symbols: Vec<String>,
}

impl From<CellLayout> for StoredLayout {
    fn from(layout: CellLayout) -> StoredLayout {
        let CellLayout { width, height, beside, symbols } = layout;
        StoredLayout {
            width,
            height,
            beside,
            symbols: symbols.into_iter().map(|symbol| symbol.text).collect(),
        }
    }
}

impl From<StoredLayout> for CellLayout {
    /// The words that describe a symbol are not kept; its text stands for them.
    fn from(layout: StoredLayout) -> CellLayout {
        let StoredLayout { width, height, beside, symbols } = layout;
        let symbols = symbols.into_iter().map(|text| CellSymbol::new(text.clone(), text)).collect();
        CellLayout { width, height, beside, symbols }
    }
}
