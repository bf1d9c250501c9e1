//! Tables of entries for the learner `ntuple`.

use parlor_core::{Afterstates, Phase, Positions, Rng, Seat};

/// Checks in random matches that every layout keeps its promises: entries lie in the table, no more of them are active than announced,
/// and the sums of all actions are those of their entries.
///
/// # Panics
/// If one does not.
pub fn afterstates_laws<G: Afterstates>(game: &G, matches: u64) {
    each_decision(game, matches, |layout, weights, seat, state, rng| {
        let view = game.view(state, seat);
        let actions: Vec<G::Action> = game.actions(state).collect();
        let mut sums = Vec::new();
        game.sums(layout, &mut G::Scratch::default(), weights, &view, &actions, &mut sums);
        assert_eq!(sums.len(), actions.len(), "one sum for each action");
        let mut active = Vec::new();
        for (&action, &sum) in actions.iter().zip(&sums) {
            if let Some(value) = game.known(layout, &view, action) {
                assert!((-1.0..=1.0).contains(&value), "{value}");
                continue;
            }
            active.clear();
            game.active(layout, &view, action, &mut active);
            assert!(active.len() <= game.most_active(layout), "{} active entries", active.len());
            let slow = slow_sum(weights, &active);
            assert!((slow - f64::from(sum)).abs() < 1e-3, "{action:?}: {sum}, but {slow} entry by entry");
        }
        let explored = game.explore(layout, &view, &actions, rng);
        assert!(actions.contains(&explored), "{explored:?} is not among {actions:?}");
    });
}

/// Checks in random matches that positions are worth what the actions that led to them were.
///
/// # Panics
/// If one is not.
pub fn positions_laws<G: Positions>(game: &G, matches: u64) {
    each_decision(game, matches, |layout, weights, seat, state, _| {
        let view = game.view(state, seat);
        for action in game.actions(state).collect::<Vec<_>>() {
            let mut next = game.truth(&view).clone();
            game.apply(&mut next, action);
            if !matches!(game.phase(&next), Phase::Decide(mover) if mover != seat) {
                continue;
            }
            let mut active = Vec::new();
            game.active(layout, &view, action, &mut active);
            let (slow, sum) = (slow_sum(weights, &active), game.position_sum(layout, weights, &next));
            assert!((slow - f64::from(sum)).abs() < 1e-3, "{action:?}: {sum}, but {slow} entry by entry");
        }
    });
}

fn slow_sum(weights: &[f32], active: &[u32]) -> f64 {
    active.iter().map(|&entry| f64::from(weights[entry as usize])).sum()
}

/// Calls `check` at every decision of random matches, with every layout that fits and random weights.
fn each_decision<G: Afterstates>(
    game: &G,
    matches: u64,
    mut check: impl FnMut(&G::Layout, &[f32], Seat, &G::State, &mut Rng),
) {
    for info in G::LAYOUTS {
        let Ok(layout) = game.table_layout(info.name) else { continue };
        let mut rng = Rng::new(1);
        let weights: Vec<f32> = (0..game.entries(&layout)).map(|_| rng.unit() as f32 - 0.5).collect();
        for number in 0..matches {
            let mut rng = Rng::forked(2, number);
            let mut state = game.opening(&layout, &mut rng);
            loop {
                let action = match game.phase(&state) {
                    Phase::Over => break,
                    Phase::Chance => game.sample(&state, &mut rng),
                    Phase::Decide(seat) => {
                        check(&layout, &weights, seat, &state, &mut rng);
                        game.pick(&state, &mut rng)
                    }
                };
                game.apply(&mut state, action);
            }
        }
    }
}
