//! The games: rules, views, notation, and the rule players that belong to one game only.
//!
//! No game depends on another one or on `parlor-agents`.

pub mod checkers;
pub mod connect;
pub mod darkchess;
pub mod dominoes;
mod facts;
pub mod leduc;
pub mod minesweeper;
pub mod tictactoe;

// Shared by the games.
pub mod board;
mod choice;
mod codes;
mod solving;
mod weights;

pub use board::{bits, wide};

/// The guide's page on cells, so that its example is compiled.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/cells.md")]
struct GuideToCells;
