//! The codes of the collective learner.

use super::*;
use parlor_core::Stimulus;

fn laws_of<W: Word>(rows: u8, columns: u8) {
    let game = game::<W>(rows, columns);
    parlor_testkit::stimulus_laws(&game, 2);
    parlor_testkit::respondents_are_reached(&game, 2);
}

#[test]
fn laws_of_codecs() {
    laws_of::<u64>(8, 8);
    laws_of::<u64>(4, 4);
    laws_of::<u64>(6, 10);
    laws_of::<u64>(10, 10);
    laws_of::<u128>(12, 12);
}

#[test]
fn widths() {
    fn widths<W: Word>(rows: u8, columns: u8) -> [Option<u32>; 2] {
        let game = game::<W>(rows, columns);
        ["board", "material"].map(|name| game.codec(name).ok().map(|codec| game.width(codec)))
    }
    assert_eq!(widths::<u64>(8, 8), [Some(76), Some(49)]);
    assert_eq!(widths::<u64>(10, 10), [Some(118), Some(49)]);
    assert_eq!(widths::<u128>(12, 12), [None, Some(55)]);
    let refused = game::<u128>(12, 12).codec("board").unwrap_err();
    assert_eq!(refused, "a code has room for 54 dark squares, and 12×12 has 72; take `material`");
}

#[test]
fn codes_of_the_whole_board_are_distinct() {
    let game = game::<u64>(8, 8);
    let codec = game.codec("board").unwrap();
    let start = game.start();
    let code = game.stimulant(codec, &start);
    assert_eq!(Some(game.in_words(codec, code)), game.write_position(&start));
    assert!(game.is_opening(codec, code));
    // a1 is the lowest digit, and the side to move the lowest bit.
    let corner = board(&game, "-.-.-.-./.-.-.-.-/-.-.-.-./.-.-.-.-/-.-.-.-./.-.-.-.-/-.-.-.-./R-W-.-.- w");
    assert_eq!(game.stimulant(codec, &corner), (2 + 4 * 5) << 1 | 1);
}

#[test]
fn steps_in_words() {
    let game = game::<u64>(8, 8);
    let [whole, material] = ["board", "material"].map(|name| game.codec(name).unwrap());
    let step = |codec, before: &Board<u64>, text: &str| {
        let action = meant(&game, before, text);
        game.step_in_words(codec, game.stimulant(codec, before), game.respondent(codec, before, action))
    };
    let mut at = game.start();
    assert_eq!(step(whole, &at, "c3-d4"), "red c3-d4");
    assert_eq!(
        step(material, &at, "c3-d4"),
        "red to move · red 12 men (4 at home, 12 rows advanced), 0 kings · white 12 men (4 at home, 12 rows advanced), \
         0 kings → white to move · red 12 men (4 at home, 13 rows advanced), 0 kings · white 12 men (4 at home, 12 rows \
         advanced), 0 kings"
    );
    play(&game, &mut at, &["c3-d4", "f6-e5"]);
    assert_eq!(step(whole, &at, "d4xf6"), "red d4xf6, 1 taken");
}

#[test]
fn a_balance_is_relative_to_the_side_to_move() {
    let game = game::<u64>(8, 8);
    let codec = game.codec("balance").unwrap();
    let told = |text: &str| game.in_words(codec, game.stimulant(codec, &board(&game, text)));
    // The men on c3 and d4 can take each other; white's on c7 is far, red's on e7 is about to be crowned.
    let middle = "-.-.-.-./.-w-r-.-/-.-.-.-./.-.-.-.-/-.-w-.-./.-r-.-.-/-.-.-.-./.-.-.-W-";
    assert_eq!(
        told(&format!("{middle} r")),
        "red to move, +0 men and -1 kings; can jump 1 ways, the other 1; about to crown 1, the other 0; board 0/6 full"
    );
    assert_eq!(
        told(&format!("{middle} w")),
        "white to move, +0 men and +1 kings; can jump 1 ways, the other 1; about to crown 0, the other 1; board 0/6 full"
    );
    assert_eq!(game.width(codec), 18);
}
