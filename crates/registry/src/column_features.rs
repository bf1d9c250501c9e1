//! The features by which `columns` judges the columns of connect, and its judgement of boards for searches.

use std::sync::Arc;

use parlor_agents::evaluation::{self, LearntValue};
use parlor_core::api::{ApiError, BuildContext, Hosted};
use parlor_core::files::knowledge::Knowledge;
use parlor_core::files::recall;
use parlor_core::text::spec::SpecError;
use parlor_core::{FeatureInfo, Game, Notation, Position, Settings, Spec};
use parlor_games::bits::Word;
use parlor_games::connect::Board;
use parlor_games::connect::Connect;
use parlor_games::connect::columns::{self, BoardValue, DescribedColumn};

use crate::learnt_values;

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

/// The judgement of boards by `columns(rule=td)`.
struct LearntColumns<W>(BoardValue<W>);

impl<W: Word> LearntValue<Connect<W>> for LearntColumns<W> {
    fn value(&self, game: &Connect<W>, board: &Board<W>) -> f32 {
        self.0.of(game, board)
    }
}

/// Returns the values that `evaluation=` selects in connect: of `columns` if the file is one of its, otherwise of `ntuple`.
///
/// # Errors
/// If the file cannot be used.
pub(crate) fn learnt_value<W: Word>(
    game: &Connect<W>,
    settings: &Settings,
) -> Result<Option<Arc<dyn LearntValue<Connect<W>>>>, SpecError> {
    let file = settings.text(evaluation::KEY.name);
    let is_path = ![recall::NO_FILE, recall::SHIPPED].contains(&file);
    let learner = is_path.then(|| Knowledge::open(file.as_ref()).ok()).flatten();
    if learner.is_none_or(|found| Spec::bare_name(&found.about.learner) != columns::NAME) {
        return learnt_values::ntuple_value(game, settings);
    }
    let pair = |key: &str, of: &str| (key.to_owned(), settings.text(of).to_owned());
    let pairs = vec![
        pair(recall::FILE.name, evaluation::KEY.name),
        pair(recall::CHECKSUM.name, evaluation::CHECKSUM.name),
    ];
    let own = Settings::read(&Spec { name: columns::NAME.to_owned(), pairs }, columns::KEYS)?;
    Ok(Some(Arc::new(LearntColumns(BoardValue::read(game, &own)?))))
}
