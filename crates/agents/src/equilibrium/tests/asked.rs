//! Players that are asked about everything.

use std::sync::Arc;

use parlor_core::{Agent, Context, Decision, Fault, Forfeit, Game, Policy};

use super::*;
use crate::Random;
use crate::equilibrium::exploit::{Asking, Exploited, NotExploited, Subject, exploit};
use crate::equilibrium::nash::Nash;
use crate::equilibrium::strategy::Strategy;

fn asking(samples: u32, threads: usize) -> Asking {
    Asking { samples, detail: Detail::Essential, seed: 7, threads, megabytes: 64 }
}

fn ask<G: InformationSets>(
    game: &G,
    asking: &Asking,
    build_player: impl Fn() -> Subject<G> + Sync,
) -> Exploited {
    patiently(|patience| exploit(game, &build_player, asking, patience)).unwrap()
}

fn weighed<G: InformationSets>(game: &G, build_player: impl Fn() -> Box<dyn Policy<G>> + Sync) -> Exploited {
    ask(game, &asking(1, 2), || Subject::Weighs(build_player()))
}

/// Takes the last action, or the first.
struct Steady(bool);

impl<G: Game> Agent<G> for Steady {
    fn act(&mut self, decision: &Decision<'_, G>, _: &mut Context<'_, G>) -> G::Action {
        if self.0 { decision.actions[decision.actions.len() - 1] } else { decision.actions[0] }
    }
}

#[test]
fn uniform_play_loses_what_others_found() {
    // The tests of OpenSpiel have the sum over both players: 11/12 for Kuhn poker, 4.7472222 for Leduc poker.
    let kuhn = weighed(&Kuhn, || Box::new(Random));
    assert!((kuhn.exploitability - 11.0 / 24.0).abs() < 1e-12 && kuhn.exact, "{kuhn:?}");
    let leduc = weighed(&Leduc, || Box::new(Random));
    assert!((leduc.exploitability - 4.747_222_222 / 2.0).abs() < 1e-8, "{leduc:?}");
    let everything = Asking { detail: Detail::Everything, ..asking(1, 1) };
    let all = ask(&Leduc, &everything, || Subject::Weighs(Box::new(Random)));
    assert!((all.exploitability - leduc.exploitability).abs() < 1e-9);
    assert_eq!((leduc.information_sets, all.information_sets), (288, 936));
}

#[test]
fn an_equilibrium_loses_what_its_bounds_say() {
    let solved = patiently(|patience| solve(&Leduc, &aim(1e-3), patience)).unwrap();
    let strategy = Arc::new(Strategy::new("leduc".to_owned(), &solved).unwrap());
    let told = weighed(&Leduc, || Box::new(Nash::new(Arc::clone(&strategy))));
    assert!((told.exploitability - solved.bounds.exploitability()).abs() < 1e-6, "{told:?}");
    assert!((told.as_first - solved.bounds.low).abs() < 1e-6);
    assert!((told.against_itself - solved.bounds.value).abs() < 1e-6);
    // Asked for actions instead of odds, it looks worse by the noise, and less so the more often it is asked.
    let often = |samples| {
        let strategy = &strategy;
        ask(&Leduc, &asking(samples, 2), || Subject::Acts(Box::new(Nash::new(Arc::clone(strategy)))))
    };
    let (few, many) = (often(4), often(400));
    assert!(!few.exact && few.samples == 4);
    assert!(few.exploitability > many.exploitability && many.exploitability > told.exploitability);
    assert!(many.exploitability < 0.2, "{many:?}");
}

#[test]
fn answers_that_never_differ_are_asked_for_once() {
    let steady = |last| ask(&Kuhn, &asking(8, 2), || Subject::Acts(Box::new(Steady(last))));
    let (passive, wild) = (steady(false), steady(true));
    assert!(passive.exact && passive.samples == 1 && wild.exact);
    // Whoever checks and folds loses its ante at most: 1 as the second, and as the first.
    assert!((passive.as_second + 1.0).abs() < 1e-12 && (passive.as_first + 1.0).abs() < 1e-12, "{passive:?}");
    assert!(wild.exploitability > 0.0 && wild.exploitability <= 2.0);
    let alone = ask(&Kuhn, &asking(1, 1), || Subject::Acts(Box::new(Random)));
    assert!(!alone.exact, "asked once, nobody knows");
}

#[test]
fn threads_make_no_difference_to_answers() {
    let asked = |threads| ask(&Leduc, &asking(5, threads), || Subject::Acts(Box::new(Random)));
    assert_eq!(asked(1), asked(3));
}

/// Answers with something that is not offered.
struct Cheat;

impl Agent<Kuhn> for Cheat {
    fn act(&mut self, _: &Decision<'_, Kuhn>, _: &mut Context<'_, Kuhn>) -> char {
        'x'
    }
}

#[test]
fn whoever_cheats_forfeits() {
    let build_player: &(dyn Fn() -> Subject<Kuhn> + Sync) = &|| Subject::Acts(Box::new(Cheat));
    let found = patiently(|patience| exploit(&Kuhn, build_player, &asking(2, 2), patience));
    assert!(matches!(found, Err(NotExploited::Forfeit(Forfeit { why: Fault::Illegal(_), .. }))), "{found:?}");
}
