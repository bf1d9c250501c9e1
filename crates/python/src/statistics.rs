//! What counts of games, or of pairs, say.

use parlor_stats::elo::{self, Estimate};
use parlor_stats::outcomes::{Pentanomial, Tally, Trinomial};
use parlor_stats::pairs::PairModel;
use parlor_stats::sprt::{Scale, Sprt, State};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::errors::{self, ParlorError};

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

/// Returns what a sequential test of two differences says of three counts of games, or five of pairs.
#[pyfunction]
#[pyo3(signature = (counts, elo0, elo1, *, alpha, beta, normalised))]
pub fn stats_sprt(
    counts: Vec<u64>,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    normalised: bool,
) -> PyResult<String> {
    let tally: Tally = match counts[..] {
        [wins, draws, losses] => Trinomial::new(wins, draws, losses).into(),
        [a, b, c, d, e] => Pentanomial([a, b, c, d, e]).into(),
        _ => {
            let text =
                "counts are three of games (won, drawn, lost) or five of pairs (0, ½, 1, 1½ and 2 points)";
            return Err(ParlorError::new_err(text));
        }
    };
    let scale = if normalised { Scale::Normalised } else { Scale::Logistic };
    let test = Sprt::new(scale, elo0, elo1).and_then(|test| test.with_rates(alpha, beta));
    let test = test.map_err(|error| errors::other(&error))?;
    let llr = test.llr(tally);
    let accepted = match test.state(llr) {
        State::Continue => Value::Null,
        State::H0 => json!("H0"),
        State::H1 => json!("H1"),
    };
    Ok(json!({ "llr": llr, "lower": test.lower(), "upper": test.upper(), "accepted": accepted }).to_string())
}

/// Returns what the sum of `pairs` pairs between equals can be, and how rare `score` is.
#[pyfunction]
#[pyo3(signature = (win_first, draw, pairs, score))]
pub fn stats_distribution(win_first: f64, draw: f64, pairs: u64, score: Option<i64>) -> PyResult<String> {
    let model = PairModel::new(win_first, draw).map_err(|error| errors::other(&error))?;
    let sum = model.sum(pairs).map_err(|error| errors::other(&error))?;
    if let Some(score) = score.filter(|score| score.unsigned_abs() > 2 * pairs) {
        let most = 2 * pairs;
        let text = format!("{pairs} pairs cannot score {score}: scores lie between -{most} and {most}");
        return Err(ParlorError::new_err(text));
    }
    Ok(json!({
        "sigma": sum.sigma(),
        "p_value": score.map(|score| sum.two_sided(score)),
        "p_value_one_sided": score.map(|score| sum.at_least(score)),
        "probabilities": sum.all(),
    })
    .to_string())
}
