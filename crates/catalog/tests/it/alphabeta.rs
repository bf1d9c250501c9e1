//! `alphabeta` against methods that are simpler and slower.

use std::error::Error;
use std::thread;
use std::time::Duration;

use parlor_agents::Limits;
use parlor_agents::alphabeta::{AlphaBeta, KEYS, NAME, Switches, WON, build};
use parlor_agents::evaluation::Evaluation;
use parlor_catalog::Registered;
use parlor_core::api::{BuildContext, Hosted};
use parlor_core::{
    Agent, Budget, Cancel, Certainty, Context, Decision, Evaluate, Game, Keyed, Notation, PerfectInfo, Phase,
    Pondering, Position, Rng, Settings, Spec, Thought,
};
use parlor_games::checkers::{self, Checkers};
use parlor_games::connect::Connect;
use parlor_games::tictactoe::{Lines, TicTacToe};
use serde::Deserialize;

/// Every action, to a fixed depth, without any cleverness.
fn plain<G: PerfectInfo + Evaluate>(
    game: &G,
    weights: &G::Weights,
    state: &G::State,
    depth: u32,
    ply: i32,
    points: bool,
) -> i32 {
    let Phase::Decide(seat) = game.phase(state) else { unreachable!("asked of decisions only") };
    if depth == 0 {
        return game.evaluate(weights, state);
    }
    let value = |action| {
        let mut next = state.clone();
        game.apply(&mut next, action);
        if game.phase(&next) != Phase::Over {
            return -plain(game, weights, &next, depth - 1, ply + 1, points);
        }
        let payoff = game.payoffs(&next).of(seat) as i32;
        if points { 100 * payoff } else { payoff * (WON - ply - 1) }
    };
    game.actions(state).map(value).max().unwrap()
}

const EXACT: Switches = Switches {
    ponder: true,
    table: true,
    ordering: true,
    quiescence: false,
    reductions: false,
    aspiration: true,
    pvs: true,
    threats: false,
    extensions: false,
    pruning: false,
    deepening: false,
    replies: false,
    repeats: false,
};

fn agent<G: PerfectInfo + Keyed + Evaluate>(game: &G, switches: Switches, budget: Budget) -> AlphaBeta<G> {
    agent_with(game, switches, budget, 1)
}

fn agent_with<G: PerfectInfo + Keyed + Evaluate>(
    game: &G,
    switches: Switches,
    budget: Budget,
    threads: usize,
) -> AlphaBeta<G> {
    AlphaBeta::new(
        Evaluation::new(game.read_weights(G::WEIGHTS).unwrap()),
        Limits::of(budget),
        switches,
        1,
        threads,
    )
}

/// Asks for a decision; returns the action and the last thought.
fn think<G: PerfectInfo + Keyed + Evaluate>(
    agent: &mut dyn Agent<G>,
    game: &G,
    state: &G::State,
) -> (G::Action, Option<Thought<G::Action>>) {
    let Phase::Decide(seat) = game.phase(state) else { panic!("nothing to decide") };
    let actions: Vec<G::Action> = game.actions(state).collect();
    let view = game.view(state, seat);
    let mut last = None;
    let decision = Decision::new(game, seat, &view, &actions);
    let action = agent.act(
        &decision,
        &mut Context::new(&mut Rng::new(0)).with_reporter(&mut |thought| last = Some(thought.clone())),
    );
    assert!(actions.contains(&action));
    (action, last)
}

/// Plays at random for `plies`, or fewer where the match would end.
fn wander<G: Game>(game: &G, seed: u64, plies: u32) -> G::State {
    let (mut state, mut rng) = (game.start(), Rng::new(seed));
    for _ in 0..plies {
        let mut next = state.clone();
        game.apply(&mut next, game.pick(&state, &mut rng));
        if game.phase(&next) == Phase::Over || game.actions(&next).len() < 2 {
            break;
        }
        state = next;
    }
    state
}

