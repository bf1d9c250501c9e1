//! The learner's values of what seats know, for searches of worlds.

use parlor_core::{Afterstates, Phase, Seat, Settings, SpecError};
use parlor_ml::Entries;

use super::{keys, positions::table_of};
use crate::evaluation::{LastChoice, ViewValue, ViewValues};

/// A table that values actions by what their seats know.
struct Views<G: Afterstates> {
    layout: G::Layout,
    table: Entries,
    scratch: G::Scratch,
    actions: Vec<G::Action>,
    sums: Vec<f32>,
}

impl<G: Afterstates> Views<G> {
    /// Returns the value of the best of the actions for the seat that decides among them.
    fn best(&mut self, game: &G, view: &G::View) -> f64 {
        game.sums(&self.layout, &mut self.scratch, self.table.weights(), view, &self.actions, &mut self.sums);
        let best = self.sums.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        f64::from(libm::tanhf(best))
    }

    /// Returns the value of the seat to move, if it has a choice: that of the action it likes best.
    fn best_ahead(&mut self, game: &G, state: &G::State) -> Option<(Seat, f64)> {
        let Phase::Decide(mover) = game.phase(state) else { return None };
        self.actions.clear();
        self.actions.extend(game.actions(state));
        let view = game.view(state, mover);
        if let &[only] = self.actions.as_slice()
            && !game.is_choice(&view, only)
        {
            return None;
        }
        Some((mover, self.best(game, &view)))
    }

    /// Returns the value of what a seat has done, if it was a choice.
    fn done(&mut self, game: &G, (state, seat, action): LastChoice<'_, G>) -> Option<f64> {
        let view = game.view(state, seat);
        if !game.is_choice(&view, action) {
            return None;
        }
        self.actions.clear();
        self.actions.push(action);
        Some(self.best(game, &view))
    }
}

impl<G: Afterstates> ViewValues<G> for Views<G> {
    /// The seat that has just moved judges what it has done, and the seat to move judges what it would do. Each leaves out what only the other
    /// one knows, so the value is the mean of both. A seat that decides twice in a row judges alone.
    fn value(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        last: Option<LastChoice<'_, G>>,
    ) -> ViewValue {
        let for_seat = |whose: Seat, value: f64| if whose == seat { value } else { -value };
        let mover = self.best_ahead(game, state);
        let mut effort = if mover.is_some() { self.actions.len() as u64 } else { 0 };
        let last = last.filter(|&(_, waits, _)| mover.is_none_or(|(mover, _)| mover != waits));
        let done = last.and_then(|last| Some((last.1, self.done(game, last)?)));
        effort += u64::from(done.is_some());
        let value = match (mover, done) {
            (Some((mover, to_do)), Some((waits, done))) => {
                0.5 * (for_seat(mover, to_do) + for_seat(waits, done))
            }
            (Some((whose, value)), None) | (None, Some((whose, value))) => for_seat(whose, value),
            (None, None) => 0.0,
        };
        ViewValue { value, effort }
    }
}

/// Returns the values of the table that the settings of a search select; `None` if they select none. `shipped` is the knowledge
/// embedded in the program for this game.
///
/// # Errors
/// If the file cannot be used here.
pub fn view_values<G: Afterstates>(
    game: &G,
    settings: &Settings,
    shipped: Option<&[u8]>,
) -> Result<Option<Box<dyn ViewValues<G>>>, SpecError> {
    let Some((layout, table)) = table_of(game, settings, keys::<G>(), shipped)? else { return Ok(None) };
    let (scratch, actions, sums) = (G::Scratch::default(), Vec::new(), Vec::new());
    Ok(Some(Box::new(Views { layout, table, scratch, actions, sums })))
}
