//! Laws, readers, and functions shared by the tests.

mod cells;
mod hand_counts;
mod information_sets;
mod rules;
mod solve;
mod staged;
mod stimulus;
mod texts;
mod vectors;
mod worlds;

use super::*;
use parlor_core::{Entry, Notation, Position, Settings, Spec};

/// Opens a game by its text form.
fn open(text: &str) -> Dominoes {
    let spec = Spec::parse(text).unwrap();
    Dominoes::open(&Settings::read(&spec, Dominoes::KEYS).unwrap()).unwrap()
}

/// Reads a position.
fn deal(game: &Dominoes, text: &str) -> State {
    match game.read_position(text) {
        Ok(Position::State(state)) => state,
        other => panic!("{other:?}"),
    }
}

/// Plays actions by their texts, separated by spaces, and returns the state after them.
fn play(game: &Dominoes, mut state: State, actions: &str) -> State {
    for text in actions.split_whitespace() {
        let action = game.read_action(text).unwrap();
        game.try_apply(&mut state, action)
            .unwrap_or_else(|_| panic!("{text} is not allowed after {:?}", state.log));
    }
    state
}

fn tile(text: &str) -> Tile {
    Tile::read(text).unwrap()
}

/// Settings that differ in every switch at least once.
const SETTINGS: [&str; 9] = [
    "dominoes",
    "dominoes(rules=myers)",
    "dominoes(target=none)",
    "dominoes(set=2, hand=2, arms=both, draw=one-then-play, blocked=difference, bonus=five)",
    "dominoes(rules=myers, set=4, hand=5, draw=one-ends-turn, reserve=2, target=30)",
    "dominoes(set=5, hand=3, fives=off, spinner=none, lead=highest-double, blocked=nothing, reserve=1, target=40)",
    "dominoes(rules=myers, set=3, hand=5, spinner=first-tile, arms=immediate, lead=free, bonus=none, target=20)",
    "dominoes(set=9, hand=9, draw=one-then-play, blocked=lower, target=none)",
    "dominoes(set=3, hand=2, draw=one-ends-turn, fives=off, target=none)",
];

/// Recomputes the incremental fields of a state.
fn audit(game: &Dominoes, state: &State) {
    let [first, second] = state.hands.0;
    let parts = [first, second, state.boneyard, state.board.played()];
    let union = parts.iter().fold(TileSet::EMPTY, |all, &part| all | part);
    assert_eq!(union, game.all(), "no tile is lost");
    assert_eq!(parts.iter().map(|part| part.len()).sum::<u8>(), game.all().len(), "no tile is in two places");
    assert_eq!(state.bones, state.boneyard.len(), "the boneyard is counted right");

    let mut scores = state.before;
    let mut board = Board::default();
    for event in &state.log {
        if let Action::Play(tile, end) = event.action {
            board.put(&game.rules, tile, end);
            scores[event.seat] += u16::from(event.points);
            assert_eq!(event.points, game.points_for(board.count()));
        }
    }
    assert_eq!(board, state.board, "the log leads to the board");
    assert_eq!(board.count(), board.exposed().sum::<u8>());
    let fits = |tile: &Tile| End::PLACES.iter().any(|&end| board.fits_at(end).contains(*tile));
    let fitting: TileSet = TileSet::all(MAX_PIPS).tiles().filter(fits).collect();
    assert_eq!(board.fits(), if board.is_empty() { TileSet::all(MAX_PIPS) } else { fitting });
    if state.step != Step::Over {
        assert_eq!(scores, state.scores, "the log leads to the scores");
    }
    match state.step {
        Step::Play => assert!(game.actions(state).len() > 0),
        Step::Draw => assert!(state.boneyard.len() > game.rules.reserve),
        Step::Over => assert!(game.rules.target.is_none_or(|target| {
            state.stage == MAX_STAGES || state.scores.0.iter().any(|&score| score > target)
        })),
        _ => {}
    }
}

#[test]
fn laws() {
    for text in SETTINGS {
        parlor_testkit::audited_laws(&open(text), 10, audit);
    }
}

#[test]
fn codecs() {
    for text in SETTINGS {
        parlor_testkit::stimulus_laws(&open(text), 4);
    }
}

#[test]
fn imagined_states_look_like_the_truth() {
    for text in SETTINGS {
        parlor_testkit::imagine_laws(&open(text), 10);
    }
}

#[test]
fn readers() {
    let myers = open("dominoes(rules=myers)");
    parlor_testkit::readers_never_panic(
        &myers,
        &["00 01 02 | 03 11 12 | 13 22 23 33", "00 | 11 | 01 02 03 12 13 22 23 33"],
    );
    parlor_testkit::readers_never_panic(&open("dominoes(draw=one-then-play)"), &[]);
}
