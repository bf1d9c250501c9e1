//! What the heuristics see, what they count, and what it costs.

use parlor_core::{CellLayout, CellSymbol, Place};
use parlor_fable::board::{Board, Model};
use parlor_fable::decision::{Answer, Pooling, Rules};
use parlor_fable::engine::{Engine, Question, Scratch};
use parlor_fable::evidence::Credit;
use parlor_fable::heuristics::{Chosen, HEURISTICS};
use parlor_fable::history::RecordedGame;
use parlor_fable::state_keys::End;
use parlor_testkit::allocator::allocations;

fn board(width: u16, height: u16) -> Board {
    let symbols = [".", "X", "O"].map(|text| CellSymbol::new(text, text)).to_vec();
    Board::new("toy".to_owned(), CellLayout { width, height, beside: Vec::new(), symbols })
}

fn cells(text: &str) -> Vec<u8> {
    text.bytes()
        .filter_map(|symbol| b".XO".iter().position(|&known| known == symbol))
        .map(|at| at as u8)
        .collect()
}

/// A game of one step by the first seat.
fn game(state: &str, cell: u16, end: End) -> RecordedGame {
    let mut game = RecordedGame::default();
    game.push(0, &cells(state), Place::along([cell]));
    game.set_end(0, end);
    game
}

fn engine(board: Board, heuristics: &str, rules: Rules) -> Engine {
    Engine::new(board, Chosen::parse(heuristics).unwrap(), rules)
}

/// What the only heuristic of an engine says about an action of the first seat.
fn answer(engine: &Engine, state: &str, cell: u16) -> Answer {
    answer_of(engine, 0, state, cell)
}

fn answer_of(engine: &Engine, seat: u8, state: &str, cell: u16) -> Answer {
    let heuristics: Vec<usize> = engine.heuristics.iter().collect();
    let [only] = heuristics[..] else { panic!("one heuristic") };
    let mut answers = Vec::new();
    let question = Question { seat, cells: &cells(state), places: &[Place::along([cell])] };
    engine.answer(only, &question, &mut Scratch::default(), &mut answers);
    answers[0]
}

/// One game that was lost or won: the confidence is 1/2, times the discount.
const ONE: f64 = 0.5;

#[test]
fn the_observed_state_is_the_view_and_nothing_else() {
    let mut engine = engine(board(3, 3), "observed", Rules::default());
    engine.learn(&game("X../.../...", 4, End::Win));
    assert_eq!(answer(&engine, "X../.../...", 4), Answer { probability: 1.0, confidence: ONE });
    for (state, cell) in [("X../.../...", 5), ("..X/.../...", 4), ("O../.../...", 4), ("X../.../..O", 4)] {
        assert!(!answer(&engine, state, cell).is_known(), "{state} {cell}");
    }
    assert!(!answer_of(&engine, 1, "X../.../...", 4).is_known(), "the mover is a part of the input");
    engine.rules.by_mover = false;
    assert!(answer_of(&engine, 1, "X../.../...", 4).is_known());
}

#[test]
fn neighbours_differ_in_exactly_one_cell() {
    let mut engine = engine(board(3, 3), "neighbour", Rules::default());
    engine.learn(&game("X../.../...", 4, End::Loss));
    assert!(!answer(&engine, "X../.../...", 4).is_known(), "a view is not its own neighbour");
    for near in [".../.../...", "O../.../...", "X../.../..O"] {
        assert_eq!(answer(&engine, near, 4), Answer { probability: 0.0, confidence: ONE * 0.5 }, "{near}");
    }
    assert!(!answer(&engine, ".X./.../...", 4).is_known(), "two cells differ");
    // Two neighbours of one view: their evidence is added up.
    engine.learn(&game(".../.../..X", 4, End::Win));
    assert_eq!(answer(&engine, ".../.../...", 4), Answer { probability: 0.5, confidence: 2.0 / 3.0 * 0.5 });
}

#[test]
fn windows_are_the_same_wherever_they_are() {
    let mut engine = engine(board(4, 3), "locality2", Rules::default());
    engine.learn(&game("X.../..../....", 1, End::Win));
    // The pattern `X.` above `..` with an action on its upper right cell, two columns further and one row below.
    let moved = answer(&engine, "..../..X./....", 7);
    assert!((moved.confidence - 0.4 * ONE).abs() < 1e-12 && moved.probability == 1.0, "{moved:?}");
    assert!(!answer(&engine, "..../..O./....", 7).is_known());
    assert!(!answer(&engine, "..../..X./....", 10).is_known(), "the action is elsewhere in the window");
    // A window that is larger than the board shows nothing.
    let mut large = self::engine(board(4, 3), "locality4", Rules::default());
    large.learn(&game("X.../..../....", 1, End::Win));
    assert_eq!(large.entries(), 0);
    // And an action of two cells is seen only by windows that hold both.
    let mut long = self::engine(board(4, 3), "locality2", Rules::default());
    let mut jump = RecordedGame::default();
    jump.push(0, &cells("X.../..../...."), Place::along([0, 10]));
    jump.push(0, &cells("X.../..../...."), Place::nowhere(1));
    jump.set_end(0, End::Win);
    long.learn(&jump);
    assert_eq!(long.entries(), 0);
}

