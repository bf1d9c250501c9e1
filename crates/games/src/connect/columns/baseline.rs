//! The baseline: takes a win, blocks a loss, and otherwise drops near the middle. The source does not say more about its own.

use parlor_core::{Agent, Context, Decision, Policy};

use crate::board::bits::Word;
use crate::connect::{Column, Connect};

/// A player of one rule.
#[derive(Copy, Clone, Debug, Default)]
pub struct Baseline;

impl Baseline {
    /// Writes how likely each action is, up to a factor, and returns the sum.
    fn odds<W: Word>(decision: &Decision<'_, Connect<W>>, odds: &mut Vec<f64>) -> f64 {
        let Decision { game, seat, view, actions } = *decision;
        let playable = game.playable(view);
        let column_of = |cells: W| (!cells.is_empty()).then(|| (cells.lowest() / game.stride()) as u8);
        let forced = [seat, seat.other()]
            .into_iter()
            .find_map(|side| column_of(game.winning_cells(view, side) & playable));
        odds.clear();
        odds.extend(actions.iter().map(|&Column(column)| match forced {
            Some(forced) => f64::from(u8::from(column == forced)),
            // Each column towards the middle weighs one more.
            None => f64::from(column.min(game.width() - 1 - column) + 1),
        }));
        odds.iter().sum()
    }
}

impl<W: Word> Agent<Connect<W>> for Baseline {
    fn act(&mut self, decision: &Decision<'_, Connect<W>>, context: &mut Context<'_, Connect<W>>) -> Column {
        let mut odds = Vec::with_capacity(decision.actions.len());
        let total = Baseline::odds(decision, &mut odds);
        let drawn = context.rng.by_weight(total, decision.actions.iter().copied().zip(odds));
        drawn.expect("a decision offers at least one action")
    }
}

impl<W: Word> Policy<Connect<W>> for Baseline {
    fn weigh(&mut self, decision: &Decision<'_, Connect<W>>, weights: &mut Vec<f64>) {
        let total = Baseline::odds(decision, weights);
        weights.iter_mut().for_each(|weight| *weight /= total);
    }
}
