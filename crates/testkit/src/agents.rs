//! A law of agents: equal views, equal observations and equal random streams give equal results.

use std::time::Duration;

use parlor_core::play::stepper::{advance, ask};
use parlor_core::play::thought::{Beliefs, Pondering, Thought};
use parlor_core::{Actor, Agent, Cancel, Context, Decision, Game, Imagine, Phase, Rng, Seat, Seated, Seats};

/// Two copies of an agent for each seat; both observe the same match.
struct Twins<G: Game>(Vec<[Box<dyn Agent<G>>; 2]>);

/// One copy of each pair of twins, as the seats of a match.
struct Half<'a, G: Game>(&'a mut Twins<G>, usize);

impl<G: Game> Seats<G> for Half<'_, G> {
    fn seated(&mut self, seat: Seat) -> Option<Seated<'_, G>> {
        Some(Seated::Agent(&mut *self.0.0[seat.index()][self.1]))
    }
}

/// Everything that an agent returns at a decision.
#[derive(PartialEq, Debug)]
struct Results<A> {
    action: A,
    beliefs: Option<Beliefs>,
    /// The last thought. The number of earlier ones depends on timing.
    thought: Option<Thought<A>>,
}

/// Plays `games` matches with an agent made by `build` in every seat. At every decision a twin with the same
/// observations decides in another world that looks the same to its seat, with an equal random stream. Actions,
/// thoughts and beliefs must be equal, also after both have pondered for the shortest possible time. Returns the
/// number of decisions at which the other world differed from the true state.
///
/// In games without hidden information there is no other world, and that number is 0: then the law only shows that
/// the agent is repeatable.
///
/// # Panics
/// If the results of the two differ, or if an action is not legal.
#[must_use = "without another world the law is weaker than its name"]
pub fn equal_views_equal_answers<G: Imagine>(
    game: &G,
    games: u64,
    mut build: impl FnMut() -> Box<dyn Agent<G>>,
) -> u64 {
    let mut in_other_worlds = 0;
    for seed in 0..games {
        let mut chance = Rng::forked(seed, 0);
        let mut worlds = Rng::forked(seed, 1);
        let mut twins = Twins(Seat::all(game.seats()).map(|_| [build(), build()]).collect());
        for (seat, pair) in Seat::all(game.seats()).zip(&mut twins.0) {
            pair.iter_mut().for_each(|agent| agent.begin(game, seat));
        }
        let mut state = game.start();
        let mut decisions = 0;
        loop {
            let (actor, action) = match game.phase(&state) {
                Phase::Over => break,
                Phase::Chance => (Actor::Chance, game.sample(&state, &mut chance)),
                Phase::Decide(seat) => {
                    let [agent, twin] = &mut twins.0[seat.index()];
                    let rng = Rng::forked(seed, 1_000 + decisions);
                    decisions += 1;
                    let world = game.imagine(&game.view(&state, seat), &mut worlds);
                    in_other_worlds += u64::from(world != state);
                    let first = answer(game, &state, seat, &mut **agent, rng.clone());
                    let second = answer(game, &world, seat, &mut **twin, rng);
                    assert_eq!(first, second, "the agent in seat {seat} uses more than its view");
                    for other in Seat::all(game.seats()).filter(|&other| other != seat) {
                        let [agent, twin] = &mut twins.0[other.index()];
                        let world = game.imagine(&game.view(&state, other), &mut worlds);
                        ponder(game, &state, other, &mut **agent);
                        ponder(game, &world, other, &mut **twin);
                    }
                    (Actor::Seat(seat), first.action)
                }
            };
            let mut unchanged = state.clone();
            for (half, state) in [(0, &mut state), (1, &mut unchanged)] {
                let watched = advance(game, state, actor, action, &mut Half(&mut twins, half));
                watched.unwrap_or_else(|forfeit| panic!("{forfeit}"));
            }
        }
    }
    in_other_worlds
}

fn answer<G: Game>(
    game: &G,
    state: &G::State,
    seat: Seat,
    agent: &mut dyn Agent<G>,
    mut rng: Rng,
) -> Results<G::Action> {
    let actions: Vec<G::Action> = game.actions(state).collect();
    let view = game.view(state, seat);
    let decision = Decision::new(game, seat, &view, &actions);
    let beliefs = agent.beliefs(&decision, &mut Context::new(&mut rng));
    let mut last = None;
    let mut report = |thought: &Thought<G::Action>| last = Some(thought.clone());
    let mut context = Context::new(&mut rng).with_reporter(&mut report);
    let action = ask(&decision, state, &mut Seated::Agent(agent), &mut context);
    let action = action.unwrap_or_else(|forfeit| panic!("{forfeit}"));
    let thought = last.map(|thought| Thought { elapsed: Duration::ZERO, ..thought });
    Results { action, beliefs, thought }
}

/// Lets an agent ponder until its first poll for cancellation, because progress over any time is not repeatable.
fn ponder<G: Game>(game: &G, state: &G::State, seat: Seat, agent: &mut dyn Agent<G>) {
    agent.ponder(&Pondering { game, seat, view: &game.view(state, seat), cancel: &Cancel::cancelled() });
}
