//! A law of agents: equal views, equal observations and equal random streams give equal actions.

use parlor_core::play::stepper::{advance, ask};
use parlor_core::{Actor, Agent, Context, Decision, Game, Imagine, Phase, Rng, Seat, Seated, Seats};

/// Two copies of an agent for each seat; both observe the same match.
struct Twins<G: Game>(Vec<[Box<dyn Agent<G>>; 2]>);

/// One copy of each pair of twins, as the seats of a match.
struct Half<'a, G: Game>(&'a mut Twins<G>, usize);

impl<G: Game> Seats<G> for Half<'_, G> {
    fn seated(&mut self, seat: Seat) -> Option<Seated<'_, G>> {
        Some(Seated::Agent(&mut *self.0.0[seat.index()][self.1]))
    }
}

/// Plays `games` matches with an agent made by `build` in every seat. At every decision a twin with the same
/// observations decides in another world that looks the same to its seat, with an equal random stream, and must
/// choose the same action.
///
/// # Panics
/// If the two actions differ, or if one of them is not legal.
pub fn agent_never_peeks<G: Imagine>(game: &G, games: u64, mut build: impl FnMut() -> Box<dyn Agent<G>>) {
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
                    let action = answer(game, &state, seat, &mut **agent, rng.clone());
                    let world = game.imagine(&game.view(&state, seat), &mut worlds);
                    let again = answer(game, &world, seat, &mut **twin, rng);
                    assert_eq!(action, again, "the agent in seat {seat} uses more than its view");
                    (Actor::Seat(seat), action)
                }
            };
            let mut unchanged = state.clone();
            for (half, state) in [(0, &mut state), (1, &mut unchanged)] {
                let watched = advance(game, state, actor, action, &mut Half(&mut twins, half));
                watched.unwrap_or_else(|forfeit| panic!("{forfeit}"));
            }
        }
    }
}

fn answer<G: Game>(
    game: &G,
    state: &G::State,
    seat: Seat,
    agent: &mut dyn Agent<G>,
    mut rng: Rng,
) -> G::Action {
    let actions: Vec<G::Action> = game.actions(state).collect();
    let view = game.view(state, seat);
    let decision = Decision::new(game, seat, &view, &actions);
    let answer = ask(&decision, state, &mut Seated::Agent(agent), &mut Context::new(&mut rng));
    answer.unwrap_or_else(|forfeit| panic!("{forfeit}"))
}
