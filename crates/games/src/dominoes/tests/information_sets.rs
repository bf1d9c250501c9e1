//! Information sets distinguish exactly the situations that matter.

use std::collections::HashMap;

use parlor_core::InformationSets;

use super::*;

fn memory(game: &Dominoes, state: &State, seat: Seat) -> Vec<u8> {
    let mut memory = Vec::new();
    game.recall(&game.view(state, seat), &mut memory);
    memory
}

fn labels(game: &Dominoes, state: &State) -> Vec<u32> {
    let view = game.view(state, state.turn);
    let mut labels: Vec<u32> = game.actions(state).map(|action| game.label(&view, action)).collect();
    labels.sort_unstable();
    labels.dedup();
    labels
}

/// Plays random stages and checks every two situations with equal information sets: equal choices, and equal futures,
/// by the value of the board that the seat knows.
#[test]
fn equal_memories_offer_equal_choices() {
    for text in [
        "dominoes(rules=myers)",
        "dominoes(rules=myers, lead=free, arms=immediate)",
        "dominoes(rules=myers, set=2, hand=2, lead=free, draw=one-then-play)",
        "dominoes(rules=myers, set=2, hand=2, draw=one-ends-turn, spinner=none)",
    ] {
        let game = open(text);
        let mut known: HashMap<Vec<u8>, (Vec<u32>, View)> = HashMap::new();
        let mut met = 0;
        for seed in 0..3_000 {
            let mut rng = Rng::new(seed);
            let mut state = game.start();
            while game.phase(&state) != Phase::Over {
                let action = match game.phase(&state) {
                    Phase::Decide(seat) => {
                        let key = memory(&game, &state, seat);
                        let view = game.view(&state, seat);
                        let now = (labels(&game, &state), view.clone());
                        if let Some((labels, other)) = known.get(&key) {
                            met += u32::from(*other != view);
                            assert_eq!(labels, &now.0, "{:?}", state.log);
                            let mine =
                                |view: &View| (view.hand, view.other, view.boneyard, view.board.mirrored());
                            assert_eq!(mine(other), mine(&view));
                            let points =
                                |view: &View| (view.scores[view.seat], view.scores[view.seat.other()]);
                            assert_eq!(points(other), points(&view));
                        } else {
                            known.insert(key, now);
                        }
                        game.pick(&state, &mut rng)
                    }
                    _ => game.sample(&state, &mut rng),
                };
                game.apply(&mut state, action);
            }
        }
        assert!(met > 50, "{text}: {met} mirror images met");
    }
}

#[test]
fn mirror_images_share_information_sets_and_different_plays_do_not() {
    let game = open("dominoes(rules=myers, lead=free)");
    let start = deal(&game, "01 11 23 | 12 13 33 | 00 02 03 22");
    let after = |moves: &str| memory(&game, &play(&game, start.clone(), moves), Seat::FIRST);
    assert_eq!(after("11@start 12@left"), after("11@start 12@right"), "two sides of a lone double");
    assert_ne!(after("11@start 12@left"), after("11@start 13@left"));
    assert_ne!(after("01@start 12@right"), after("01@start 13@right"));
    let one = play(&game, start.clone(), "11@start 12@left");
    let two = play(&game, start.clone(), "11@start 12@right");
    assert_eq!(labels(&game, &one), labels(&game, &two));
    assert_ne!(memory(&game, &one, Seat::FIRST), memory(&game, &one, Seat::SECOND));
}

#[test]
fn information_sets_ignore_the_order_of_draws() {
    let game = open("dominoes(rules=myers, lead=free)");
    let start = deal(&game, "11 12 13 | 00 02 03 | 01 22 23 33");
    let after =
        |draws: &str, seat| memory(&game, &play(&game, start.clone(), &format!("11@start {draws}")), seat);
    let (one, two) = ("draw:22 draw:33 draw:01", "draw:33 draw:22 draw:01");
    assert_eq!(after(one, Seat::SECOND), after(two, Seat::SECOND));
    assert_ne!(after(one, Seat::SECOND), after("draw:22 draw:23 draw:01", Seat::SECOND));
    assert_eq!(after(one, Seat::FIRST), after("draw:22 draw:23 draw:01", Seat::FIRST));
    assert_ne!(after(one, Seat::FIRST), after("draw:01", Seat::FIRST));
}

#[test]
fn contests_have_no_information_sets() {
    assert!(open("dominoes").recalls().unwrap_err().contains("target=none"));
    assert_eq!(open("dominoes(rules=myers)").recalls(), Ok(()));
}
