//! Values of positions by a small net: matches of an agent against itself give positions, positions train a net, and the net stands in
//! the place of a search's own evaluation.
//!
//! It knows no game: a game that offers [`NetInputs`] says which inputs are on.

mod hosted;
mod positions;
mod self_play;
mod value;
mod workload;

use parlor_core::NetInputs;

pub use hosted::{AnyNets, NetError};
pub use positions::{AboutPositions, KeptPosition, Positions};
pub use self_play::SelfPlayPlan;
pub use value::{learnt_value, shipped_value};
pub use workload::NetWorkload;

/// The name that stands for a net where a knowledge file names its learner.
pub const NAME: &str = "net";

/// How much a value of even odds times *e* counts in an evaluation: hundredths of a man, roughly.
pub const UNIT: i32 = 200;

/// How a net is made of positions.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct TrainPlan {
    /// Passes over the positions.
    pub epochs: u32,
    /// The first step size.
    pub step: f32,
    /// The share of the match's result in the target; the rest is what the search found.
    pub results: f32,
    /// What the first weights and the order of the positions are drawn from.
    pub seed: u64,
}

/// Returns what the inputs of a game mean, if it can be described.
fn meaning<G: NetInputs>(game: &G) -> Option<String> {
    game.inputs_meaning().map(|text| format!("{text}; stages {}", G::STAGES))
}
