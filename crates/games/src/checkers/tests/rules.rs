use std::collections::HashMap;

use super::*;

#[test]
fn rows_are_filled_up_to_the_two_middle_ones() {
    for (rows, columns, text) in [
        (4, 4, "-w-w/.-.-/-.-./r-r- r"),
        (6, 4, "-w-w/w-w-/-.-./.-.-/-r-r/r-r- r"),
        (4, 6, "-w-w-w/.-.-.-/-.-.-./r-r-r- r"),
        (8, 8, "-w-w-w-w/w-w-w-w-/-w-w-w-w/.-.-.-.-/-.-.-.-./r-r-r-r-/-r-r-r-r/r-r-r-r- r"),
    ] {
        let game = game::<u64>(rows, columns);
        assert_eq!(game.write_position(&game.start()).unwrap(), text);
        assert_eq!(board(&game, text), game.start());
    }
}

#[test]
fn boards_choose_their_word() {
    let fits = |rows, columns| Checkers::<u64>::new(rows, columns, Options::default()).is_some();
    for rows in 0..=20 {
        for columns in 0..=20 {
            let even = |side: u8| side.is_multiple_of(2) && (4..=12).contains(&side);
            let good = even(rows) && even(columns);
            assert_eq!(Checkers::<u128>::new(rows, columns, Options::default()).is_some(), good);
            assert_eq!(fits(rows, columns), good && !matches!((rows, columns), (10 | 12, 12) | (12, 10)));
        }
    }
    let draw = |draw| Checkers::<u64>::new(8, 8, Options { draw, ..Options::default() }).is_some();
    assert!(!draw(0) && draw(1) && draw(MAX_DRAW) && !draw(MAX_DRAW + 1));
}

#[test]
fn squares_and_places_agree() {
    for (rows, columns) in [(4, 4), (8, 8), (6, 12), (12, 12)] {
        let game = game::<u128>(rows, columns);
        let mut seen = 0u128;
        for row in 0..rows {
            for column in 0..columns {
                let square = game.square(column, row);
                assert_eq!(square.is_some(), (column + row) % 2 == 0);
                if let Some(square) = square {
                    assert_eq!(game.place(square), (column, row));
                    seen |= u128::bit(square);
                }
            }
        }
        assert_eq!((seen, seen.len()), (game.squares, u32::from(rows) * u32::from(columns) / 2));
        assert_eq!((game.square(columns, 0), game.square(0, rows)), (None, None));
    }
}

#[test]
fn stretches_without_progress_are_ties() {
    let kings = "-.-.-.-./.-.-.-.-/-.-.-.-./.-.-.-.-/-.-.-.-./.-.-.-.-/-.-W-W-./R-.-.-.- r";
    for (unit, plies) in [(Unit::Plies, 3), (Unit::Pairs, 6)] {
        let game = with::<u64>(8, 8, 3, unit, Kings::Must);
        let mut state = board(&game, kings);
        for (ply, text) in ["a1-b2", "d2-e3", "b2-a1", "e3-d2", "a1-b2", "d2-e3"].iter().enumerate() {
            if ply == plies {
                break;
            }
            assert_eq!(
                (state.idle(), game.phase(&state)),
                (ply as u16, Phase::Decide(Seat((ply & 1) as u8)))
            );
            play(&game, &mut state, &[text]);
        }
        assert_eq!((state.idle(), game.phase(&state)), (plies as u16, Phase::Over));
        assert_eq!(game.payoffs(&state), Payoffs::zero_sum(0.0));
        assert_eq!(game.actions(&state).len(), 0);
    }
}

#[test]
fn captures_and_men_start_the_count_anew() {
    let game = game::<u64>(8, 8);
    let mut state = board(&game, "-.-.-.-./.-.-.-.-/-.-.-w-./.-.-.-.-/-.-.-.-./.-.-.-.-/-.-W-.-./R-.-.-r- r");
    play(&game, &mut state, &["a1-b2"]);
    assert_eq!(state.idle(), 1);
    play(&game, &mut state, &["d2-e3"]);
    assert_eq!(state.idle(), 2);
    play(&game, &mut state, &["g1-h2"]);
    assert_eq!(state.idle(), 0, "a man of red");
    play(&game, &mut state, &["e3-d4", "b2-c3"]);
    assert_eq!(state.idle(), 2);
    play(&game, &mut state, &["d4xb2"]);
    assert_eq!(state.idle(), 0, "a capture by a king");
}

#[test]
fn being_blocked_loses_even_on_the_last_ply_of_a_stretch() {
    // One ply without progress is a tie here, and red has two options: to block white, or not.
    let game = with::<u64>(4, 4, 1, Unit::Plies, Kings::Must);
    for (text, payoffs) in [("b4-c3", Payoffs::won_by(RED)), ("b2-a1", Payoffs::zero_sum(0.0))] {
        let mut state = board(&game, "-R-w/.-.-/-R-./.-.- r");
        play(&game, &mut state, &[text]);
        assert_eq!(
            (state.idle(), game.phase(&state), game.payoffs(&state)),
            (1, Phase::Over, payoffs),
            "{text}"
        );
    }
}

