//! The features, values and changes of the printed rule against independently computed ones.

use parlor_core::{Exercise, Game, Player, Seat, Settings, Spec, Team, TrainingMatch};
use serde::Deserialize;

use super::*;

fn board(moves: &[u8]) -> (Connect<u128>, Board<u128>) {
    let game = Connect::new(11, 10, 4).unwrap();
    let mut board = game.start();
    for &column in moves {
        game.apply(&mut board, Column(column));
    }
    (game, board)
}

/// Counts windows cell by cell, without masks.
fn counted(game: &Connect<u128>, board: &Board<u128>, column: u8) -> Option<ColumnFeatures> {
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

/// Returns what the learner says about the columns of a position.
fn described(moves: &[u8], ahead: LookAhead) -> Vec<Option<DescribedColumn>> {
    let (game, position) = board(moves);
    let spec = Spec::parse(NAME).unwrap();
    let mut parts = keys::read(&Settings::read(&spec, KEYS).unwrap(), 11).unwrap();
    parts.ahead = ahead;
    ColumnLearner::new(&game, parts).describe(&game, &position)
}

/// As the source has it: a predicted loss counts 0.
const GREEDY: LookAhead = LookAhead { moves: 4, branching: false, gamma: 0.05, loss: 0.0 };

/// A position with features and values that another program has computed.
#[derive(Deserialize)]
struct FeatureVector {
    moves: Vec<u8>,
    features: Vec<Option<ColumnFeatures>>,
    sums: Vec<Option<f64>>,
    totals_greedy_depth4: Vec<Option<f64>>,
    totals_branching_depth2: Vec<Option<f64>>,
}

#[derive(Deserialize)]
struct FeatureVectors {
    positions: Vec<FeatureVector>,
}

#[test]
fn features_and_values_agree_with_independent_ones_to_the_last_digit() {
    let text = include_str!("../../../tests/vectors/columns-features.json");
    let vectors: FeatureVectors = serde_json::from_str(text).unwrap();
    assert_eq!(vectors.positions.len(), 40);
    for vector in vectors.positions {
        let greedy = described(&vector.moves, GREEDY);
        let part = |all: &[Option<DescribedColumn>], value: fn(&DescribedColumn) -> f64| {
            all.iter().map(|column| column.as_ref().map(value)).collect::<Vec<_>>()
        };
        let features: Vec<_> = greedy.iter().map(|column| column.map(|column| column.features)).collect();
        assert_eq!(features, vector.features, "{:?}", vector.moves);
        assert_eq!(part(&greedy, |column| column.sum), vector.sums);
        assert_eq!(part(&greedy, |column| column.value), vector.totals_greedy_depth4);
        let branching = described(&vector.moves, LookAhead { moves: 2, branching: true, ..GREEDY });
        assert_eq!(part(&branching, |column| column.value), vector.totals_branching_depth2);
    }
}

#[test]
fn a_predicted_loss_counts_what_it_is_told() {
    let moves = [5, 4, 7, 0, 0, 8, 8, 6, 7, 8, 5, 5, 9, 6, 7];
    let first = |loss| described(&moves, LookAhead { loss, ..GREEDY })[0].unwrap().value;
    assert_eq!([first(0.0), first(-10.0)], [0.0, -0.5]);
}

const PRINTED: PrintedRule =
    PrintedRule { lambda: 0.9, beta: 100.0, cap: 10.0, margin: 0.1, caps: Caps::Text };

/// A change that another program has computed.
#[derive(Deserialize)]
struct UpdateVector {
    caps: String,
    lambda: f64,
    beta: f64,
    result: f64,
    history_oldest_first: Vec<ColumnFeatures>,
    weights_before: Weights,
    weights_after: Weights,
}

#[test]
fn changes_agree_with_independent_ones_to_the_last_digit() {
    let text = include_str!("../../../tests/vectors/columns-updates.json");
    let vectors: Vec<UpdateVector> = serde_json::from_str(text).unwrap();
    assert_eq!(vectors.len(), 18);
    for vector in vectors {
        let caps = if vector.caps == "loose" { Caps::Loose } else { Caps::Text };
        let rule = PrintedRule { lambda: vector.lambda, beta: vector.beta, caps, ..PRINTED };
        let mut weights = vector.weights_before;
        rule.update(&mut weights, &vector.history_oldest_first, vector.result);
        assert_eq!(weights, vector.weights_after);
    }
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
fn exercises_have_one_threat_and_no_win() {
    let mut rng = Rng::new(3);
    let mut discs = [u32::MAX, 0];
    for (width, height) in [(11, 10), (7, 6), (5, 4)] {
        let game = Connect::<u128>::new(width, height, 4).unwrap();
        for _ in 0..100 {
            let Exercise { state, right } = block(&game, &mut rng);
            let mover = Seat((game.taken(&state).len() & 1) as u8);
            let wins = |seat: Seat| {
                let after = |column: &Column| {
                    let mut board = state;
                    if seat != mover {
                        board.mover = game.discs(&state, seat);
                    }
                    game.apply(&mut board, *column);
                    game.winner(&board).is_some()
                };
                game.actions(&state).filter(after).collect::<Vec<_>>()
            };
            assert_eq!((wins(mover), wins(mover.other())), (Vec::new(), right));
            let taken = game.taken(&state).len();
            discs = [discs[0].min(taken), discs[1].max(taken)];
        }
    }
    assert!(discs[0] < 10 && discs[1] > 40, "from all parts of a match: {discs:?}");
}

#[test]
fn temporal_differences_find_out_what_wins() {
    let (game, _) = board(&[]);
    let spec = Spec::parse("columns(rule=td, weights=zero, keep=both, epsilon=0.1, window=1e9)").unwrap();
    let parts = keys::read(&Settings::read(&spec, KEYS).unwrap(), 11).unwrap();
    let learner: Box<dyn Learner<_>> = Box::new(ColumnLearner::new(&game, parts));
    let mut team = Team::new(vec![Player::Learning(learner)]);
    for number in 0..300 {
        team.train_match(&game, &TrainingMatch { seating: &[0, 0], chance: number, agent_seed: number });
    }
    let mut saved = Vec::new();
    team.members[0].learner().unwrap().save(&mut saved).unwrap();
    let weights = saved::parse(std::str::from_utf8(&saved).unwrap()).unwrap().weights;
    assert!(weights[..4].iter().all(|&own| own > 0.0), "own threats of three win: {weights:?}");
    let (own, other): (f64, f64) = (weights[8..12].iter().sum(), weights[12..16].iter().sum());
    assert!(own > other, "own threats are worth more than the other side's: {weights:?}");
}
