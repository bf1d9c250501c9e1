//! Players that are asked about everything.

use parlor_core::{Agent, Context, Decision, Fault, Forfeit, Game, Policy};

use super::*;
use crate::Random;
use crate::equilibrium::exploit::{Asking, Exploited, NotExploited, Subject, exploit};

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
    // The tests of OpenSpiel have the sum over both players: 11/12.
    let kuhn = weighed(&Kuhn, || Box::new(Random));
    assert!((kuhn.exploitability - 11.0 / 24.0).abs() < 1e-12 && kuhn.exact, "{kuhn:?}");
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
