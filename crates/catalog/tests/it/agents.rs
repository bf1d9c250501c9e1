//! Every agent of every roster: obeys the rules, repeats itself, and never uses what its seat cannot see.

use parlor_catalog::roster;
use parlor_core::api::{AgentEntry, AgentInfo, BuildContext, Make, MatchSetup};
use parlor_core::files::saved::SavedEnding;
use parlor_core::{Entry, Imagine, Key, Seat, Settings, Spec};
use parlor_testkit::agent_never_peeks;

fn nobody_peeks<G: Entry + Imagine>(spec: &str, roster: Vec<AgentEntry<G>>, games: u64) {
    let spec = Spec::parse(spec).unwrap();
    let game = G::open(&Settings::read(&spec, G::KEYS).unwrap()).unwrap();
    // What users can seat is what is tested here; programs of anybody's are tested at the pipe.
    let seatable: Vec<&str> =
        parlor_catalog::open(&spec.to_string()).unwrap().agents().iter().map(|a| a.name).collect();
    let tested: Vec<&str> = roster.iter().map(|entry| entry.name).chain(["cmd"]).collect();
    assert_eq!(tested, seatable, "every agent of {spec} is tested");
    let (oracles, honest): (Vec<&AgentEntry<G>>, Vec<&AgentEntry<G>>) =
        roster.iter().partition(|entry| matches!(entry.make, Make::Oracle(_)));
    for oracle in oracles {
        only_the_laboratory_seats(&spec.to_string(), oracle.name);
    }
    for entry in honest.into_iter().filter(|entry| !NEEDS_MORE.contains(&entry.name)) {
        never_peeks(&game, entry, &roster, games);
    }
}

fn never_peeks<G: Entry + Imagine>(game: &G, entry: &AgentEntry<G>, roster: &[AgentEntry<G>], games: u64) {
    for settings in forms(entry.name, entry.keys) {
        let context = BuildContext::new(game, &settings, roster);
        agent_never_peeks(game, games, || match entry.make {
            Make::Agent(build) => build(&context).unwrap(),
            Make::Learner(build) => build(&context).unwrap(),
            Make::Oracle(_) => unreachable!("oracles see everything and are left out"),
        });
    }
}

/// Returns an agent as it is, and in the other forms of it that its keys allow, all with small budgets.
fn forms(name: &str, keys: &'static [Key]) -> Vec<Settings> {
    let small = Spec { name: name.to_owned(), pairs: small_budget(keys) };
    let mut forms = vec![Settings::read(&small, keys).unwrap()];
    for form in FORMS {
        let mut spec = Spec::parse(form).unwrap();
        let fits = spec.pairs.iter().all(|(name, _)| keys.iter().any(|key| key.name == *name));
        if spec.name == name && fits {
            spec.pairs.extend(small.pairs.iter().cloned());
            forms.push(Settings::read(&spec, keys).unwrap());
        }
    }
    forms
}

/// Ways to think that the defaults do not take.
const FORMS: &[&str] = &[
    "pimc(beliefs=seen, draws=weighed, star=2)",
    "pimc(beliefs=off, draws=fixed, playout=off)",
    "pimc(model=scoring, faith=0, playout=random)",
    "expectimax(star=1, beliefs=choices)",
    "expectimax(star=0, ordering=off, quiescence=off, table=off)",
    "ismcts(reuse=off)",
    "ismcts(beliefs=off, playout=random)",
    "mstar(model=random, sampled=on)",
    "mstar(model=mstar(model=defense), playout=off)",
    "mstar(model=scoring, infer=on, draws=fixed)",
    "mstar(model=expectimax)",
    "deduce(guess=safest)",
    "deduce(endgame=0, deep=4)",
    "mcts(threads=2, reuse=off)",
    "mcts(solver=off, playout=3)",
    "alphabeta(table=off, quiescence=off, reductions=on)",
    "alphabeta(ordering=off, pvs=off, aspiration=off)",
];

/// Oracles see everything, so the law does not hold for them: no table and no engine may have one, and lists mark them.
fn only_the_laboratory_seats(game: &str, oracle: &str) {
    let game = parlor_catalog::open(game).unwrap();
    let infos = game.agents();
    let info = infos.iter().find(|agent| agent.name == oracle).unwrap();
    assert!(info.sees_all && oracle.ends_with("-oracle"), "{oracle} says what it is");
    assert!(infos.iter().all(|agent| agent.sees_all == agent.name.ends_with("-oracle")));
    let refusal = "it sees what is hidden, so only matches, tournaments and experiments can seat it";
    let mut table = game.table(1, None).unwrap();
    let said = table.seat_agent(Seat::FIRST, oracle).unwrap_err().to_string();
    assert_eq!(said, format!("{oracle}: {refusal}"));
    let said = game.engine(oracle).err().unwrap().to_string();
    assert_eq!(said, format!("{oracle}: {refusal}"));
    assert!(game.team(&[oracle, "random"]).is_ok());
}

