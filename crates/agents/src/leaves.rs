//! What a search of a stage takes a position for where it stops: the result of a playout, or a learnt value.

use parlor_core::api::BuildContext;
use parlor_core::{Entry, Game, Objective, SpecError, Staged};

use crate::evaluation::{self, BuildViewValues, ViewValues};
use crate::playout::Playout;

/// What leaves are worth.
pub enum Leaves<G: Game> {
    /// How the stage ends if a policy plays on.
    Playout(Playout<G>),
    /// What has been learnt of what each seat knows.
    Learnt(Box<dyn ViewValues<G>>),
}

impl<G: Entry + Staged> Leaves<G> {
    /// Reads the keys of a search: a learnt value if `evaluation=` names one, else the policy of `playout=`; `None` with neither.
    ///
    /// # Errors
    /// If the game has no such model, or the file cannot be used here.
    pub fn read(
        context: &BuildContext<'_, G>,
        learnt: Option<BuildViewValues<G>>,
        objective: Objective,
    ) -> Result<Option<Self>, SpecError> {
        match learnt_of(context, learnt, objective)? {
            Some(learnt) => Ok(Some(learnt)),
            None => Ok(Playout::read(context)?.map(Leaves::Playout)),
        }
    }
}

/// Returns the learnt value that `evaluation=` names, if any.
///
/// # Errors
/// If the file cannot be used here, or its values are not what the search maximises.
pub fn learnt_of<G: Entry + Staged>(
    context: &BuildContext<'_, G>,
    learnt: Option<BuildViewValues<G>>,
    objective: Objective,
) -> Result<Option<Leaves<G>>, SpecError> {
    let &BuildContext { game, settings, .. } = context;
    let Some(values) = learnt.map_or(Ok(None), |build| build(game, settings))? else { return Ok(None) };
    if game.lead_of_result(objective, 0.0).is_none() {
        return Err(settings.together(format!(
            "the values of {} are results of the contest, so they need objective=contest",
            evaluation::KEY.name
        )));
    }
    Ok(Some(Leaves::Learnt(values)))
}
