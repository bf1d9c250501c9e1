//! `mcts` at real games: what it proves is true, it sees what is near, and it keeps what it knows.

use std::thread;
use std::time::{Duration, Instant};

use parlor_agents::mcts;
use parlor_core::api::BuildContext;
use parlor_core::{
    Actor, Agent, Cancel, Certainty, Context, Decision, Entry, Game, Notation, PerfectInfo, Phase, Pondering,
    Position, Rng, Seat, Settings, Sight, Spec, Thought,
};
use parlor_games::checkers::Checkers;
use parlor_games::connect::{Column, Connect};
use parlor_games::darkchess::DarkChess;
use parlor_games::tictactoe::TicTacToe;

fn open<G: Entry>(spec: &str) -> G {
    let spec = Spec::parse(spec).unwrap();
    G::open(&Settings::read(&spec, G::KEYS).unwrap()).unwrap()
}

fn build_player<G: PerfectInfo>(game: &G, spec: &str) -> Box<dyn Agent<G>> {
    let settings = Settings::read(&Spec::parse(spec).unwrap(), mcts::keys()).unwrap();
    mcts::build(&BuildContext::new(game, &settings, &[])).unwrap()
}

fn position<G: Notation>(game: &G, text: &str) -> G::State {
    match game.read_position(text).unwrap() {
        Position::State(state) => state,
        Position::View(_) => panic!("open games have no hidden positions"),
    }
}

fn seat_to_move<G: Game>(game: &G, state: &G::State) -> Seat {
    match game.phase(state) {
        Phase::Decide(seat) => seat,
        other => panic!("nobody is to move: {other:?}"),
    }
}

/// Asks an agent; returns its action and its last thought.
fn ask<G: PerfectInfo>(
    game: &G,
    state: &G::State,
    agent: &mut dyn Agent<G>,
    seed: u64,
) -> (G::Action, Option<Thought<G::Action>>) {
    let seat = seat_to_move(game, state);
    let (actions, view): (Vec<_>, _) = (game.actions(state).collect(), game.view(state, seat));
    let mut last = None;
    let decision = Decision::new(game, seat, &view, &actions);
    let action = agent.act(
        &decision,
        &mut Context::new(&mut Rng::new(seed)).with_reporter(&mut |thought| last = Some(thought.clone())),
    );
    assert!(actions.contains(&action));
    (action, last)
}

/// The value to the seat to move, by looking at everything.
fn minimax<G: Game>(game: &G, state: &G::State) -> f64 {
    let Phase::Decide(seat) = game.phase(state) else { return game.payoffs(state).of(Seat::FIRST) };
    let values = game.actions(state).map(|action| {
        let mut next = state.clone();
        game.apply(&mut next, action);
        minimax(game, &next)
    });
    if seat == Seat::FIRST { values.fold(f64::MIN, f64::max) } else { values.fold(f64::MAX, f64::min) }
}

fn proofs_are_true<G: Entry + PerfectInfo>(spec: &str, random_plies: u32, positions: u64) {
    let game: G = open(spec);
    let (mut asked, mut proven) = (0, 0);
    for seed in 0..positions {
        let mut rng = Rng::new(seed);
        let mut state = game.start();
        for _ in 0..random_plies {
            if game.phase(&state) != Phase::Over {
                let action = game.pick(&state, &mut rng);
                game.apply(&mut state, action);
            }
        }
        if game.phase(&state) == Phase::Over || game.actions(&state).len() < 2 {
            continue;
        }
        asked += 1;
        let seat = seat_to_move(&game, &state);
        let to_mover = |value: f64| if seat == Seat::FIRST { value } else { 0.0 - value };
        let (action, thought) = ask(&game, &state, &mut *build_player(&game, "mcts(sims=60000)"), seed);
        let thought = thought.unwrap();
        for considered in thought.moves.iter().filter(|c| c.certainty == Certainty::Proven) {
            let mut next = state.clone();
            game.apply(&mut next, considered.action);
            assert_eq!(considered.value, to_mover(minimax(&game, &next)), "{spec}, seed {seed}: {state:?}");
        }
        if thought.certainty == Certainty::Proven {
            proven += 1;
            assert_eq!(thought.value, to_mover(minimax(&game, &state)), "{spec}, seed {seed}: {state:?}");
            assert_eq!(thought.moves[0].action, action);
            assert_eq!(thought.moves[0].value, thought.value);
        }
    }
    assert!(2 * proven > asked, "{proven} of {asked} positions of {spec} were proven");
}

