//! Counting action sequences: the classic test of a move generator.

use crate::rules::game::{Game, Phase};

/// Returns, for each length 1 … `depth`, the number of action sequences of that length from `state`.
///
/// Actions of chance are plies like any other. With `join_chance`, an action and the outcome that chance adds to it
/// are one ply together (a flip in dark chess). A finished match has no longer sequences. The last ply is counted, not
/// played.
pub fn perft<G: Game>(game: &G, state: &G::State, depth: usize, join_chance: bool) -> Vec<u64> {
    let mut counts = vec![0; depth];
    if depth > 0 {
        walk(game, state, &mut counts, join_chance);
    }
    counts
}

/// Adds the sequences from `state` to `counts`, whose first entry is for the next ply.
fn walk<G: Game>(game: &G, state: &G::State, counts: &mut [u64], join_chance: bool) {
    match game.phase(state) {
        Phase::Over => {}
        Phase::Decide(_) => {
            let actions = game.actions(state);
            if counts.len() == 1 && !join_chance {
                counts[0] += actions.len() as u64;
                return;
            }
            for action in actions {
                let mut next = state.clone();
                game.apply(&mut next, action);
                if join_chance && game.phase(&next) == Phase::Chance {
                    // The outcome makes the ply, not the decision.
                    walk(game, &next, counts, join_chance);
                } else {
                    deeper(game, &next, counts, join_chance);
                }
            }
        }
        Phase::Chance if counts.len() == 1 => counts[0] += game.chances(state).count() as u64,
        Phase::Chance => {
            for (outcome, _) in game.chances(state) {
                let mut next = state.clone();
                game.apply(&mut next, outcome);
                deeper(game, &next, counts, join_chance);
            }
        }
    }
}

/// Counts the ply that led to `next` and continues from there.
fn deeper<G: Game>(game: &G, next: &G::State, counts: &mut [u64], join_chance: bool) {
    counts[0] += 1;
    if counts.len() > 1 {
        walk(game, next, &mut counts[1..], join_chance);
    }
}
