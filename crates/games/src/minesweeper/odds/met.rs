//! Positions from play, for measurements.

use parlor_core::rng::fork;
use parlor_core::{Agent, Context, Decision, Game, Phase, Rng, Seat, Settings, Spec};

use super::super::players::Deduce;
use super::super::{Action, Layouts, Minesweeper, View};
use crate::board::bits::Word;

/// Returns `positions` positions without a certainly safe cell, from matches of `deduce` with a seed; fewer if the
/// board is so small that guesses are rare.
#[must_use]
pub fn met_in_play<W: Word>(game: &Minesweeper<W>, seed: u64, positions: usize) -> Vec<View<W>> {
    let spec = Spec::parse("deduce(guess=safest)").expect("the spec is well-formed");
    let settings = Settings::read(&spec, Deduce::<W>::KEYS).expect("deduce has this key");
    let mut player = Deduce::read(&settings);
    let mut met = Vec::with_capacity(positions);
    for number in 0.. {
        // Ten matches for every position suffice on all boards that need guesses.
        if met.len() == positions || number == 10 * positions as u64 {
            break;
        }
        let mut rng = Rng::new(fork(seed, number));
        let mut field = game.start();
        player.begin(game, Seat::FIRST);
        while game.phase(&field) != Phase::Over && met.len() < positions {
            let action = if game.phase(&field) == Phase::Chance {
                game.sample(&field, &mut rng)
            } else {
                let view = game.view(&field, Seat::FIRST);
                let actions: Vec<Action> = game.actions(&field).collect();
                let action = player
                    .act(&Decision::new(game, Seat::FIRST, &view, &actions), &mut Context::new(&mut rng));
                if !view.opened().is_empty() && is_guess(game, &view) {
                    met.push(view);
                }
                action
            };
            game.apply(&mut field, action);
        }
    }
    met
}

/// Returns whether no covered cell is certainly safe.
fn is_guess<W: Word>(game: &Minesweeper<W>, view: &View<W>) -> bool {
    let odds = Layouts::of(game, view).mine_probabilities();
    (game.board() & !view.opened()).cells().all(|cell| odds[cell as usize] > 0.0)
}
