//! The belief engine at real games: worlds and types weighed together, all of them or none, and games that hide nothing.

use parlor_agents::Random;
use parlor_agents::beliefs::{Histories, ModelTrust, OpponentType, WeightedWorlds, WorldSampler};
use parlor_agents::limits::Limits;
use parlor_agents::mstar::Mstar;
use parlor_agents::mstar::model_stack::{Model, ModelStack, Modeller};
use parlor_agents::openhand::Chance;
use parlor_catalog::roster;
use parlor_core::api::Hosted;
use parlor_core::{
    Agent, Beliefs, Budget, Cancel, Context, Deadline, Decision, Entry, Game, HiddenThings, ListWorlds,
    Notation, Phase, Policy, Position, Retrace, Rng, Seat, Settings, Spec,
};
use parlor_games::dominoes::{Action, Dominoes, State, View};
use parlor_games::tictactoe::TicTacToe;

fn open<G: Entry>(text: &str) -> G {
    let spec = Spec::parse(text).unwrap();
    G::open(&Settings::read(&spec, G::KEYS).unwrap()).unwrap()
}

fn policy(game: &Dominoes, spec: &str) -> Box<dyn Policy<Dominoes>> {
    Hosted::new(game.clone(), roster::dominoes()).policy(spec).unwrap().unwrap()
}

/// A position of seat 0 in which the other seat has had choices, and several worlds are left.
struct Example {
    game: Dominoes,
    view: View,
    actions: Vec<Action>,
}

impl Example {
    fn new() -> Self {
        let game: Dominoes = open("dominoes(target=none, set=4, hand=4)");
        let scoring = &mut *policy(&game, "scoring");
        for seed in 0.. {
            let mut rng = Rng::new(seed);
            let mut state = game.start();
            let mut chosen = 0;
            while game.phase(&state) != Phase::Over {
                let Phase::Decide(seat) = game.phase(&state) else {
                    let outcome = game.sample(&state, &mut rng);
                    game.apply(&mut state, outcome);
                    continue;
                };
                let actions: Vec<Action> = game.actions(&state).collect();
                let view = game.view(&state, seat);
                if seat == Seat::FIRST && chosen >= 2 && actions.len() > 1 {
                    let worlds = game.worlds(&view, 1_000).unwrap().len();
                    if (8..200).contains(&worlds) {
                        return Example { game, view, actions };
                    }
                }
                chosen += u32::from(seat == Seat::SECOND && actions.len() > 1);
                let mut weights = Vec::new();
                scoring.weigh(&Decision::new(&game, seat, &view, &actions), &mut weights);
                let action = rng.by_weight(1.0, actions.iter().copied().zip(weights)).unwrap();
                game.apply(&mut state, action);
            }
        }
        unreachable!("some match has such a position")
    }

    fn decision(&self) -> Decision<'_, Dominoes> {
        Decision::new(&self.game, Seat::FIRST, &self.view, &self.actions)
    }

    fn posterior(&self, sampler: &mut WorldSampler<Dominoes>) -> WeightedWorlds<State> {
        sampler.posterior(&self.decision(), Deadline::default(), &mut Rng::new(1))
    }
}

const TRUST: ModelTrust = ModelTrust::new(0.75);

/// Asks a policy, and cancels the decision when it is asked for the `last`-th time.
struct Interrupting {
    policy: Box<dyn Policy<Dominoes>>,
    asked: u32,
    last: u32,
    cancel: Cancel,
}

impl Policy<Dominoes> for Interrupting {
    fn weigh(&mut self, decision: &Decision<'_, Dominoes>, weights: &mut Vec<f64>) {
        self.asked += 1;
        if self.asked == self.last {
            self.cancel.cancel();
        }
        self.policy.weigh(decision, weights);
    }
}

