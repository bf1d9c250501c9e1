//! Tuples of the learner `ntuple`.

use super::*;
use parlor_core::{Afterstates, Positions};

fn laws_of<W: Word>(width: u8, height: u8, row: u8) {
    let game = Connect::<W>::new(width, height, row).unwrap();
    parlor_testkit::afterstates_laws(&game, 3);
    parlor_testkit::positions_laws(&game, 3);
}

#[test]
fn laws_of_tuples() {
    laws_of::<u64>(7, 6, 4);
    laws_of::<u64>(8, 7, 4); // exactly 64 bits
    laws_of::<u64>(2, 1, 2);
    laws_of::<u64>(3, 3, 3); // narrower than a tuple
    laws_of::<u128>(11, 10, 4);
    laws_of::<U192>(32, 4, 4);
    laws_of::<U192>(4, 30, 4); // the highest that has tuples
}

#[test]
fn columns_that_are_too_high_have_none() {
    let game = Connect::<U192>::new(1, 128, 128).unwrap();
    assert_eq!(game.table_layout("lines").unwrap_err(), "columns of more than 30 cells have no tuples");
}

/// Mirror images share their entries, and tuples of different contents do not.
#[test]
fn mirrored_boards_have_equal_sums_and_others_differ() {
    let game = Connect::<u64>::new(7, 6, 4).unwrap();
    for info in Connect::<u64>::LAYOUTS {
        let layout = game.table_layout(info.name).unwrap();
        let mut rng = Rng::new(4);
        let weights: Vec<f32> = (0..game.entries(&layout)).map(|_| rng.unit() as f32).collect();
        let mut boards = HashMap::new();
        for seed in 0..50 {
            let (mut board, mut rng) = (game.start(), Rng::new(seed));
            while game.phase(&board) != Phase::Over {
                let mirrored =
                    Board { mover: game.mirror_image(board.mover), taken: game.mirror_image(board.taken) };
                let sum = game.position_sum(&layout, &weights, &board);
                assert!((sum - game.position_sum(&layout, &weights, &mirrored)).abs() < 1e-4);
                let action = game.pick(&board, &mut rng);
                let mut entries = Vec::new();
                game.active(&layout, &board, action, &mut entries);
                entries.sort_unstable();
                game.apply(&mut board, action);
                let mirrored =
                    Board { mover: game.mirror_image(board.mover), taken: game.mirror_image(board.taken) };
                if game.phase(&board) != Phase::Over {
                    let known = boards.entry(entries).or_insert(board);
                    assert!(*known == board || *known == mirrored, "{board:?} and {known:?}");
                }
            }
        }
    }
}

/// 7×6 has 6 pairs of neighbouring columns, 20 blocks of 4×2 and 16 diagonals of two rows; half of them are mirror images.
#[test]
fn number_of_entries() {
    let game = Connect::<u64>::new(7, 6, 4).unwrap();
    let layout = game.table_layout("small").unwrap();
    assert_eq!(game.most_active(&layout), 6 + 20 + 16);
    assert_eq!(game.entries(&layout), 2 * ((3 << 14) + (10 << 12) + (8 << 12)));
}
