//! Positions for each rule and its edge cases.

use super::*;

#[test]
fn steps_capture_by_rank() {
    // Rows take columns, both in the order K G M R N C P; from the tournament rules.
    const KINDS: &str = "KGMRNCP";
    const TAKES: [&str; 7] = ["xxxxxx-", "-xxxxxx", "--xxxxx", "---xxxx", "----xxx", "-------", "x-----x"];
    let mut rng = Rng::new(12);
    for (attacker, row) in KINDS.chars().zip(TAKES) {
        for (victim, mark) in KINDS.chars().zip(row.chars()) {
            for (own, other, turn) in
                [(attacker, victim.to_ascii_lowercase(), "r"), (attacker.to_ascii_lowercase(), victim, "b")]
            {
                let board = board(&ranks(&[&format!("{own}{other}--")], turn));
                let takes = offered(&game(), &board).contains(&"a8-b8".to_owned());
                assert_eq!(takes, mark == 'x', "{own} next to {other}");
                // Playouts use another table. A legal capture among at most three actions comes up in 64 draws.
                let picks = (0..64).any(|_| game().write_action(game().pick(&board, &mut rng)) == "a8-b8");
                assert_eq!(picks, mark == 'x', "{own} next to {other}, picked");
            }
        }
    }
}

#[test]
fn cannons_jump_exactly_one_piece() {
    let jumps = |rank: &str, pool: &str| {
        let board = board(&ranks(&[rank], &format!("r {pool}")));
        let moves = offered(&game(), &board);
        moves.into_iter().filter(|text| ["a8-c8", "a8-d8"].contains(&text.as_str())).collect::<Vec<_>>()
    };
    assert_eq!(jumps("CPk-", ""), ["a8-c8"], "over one's own");
    assert_eq!(jumps("Cpk-", ""), ["a8-c8"], "over an enemy");
    assert_eq!(jumps("CX-k", "P"), ["a8-d8"], "over a piece face down");
    assert_eq!(jumps("C-Xk", "P"), ["a8-d8"], "from afar");
    assert_eq!(jumps("CppX", "P"), ["a8-c8"], "what lies behind does not matter");
    assert!(jumps("C--k", "").is_empty(), "no screen");
    assert!(jumps("CPPk", "").is_empty(), "two screens");
    assert!(jumps("CPK-", "").is_empty(), "its own side");
    assert!(jumps("CPXk", "G").is_empty(), "a piece face down is never taken");
    // A jump does not wrap around the end of a rank.
    let board = board(&ranks(&["--CP", "k---"], "r"));
    assert!(!offered(&game(), &board).contains(&"c8-a7".to_owned()));
}

#[test]
fn the_first_piece_determines_the_colours() {
    let game = game();
    for (outcome, red, turn) in [("=K", Seat(0), "b"), ("=p", Seat(1), "r")] {
        let mut board = game.start();
        assert_eq!(game.phase(&board), Phase::Decide(Seat(0)));
        play(&game, &mut board, "c3");
        assert_eq!(game.phase(&board), Phase::Chance);
        assert_eq!(board.flipping(), Some(Square::on(2, 2)));
        play(&game, &mut board, outcome);
        assert_eq!(game.phase(&board), Phase::Decide(Seat(1)));
        assert_eq!(board.red(), Some(red));
        let text = game.write_position(&board).unwrap();
        assert_eq!(text.split(' ').nth(1), Some(turn), "{text}");
        assert_eq!(board.pool().total(), 31);
    }
}

#[test]
fn chance_weighs_pieces_by_their_count() {
    let game = game();
    let mut board = board("RXXr/----/XX--/----/----/----/----/c--C r PPpk");
    play(&game, &mut board, "a6");
    let outcomes: Vec<(String, f64)> =
        game.chances(&board).map(|(action, weight)| (game.write_action(action), weight)).collect();
    assert_eq!(outcomes, [("=P".to_owned(), 0.5), ("=p".to_owned(), 0.25), ("=k".to_owned(), 0.25)]);
}

#[test]
fn a_side_that_cannot_act_loses() {
    let game = game();
    // The pawn in the corner is blocked by ministers that it cannot take.
    let stuck = board("Pm--/m---/----/----/----/----/----/---- r");
    assert_eq!((game.phase(&stuck), game.ending(&stuck)), (Phase::Over, Some(Ending::Stuck)));
    assert_eq!(game.payoffs(&stuck), Payoffs::won_by(Seat(1)));
    // A piece face down can be flipped, and a capture is an action.
    assert_eq!(game.phase(&board("Pm--/m---/----/----/----/----/----/---X r p")), Phase::Decide(Seat(0)));
    assert_eq!(offered(&game, &board("Pm--/k---/----/----/----/----/----/---- r")), ["a8-a7"]);
}

