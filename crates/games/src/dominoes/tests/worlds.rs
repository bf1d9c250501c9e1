//! Listed worlds against all complete deals, against imagined ones, and against the matches that they retrace.

use std::collections::{HashMap, HashSet};

use parlor_core::{BlindWorlds, HiddenThings, Imagine, ListWorlds, Retrace};

use super::hand_counts::{by_enumeration, some_match};
use super::*;

const RULES: &[&str] = &[
    "dominoes(set=2, hand=2, target=none)",
    "dominoes(set=2, hand=1, reserve=1, draw=one-ends-turn, target=none)",
    "dominoes(set=2, hand=2, reserve=2, lead=highest-double, draw=one-then-play, target=none)",
    "dominoes(rules=myers)",
    "dominoes(rules=myers, hand=2, draw=one-ends-turn, lead=free)",
    "dominoes(rules=myers, hand=4, reserve=1, draw=one-then-play)",
];

/// Calls `check` with the states of some matches and each seat, while tiles are played.
fn at_every_state(text: &str, matches: u32, mut check: impl FnMut(&Dominoes, &State, Seat)) {
    let game = open(text);
    let mut rng = Rng::new(23);
    for _ in 0..matches {
        for state in some_match(&game, &mut rng) {
            if !matches!(state.step, Step::Lead | Step::Over) {
                Seat::all(2).for_each(|seat| check(&game, &state, seat));
            }
        }
    }
}

#[test]
fn the_list_equals_the_enumeration_of_all_deals() {
    for text in RULES {
        at_every_state(text, 12, |game, state, seat| {
            let view = game.view(state, seat);
            let tried = by_enumeration(game, state, seat);
            let mut ways: HashMap<TileSet, f64> = HashMap::new();
            for (world, &count) in &tried {
                *ways.entry(world.hand(seat.other())).or_default() += f64::from(count);
            }
            let total: f64 = ways.values().sum();
            let listed = game.worlds(&view, ways.len()).expect("as many as there are may be listed");
            assert_eq!(listed.len(), ways.len(), "{text}: {view:?}");
            assert!((listed.iter().map(|(_, odds)| odds).sum::<f64>() - 1.0).abs() < 1e-9);
            for (world, odds) in &listed {
                assert!(tried.contains_key(world), "{text}: no deal leads to {world:?}");
                let expected = ways[&world.hand(seat.other())] / total;
                assert!((odds - expected).abs() < 1e-9, "{text}: {odds} is not {expected} in {view:?}");
                assert_eq!(game.view(world, seat), view);
            }
            assert!(game.worlds(&view, ways.len() - 1).is_none(), "one less is too few");
        });
    }
}

#[test]
fn histories_equal_the_enumeration_of_all_deals() {
    let mut several = 0;
    for text in RULES {
        at_every_state(text, 12, |game, state, seat| {
            let view = game.view(state, seat);
            let tried = by_enumeration(game, state, seat);
            let total: f64 = tried.values().map(|&count| f64::from(count)).sum();
            let listed = game.histories_while(&view, 10_000, &|| true).expect("there are not many");
            assert_eq!(listed.len(), tried.len(), "{text}: {view:?}");
            for (history, odds) in &listed {
                let expected = f64::from(tried[history]) / total;
                assert!((odds - expected).abs() < 1e-9, "{text}: {odds} is not {expected} in {view:?}");
            }
            let hands: HashSet<TileSet> = listed.iter().map(|(world, _)| world.hand(seat.other())).collect();
            several += usize::from(hands.len() < listed.len());
            assert!(listed.len() < 2 || game.histories_while(&view, listed.len() - 1, &|| true).is_none());
            assert!(game.histories_while(&view, 10_000, &|| false).is_none());
        });
    }
    assert!(several > 5, "hands with several histories: {several}");
}