#[test]
fn no_pieces_or_no_moves_lose() {
    let game = game::<u64>(8, 8);
    for (text, winner) in [
        ("-.-.-.-./.-.-.-.-/-.-.-.-./.-.-.-.-/-.-.-.-./.-.-.-.-/-.-.-.-./r-.-.-.- w", RED),
        ("-.-.-.-./.-.-.-.-/-.-.-.-./.-.-.-.-/-.-.-.-./.-.-.-.-/-.-.-.-./W-.-.-.- r", WHITE),
        ("-w-.-.-./r-.-.-.-/-.-.-.-./.-.-.-.-/-.-.-.-./.-.-.-.-/-.-.-.-./.-.-.-.- r", WHITE),
    ] {
        let state = board(&game, text);
        assert_eq!(
            (game.phase(&state), game.payoffs(&state)),
            (Phase::Over, Payoffs::won_by(winner)),
            "{text}"
        );
    }
}

#[test]
fn kings_may_decline_only_while_no_man_can_jump() {
    let must = with::<u64>(6, 6, 50, Unit::Plies, Kings::Must);
    let may = with::<u64>(6, 6, 50, Unit::Plies, Kings::May);
    let list = |game: &Checkers<u64>, text: &str| {
        let mut list: Vec<String> =
            game.actions(&board(game, text)).map(|action| game.write_action(action)).collect();
        list.sort();
        list.join(" ")
    };
    let king_only = "-.-.-./.-.-.-/-.-.-./.-w-.-/-R-.-./.-.-r- r";
    assert_eq!(list(&must, king_only), "b2xd4");
    assert_eq!(list(&may, king_only), "b2-a1 b2-a3 b2-c1 b2xd4 e1-d2 e1-f2");
    // A man that can jump forces a jump; a king's jump will do.
    let both = "-.-.-./.-.-.-/-.-.-./.-w-.-/-R-r-./.-.-r- r";
    assert_eq!(list(&must, both), "b2xd4 d2xb4");
    assert_eq!(list(&may, both), "b2xd4 d2xb4");
    let man_only = "-.-.-./.-R-.-/-.-.-./.-w-.-/-.-r-./.-.-.- r";
    assert_eq!(list(&may, man_only), "d2xb4");
}

#[test]
fn a_move_takes_at_most_25() {
    // Count what the argument at `MOST_JUMPS` counts.
    for parity in 0..2u8 {
        let inner = |side: u8| (1..side - 1).filter(|n| n % 2 == parity).count() as u32;
        assert_eq!(inner(MAX_SIDE) * inner(MAX_SIDE), MOST_JUMPS);
    }
    // A king among men on every second square of every second row can take all of them, in more ways than any list of
    // fixed size holds.
    let game = game::<u128>(12, 12);
    let odd = |square: &u32| matches!(game.place(*square), (1 | 3 | 5 | 7 | 9, 1 | 3 | 5 | 7 | 9));
    let men = game.squares.cells().filter(odd).fold(0, |set, square| set | u128::bit(square));
    assert_eq!(men.len(), MOST_JUMPS);
    let from = |start: u32| Board::new(u128::bit(start), men, u128::bit(start), RED, 0);
    let moves = |start: &u32| game.actions(&from(*start)).len();
    let start = game.squares.cells().filter(|&square| !men.has(square)).max_by_key(moves).unwrap();
    assert_eq!(moves(&start), 6008);
    let longest = |start: u32| game.actions(&from(start)).map(Move::jumps).max();
    assert_eq!(
        game.squares.cells().filter(|&square| !men.has(square)).filter_map(longest).max(),
        Some(MOST_JUMPS)
    );
    slow::audit(&game, &from(start));
}

#[test]
fn picks_are_uniform() {
    let single = "-.-R-.-R/.-.-r-.-/-.-.-.-./R-.-.-.-/-.-.-.-r/.-.-.-.-/-r-.-.-./.-.-.-.- r";
    let chains = "-.-.-R-./r-w-W-W-/-.-.-r-R/.-.-.-R-/-.-R-W-./r-.-W-w-/-R-R-.-./.-.-.-W- w";
    for (text, kings, count) in [(single, Kings::Must, 8), (chains, Kings::Must, 4), (chains, Kings::May, 15)]
    {
        let game = with::<u64>(8, 8, 50, Unit::Plies, kings);
        let state = board(&game, text);
        let (mut rng, mut picked) = (Rng::new(8), HashMap::new());
        for _ in 0..1000 * count {
            *picked.entry(game.pick(&state, &mut rng)).or_insert(0u32) += 1;
        }
        // Five standard deviations of a count around 1000 are less than 158.
        assert_eq!(picked.len(), count);
        assert!(picked.values().all(|&n| n.abs_diff(1000) < 158), "{picked:?}");
    }
}

#[test]
fn keys_distinguish_states_with_different_futures() {
    let game = game::<u64>(8, 8);
    let text = "-.-.-.-./.-.-.-.-/-.-.-.-./.-.-.-.-/-.-.-.-./.-.-.-.-/-.-W-.-./R-.-.-.- r";
    let first = board(&game, text);
    let mut again = first;
    play(&game, &mut again, &["a1-b2", "d2-e1", "b2-a1", "e1-d2"]);
    assert_eq!(game.write_position(&again).unwrap(), text);
    assert_ne!(game.key(&first), game.key(&again));
    assert_eq!(game.board_key(&first), game.board_key(&again));
    let other_turn = board(&game, &text.replace(" r", " w"));
    let king = board(&game, &text.replace("R", "r"));
    for different in [other_turn, king] {
        assert_ne!(game.board_key(&first), game.board_key(&different));
    }
}
