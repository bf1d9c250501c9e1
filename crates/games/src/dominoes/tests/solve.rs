//! Numbers of deals and values of open hands: against vectors, a plain search, and the figures of the source.

use parlor_core::{Cancel, Progress, Resources, Solver, Unsolved};

use super::super::solve::OpenHands;
use super::vectors::{VALUES, value_with_open_hands};
use super::*;

fn without_progress<T>(work: impl FnOnce(&mut Progress<'_>) -> T) -> T {
    work(&mut Progress { cancel: &Cancel::new(), report: &mut |_| {} })
}

fn solver(threads: usize) -> OpenHands {
    OpenHands::new(&Resources { threads, memory_mb: 64 })
}

#[test]
fn deals_are_those_of_equation_two() {
    // Rows of Table 1 with its errors corrected, and the largest set.
    for (text, deals) in [
        ("set=2, hand=2", 90),
        ("set=3, hand=3", 4_200),
        ("set=4, hand=5", 756_756),
        ("set=5, hand=7", 399_072_960),
        ("set=6, hand=7", 137_680_171_200),
        ("set=9, hand=18", 2_546_267_632_195_745_700_742_500),
        ("set=2, hand=3", 20),
    ] {
        let game = open(&format!("dominoes(rules=myers, {text})"));
        if deals < 10_000 {
            assert_eq!(game.all_deals().count() as u128, deals, "{text}");
        }
        assert_eq!(game.deals(), deals, "{text}");
    }
}

#[test]
fn every_deal_comes_once() {
    let game = open("dominoes(rules=myers, set=2, hand=2)");
    let mut texts: Vec<String> = game.all_deals().map(|state| game.write_deal(&state).unwrap()).collect();
    assert_eq!(texts[0], "00 01 | 02 11 | 12 22");
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), 90);
}

#[test]
fn every_deal_of_double_three_in_one_call() {
    let game = open("dominoes(rules=myers)");
    let each = without_progress(|progress| solver(2).each_deal(&game, progress)).unwrap();
    assert_eq!(each.len(), 4_200);
    let alone = without_progress(|progress| solver(1).each_deal(&game, progress)).unwrap();
    assert_eq!(each, alone, "threads make no difference");
    for found in each.iter().step_by(37) {
        let state = deal(&game, &found.deal);
        let value = value_with_open_hands(&game, &state);
        let value = if state.leader() == Some(Seat::FIRST) { value } else { -value };
        assert!((found.value - value).abs() < 1e-9, "{found:?}");
    }
    // Seats do not matter: the same deal with the hands swapped has the same value for its leader.
    let swapped = |text: &str| {
        let parts: Vec<&str> = text.split(" | ").collect();
        format!("{} | {} | {}", parts[1], parts[0], parts[2])
    };
    let of = |text: &str| each.iter().find(|found| found.deal == text).unwrap();
    for found in each.iter().step_by(101) {
        let other = of(&swapped(&found.deal));
        assert_eq!((other.value, other.leader), (found.value, found.leader.other()), "{}", found.deal);
    }
    let mean = each.iter().map(|found| found.value).sum::<f64>() / 4_200.0;
    let exact = without_progress(|progress| solver(2).solve(&game, &Position::State(game.start()), progress))
        .unwrap();
    assert_eq!((exact.value, exact.best), (mean, Vec::new()));
}

#[test]
fn deals_of_the_vectors() {
    let game = open("dominoes(rules=myers, lead=free)");
    let mut solver = solver(1);
    for row in VALUES.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let position = Position::State(deal(&game, &cells[..3].join(" | ")));
        let exact = without_progress(|progress| solver.solve(&game, &position, progress)).unwrap();
        assert!((exact.value - cells[5].parse::<f64>().unwrap()).abs() < 1e-8, "{row}");
        let values = without_progress(|progress| solver.values(&game, &position, progress)).unwrap();
        let Position::State(state) = &position else { unreachable!() };
        assert_eq!(values.len(), game.actions(state).len());
        for (action, value) in values {
            assert!(value <= exact.value + 1e-9);
            assert_eq!(exact.best.contains(&action), value > exact.value - 1e-9);
        }
    }
}

#[test]
fn values_are_for_the_seat_to_move() {
    let game = open("dominoes(rules=myers, lead=free)");
    let mut solver = solver(1);
    let mut rng = Rng::new(5);
    for number in 0..40 {
        let mut state = game.all_deals().nth(number * 101).unwrap();
        loop {
            match game.phase(&state) {
                Phase::Over => break,
                Phase::Chance => {
                    let action = game.sample(&state, &mut rng);
                    game.apply(&mut state, action);
                }
                Phase::Decide(seat) => {
                    let exact = without_progress(|progress| {
                        solver.solve(&game, &Position::State(state.clone()), progress)
                    })
                    .unwrap();
                    let value =
                        value_with_open_hands(&game, &state) * if seat == Seat::FIRST { 1.0 } else { -1.0 };
                    assert!((exact.value - value).abs() < 1e-9, "{:?}", state.log);
                    let action = game.pick(&state, &mut rng);
                    game.apply(&mut state, action);
                }
            }
        }
        let payoff = game.payoffs(&state).of(Seat::FIRST);
        let over =
            without_progress(|progress| solver.solve(&game, &Position::State(state), progress)).unwrap();
        assert!((over.value.abs() - payoff.abs()).abs() < 1e-9 && over.best.is_empty(), "{over:?}, {payoff}");
    }
}

#[test]
fn stages_out_of_reach_are_refused() {
    let start = |text: &str| {
        let game = open(text);
        let position = Position::State(game.start());
        without_progress(|progress| solver(1).solve(&game, &position, progress)).unwrap_err().to_string()
    };
    assert!(start("dominoes").contains("target=none"));
    assert!(start("dominoes(target=none)").starts_with("137680171200 deals are too many"));
    let stop = Cancel::cancelled();
    let game = open("dominoes(rules=myers)");
    let stopped = solver(2).each_deal(&game, &mut Progress { cancel: &stop, report: &mut |_| {} });
    assert_eq!(stopped, Err(Unsolved::Cancelled));
}