#[test]
fn probabilities_are_the_frequencies_of_imagined_hands() {
    let samples = 400;
    let (mut excess, mut freedom) = (0.0, 0.0);
    let mut rng = Rng::new(5);
    at_every_state("dominoes(rules=myers, set=4, hand=4)", 6, |game, state, seat| {
        let view = game.view(state, seat);
        let Some(listed) = game.worlds(&view, 60) else { return };
        let mut drawn: HashMap<TileSet, f64> = HashMap::new();
        for _ in 0..samples {
            *drawn.entry(game.imagine(&view, &mut rng).hand(seat.other())).or_default() += 1.0;
        }
        for (world, odds) in &listed {
            let expected = odds * f64::from(samples);
            let got = drawn.remove(&world.hand(seat.other())).unwrap_or(0.0);
            excess += (got - expected) * (got - expected) / expected;
        }
        assert!(drawn.is_empty(), "every imagined hand is on the list");
        excess -= (listed.len() - 1) as f64;
        freedom += (listed.len() - 1) as f64;
    });
    assert!(freedom > 100.0);
    assert!(excess.abs() < 6.0 * f64::sqrt(2.0 * freedom), "off by {excess} at {freedom} degrees of freedom");
}

#[test]
fn a_world_is_retraced_as_it_was_played() {
    for text in SETTINGS {
        let game = open(text);
        let mut rng = Rng::new(3);
        let states = some_match(&game, &mut rng);
        for pair in states.windows(2) {
            let [_, state] = pair else { unreachable!() };
            let decisions: Vec<Event> =
                state.log.iter().filter(|event| !matches!(event.action, Action::Draw(_))).copied().collect();
            let mut seen = Vec::new();
            game.retrace(state, |before, seat, action| {
                assert_eq!(game.phase(before), Phase::Decide(seat));
                if before.stage == state.stage && state.step != Step::Over {
                    assert!(states.contains(before), "{text}: {before:?} did not occur");
                }
                seen.push((seat, action));
            });
            let expected: Vec<_> = decisions.iter().map(|event| (event.seat, event.action)).collect();
            assert_eq!(seen, expected, "{text}");
        }
    }
}

#[test]
fn blind_worlds_have_the_same_view_and_any_tile() {
    for text in RULES {
        let mut rng = Rng::new(9);
        at_every_state(text, 10, |game, state, seat| {
            let view = game.view(state, seat);
            let hidden = game.hidden(&view);
            let mut held = vec![0; hidden.len()];
            for _ in 0..40 {
                let world = game.imagine_blindly(&view, &mut rng);
                assert_eq!(game.view(&world, seat), view, "{text}");
                // An impossible history is not retraced to its end, and does no harm.
                game.retrace(&world, |_, _, _| {});
                for (thing, held) in held.iter_mut().enumerate() {
                    *held += usize::from(game.place(&view, &world, thing) == 0);
                }
            }
            assert_eq!(held.iter().sum::<usize>(), 40 * usize::from(view.other));
            if let Some(listed) = game.worlds_blindly(&view, 400, &|| true) {
                let places = |world: &State| -> Vec<usize> {
                    (0..hidden.len()).map(|thing| game.place(&view, world, thing)).collect()
                };
                let all: HashSet<_> = listed.iter().map(places).collect();
                assert_eq!(all.len(), listed.len(), "{text}: no world occurs twice");
                assert!(listed.iter().all(|world| game.view(world, seat) == view), "{text}");
                let drawn = game.imagine_blindly(&view, &mut rng);
                assert!(all.contains(&places(&drawn)), "{text}: a world is missing");
            }
            if view.other >= 2 && hidden.len() <= 6 {
                assert!(held.iter().all(|&held| held > 0), "{text}: any tile may be anywhere");
            }
        });
    }
}

#[test]
fn a_large_set_is_listed_once_few_tiles_are_hidden() {
    let mut listed = 0;
    at_every_state("dominoes(set=9, hand=9, target=none)", 2, |game, state, seat| {
        let view = game.view(state, seat);
        if let Some(worlds) = game.worlds(&view, 200) {
            listed += 1;
            assert!(worlds.iter().any(|(world, _)| world.hand(seat.other()) == state.hand(seat.other())));
        }
    });
    assert!(listed > 10, "{listed} views could be listed");
}
