//! Small games whose equilibria are known, and slower ways to the same numbers.

mod asked;
mod kept;
mod kuhn;
mod slow;

use parlor_core::{Cancel, InformationSets, Progress};

use super::regret::{Regrets, Rule, best_response};
use super::sequence_form::{Detail, Most, Written, write_out};
use super::solve::{Aim, solve};
use kuhn::{Kuhn, Pennies};

const MOST: Most = Most { deals: 10_000, ends: 1_000_000 };

fn patiently<T>(work: impl FnOnce(&mut Progress<'_>) -> T) -> T {
    work(&mut Progress { cancel: &Cancel::new(), report: &mut |_| {} })
}

fn written<G: InformationSets>(game: &G, detail: Detail) -> Written<G::Action> {
    patiently(|progress| write_out(game, detail, MOST, progress)).unwrap()
}

fn aim(precision: f64) -> Aim {
    Aim { precision, ..Aim::default() }
}

#[test]
fn kuhn_is_worth_minus_an_eighteenth() {
    let solved = patiently(|progress| solve(&Kuhn, &aim(1e-7), progress)).unwrap();
    assert_eq!(solved.form.sets(), 12);
    assert!(solved.bounds.exploitability() <= 1e-7);
    for value in [solved.bounds.low, solved.bounds.high, solved.bounds.value] {
        assert!((value + 1.0 / 18.0).abs() < 1e-6, "{:?}", solved.bounds);
    }
}

#[test]
fn pennies_are_level_and_mixed() {
    let solved = patiently(|progress| solve(&Pennies, &aim(1e-9), progress)).unwrap();
    assert_eq!(solved.plans.each_ref().map(Vec::len), [3, 3]);
    for weight in solved.plans.iter().flat_map(|plan| &plan[1..]) {
        assert!((weight - 0.5).abs() < 1e-6);
    }
    assert!(solved.bounds.value.abs() < 1e-9);
}

#[test]
fn best_responses_are_the_best_of_all_plans() {
    let form = written(&Kuhn, Detail::Essential).form;
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
fn plain_regrets_on_histories_come_to_the_same() {
    let solved = patiently(|progress| solve(&Kuhn, &aim(1e-6), progress)).unwrap();
    let value = slow::plain_regret_minimisation(&Kuhn, 10_000);
    assert!((value - solved.bounds.value).abs() < 2e-3, "{value} and {:?}", solved.bounds);
}
