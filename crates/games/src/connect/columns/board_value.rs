//! What the weights of `rule=td` say about whole boards, for searches.

use parlor_core::files::recall::recall;
use parlor_core::{Settings, SpecError};

use super::keys::{self, KEYS, NAME, Rule};
use super::saved::{self, Saved};
use super::td::{self, After, TdRule};
use super::value::Judge;
use super::{Board, Connect, Windows};
use crate::board::bits::Word;

/// Judges boards with learnt weights.
pub struct BoardValue<W> {
    judge: Judge<W>,
    rule: TdRule,
    saved: Saved,
}

impl<W: Word> BoardValue<W> {
    /// Reads the weights from the file of a learner with `rule=td`. The settings are those of `columns`.
    ///
    /// # Errors
    /// If the file cannot be used, or the learner has another rule, whose weights judge columns and no boards.
    pub fn read(game: &Connect<W>, settings: &Settings) -> Result<Self, SpecError> {
        let recalled = recall(settings, NAME, KEYS, None)?;
        let parts = keys::read(&recalled.settings, game.width())?;
        let Rule::Td(rule) = parts.rule else {
            return Err(
                settings.together("with rule=printed weights judge single columns; boards need rule=td")
            );
        };
        let saved = match recalled.payload {
            None => Saved::new(parts.weights),
            Some(payload) => saved::from_bytes(&payload).map_err(|error| settings.unusable("file", error))?,
        };
        Ok(BoardValue { judge: Judge { windows: Windows::new(game), ahead: parts.ahead }, rule, saved })
    }

    /// Returns what a board is worth to the side to move, from −1 to 1. The match is not over.
    #[must_use]
    pub fn of(&self, game: &Connect<W>, board: &Board<W>) -> f32 {
        let after = After::Open(td::sums(&self.judge, game, board));
        let worth = td::worth(&after, &self.saved.weights, self.saved.tempo);
        -libm::tanh(self.rule.scale * worth) as f32
    }
}
