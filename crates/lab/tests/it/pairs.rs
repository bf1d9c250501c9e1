//! Pair matches: the same rows for any number of threads, luck shared by both games of a pair.

use parlor_core::Cancel;
use std::ops::ControlFlow;

use parlor_lab::{PairMatch, PairRow, Tally, Terms};

fn play(game: &str, pairs: u64, threads: usize, stop_after: usize) -> (Vec<PairRow>, Tally) {
    let game = parlor_catalog::open(game).unwrap();
    let plan = PairMatch {
        game: &*game,
        agents: ["random", "random"],
        from: 0,
        pairs,
        seed: 5,
        threads,
        terms: Terms::default(),
    };
    let mut rows = Vec::new();
    let tally = plan
        .run(&Cancel::new(), |row| {
            rows.push(row);
            if rows.len() == stop_after { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .unwrap();
    (rows, tally)
}

#[test]
fn any_number_of_threads_gives_the_same_rows() {
    let one = play("tictactoe", 200, 1, 0);
    let many = play("tictactoe", 200, 7, 0);
    assert_eq!(one, many);
    assert_eq!(one.0.len(), 200);
    assert!(one.0.iter().zip(0..).all(|(row, pair)| row.pair == pair), "rows come in order");
}

#[test]
fn counts_add_up() {
    let (_, tally) = play("tictactoe", 300, 2, 0);
    assert_eq!(tally.games.total(), 600);
    assert_eq!(tally.pentanomial.iter().sum::<u64>(), 300);
    let halves: u64 = tally.pentanomial.iter().zip(0..).map(|(count, half)| count * half).sum();
    assert_eq!(halves, 2 * tally.games.wins + tally.games.draws, "pair scores and game scores agree");
}

#[test]
fn stopping_early_keeps_whole_pairs() {
    let (rows, tally) = play("tictactoe", 1_000, 4, 10);
    assert_eq!(rows.len(), 10);
    assert_eq!(tally.games.total(), 20);
    let (all, _) = play("tictactoe", 10, 1, 0);
    assert_eq!(rows, all, "the first pairs are the same as in a shorter match");
}

#[test]
fn a_misspelt_agent_is_refused_before_anything_is_played() {
    let game = parlor_catalog::open("tictactoe").unwrap();
    let plan = PairMatch {
        game: &*game,
        agents: ["random", "radnom"],
        from: 0,
        pairs: 1,
        seed: 0,
        threads: 1,
        terms: Terms::default(),
    };
    let error = plan.run(&Cancel::new(), |_| panic!("nothing may be played")).unwrap_err();
    assert!(error.to_string().contains("did you mean `random`?"), "{error}");
}
