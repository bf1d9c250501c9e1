//! Every agent of every roster: obeys the rules, repeats itself, and never uses what its seat cannot see.

use std::sync::atomic::{AtomicUsize, Ordering};

use parlor_catalog::{GAMES, Registered, Visitor, visit};
use parlor_core::api::{AgentEntry, AgentInfo, BuildContext, Make, MatchSetup};
use parlor_core::files::saved::SavedEnding;
use parlor_core::{Key, Seat, Settings, Spec};
use parlor_testkit::equal_views_equal_answers;

/// Rules beside each game's defaults, and how many games of them are played.
const MORE_RULES: &[(&str, u64)] = &[
    ("dominoes", 5),
    ("dominoes(rules=myers)", 5),
    ("dominoes(target=none, draw=one-then-play)", 5),
    ("connect(width=7, height=6)", 10),
    ("tictactoe", 20),
    ("checkers(rows=6, columns=6)", 5),
    ("minesweeper(rows=4, columns=5, first=any)", 10),
    ("minesweeper(rows=4, columns=5, first=safe)", 10),
    ("minesweeper(rows=4, columns=5, first=clear)", 10),
    // A board of more than one word.
    ("minesweeper(rows=9, columns=9, mines=10, first=safe)", 2),
];

/// How many games are played by the default rules.
const GAMES_BY_DEFAULT: u64 = 3;

/// Games in which a seat does not know everything that is settled. What lies face down in dark chess nobody knows.
const HIDING: [&str; 2] = ["dominoes", "minesweeper"];

/// Programs in a process of their own (`cmd`) are not in the rosters; they are tested at the pipe.
#[test]
fn nobody_peeks_where_something_is_hidden() {
    law_of_views(true);
}

#[test]
fn everybody_repeats_itself_where_nothing_is_hidden() {
    law_of_views(false);
}

fn law_of_views(hiding: bool) {
    let defaults = GAMES.iter().map(|entry| (entry.name, GAMES_BY_DEFAULT));
    let mut cases: Vec<(&str, u64)> = defaults.chain(MORE_RULES.iter().copied()).collect();
    cases.retain(|(spec, _)| HIDING.contains(&Spec::bare_name(spec)) == hiding);
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(&(spec, games)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            visit(spec, Law { spec, games }).unwrap();
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| _ = scope.spawn(work)));
}

/// The law of views, for every agent of a game.
struct Law<'a> {
    spec: &'a str,
    games: u64,
}

impl Visitor for Law<'_> {
    type Output = ();

    fn visit<G: Registered>(self, game: G) {
        let roster = (G::ABILITIES.roster)();
        for entry in roster.iter() {
            if let Make::Oracle(_) = entry.make {
                only_the_laboratory_seats(self.spec, entry.name);
            } else if !NEEDS_MORE.contains(&entry.name) && has_room(&game, entry, &roster) {
                never_peeks(&game, entry, &roster, self.games);
            }
        }
    }
}

/// Returns whether the default code of a learner has room for the board; codes of other agents are none.
fn has_room<G: Registered>(game: &G, entry: &AgentEntry<G>, roster: &[AgentEntry<G>]) -> bool {
    let settings = Settings::read(&Spec::parse(entry.name).unwrap(), entry.keys).unwrap();
    let fits = !matches!(entry.make, Make::Learner(build) if build(&BuildContext::new(game, &settings, roster)).is_err());
    let by_default = game.spec() == Spec::parse(&parlor_catalog::open(G::NAME).unwrap().spec()).unwrap();
    assert!(fits || !by_default, "{} plays {} by the default rules", entry.name, G::NAME);
    fits
}

fn never_peeks<G: Registered>(game: &G, entry: &AgentEntry<G>, roster: &[AgentEntry<G>], games: u64) {
    let rules = game.spec().to_string();
    let has_table = G::ABILITIES.shipped_tables.iter().any(|table| table.game == rules);
    for settings in forms(entry.name, entry.keys) {
        let asks_table = entry.keys.iter().any(|key| key.name == "evaluation")
            && settings.given("evaluation") == Some("shipped");
        if asks_table && !has_table {
            continue;
        }
        let context = BuildContext::new(game, &settings, roster);
        let in_other_worlds = equal_views_equal_answers(game, games, || match entry.make {
            Make::Agent(build) => build(&context).unwrap(),
            Make::Learner(build) => build(&context).unwrap(),
            Make::Oracle(_) => unreachable!("oracles see everything and are left out"),
        });
        assert_eq!(in_other_worlds > 0, HIDING.contains(&G::NAME), "{} {}", G::NAME, entry.name);
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
    "pimc(beliefs=seen, chance=weighed, star=2)",
    "pimc(beliefs=off, chance=fixed, playout=off)",
    "pimc(model=scoring, model_trust=0, playout=random)",
    "pimc(objective=stage)",
    "pimc(evaluation=shipped)",
    "expectimax(evaluation=shipped)",
    "expectimax(star=1, beliefs=choices)",
    "expectimax(star=0, ordering=off, quiescence=off, table=off)",
    "ismcts(reuse=off)",
    "ismcts(evaluation=shipped)",
    "ismcts(beliefs=off, playout=random)",
    "mstar(model=random, sampled=on)",
    "mstar(model=mstar(model=defense), playout=off)",
    "mstar(model=scoring, infer=on, chance=fixed)",
    "mstar(model=expectimax)",
    "mstar(objective=stage)",
    "mstar(model=guess)",
    "mstar(model=guess(by=mda))",
    "mstar(model=mix(by=forest, unknown=0.1), infer=on)",
    "mstar(model=mix(types=expert+scoring+random-tile, unknown=0.2, memory=stage), infer=on)",
    "mstar(model=mix(types=scoring+mstar(model=defense, nodes=50), priors=3+1, memory=session))",
    "deduce(guess=safest)",
    "deduce(endgame=0, deep=4)",
    "mcts(threads=2, reuse=off)",
    "mcts(solver=off, cut=3)",
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
const SMALL_BUDGET: &[(&str, &str)] =
    &[("nodes", "300"), ("sims", "60"), ("worlds", "5"), ("otherwise", "alphabeta(nodes=300)")];

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
        let games = GAMES.iter().map(|entry| parlor_catalog::open(entry.name).unwrap());
        assert!(games.flat_map(|game| game.agents()).any(|agent| has(&agent)), "{form}");
    }
}

/// Rosters and the lists that users see come from the same place; this pins that each game can seat each of its agents.
#[test]
fn every_agent_plays_the_same_match_twice() {
    for entry in GAMES {
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
