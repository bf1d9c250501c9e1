//! The games: rules, views, notation, and the rule players that belong to one game only.
//!
//! No module here knows another game or any agent of `parlor-agents`.

pub mod bits;
pub mod dominoes;
pub mod grid;
pub mod tictactoe;
