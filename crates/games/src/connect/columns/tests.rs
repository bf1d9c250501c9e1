//! The features, values and changes of the printed rule against independently computed ones.

use parlor_core::{Game, Seat};

use super::value::sum;
use super::*;

fn board(moves: &[u8]) -> (Connect<u128>, crate::connect::Board<u128>) {
    let game = Connect::new(11, 10, 4).unwrap();
    let mut board = game.start();
    for &column in moves {
        game.apply(&mut board, Column(column));
    }
    (game, board)
}

/// Counts windows cell by cell, without masks.
fn counted(game: &Connect<u128>, board: &crate::connect::Board<u128>, column: u8) -> Option<ColumnFeatures> {
    let to_move = Seat((game.taken(board).len() & 1) as u8);
    let discs = [to_move, to_move.other()].map(|seat| game.discs(board, seat));
    let holder = |(x, y): (i32, i32)| {
        ((0..11).contains(&x) && (0..10).contains(&y))
            .then(|| discs.iter().position(|side| side.has(game.cell(x as u8, y as u8))))
    };
    let line = (0..10).find(|&line| holder((column.into(), line)) == Some(None))?;
    let windows = |line: i32| {
        let mut counts = Vec::new();
        for (direction, (dx, dy)) in [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().enumerate() {
            for first in -3..=0 {
                let cells: Option<Vec<_>> = (first..first + 4)
                    .map(|at| holder((i32::from(column) + at * dx, line + at * dy)))
                    .collect();
                if let Some(cells) = cells {
                    let of = |side| cells.iter().filter(|&&holder| holder == Some(side)).count();
                    counts.push((direction, of(0), of(1)));
                }
            }
        }
        counts
    };
    let mut features = [0; COUNT];
    for (direction, own, other) in windows(line) {
        match (own, other) {
            (3, 0) => features[direction] += 1,
            (0, 3) => features[4 + direction] += 1,
            (2, 0) => features[8 + direction] += 1,
            (0, 2) => features[12 + direction] += 1,
            _ => {}
        }
    }
    let threat = |&(_, own, other): &(usize, usize, usize)| own + other == 3 && own * other == 0;
    features[16] = u8::from(line < 9 && windows(line + 1).iter().any(threat));
    Some(features)
}

#[test]
fn features_agree_with_counting_cell_by_cell() {
    let mut rng = Rng::new(17);
    for _ in 0..60 {
        let (game, mut position) = board(&[]);
        let windows = Windows::new(&game);
        while !game.is_over(&position) {
            for cell in game.playable(&position).cells() {
                let column = (cell / 11) as u8;
                let features = windows.features(&game, &position, cell);
                assert_eq!(Some(features), counted(&game, &position, column));
            }
            let drop = game.pick(&position, &mut rng);
            game.apply(&mut position, drop);
        }
    }
}

/// Returns the values of columns at the weights of the start, as the source has them: a predicted loss counts 0.
fn values(moves: &[u8], ahead: LookAhead) -> Vec<f64> {
    let (game, position) = board(moves);
    let judge = Judge { windows: Windows::new(&game), ahead };
    let judged = judge.judge(&game, &position, &START);
    judge.values(&game, &position, &START, &judged)[..11].to_vec()
}

const GREEDY: LookAhead = LookAhead { moves: 4, branching: false, gamma: 0.05, loss: 0.0 };

#[test]
fn values_are_equal_to_the_last_digit() {
    // Independently computed.
    let all = values(&[2, 4, 8, 5, 3, 5, 6, 8, 4, 3, 6], GREEDY);
    assert_eq!(
        all,
        [
            0.44141250000000004,
            0.44141250000000004,
            0.050065000000000005,
            0.0500525,
            0.05150312500000001,
            0.966805625,
            1.1327500000000001,
            0.4214125,
            0.050005,
            0.43007062500000004,
            0.05007062500000001
        ]
    );
    let branching = LookAhead { moves: 2, branching: true, ..GREEDY };
    let all = values(&[3, 2, 6, 5], branching);
    assert_eq!(all[3..6], [0.0012500000000000002, 0.022000000000000006, 0.0012500000000000002]);
}

#[test]
fn a_predicted_loss_counts_what_it_is_told() {
    let moves = [5, 4, 7, 0, 0, 8, 8, 6, 7, 8, 5, 5, 9, 6, 7];
    assert_eq!(values(&moves, GREEDY)[0], 0.0);
    assert_eq!(values(&moves, LookAhead { loss: -10.0, ..GREEDY })[0], -0.5);
}

const PRINTED: PrintedRule =
    PrintedRule { lambda: 0.9, beta: 100.0, cap: 10.0, margin: 0.1, caps: Caps::Text };

#[test]
fn changes_are_equal_to_the_last_digit() {
    let history = [
        [0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0],
        [0, 0, 2, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 2, 1],
        [0, 0, 0, 2, 0, 0, 2, 0, 0, 0, 0, 0, 2, 0, 0, 2, 1],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0],
        [0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 2, 0, 1, 0, 0, 0, 2, 0, 0, 1, 0, 0],
    ];
    let mut weights = START;
    PRINTED.update(&mut weights, &history, 1.0);
    assert_eq!(
        weights,
        [
            8.0,
            8.0,
            8.052488,
            8.105903573768,
            4.0500185681956005,
            4.04,
            4.09209567662884,
            4.07636,
            0.5045,
            0.5045,
            0.5,
            0.5079819745,
            0.402916,
            0.4,
            0.40994451421640005,
            0.405559531876,
            -1.97239365938
        ]
    );
}

