//! Leduc poker: equilibria, bounds and exploitability against what other programs found.

use std::sync::Arc;

use parlor_agents::Random;
use parlor_agents::equilibrium::exploit::{Asking, Exploited, Subject, exploit};
use parlor_agents::equilibrium::nash::Nash;
use parlor_agents::equilibrium::regret::{Regrets, Rule};
use parlor_agents::equilibrium::sequence_form::{Detail, Most, Written, write_out};
use parlor_agents::equilibrium::solve::{Aim, bounds, solve};
use parlor_agents::equilibrium::strategy::Strategy;
use parlor_core::{Cancel, Policy, Progress, Unsolved};
use parlor_games::leduc::{Leduc, Move};

const MOST: Most = Most { deals: 10_000, ends: 1_000_000 };

fn patiently<T>(work: impl FnOnce(&mut Progress<'_>) -> T) -> T {
    work(&mut Progress { cancel: &Cancel::new(), report: &mut |_| {} })
}

fn written(detail: Detail) -> Written<Move> {
    patiently(|progress| write_out(&Leduc, detail, MOST, progress)).unwrap()
}

fn aim(precision: f64) -> Aim {
    Aim { precision, ..Aim::default() }
}

fn asking(samples: u32, threads: usize) -> Asking {
    Asking { samples, detail: Detail::Essential, seed: 7, threads, megabytes: 64 }
}

fn ask(asking: &Asking, build_player: impl Fn() -> Subject<Leduc> + Sync) -> Exploited {
    patiently(|progress| exploit(&Leduc, &build_player, asking, progress)).unwrap()
}

fn weighed(build_player: impl Fn() -> Box<dyn Policy<Leduc>> + Sync) -> Exploited {
    ask(&asking(1, 2), || Subject::Weighs(build_player()))
}

#[test]
fn leduc_is_worth_what_others_found() {
    // Suits told apart there are 936 information sets, as in other programs; otherwise 288.
    assert_eq!(written(Detail::Everything).form.sets(), 936);
    let solved = patiently(|progress| solve(&Leduc, &aim(1e-5), progress)).unwrap();
    assert_eq!(solved.form.sets(), 288);
    assert!((solved.bounds.value + 0.0856).abs() < 5e-5, "{:?}", solved.bounds);
    assert!(solved.bounds.low <= solved.bounds.value && solved.bounds.value <= solved.bounds.high);
}

#[test]
fn suits_make_no_difference() {
    let value = |detail| {
        let form = written(detail).form;
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
fn threads_make_no_difference() {
    let form = written(Detail::Everything).form;
    let plans = |threads| {
        let mut regrets = Regrets::new(&form, Rule::Predictive);
        (0..20).for_each(|_| regrets.round(&form, threads));
        let mut plan = Vec::new();
        regrets.average(1, &mut plan);
        plan.iter().map(|weight| weight.to_bits()).collect::<Vec<_>>()
    };
    assert_eq!(plans(1), plans(3), "to the last bit");
}

#[test]
fn what_is_stopped_has_honest_bounds() {
    let stop = Cancel::new();
    let mut tell = |progress: &parlor_core::ProgressUpdate| {
        if progress.doing.starts_with("round") {
            stop.cancel();
        }
    };
    let solved = solve(&Leduc, &aim(0.0), &mut Progress { cancel: &stop, report: &mut tell }).unwrap();
    assert!(solved.stopped && solved.rounds > 1);
    assert!(solved.bounds.low < -0.0856 && solved.bounds.high > -0.0856, "{:?}", solved.bounds);
    assert_eq!(solved.bounds, bounds(&solved.form, &solved.plans));
    let stopped = Cancel::cancelled();
    let progress = &mut Progress { cancel: &stopped, report: &mut |_| {} };
    assert_eq!(solve(&Leduc, &aim(0.0), progress).err(), Some(Unsolved::Cancelled));
}

#[test]
fn a_game_that_is_too_large_is_refused() {
    let small = Most { deals: 4, ends: 1_000_000 };
    let refused = patiently(|progress| write_out(&Leduc, Detail::Essential, small, progress).err());
    let Some(Unsolved::OutOfReach(sentence)) = refused else { panic!("{refused:?}") };
    assert!(sentence.starts_with("the game is too large to be written out: more than 4 deals"), "{sentence}");
}

#[test]
fn uniform_play_loses_what_others_found() {
    // The tests of OpenSpiel have the sum over both players: 4.7472222.
    let leduc = weighed(|| Box::new(Random));
    assert!((leduc.exploitability - 4.747_222_222 / 2.0).abs() < 1e-8, "{leduc:?}");
    let everything = Asking { detail: Detail::Everything, ..asking(1, 1) };
    let all = ask(&everything, || Subject::Weighs(Box::new(Random)));
    assert!((all.exploitability - leduc.exploitability).abs() < 1e-9);
    assert_eq!((leduc.information_sets, all.information_sets), (288, 936));
}

#[test]
fn an_equilibrium_loses_what_its_bounds_say() {
    let solved = patiently(|progress| solve(&Leduc, &aim(1e-3), progress)).unwrap();
    let strategy = Arc::new(Strategy::new("leduc".to_owned(), &solved).unwrap());
    let told = weighed(|| Box::new(Nash::new(Arc::clone(&strategy))));
    assert!((told.exploitability - solved.bounds.exploitability()).abs() < 1e-6, "{told:?}");
    assert!((told.as_first - solved.bounds.low).abs() < 1e-6);
    assert!((told.against_itself - solved.bounds.value).abs() < 1e-6);
    // Asked for actions instead of odds, it looks worse by the noise, and less so the more often it is asked.
    let often = |samples| {
        let strategy = &strategy;
        ask(&asking(samples, 2), || Subject::Acts(Box::new(Nash::new(Arc::clone(strategy)))))
    };
    let (few, many) = (often(4), often(400));
    assert!(!few.exact && few.samples == 4);
    assert!(few.exploitability > many.exploitability && many.exploitability > told.exploitability);
    assert!(many.exploitability < 0.2, "{many:?}");
}

#[test]
fn threads_make_no_difference_to_answers() {
    let asked = |threads| ask(&asking(5, threads), || Subject::Acts(Box::new(Random)));
    assert_eq!(asked(1), asked(3));
}
