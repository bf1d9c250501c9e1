//! Dominoes with hidden hands: solved, played by `nash`, and everyone measured against it.

use std::path::PathBuf;

use parlor_catalog::Ability;
use parlor_catalog::equilibria::exploit::{ExploitParams, Exploited, Subject, exploit};
use parlor_catalog::equilibria::nash;
use parlor_catalog::equilibria::regret::{Regrets, Rule};
use parlor_catalog::equilibria::respond::{RespondParams, Response};
use parlor_catalog::equilibria::sequence_form::{Detail, SizeLimits, expand};
use parlor_catalog::equilibria::solve::{SolveParams, ValueBounds, bounds, solve};
use parlor_catalog::equilibria::{AnyEquilibrium, EquilibriumResult};
use parlor_core::api::{BuildContext, MatchSetup};
use parlor_core::files::saved::SavedEnding;
use parlor_core::text::spec::FileProblem;
use parlor_core::{
    Cancel, Decision, Entry, Game, InformationSets, Phase, Policy, Progress, Resources, Rng, Settings, Spec,
    SpecError, Unsolved,
};
use parlor_games::dominoes::Dominoes;
use parlor_games::dominoes::players::{Expert, Scoring};
use parlor_testkit::equal_views_equal_answers;

const DOUBLE_TWO: &str = "dominoes(rules=myers, set=2, hand=2)";
const FREE: &str = "dominoes(rules=myers, set=2, hand=2, lead=free)";

