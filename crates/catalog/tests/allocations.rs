//! Random play allocates nothing, in any game, and a search keeps to its memory. Counted by an allocator that counts.

use parlor_agents::classifier::StyleClassifier;
use parlor_catalog::Registered;
use parlor_core::play::stepper::actor;
use parlor_core::{Entry, Features, Game, Phase, Rng, Seat, Settings, Sight, Spec};
use parlor_games::dominoes::Dominoes;
use parlor_testkit::allocator::{Counting, allocations, most_held};

#[global_allocator]
static COUNTING: Counting = Counting;

/// Rules beside each game's defaults: other types, other ways to draw.
const MORE_RULES: &[&str] = &[
    "dominoes(rules=myers)",
    "dominoes(set=9, hand=12, draw=one-then-play)",
    "connect(width=7, height=6)",
    "connect(width=16, height=8)",
    "tictactoe(rows=5, columns=5)",
    "checkers(rows=12, columns=12, kings=may)",
    "minesweeper(rows=5, columns=5)",
    "minesweeper(rows=16, columns=30, mines=99, first=clear)",
];

#[test]
fn playouts_allocate_nothing() {
    for spec in parlor_catalog::GAMES.iter().map(|entry| entry.name).chain(MORE_RULES.iter().copied()) {
        let game = parlor_catalog::open(spec).unwrap();
        assert_eq!(allocations(|| _ = game.playouts(3, 20)), 0, "{spec}");
    }
}

/// Returns the most memory that building an agent and its first decision took.
fn memory_of(agent: &str) -> i64 {
    let game = parlor_catalog::open("connect(width=7, height=6)").unwrap();
    let ((), bytes) = most_held(|| {
        let mut table = game.table(1, None).unwrap();
        table.seat_agent(Seat::FIRST, agent).unwrap();
        table.agent_act().unwrap();
    });
    bytes
}

#[test]
fn full_trees_go_on_without_growing() {
    const MEBIBYTE: i64 = 1 << 20;
    // A mebibyte has room for about 30,000 nodes, so both trees are full long before the end.
    let [once, twice] = ["60000", "120000"].map(|sims| memory_of(&format!("mcts(sims={sims}, memory_mb=1)")));
    assert!(once > MEBIBYTE / 2, "the tree is measured: {once} bytes");
    assert!(twice <= once + 1024, "{twice} bytes after twice as many simulations, {once} before");
    assert!(twice <= MEBIBYTE + MEBIBYTE / 8, "{twice} bytes in a tree of a mebibyte");
    let roomy = memory_of("mcts(sims=120000, memory_mb=16)");
    assert!(roomy > 2 * MEBIBYTE, "it would grow if it could: {roomy} bytes");
}

/// A recogniser follows a match and asks its classifier after every turn.
#[test]
fn features_and_predictions_allocate_nothing() {
    let game = Dominoes::open(
        &Settings::read(&Spec::parse("dominoes(rules=myers)").unwrap(), Dominoes::KEYS).unwrap(),
    )
    .unwrap();
    for shipped in Dominoes::ABILITIES.classifiers {
        let classifier = StyleClassifier::parse::<Dominoes>(shipped.bytes).unwrap();
        let (mut state, mut tracker, mut rng) = (game.start(), game.tracker(), Rng::new(1));
        let count = allocations(|| {
            let mut features = [0.0; Dominoes::FEATURES.len()];
            let mut probabilities = [0.0; Dominoes::STYLES.len()];
            while let Some(actor) = actor(&game, &state) {
                let action = match game.phase(&state) {
                    Phase::Chance => game.sample(&state, &mut rng),
                    _ => game.pick(&state, &mut rng),
                };
                if let Some(seat) = game.observe(&mut tracker, Sight { actor, action }) {
                    game.features(&tracker, seat, &mut features);
                    classifier.probabilities(&features, &mut probabilities);
                }
                game.apply(&mut state, action);
            }
        });
        assert_eq!(count, 0, "{}", shipped.name);
        assert!(game.turns(&tracker, Seat::FIRST) > 0);
    }
}

/// Cells, places and masks go into buffers of the caller; the lists are large enough after the first decisions.
#[test]
fn cells_and_numbers_allocate_nothing() {
    for spec in parlor_catalog::GAMES.iter().map(|entry| entry.name).chain(MORE_RULES.iter().copied()) {
        let game = parlor_catalog::open(spec).unwrap();
        let (layout, numbers) = (game.cells().unwrap().layout(), game.cells().unwrap().numbers());
        let (mut cells, mut mask) = (vec![0; layout.count()], vec![0; numbers]);
        let (mut places, mut legal) = (Vec::with_capacity(1024), Vec::with_capacity(1024));
        let mut table = game.table(3, None).unwrap();
        for _ in 0..20 {
            while table.chance().unwrap() {}
            let Phase::Decide(seat) = table.phase() else { break };
            let count = allocations(|| {
                let table = table.cells().unwrap();
                table.cells(seat, &mut cells);
                table.places(&mut places);
                table.legal_numbers(&mut legal);
                table.mask(&mut mask);
            });
            assert_eq!(count, 0, "{spec}");
            table.cells_mut().unwrap().act_by_number(seat, legal[0]).unwrap();
        }
    }
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(1)))), 1);
}
