//! Numbers in, numbers out.
pub mod distributions;
pub mod error;
pub mod outcomes;
pub mod pairs;
mod special;