fn patiently<T>(work: impl FnOnce(&mut Progress<'_>) -> T) -> T {
    work(&mut Progress { cancel: &Cancel::new(), report: &mut |_| {} })
}

fn open(spec: &str) -> Dominoes {
    let spec = Spec::parse(spec).unwrap();
    Dominoes::open(&Settings::read(&spec, Dominoes::KEYS).unwrap()).unwrap()
}

fn solved(spec: &str, precision: f64) -> EquilibriumResult {
    let params = SolveParams {
        precision,
        resources: Resources { threads: 2, memory_mb: 4096 },
        ..SolveParams::default()
    };
    let game = parlor_catalog::open(spec).unwrap();
    patiently(|progress| game.equilibrium().unwrap().solve(&params, progress)).unwrap()
}

fn params(samples: u32, detail: Detail) -> ExploitParams {
    ExploitParams { samples, detail, seed: 1, resources: Resources { threads: 2, memory_mb: 256 } }
}

fn exploited(equilibrium: &dyn AnyEquilibrium, agent: &str, params: &ExploitParams) -> Exploited {
    patiently(|progress| equilibrium.exploit(agent, params, progress)).unwrap().1.unwrap()
}

/// A place for a file that is gone when the test is over.
struct Scrap(PathBuf);

impl Scrap {
    fn new(name: &str) -> Scrap {
        Scrap(std::env::temp_dir().join(format!("parlor-{name}-{}", std::process::id())))
    }

    fn nash(&self) -> String {
        format!("nash(file={})", self.0.display())
    }
}

impl Drop for Scrap {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn double_two_to_six_places() {
    // The first seat has nothing to choose where the highest double must be led: its lead is forced, and then one tile is left.
    let forced = solved(DOUBLE_TWO, 1e-9).strategy.about;
    assert!((forced.value + 1.0 / 3.0).abs() < 1e-9 && forced.exploitability < 1e-9, "{forced:?}");
    let free = solved(FREE, 1e-7).strategy.about;
    assert!((free.value - 19.0 / 9.0).abs() < 1e-6 && free.exploitability <= 1e-7, "{free:?}");
}

#[test]
fn double_three_to_three_places() {
    let answer = solved("dominoes(rules=myers)", 1e-3);
    let about = &answer.strategy.about;
    assert!(about.exploitability <= 1e-3 && about.low <= 0.632_3 && about.high >= 0.632_3, "{about:?}");
    assert_eq!((answer.information_sets, answer.strategy.len()), (44_773, 44_773));
    assert!(answer.best.is_empty(), "chance acts first");
}

/// Solves with every view an information set of its own: no mirror images, each seat by itself.
fn everything(game: &Dominoes, rounds: u32) -> ValueBounds {
    let most = SizeLimits { deals: 10_000, ends: 10_000_000 };
    let form = patiently(|progress| expand(game, Detail::Everything, most, progress)).unwrap().form;
    let mut regrets = Regrets::new(&form, Rule::Plus);
    (0..rounds).for_each(|_| regrets.round(&form, 2));
    let mut plans = [Vec::new(), Vec::new()];
    (0..2).for_each(|role| regrets.average(role, &mut plans[role]));
    bounds(&form, &plans)
}

#[test]
fn mirror_images_make_no_difference() {
    for rules in [
        "set=2, hand=2, lead=free",
        "set=2, hand=2, lead=free, arms=immediate, draw=one-then-play",
        "set=2, hand=2, lead=free, spinner=none, draw=one-ends-turn, blocked=each",
        "set=2, hand=2, lead=free, spinner=first-tile, reserve=1, blocked=difference",
        "set=2, hand=3, lead=free",
    ] {
        let game = open(&format!("dominoes(rules=myers, {rules})"));
        let params = SolveParams { precision: 1e-5, ..SolveParams::default() };
        let essential = patiently(|progress| solve(&game, &params, progress)).unwrap().bounds;
        let all = everything(&game, 300);
        assert!(all.exploitability() < 1e-2, "{rules}: {all:?}");
        assert!(essential.low <= all.high && all.low <= essential.high, "{rules}: {essential:?} and {all:?}");
        assert!((essential.value - all.value).abs() < 1e-3, "{rules}: {essential:?} and {all:?}");
    }
}

#[test]
fn nash_plays_its_file_and_never_peeks() {
    let scrap = Scrap::new("nash");
    solved(FREE, 1e-6).strategy.write(&scrap.0).unwrap();
    let game = open(FREE);
    let spec = Spec::parse(&scrap.nash()).unwrap();
    let settings = Settings::read(&spec, nash::KEYS).unwrap();
    let build = || nash::build(&BuildContext::new(&game, &settings, &[])).unwrap();
    assert!(equal_views_equal_answers(&game, 200, build) > 100);

    let any = parlor_catalog::open(FREE).unwrap();
    let equilibrium = any.equilibrium().unwrap();
    let exact = exploited(equilibrium, &scrap.nash(), &params(1, Detail::Essential));
    assert!(exact.exact && exact.exploitability < 2e-6, "{exact:?}");
    // In mirror images, and in either seat, it plays the same.
    let full = exploited(equilibrium, &scrap.nash(), &params(1, Detail::Everything));
    assert!(full.exploitability < 2e-6, "{full:?}");

    let mut team = any.team(&[&scrap.nash(), "random"]).unwrap();
    let lead: f64 = (0..4_000)
        .map(|deal| {
            let seating = [[0, 1], [1, 0]][deal % 2];
            let saved = team.play(&MatchSetup::new(&seating, deal as u64 / 2, deal as u64)).unwrap();
            assert_eq!(saved.ending, SavedEnding::Finished);
            saved.payoffs.unwrap()[deal % 2]
        })
        .sum();
    assert!(lead > 0.0, "{lead} points against random play");
}

fn responded(spec: &str, agent: &str, weight: f64, detail: Detail) -> Response {
    let game = parlor_catalog::open(spec).unwrap();
    let queries = params(8, detail);
    let params = RespondParams { weight, precision: 1e-4, rounds: 100_000, queries };
    let equilibrium = game.equilibrium().unwrap();
    patiently(|progress| equilibrium.respond(agent, &params, progress)).unwrap().1.unwrap()
}

#[test]
fn responses_lead_from_the_equilibrium_to_the_best_response() {
    let any = parlor_catalog::open(FREE).unwrap();
    let equilibrium = any.equilibrium().unwrap();
    for detail in [Detail::Essential, Detail::Everything] {
        for agent in ["random", "scoring", "expectimax"] {
            let most = exploited(equilibrium, agent, &params(8, detail)).exploitability;
            let all: Vec<Response> =
                [0.0, 0.5, 0.9, 1.0].iter().map(|&weight| responded(FREE, agent, weight, detail)).collect();
            for [less, more] in all.array_windows() {
                assert!(more.gain > less.gain - 1e-3, "{agent}: {} and {}", less.gain, more.gain);
                let risks = [less.exploitability, more.exploitability];
                assert!(risks[1] > risks[0] - 1e-3, "{agent}: {risks:?}");
            }
            let (safe, greedy) = (&all[0], &all[3]);
            assert!(safe.exploitability <= 1e-4 && safe.gain > -1e-4, "{agent}: {}", safe.gain);
            assert!((greedy.gain - most).abs() < 1e-9, "{agent}: {} of {most}", greedy.gain);
            assert!(all.iter().all(|found| (found.ceiling - most).abs() < 1e-9 && found.exact));
        }
    }
}

#[test]
fn responses_are_seated_and_play_what_was_computed() {
    let any = parlor_catalog::open(FREE).unwrap();
    let equilibrium = any.equilibrium().unwrap();
    for detail in [Detail::Essential, Detail::Everything] {
        let scrap = Scrap::new(&format!("response-{detail:?}"));
        let found = responded(FREE, "scoring", 0.8, detail);
        found.strategy.write(&scrap.0).unwrap();
        let again = exploited(equilibrium, &scrap.nash(), &params(1, Detail::Everything));
        assert!((again.exploitability - found.exploitability).abs() < 1e-5, "{detail:?}: {again:?}");
        // Whoever responds to the file with all weight meets exactly the strategy that was written.
        let counter = responded(FREE, &scrap.nash(), 1.0, detail);
        assert!((counter.gain - found.exploitability).abs() < 1e-5, "{detail:?}: {}", counter.gain);
    }
    // What it wins in play is what was computed.
    let scrap = Scrap::new("response-played");
    let found = responded(FREE, "scoring", 1.0, Detail::Everything);
    found.strategy.write(&scrap.0).unwrap();
    let mut team = any.team(&[&scrap.nash(), "scoring"]).unwrap();
    let games = 20_000;
    let margins: Vec<f64> = (0..games)
        .map(|deal| {
            let seating = [[0, 1], [1, 0]][deal % 2];
            let saved = team.play(&MatchSetup::new(&seating, deal as u64 / 2, deal as u64)).unwrap();
            saved.payoffs.unwrap()[deal % 2]
        })
        .collect();
    let mean = margins.iter().sum::<f64>() / games as f64;
    let variance = margins.iter().map(|margin| (margin - mean) * (margin - mean)).sum::<f64>() / games as f64;
    let error = (variance / games as f64).sqrt();
    assert!((mean - found.gain).abs() < 4.0 * error, "{mean} ± {error} played, {} computed", found.gain);
}

/// Which of several places that are alike a tile goes to must tell nothing, above all not whether there was a choice.
#[test]
fn nash_takes_the_first_of_what_is_alike() {
    let scrap = Scrap::new("alike");
    solved(FREE, 1e-3).strategy.write(&scrap.0).unwrap();
    let game = open(FREE);
    let settings = Settings::read(&Spec::parse(&scrap.nash()).unwrap(), nash::KEYS).unwrap();
    let mut player = nash::Nash::read(&game, &settings).unwrap();
    let (mut alike, mut rng, mut weights) = (0, Rng::new(3), Vec::new());
    for _ in 0..2_000 {
        let mut state = game.start();
        while game.phase(&state) != Phase::Over {
            let Phase::Decide(seat) = game.phase(&state) else {
                let outcome = game.sample(&state, &mut rng);
                game.apply(&mut state, outcome);
                continue;
            };
            let view = game.view(&state, seat);
            let actions: Vec<_> = game.actions(&state).collect();
            player.weigh(&Decision::new(&game, seat, &view, &actions), &mut weights);
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            for (at, &action) in actions.iter().enumerate() {
                let label = game.label(&view, action);
                if actions[..at].iter().any(|&earlier| game.label(&view, earlier) == label) {
                    assert_eq!(weights[at], 0.0, "{action:?} of {actions:?}");
                    alike += 1;
                }
            }
            game.apply(&mut state, *rng.choose(&actions));
        }
    }
    assert!(alike > 500, "{alike}");
}

#[test]
fn nash_solves_a_small_game_itself() {
    let any = parlor_catalog::open(FREE).unwrap();
    assert!(any.agent_spec("nash(file=solved)").unwrap().starts_with("nash(file=solved"));
    let found = exploited(any.equilibrium().unwrap(), "nash(file=solved)", &params(1, Detail::Everything));
    assert!(found.exact && found.exploitability < 2e-5, "{found:?}");
    // Nothing on the disk is named, and as a model it needs no file either.
    assert_eq!(any.survey("mstar(model=nash(file=solved))").unwrap().outside, []);
    any.agent_spec("mstar(model=mix(types=scoring+nash(file=solved)))").unwrap();
    for (large, reason) in [("dominoes", "target=none"), ("dominoes(target=none)", "too large")] {
        let error =
            parlor_catalog::open(large).unwrap().agent_spec("nash(file=solved)").unwrap_err().to_string();
        assert!(error.contains("a strategy file") && error.contains(reason), "{error}");
    }
}

#[test]
fn nash_refuses_what_it_cannot_play() {
    let scrap = Scrap::new("refused");
    let strategy = solved(FREE, 1e-3).strategy;
    strategy.write(&scrap.0).unwrap();
    let game = parlor_catalog::open(DOUBLE_TWO).unwrap();
    let none = game.agent_spec("nash").unwrap_err();
    assert!(matches!(none, SpecError::Missing { key: "file", .. }), "{none}");
    let problem = |spec: &str| match game.agent_spec(spec).unwrap_err() {
        SpecError::File { key: "file", problem, .. } => problem,
        other => panic!("{other}"),
    };
    assert_eq!(problem("nash(file=no/such/file)"), FileProblem::Missing);
    assert_eq!(problem(&scrap.nash()), FileProblem::Elsewhere);
    std::fs::write(&scrap.0, &strategy.to_bytes()[..1_000]).unwrap();
    assert_eq!(problem(&scrap.nash()), FileProblem::Damaged);
    std::fs::write(&scrap.0, "something else").unwrap();
    assert_eq!(problem(&scrap.nash()), FileProblem::Foreign);
}

#[test]
fn everyone_loses_to_their_best_response() {
    let any = parlor_catalog::open(FREE).unwrap();
    let equilibrium = any.equilibrium().unwrap();
    let asked = |agent: &str, samples| exploited(equilibrium, agent, &params(samples, Detail::Essential));
    let value = 19.0 / 9.0;
    for agent in ["random", "scoring", "defense", "expert", "random-tile"] {
        let found = asked(agent, 1);
        assert!(found.exact && found.exploitability > 1e-6, "{agent}: {found:?}");
        assert!(found.as_first <= value + 1e-9 && found.as_second <= -value + 1e-9, "{agent}: {found:?}");
    }
    let [expectimax, pimc, mstar] = ["expectimax", "pimc", "mstar"].map(|agent| asked(agent, 2));
    assert!(expectimax.exploitability < asked("random", 1).exploitability);
    for found in [expectimax, pimc, mstar] {
        assert!(found.exploitability >= -1e-12 && found.as_first <= value + 1e-9, "{found:?}");
    }
    let sampled = asked("ismcts(sims=20)", 3);
    assert!(!sampled.exact && sampled.samples == 3);
}

#[test]
fn what_is_told_and_what_is_asked_agree() {
    let game = open(FREE);
    let find = |build_player: &(dyn Fn() -> Subject<Dominoes> + Sync), samples| {
        patiently(|progress| exploit(&game, build_player, &params(samples, Detail::Everything), progress))
            .unwrap()
    };
    let told = find(&|| Subject::Weighs(Box::new(Scoring::default())), 1);
    let asked = find(&|| Subject::Acts(Box::new(Scoring::default())), 2);
    assert_eq!((told.exploitability, told.exact), (asked.exploitability, asked.exact));
    assert_eq!(told.as_first, asked.as_first);
    // The expert remembers what it has seen: it is told the course of each stage before it is asked.
    let told = find(&|| Subject::Weighs(Box::new(Expert::default())), 1);
    let asked = find(&|| Subject::Acts(Box::new(Expert::default())), 2);
    assert_eq!(told.exploitability, asked.exploitability);
}

#[test]
fn what_is_out_of_reach_is_said() {
    let says = |spec: &str| {
        let game = parlor_catalog::open(spec).unwrap();
        let equilibrium = game.equilibrium().unwrap();
        let params =
            SolveParams { resources: Resources { threads: 1, memory_mb: 64 }, ..SolveParams::default() };
        match patiently(|progress| equilibrium.solve(&params, progress)) {
            Err(Unsolved::OutOfReach(sentence)) => sentence,
            _ => panic!("{spec} is small"),
        }
    };
    assert!(says("dominoes").contains("target=none"));
    assert!(says("dominoes(target=none)").contains("too large to solve"));
    let connect = parlor_catalog::open("connect").unwrap();
    let missing = connect.equilibrium().err().unwrap();
    assert_eq!((missing.ability, missing.available), (Ability::Equilibrium, vec!["dominoes"]));
    assert!(parlor_catalog::open("minesweeper").unwrap().deals().is_err());
    let dominoes = parlor_catalog::open("dominoes(set=5)").unwrap();
    assert_eq!(dominoes.deals().unwrap().count().deals, 399_072_960);
}
