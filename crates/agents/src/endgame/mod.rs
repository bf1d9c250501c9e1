//! Endgame databases: every position with few pieces, and what it is worth when nobody errs.
//!
//! They are made by retrograde analysis: one slice of positions after the other is worked out backwards from its end
//! ([`mod@build`]). Nothing here knows a game: [`Reversible`](parlor_core::Reversible) says what can be numbered and undone.

pub mod build;
pub mod file;
pub mod folder;
mod fortress;
pub mod hosted;
pub mod judge;
mod pack;
mod proof;
mod slice;
mod solver;
pub mod table;
pub mod verify;

pub use build::{FOREVER, complete, needed, up_to};
pub use file::EndgameError;
pub use folder::{Folder, Order, Reader, Row};
pub use hosted::AnyEndgames;
pub use judge::Judge;
pub use solver::{prove, solver};
pub use table::{Census, Table, Tables};
pub use verify::{Checks, Findings};
