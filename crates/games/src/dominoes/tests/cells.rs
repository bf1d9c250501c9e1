//! Views as cells, and numbers of actions.

use parlor_core::{Cells, Numbered};

use super::*;

fn laws(text: &str, cases: u32) {
    parlor_testkit::cells_laws(&open(text), cases, |_, _, action| action);
}

#[test]
fn every_switch() {
    for text in SETTINGS {
        laws(text, 3);
    }
}

/// Every combination of the switches that decide what may be played.
#[test]
fn every_way_to_play_and_draw() {
    for arms in Arms::WORDS {
        for spinner in Spinner::WORDS {
            for draw in Drawing::WORDS {
                for lead in Leading::WORDS {
                    let rules = format!("arms={arms}, spinner={spinner}, draw={draw}, lead={lead}");
                    laws(&format!("dominoes(rules=myers, {rules})"), 4);
                }
            }
        }
    }
    laws("dominoes(set=9, hand=27, target=none)", 2);
    laws("dominoes(rules=myers, set=2, hand=3, reserve=0)", 10);
}

#[test]
fn tiles_ends_and_counts() {
    let game = open("dominoes(rules=myers, lead=free)");
    let state = play(&game, deal(&game, "00 01 02 | 03 11 12 | 13 22 23 33"), "01@start 12@right 02@right");
    let view = game.view(&state, Seat::SECOND);
    let symbols = game.layout().symbols;
    let mut cells = [0; 32];
    game.cells(&view, &mut cells);
    let texts: Vec<&str> = cells.iter().map(|&symbol| &*symbols[usize::from(symbol)].text).collect();
    assert_eq!(texts[..4], ["?", "t", "t", "h"]);
    assert_eq!(texts[4..8], [".", "h", "t", "?"]);
    assert_eq!(texts[8..12], [".", ".", "?", "?"]);
    assert_eq!(texts[12..16], [".", ".", ".", "?"]);
    // Ends 0 and 0, no arms, no spinner; 2 own tiles, 1 of the other seat, 4 in the boneyard; a board count of 0 scores nothing.
    let beside = ["0", "0", "-", "-", "0", "0", "-", "-", "-", "2", "1", "4", "0", "0", "0", "0"];
    assert_eq!(texts[16..], beside);
    let places: Vec<_> = game.actions(&state).map(|action| game.place(&view, action)).collect();
    let shown: Vec<_> = places.iter().map(|place| (place.cells[0], place.kind)).collect();
    assert_eq!(shown, [(3, 1), (3, 2)], "03 fits at both ends");
    assert!(game.place(&view, Action::Pass).cells.is_empty());
}

/// Numbers that must never change.
#[test]
fn numbers_are_fixed() {
    let counts = [("dominoes", 141), ("dominoes(spinner=none)", 85), ("dominoes(rules=myers)", 51)];
    for (text, expected) in counts {
        assert_eq!(open(text).numbers(), expected, "{text}");
    }
    let game = open("dominoes");
    let number = |text: &str| game.number(game.read_action(text).unwrap());
    assert_eq!(["00@start", "00@down", "01@left", "66@right", "pass"].map(number), [0, 4, 6, 137, 140]);
}
