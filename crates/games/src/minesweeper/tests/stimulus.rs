//! Codes of the collective learner.

use super::*;
use parlor_core::{Position, Stimulus};

fn view<W: Word>(game: &Minesweeper<W>, text: &str) -> View<W> {
    match game.read_position(text) {
        Ok(Position::View(view)) => view,
        Ok(Position::State(field)) => game.view(&field, Seat::FIRST),
        Err(error) => panic!("{text}: {error}"),
    }
}

#[test]
fn laws_of_codecs() {
    parlor_testkit::stimulus_laws(&game(3, 3, 2, First::Any), 20);
    parlor_testkit::stimulus_laws(&game(6, 6, 7, First::Clear), 4);
    parlor_testkit::stimulus_laws(&game(3, 12, 7, First::Safe), 4);
    parlor_testkit::stimulus_laws(&game(8, 8, 10, First::Any), 2);
    parlor_testkit::stimulus_laws(&Minesweeper::<u128>::new(9, 9, 10, First::Clear).unwrap(), 2);
    parlor_testkit::stimulus_laws(&Minesweeper::<U512>::new(16, 30, 99, First::Clear).unwrap(), 1);
}

#[test]
fn widths() {
    let widths = |rows, columns| {
        let game = game(rows, columns, 2, First::Any);
        ["board", "window3", "window5"].map(|name| game.codec(name).ok().map(|codec| game.width(codec)))
    };
    assert_eq!(widths(3, 3), [Some(32), Some(34), Some(98)]);
    assert_eq!(widths(6, 6), [Some(125), Some(34), Some(98)]);
    assert_eq!(widths(8, 8), [None, Some(34), Some(98)]);
    let refused = game(8, 8, 10, First::Any).codec("board").unwrap_err();
    assert_eq!(refused, "a code has room for 37 cells, and 8×8 are 64; take `window3` or `window5`");
}

#[test]
fn boards() {
    let game = game(3, 3, 2, First::Any);
    let codec = game.codec("board").unwrap();
    let seen = view(&game, "#1#/###/###");
    let from = game.stimulant(codec, &seen);
    assert_eq!(from, 2 * 11, "the second cell shows 1");
    assert_eq!(game.in_words(codec, from), "#1#/###/###");
    let to = game.respondent(codec, &seen, Action::Click(8));
    assert_eq!(game.in_words(codec, to), "#1#/###/##?");
    assert_eq!(game.step_in_words(codec, from, to), "opens c3");
    assert_eq!(game.step_in_words(codec, to, from), "#1#/###/##? → #1#/###/###");
}

/// Under rules that lay mines after the first click, the view shows only the click until they are laid.
#[test]
fn a_first_click_that_waits_for_mines_is_its_respondent() {
    let game = game(4, 4, 3, First::Safe);
    let codec = game.codec("board").unwrap();
    let before = game.view(&game.start(), Seat::FIRST);
    for cell in 0..16 {
        let mut field = game.start();
        game.apply(&mut field, Action::Click(cell));
        let waiting = game.view(&field, Seat::FIRST);
        assert_eq!(game.respondent(codec, &before, Action::Click(cell)), game.stimulant(codec, &waiting));
    }
}

#[test]
fn windows() {
    let game = game(4, 5, 4, First::Any);
    let seen = view(&game, "#####/#2###/#####/#####");
    let [small, large] = ["window3", "window5"].map(|name| game.codec(name).unwrap());
    let click = |codec, text: &str| game.respondent(codec, &seen, game.read_action(text).unwrap());
    let told = |codec, text: &str| game.in_words(codec, click(codec, text));
    assert_eq!(
        game.in_words(small, game.stimulant(small, &view(&game, "#####/#####/#####/#####"))),
        "nothing is open"
    );
    assert_eq!(game.in_words(small, game.stimulant(small, &seen)), "something is open");
    // Equal up to rotations and reflections, as long as the edge is at the same distance.
    assert_eq!(told(small, "c3"), "opens the middle of 2##/#?#/###");
    assert_eq!(told(small, "a1"), "opens the middle of ---/-?#/-#2");
    assert_eq!(click(small, "c1"), click(small, "a3"));
    assert_eq!(click(small, "b3"), click(small, "c2"));
    assert_ne!(click(small, "b3"), click(small, "c3"));
    assert_ne!(click(large, "b3"), click(large, "c2"), "the wider window sees the edge");
    assert_eq!(told(large, "c3").matches('-').count(), 5, "one row is beyond the edge");
    let from = game.stimulant(small, &seen);
    assert_eq!(game.step_in_words(small, from, click(small, "c3")), told(small, "c3"));
}
