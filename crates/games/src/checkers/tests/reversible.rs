//! Board numbers: each board has exactly one, and their sum is Table 4.7 of Jackson 2009.

use parlor_core::{Reversible, Spot};

use super::*;

/// Returns the classes with at most `most` pieces a side.
fn classes<W: Word>(game: &Checkers<W>, most: u32) -> Vec<Material> {
    let all = (2..=2 * most).flat_map(|pieces| game.classes(pieces));
    all.filter(|class| class.men + class.kings <= most as u8)
        .filter(|class| class.other_men + class.other_kings <= most as u8)
        .collect()
}

fn check_every_number<W: Word>(game: &Checkers<W>, class: Material) {
    let levels: Vec<u32> = (0..game.slices(class)).map(|slice| game.level(class, slice)).collect();
    let turned = game.turned(class);
    for slice in 0..game.slices(class) {
        let opposite = game.turned_slice(class, slice);
        assert_eq!(game.turned_slice(turned, opposite), slice);
        let mut count = 0;
        game.each(class, slice, |place, setup| {
            assert_eq!(game.at(Spot { class, slice, place }), Some(*setup));
            assert_eq!(place, count);
            count += 1;
        });
        assert_eq!(count, game.slice_size(class));
        for place in 0..game.slice_size(class) {
            let spot = Spot { class, slice, place };
            let setup = game.at(spot).unwrap();
            assert_eq!(game.spot(&setup), spot);
            slow::audit(game, &setup);
            game.onward(&setup, |next, reversible| {
                let to = game.spot(&next);
                if reversible {
                    assert_eq!((to.class, to.slice), (turned, opposite));
                    let mut back = false;
                    game.backward(&next, |earlier| back |= earlier == setup);
                    assert!(back, "{setup:?} → {next:?} and not back");
                } else if to.class == turned {
                    assert_eq!(game.level(turned, to.slice), levels[slice as usize] + 1);
                } else {
                    assert!(game.rank(to.class) < game.rank(class));
                    assert!(game.is_bare(to.class) || game.conversions(class).contains(&to.class));
                }
            });
            game.backward(&setup, |earlier| {
                let from = game.spot(&earlier);
                assert_eq!((from.class, from.slice), (turned, opposite));
                let (mut here, mut quiet) = (false, false);
                game.onward(&earlier, |next, reversible| {
                    here |= next == setup;
                    quiet |= reversible;
                });
                assert!(here || !quiet, "{earlier:?} does not lead to {setup:?}");
            });
        }
    }
}

#[test]
fn every_board_has_one_number() {
    for kings in [Kings::Must, Kings::May] {
        let small: Checkers<u64> = with(4, 4, 50, Unit::Plies, kings);
        for class in classes(&small, 2) {
            check_every_number(&small, class);
        }
    }
    let six: Checkers<u128> = game(6, 6);
    for class in (2..=3).flat_map(|pieces| six.classes(pieces)) {
        check_every_number(&six, class);
    }
}

#[test]
fn a_board_looks_the_same_to_both_sides() {
    let game: Checkers<u64> = game(6, 6);
    let red = board(&game, "-.-W-./.-.-.-/-.-.-w/.-r-.-/-.-.-./.-R-.- r");
    let white = board(&game, "-.-W-./.-.-.-/-.-w-./r-.-.-/-.-.-./.-R-.- w");
    assert_eq!(game.setup(&red), game.setup(&white));
}

/// Source 004, Table 4.7. It counts every board on which neither side has more pieces than at the start, regardless
/// of the side to move; it includes boards on which one side has no pieces, but not the empty one.
#[test]
fn table_4_7() {
    let table = [
        (4, 4, 6_087_u128),
        (4, 6, 854_727),
        (4, 8, 130_449_919),
        (6, 4, 10_354_431),
        (6, 6, 63_838_220_543),
        (6, 8, 421_609_358_479_359),
        (8, 4, 11_616_684_159),
        (8, 6, 2_353_833_522_293_759),
        (8, 8, 500_995_484_682_338_672_639),
    ];
    for (rows, columns, boards) in table {
        let game: Checkers<u64> = game(rows, columns);
        let most = game.start().own.len() as u8;
        let mut sum = 0;
        let counts = || (0..=most).flat_map(|pieces| (0..=pieces).map(move |kings| (pieces - kings, kings)));
        for (men, kings) in counts() {
            for (other_men, other_kings) in counts() {
                let class = Material { men, kings, other_men, other_kings };
                sum += u128::from(game.slices(class)) * u128::from(game.slice_size(class));
            }
        }
        assert_eq!(sum - 1, boards, "{rows}×{columns}");
    }
}
