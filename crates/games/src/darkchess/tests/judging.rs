//! The evaluation: fair to both sides, invariant under mirrors, and right about exchanges.

use std::collections::HashMap;

use parlor_core::Evaluate;
use parlor_core::rules::evaluate::MOST;

use super::*;

fn weights() -> Weights {
    game().read_weights(DarkChess::WEIGHTS).unwrap()
}

/// Calls `visit` with boards from many stages of random matches.
fn walk(games: u64, mut visit: impl FnMut(&Board)) {
    let game = game();
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut board = game.start();
        loop {
            let action = match game.phase(&board) {
                Phase::Over => break,
                Phase::Chance => game.sample(&board, &mut rng),
                Phase::Decide(_) => {
                    visit(&board);
                    // Captures more often than not, so that endgames occur before draws.
                    let loud: Vec<Action> =
                        game.actions(&board).filter(|&action| game.is_loud_action(&board, action)).collect();
                    if loud.is_empty() { game.pick(&board, &mut rng) } else { *rng.choose(&loud) }
                }
            };
            game.apply(&mut board, action);
        }
    }
}

/// Returns the position with changed ranks and letters of its text.
fn changed(text: &str, rows: impl Fn(Vec<String>) -> Vec<String>, letters: impl Fn(char) -> char) -> Board {
    let mut parts = text.split(' ').map(str::to_owned);
    let ranks = parts.next().unwrap().split('/').map(str::to_owned).collect();
    let turn = parts.next().unwrap();
    let pool = parts.next().unwrap_or_default();
    let ranks: Vec<String> = rows(ranks).iter().map(|rank| rank.chars().map(&letters).collect()).collect();
    let turn = if letters('K') == 'k' && turn != "?" { if turn == "r" { "b" } else { "r" } } else { &turn };
    let pool: String = pool.chars().map(&letters).collect();
    board(format!("{} {turn} {pool}", ranks.join("/")).trim_end())
}

#[test]
fn evaluation_is_invariant_under_mirrors_and_colours() {
    let (game, weights) = (game(), weights());
    let mut seen = 0;
    walk(40, |board| {
        let Some(text) = game.write_position(board) else { return };
        assert!(game.evaluate(&weights, board).abs() <= MOST);
        let same = |c: char| c;
        // A text does not contain the distance from the draw.
        let value = game.evaluate(&weights, &changed(&text, |rows| rows, same));
        let swap = |c: char| match c {
            'X' | '-' => c,
            c if c.is_ascii_uppercase() => c.to_ascii_lowercase(),
            c => c.to_ascii_uppercase(),
        };
        let upside_down = changed(&text, |rows| rows.into_iter().rev().collect(), same);
        let mirrored =
            changed(&text, |rows| rows.iter().map(|row| row.chars().rev().collect()).collect(), same);
        let recoloured = changed(&text, |rows| rows, swap);
        for other in [upside_down, mirrored, recoloured] {
            assert_eq!(game.evaluate(&weights, &other), value, "{text}");
        }
        seen += 1;
    });
    assert!(seen > 2_000, "{seen} positions");
}

/// Apart from the side to move, the evaluation is symmetric.
#[test]
fn what_one_side_gains_the_other_loses() {
    let (game, weights) = (game(), weights());
    for (text, better) in [
        ("K--k/----/----/----/----/----/----/---- r", 0),
        ("G--p/----/----/----/----/----/----/---- r", 1),
        ("P--k/P---/P---/----/----/----/----/---- r", 1),
        ("K--p/----/p---/----/----/----/----/-p-- r", -1),
        ("N--r/----/----/----/----/----/----/---- r", -1),
    ] {
        let value = game.evaluate(&weights, &board(text));
        let other = game.evaluate(&weights, &board(&text.replace(" r", " b")));
        // The parity of a distance favours the side to move, so equal pieces are not worth 0.
        let balance = value - other;
        assert!(balance * better >= 0 && (better != 0 || (value - other) == 0), "{text}: {value} {other}");
        assert!(better == 0 || (value > 0) == (better > 0), "{text}: {value}");
    }
}

