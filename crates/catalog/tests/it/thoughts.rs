//! What searches tell agrees with itself and with what they play, also where a limit cuts them off.

use std::time::Duration;

use parlor_agents::{alphabeta, expectimax};
use parlor_core::api::BuildContext;
use parlor_core::{
    Agent, Certainty, Context, Decision, Entry, Evaluate, Game, Keyed, PerfectInfo, Phase, Rng, Settings,
    Spec, Thought,
};
use parlor_games::checkers::Checkers;
use parlor_games::connect::Connect;
use parlor_games::darkchess::DarkChess;
use parlor_games::tictactoe::TicTacToe;

fn open<G: Entry>(spec: &str) -> G {
    G::open(&Settings::read(&Spec::parse(spec).unwrap(), G::KEYS).unwrap()).unwrap()
}

/// Plays at random for `plies`, or fewer where the next decision would be none.
fn wander<G: Game>(game: &G, seed: u64, plies: u32) -> G::State {
    let (mut state, mut rng) = (game.start(), Rng::new(seed));
    let mut reached = state.clone();
    for _ in 0..plies {
        let action = match game.phase(&state) {
            Phase::Over => break,
            Phase::Chance => game.sample(&state, &mut rng),
            Phase::Decide(_) => {
                if game.actions(&state).len() > 1 {
                    reached.clone_from(&state);
                }
                game.pick(&state, &mut rng)
            }
        };
        game.apply(&mut state, action);
    }
    reached
}

/// Lets an agent think and checks every thought. Returns the last.
fn checked<G: Game>(game: &G, state: &G::State, agent: &mut dyn Agent<G>) -> Thought<G::Action> {
    let Phase::Decide(seat) = game.phase(state) else { panic!("a seat decides") };
    let (actions, view): (Vec<_>, _) = (game.actions(state).collect(), game.view(state, seat));
    let mut last: Option<Thought<G::Action>> = None;
    let decision = Decision::new(game, seat, &view, &actions);
    let action = agent.act(
        &decision,
        &mut Context::new(&mut Rng::new(1)).with_reporter(&mut |thought| {
            let (best, others) = thought.moves.split_first().unwrap();
            assert_eq!((thought.line[0], thought.value), (best.action, best.value), "{thought:?}");
            assert!(thought.moves.is_sorted_by(|one, other| one.value >= other.value), "{thought:?}");
            assert!(others.iter().all(|other| other.visits > 0), "nothing is said of what was not searched");
            assert_ne!(best.certainty, Certainty::AtMost);
            if let Some(last) = &last {
                assert!(last.nodes <= thought.nodes && last.elapsed <= thought.elapsed);
            }
            last = Some(thought.clone());
        }),
    );
    let last = last.unwrap();
    assert_eq!(last.line[0], action, "what was told last is what is played");
    last
}

fn under_all_limits<G: Game>(game: &G, build_player: impl Fn(&str) -> Box<dyn Agent<G>>) {
    for seed in 0..4 {
        let state = wander(game, seed, 3 * seed as u32);
        for nodes in (0..16).map(|n| 3_u64.pow(n / 2) * (1 + u64::from(n % 2)) + u64::from(n)) {
            let last = checked(game, &state, &mut *build_player(&format!("nodes={nodes}")));
            assert!(last.nodes == nodes || last.certainty == Certainty::Proven, "{nodes}: {last:?}");
        }
    }
    let time = Duration::from_millis(400);
    let last = checked(game, &game.start(), &mut *build_player("time_ms=400"));
    assert!(last.elapsed >= time || last.certainty == Certainty::Proven, "all that it took: {last:?}");
}

#[test]
fn alphabeta_plays_what_it_tells() {
    fn build_player<G: PerfectInfo + Keyed + Evaluate>(game: &G, keys: &str) -> Box<dyn Agent<G>> {
        let spec = Spec::parse(&format!("alphabeta({keys}, aspiration=on)")).unwrap();
        let settings = Settings::read(&spec, alphabeta::KEYS).unwrap();
        alphabeta::build(&BuildContext::new(game, &settings, &[])).unwrap()
    }
    let connect: Connect<u128> = open("connect");
    under_all_limits(&connect, |keys| build_player(&connect, keys));
    let checkers: Checkers<u64> = open("checkers");
    under_all_limits(&checkers, |keys| build_player(&checkers, keys));
    let tictactoe: TicTacToe = open("tictactoe(rows=5, columns=5)");
    under_all_limits(&tictactoe, |keys| build_player(&tictactoe, keys));
}

#[test]
fn expectimax_plays_what_it_tells() {
    let game: DarkChess = open("darkchess");
    under_all_limits(&game, |keys| {
        let spec = Spec::parse(&format!("expectimax({keys})")).unwrap();
        let settings = Settings::read(&spec, expectimax::KEYS).unwrap();
        expectimax::build(&BuildContext::new(&game, &settings, &[])).unwrap()
    });
}
