//! Exercises: positions in which the other side threatens to complete a row and must be blocked.

use parlor_core::{Exercise, Game, Rng, Seat};

use super::features::Windows;
use super::saved::START;
use super::value::{Judge, LookAhead};
use crate::board::bits::Word;
use crate::connect::{Column, Connect};

/// How often a move on the way is random; the others have the best sum by the weights at the start. Moves that are all good leave hardly a
/// threat open, and random ones lead to boards that no player meets.
const RANDOM: f64 = 0.5;

/// How often a position with a threat becomes the exercise. In the other cases the threat is blocked and the match goes on, so that
/// exercises come from all parts of a match.
const TAKEN: f64 = 0.3;

/// How many matches are played before any threat is taken. A board without threats, such as a row of one, has no such position.
const MATCHES: u32 = 1000;

/// Draws a position in which the mover cannot complete a row and the other side threatens to do so in exactly one cell that is free to
/// play: right is the column of that cell. On a board where none was found, any column of the empty board is right.
///
/// # Panics
/// If the game has no actions.
pub fn block<W: Word>(game: &Connect<W>, rng: &mut Rng) -> Exercise<Connect<W>> {
    let sums = LookAhead { moves: 0, branching: false, gamma: 0.0, loss: 0.0 };
    let judge = Judge { windows: Windows::new(game), ahead: sums };
    for _ in 0..MATCHES {
        let mut board = game.start();
        while !game.is_over(&board) {
            let mover = Seat((game.taken(&board).len() & 1) as u8);
            let playable = game.playable(&board);
            let own = game.winning_cells(&board, mover) & playable;
            let threats = game.winning_cells(&board, mover.other()) & playable;
            let block = (threats.len() == 1 && own.is_empty() && playable.len() > 1)
                .then(|| Column((threats.lowest() / game.stride()) as u8));
            let column = match block {
                Some(right) if rng.unit() < TAKEN => return Exercise { state: board, right: vec![right] },
                Some(right) => right,
                None if rng.unit() < RANDOM => {
                    let open: Vec<Column> = game.actions(&board).collect();
                    *rng.choose(&open)
                }
                None => {
                    let judged = judge.judge(game, &board, &START);
                    Column(Judge::greedy(game, &judged).expect("a match that is not over has an open column"))
                }
            };
            game.apply(&mut board, column);
        }
    }
    let state = game.start();
    let right = game.actions(&state).collect();
    Exercise { state, right }
}