/// Agents that do not play by their name alone: they need a program or a file. The law of views is tested for them where these are:
/// in `pipe.rs` and `equilibrium.rs`.
const NEEDS_MORE: &[&str] = &["cmd", "nash"];

/// What a search may do in a test, where it has a limit: a deeper one would peek no more, only later.
const SMALL_BUDGET: &[(&str, &str)] = &[("nodes", "300"), ("sims", "60"), ("worlds", "5")];

fn small_budget(keys: &[Key]) -> Vec<(String, String)> {
    SMALL_BUDGET
        .iter()
        .filter(|(name, _)| keys.iter().any(|key| key.name == *name))
        .map(|&(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// A form that no agent has would test nothing.
#[test]
fn every_form_is_some_agents() {
    for form in FORMS {
        let spec = Spec::parse(form).unwrap();
        let has = |agent: &AgentInfo| {
            let known = |name: &String| agent.keys.iter().any(|key| key.name == name);
            agent.name == spec.name && spec.pairs.iter().all(|(name, _)| known(name))
        };
        let games = parlor_catalog::GAMES.iter().map(|entry| parlor_catalog::open(entry.name).unwrap());
        assert!(games.flat_map(|game| game.agents()).any(|agent| has(&agent)), "{form}");
    }
}

#[test]
fn tictactoe() {
    nobody_peeks::<parlor_games::tictactoe::TicTacToe>("tictactoe", roster::boards(), 20);
}

#[test]
fn checkers() {
    nobody_peeks::<parlor_games::checkers::Checkers<u64>>(
        "checkers(rows=6, columns=6)",
        roster::checkers(),
        5,
    );
}

#[test]
fn connect() {
    nobody_peeks::<parlor_games::connect::Connect<u64>>("connect(width=7, height=6)", roster::boards(), 10);
}

#[test]
fn dominoes() {
    for spec in ["dominoes", "dominoes(rules=myers)", "dominoes(target=none, draw=one-then-play)"] {
        nobody_peeks::<parlor_games::dominoes::Dominoes>(spec, roster::dominoes(), 5);
    }
}

#[test]
fn darkchess() {
    nobody_peeks::<parlor_games::darkchess::DarkChess>("darkchess", roster::darkchess(), 3);
}

#[test]
fn minesweeper() {
    use parlor_games::minesweeper::Minesweeper;
    for first in ["any", "safe", "clear"] {
        let spec = format!("minesweeper(rows=4, columns=5, first={first})");
        nobody_peeks::<Minesweeper<u64>>(&spec, roster::minesweeper(), 10);
    }
    // A board of more than one word. The learner's default code has no room for it.
    let spec = Spec::parse("minesweeper(rows=9, columns=9, mines=10, first=safe)").unwrap();
    let game = Minesweeper::<u128>::open(&Settings::read(&spec, Minesweeper::<u128>::KEYS).unwrap()).unwrap();
    let roster = roster::minesweeper();
    for entry in roster.iter().filter(|entry| matches!(entry.make, Make::Agent(_))) {
        never_peeks(&game, entry, &roster, 2);
    }
}

/// Rosters and the lists that users see come from the same place; this pins that each game can seat each of its agents.
#[test]
fn every_agent_plays_the_same_match_twice() {
    for entry in parlor_catalog::GAMES {
        let game = parlor_catalog::open(entry.name).unwrap();
        for agent in game.agents().iter().filter(|agent| !NEEDS_MORE.contains(&agent.name)) {
            let small = Spec { name: agent.name.to_owned(), pairs: small_budget(agent.keys) };
            let full = game.agent_spec(&small.to_string()).unwrap();
            assert_eq!(game.agent_spec(&full).unwrap(), full, "the full form is its own full form");
            let play = || {
                let specs = vec![full.as_str(); usize::from(game.seats())];
                let mut team = game.team(&specs).unwrap();
                let seating: Vec<usize> = (0..specs.len()).collect();
                team.play(&MatchSetup::new(&seating, 3, 4)).unwrap()
            };
            let saved = play();
            assert_eq!(saved, play(), "{} repeats itself at {}", agent.name, entry.name);
            assert_eq!(
                saved.ending,
                SavedEnding::Finished,
                "{} obeys the rules of {}",
                agent.name,
                entry.name
            );
        }
    }
}
