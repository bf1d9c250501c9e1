//! Small games with known equilibria, and slow but simple algorithms to compare with.

mod exploitability;
mod files;
mod kuhn;
mod responses;
mod slow;

use parlor_core::{Cancel, InformationSets, Progress};

use super::regret::{Regrets, Rule, best_response};
use super::sequence_form::{Detail, ExpandedGame, SizeLimits, expand};
use super::solve::{SolveParams, solve};
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
