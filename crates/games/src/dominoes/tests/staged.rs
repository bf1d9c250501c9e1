//! The rest of a stage: states with equal rests have equal values.

use std::collections::HashMap;

use parlor_core::{Objective, Staged};

use super::*;

/// Returns the future gain of the first seat if both play optimally with open hands.
fn gain(game: &Dominoes, objective: Objective, state: &State) -> f64 {
    let after = |action| {
        let mut next = state.clone();
        game.apply(&mut next, action);
        let rest = if next.stage == state.stage { gain(game, objective, &next) } else { 0.0 };
        game.lead(objective, &next) - game.lead(objective, state) + rest
    };
    match game.phase(state) {
        Phase::Over => 0.0,
        Phase::Chance => game.chances(state).map(|(outcome, odds)| odds * after(outcome)).sum(),
        Phase::Decide(Seat::FIRST) => game.actions(state).map(after).fold(f64::NEG_INFINITY, f64::max),
        Phase::Decide(_) => game.actions(state).map(after).fold(f64::INFINITY, f64::min),
    }
}

#[test]
fn states_with_equal_rests_have_equal_values() {
    for (text, objective) in [
        ("dominoes(rules=myers)", Objective::Stage),
        ("dominoes(rules=myers, arms=immediate, lead=free)", Objective::Stage),
        ("dominoes(rules=myers, spinner=none, lead=free, draw=one-ends-turn)", Objective::Stage),
        ("dominoes(rules=myers, spinner=first-tile, draw=one-then-play, reserve=1)", Objective::Stage),
        ("dominoes(rules=myers, lead=free, target=10)", Objective::Stage),
        ("dominoes(rules=myers, lead=free, target=10)", Objective::Contest),
    ] {
        let game = open(text);
        let mut met = 0;
        for seed in 0..6 {
            // Many matches with one deal, so that their states coincide.
            let mut known: HashMap<_, (State, f64)> = HashMap::new();
            for turn in 0..25 {
                let (mut chance, mut mind) = (Rng::forked(seed, 0), Rng::forked(seed, 1 + turn));
                let mut state = game.start();
                while state.stage == 1 && state.step != Step::Over {
                    let action = match game.phase(&state) {
                        Phase::Chance => game.sample(&state, &mut chance),
                        _ => game.pick(&state, &mut mind),
                    };
                    game.apply(&mut state, action);
                    if state.board.played().len() < 3 || state.stage > 1 {
                        continue;
                    }
                    let before = known
                        .entry(game.rest(&state))
                        .or_insert_with(|| (state.clone(), gain(&game, objective, &state)));
                    if before.0 != state {
                        met += 1;
                        let now = gain(&game, objective, &state);
                        assert!((before.1 - now).abs() < 1e-9, "{text}: {:?} and {state:?}", before.0);
                    }
                }
            }
        }
        assert!(met > 20, "{text}: different states met {met} times");
    }
}

#[test]
fn gains_stay_within_their_bounds() {
    for (text, objective) in [
        ("dominoes(rules=myers)", Objective::Stage),
        ("dominoes(rules=myers, bonus=five, reserve=1)", Objective::Stage),
        (
            "dominoes(rules=myers, spinner=none, lead=free, draw=one-ends-turn, blocked=each)",
            Objective::Stage,
        ),
        ("dominoes(target=none)", Objective::Contest),
        ("dominoes(set=9, hand=5, arms=immediate)", Objective::Stage),
        ("dominoes(set=9, hand=5, arms=immediate)", Objective::Contest),
        ("dominoes(target=30, fives=off)", Objective::Stage),
        ("dominoes(target=30, fives=off)", Objective::Contest),
    ] {
        let game = open(text);
        let mut nearest = f64::INFINITY;
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let mut state = game.start();
            let mut path = Vec::new();
            while game.phase(&state) != Phase::Over && state.stage == 1 {
                let (low, high) = game.reach(objective, &state);
                let outlook = game.outlook(objective, &state);
                assert!(low <= outlook && outlook <= high, "{text}: {outlook} in {low} … {high}");
                path.push((game.lead(objective, &state), low, high));
                let action = match game.phase(&state) {
                    Phase::Chance => game.sample(&state, &mut rng),
                    _ => game.pick(&state, &mut rng),
                };
                game.apply(&mut state, action);
            }
            let end = game.lead(objective, &state);
            for (lead, low, high) in path {
                let gain = end - lead;
                let (low, high) = (low - 1e-9, high + 1e-9);
                assert!(low <= gain && gain <= high, "{text}, seed {seed}: {gain} in {low} … {high}");
                nearest = nearest.min(high - gain).min(gain - low);
            }
        }
        assert!(nearest < 100.0, "{text}: no end comes nearer than {nearest}, so these bounds are loose");
    }
}