fn agrees_with_plain<G: PerfectInfo + Keyed + Evaluate>(game: &G, depth: u32, seeds: u64, points: bool) {
    let weights = game.read_weights(G::WEIGHTS).unwrap();
    for seed in 0..seeds {
        let state = wander(game, seed, 3 + seed as u32 * 3);
        let expected = plain(game, &weights, &state, depth, 0, points);
        for combination in 0..16 {
            let on = |bit: u32| combination >> bit & 1 == 1;
            let switches = Switches { table: on(0), ordering: on(1), aspiration: on(2), pvs: on(3), ..EXACT };
            let (action, thought) = think(&mut agent(game, switches, Budget::depth(depth)), game, &state);
            let thought = thought.unwrap();
            assert_eq!(thought.value, f64::from(expected), "{switches:?} in {state:?}");
            assert_eq!((thought.line[0], thought.moves[0].action), (action, action));
            let mut next = state.clone();
            game.apply(&mut next, action);
            let reached = match game.phase(&next) {
                Phase::Over => expected,
                _ => -plain(game, &weights, &next, depth - 1, 1, points),
            };
            assert_eq!(reached, expected, "the action is one of the best");
        }
    }
}

#[test]
fn connect_values_are_those_of_a_plain_search() {
    agrees_with_plain(&Connect::<u64>::new(7, 6, 4).unwrap(), 5, 8, false);
    agrees_with_plain(&Connect::<u64>::new(4, 5, 3).unwrap(), 5, 4, false);
    agrees_with_plain(&Connect::<u128>::new(11, 10, 4).unwrap(), 3, 4, false);
}

#[test]
fn tictactoe_values_are_those_of_a_plain_search() {
    agrees_with_plain(&TicTacToe::new(3, 3, Lines::Windows).unwrap(), 4, 2, true);
    agrees_with_plain(&TicTacToe::new(4, 4, Lines::Runs).unwrap(), 4, 3, true);
}

#[test]
fn checkers_values_are_those_of_a_plain_search() {
    let options = checkers::Options::default();
    agrees_with_plain(&Checkers::<u64>::new(8, 8, options).unwrap(), 5, 6, false);
    agrees_with_plain(&Checkers::<u64>::new(6, 6, options).unwrap(), 6, 4, false);
    let may = checkers::Options { kings: checkers::Kings::May, draw: 3, ..options };
    agrees_with_plain(&Checkers::<u64>::new(6, 6, may).unwrap(), 6, 4, false);
}

const ALL: Switches = Switches { quiescence: true, reductions: true, ..EXACT };

#[derive(Deserialize)]
struct Solved {
    moves: String,
    ply: u32,
    score: i32,
    best: Vec<u8>,
}

#[test]
fn solved_positions_of_connect_come_out_right() {
    let game = Connect::<u64>::new(7, 6, 4).unwrap();
    let solved: Vec<Solved> =
        serde_json::from_str(include_str!("../../../games/tests/vectors/connect-solved-7x6.json")).unwrap();
    let mut decided = 0;
    for solved in solved.iter().filter(|solved| solved.ply >= 26) {
        let Ok(Position::State(board)) = game.read_position(&solved.moves) else {
            panic!("{}", solved.moves)
        };
        if game.actions(&board).len() < 2 {
            continue;
        }
        let (action, thought) = think(&mut agent(&game, ALL, Budget::depth(42)), &game, &board);
        let thought = thought.unwrap();
        assert_eq!(thought.certainty, Certainty::Proven, "{}", solved.moves);
        assert_eq!((thought.value as i32).signum(), solved.score.signum(), "{}", solved.moves);
        // Without reductions a win is the soonest and a loss the latest there is.
        let (_, exact) = think(&mut agent(&game, EXACT, Budget::depth(42)), &game, &board);
        let exact = exact.unwrap();
        let end_in = match solved.score {
            0 => None,
            win if win > 0 => Some(2 * (22 - win as u32) - 1 - solved.ply + solved.ply % 2),
            loss => Some(2 * (22 - loss.unsigned_abs()) - solved.ply - solved.ply % 2),
        };
        assert_eq!(exact.end_in, end_in, "{}", solved.moves);
        if solved.best.len() == 1 && solved.score <= 0 {
            decided += 1;
            let only = solved.best[0] - 1;
            assert!(exact.moves[0].action.0 == only || solved.score < 0, "{}", solved.moves);
            assert!(solved.score < 0 || action.0 == only, "{}", solved.moves);
        }
    }
    assert!(decided > 0);
}

