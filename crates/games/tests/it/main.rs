//! Tests of games against independent results. One binary, because linking takes most of the build time.

mod checkers;
mod connect_solved;
mod fable_cells;
mod minesweeper_boards;
mod referee;
mod solve;
