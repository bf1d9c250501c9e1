//! The laws of games with all incremental fields recomputed, and a slow move generator for comparison.

use super::super::board::{EMPTY, FACE_DOWN};
use super::super::past::{Past, Step};
use super::*;

/// Compares the incremental fields of a board with values computed from its squares and its past.
fn audit(game: &DarkChess, board: &Board) {
    // The position at the beginning of the past.
    let mut squares = board.squares;
    for &Step { from, to } in board.past.steps().iter().rev() {
        assert_eq!(squares[from.index()], EMPTY);
        squares[from.index()] = squares[to.index()];
        squares[to.index()] = EMPTY;
    }
    let even = board.quiet_plies().is_multiple_of(2);
    let (seat, turn) =
        if even { (board.seat, board.turn()) } else { (board.seat.other(), board.turn().map(Colour::other)) };
    let mut fresh = Board::new(squares, board.pool, turn, seat);
    let mut positions = vec![fresh.squares];
    let mut past = Past::default();
    past.restart(fresh.hash);
    for &step in board.past.steps() {
        fresh.squares[step.to.index()] = fresh.squares[step.from.index()];
        fresh.squares[step.from.index()] = EMPTY;
        let (turn, seat) = (fresh.turn().map(Colour::other), fresh.seat.other());
        fresh = Board::new(fresh.squares, board.pool, turn, seat);
        past.push(step, fresh.hash);
        positions.push(fresh.squares);
    }
    if let Some(square) = board.flipping {
        fresh.flip(square);
        past.clear();
    }
    fresh.past = past;
    let times = positions.iter().filter(|&&position| position == board.squares).count();
    fresh.drawn = board.quiet_plies() >= usize::from(game.draw)
        || game.repetition.is_some_and(|n| times >= usize::from(n));
    fresh.again = game.repetition.is_some() && times > 1;
    assert_eq!(board, &fresh);
    assert_eq!(board.past.occurrences(&board.squares) as usize, times);
    assert_eq!(board.pool.total(), board.squares.iter().filter(|&&code| code == FACE_DOWN).count() as u32);
    if board.flipping.is_none() && !board.drawn {
        assert_eq!(offered(game, board), slow_actions(board));
    }
}

/// Returns the actions of the colour to move, square by square, from the rules.
fn slow_actions(board: &Board) -> Vec<String> {
    let mut texts = Vec::new();
    if board.turn().is_some() && board.left().kinds().all(|piece| piece.colour() != board.mover) {
        return texts;
    }
    for from in Square::all() {
        let piece = match board.at(from) {
            Contents::Empty => continue,
            Contents::FaceDown => {
                texts.push(from.to_string());
                continue;
            }
            Contents::Up(piece) if piece.colour() != board.mover => continue,
            Contents::Up(piece) => piece,
        };
        for to in Square::all() {
            let files = from.file().min(to.file())..=from.file().max(to.file());
            let ranks = from.rank().min(to.rank())..=from.rank().max(to.rank());
            if from == to || files.len() > 1 && ranks.len() > 1 {
                continue;
            }
            let between = Square::all()
                .filter(|&s| s != from && s != to)
                .filter(|s| files.contains(&s.file()) && ranks.contains(&s.rank()));
            let (mut distance, mut jumped) = (1, 0);
            for square in between {
                distance += 1;
                jumped += u32::from(board.at(square) != Contents::Empty);
            }
            let allowed = match board.at(to) {
                Contents::FaceDown => false,
                Contents::Empty => distance == 1,
                Contents::Up(other) if other.colour() == piece.colour() => false,
                Contents::Up(other) => match (piece.kind(), other.kind()) {
                    (Kind::Cannon, _) => jumped == 1,
                    (Kind::King, Kind::Pawn) => false,
                    (Kind::Pawn, Kind::King) => distance == 1,
                    (own, other) => distance == 1 && own >= other,
                },
            };
            if allowed {
                texts.push(format!("{from}-{to}"));
            }
        }
    }
    texts.sort();
    texts
}

