//! Endgame databases: the game-theoretic value of every position with few pieces.
//!
//! Retrograde analysis builds them: each slice of positions is solved backwards from its ends ([`mod@build`]). Nothing
//! here knows a game: [`Reversible`](parlor_core::Reversible) says how to number positions and undo moves.

pub mod build;
pub mod file;
pub mod folder;
mod fortress;
pub mod hosted;

mod pack;
pub mod probe;
mod proof;
mod slice;
mod solver;
pub mod table;
pub mod verify;

pub use build::{NO_PLY_LIMIT, complete, reachable_classes, up_to};
pub use file::EndgameError;
pub use folder::{BuildRequest, Folder, PiecesSummary, Reader};
pub use hosted::AnyEndgames;
pub use probe::EndgameProbe;
pub use solver::{prove, solver};
pub use table::{Census, EndgameTable, Tables};
pub use verify::{Checks, Findings};
