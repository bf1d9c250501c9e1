//! Tournaments: the same rows for any number of threads, what they say, and their report.

use parlor_core::Cancel;
use parlor_core::api::AnyGame;
use parlor_core::files::saved::SavedGame;
use parlor_lab::pairs::PairPlan;
use parlor_lab::run::{Event, RunOptions, TournamentRequest, TournamentRun};
use parlor_lab::tournament::Kind;
use parlor_lab::tournament::report;
use parlor_lab::{PairRow, Plan, Standings, Table};

fn plan(game: &dyn AnyGame, agents: &[&str], pairs: u64) -> Plan {
    let agents = agents.iter().map(|agent| game.agent_spec(agent).unwrap()).collect();
    Plan::new(game.spec(), agents, 5, pairs).unwrap()
}

/// Plays a tournament that nothing is kept of, up to `most` rows if that is not 0.
fn play(plan: &Plan, threads: usize, most: usize) -> Vec<PairRow> {
    let request = TournamentRequest {
        game: plan.game.clone(),
        agents: plan.agents.clone(),
        kind: plan.kind,
        pairs: plan.pairs,
        seed: plan.seed,
        time: plan.time,
        opening: plan.opening,
        session: plan.session,
    };
    let options = RunOptions { threads, ..RunOptions::default() };
    let run = TournamentRun::new(&request, &crate::open, options).unwrap();
    let cancel = Cancel::new();
    let mut rows = Vec::new();
    run.run(&cancel, &mut |event| {
        if let Event::TournamentPair { row, .. } = event
            && !cancel.is_cancelled()
        {
            rows.push((*row).clone());
            if rows.len() == most {
                cancel.cancel();
            }
        }
    })
    .unwrap();
    rows
}

fn standings(plan: &Plan, rows: &[PairRow], solitary: bool) -> Standings {
    let mut table = Table::new(plan);
    rows.iter().for_each(|row| table.add(row));
    table.standings(plan, solitary)
}

const FOUR: [&str; 4] = ["random", "scoring", "defense", "expert"];

#[test]
fn any_number_of_threads_gives_the_same_rows_and_stopping_is_balanced() {
    let game = parlor_catalog::open("dominoes(target=none)").unwrap();
    let plan = plan(&*game, &FOUR, 10);
    let one = play(&plan, 1, 0);
    assert_eq!(one.len(), 60);
    assert_eq!(one, play(&plan, 5, 0));
    let early = play(&plan, 3, 12);
    assert_eq!(early, one[..12]);
    let early = standings(&plan, &early, false);
    assert!(early.agents.iter().all(|agent| agent.games == 12), "two pairs against each of three");
    assert!(!early.is_complete());
}

#[test]
fn rows_are_what_the_settings_say() {
    let game = parlor_catalog::open("dominoes(target=none)").unwrap();
    let plan = plan(&*game, &FOUR, 2);
    for row in play(&plan, 2, 0) {
        let trial = plan.trial(row.pair);
        let games: Vec<&SavedGame> = row.saved().collect();
        assert_eq!(games[0].seats, trial.agents.map(|agent| plan.agents[agent].clone()));
        assert!(games.iter().all(|game| game.seed == trial.deal));
    }
}

#[test]
fn a_gauntlet_is_a_part_of_the_round_robin() {
    let game = parlor_catalog::open("dominoes(target=none)").unwrap();
    let all = plan(&*game, &FOUR, 3);
    let gauntlet = Plan { kind: Kind::Gauntlet, ..all.clone() };
    let games = |plan: &Plan| -> Vec<SavedGame> {
        play(plan, 2, 0).iter().flat_map(|row| row.saved().cloned().collect::<Vec<_>>()).collect()
    };
    let (all, some) = (games(&all), games(&gauntlet));
    assert_eq!(some.len(), 18);
    assert!(some.iter().all(|game| all.contains(game)));
}

#[test]
fn a_misspelt_agent_is_refused_before_anything_is_played() {
    let request = TournamentRequest {
        game: "tictactoe".to_owned(),
        agents: ["random", "radnom"].map(str::to_owned).to_vec(),
        ..TournamentRequest::default()
    };
    let run = TournamentRun::new(&request, &crate::open, RunOptions::default());
    let error = run.err().unwrap();
    assert!(error.to_string().contains("did you mean `random`?"), "{error}");
}

#[test]
fn the_better_agent_is_rated_higher_and_counts_add_up() {
    let game = parlor_catalog::open("dominoes(target=none)").unwrap();
    let plan = plan(&*game, &FOUR, 60);
    let found = standings(&plan, &play(&plan, 2, 0), false);
    assert!(found.is_complete());
    assert!(found.agents[0].agent.starts_with("expert"), "{:?}", found.agents);
    assert_eq!(found.agents.iter().map(|agent| agent.rank).collect::<Vec<_>>(), [1, 2, 3, 4]);
    let points: f64 = found.agents.iter().map(|agent| agent.score.unwrap() * agent.games as f64).sum();
    assert!((points - 720.0).abs() < 1e-9, "six pairings of 60 pairs have 720 points");
    let mean: f64 = found.agents.iter().map(|agent| agent.elo.unwrap()).sum();
    assert!(mean.abs() < 1e-6);
    for agent in &found.agents {
        assert!(agent.elo_low < agent.elo && agent.elo < agent.elo_high);
        let counts: u64 =
            (0..4).filter_map(|other| found.between(agent.number, other)).map(|games| games.total()).sum();
        assert_eq!(counts, agent.games);
    }
    assert!(found.agents[3].above_next.is_none());
    assert!(found.first_seat.is_some());
}

