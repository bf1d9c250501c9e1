//! Recognising an opponent at dominoes: posteriors against enumeration, best replies to types that are not certain, and what can be
//! typed.

use std::collections::{HashMap, HashSet};

use parlor_agents::beliefs::{Histories, ModelTrust, OpponentType, WorldSampler};
use parlor_agents::recognise::{Bayes, Memory, Recognition};
use parlor_catalog::roster;
use parlor_core::api::{AnyGame, Hosted};
use parlor_core::{
    Actor, Agent, Context, Deadline, Decision, Game, ListWorlds, Phase, Policy, Rng, Seat, Sight, TypeOdds,
};
use parlor_games::dominoes::{Action, Dominoes, State};

use super::mstar::{agent, deals, last_thought, open, oracle};
use super::recognition_memory::taken_for;

/// How far choices follow a type.
const FOLLOWS: f64 = 0.9;

const TYPES: [(&str, f64); 4] = [("scoring", 0.4), ("defense", 0.3), ("random", 0.1), ("expert", 0.2)];

type Identity = <Dominoes as ListWorlds>::Identity;

pub(crate) fn policy(game: &Dominoes, spec: &str) -> Box<dyn Policy<Dominoes>> {
    Hosted::new(game.clone(), roster::dominoes()).policy(spec).unwrap().unwrap()
}

fn recognition(game: &Dominoes, memory: Memory) -> Recognition<Dominoes> {
    let kinds = TYPES.map(|(name, prior)| OpponentType { policy: policy(game, name), prior });
    let trust = ModelTrust::new(FOLLOWS);
    let sampler = WorldSampler::by_choices(kinds.into(), trust, Histories::All, 1_000);
    let types = TYPES.map(|(name, probability)| TypeOdds { name: name.to_owned(), agent: None, probability });
    Recognition::new(Box::new(Bayes), sampler, types.into(), memory)
}

/// Every course of a match that looks to a seat like what it saw, with its probability under each type.
struct Courses<'a> {
    game: &'a Dominoes,
    policies: Vec<Box<dyn Policy<Dominoes>>>,
    seat: Seat,
    found: Vec<(State, Vec<f64>)>,
}

impl Courses<'_> {
    /// Follows all courses from `state` on that agree with `sights`.
    fn follow(&mut self, state: &State, sights: &[Sight<Action>], odds: &[f64]) {
        let game = self.game;
        let Some((sight, rest)) = sights.split_first() else {
            self.found.push((state.clone(), odds.to_vec()));
            return;
        };
        let step = |courses: &mut Self, action: Action, factors: &[f64]| {
            if game.seen(state, action, courses.seat) == Some(sight.action) {
                let mut next = state.clone();
                game.apply(&mut next, action);
                let odds: Vec<f64> = odds.iter().zip(factors).map(|(odds, factor)| odds * factor).collect();
                courses.follow(&next, rest, &odds);
            }
        };
        match game.phase(state) {
            Phase::Over => {}
            Phase::Chance => {
                for (action, chance) in game.chances(state) {
                    step(self, action, &[chance; TYPES.len()]);
                }
            }
            Phase::Decide(mover) => {
                let actions: Vec<Action> = game.actions(state).collect();
                for (at, &action) in actions.iter().enumerate() {
                    let mut factors = [1.0; TYPES.len()];
                    if mover != self.seat {
                        let view = game.view(state, mover);
                        for (policy, factor) in self.policies.iter_mut().zip(&mut factors) {
                            let mut weights = Vec::new();
                            policy.weigh(&Decision::new(game, mover, &view, &actions), &mut weights);
                            *factor = FOLLOWS * weights[at] + (1.0 - FOLLOWS) / actions.len() as f64;
                        }
                    }
                    step(self, action, &factors);
                }
            }
        }
    }

    /// Returns how likely each type is, and how likely each world, if this was seen and led to `now`; `prior` is from before.
    fn posterior(
        &mut self,
        sights: &[Sight<Action>],
        now: impl Fn(&State) -> bool,
        prior: &[f64],
    ) -> (Vec<f64>, HashMap<Identity, f64>) {
        self.found.clear();
        self.follow(&self.game.start(), sights, prior);
        self.found.retain(|(state, _)| now(state));
        let total: f64 = self.found.iter().flat_map(|(_, odds)| odds).sum();
        let mut types = vec![0.0; TYPES.len()];
        let mut worlds = HashMap::new();
        for (state, odds) in &self.found {
            types.iter_mut().zip(odds).for_each(|(sum, odds)| *sum += odds / total);
            *worlds.entry(self.game.identity(state)).or_default() += odds.iter().sum::<f64>() / total;
        }
        (types, worlds)
    }
}

