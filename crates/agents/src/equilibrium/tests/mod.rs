//! Small games with known equilibria, and slow but simple algorithms to compare with.

mod exploitability;
mod files;
mod kuhn;
mod slow;

use parlor_core::{Cancel, InformationSets, Progress, Unsolved};

use super::leduc::Leduc;
use super::regret::{Regrets, Rule, best_response};
use super::sequence_form::{Detail, ExpandedGame, SizeLimits, expand};
use super::solve::{SolveParams, bounds, solve};
use kuhn::{Kuhn, Pennies};

const MOST: SizeLimits = SizeLimits { deals: 10_000, ends: 1_000_000 };

fn with_progress<T>(work: impl FnOnce(&mut Progress<'_>) -> T) -> T {
    work(&mut Progress { cancel: &Cancel::new(), report: &mut |_| {} })
}

fn expanded<G: InformationSets>(game: &G, detail: Detail) -> ExpandedGame<G::Action> {
    with_progress(|progress| expand(game, detail, MOST, progress)).unwrap()
}

fn solve_params(precision: f64) -> SolveParams {
    SolveParams { precision, ..SolveParams::default() }
}

#[test]
fn kuhn_is_worth_minus_an_eighteenth() {
    let solved = with_progress(|progress| solve(&Kuhn, &solve_params(1e-7), progress)).unwrap();
    assert_eq!(solved.form.sets(), 12);
    assert!(solved.bounds.exploitability() <= 1e-7);
    for value in [solved.bounds.low, solved.bounds.high, solved.bounds.value] {
        assert!((value + 1.0 / 18.0).abs() < 1e-6, "{:?}", solved.bounds);
    }
}

#[test]
fn pennies_are_even_and_mixed() {
    let solved = with_progress(|progress| solve(&Pennies, &solve_params(1e-9), progress)).unwrap();
    assert_eq!(solved.plans.each_ref().map(Vec::len), [3, 3]);
    for weight in solved.plans.iter().flat_map(|plan| &plan[1..]) {
        assert!((weight - 0.5).abs() < 1e-6);
    }
    assert!(solved.bounds.value.abs() < 1e-9);
}

#[test]
fn leduc_has_the_published_value() {
    // 936 information sets if suits are distinguished, as in other programs; otherwise 288.
    assert_eq!(expanded(&Leduc, Detail::Everything).form.sets(), 936);
    let solved = with_progress(|progress| solve(&Leduc, &solve_params(1e-5), progress)).unwrap();
    assert_eq!(solved.form.sets(), 288);
    assert!((solved.bounds.value + 0.0856).abs() < 5e-5, "{:?}", solved.bounds);
    assert!(solved.bounds.low <= solved.bounds.value && solved.bounds.value <= solved.bounds.high);
}

#[test]
fn suits_do_not_change_the_value() {
    let value = |detail| {
        let form = expanded(&Leduc, detail).form;
        let mut regrets = Regrets::new(&form, Rule::Predictive);
        (0..400).for_each(|_| regrets.round(&form, 1));
        let mut plans = [Vec::new(), Vec::new()];
        (0..2).for_each(|role| regrets.average(role, &mut plans[role]));
        bounds(&form, &plans)
    };
    let (essential, everything) = (value(Detail::Essential), value(Detail::Everything));
    assert!((essential.value - everything.value).abs() < 1e-3);
    assert!(essential.low <= everything.high && everything.low <= essential.high);
}

#[test]
fn best_responses_match_enumeration() {
    let form = expanded(&Kuhn, Detail::Essential).form;
    let mut regrets = Regrets::new(&form, Rule::Plus);
    for _ in 0..4 {
        for role in 0..2 {
            let mut other = Vec::new();
            regrets.average(1 - role, &mut other);
            let found = best_response(&form.sides[role], &other, &mut Vec::new());
            let best = slow::best_of_all_plans(&form.sides[role], &other);
            assert!((found - best).abs() < 1e-12, "{found} and {best}");
        }
        (0..3).for_each(|_| regrets.round(&form, 1));
    }
}

#[test]
fn plain_cfr_on_histories_finds_the_same_value() {
    let solved = with_progress(|progress| solve(&Kuhn, &solve_params(1e-6), progress)).unwrap();
    let value = slow::plain_regret_minimisation(&Kuhn, 10_000);
    assert!((value - solved.bounds.value).abs() < 2e-3, "{value} and {:?}", solved.bounds);
}

#[test]
fn plans_do_not_depend_on_the_number_of_threads() {
    let form = expanded(&Leduc, Detail::Everything).form;
    let plans = |threads| {
        let mut regrets = Regrets::new(&form, Rule::Predictive);
        (0..20).for_each(|_| regrets.round(&form, threads));
        let mut plan = Vec::new();
        regrets.average(1, &mut plan);
        plan.iter().map(|weight| weight.to_bits()).collect::<Vec<_>>()
    };
    assert_eq!(plans(1), plans(3), "bit by bit");
}

#[test]
fn cancelled_solutions_have_valid_bounds() {
    let stop = Cancel::new();
    let mut tell = |progress: &parlor_core::ProgressUpdate| {
        if progress.doing.starts_with("round") {
            stop.cancel();
        }
    };
    let solved =
        solve(&Leduc, &solve_params(0.0), &mut Progress { cancel: &stop, report: &mut tell }).unwrap();
    assert!(solved.stopped && solved.rounds > 1);
    assert!(solved.bounds.low < -0.0856 && solved.bounds.high > -0.0856, "{:?}", solved.bounds);
    assert_eq!(solved.bounds, bounds(&solved.form, &solved.plans));
    let stopped = Cancel::cancelled();
    let progress = &mut Progress { cancel: &stopped, report: &mut |_| {} };
    assert_eq!(solve(&Leduc, &solve_params(0.0), progress).err(), Some(Unsolved::Cancelled));
}

#[test]
fn a_game_that_is_too_large_is_refused() {
    let small = SizeLimits { deals: 4, ends: 1_000_000 };
    let refused = with_progress(|progress| expand(&Leduc, Detail::Essential, small, progress).err());
    let Some(Unsolved::OutOfReach(sentence)) = refused else { panic!("{refused:?}") };
    assert!(sentence.contains("more than 4 deals"), "{sentence}");
}
