//! Searching worlds with open hands: against brute force, with every cut.

use std::collections::HashMap;

use parlor_agents::leaves::Leaves;
use parlor_agents::openhand::{DEEPEST, Draws, OpenHand};
use parlor_agents::playout::Playout;
use parlor_agents::table::Table;
use parlor_core::api::BuildContext;
use parlor_core::{
    Agent, Budget, Context, Decision, Game, Notation, Objective, Phase, Position, Rng, Seat, Staged,
};
use parlor_games::dominoes::{Dominoes, State, players};

use super::{open, settings, somewhere};

/// What the first seat still gains in a match of one stage, without table, window or depth.
pub(super) fn by_trying(game: &Dominoes, state: &State) -> f64 {
    let after = |action| {
        let mut next = state.clone();
        game.apply(&mut next, action);
        game.lead(Objective::Stage, &next) - game.lead(Objective::Stage, state) + by_trying(game, &next)
    };
    match game.phase(state) {
        Phase::Over => 0.0,
        Phase::Chance => game.chances(state).map(|(outcome, odds)| odds * after(outcome)).sum(),
        Phase::Decide(Seat::FIRST) => game.actions(state).map(after).fold(f64::NEG_INFINITY, f64::max),
        Phase::Decide(_) => game.actions(state).map(after).fold(f64::INFINITY, f64::min),
    }
}

#[test]
fn open_hands_are_worth_what_trying_everything_finds() {
    let mut rng = Rng::new(1);
    for text in [
        "dominoes(rules=myers)",
        "dominoes(rules=myers, arms=immediate, blocked=each, lead=free)",
        "dominoes(rules=myers, spinner=none, draw=one-ends-turn, lead=free)",
        "dominoes(set=2, hand=2, target=none, draw=one-then-play)",
    ] {
        let game = open(text);
        // One that has left out nothing knows more than one that has.
        let tables = [(); 3].map(|()| Table::new(1));
        for _ in 0..25 {
            let Some((state, _)) =
                somewhere(&game, &mut rng, |state: &State, _| state.board().played().len() >= 2)
            else {
                continue;
            };
            let expected = by_trying(&game, &state);
            for (star, table) in (0..).zip(&tables) {
                let mut meter = Budget::default().start(None);
                let mut search =
                    OpenHand::new(&game, &state, table, &mut meter, Draws::Weighed).cutting(star);
                let value = search.value(&state, DEEPEST).unwrap();
                assert!(value.solved);
                assert!((value.gain - expected).abs() < 1e-4, "{text}: {} is not {expected}", value.gain);
            }
        }
    }
}

/// The same as [`by_trying`], with a memory.
fn by_trying_once(
    game: &Dominoes,
    state: &State,
    known: &mut HashMap<<Dominoes as Staged>::Rest, f64>,
) -> f64 {
    if game.phase(state) == Phase::Over {
        return 0.0;
    }
    if let Some(&gain) = known.get(&game.rest(state)) {
        return gain;
    }
    let mut after = |action| {
        let mut next = state.clone();
        game.apply(&mut next, action);
        game.lead(Objective::Stage, &next) - game.lead(Objective::Stage, state)
            + by_trying_once(game, &next, known)
    };
    let gain = match game.phase(state) {
        Phase::Chance => game.chances(state).map(|(outcome, odds)| odds * after(outcome)).sum(),
        Phase::Decide(Seat::FIRST) => game.actions(state).map(after).fold(f64::NEG_INFINITY, f64::max),
        _ => game.actions(state).map(after).fold(f64::INFINITY, f64::min),
    };
    known.insert(game.rest(state), gain);
    gain
}

