//! Text forms: specs, positions and actions, the line protocol of engines, suggestions for misspelt words, text from
//! outside that is fit to be shown.

pub mod notation;
pub mod people;
pub mod protocol;
pub mod shown;
pub mod spec;
pub mod suggest;