#[test]
fn turned_views_share_their_evidence() {
    let mut engine = engine(board(3, 3), "rotation", Rules::default());
    engine.learn(&game("X../.../...", 1, End::Win));
    for (state, cell) in [("X../.../...", 1), ("..X/.../...", 5), (".../.../..X", 7), (".../.../X..", 3)] {
        assert_eq!(answer(&engine, state, cell).confidence, ONE, "{state} {cell}");
    }
    assert!(!answer(&engine, "X../.../...", 3).is_known(), "that is a mirror image");
    // The empty board with its centre is the same in all orientations; the game is still one game.
    engine.learn(&game(".../.../...", 4, End::Win));
    assert_eq!(answer(&engine, ".../.../...", 4).confidence, ONE);
    // A grid that is not square has two orientations.
    let mut oblong = self::engine(board(3, 2), "rotation", Rules::default());
    oblong.learn(&game("X../...", 1, End::Win));
    assert!(answer(&oblong, ".../..X", 4).is_known());
}

#[test]
fn mirrored_views_share_their_evidence() {
    let mut engine = engine(board(3, 3), "reflection", Rules::default());
    engine.learn(&game("X../.../...", 1, End::Win));
    for (state, cell) in [("X../.../...", 1), ("..X/.../...", 1), (".../.../X..", 7), ("X../.../...", 3)] {
        assert_eq!(answer(&engine, state, cell).confidence, ONE, "{state} {cell}");
    }
    assert!(!answer(&engine, "..X/.../...", 5).is_known(), "that is a rotation");
}

#[test]
fn credit_and_pooling_are_settings() {
    let rules = Rules { credit: Credit::Survival, pooling: Pooling::Best, ..Rules::default() };
    let mut engine = engine(board(3, 3), "rotation", rules);
    let mut long = RecordedGame::default();
    long.push(0, &cells("X../.../..."), Place::along([1]));
    long.push(0, &cells("XX./.../..."), Place::along([2]));
    long.set_end(0, End::Loss);
    engine.learn(&long);
    // The first step was survived, the second was not.
    assert_eq!(answer(&engine, "X../.../...", 1).probability, 1.0);
    assert_eq!(answer(&engine, "XX./.../...", 2).probability, 0.0);
    // Of two orientations the one with the greater value counts alone.
    engine.learn(&game("..X/.../...", 5, End::Loss));
    assert_eq!(answer(&engine, "X../.../...", 1), Answer { probability: 1.0, confidence: ONE });
    engine.rules.pooling = Pooling::Sum;
    assert_eq!(answer(&engine, "X../.../...", 1), Answer { probability: 0.5, confidence: 2.0 / 3.0 });
}

#[test]
fn a_store_finds_each_model_under_its_own_name() {
    let names: Vec<&str> = Model::ALL.iter().map(|model| model.name()).collect();
    assert_eq!(names, ["observed", "locality1", "locality2", "locality3", "locality4"]);
    for heuristic in HEURISTICS {
        assert!(!heuristic.summary().is_empty());
        assert!((0.0..=1.0).contains(&heuristic.discount()));
    }
}

#[test]
fn answers_allocate_nothing() {
    let mut engine = engine(board(4, 4), "observed+neighbour+locality+rotation+reflection", Rules::default());
    for cell in 0..16 {
        engine.learn(&game("X.../.O../..../....", cell, End::ALL[usize::from(cell) % 3]));
        engine.learn(&game("X.../..../..../....", cell, End::ALL[usize::from(cell) % 2]));
    }
    let state = cells("X.../.O../..../....");
    let places: Vec<Place> = (0..16).map(|cell| Place::along([cell])).collect();
    let question = Question { seat: 0, cells: &state, places: &places };
    let (mut scratch, mut answers) = (Scratch::default(), Vec::new());
    let mut all = || {
        for heuristic in engine.heuristics.iter() {
            engine.answer(heuristic, &question, &mut scratch, &mut answers);
            assert_eq!(answers.len(), 16);
        }
    };
    all();
    assert_eq!(allocations(all), 0);
}