#[test]
fn a_won_ending_of_checkers_is_won() {
    let game = Checkers::<u64>::new(8, 8, checkers::Options::default()).unwrap();
    // Two kings against one that is not in a double corner.
    let Ok(Position::State(board)) = game.read_position("W:WK18,K23:BK12") else { panic!("a position") };
    let mut searcher = agent(&game, ALL, Budget::nodes(150_000));
    let (_, thought) = think(&mut searcher, &game, &board);
    let thought = thought.unwrap();
    assert!(thought.value > 0.0);
    let mut state = board;
    let mut plies = 0;
    while game.phase(&state) != Phase::Over {
        let action = if plies % 2 == 0 {
            think(&mut searcher, &game, &state).0
        } else {
            game.pick(&state, &mut Rng::new(plies))
        };
        game.apply(&mut state, action);
        plies += 1;
    }
    assert_eq!(game.payoffs(&state).winner(), Some(board.to_move()), "after {plies} plies");
}

#[test]
fn tic_tac_toe_is_played_to_the_end() {
    let game = TicTacToe::new(3, 3, Lines::Windows).unwrap();
    // Reductions take plies off, so more than nine are asked for.
    let mut searcher = agent(&game, ALL, Budget::depth(20));
    let (_, thought) = think(&mut searcher, &game, &game.start());
    let thought = thought.unwrap();
    assert_eq!(thought.certainty, Certainty::Proven);
    let weights = game.read_weights(TicTacToe::WEIGHTS).unwrap();
    let state = wander(&game, 5, 2);
    let expected = plain(&game, &weights, &state, 9, 0, true);
    assert_eq!(think(&mut searcher, &game, &state).1.unwrap().value, f64::from(expected));
}

#[test]
fn limits_hold_and_searches_repeat() {
    let game = Connect::<u128>::new(11, 10, 4).unwrap();
    for nodes in [1, 10, 1_000, 20_000] {
        let run = || think(&mut agent(&game, ALL, Budget::nodes(nodes)), &game, &game.start());
        let (one, other) = (run(), run());
        assert_eq!(one.0, other.0);
        let (one, other) = (one.1.unwrap(), other.1.unwrap());
        assert_eq!((one.nodes, &one.line, one.value), (other.nodes, &other.line, other.value));
        assert_eq!(one.nodes, nodes, "all of them and no more");
    }
    let depth = think(&mut agent(&game, ALL, Budget::depth(4)), &game, &game.start()).1.unwrap();
    assert_eq!(depth.depth, 4);
}

#[test]
fn a_single_action_needs_no_thought_and_a_stop_is_obeyed() {
    let game = Connect::<u64>::new(7, 6, 4).unwrap();
    let Ok(Position::State(board)) = game.read_position("4") else { panic!("a position") };
    let actions: Vec<_> = game.actions(&board).collect();
    let mut searcher = agent(&game, ALL, Budget::default());
    let mut thoughts = 0;
    let Phase::Decide(seat) = game.phase(&board) else { panic!("a decision") };
    let decision = Decision::new(&game, seat, &board, &actions[..1]);
    assert_eq!(
        searcher.act(&decision, &mut Context::new(&mut Rng::new(0)).with_reporter(&mut |_| thoughts += 1)),
        actions[0]
    );
    assert_eq!(thoughts, 0);
    // Set from the start, or while an endless search runs on several threads.
    let stop = Cancel::cancelled();
    let decision = Decision::new(&game, seat, &board, &actions);
    assert!(
        actions.contains(&searcher.act(&decision, &mut Context::new(&mut Rng::new(0)).with_cancel(&stop)))
    );
    let stop = Cancel::new();
    let mut searcher = agent_with(&game, ALL, Budget::default(), 3);
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(30));
            stop.cancel();
        });
        assert!(
            actions
                .contains(&searcher.act(&decision, &mut Context::new(&mut Rng::new(0)).with_cancel(&stop)))
        );
    });
}

#[test]
fn threads_prove_the_same() {
    let game = Connect::<u64>::new(7, 6, 4).unwrap();
    for seed in 0..4 {
        let state = wander(&game, seed, 28);
        let [one, three] = [1, 3].map(|threads| {
            let thought = think(&mut agent_with(&game, ALL, Budget::depth(42), threads), &game, &state).1;
            let thought = thought.unwrap();
            assert_eq!(thought.certainty, Certainty::Proven);
            (thought.value as i32).signum()
        });
        assert_eq!(one, three);
    }
}