/// Returns what M* believes if its time is over when its model is asked for the `last`-th time.
fn interrupted(example: &Example, last: u32) -> Beliefs {
    let game = &example.game;
    let cancel = Cancel::new();
    let model = Interrupting { policy: policy(game, "scoring"), asked: 0, last, cancel: cancel.clone() };
    let types = vec![OpponentType::only(Box::new(model))];
    let sampler = WorldSampler::by_choices(types, ModelTrust::with_errors(0.02), Histories::One, 1_000);
    let player = Modeller {
        evaluation: Box::new(|_: &Dominoes, _: &State, _, _| 0.0),
        model: Model::Policy(policy(game, "scoring")),
    };
    let limits = Limits::of(Budget::nodes(1_000));
    let mut agent = Mstar::new(ModelStack::new(player, false), limits, sampler, Chance::Auto);
    let mut rng = Rng::new(1);
    let mut context = Context::new(&mut rng).with_cancel(&cancel);
    agent.beliefs(&example.decision(), &mut context).unwrap()
}

/// A world that was weighed has a factor below 1. If worlds that were not reached kept theirs, they would outweigh it.
#[test]
fn worlds_are_weighed_all_or_none() {
    let example = Example::new();
    let by_chance = example.posterior(&mut WorldSampler::by_events(1_000)).odds(&example.game, &example.view);
    let weighed = interrupted(&example, u32::MAX);
    assert_ne!(by_chance.odds, weighed.odds, "choices tell something here");
    let mut asked = 1;
    loop {
        let found = interrupted(&example, asked);
        if found == weighed {
            break;
        }
        assert_eq!(found.odds, by_chance.odds, "over when asked for the {asked}th time");
        assert_eq!(found.basis, by_chance.basis);
        asked += 1;
    }
    assert!(asked > 8, "{asked}");
}

/// Returns the probability of what the other seat did in a world if it is of this type.
fn likelihood(game: &Dominoes, world: &State, policy: &mut dyn Policy<Dominoes>) -> f64 {
    let mut likelihood = 1.0;
    game.retrace(world, |state, seat, chosen| {
        let actions: Vec<Action> = game.actions(state).collect();
        if seat == Seat::SECOND && actions.len() > 1 {
            let mut weights = Vec::new();
            let view = game.view(state, seat);
            policy.weigh(&Decision::new(game, seat, &view, &actions), &mut weights);
            let at = actions.iter().position(|&action| action == chosen).unwrap();
            likelihood *= 0.75 * weights[at] + 0.25 / actions.len() as f64;
        }
    });
    likelihood
}

#[test]
fn types_and_worlds_have_the_probabilities_of_bayes() {
    let example = Example::new();
    let game = &example.game;
    let kinds = [("scoring", 0.2), ("defense", 0.5), ("random", 0.3)];
    let types = kinds.map(|(name, prior)| OpponentType { policy: policy(game, name), prior });
    let mut sampler = WorldSampler::by_choices(types.into(), TRUST, Histories::One, 1_000);
    let found = example.posterior(&mut sampler);
    let worlds = game.worlds(&example.view, 1_000).unwrap();
    let joint: Vec<Vec<f64>> = worlds
        .iter()
        .map(|(world, odds)| {
            let both =
                |(name, prior): (&str, f64)| odds * prior * likelihood(game, world, &mut *policy(game, name));
            kinds.map(both).to_vec()
        })
        .collect();
    let total: f64 = joint.iter().flatten().sum();
    for (at, row) in joint.iter().enumerate() {
        for (both, found) in row.iter().zip(found.types_with(at)) {
            assert!((both / total - found).abs() < 1e-12);
        }
        assert!((row.iter().sum::<f64>() / total - found.worlds()[at].1).abs() < 1e-12);
    }
    for (kind, found) in found.types().iter().enumerate() {
        assert!((joint.iter().map(|row| row[kind]).sum::<f64>() / total - found).abs() < 1e-12);
    }
    assert!(found.types()[0] > 0.2, "it was a scoring player: {:?}", found.types());
    // With one type it is the model that agents have.
    let mut one = WorldSampler::by_choices(
        vec![OpponentType::only(policy(game, "scoring"))],
        TRUST,
        Histories::One,
        1_000,
    );
    let found = example.posterior(&mut one);
    assert_eq!(found.types().len(), 1);
    assert!((found.types()[0] - 1.0).abs() < 1e-12);
}

