//! The features by which `columns` judges the columns of connect.

use parlor_core::api::{ApiError, BuildContext, Hosted};
use parlor_core::text::spec::SpecError;
use parlor_core::{FeatureInfo, Game, Notation, Position, Settings, Spec};
use parlor_games::bits::Word;
use parlor_games::connect::Connect;
use parlor_games::connect::columns::{self, DescribedColumn};

/// A game whose columns have features.
pub trait AnyColumnFeatures {
    /// Returns the features in their order.
    fn info(&self) -> &'static [FeatureInfo];

    /// Returns features, sum and value of every column from the left, for the seat to move; `None` for a full one. `agent` is a spec of
    /// `columns`: its weights and its look-ahead count.
    ///
    /// # Errors
    /// If the text is not a position of the game, or the agent is not `columns`.
    fn describe(&self, position: Option<&str>, agent: &str)
    -> Result<Vec<Option<DescribedColumn>>, ApiError>;
}

impl<W: Word> AnyColumnFeatures for Hosted<Connect<W>> {
    fn info(&self) -> &'static [FeatureInfo] {
        &columns::INFO
    }

    fn describe(
        &self,
        position: Option<&str>,
        agent: &str,
    ) -> Result<Vec<Option<DescribedColumn>>, ApiError> {
        let game = self.game();
        let board = match position.map(|text| game.read_position(text.trim())).transpose()? {
            None => game.start(),
            Some(Position::State(board) | Position::View(board)) => board,
        };
        let spec = Spec::parse(agent)?;
        if spec.name != columns::NAME {
            let known = vec![columns::NAME.to_owned()];
            let kind = "agent that looks at columns".to_owned();
            return Err(SpecError::Name { kind, name: spec.name, known }.into());
        }
        let settings = Settings::read(&spec, columns::KEYS)?;
        let learner = columns::build(&BuildContext::new(game, &settings, &[]))?;
        Ok(learner.describe(game, &board))
    }
}
