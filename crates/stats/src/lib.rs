//! Numbers in, numbers out.
pub mod distributions;
pub mod elo;
pub mod error;
pub mod outcomes;
pub mod pairs;
mod special;
pub mod sprt;
