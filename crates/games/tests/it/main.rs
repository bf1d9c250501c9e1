//! Tests of games against independent answers. One binary: linking is what takes the time.

mod checkers;
mod connect_solved;
mod fable_cells;
mod minesweeper_boards;
mod referee;
mod solve;