fn assert_close(found: &[f64], wanted: &[f64], what: &str) {
    assert_eq!(found.len(), wanted.len());
    let close = found.iter().zip(wanted).all(|(one, other)| (one - other).abs() < 1e-9);
    assert!(close, "{what}: {found:?} is not {wanted:?}");
}

/// P(type, world | seen) at every decision of some matches, and P(type | seen) after each, equals the sum over every deal, every draw
/// and every type. Types carry over to the next match, worlds do not.
#[test]
fn posteriors_are_sums_over_all_deals_and_histories() {
    let (mut compared, mut several_histories, mut kept) = (0, 0, 0);
    for (text, matches) in [
        ("dominoes(set=2, hand=2, target=none)", 8),
        ("dominoes(set=2, hand=2, target=none, draw=one-then-play)", 8),
        ("dominoes(rules=myers, set=2, hand=2)", 8),
        ("dominoes(rules=myers, set=2, hand=1)", 8),
        // Hands with several histories are rare on double-two.
        ("dominoes(set=2, hand=1, reserve=1, draw=one-ends-turn, target=none)", 20),
        ("dominoes(rules=myers, hand=2, draw=one-ends-turn, lead=free)", 6),
    ] {
        let game = open(text);
        for seat in Seat::all(2) {
            let mut recognition = recognition(&game, Memory::Session);
            let policies = TYPES.iter().map(|(name, _)| policy(&game, name)).collect();
            let mut courses = Courses { game: &game, policies, seat, found: Vec::new() };
            let mut prior: Vec<f64> = TYPES.iter().map(|&(_, prior)| prior).collect();
            let mut expert = policy(&game, "expert");
            recognition.begin_session();
            for seed in 0..matches {
                let mut rng = Rng::new(seed);
                let mut state = game.start();
                let mut sights: Vec<Sight<Action>> = Vec::new();
                let mut decided = false;
                recognition.begin(&game);
                while game.phase(&state) != Phase::Over {
                    let actions: Vec<Action> = game.actions(&state).collect();
                    let (actor, action) = match game.phase(&state) {
                        Phase::Decide(mover) if mover == seat => {
                            let view = game.view(&state, seat);
                            let decision = Decision::new(&game, seat, &view, &actions);
                            let worlds = recognition.look(&decision, Deadline::default(), &mut Rng::new(1));
                            let (types, odds) =
                                courses.posterior(&sights, |state| game.view(state, seat) == view, &prior);
                            assert_close(recognition.found(), &types, text);
                            assert_eq!(worlds.worlds().len(), odds.len());
                            for (world, weight) in worlds.worlds() {
                                assert_close(&[*weight], &[odds[&game.identity(world)]], text);
                            }
                            compared += 1;
                            let histories: HashSet<&State> =
                                courses.found.iter().map(|(state, _)| state).collect();
                            several_histories += usize::from(histories.len() > odds.len());
                            decided = true;
                            (Actor::Seat(seat), *rng.choose(&actions))
                        }
                        Phase::Decide(mover) => {
                            let view = game.view(&state, mover);
                            let mut weights = Vec::new();
                            expert.weigh(&Decision::new(&game, mover, &view, &actions), &mut weights);
                            let chosen = rng.by_weight(1.0, actions.iter().copied().zip(weights));
                            (Actor::Seat(mover), chosen.unwrap())
                        }
                        _ => (Actor::Chance, game.sample(&state, &mut rng)),
                    };
                    let sight = Sight { actor, action: game.seen(&state, action, seat).unwrap() };
                    sights.push(sight);
                    game.apply(&mut state, action);
                    recognition.watch(&game, sight);
                }
                recognition.end(&game);
                if decided {
                    prior = courses.posterior(&sights, |state| game.phase(state) == Phase::Over, &prior).0;
                    assert_close(recognition.found(), &prior, text);
                    kept += 1;
                }
            }
        }
    }
    assert!(compared > 80 && several_histories > 0 && kept > 50, "{compared}, {several_histories}, {kept}");
}