/// A pair of a game that nobody played: `scores` of the first agent, one a game.
fn row(plan: &Plan, pair: u64, scores: [f64; 2], ending: &str) -> PairRow {
    let trial = plan.trial(pair);
    let [a, b] = trial.agents.map(|agent| plan.agents[agent].clone());
    let game = |seats: [&String; 2], payoffs: [f64; 2]| SavedGame {
        parlor: 1,
        game: plan.game.clone(),
        seats: seats.map(Clone::clone).to_vec(),
        seed: trial.deal,
        rng: plan.rng.clone(),
        start: None,
        moves: "a1".to_owned(),
        ending: ending.to_owned().try_into().unwrap(),
        payoffs: Some(payoffs.to_vec()),
        recognised: Vec::new(),
        table: None,
    };
    let [one, two] = scores;
    PairRow::of(pair, [game([&a, &b], [one, 1.0 - one]), game([&b, &a], [1.0 - two, two])])
}

#[test]
fn the_first_seat_forfeits_and_repeated_games_are_seen() {
    let plan = Plan::new("g".to_owned(), vec!["<b>".to_owned(), "x".to_owned()], 1, 40).unwrap();
    // Whoever is first always wins: equals with a strong first seat.
    let rows: Vec<PairRow> =
        (0..40).map(|pair| row(&plan, pair, [1.0, 0.0], "seat 1 forfeits: it overran its clock")).collect();
    let found = standings(&plan, &rows, false);
    assert!(found.agents.iter().all(|agent| agent.elo.unwrap().abs() < 1e-6 && agent.forfeits == 40));
    assert!(found.first_seat.unwrap().elo_low > 100.0);
    assert!(found.meetings[0].all_alike, "forty times the same two games");
    let names = ["<b>".to_owned(), "x".to_owned()];
    let page = report::page(&plan, &found, &names);
    assert!(page.contains("&lt;b&gt;") && !page.contains("<b>"), "names are escaped");
    assert!(page.contains("are the same two games") && page.contains("forfeited 40 of 80 games"));
    for needs in ["http", "src=", "url(", "<script", "@import"] {
        assert!(!page.contains(needs), "the page needs nothing else: {needs}");
    }
    assert!(page.contains("prefers-color-scheme: dark") && page.contains("<svg"));
    assert!(
        page.contains("parlor tournament g &#39;&lt;b&gt;&#39; x --pairs 40 --seed 1")
            || page.contains("parlor tournament g '&lt;b&gt;' x --pairs 40 --seed 1")
    );
}

#[test]
fn a_tournament_without_games_has_no_numbers() {
    let plan = Plan::new("g".to_owned(), vec!["a".to_owned(), "b".to_owned()], 1, 4).unwrap();
    let found = standings(&plan, &[], false);
    assert!(found.agents.iter().all(|agent| agent.elo.is_none() && agent.score.is_none()));
    assert!(found.first_seat.is_none());
    let page = report::page(&plan, &found, &plan.agents.clone());
    assert!(page.contains("Not finished: 0 of 4 pairs") && !page.contains("NaN"));
}

#[test]
fn solitary_games_have_no_first_seat() {
    let plan = Plan::new("g".to_owned(), vec!["a".to_owned(), "b".to_owned()], 1, 40).unwrap();
    // The first agent wins three comparisons of four.
    let rows: Vec<PairRow> = (0..40)
        .map(|pair| {
            let PairRow { games, .. } = row(&plan, pair, [f64::from(u8::from(pair % 4 > 0)); 2], "finished");
            let mut saved = [games[0].saved[0].clone(), games[1].saved[0].clone()];
            for game in &mut saved {
                game.seats.truncate(1);
            }
            PairRow::of(pair, saved)
        })
        .collect();
    let found = standings(&plan, &rows, true);
    assert_eq!((found.agents[0].games, found.agents[0].results.wins), (40, 30), "one comparison a pair");
    assert!(found.first_seat.is_none());
    // 3 to 1 is 190.8 Elo; as much of it as the prior leaves must be the agents', none of it a seat's.
    let lead = found.agents[0].elo.unwrap() - found.agents[1].elo.unwrap();
    assert!((lead - 190.8).abs() < 10.0, "{lead}");
}

#[test]
fn without_clocks_nobody_forfeits_and_with_an_absurd_one_somebody_always_does() {
    let game = parlor_catalog::open("dominoes(target=none)").unwrap();
    let mut plan = plan(&*game, &FOUR[..3], 2);
    let forfeits = |plan: &Plan| -> u64 {
        standings(plan, &play(plan, 2, 0), false).agents.iter().map(|agent| agent.forfeits).sum()
    };
    assert_eq!(forfeits(&plan), 0);
    plan.time = "0.000001ms".parse().unwrap();
    assert_eq!(forfeits(&plan), 12);
}
