//! Compiles dominoes with its agents. A crate of its own, so that a build compiles it beside the other games.

use parlor_registry::{Host, Instance, types};

/// The games that are compiled here.
pub static INSTANCES: [Instance; 1] =
    [Instance { game: "dominoes", open: |settings| types::dominoes(settings, Host) }];
