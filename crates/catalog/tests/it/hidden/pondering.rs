//! Thinking on the other seat's time.

use std::thread;
use std::time::Duration;

use parlor_core::{
    Actor, Cancel, Context, Decision, Game, Notation, Pondering, Position, Rng, Seat, Sight, Thought,
};
use parlor_games::dominoes::Action;

use super::{build_player, open};

/// Returns what an agent thinks last after the other seat's move, with and without having thought for a while during it.
fn with_and_without_pondering(text: &str, milliseconds: u64) -> [Thought<Action>; 2] {
    let game = open("dominoes(rules=myers, lead=free)");
    let Ok(Position::State(start)) = game.read_position("00 01 02 | 03 11 12 | 13 22 23 33") else {
        panic!()
    };
    [true, false].map(|ponders| {
        let mut agent = build_player(&game, text);
        agent.begin(&game, Seat::SECOND);
        let mut state = start.clone();
        if ponders {
            let stop = Cancel::new();
            let view = game.view(&state, Seat::SECOND);
            let pondering = Pondering { game: &game, seat: Seat::SECOND, view: &view, cancel: &stop };
            thread::scope(|scope| {
                scope.spawn(|| agent.ponder(&pondering));
                thread::sleep(Duration::from_millis(milliseconds));
                stop.cancel();
            });
        }
        let action = game.read_action("01@start").unwrap();
        game.apply(&mut state, action);
        agent.watch(&game, Sight { actor: Actor::Seat(Seat::FIRST), action });
        let actions: Vec<_> = game.actions(&state).collect();
        assert!(actions.len() > 1);
        let view = game.view(&state, Seat::SECOND);
        let decision = Decision::new(&game, Seat::SECOND, &view, &actions);
        let mut last = None;
        agent.act(
            &decision,
            &mut Context::new(&mut Rng::new(1)).with_reporter(&mut |thought| last = Some(thought.clone())),
        );
        last.unwrap()
    })
}

#[test]
fn what_was_thought_on_the_other_seats_time_is_kept() {
    let visits = |thought: &Thought<Action>| thought.moves.iter().map(|told| told.visits).sum::<u64>();
    // How much is thought in a while depends on the machine, so slower ones get longer.
    let kept = [300, 1000, 10_000].into_iter().any(|milliseconds| {
        let [pondered, fresh] = with_and_without_pondering("ismcts(sims=100)", milliseconds);
        assert!(visits(&fresh) <= 100, "{fresh:?}");
        visits(&pondered) > 150
    });
    assert!(kept, "next to nothing of ten seconds of pondering was kept");
    let [off, fresh] = with_and_without_pondering("ismcts(sims=100, ponder=off)", 300);
    assert_eq!(visits(&off), visits(&fresh));
    // The whole stage is in the table, so all values are the same with fewer nodes.
    let saved = [300, 1000, 10_000].into_iter().any(|milliseconds| {
        let [pondered, fresh] = with_and_without_pondering("expectimax", milliseconds);
        for told in &pondered.moves {
            let other = fresh.moves.iter().find(|other| other.action == told.action).unwrap();
            assert!((told.value - other.value).abs() < 1e-3, "{told:?}, {other:?}");
        }
        pondered.nodes < fresh.nodes
    });
    assert!(saved, "ten seconds of pondering saved no node");
}