#[test]
fn proven_values_are_those_of_minimax() {
    proofs_are_true::<TicTacToe>("tictactoe", 3, 8);
    proofs_are_true::<TicTacToe>("tictactoe(rows=3, columns=4, lines=runs)", 6, 8);
    proofs_are_true::<Connect<u64>>("connect(width=4, height=4, row=3)", 5, 10);
    proofs_are_true::<Connect<u64>>("connect(width=5, height=4, row=4)", 10, 10);
    proofs_are_true::<Checkers<u64>>("checkers(rows=4, columns=4, draw=6)", 2, 12);
}

#[test]
fn a_whole_board_is_solved() {
    let game: Connect<u64> = open("connect(width=4, height=3, row=3)");
    let (_, thought) = ask(&game, &game.start(), &mut *build_player(&game, "mcts(sims=300000)"), 1);
    let thought = thought.unwrap();
    assert_eq!((thought.certainty, thought.value), (Certainty::Proven, minimax(&game, &game.start())));
    assert!(thought.nodes < 300_000, "a proof ends the search");
}

#[test]
fn wins_within_three_plies_are_found() {
    let game: Connect<u64> = open("connect(width=7, height=6)");
    let vectors: Vec<serde_json::Value> =
        serde_json::from_str(include_str!("../../../games/tests/vectors/connect-solved-7x6.json")).unwrap();
    let mut near = 0;
    for solved in vectors {
        // Winning with one's k-th disc scores 22 − k.
        let discs = 22 - solved["score"].as_i64().unwrap() - solved["ply"].as_i64().unwrap() / 2;
        if discs > 2 {
            continue;
        }
        near += 1;
        let state = position(&game, solved["moves"].as_str().unwrap());
        let (Column(column), thought) =
            ask(&game, &state, &mut *build_player(&game, "mcts(sims=3000)"), near);
        assert!(solved["columns"][usize::from(column)].as_i64().unwrap() > 0, "{solved}");
        let thought = thought.unwrap();
        assert_eq!((thought.value, thought.certainty), (1.0, Certainty::Proven), "{solved}");
    }
    assert!(near > 10, "the vectors show wins in one and three plies: {near}");
}

/// Plays a match of an agent against random moves and hands every position, before the agent moves, to `check`.
fn play<G: PerfectInfo>(
    game: &G,
    agent: &mut dyn Agent<G>,
    seed: u64,
    mut check: impl FnMut(&G::State, &Thought<G::Action>),
) {
    let mut rng = Rng::new(seed);
    let mut state = game.start();
    agent.begin(game, Seat::FIRST);
    loop {
        let (actor, action) = match game.phase(&state) {
            Phase::Over => break,
            Phase::Chance => (Actor::Chance, game.sample(&state, &mut rng)),
            Phase::Decide(Seat::FIRST) => {
                let (action, thought) = ask(game, &state, agent, seed);
                if let Some(thought) = thought {
                    check(&state, &thought);
                }
                (Actor::Seat(Seat::FIRST), action)
            }
            Phase::Decide(seat) => (Actor::Seat(seat), game.pick(&state, &mut rng)),
        };
        game.apply(&mut state, action);
        agent.watch(game, Sight { actor, action });
    }
}

fn visits<A>(thought: &Thought<A>) -> u64 {
    thought.moves.iter().map(|considered| considered.visits).sum()
}

#[test]
fn reuse_keeps_visits_and_nothing_else_changes() {
    let game: Connect<u64> = open("connect(width=6, height=5)");
    let mut more = 0;
    play(&game, &mut *build_player(&game, "mcts(sims=500)"), 1, |_, thought| {
        more += u32::from(visits(thought) > thought.nodes);
        assert!(thought.nodes <= 500);
    });
    assert!(more > 2, "visits of earlier decisions are kept");
    play(&game, &mut *build_player(&game, "mcts(sims=500, reuse=off)"), 1, |_, thought| {
        assert_eq!(visits(thought), thought.nodes, "every visit is of this decision");
    });
    // Flips bring chance between two decisions; the actions checked in `ask` are legal all the same.
    let game: DarkChess = open("darkchess(draw=20)");
    let mut more = 0;
    play(&game, &mut *build_player(&game, "mcts(sims=300)"), 1, |_, thought| {
        more += u32::from(visits(thought) > thought.nodes);
    });
    assert!(more > 2, "the outcome of a flip is found in the tree");
}

#[test]
fn threads_repeat_themselves() {
    let game: Checkers<u64> = open("checkers(rows=6, columns=6)");
    let thoughts = |spec: &str| {
        let mut thoughts = Vec::new();
        play(&game, &mut *build_player(&game, spec), 1, |_, thought| {
            thoughts.push(Thought { elapsed: Duration::ZERO, ..thought.clone() });
        });
        thoughts
    };
    let two = thoughts("mcts(sims=301, threads=2)");
    assert_eq!(two, thoughts("mcts(sims=301, threads=2)"));
    assert!(two.iter().all(|thought| thought.nodes <= 301) && two[0].nodes == 301, "threads share the count");
    assert_ne!(two, thoughts("mcts(sims=301)"));
}

