//! What counts of games, or of pairs, say.

use parlor_stats::elo::{self, Estimate};
use parlor_stats::outcomes::{Pentanomial, Trinomial};
use pyo3::prelude::*;
use serde_json::json;

use crate::errors;

fn document(games: u64, estimate: &Estimate) -> String {
    json!({
        "games": games,
        "score": estimate.score,
        "elo": estimate.elo,
        "elo_low": estimate.elo_low,
        "elo_high": estimate.elo_high,
        "nelo": estimate.nelo,
        "nelo_error": estimate.nelo_error,
        "los": estimate.los,
        "p_value": estimate.p_value,
    })
    .to_string()
}

/// Returns what won, drawn and lost games say.
#[pyfunction]
pub fn stats_games(wins: u64, draws: u64, losses: u64, level: f64) -> PyResult<String> {
    let games = Trinomial::new(wins, draws, losses);
    let estimate = elo::of_games_at(&games, level).map_err(|error| errors::other(&error))?;
    Ok(document(games.games(), &estimate))
}

/// Returns what pairs say, by how many scored 0, ½, 1, 1½ and 2 points.
#[pyfunction]
pub fn stats_pairs(counts: [u64; 5], level: f64) -> PyResult<String> {
    let pairs = Pentanomial(counts);
    let estimate = elo::of_pairs_at(&pairs, level).map_err(|error| errors::other(&error))?;
    Ok(document(pairs.pairs().saturating_mul(2), &estimate))
}
