//! Codes of the collective learner.

use super::*;
use parlor_core::Stimulus;

fn laws_of<W: Word>(width: u8, height: u8, row: u8) {
    let game = Connect::<W>::new(width, height, row).unwrap();
    parlor_testkit::stimulus_laws(&game, 3);
    parlor_testkit::respondents_are_reached(&game, 3);
}

#[test]
fn laws_of_codecs() {
    laws_of::<u64>(7, 6, 4);
    laws_of::<u64>(8, 7, 4); // exactly 64 bits
    laws_of::<u64>(2, 1, 2);
    laws_of::<u128>(11, 10, 4);
    laws_of::<u128>(16, 7, 5); // exactly 128 bits
    laws_of::<U192>(16, 8, 4); // no `board`
    laws_of::<U192>(32, 4, 4); // the most surfaces of all boards
    laws_of::<U192>(1, 128, 128);
}

/// Returns the board after a string of columns.
fn after(game: &Connect<u64>, columns: &str) -> Board<u64> {
    let mut board = game.start();
    for column in columns.chars() {
        game.try_apply(&mut board, game.read_action(&column.to_string()).unwrap()).unwrap();
    }
    board
}

#[test]
fn widths() {
    fn widths<W: Word>(width: u8, height: u8) -> [Option<u32>; 2] {
        let game = Connect::<W>::new(width, height, 4).unwrap();
        ["board", "surface"].map(|name| game.codec(name).ok().map(|codec| Stimulus::width(&game, codec)))
    }
    assert_eq!(widths::<u64>(7, 6), [Some(49), Some(32)]);
    assert_eq!(widths::<u128>(11, 10), [Some(121), Some(59)]);
    assert_eq!(widths::<U192>(32, 4), [None, Some(126)]);
    for width in 1..=MAX_WIDTH {
        for height in (4..=MAX_CELLS).filter(|&height| u32::from(width) * u32::from(height) <= 128) {
            let [_, surface] = widths::<U192>(width, height);
            assert!(surface.is_some_and(|bits| bits <= 128), "{width}×{height}");
        }
    }
    let refused = Connect::<U192>::new(16, 8, 4).unwrap().codec("board").unwrap_err();
    assert_eq!(refused, "the whole board of 16×8 needs 144 bits, and a code has 128; take `surface`");
}

#[test]
fn codes() {
    let game = Connect::<u64>::new(7, 6, 4).unwrap();
    let [board, surface] = ["board", "surface"].map(|name| game.codec(name).unwrap());
    let told = |codec, columns| game.in_words(codec, game.stimulant(codec, &after(&game, columns)));
    assert_eq!(told(board, ""), "an empty board");
    assert_eq!(told(board, "44443"), "3 X · 4 XOXO");
    assert_eq!(told(surface, "44443"), "3 X · 4 ??XO");
    // Below the two highest discs the surface does not distinguish X from O.
    let code = |codec, columns| game.stimulant(codec, &after(&game, columns));
    assert_eq!(code(surface, "12222112"), code(surface, "22122112"));
    assert_ne!(code(board, "12222112"), code(board, "22122112"));
    assert_ne!(code(surface, "1"), code(surface, "7"));
    for codec in [board, surface] {
        assert!(game.is_opening(codec, code(codec, "")) && !game.is_opening(codec, code(codec, "7")));
        assert_eq!(game.step_in_words(codec, code(codec, "444"), code(codec, "4443")), "O drops into 3");
        assert_eq!(game.step_in_words(codec, code(codec, "1"), code(codec, "")), "1 X → an empty board");
    }
}

#[test]
fn threats_are_counted_for_both_sides() {
    let game = Connect::<u64>::new(7, 6, 4).unwrap();
    let codec = game.codec("threats").unwrap();
    let told = |columns: &str| game.in_words(codec, game.stimulant(codec, &after(&game, columns)));
    assert_eq!(told(""), "an empty board");
    // X has three in a row at the bottom with both ends free, and O is to move.
    assert_eq!(
        told("33445"),
        "the next side can win at 0 cells now and 0 later, the one that moved at 2 and 0, +1 in the middle, 0/4 full"
    );
    assert_eq!(told("3344556"), "wins");
    assert_eq!(Stimulus::width(&game, codec), 15);
}
