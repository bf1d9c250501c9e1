//! Expectimax on dark chess: cuts find what the full search finds, and won endgames are won.

use std::fs;
use std::path::Path;

use parlor_agents::endgame::{BuildRequest, Folder, Reader, folder};
use parlor_agents::{Random, expectimax};
use parlor_core::api::BuildContext;
use parlor_core::{
    Agent, Cancel, Context, Decision, Game, GameValue, Key, Notation, Phase, Position, Progress,
    ProgressUpdate, Resources, Reversible, Rng, Seat, Settings, Spec, Spot, Thought,
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

/// Plays a match to its end and returns its winner.
fn winner(mut state: Board, players: &mut [Box<dyn Agent<DarkChess>>; 2], rng: &mut Rng) -> Option<Seat> {
    let game = game();
    for (player, seat) in players.iter_mut().zip([Seat::FIRST, Seat::FIRST.other()]) {
        player.begin(&game, seat);
    }
    loop {
        match game.phase(&state) {
            Phase::Over => return game.payoffs(&state).winner(),
            Phase::Chance => {
                let shown = game.sample(&state, rng);
                game.apply(&mut state, shown);
            }
            Phase::Decide(seat) => {
                let actions: Vec<Action> = game.actions(&state).collect();
                let decision = Decision::new(&game, seat, &state, &actions);
                let action = players[usize::from(seat.0)].act(&decision, &mut Context::new(rng));
                game.apply(&mut state, action);
            }
        }
    }
}

#[test]
fn won_endgames_are_won() {
    for text in WON {
        for defender in ["random", "expectimax"] {
            let prey: Box<dyn Agent<DarkChess>> =
                if defender == "random" { Box::new(Random) } else { player("nodes=1000, memory_mb=1") };
            let mut players = [player("nodes=4000, memory_mb=1"), prey];
            let winner = winner(board(text), &mut players, &mut Rng::new(7));
            assert_eq!(winner, Some(Seat::FIRST), "{text} against {defender}");
        }
    }
}

#[test]
fn what_a_database_knows_to_be_won_is_won() {
    let game = game();
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("endgames_of_expectimax");
    let _ = fs::remove_dir_all(&place);
    let resources = Resources { threads: 2, memory_mb: 50 };
    let request = BuildRequest { game: "darkchess", folder: &place, pieces: 3, resources };
    let report = &mut |_: &ProgressUpdate| {};
    folder::build(&game, &request, &mut Progress { cancel: &Cancel::new(), report }).unwrap();
    let folder = Folder::open(&game, &place).unwrap();
    let keys: &'static [Key] = expectimax::keys_with_endgames().leak();
    let player = |endgames: &str| {
        let spec = Spec::parse(&format!("expectimax(nodes=100, memory_mb=1, endgames={endgames})")).unwrap();
        let settings = Settings::read(&spec, keys).unwrap();
        expectimax::build_with_endgames(&BuildContext::new(&game, &settings, &[]))
    };
    assert!(player("/no/such/folder").is_err());
    // Both defend as well as they can search.
    let mut with = [player(place.to_str().unwrap()).unwrap(), player("off").unwrap()];
    let mut without = [player("off").unwrap(), player("off").unwrap()];
    let (mut rng, mut reader) = (Rng::new(5), Reader::default());
    let (mut positions, mut missed) = (0, 0);
    let classes: Vec<_> = (2..=3).flat_map(|pieces| game.classes(pieces)).collect();
    while positions < 150 {
        let class = classes[rng.below(classes.len() as u32) as usize];
        let place = rng.bits() % game.slice_size(class);
        let Some(setup) = game.at(Spot { class, slice: 0, place }) else { continue };
        if reader.value(&game, &folder, &setup).unwrap() != Some(GameValue::Won) {
            continue;
        }
        positions += 1;
        let state = game.stand(&setup);
        let name = game.class_name(class);
        assert_eq!(winner(state.clone(), &mut with, &mut rng), Some(Seat::FIRST), "{name} {place}");
        missed += u32::from(winner(state, &mut without, &mut rng) != Some(Seat::FIRST));
    }
    assert!(missed > 0, "the search wins all {positions} by itself, so this shows nothing");
    fs::remove_dir_all(place).unwrap();
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
