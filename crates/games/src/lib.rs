//! The games: rules, views, notation, and the rule players that belong to one game only.
//!
//! No module here knows another game or any agent of `parlor-agents`.

pub mod bits;
mod bounds;
pub mod checkers;
pub mod connect;
pub mod darkchess;
mod digits;
pub mod dominoes;
mod fields;
pub mod grid;
pub mod leduc;
pub mod minesweeper;
mod subsets;
pub mod tictactoe;
mod watch;
mod weights;
pub mod wide;
