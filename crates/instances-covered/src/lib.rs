//! Compiles the games of covered boards with their agents: dark chess and minesweeper. A crate of its own, so that a build compiles
//! them beside the other games.

use parlor_registry::{Host, Instance, types};

/// The games that are compiled here.
pub static INSTANCES: [Instance; 2] = [
    Instance { game: "darkchess", open: |settings| types::darkchess(settings, Host) },
    Instance { game: "minesweeper", open: |settings| types::minesweeper(settings, Host) },
];
