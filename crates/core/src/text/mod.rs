//! Text forms: specs, positions and actions, the line protocol of engines, suggestions for misspelt words.

pub mod notation;
pub mod protocol;
pub mod spec;
pub mod suggest;
