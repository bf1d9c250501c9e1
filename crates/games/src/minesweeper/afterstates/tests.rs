//! Entries in range, the same for cells that look alike, and in words.

use parlor_core::Afterstates;
use parlor_testkit::afterstates_laws;

use super::{Layout, N, entry};
use crate::minesweeper::{Action, First, Minesweeper, View};

#[test]
fn laws() {
    for (rows, columns, mines) in [(3, 3, 2), (4, 4, 3), (1, 9, 2), (8, 8, 13)] {
        let game = Minesweeper::<u64>::new(rows, columns, mines, First::Any).unwrap();
        afterstates_laws(&game, 20);
    }
}

#[test]
fn cells_that_look_alike_have_the_same_entries() {
    let game = Minesweeper::<u64>::new(4, 4, 3, First::Any).unwrap();
    let view = View::untouched();
    let of = |cell| {
        let mut active = Vec::new();
        game.active(&Layout, &view, Action::Click(cell), &mut active);
        active
    };
    assert_eq!(of(0), of(15), "two corners");
    assert_eq!(of(1), of(7), "two edges");
    assert_ne!(of(0), of(1));
    assert_ne!(of(1), of(5));
}

#[test]
fn numbers_of_a_click() {
    let game = Minesweeper::<u64>::new(1, 5, 2, First::Any).unwrap();
    let view = View::untouched().with(1, 1).with(3, 2);
    let mut active = Vec::new();
    game.active(&Layout, &view, Action::Click(2), &mut active);
    let words: Vec<String> = active.iter().map(|&entry| game.entry_in_words(&Layout, entry)).collect();
    let pair = "number 1 · second number 2 · common 1 · of the first alone 1 · of the second alone 1 · the cell is common yes";
    assert!(words.iter().any(|words| words == pair), "{words:#?}");
    assert!(words.contains(&"covered cells 3 · mines 2 · numbers beside it 2".to_owned()), "{words:#?}");
    let facts = super::Knowledge::new(&game, &view).numbers;
    assert_eq!((facts.get(N::Covered), facts.get(N::Safe)), (3, 1));
    assert!(entry(&facts, 0) < entry(&facts, 1));
}
