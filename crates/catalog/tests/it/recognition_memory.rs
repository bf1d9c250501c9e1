//! How long evidence about an opponent is kept: for a stage, a match or a session.

use parlor_core::{Actor, Agent, Context, Decision, Game, Payoffs, Phase, Rng, Seat, Sight, TypeOdds};
use parlor_games::dominoes::{Action, Dominoes};

use super::mstar::{agent, open};
use super::recognition::policy;

/// Plays matches against a target and returns how likely the agent takes it to be each type after the last one.
pub(crate) fn taken_for(
    game: &Dominoes,
    agent: &mut dyn Agent<Dominoes>,
    target: &str,
    matches: u64,
) -> Vec<TypeOdds> {
    let mut policy = policy(game, target);
    agent.begin_session();
    for seed in 0..matches {
        let mut rng = Rng::new(seed);
        let mut state = game.start();
        agent.begin(game, Seat::FIRST);
        while game.phase(&state) != Phase::Over {
            let actions: Vec<Action> = game.actions(&state).collect();
            let (actor, action) = match game.phase(&state) {
                Phase::Decide(seat) => {
                    let view = game.view(&state, seat);
                    let decision = Decision::new(game, seat, &view, &actions);
                    let action = if seat == Seat::FIRST {
                        agent.act(&decision, &mut Context::new(&mut rng))
                    } else {
                        let mut weights = Vec::new();
                        policy.weigh(&decision, &mut weights);
                        rng.by_weight(1.0, actions.iter().copied().zip(weights)).unwrap()
                    };
                    (Actor::Seat(seat), action)
                }
                _ => (Actor::Chance, game.sample(&state, &mut rng)),
            };
            let seen = game.seen(&state, action, Seat::FIRST).unwrap();
            game.apply(&mut state, action);
            agent.watch(game, Sight { actor, action: seen });
        }
        agent.end(game, &Payoffs::default());
    }
    agent.opponent_types(game).unwrap()
}

#[test]
fn evidence_is_kept_as_long_as_it_is_told() {
    let game = open("dominoes(rules=myers)");
    for (at, target) in ["scoring", "defense", "random"].into_iter().enumerate() {
        let after = |memory: &str| {
            let mut agent = agent(&game, &format!("mstar(model=guess(memory={memory}))"));
            taken_for(&game, &mut *agent, target, 12)
        };
        let session = after("session");
        assert_eq!(session[at].name, target);
        assert!(session[at].probability > 0.9, "{target} is taken for {session:?}");
        assert!(session[at].agent.as_ref().is_some_and(|full| full.starts_with(target)));
        // A match has one stage here.
        assert_eq!(after("contest"), after("stage"));
        assert_ne!(after("contest"), session);
        // A new session knows nothing of the old one.
        let mut agent = agent(&game, "mstar(model=guess(memory=session))");
        taken_for(&game, &mut *agent, "scoring", 5);
        assert_eq!(taken_for(&game, &mut *agent, target, 12), session);
    }
    // In a contest types carry over from stage to stage.
    let game = open("dominoes(rules=myers, target=40)");
    let after = |memory: &str| {
        let mut agent = agent(&game, &format!("mstar(model=mix(memory={memory}))"));
        taken_for(&game, &mut *agent, "scoring", 1)[0].probability
    };
    let (stage, contest) = (after("stage"), after("contest"));
    assert!(contest > stage && contest > 0.8, "{contest} {stage}");
}

/// With `memory=stage` an agent knows at every decision what one knows that came to the table when the stage began: the other seat's
/// turns before its own first decision count, and nothing from before the stage does.
#[test]
fn a_classifier_that_remembers_a_stage_remembers_all_of_it() {
    let game = open("dominoes(rules=myers, target=60)");
    let (mut compared, mut moved_before) = (0, 0);
    for (kind, seed) in [("mda", 1), ("forest", 2), ("mda", 3), ("bayes", 4)] {
        let text = format!("mstar(model=guess(by={kind}, memory=stage), worlds=4)");
        let (mut old, mut new) = (agent(&game, &text), agent(&game, &text));
        let (mut policy, mut rng) = (policy(&game, "scoring"), Rng::new(seed));
        let mut state = game.start();
        let mut stages = 0;
        old.begin(&game, Seat::FIRST);
        new.begin(&game, Seat::FIRST);
        let (mut decided, mut others) = (true, 0);
        while game.phase(&state) != Phase::Over {
            if game.stages(&state) > stages {
                stages = game.stages(&state);
                new = agent(&game, &text);
                new.begin(&game, Seat::FIRST);
                (decided, others) = (false, 0);
            }
            let actions: Vec<Action> = game.actions(&state).collect();
            let (actor, action) = match game.phase(&state) {
                Phase::Decide(seat) => {
                    let view = game.view(&state, seat);
                    let decision = Decision::new(&game, seat, &view, &actions);
                    let action = if seat == Seat::FIRST {
                        let [one, _] = [&mut old, &mut new]
                            .map(|agent| agent.act(&decision, &mut Context::new(&mut Rng::new(seed))));
                        assert_eq!(
                            old.opponent_types(&game),
                            new.opponent_types(&game),
                            "{kind}, stage {stages}"
                        );
                        compared += u32::from(stages > 0);
                        moved_before += u32::from(!decided && others > 0);
                        decided = true;
                        one
                    } else {
                        others += 1;
                        let mut weights = Vec::new();
                        policy.weigh(&decision, &mut weights);
                        rng.by_weight(1.0, actions.iter().copied().zip(weights)).unwrap()
                    };
                    (Actor::Seat(seat), action)
                }
                _ => (Actor::Chance, game.sample(&state, &mut rng)),
            };
            let seen = game.seen(&state, action, Seat::FIRST).unwrap();
            game.apply(&mut state, action);
            old.watch(&game, Sight { actor, action: seen });
            new.watch(&game, Sight { actor, action: seen });
        }
    }
    assert!(
        compared > 40 && moved_before > 8,
        "{compared} decisions, {moved_before} after a move of the other seat"
    );
}
