//! The law of agents: equal views, equal sights and equal randomness give equal actions, whatever is hidden.

use parlor_core::{Actor, Agent, Decision, Game, Imagine, Phase, Rng, Seat, Sight};

/// Lets an agent made by `build_player` play every seat of `games` matches. At every decision a twin that has seen the same is
/// asked in another world that looks the same to its seat, with equal randomness, and must answer the same.
///
/// # Panics
/// If an agent answers differently, or with an action that is not offered.
pub fn agent_never_peeks<G: Imagine>(
    game: &G,
    games: u64,
    mut build_player: impl FnMut() -> Box<dyn Agent<G>>,
) {
    for seed in 0..games {
        let mut chance = Rng::forked(seed, 0);
        let mut worlds = Rng::forked(seed, 1);
        let mut twins: Vec<[Box<dyn Agent<G>>; 2]> =
            Seat::all(game.seats()).map(|_| [build_player(), build_player()]).collect();
        for (seat, pair) in Seat::all(game.seats()).zip(&mut twins) {
            pair.iter_mut().for_each(|agent| agent.begin(game, seat));
        }
        let mut state = game.start();
        let mut decisions = 0;
        loop {
            let (actor, action) = match game.phase(&state) {
                Phase::Over => break,
                Phase::Chance => (Actor::Chance, game.sample(&state, &mut chance)),
                Phase::Decide(seat) => {
                    let [agent, twin] = &mut twins[seat.index()];
                    let mind = Rng::forked(seed, 1_000 + decisions);
                    decisions += 1;
                    let action = ask(game, &state, seat, &mut **agent, mind.clone());
                    let world = game.imagine(&game.view(&state, seat), &mut worlds);
                    let again = ask(game, &world, seat, &mut **twin, mind);
                    assert_eq!(action, again, "the agent in seat {seat} knows more than its view");
                    (Actor::Seat(seat), action)
                }
            };
            for (seat, pair) in Seat::all(game.seats()).zip(&mut twins) {
                if let Some(action) = game.seen(&state, action, seat) {
                    pair.iter_mut().for_each(|agent| agent.watch(game, Sight { actor, action }));
                }
            }
            game.apply(&mut state, action);
        }
    }
}

fn ask<G: Game>(
    game: &G,
    state: &G::State,
    seat: Seat,
    agent: &mut dyn Agent<G>,
    mut mind: Rng,
) -> G::Action {
    let actions: Vec<G::Action> = game.actions(state).collect();
    let view = game.view(state, seat);
    let decision = Decision::untimed(game, seat, &view, &actions);
    let action = agent.act(&decision, &mut mind);
    assert!(actions.contains(&action), "{action:?} is not offered");
    action
}