const DEALS: [&str; 3] = [
    "00 01 02 | 03 11 12 | 13 22 23 33",
    "12 13 33 | 00 02 22 | 01 03 11 23",
    "03 13 23 | 00 11 33 | 01 02 12 22",
];

#[test]
fn one_type_is_the_model() {
    let game = open("dominoes(rules=myers, lead=free)");
    for deal in DEALS {
        for model in ["scoring", "defense", "random", "expert"] {
            let wanted = last_thought(&game, &format!("mstar(model={model})"), deal);
            for form in [
                format!("mix(types={model})"),
                format!("guess(types={model})"),
                format!("mix(types={model}+random-tile, priors=1+0)"),
                format!("guess(types=random-tile+{model}, priors=0+1, unknown=0)"),
            ] {
                let found = last_thought(&game, &format!("mstar(model={form})"), deal);
                assert_eq!(found, wanted, "{form} in {deal}");
            }
        }
        // The unknown type does its worst; if it is nearly certain, the value is nearly that of expectimax.
        let values = |model: &str| -> HashMap<String, f64> {
            last_thought(&game, &format!("mstar(model={model})"), deal).1.into_iter().collect()
        };
        let (worst, nearly) = (values("expectimax"), values("mix(types=scoring, unknown=0.99)"));
        assert!(worst.iter().all(|(at, worst)| (nearly[at] - worst).abs() < 0.25), "{nearly:?} {worst:?}");
        assert!(worst.iter().any(|(at, worst)| (nearly[at] - worst).abs() > 1e-6));
    }
}

/// Knowing the type, a player takes the best reply to each; not knowing it, it takes one for all.
#[test]
fn a_mixture_is_worth_no_more_than_knowing_the_type() {
    let game = open("dominoes(rules=myers, lead=free)");
    let mut less = 0;
    for deal in DEALS {
        // Two decisions deep the other seat moves once, so what it does tells nothing about what it does later.
        let values = |model: &str| -> HashMap<String, f64> {
            let agent = format!("mstar(model={model}, depth=2, playout=off)");
            last_thought(&game, &agent, deal).1.into_iter().collect()
        };
        let mixed = values("mix(types=scoring+defense, priors=3+1)");
        let (scoring, defense) = (values("scoring"), values("defense"));
        for (action, mixed) in mixed {
            let knowing = 0.75 * scoring[&action] + 0.25 * defense[&action];
            assert!((mixed - knowing).abs() < 1e-9, "{action}: {mixed} is not {knowing}");
            less += u32::from((scoring[&action] - defense[&action]).abs() > 1e-6);
        }
    }
    assert!(less > 0, "somewhere it matters which type it is");
}

/// The oracle sees the other hand, so it recognises from one world, and no worse than the honest player.
#[test]
fn an_oracle_recognises_too() {
    let game = open("dominoes(rules=myers)");
    let mut believed = [0.0; 2];
    for mut state in deals(&game, 101) {
        let mut oracle = oracle(&game, "mstar-oracle(model=guess)").unwrap();
        let mut honest = agent(&game, "mstar(model=guess)");
        let (mut scoring, mut rng) = (policy(&game, "scoring"), Rng::new(5));
        while game.phase(&state) != Phase::Over {
            let actions: Vec<Action> = game.actions(&state).collect();
            let action = match game.phase(&state) {
                Phase::Decide(Seat::FIRST) => {
                    let view = game.view(&state, Seat::FIRST);
                    let decision = Decision::new(&game, Seat::FIRST, &view, &actions);
                    honest.act(&decision, &mut Context::new(&mut Rng::new(0)));
                    oracle.act(&decision, &state, &mut Context::new(&mut Rng::new(0)))
                }
                Phase::Decide(seat) => {
                    let view = game.view(&state, seat);
                    let mut weights = Vec::new();
                    scoring.weigh(&Decision::new(&game, seat, &view, &actions), &mut weights);
                    actions[weights.iter().position(|&weight| weight == 1.0).unwrap()]
                }
                _ => game.sample(&state, &mut rng),
            };
            game.apply(&mut state, action);
        }
        let types = [oracle.opponent_types(&game), honest.opponent_types(&game)];
        believed.iter_mut().zip(types).for_each(|(sum, types)| *sum += types.unwrap()[0].probability);
    }
    let [seeing, honest] = believed.map(|sum| sum / 42.0);
    assert!(honest > 0.36 && seeing > honest, "{seeing} by the truth, {honest} without it");
}