#[test]
fn a_side_without_pieces_loses() {
    let game = game();
    let mut taken = board("Rp--/----/----/----/----/----/----/---- r");
    play(&game, &mut taken, "a8-b8");
    assert_eq!((game.phase(&taken), game.ending(&taken)), (Phase::Over, Some(Ending::Captured)));
    assert_eq!(game.payoffs(&taken), Payoffs::won_by(Seat(0)));
    // Enemy pieces face down do not save a side without pieces; a piece of its own does.
    let lost = board("K---/----/----/----/----/----/----/---X b R");
    assert_eq!(game.ending(&lost), Some(Ending::Captured));
    let saved = board("K---/----/----/----/----/----/----/---X b r");
    assert_eq!(offered(&game, &saved), ["d1"]);
}

#[test]
fn quiet_plies_are_a_draw() {
    let game = DarkChess::new(4, None).unwrap();
    let mut board = board("K---/----/--p-/--R-/----/----/---X/---k r N");
    play(&game, &mut board, "a8-a7 d1-c1 a7-a6");
    assert_eq!(game.ending(&board), None);
    let mut flipped = board.clone();
    play(&game, &mut board, "c1-c2");
    assert_eq!((game.phase(&board), game.ending(&board)), (Phase::Over, Some(Ending::Quiet)));
    assert_eq!(game.payoffs(&board), Payoffs::zero_sum(0.0));
    assert_eq!(game.actions(&board).len(), 0);
    // A flip restarts the count.
    play(&game, &mut flipped, "d2 =N a6-a5 c1-c2 a5-a4");
    assert_eq!((flipped.quiet_plies(), game.ending(&flipped)), (3, None));
}

#[test]
fn a_capture_restarts_the_count() {
    let game = DarkChess::new(3, None).unwrap();
    let mut board = board("K---/----/--p-/--R-/----/----/----/---k r");
    play(&game, &mut board, "a8-a7 d1-c1 c5-c6");
    assert_eq!((board.quiet_plies(), game.ending(&board)), (0, None));
    play(&game, &mut board, "c1-d1 a7-a8");
    assert_eq!(game.ending(&board), None);
    play(&game, &mut board, "d1-c1");
    assert_eq!(game.ending(&board), Some(Ending::Quiet));
}

#[test]
fn a_loss_takes_precedence_over_a_draw() {
    let game = DarkChess::new(1, None).unwrap();
    let mut board = board("p-M-/M---/----/----/----/----/----/---- r");
    play(&game, &mut board, "c8-b8");
    assert_eq!(game.ending(&board), Some(Ending::Stuck));
    assert_eq!(game.payoffs(&board), Payoffs::won_by(Seat(0)));
}

#[test]
fn repetition_is_a_draw() {
    const ROUND: &str = "a8-a7 d1-d2 a7-a8 d2-d1";
    for times in 2..=MAX_REPETITION {
        let game = DarkChess::new(180, Some(times)).unwrap();
        let mut board = board("K---/----/----/----/----/----/----/---k r");
        for _ in 2..times {
            play(&game, &mut board, ROUND);
        }
        play(&game, &mut board, "a8-a7 d1-d2 a7-a8");
        assert_eq!(game.ending(&board), None, "one ply before occurrence {times}");
        play(&game, &mut board, "d2-d1");
        assert_eq!(game.ending(&board), Some(Ending::Repetition), "occurrence {times}");
        assert_eq!(game.payoffs(&board), Payoffs::zero_sum(0.0));
    }
    let game = DarkChess::new(41, None).unwrap();
    let mut board = board("K---/----/----/----/----/----/----/---k r");
    for _ in 0..10 {
        play(&game, &mut board, ROUND);
    }
    assert_eq!(game.ending(&board), None);
}

#[test]
fn equal_pieces_are_alike_in_repetitions() {
    // The two red pawns swap squares and the king returns: the same position, though not the same pieces.
    let game = DarkChess::new(180, Some(2)).unwrap();
    let mut board = board("PP--/----/----/----/----/----/----/---k r");
    play(&game, &mut board, "a8-a7 d1-d2 b8-a8 d2-d1 a7-b7 d1-d2 b7-b8");
    assert_eq!(game.ending(&board), None);
    play(&game, &mut board, "d2-d1");
    assert_eq!(game.ending(&board), Some(Ending::Repetition));
}

#[test]
fn boards_include_their_past() {
    let game = game();
    let start = board("K---/----/----/----/----/----/----/---k r");
    let mut back = start.clone();
    play(&game, &mut back, "a8-a7 d1-d2 a7-a8 d2-d1");
    assert_eq!(game.write_position(&start), game.write_position(&back));
    assert_ne!(start, back, "one is nearer to a draw");
    assert_eq!(game.key(&start), game.key(&back), "tables share them while the draw is far");
    let near = DarkChess::new(34, Some(3)).unwrap();
    assert_ne!(near.key(&start), near.key(&back), "but not when it is near");
}

#[test]
fn settings() {
    assert!(DarkChess::new(0, None).is_none());
    assert!(DarkChess::new(180, Some(1)).is_none());
    assert!(DarkChess::new(180, Some(6)).is_none());
}