/// Ponders on the other seat's turn for a while.
fn ponder<G: PerfectInfo + Keyed + Evaluate>(
    searcher: &mut AlphaBeta<G>,
    game: &G,
    state: &G::State,
    time: Duration,
) {
    let Phase::Decide(other) = game.phase(state) else { panic!("the other seat is to move") };
    let view = game.view(state, other.other());
    let stop = Cancel::new();
    thread::scope(|scope| {
        let pondering = Pondering { game, seat: other.other(), view: &view, cancel: &stop };
        scope.spawn(move || searcher.ponder(&pondering));
        thread::sleep(time);
        stop.cancel();
    });
}

#[test]
fn a_right_guess_saves_work_and_a_wrong_one_does_no_harm() {
    let game = Connect::<u64>::new(7, 6, 4).unwrap();
    let state = wander(&game, 1, 6);
    let depth = Budget::depth(9);
    let nodes_after = |pondering: Option<Duration>, right: bool| {
        let mut searcher = agent(&game, ALL, depth);
        let (action, thought) = think(&mut searcher, &game, &state);
        let guess = thought.unwrap().line[1];
        let mut next = state;
        game.apply(&mut next, action);
        if let Some(time) = pondering {
            ponder(&mut searcher, &game, &next, time);
        }
        let answer = game.actions(&next).find(|&answer| (answer == guess) == right).unwrap();
        game.apply(&mut next, answer);
        let (action, thought) = think(&mut searcher, &game, &next);
        let thought = thought.unwrap();
        assert_eq!(thought.line[0], action);
        (thought.nodes, thought.depth)
    };
    let (without, _) = nodes_after(None, true);
    // How much is thought in a while depends on the machine, so slower ones get longer.
    let saved = [300, 1000, 3000, 10_000].into_iter().any(|milliseconds| {
        let (hit, reached) = nodes_after(Some(Duration::from_millis(milliseconds)), true);
        assert!(reached >= 9 || hit < without);
        hit < without / 2
    });
    assert!(saved, "ten seconds of pondering did not halve {without} nodes");
    let (miss, _) = nodes_after(Some(Duration::from_millis(300)), false);
    assert!(miss > 0);
}

/// Returns how many nodes a spec takes to look six plies ahead from a position after a few random moves.
fn nodes_of<G: Registered + PerfectInfo + Keyed + Evaluate>(game: &G, text: &str) -> u64 {
    let hosted = Hosted::new(game.clone(), (G::ABILITIES.roster)());
    let mut agent = hosted.honest_agent(text).unwrap().0;
    let state = wander(game, 3, 8);
    think(&mut *agent, game, &state).1.unwrap().nodes
}

#[test]
fn parts_that_won_no_matches_in_a_game_are_off_there() {
    let connect = Connect::<u64>::new(7, 6, 4).unwrap();
    let [auto, off, on] = ["auto", "off", "on"]
        .map(|how| nodes_of(&connect, &format!("alphabeta(depth=6, reductions={how}, aspiration={how})")));
    assert_eq!(auto, off);
    assert_ne!(auto, on);
    let checkers = Checkers::<u64>::new(8, 8, checkers::Options::default()).unwrap();
    let [auto, off, on] = ["auto", "off", "on"]
        .map(|how| nodes_of(&checkers, &format!("alphabeta(depth=6, reductions={how}, aspiration={how})")));
    assert_eq!(auto, on);
    assert_ne!(auto, off);
}

#[test]
fn weights_come_from_files() {
    let game = TicTacToe::new(3, 3, Lines::Windows).unwrap();
    let folder = std::env::temp_dir().join(format!("parlor-weights-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("weights.toml");
    let says = |text: &str| {
        std::fs::write(&path, text).unwrap();
        let spec =
            Spec { name: NAME.to_owned(), pairs: vec![("weights".to_owned(), path.display().to_string())] };
        build(&BuildContext::new(&game, &Settings::read(&spec, KEYS).unwrap(), &[]))
            .err()
            .map(|error| format!("{error}: {}", error.source().map(ToString::to_string).unwrap_or_default()))
    };
    assert_eq!(says(TicTacToe::WEIGHTS), None);
    assert!(says("two = 1\nthree = 2").unwrap().contains("line 2"));
    std::fs::remove_file(&path).unwrap();
    let spec =
        Spec { name: NAME.to_owned(), pairs: vec![("weights".to_owned(), path.display().to_string())] };
    assert!(build(&BuildContext::new(&game, &Settings::read(&spec, KEYS).unwrap(), &[])).is_err());
    std::fs::remove_dir_all(&folder).unwrap();
}
