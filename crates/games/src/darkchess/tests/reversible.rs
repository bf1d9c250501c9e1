//! Numbers of boards with few pieces: each board has one, mirrors share theirs, and moves lead back and forth between
//! them.

use std::collections::BTreeSet;

use parlor_core::{Game, Reversible, Rng, Spot};

use super::*;

/// Compares the moves of a setup with the moves of its board by the rules.
fn check(game: &DarkChess, setup: &Lineup) {
    let spot = game.spot(setup);
    assert_eq!(game.at(spot), Some(*setup));
    let (board, class) = (game.stand(setup), game.class(setup));
    assert_eq!(game.setup(&board), Some(*setup));
    let place = |setup: &Lineup| (game.spot(setup).class, game.spot(setup).place);
    let by_rules: BTreeSet<_> = game
        .actions(&board)
        .map(|action| {
            let mut next = board.clone();
            game.apply(&mut next, action);
            (place(&game.setup(&next).unwrap()), next.quiet_plies() > 0)
        })
        .collect();
    let mut told = BTreeSet::new();
    game.onward(setup, |next, reversible| {
        told.insert((place(&next), reversible));
        if reversible {
            assert_eq!(game.class(&next), game.turned(class));
            let mut back = false;
            game.backward(&next, |earlier| back |= earlier == *setup);
            assert!(back, "{setup:?} → {next:?} and not back");
        } else if !game.is_bare(game.class(&next)) {
            assert!(game.conversions(class).contains(&game.class(&next)));
        }
    });
    assert_eq!(told, by_rules, "{setup:?}");
    game.backward(setup, |earlier| {
        let mut here = false;
        game.onward(&earlier, |next, reversible| here |= reversible && next == *setup);
        assert!(here, "{earlier:?} does not lead to {setup:?}");
    });
}

#[test]
fn two_pieces_everywhere() {
    let game = game();
    let classes = game.classes(2);
    assert_eq!(classes.len(), 49);
    for class in classes {
        let mut setups = 0;
        for place in 0..game.slice_size(class) {
            if let Some(setup) = game.at(Spot { class, slice: 0, place }) {
                check(&game, &setup);
                setups += 1;
            }
        }
        assert_eq!(setups, 32 * 31 / 4, "four mirrors, and no board is its own image");
    }
}

#[test]
fn some_of_three_and_four_pieces() {
    let (game, mut rng) = (game(), Rng::new(4));
    for pieces in [3, 4] {
        let classes = game.classes(pieces);
        for _ in 0..3_000 {
            let class = classes[rng.below(classes.len() as u32) as usize];
            let place = rng.bits() % game.slice_size(class);
            if let Some(setup) = game.at(Spot { class, slice: 0, place }) {
                check(&game, &setup);
            }
        }
    }
    assert!(game.classes(5).is_empty());
}

#[test]
fn mirrors_and_colours_make_no_difference() {
    let game = game();
    let setup = |text: &str| game.setup(&board(text)).unwrap();
    let one = setup(&ranks(&["K-p-", "---c"], "r"));
    assert_eq!(one, setup(&ranks(&["-p-K", "c---"], "r")), "files");
    assert_eq!(one, setup("----/----/----/----/----/----/---c/K-p- r"), "ranks");
    assert_eq!(one, setup(&ranks(&["k-P-", "---C"], "b")), "colours");
    assert_ne!(one, setup(&ranks(&["K-p-", "---c"], "b")), "who is to move");
    assert_eq!(game.class_name(game.class(&one)), "K-cp");
    assert_eq!(game.setup(&board(&ranks(&["K-p-", "---X"], "r C"))), None);
}