/// How much memory that takes is measured in `allocations.rs`.
#[test]
fn full_trees_go_on() {
    let game: Connect<u64> = open("connect(width=7, height=6)");
    // A mebibyte has room for about 30,000 nodes.
    let (_, small) = ask(&game, &game.start(), &mut *build_player(&game, "mcts(sims=60000, memory_mb=1)"), 1);
    let (_, large) = ask(&game, &game.start(), &mut *build_player(&game, "mcts(sims=60000)"), 1);
    let (small, large) = (small.unwrap(), large.unwrap());
    assert_eq!((small.nodes, visits(&small)), (60_000, 60_000));
    assert_ne!(small.moves, large.moves, "the limit was met");
    assert!(small.line.len() <= large.line.len());
}

#[test]
fn a_flag_ends_thinking_and_pondering() {
    let game: DarkChess = open("darkchess");
    let state = game.start();
    let mut agent = build_player(&game, "mcts(sims=1000000000)");
    agent.begin(&game, Seat::FIRST);
    let actions: Vec<_> = game.actions(&state).collect();
    let stop = Cancel::cancelled();
    let decision = Decision::new(&game, Seat::FIRST, &state, &actions);
    assert!(
        actions.contains(&agent.act(&decision, &mut Context::new(&mut Rng::new(1)).with_cancel(&stop))),
        "it answers with what it has"
    );

    let pondering_stop = Cancel::new();
    let pondering = Pondering { game: &game, seat: Seat::SECOND, view: &state, cancel: &pondering_stop };
    thread::scope(|scope| {
        let ponders = scope.spawn(|| agent.ponder(&pondering));
        thread::sleep(Duration::from_millis(50));
        assert!(!ponders.is_finished(), "it ponders for as long as it may");
        pondering_stop.cancel();
        let cancelled = Instant::now();
        ponders.join().unwrap();
        assert!(cancelled.elapsed() < Duration::from_secs(5), "it went on for {:?}", cancelled.elapsed());
    });
}

/// Returns how many visits the root has after so long a pondering and 100 simulations.
fn visits_after(pondered: Duration) -> u64 {
    let game: Connect<u64> = open("connect(width=7, height=6)");
    let mut agent = build_player(&game, "mcts(sims=100)");
    agent.begin(&game, Seat::SECOND);
    let mut state = game.start();
    let stop = Cancel::new();
    let pondering = Pondering { game: &game, seat: Seat::SECOND, view: &state, cancel: &stop };
    thread::scope(|scope| {
        scope.spawn(|| agent.ponder(&pondering));
        thread::sleep(pondered);
        stop.cancel();
    });
    let action = game.actions(&state).nth(3).unwrap();
    game.apply(&mut state, action);
    agent.watch(&game, Sight { actor: Actor::Seat(Seat::FIRST), action });
    let (_, thought) = ask(&game, &state, &mut *agent, 1);
    let thought = thought.unwrap();
    assert_eq!(thought.nodes, 100);
    visits(&thought)
}

#[test]
fn what_was_pondered_is_kept() {
    // How much is thought in a while depends on the machine, so slower ones get longer.
    let kept = [100, 1000, 10_000].into_iter().any(|ms| visits_after(Duration::from_millis(ms)) > 5000);
    assert!(kept, "next to nothing of ten seconds of pondering was kept");
}

#[test]
fn keys_are_read() {
    let game: TicTacToe = open("tictactoe");
    let refuse = |spec: &str| Settings::read(&Spec::parse(spec).unwrap(), mcts::keys()).is_err();
    assert!(refuse("mcts(explore=0)") && refuse("mcts(threads=0)") && refuse("mcts(cut=3)"));
    let (_, thought) = ask(&game, &game.start(), &mut *build_player(&game, "mcts(sims=100, solver=off)"), 1);
    assert!(thought.unwrap().moves.iter().all(|considered| considered.certainty == Certainty::Guess));
}

#[test]
fn what_is_settled_is_told_and_played() {
    let game: TicTacToe = open("tictactoe");
    for (text, sims) in [(".../.../...", 300_000), ("X../.O./...", 100_000), ("X../.../...", 200_000)] {
        for seed in 0..4 {
            let state = position(&game, text);
            let mut agent = build_player(&game, &format!("mcts(sims={sims})"));
            let (action, thought) = ask(&game, &state, &mut *agent, seed);
            let thought = thought.unwrap();
            assert_eq!((thought.value, thought.certainty), (0.0, Certainty::Proven), "{text}: {thought:?}");
            assert_eq!((thought.moves[0].action, thought.moves[0].certainty), (action, Certainty::Proven));
            assert!(thought.nodes < sims, "it stops when there is nothing left to find out");
        }
    }
}