/// A classifier goes by features of turns. It tells the three targets apart, not well, but better than by guessing.
#[test]
fn classifiers_recognise_by_features() {
    let game = open("dominoes(rules=myers)");
    for by in ["mda", "forest"] {
        let mut believed = 0.0;
        for (at, target) in ["scoring", "defense", "random"].into_iter().enumerate() {
            let after = |memory: &str| {
                let mut agent = agent(&game, &format!("mstar(model=guess(by={by}, memory={memory}))"));
                taken_for(&game, &mut *agent, target, 20)
            };
            let session = after("session");
            believed += session[at].probability / 3.0;
            assert_ne!(session, after("contest"));
            let total: f64 = session.iter().map(|kind| kind.probability).sum();
            assert!((total - 1.0).abs() < 1e-9, "{session:?}");
        }
        assert!(believed > 0.5, "{by} gives the right type {believed} after twenty matches");
        // Before the other seat has laid a tile, the prior counts.
        let mut fresh = agent(&game, &format!("mstar(model=mix(by={by}, priors=1+2+1, unknown=0.2))"));
        fresh.begin_session();
        fresh.begin(&game, Seat::FIRST);
        let types: Vec<f64> =
            fresh.opponent_types(&game).unwrap().iter().map(|kind| kind.probability).collect();
        assert_close(&types, &[0.2, 0.4, 0.2, 0.2], by);
    }
}

#[test]
fn forms_that_are_not_understood_get_a_sentence() {
    let game = open("dominoes");
    let says =
        |model: &str| oracle(&game, &format!("mstar-oracle(model={model})")).err().unwrap().to_string();
    assert!(says("gues").contains("did you mean `guess`?"));
    assert!(says("guess(by=bays)").contains("did you mean `bayes`?"));
    assert!(says("guess(type=scoring)").contains("did you mean `types`?"));
    assert!(says("guess(types=scoring+defence)").contains("did you mean `defense`?"));
    assert!(says("mix(types=scoring+)").contains("a name is missing"));
    let twice = "mix(types=scoring+random+scoring(tie_break=first))";
    assert!(says(twice).contains("scoring(tie_break=first) is there twice"));
    assert!(says("mix(types=mstar-oracle)").contains("no agent for dominoes"));
    for prior in ["1+1", "1+1+x", "0+0+0", "1+1+-1", "1+1+inf", ""] {
        let said = says(&format!("mix(priors=\"{prior}\")"));
        assert!(said.contains("3 numbers from 0 on with + between them"), "{prior}: {said}");
    }
    assert!(says("mix(unknown=1)").contains("0 … 0.99"));
    assert!(says("mix(memory=ever)").contains("stage / contest / session"));
    assert!(says("mstar(model=guess)").contains("cannot be the model of a model"));
    let stranger = says("guess(by=mda, types=scoring+expert)");
    assert!(
        stranger.contains("random, scoring, defense") && stranger.contains("expert is not one"),
        "{stranger}"
    );
    assert!(says("guess(by=forest, file=no-such-file)").contains("no-such-file"));
    assert!(says("guess(file=a.model)").contains("file is for by=mda and by=forest"));
    for fine in [
        "guess",
        "mix(types=scoring(tie_break=random)+expert+mstar(model=mix(types=random))+expectimax, unknown=0.1)",
        "guess(types=collective(file=shipped)+random, priors=2+1, memory=session)",
    ] {
        assert!(oracle(&game, &format!("mstar-oracle(model={fine})")).is_ok(), "{fine}");
    }
    let survey =
        Hosted::new(game, roster::dominoes()).survey("mstar(model=mix(types=scoring+nash(file=a.nash)))");
    assert_eq!(survey.unwrap().outside.len(), 1, "files of types are found");
}
