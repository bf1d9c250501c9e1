//! What scores are worth.

use parlor_core::{Objective, Staged};

use super::*;
use crate::dominoes::players::tests::open;

fn wins(game: &Dominoes, first: u16, second: u16, leader: Option<Seat>) -> f64 {
    game.standings().wins([first, second].map(f64::from), leader)
}

#[test]
fn more_points_are_better() {
    for text in
        ["dominoes", "dominoes(target=30)", "dominoes(target=333)", "dominoes(rules=myers, target=50)"]
    {
        let game = open(text);
        let target = game.rules().target.unwrap();
        for leader in [None, Some(Seat::FIRST), Some(Seat::SECOND)] {
            for second in 0..=target {
                let row: Vec<f64> = (0..=target).map(|first| wins(&game, first, second, leader)).collect();
                assert!(row.iter().all(|value| (0.0..=1.0).contains(value)));
                for (first, pair) in row.windows(2).enumerate() {
                    // Points scored together with others may come at a worse time; that is little.
                    assert!(pair[1] > pair[0] - 0.02, "{text}: {first}:{second}, {leader:?}: {pair:?}");
                }
                for (first, step) in row.windows(21).enumerate() {
                    let is_open = (0.1..0.9).contains(&step[0]);
                    let least = if is_open { 0.0 } else { -0.002 };
                    assert!(step[20] - step[0] > least, "{text}: {first}:{second}, {leader:?}");
                }
            }
        }
    }
}

#[test]
fn seats_are_alike() {
    let game = open("dominoes");
    for (first, second) in [(0, 0), (40, 40), (92, 85), (3, 99)] {
        for leader in [None, Some(Seat::FIRST), Some(Seat::SECOND)] {
            let here = wins(&game, first, second, leader);
            let there = wins(&game, second, first, leader.map(Seat::other));
            assert!((here + there - 1.0).abs() < 1e-9, "{first}:{second}");
        }
    }
    assert!(wins(&game, 50, 50, Some(Seat::FIRST)) > 0.51, "it is good to lead");
    assert!(wins(&game, 99, 0, None) > 0.95);
}

/// Contests of experts end as the table says.
#[test]
fn the_table_is_calibrated() {
    let game = open("dominoes");
    let expert = Expert::default();
    let mut rng = Rng::new(7);
    // Per tenth of the probability: how many stages began with it, its sum, and how many of these contests were won.
    let mut tenths = [[0.0; 3]; 10];
    for _ in 0..1500 {
        let mut state = game.start();
        let mut begun = Vec::new();
        let mut actions = Vec::new();
        let mut stage = 1;
        while game.phase(&state) != Phase::Over {
            let action = match game.phase(&state) {
                Phase::Decide(seat) => {
                    actions.clear();
                    actions.extend(game.actions(&state));
                    expert.choose(&game, &game.view(&state, seat), &actions)
                }
                _ => game.sample(&state, &mut rng),
            };
            game.apply(&mut state, action);
            if state.stage() > stage && game.phase(&state) != Phase::Over {
                stage = state.stage();
                begun.push(0.5 + 0.005 * game.lead(Objective::Contest, &state));
            }
        }
        let won = f64::from(u8::from(state.scores()[Seat::FIRST] > state.scores()[Seat::SECOND]));
        for value in begun {
            let tenth = &mut tenths[((value * 10.0) as usize).min(9)];
            *tenth = [tenth[0] + 1.0, tenth[1] + value, tenth[2] + won];
        }
    }
    for [count, sum, won] in tenths {
        assert!(count > 100.0);
        let error = (won - sum) / count;
        assert!(error.abs() < 3.0 * (0.25 / count).sqrt() + 0.02, "{count} stages: {error}");
    }
}

#[test]
fn points_of_a_block_may_decide() {
    let game = open("dominoes(target=none)");
    let mut rng = Rng::new(3);
    let mut blocked = 0;
    for _ in 0..300 {
        let course = course(&game, &mut rng);
        let sums = course.sums.windows(2);
        assert!(sums.clone().all(|pair| pair[0][0] <= pair[1][0] && pair[0][1] <= pair[1][1]));
        assert_eq!(course.sums.last(), Some(&course.total));
        blocked += u32::from(sums.clone().any(|pair| pair[0][0] < pair[1][0] && pair[0][1] < pair[1][1]));
    }
    assert!(blocked > 3, "{blocked}");
}
