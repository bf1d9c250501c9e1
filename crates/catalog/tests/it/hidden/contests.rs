//! Contests: what scores and learnt values are worth to a search.

use parlor_agents::{evaluation, ntuple, pimc};
use parlor_catalog::Registered;
use parlor_core::{Game, Imagine, Objective, Phase, Rng, Seat, Staged};
use parlor_games::dominoes::{Dominoes, State};

use super::{build_player, open, settings, somewhere};

/// Each seat is asked by its own view, so that what only the other one knows changes nothing.
#[test]
fn learnt_values_are_those_of_views() {
    let game = open("dominoes");
    let keys: &'static [_] = evaluation::with_views_keys(pimc::KEYS).leak();
    let settings = settings("pimc(evaluation=shipped)", keys);
    let shipped = Dominoes::ABILITIES.shipped_tables[0].bytes;
    let mut values = ntuple::view_values(&game, &settings, Some(shipped)).unwrap().unwrap();
    let mut rng = Rng::new(4);
    let (mut others, mut moved) = (0, 0);
    for _ in 0..60 {
        let choice = |state: &State, _| game.actions(state).len() > 2 && state.board().played().len() > 3;
        let Some((before, waits)) = somewhere(&game, &mut rng, choice) else { continue };
        let action = game.pick(&before, &mut rng);
        let mut state = before.clone();
        game.apply(&mut state, action);
        let Phase::Decide(mover) = game.phase(&state) else { continue };
        if mover == waits || game.actions(&state).len() < 2 {
            continue;
        }
        let alone = values.value(&game, &state, mover, None).value;
        assert_eq!(alone, -values.value(&game, &state, waits, None).value);
        assert!((-1.0..=1.0).contains(&alone));
        let both = values.value(&game, &state, mover, Some((&before, waits, action))).value;
        let other = game.imagine(&game.view(&state, mover), &mut rng);
        others += u32::from(other != state);
        assert_eq!(alone, values.value(&game, &other, mover, None).value);
        moved += u32::from(both != alone);
    }
    assert!(others > 10 && moved > 10, "{others} worlds, {moved} values of both seats");
}

#[test]
fn learnt_results_of_a_contest_are_no_points() {
    let game = open("dominoes");
    let hosted = parlor_catalog::open("dominoes").unwrap();
    for agent in ["pimc", "expectimax", "ismcts"] {
        let wrong = format!("{agent}(evaluation=shipped, objective=stage)");
        let said = hosted.team(&[&wrong, "random"]).err().expect("other units").to_string();
        assert!(said.contains("objective=contest"), "{said}");
    }
    assert_eq!(game.lead_of_result(Objective::Contest, 0.5), Some(50.0));
    assert_eq!(game.lead_of_result(Objective::Stage, 0.5), None);
}

/// A seat that can win at once does, whatever more it could score later. A rare play that wins in every sampled world is as good.
#[test]
fn a_contest_is_won_by_points_that_suffice() {
    let game = open("dominoes(target=30)");
    let mut agent = build_player(&game, "pimc(nodes=2000, worlds=20)");
    let mut rng = Rng::new(9);
    let (mut won, mut later) = (0, 0);
    for _ in 0..400 {
        let wins = |state: &State, seat: Seat| {
            let winning = game.actions(state).filter(|&action| {
                let mut next = state.clone();
                game.apply(&mut next, action);
                game.phase(&next) == Phase::Over && game.payoffs(&next).of(seat) > 0.0
            });
            let winning = winning.count();
            winning > 0 && winning < game.actions(state).len() && !state.hand(seat).is_empty()
        };
        let Some((state, seat)) = somewhere(&game, &mut rng, wins) else { continue };
        let view = game.view(&state, seat);
        let actions: Vec<_> = game.actions(&state).collect();
        // Going out wins only if the other hand is heavy, which is not known.
        if state.hand(seat).len() == 1 {
            continue;
        }
        let decision = parlor_core::Decision::new(&game, seat, &view, &actions);
        let action = agent.act(&decision, &mut parlor_core::Context::new(&mut rng));
        let mut next = state.clone();
        game.apply(&mut next, action);
        if game.phase(&next) == Phase::Over {
            won += 1;
        } else {
            later += 1;
        }
    }
    assert!(won > 10 && later * 10 <= won, "{won} won at once, {later} did not");
}
