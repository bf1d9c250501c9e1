//! Parts that the exact solvers of several games share.

mod bounds_table;
mod node_counter;

pub(crate) use bounds_table::{Bounds, BoundsTable};
pub(crate) use node_counter::NodeCounter;
