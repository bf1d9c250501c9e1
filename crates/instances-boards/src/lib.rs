//! Compiles the open board games with their agents: connect, tictactoe and checkers. A crate of its own, so that a build compiles
//! them beside the other games.

use parlor_registry::{Host, Instance, types};

/// The games that are compiled here.
pub static INSTANCES: [Instance; 3] = [
    Instance { game: "connect", open: |settings| types::connect(settings, Host) },
    Instance { game: "tictactoe", open: |settings| types::tictactoe(settings, Host) },
    Instance { game: "checkers", open: |settings| types::checkers(settings, Host) },
];
