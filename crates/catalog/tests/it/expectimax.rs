//! Expectimax on dark chess: cuts find what the full search finds, and won endgames are won.

use std::fs;
use std::path::Path;

use parlor_agents::{Random, expectimax};
use parlor_core::api::BuildContext;
use parlor_core::{
    Agent, Context, Decision, Game, Notation, Phase, Position, Rng, Seat, Settings, Spec, Thought,
};
use parlor_games::darkchess::{Action, Board, DarkChess};

fn game() -> DarkChess {
    DarkChess::new(180, Some(3)).unwrap()
}

fn board(text: &str) -> Board {
    match game().read_position(text) {
        Ok(Position::State(board)) => board,
        other => panic!("{text}: {other:?}"),
    }
}

fn player(keys: &str) -> Box<dyn Agent<DarkChess>> {
    let spec = Spec::parse(&format!("expectimax({keys})")).unwrap();
    let settings = Settings::read(&spec, expectimax::KEYS).unwrap();
    expectimax::build(&BuildContext::new(&game(), &settings, &[])).unwrap()
}

/// Returns the last thought of a player about a position.
fn thought(board: &Board, keys: &str) -> Thought<Action> {
    let game = game();
    let Phase::Decide(seat) = game.phase(board) else { panic!("a seat decides") };
    let actions: Vec<Action> = game.actions(board).collect();
    let mut last = None;
    let decision = Decision::new(&game, seat, board, &actions);
    player(keys).act(
        &decision,
        &mut Context::new(&mut Rng::new(1)).with_reporter(&mut |thought| last = Some(thought.clone())),
    );
    last.expect("a depth was finished")
}

const FEW_PIECES: &[&str] = &[
    "K--k/X---/----/-p--/----/--P-/----/---- r P",
    "GX-n/-Xr-/----/----/----/----/----/---- b Cp",
    "C-Xk/----/-X--/--p-/----/P---/----/---- r Gm",
    "----/-XX-/R--c/-X--/----/n---/----/---- b Ppk",
    "p---/PX--/-X--/X--g/----/----/----/---- r Kkm",
    "XX--/----/----/-Mr-/----/----/----/--XX r Ggcc",
];

#[test]
fn star1_and_star2_find_the_value_of_the_plain_search_with_fewer_nodes() {
    let mut nodes = [0; 3];
    for text in FEW_PIECES {
        let board = board(text);
        let plain = thought(&board, "depth=3, star=0, table=off, flips=none, ordering=off");
        for (star, nodes) in nodes.iter_mut().enumerate() {
            let found = thought(&board, &format!("depth=3, star={star}, table=off, flips=none"));
            assert!((found.value - plain.value).abs() < 1e-6, "{text}: {} {}", found.value, plain.value);
            *nodes += found.nodes;
        }
    }
    assert!(nodes[2] < nodes[1] && nodes[1] < nodes[0], "{nodes:?}");
}

/// Positions that are won for red if it goes about it: more hunters than the prey has ways out.
const WON: &[&str] = &[
    "G---/----/----/----/----/----/---R/---n r",
    "K---/G---/----/----/----/----/----/--rn r",
    "M--M/----/----/----/----/-p--/----/---p r",
    "R---/R---/N---/----/----/----/--c-/---p r",
    "XG--/-M--/----/----/----/----/--p-/---- r R",
];

#[test]
fn won_endgames_are_won() {
    let game = game();
    for text in WON {
        for defender in ["random", "expectimax"] {
            let mut hunter = player("nodes=4000, memory_mb=1");
            let mut prey: Box<dyn Agent<DarkChess>> =
                if defender == "random" { Box::new(Random) } else { player("nodes=1000, memory_mb=1") };
            let mut rng = Rng::new(7);
            let mut state = board(text);
            loop {
                match game.phase(&state) {
                    Phase::Over => break,
                    Phase::Chance => {
                        let shown = game.sample(&state, &mut rng);
                        game.apply(&mut state, shown);
                    }
                    Phase::Decide(seat) => {
                        let actions: Vec<Action> = game.actions(&state).collect();
                        let agent = if seat == Seat::FIRST { &mut hunter } else { &mut prey };
                        let action = agent
                            .act(&Decision::new(&game, seat, &state, &actions), &mut Context::new(&mut rng));
                        game.apply(&mut state, action);
                    }
                }
            }
            assert_eq!(game.payoffs(&state).winner(), Some(Seat::FIRST), "{text} against {defender}");
        }
    }
}

#[test]
fn weights_come_from_the_file_that_is_named() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("weights_of_expectimax.toml");
    let _ = fs::remove_file(&path);
    let shipped = include_str!("../../../games/data/darkchess.toml");
    let build_player = |keys: &str| {
        let spec = Spec::parse(&format!("expectimax({keys})")).unwrap();
        let settings = Settings::read(&spec, expectimax::KEYS).unwrap();
        expectimax::build(&BuildContext::new(&game(), &settings, &[]))
    };
    let keys = format!("depth=1, weights={}", path.display());
    assert!(build_player(&keys).is_err(), "there is no such file");
    fs::write(&path, shipped.replace("mobility = 3", "mobility = 300")).unwrap();
    let board = board("K---/----/----/----/----/----/----/---k r");
    assert_ne!(thought(&board, &keys).value, thought(&board, "depth=1").value);
    fs::write(&path, shipped.replace("mobility = 3", "mobility = much")).unwrap();
    assert!(build_player(&keys).is_err(), "that is no number");
}

#[test]
fn a_position_that_occurred_before_is_a_draw_and_a_draw_has_its_price() {
    let game = game();
    let mut board = board("G---/R---/----/----/----/----/----/---p r");
    for text in ["a8-b8", "d1-d2", "b8-a8"] {
        game.apply(&mut board, game.read_action(text).unwrap());
    }
    // The pawn can go back to where it began, which makes the first position again.
    let back = game.read_action("d2-d1").unwrap();
    let value = |keys: &str| {
        let moves = thought(&board, &format!("depth=1, {keys}")).moves;
        moves.iter().find(|considered| considered.action == back).map(|considered| considered.value).unwrap()
    };
    assert_eq!(value("contempt=0"), 0.0);
    assert_eq!(value("contempt=70"), -70.0);
    assert!(value("repetitions=off") < -70.0, "the pawn is lost");
}