/// Returns the value of the best sequence of captures on `to` for the side to move, which may stop at any time, by
/// playing every legal capture.
fn by_playing(board: &Board, to: Square, values: &HashMap<char, i32>) -> i32 {
    let game = game();
    let Contents::Up(victim) = board.at(to) else { return 0 };
    let takes = game.actions(board).filter(|&action| matches!(action, Action::Move(_, at) if at == to));
    takes.fold(0, |best, action| best.max(one_by_playing(board, action, victim, to, values)))
}

fn one_by_playing(
    board: &Board,
    action: Action,
    victim: Piece,
    to: Square,
    values: &HashMap<char, i32>,
) -> i32 {
    let mut next = board.clone();
    game().apply(&mut next, action);
    values[&victim.letter()] - by_playing(&next, to, values)
}

#[test]
fn exchanges_agree_with_playing_them() {
    let (game, weights) = (game(), weights());
    let (mut captures, mut bad) = (0, 0);
    walk(60, |board| {
        let worth = evaluate::worth_of_all(&weights, board);
        let values: HashMap<char, i32> =
            worth.into_iter().map(|(piece, value)| (piece.letter(), value)).collect();
        for action in game.actions(board).filter(|&action| game.is_loud_action(board, action)) {
            let Action::Move(_, to) = action else { panic!("only moves take") };
            let Contents::Up(victim) = board.at(to) else { panic!("only what lies face up is taken") };
            let played = one_by_playing(board, action, victim, to, &values);
            assert_eq!(game.exchange(&weights, board, action), played, "{action:?} {board:?}");
            captures += 1;
            bad += i32::from(played < 0);
        }
    });
    assert!(captures > 500 && bad > 20, "{captures} captures, {bad} of them bad");
}

#[test]
fn errors_explain_wrong_weights() {
    let wrong = |from: &str, to: &str| {
        let text = DarkChess::WEIGHTS.replacen(from, to, 1);
        assert_ne!(text, DarkChess::WEIGHTS);
        game().read_weights(&text).unwrap_err().to_string()
    };
    assert!(wrong("pawn = 60", "pawn = 60000").contains("from 0 to 2000"));
    assert!(wrong("pawn = 60", "prawn = 60").contains("prawn"));
    assert!(wrong("reach = 50", "reach = 101").contains("100 percent"));
    assert!(wrong("king = 240\n", "").contains("king"));
}

#[test]
fn a_lead_fades_as_the_draw_comes_near() {
    let weights = weights();
    let mut board = board("G---/R---/----/----/----/----/----/---p r");
    let far = game().evaluate(&weights, &board);
    assert!(far > 0);
    let mut last = far;
    for plies in [32, 24, 8, 1] {
        let value = DarkChess::new(plies, Some(3)).unwrap().evaluate(&weights, &board);
        assert!(
            value > 0 && if plies == 32 { value == far } else { value < last },
            "{plies}: {value} {last}"
        );
        last = value;
    }
    // For the side that is behind, the value rises.
    let near = DarkChess::new(10, Some(3)).unwrap();
    play(&near, &mut board, "a8-b8");
    let (behind, before) = (near.evaluate(&weights, &board), game().evaluate(&weights, &board));
    assert!(before < behind && behind < 0, "{before} {behind}");
}

#[test]
fn recurs_agrees_with_a_list_of_earlier_positions() {
    let game = DarkChess::new(60, Some(5)).unwrap();
    let mut recurring = 0;
    for seed in 0..30 {
        let mut rng = Rng::new(seed);
        // Few pieces, so that positions recur often.
        let mut board = board("K---/----/----/----/----/----/----/--Xk r P");
        let mut seen = vec![game.write_position(&board)];
        loop {
            let action = match game.phase(&board) {
                Phase::Over => break,
                Phase::Chance => game.sample(&board, &mut rng),
                Phase::Decide(_) => game.pick(&board, &mut rng),
            };
            let quiet = matches!(action, Action::Move(..)) && !game.is_loud_action(&board, action);
            game.apply(&mut board, action);
            if !quiet {
                seen.clear();
            }
            let text = game.write_position(&board);
            assert_eq!(game.recurs(&board), seen.contains(&text), "{text:?}");
            recurring += u32::from(game.recurs(&board));
            seen.push(text);
        }
    }
    assert!(recurring > 20, "{recurring}");
}
