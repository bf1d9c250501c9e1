//! What a table shows to the people at it, and exact answers to what they may know.

use crate::play::outcome::Actor;
use crate::play::solve::{Progress, Resources};
use crate::rules::cells::Place;
use crate::rules::seat::Seat;
use crate::small_sort::small_sort;
use crate::text::notation::{Ink, Notation, Position};
use crate::text::people::{Ended, Happening, Sketch, Told};
use crate::text::spec::Entry;

use super::ApiError;
use super::hosted::hides_nothing;
use super::table::Table;

/// Something that a seat saw happen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableEvent {
    /// Who did it.
    pub actor: Actor,
    /// The action's text, as the seat saw it.
    pub action: String,
    /// What happened in words; `None` for what a person does not want to read about unasked, such as a deal.
    pub told: Option<Told>,
    /// A drawing of what may be seen because a stage or the match has ended with it.
    pub reveal: Option<String>,
    /// Where the action lies on the grid; `None` for what chance does, for what the seat saw only in part, and in games without cells.
    pub place: Option<Place>,
}

/// The exact value of every action to a seat.
#[derive(Clone, PartialEq, Debug)]
pub struct ExactValues {
    /// What values count.
    pub unit: &'static str,
    /// The actions, best first.
    pub values: Vec<(String, f64)>,
}

/// A table as the people at it see it. Everything comes from a seat's view and from what it has seen; what was hidden appears
/// when its stage or the match has ended.
pub trait PeopleTable {
    /// Returns what `seat` has seen happen, without the first `from` of it; `ink` is for what is revealed.
    fn events(&self, seat: Seat, from: usize, ink: Ink) -> Vec<TableEvent>;

    /// Returns a drawing of what `seat` sees, its own side at the bottom; `marked` are texts of actions that it has marked.
    fn draw_for(&self, seat: Seat, ink: Ink, marked: &[String]) -> String;

    /// Returns the score and other facts beside the board for the person in `seat`, in one line.
    fn status_for(&self, seat: Seat) -> String;

    /// Returns the position text of what `seat` sees, where the game's position form can express it.
    fn position(&self, seat: Seat) -> Option<String>;

    /// Returns what `seat` plays with, such as `X` or `red`; `None` if that has no name, or none yet.
    fn side(&self, seat: Seat, ink: Ink) -> Option<String>;

    /// Returns the points of `seat` and of the other one, in games that count points.
    fn points(&self, seat: Seat) -> Option<[u32; 2]>;

    /// Returns the actions that the person in `seat` may mark on the board.
    fn markable(&self, seat: Seat) -> Vec<String>;

    /// Returns the exact value of every action of `seat`, which is to move. The solver is given what the seat knows and nothing else.
    ///
    /// # Errors
    /// If there is no solver, it is not the seat's turn, or the answer is out of reach from what the seat knows or no longer wanted.
    fn exact_values(
        &self,
        seat: Seat,
        means: &Resources,
        progress: &mut Progress<'_>,
    ) -> Result<ExactValues, ApiError>;
}

impl<G: Entry + Notation> Table<G> {
    fn view(&self, seat: Seat) -> G::View {
        self.game.view(self.state(), seat)
    }

    fn event(&self, number: usize, seat: Seat, ink: Ink) -> Option<TableEvent> {
        let (actor, action) = self.actions[number];
        let (before, after) = (&self.states[number], &self.states[number + 1]);
        let seen = self.game.seen(before, action, seat)?;
        let views = [before, after].map(|state| self.game.view(state, seat));
        let told =
            self.game.tell(&Happening { seat, before: &views[0], actor, action: seen, after: &views[1] });
        let reveal = self.game.reveal(&Ended { before, action, after }, &Sketch { seat, ink, marked: &[] });
        let place = self
            .cells
            .filter(|_| actor != Actor::Chance && seen == action)
            .map(|cells| (cells.place)(&self.game, &views[0], seen));
        Some(TableEvent { actor, action: self.game.write_action(seen), told, reveal, place })
    }
}

impl<G: Entry + Notation> PeopleTable for Table<G> {
    fn events(&self, seat: Seat, from: usize, ink: Ink) -> Vec<TableEvent> {
        let seen = |&number: &usize| {
            let (_, action) = self.actions[number];
            self.game.seen(&self.states[number], action, seat).is_some()
        };
        let new = (0..self.actions.len()).filter(seen).skip(from);
        new.filter_map(|number| self.event(number, seat, ink)).collect()
    }

    fn draw_for(&self, seat: Seat, ink: Ink, marked: &[String]) -> String {
        let marked: Vec<G::Action> =
            marked.iter().filter_map(|text| self.game.read_action(text).ok()).collect();
        self.game.draw_for(&self.view(seat), &Sketch { seat, ink, marked: &marked })
    }

    fn status_for(&self, seat: Seat) -> String {
        self.game.status_for(&self.view(seat), seat)
    }

    fn position(&self, seat: Seat) -> Option<String> {
        self.game.write_position(&self.view(seat))
    }

    fn side(&self, seat: Seat, ink: Ink) -> Option<String> {
        self.game.side(&self.view(seat), seat, ink)
    }

    fn points(&self, seat: Seat) -> Option<[u32; 2]> {
        self.game.points(&self.view(seat), seat)
    }

    fn markable(&self, seat: Seat) -> Vec<String> {
        let actions = self.game.markable(&self.view(seat));
        actions.into_iter().map(|action| self.game.write_action(action)).collect()
    }

    fn exact_values(
        &self,
        seat: Seat,
        means: &Resources,
        progress: &mut Progress<'_>,
    ) -> Result<ExactValues, ApiError> {
        let mover = self.mover()?;
        if mover != seat {
            return Err(ApiError::OtherSeatToMove { seat: mover });
        }
        let build = self.solver.ok_or(ApiError::NoSolver { game: G::NAME })?;
        // Where nothing is hidden, the state is what the seat sees.
        let position = if hides_nothing::<G>() {
            Position::State(self.state().clone())
        } else {
            Position::View(self.view(seat))
        };
        let mut solver = build(&self.game, means);
        let values = solver.values(&self.game, &position, progress)?;
        let mut values: Vec<(String, f64)> =
            values.into_iter().map(|(action, value)| (self.game.write_action(action), value)).collect();
        small_sort(&mut values, |a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)).is_lt());
        Ok(ExactValues { unit: solver.unit(), values })
    }
}
