//! Tests of games against independent results. One binary, because linking takes most of the build time.

mod against_random;
mod checkers;
mod connect_solved;
mod minesweeper_boards;
mod referee;
mod solve;