#[test]
fn laws() {
    for (draw, repetition) in [(180, Some(3)), (50, Some(3)), (255, None), (7, Some(2)), (1, Some(5))] {
        let game = DarkChess::new(draw, repetition).unwrap();
        parlor_testkit::audited_laws(&game, 12, audit);
    }
}

#[test]
fn views_are_whole_states() {
    parlor_testkit::imagine_laws(&game(), 10);
}

#[test]
fn readers_never_panic() {
    let samples = [
        "K--k/----/X---/----/----/----/----/---- r P",
        "RXXr/----/XX--/----/----/----/----/c--C r PPpk",
        "pGgk/mrPp/rPKR/PGcm/pNNR/ppCP/cCgM/MnPn b",
    ];
    parlor_testkit::readers_never_panic(&DarkChess::new(20, Some(3)).unwrap(), &samples);
}

/// Returns whether `count` is within five standard deviations of `trials · weight`.
fn about(count: u32, trials: u32, weight: f64) -> bool {
    let mean = f64::from(trials) * weight;
    (f64::from(count) - mean).abs() < 5.0 * (mean * (1.0 - weight)).sqrt()
}

#[test]
fn pick_is_uniform() {
    const TRIALS: u32 = 40_000;
    let mut rng = Rng::new(4);
    for text in [
        "XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX ? PPPPPCCNNRRMMGGKpppppccnnrrmmggk",
        "P-rr/GgR-/pnkK/RCcc/-P-P/m-MC/pp-P/m-p- b",
        "MGXM/NXrX/rX-c/-pnC/gRmp/cPXC/gXkX/-p-P b PNGKpnm",
        "Cp-p/p---/g---/----/----/----/----/kpCp r",
        "----/-p--/-P--/-Cpp/-p--/-p--/----/-C-- r",
    ] {
        let (game, board) = (game(), board(text));
        let actions: Vec<Action> = game.actions(&board).collect();
        let mut counts = vec![0; actions.len()];
        for _ in 0..TRIALS {
            let picked = game.pick(&board, &mut rng);
            counts[actions.iter().position(|&action| action == picked).unwrap()] += 1;
        }
        let weight = 1.0 / actions.len() as f64;
        assert!(counts.iter().all(|&count| about(count, TRIALS, weight)), "{text}: {counts:?}");
    }
}

#[test]
fn sample_follows_chances() {
    const TRIALS: u32 = 40_000;
    let mut rng = Rng::new(5);
    let game = game();
    for (text, flip) in [
        ("XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX ? PPPPPCCNNRRMMGGKpppppccnnrrmmggk", "a6"),
        ("RXXr/----/XX--/----/----/----/----/c--C r PPpk", "b8"),
        ("RXXr/----/----/----/----/----/----/---- r pk", "b8"),
    ] {
        let mut board = board(text);
        play(&game, &mut board, flip);
        let chances: Vec<(Action, f64)> = game.chances(&board).collect();
        let mut counts = vec![0; chances.len()];
        for _ in 0..TRIALS {
            let drawn = game.sample(&board, &mut rng);
            counts[chances.iter().position(|&(action, _)| action == drawn).unwrap()] += 1;
        }
        for (count, (action, weight)) in counts.into_iter().zip(chances) {
            assert!(about(count, TRIALS, weight), "{text}: {action:?} {count}");
        }
    }
}

#[test]
fn keys_differ_where_boards_do() {
    let mut rng = Rng::new(6);
    let game = DarkChess::new(40, Some(3)).unwrap();
    let mut seen = std::collections::HashMap::new();
    for _ in 0..300 {
        let mut board = game.start();
        while game.phase(&board) != Phase::Over {
            let action = match game.phase(&board) {
                Phase::Chance => game.sample(&board, &mut rng),
                _ => game.pick(&board, &mut rng),
            };
            game.apply(&mut board, action);
            let near = 40 - board.quiet_plies();
            let looks = (board.squares, board.pool, board.turn(), board.seat, board.flipping);
            let looks = (looks, if near <= NEAR_DRAW { near } else { usize::MAX });
            let before = seen.insert(game.key(&board), looks);
            assert!(before.is_none_or(|before| before == looks), "{before:?} and {looks:?} share a key");
        }
    }
    assert!(seen.len() > 10_000);
}
