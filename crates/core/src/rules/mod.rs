//! The rules of a game, and the abilities that a game can offer beyond them. A bound on an ability says what an algorithm needs.

pub mod abilities;
pub mod afterstates;
pub mod cells;
pub mod deals;
pub mod evaluate;
pub mod exercise;
pub mod features;
pub mod game;
pub mod game_value;
pub mod information_sets;
pub mod net_inputs;
pub mod numbered;
pub mod payoffs;
pub mod perft;
pub mod playout;
pub mod reversible;
pub mod seat;
pub mod staged;
pub mod symmetry;
pub mod worlds;
