//! The players whose odds can be asked for, as models of an opponent.

use parlor_core::{Decision, Modelled, Policy, Settings, Spec, SpecError};

use super::{Defense, Expert, MYOPIC_KEYS, Scoring, Ties, TileRandom};
use crate::dominoes::Dominoes;

/// Chooses uniformly among the moves.
struct AnyMove;

impl Policy<Dominoes> for AnyMove {
    fn weigh(&mut self, decision: &Decision<'_, Dominoes>, weights: &mut Vec<f64>) {
        let count = decision.actions.len();
        weights.clear();
        weights.resize(count, 1.0 / count as f64);
    }
}

impl Modelled for Dominoes {
    const MODELS: &'static [(&'static str, &'static str)] = &[
        ("scoring", "scores as much as it can now, else raises the board count"),
        ("defense", "leaves as few different values as it can, then a low board count"),
        ("random", "chooses uniformly among the moves"),
        ("random-tile", "chooses uniformly among the tiles that can be played, then among the places"),
        ("expert", "weighs points, risks, blocks, doubles, suits and pips"),
    ];

    fn model(&self, spec: &str) -> Result<Box<dyn Policy<Self> + Send>, SpecError> {
        let spec = Spec::parse(spec)?;
        Ok(match spec.name.as_str() {
            "scoring" => {
                let settings = Settings::read(&spec, MYOPIC_KEYS)?;
                Box::new(Scoring { ties: Ties::read(&settings) })
            }
            "defense" => {
                let settings = Settings::read(&spec, MYOPIC_KEYS)?;
                Box::new(Defense { ties: Ties::read(&settings) })
            }
            "random" => {
                Settings::read(&spec, &[])?;
                Box::new(AnyMove)
            }
            "random-tile" => {
                Settings::read(&spec, &[])?;
                Box::new(TileRandom)
            }
            "expert" => Box::new(Expert::read(&Settings::read(&spec, Expert::KEYS)?)),
            _ => {
                return Err(SpecError::Name {
                    kind: "model for dominoes".to_owned(),
                    name: spec.name,
                    known: Self::MODELS.iter().map(|(name, _)| (*name).to_owned()).collect(),
                });
            }
        })
    }
}