#[test]
fn drawn_worlds_tell_about_types_what_listed_worlds_tell() {
    let example = Example::new();
    let game = &example.game;
    let sampler = |histories, most| {
        let types = [("scoring", 0.5), ("defense", 0.5)];
        let types = types.map(|(name, prior)| OpponentType { policy: policy(game, name), prior });
        WorldSampler::by_choices(types.into(), TRUST, histories, most)
    };
    let listed = example.posterior(&mut sampler(Histories::Several, 1_000));
    assert!(listed.is_complete() && listed.is_weighed());
    let mut mean = 0.0;
    for seed in 0..200 {
        let drawn = sampler(Histories::Several, 7).posterior(
            &example.decision(),
            Deadline::default(),
            &mut Rng::new(seed),
        );
        assert!(!drawn.is_complete() && drawn.is_weighed() && drawn.worlds().len() <= 7);
        mean += drawn.types()[0] / 200.0;
    }
    assert!((mean - listed.types()[0]).abs() < 0.05, "{mean}, {:?}", listed.types());
}

/// Returns what an action of the first seat gains against random play if everything after it is tried.
fn against_random(
    game: &TicTacToe,
    state: &<TicTacToe as Game>::State,
    action: <TicTacToe as Game>::Action,
) -> f64 {
    let mut next = *state;
    game.apply(&mut next, action);
    let values: Vec<f64> = game.actions(&next).map(|action| against_random(game, &next, action)).collect();
    match game.phase(&next) {
        Phase::Decide(Seat::FIRST) => values.into_iter().fold(f64::NEG_INFINITY, f64::max),
        Phase::Decide(_) => values.iter().sum::<f64>() / values.len() as f64,
        _ => {
            let payoffs = game.payoffs(&next);
            payoffs.of(Seat::FIRST) - payoffs.of(Seat::SECOND)
        }
    }
}

#[test]
fn a_game_that_hides_nothing_has_one_world() {
    let game: TicTacToe = open("tictactoe");
    let Ok(Position::State(state)) = game.read_position("X.X/OO./...") else { panic!() };
    let actions: Vec<_> = game.actions(&state).collect();
    let decision = Decision::new(&game, Seat::FIRST, &state, &actions);
    let mut sampler =
        WorldSampler::by_choices(vec![OpponentType::only(Box::new(Random))], TRUST, Histories::Several, 10);
    let found = sampler.posterior(&decision, Deadline::default(), &mut Rng::new(0));
    assert_eq!(found.worlds(), [(state, 1.0)]);
    assert_eq!(found.basis(), "the only world");
    assert!(game.hidden(&state).is_empty());
    let player = Modeller {
        evaluation: Box::new(|game: &TicTacToe, state: &_, seat: Seat, _| {
            let scores = game.scores(state);
            scores[seat] - scores[seat.other()]
        }),
        model: Model::Policy(Box::new(Random)),
    };
    let limits = Limits::of(Budget::nodes(10_000));
    let mut agent =
        Mstar::new(ModelStack::new(player, false), limits, WorldSampler::by_events(10), Chance::Auto);
    let mut rng = Rng::new(0);
    let chosen = agent.act(&decision, &mut Context::new(&mut rng));
    let values: Vec<f64> = actions.iter().map(|&action| against_random(&game, &state, action)).collect();
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert!(values.iter().any(|&value| value < best), "some actions are worse: {values:?}");
    let at = actions.iter().position(|&action| action == chosen).unwrap();
    assert!((values[at] - best).abs() < 1e-9, "{values:?}");
}