/// Ties are common, and averages of different draws are rounded differently: no bound may pass for a value by that.
#[test]
fn rounding_makes_no_value_of_a_bound() {
    let game = open("dominoes(target=none, set=4, hand=4)");
    for (deal, moves) in [
        ("14 04 01 33 | 44 11 22 13 | 00 02 12 03 23 24 34", "14@start 44@right 04@up 11@left"),
        ("34 01 00 12 | 03 11 02 24 | 44 14 04 33 23 13 22", "34@start 03@left 01@left 11@left"),
    ] {
        let Ok(Position::State(mut state)) = game.read_position(deal) else { panic!("{deal} is no deal") };
        for text in moves.split(' ') {
            game.apply(&mut state, game.read_action(text).unwrap());
        }
        let mut known = HashMap::new();
        for star in 0..=2 {
            let table = Table::new(4);
            let mut meter = Budget::default().start(None);
            let mut wanted: Vec<_> = game.actions(&state).collect();
            for depth in 0..=DEEPEST {
                wanted.retain(|&action| {
                    let mut search =
                        OpenHand::new(&game, &state, &table, &mut meter, Draws::Weighed).cutting(star);
                    let value = search.value_of(&state, action, depth).unwrap();
                    if value.solved {
                        let mut next = state.clone();
                        game.apply(&mut next, action);
                        let scored = game.lead(Objective::Stage, &next) - game.lead(Objective::Stage, &state);
                        let expected = scored + by_trying_once(&game, &next, &mut known);
                        let off = (value.gain - expected).abs();
                        assert!(off < 1e-4, "star={star}: {} is not {expected}, {action:?}", value.gain);
                    }
                    !value.solved
                });
                if wanted.is_empty() {
                    break;
                }
            }
        }
    }
}

/// They do not save nodes everywhere, but here they do.
#[test]
fn cuts_at_chance_save_nodes_and_change_nothing() {
    let game = open("dominoes(target=none, set=5, hand=6)");
    let mut rng = Rng::new(11);
    let mut nodes = [0; 3];
    let mut searched = 0;
    while searched < 10 {
        let few = |state: &State, _| state.boneyard().len() == 6 && state.board().played().len() >= 5;
        let Some((state, _)) = somewhere(&game, &mut rng, few) else { continue };
        let values = [0, 1, 2].map(|star| {
            let table = Table::new(16);
            let mut meter = Budget::default().start(None);
            let mut deepened = (1..=DEEPEST).map(|depth| {
                OpenHand::new(&game, &state, &table, &mut meter, Draws::Weighed)
                    .cutting(star)
                    .value(&state, depth)
                    .unwrap()
            });
            let solved = deepened.find(|value| value.solved).unwrap();
            nodes[usize::from(star)] += meter.nodes();
            solved.gain
        });
        assert!(values.iter().all(|value| (value - values[0]).abs() < 1e-4), "{values:?}");
        searched += 1;
    }
    let [none, star1, star2] = nodes;
    assert!(star1 * 100 < none * 95 && star2 * 100 < none * 95, "{nodes:?}");
}

/// Where nothing is left to draw, a playout is a match between two models.
#[test]
fn a_playout_gains_what_the_models_gain() {
    let game = open("dominoes(target=none, set=4, hand=6)");
    let mut rng = Rng::new(3);
    let table = Table::new(1);
    let (settings, roster) = (settings("anyone", &[]), players::agents());
    let playout = Playout::of(&BuildContext::new(&game, &settings, &roster), "scoring").unwrap();
    let mut leaves = Leaves::Playout(playout);
    let mut checked = 0;
    while checked < 25 {
        let drawn = |state: &State, _| state.boneyard().is_empty() && game.actions(state).len() > 1;
        let Some((state, seat)) = somewhere(&game, &mut rng, drawn) else { continue };
        let (mut now, mut mover) = (state.clone(), seat);
        loop {
            let actions: Vec<_> = game.actions(&now).collect();
            let view = game.view(&now, mover);
            let decision = Decision::new(&game, mover, &view, &actions);
            let action = players::Scoring::default().act(&decision, &mut Context::new(&mut Rng::new(0)));
            game.apply(&mut now, action);
            let Phase::Decide(next) = game.phase(&now) else { break };
            mover = next;
        }
        let mut meter = Budget::default().start(None);
        let mut search =
            OpenHand::new(&game, &state, &table, &mut meter, Draws::Fixed(1)).judging(Some(&mut leaves));
        let value = search.value(&state, 0).unwrap();
        assert_eq!(value.gain, game.lead(Objective::Stage, &now) - game.lead(Objective::Stage, &state));
        assert!(!value.solved, "models err");
        checked += 1;
    }
}
