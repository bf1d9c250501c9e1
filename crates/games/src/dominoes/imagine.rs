//! States that agree with a view: fills in the other hand, its draws and the boneyard.
//!
//! Exact: all worlds that agree with the seat's observations are equally likely (see `hand_counts`).

use arrayvec::ArrayVec;
use parlor_core::{BySeat, Imagine, Rng, Seat};

use super::Dominoes;
use super::hand_counts::{HandCounts, World};
use super::rules::Drawing;
use super::state::{Action, Log, State, Step};
use super::tile::TileSet;
use super::view::{Awaits, View};

impl Dominoes {
    /// Returns the tiles of which the other seat must hold one, where its turn implies that.
    pub(super) fn must_hold(&self, view: &View) -> Option<TileSet> {
        if view.awaits != Awaits::Other {
            return None;
        }
        match view.log.last() {
            // It is to lead, so it holds a stronger claim.
            None if self.lead_is_forced() => view.hand.strongest().map(TileSet::above),
            // This seat has passed, no tile can be drawn, and the stage continues.
            Some(event)
                if event.seat == view.seat
                    && event.action == Action::Pass
                    && view.boneyard <= self.rules.reserve =>
            {
                Some(view.board.fits())
            }
            _ => None,
        }
    }

    /// Returns the state of a world.
    pub(super) fn stand(&self, view: &View, world: &World) -> State {
        let (me, other) = (view.seat, view.seat.other());
        let mut drawn = world.drawn.iter();
        let log: Log = view
            .log
            .iter()
            .map(|event| {
                let mut event = *event;
                if event.action == Action::DrawHidden {
                    event.action = Action::Draw(*drawn.next().expect("a world has a tile for every draw"));
                }
                event
            })
            .collect();
        let mut hands = BySeat::default();
        hands[me] = view.hand;
        hands[other] = view.shown.unwrap_or(world.got - view.board.played());
        let mut state = State {
            hands,
            boneyard: self.all - hands[me] - hands[other] - view.board.played(),
            bones: view.boneyard,
            board: view.board,
            step: Step::Over,
            turn: Seat::FIRST,
            leader: view.leader,
            stage: view.stage,
            scores: view.scores,
            before: view.before,
            ended: view.ended,
            log,
        };
        self.resume(&mut state, view);
        state
    }

    /// Computes the next step of a state that was assembled from a view.
    fn resume(&self, state: &mut State, view: &View) {
        let mine = |step| (view.seat, step);
        (state.turn, state.step) = match view.awaits {
            Awaits::Lead => (Seat::FIRST, Step::Lead),
            Awaits::Deal => (Seat::FIRST, Step::Deal),
            Awaits::Play => mine(Step::Play),
            Awaits::Draw => mine(Step::Draw),
            Awaits::Pass => mine(Step::Pass),
            Awaits::Other => {
                state.turn = view.seat.other();
                let drew =
                    state.log.last().filter(|event| event.seat == state.turn).map(|event| event.action);
                match drew {
                    // It has drawn its one tile of this turn.
                    Some(Action::Draw(tile)) if self.rules.draw == Drawing::OneThenPlay => {
                        let fits = state.board.fits().contains(tile);
                        state.step = if fits { Step::Play } else { Step::Pass };
                    }
                    _ => self.set_step(state),
                }
                (state.turn, state.step)
            }
            Awaits::Over => {
                // The seat that acted last keeps the turn, unless a pass ended it.
                let last = view.log.last();
                let turn = last.map_or(Seat::FIRST, |event| match event.action {
                    Action::Pass => event.seat.other(),
                    _ => event.seat,
                });
                (turn, Step::Over)
            }
        };
    }
}

impl Imagine for Dominoes {
    /// Returns a state that agrees with `view`, each world equally likely; the guide's page explains the evidence of
    /// draws and passes.
    ///
    /// # Panics
    /// If no state has this view, which cannot happen for views from `view` and `read_view`.
    fn imagine(&self, view: &View, rng: &mut Rng) -> State {
        if view.awaits == Awaits::Over {
            return self.stand(view, &World { got: TileSet::EMPTY, drawn: ArrayVec::new() });
        }
        let worlds =
            HandCounts::of(self, view, TileSet::EMPTY, usize::MAX).expect("a view is the view of some state");
        let needed = self.must_hold(view);
        loop {
            let world = worlds.draw(rng);
            let held = world.got - view.board.played();
            if needed.is_none_or(|needed| !(held & needed).is_empty()) {
                return self.stand(view, &world);
            }
        }
    }
}
