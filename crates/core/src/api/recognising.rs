//! Counting how often agents recognise their opponents.

use crate::files::saved::Recognised;
use crate::play::stepper::{Seated, Seats};
use crate::rules::game::Game;
use crate::rules::seat::Seat;

use super::team::TeamSeats;

/// The seats of a match; the types that agents name are compared with who sits there.
pub(super) struct RecognisingSeats<'a, G: Game> {
    pub(super) seats: TeamSeats<'a, G>,
    pub(super) game: &'a G,
    /// The full form of each seat's agent.
    pub(super) specs: Vec<&'a str>,
    /// The count of each seat; empty until an agent names types.
    pub(super) counts: Vec<Recognised>,
}

impl<G: Game> Seats<G> for RecognisingSeats<'_, G> {
    fn seated(&mut self, seat: Seat) -> Option<Seated<'_, G>> {
        self.seats.seated(seat)
    }

    fn mover_and_ponderer(&mut self, seat: Seat) -> (Option<Seated<'_, G>>, Option<Seated<'_, G>>) {
        self.seats.mover_and_ponderer(seat)
    }

    fn decided(&mut self, seat: Seat, _: &G::View, legal: &[G::Action], _: G::Action) {
        if legal.len() < 2 || self.specs.len() < 2 {
            return;
        }
        let game = self.game;
        let Some(types) = self.seats.seated(seat).and_then(|mut player| player.opponent_types(game)) else {
            return;
        };
        let likeliest =
            types.iter().reduce(|best, kind| if kind.probability > best.probability { kind } else { best });
        let opponent = self.specs[seat.other().index()];
        let right = likeliest.is_some_and(|kind| kind.agent.as_deref() == Some(opponent));
        self.counts.resize(self.specs.len(), Recognised::default());
        self.counts[seat.index()] += Recognised { turns: 1, right: u64::from(right) };
    }
}
