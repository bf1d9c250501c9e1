//! Every agent of every roster: obeys the rules, repeats itself, and never uses what its seat cannot see.

use parlor_catalog::roster;
use parlor_core::dynamic::{AgentEntry, Make};
use parlor_core::{Entry, Imagine, Settings, Spec};
use parlor_testkit::agent_never_peeks;

fn nobody_peeks<G: Entry + Imagine>(spec: &str, roster: Vec<AgentEntry<G>>, games: u64) {
    let spec = Spec::parse(spec).unwrap();
    let game = G::open(&Settings::read(&spec, G::KEYS).unwrap()).unwrap();
    // What users can seat is what is tested here; programs of anybody's are tested at the pipe.
    let seatable: Vec<&str> =
        parlor_catalog::open(&spec.to_string()).unwrap().agents().iter().map(|a| a.name).collect();
    let tested: Vec<&str> = roster.iter().map(|entry| entry.name).chain(["cmd"]).collect();
    assert_eq!(tested, seatable, "every agent of {spec} is tested");
    for entry in roster {
        let bare = Spec { name: entry.name.to_owned(), pairs: Vec::new() };
        let settings = Settings::read(&bare, entry.keys).unwrap();
        agent_never_peeks(&game, games, || match entry.make {
            Make::Agent(build) => build(&game, &settings).unwrap(),
            Make::Learner(build) => build(&game, &settings).unwrap(),
        });
    }
}

#[test]
fn tictactoe() {
    nobody_peeks::<parlor_games::tictactoe::TicTacToe>("tictactoe", roster::with_codecs(), 20);
}

#[test]
fn checkers() {
    nobody_peeks::<parlor_games::checkers::Checkers<u64>>(
        "checkers(rows=6, columns=6)",
        roster::with_codecs(),
        5,
    );
}

#[test]
fn connect() {
    nobody_peeks::<parlor_games::connect::Connect<u64>>(
        "connect(width=7, height=6)",
        roster::with_codecs(),
        10,
    );
}

#[test]
fn dominoes() {
    for spec in ["dominoes", "dominoes(rules=myers)", "dominoes(target=none, draw=one-then-play)"] {
        nobody_peeks::<parlor_games::dominoes::Dominoes>(spec, roster::dominoes(), 5);
    }
}

#[test]
fn darkchess() {
    nobody_peeks::<parlor_games::darkchess::DarkChess>("darkchess", roster::everywhere(), 3);
}

#[test]
fn minesweeper() {
    use parlor_games::minesweeper::Minesweeper;
    nobody_peeks::<Minesweeper<u64>>("minesweeper(rows=4, columns=5)", roster::with_codecs(), 10);
}

/// Rosters and the lists that users see come from the same place; this pins that each game can seat each of its agents.
#[test]
fn every_agent_plays_the_same_match_twice() {
    for entry in parlor_catalog::GAMES {
        let game = parlor_catalog::open(entry.name).unwrap();
        for agent in game.agents().iter().filter(|agent| agent.name != "cmd") {
            let full = game.agent_spec(agent.name).unwrap();
            assert_eq!(game.agent_spec(&full).unwrap(), full, "the full form is its own full form");
            let play = || {
                let specs = vec![full.as_str(); usize::from(game.seats())];
                let mut crew = game.crew(&specs).unwrap();
                let seating: Vec<usize> = (0..specs.len()).collect();
                crew.play(&seating, 3, 4, parlor_core::TimeControl::default())
            };
            let row = play();
            assert_eq!(row, play(), "{} repeats itself at {}", agent.name, entry.name);
            assert_eq!(row.forfeit, None, "{} obeys the rules of {}", agent.name, entry.name);
        }
    }
}