#[test]
fn weights_of_zero_never_move() {
    for caps in [Caps::Loose, Caps::Text, Caps::Off] {
        let mut weights = Weights::default();
        let rule = PrintedRule { caps, ..PRINTED };
        for result in [1.0, -1.0, 1.0] {
            rule.update(&mut weights, &[[1; COUNT], [2; COUNT]], result);
        }
        assert_eq!(weights, Weights::default());
    }
}

#[test]
fn loose_caps_hold_every_weight() {
    let rule = PrintedRule { caps: Caps::Loose, ..PRINTED };
    let mut weights = START;
    let history = [
        [0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0],
        [0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0],
        [2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 1, 0, 0, 1, 0, 0],
    ];
    rule.update(&mut weights, &history, -1.0);
    // Independently computed.
    assert_eq!(
        weights,
        [
            8.0,
            8.0,
            8.0,
            8.0,
            3.0,
            2.9489186999999997,
            3.0,
            3.0,
            0.2973,
            0.29757,
            0.3,
            0.3,
            0.3,
            0.3,
            0.3,
            0.3,
            -2.0
        ]
    );
}

#[test]
fn text_comes_back_and_nonsense_gets_a_sentence() {
    let mut saved = Saved::new(START);
    saved.weights[3] = 1.0 / 3.0;
    saved.matches = 50;
    saved.note(1);
    let text = saved::write(&saved);
    assert_eq!(saved::parse(&text).unwrap(), saved);
    let refused = |text: &str, part: &str| {
        let error = saved::parse(text).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    };
    refused("", "weights");
    refused(&text.replace("own2_level", "own9_level"), "own2_level");
    refused(&text.replace("above3 = -2.0", "above3 = nan"), "above3");
    refused(&text.replace("above3 = -2.0", "above3 = 'x'"), "above3");
    refused(&text.replace("above3 = -2.0", "above3 = -2.0\nextra = 1"), "extra");
}

#[test]
fn epochs_are_thinned_before_they_fill_the_memory() {
    let mut saved = Saved::new(START);
    (1..=5_000).for_each(|epoch| saved.note(epoch));
    assert!(saved.epochs.len() <= 512 && saved.epochs[0].0 == 0);
    assert!(saved.epochs.windows(2).all(|pair| pair[1].0 - pair[0].0 == saved.stride));
}

#[test]
fn the_values_are_linear_along_a_greedy_line() {
    let (game, position) = board(&[2, 4, 8, 5, 3, 5, 6, 8, 4, 3, 6]);
    let judge = Judge { windows: Windows::new(&game), ahead: GREEDY };
    let judged = judge.judge(&game, &position, &START);
    let values = judge.values(&game, &position, &START, &judged);
    for &column in &judged.open {
        let features = &judged.features[usize::from(column)];
        let line = judge.along_line(&game, &position, &START, column, features);
        let value: f64 = line.iter().zip(START).map(|(count, weight)| count * weight).sum();
        assert!((value - values[usize::from(column)]).abs() < 1e-12);
        assert_eq!(sum(&START, features), judged.sums[usize::from(column)]);
    }
}
