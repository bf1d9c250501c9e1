//! Restricted Nash responses.

use parlor_core::Resources;

use super::*;
use crate::Random;
use crate::equilibrium::exploit::{ExploitParams, Subject, exploit};
use crate::equilibrium::respond::{RespondParams, Response, respond};

fn params(weight: f64, precision: f64) -> RespondParams {
    let resources = Resources { threads: 1, memory_mb: 64 };
    let queries = ExploitParams { samples: 1, detail: Detail::Essential, seed: 7, resources };
    RespondParams { weight, precision, rounds: 100_000, queries }
}

fn response<G: InformationSets>(game: &G, weight: f64, precision: f64) -> Response {
    let names = ("a game".to_owned(), "random".to_owned());
    let build_player = || Subject::Weighs(Box::new(Random) as _);
    let params = params(weight, precision);
    with_progress(|progress| respond(game, names, &build_player, &params, progress)).unwrap()
}

#[test]
fn weight_0_is_the_equilibrium() {
    let found = response(&Kuhn, 0.0, 1e-6);
    assert!(found.exploitability <= 1e-6, "{found:?}");
    assert!((found.strategy.about.value + 1.0 / 18.0).abs() < 1e-5);
    let solved = with_progress(|progress| solve(&Kuhn, &solve_params(1e-6), progress)).unwrap();
    for (role, sets) in solved.form.sides.iter().map(|side| &side.sets).enumerate() {
        for (set, situation) in sets.iter().zip(&solved.situations[role]) {
            let reach = solved.plans[role][set.parent as usize];
            let odds = found.strategy.odds(&situation.memory).unwrap();
            for (at, odds) in set.range().zip(odds) {
                let same = (solved.plans[role][at] - reach * f64::from(*odds)).abs() < 1e-6;
                assert!(same, "the same solver finds the same plan");
            }
        }
    }
}

#[test]
fn weight_1_is_the_least_exploitable_best_response() {
    let build_player = || Subject::Weighs(Box::new(Random) as _);
    let queries = params(1.0, 1e-6).queries;
    let most = with_progress(|progress| exploit(&Kuhn, &build_player, &queries, progress)).unwrap();
    let found = response(&Kuhn, 1.0, 1e-6);
    assert!((found.gain - most.exploitability).abs() < 1e-9, "{found:?} against {most:?}");
    assert!((found.gain - found.ceiling).abs() < 1e-9 && found.exact);
    // Uniform play in pennies loses nothing, so the best response that loses nothing is the equilibrium.
    let pennies = response(&Pennies, 1.0, 1e-6);
    assert!(pennies.gain.abs() < 1e-9 && pennies.exploitability < 1e-5, "{pennies:?}");
}

#[test]
fn more_weight_gains_more_and_risks_more() {
    let all: Vec<Response> =
        [0.0, 0.2, 0.5, 0.8, 0.95, 1.0].iter().map(|&weight| response(&Kuhn, weight, 1e-6)).collect();
    for [less, more] in all.array_windows() {
        assert!(more.gain >= less.gain - 1e-5 && more.exploitability >= less.exploitability - 1e-5);
    }
    for found in &all {
        assert!(found.low <= found.high + 1e-12 && found.high - found.low <= 4e-6, "{found:?}");
        let weight = found.strategy.about.response.as_ref().unwrap().weight;
        let reached = weight * found.gain - (1.0 - weight) * found.exploitability;
        assert!((reached - found.low).abs() < 1e-5 || weight == 0.0, "{reached}: {found:?}");
    }
    assert!(all[5].exploitability > all[0].exploitability + 0.1, "{all:?}");
}
