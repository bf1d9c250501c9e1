//! The worlds of a view: every possible world, its history, and the places of its tiles.
//!
//! A hand that several orders of drawing lead to is one world: its future is the same.

use arrayvec::ArrayVec;
use parlor_core::{BlindWorlds, Game, HiddenThings, Imagine, ListWorlds, Phase, Retrace, Rng, Seat, Staged};

use super::Dominoes;
use super::hand_counts::{HandCounts, World};
use super::histories;
use super::listing::{self, WORLDS_PER_POLL};
use super::state::{Action, State};
use super::tile::{MAX_TILES, Tile, TileSet};
use super::view::{Awaits, View};

/// Steps of a search for histories for each that may be found.
const STEPS_PER_HISTORY: u32 = 16;

/// Places of a hidden tile.
const OTHER_HAND: usize = 0;
const BONEYARD: usize = 1;

impl ListWorlds for Dominoes {
    type Identity = <Dominoes as Staged>::Rest;

    /// Returns a world for every hand that the other seat can hold. Its draws are in one of the possible orders.
    ///
    /// # Panics
    /// If no state has this view, which cannot happen for views from `view` and `read_view`.
    fn worlds_while(&self, view: &View, most: usize, wanted: &dyn Fn() -> bool) -> Option<Vec<(State, f64)>> {
        if view.awaits == Awaits::Over {
            return (most > 0).then(|| vec![(self.imagine(view, &mut Rng::new(0)), 1.0)]);
        }
        let counts =
            HandCounts::of(self, view, TileSet::EMPTY, usize::MAX).expect("a view is the view of some state");
        let listed = listing::hands(&counts, self.must_hold(view), view.other, most, wanted)?;
        let total: f64 = listed.iter().map(|(_, ways)| ways).sum();
        let mut worlds = Vec::with_capacity(listed.len());
        for (hand, ways) in listed {
            if worlds.len().is_multiple_of(WORLDS_PER_POLL) && !wanted() {
                return None;
            }
            // The order of drawing in the world is random too, but always the same.
            let world = counts.holding(hand).draw(&mut Rng::new(0));
            worlds.push((self.stand(view, &world), ways / total));
        }
        Some(worlds)
    }

    /// Gives up after sixteen steps for each history that may be listed: where few of many deals agree with a view, finding them takes
    /// long.
    fn histories_while(
        &self,
        view: &View,
        most: usize,
        wanted: &dyn Fn() -> bool,
    ) -> Option<Vec<(State, f64)>> {
        if view.awaits == Awaits::Over {
            return self.worlds_while(view, most, wanted);
        }
        let counts =
            HandCounts::of(self, view, TileSet::EMPTY, usize::MAX).expect("a view is the view of some state");
        let hands = listing::hands(&counts, self.must_hold(view), view.other, most, wanted)?;
        let limits = (most, u32::try_from(most).unwrap_or(u32::MAX).saturating_mul(STEPS_PER_HISTORY));
        let found = histories::of(self, view, hands.into_iter().map(|(hand, _)| hand), limits, wanted)?;
        let odds = 1.0 / found.len() as f64;
        Some(found.iter().map(|world| (self.stand(view, world), odds)).collect())
    }

    fn identity(&self, world: &State) -> Self::Identity {
        self.rest(world)
    }
}

impl Dominoes {
    /// Returns the state in which the other seat holds `hand`; `rng` decides which of its tiles it drew.
    fn stand_blindly(&self, view: &View, hand: TileSet, rng: &mut Rng) -> State {
        let theirs = view.log.iter().filter(|event| event.seat != view.seat);
        let played = theirs.clone().filter_map(|event| match event.action {
            Action::Play(tile, _) => Some(tile),
            _ => None,
        });
        let mut got: ArrayVec<Tile, MAX_TILES> = hand.tiles().chain(played).collect();
        rng.shuffle(&mut got);
        let draws = theirs.filter(|event| event.action == Action::DrawHidden).count();
        let drawn = got.iter().copied().take(draws).collect();
        self.stand(view, &World { got: got.into_iter().collect(), drawn })
    }
}

impl BlindWorlds for Dominoes {
    /// Returns a state in which any of the unseen tiles are in the other hand, ignoring the evidence of its draws and
    /// passes.
    fn imagine_blindly(&self, view: &View, rng: &mut Rng) -> State {
        if view.awaits == Awaits::Over {
            return self.imagine(view, rng);
        }
        let mut unseen: ArrayVec<Tile, MAX_TILES> = view.unseen(&self.rules).tiles().collect();
        rng.shuffle(&mut unseen);
        let hand: TileSet = unseen[..usize::from(view.other)].iter().copied().collect();
        self.stand_blindly(view, hand, rng)
    }

    /// Returns a state for every set of unseen tiles of the size of the other hand.
    fn worlds_blindly(&self, view: &View, most: usize, wanted: &dyn Fn() -> bool) -> Option<Vec<State>> {
        if view.awaits == Awaits::Over {
            return (most > 0).then(|| vec![self.imagine(view, &mut Rng::new(0))]);
        }
        let unseen: ArrayVec<Tile, MAX_TILES> = view.unseen(&self.rules).tiles().collect();
        let held = usize::from(view.other);
        if listing::sets(unseen.len() as u8, view.other) > most as f64 {
            return None;
        }
        // The indices of the held tiles among the unseen ones, in order; the next set advances the last index that
        // can move.
        let mut places: ArrayVec<usize, MAX_TILES> = (0..held).collect();
        let mut worlds = Vec::new();
        loop {
            if worlds.len().is_multiple_of(WORLDS_PER_POLL) && !wanted() {
                return None;
            }
            let hand = places.iter().map(|&place| unseen[place]).collect();
            worlds.push(self.stand_blindly(view, hand, &mut Rng::new(0)));
            let Some(moves) = (0..held).rev().find(|&at| places[at] < unseen.len() - held + at) else {
                return Some(worlds);
            };
            places[moves] += 1;
            for at in moves + 1..held {
                places[at] = places[at - 1] + 1;
            }
        }
    }
}

impl Retrace for Dominoes {
    /// Replays the stage from its deal. Stops at an impossible event, as in a world imagined without evidence.
    fn retrace(&self, world: &State, mut visit: impl FnMut(&State, Seat, Action)) {
        let Some(leader) = world.leader.filter(|_| !world.log.is_empty()) else { return };
        let mut hands = world.hands;
        for event in world.log.iter().rev() {
            match event.action {
                Action::Play(tile, _) => hands[event.seat] |= tile.into(),
                Action::Draw(tile) => hands[event.seat] -= tile.into(),
                _ => {}
            }
        }
        let boneyard = self.all - hands[Seat::FIRST] - hands[Seat::SECOND];
        let mut state = State {
            hands,
            boneyard,
            bones: boneyard.len(),
            leader: Some(leader),
            stage: world.stage,
            scores: world.before,
            before: world.before,
            ended: world.ended,
            ..self.fresh()
        };
        self.begin(&mut state);
        for event in &world.log {
            let possible = state.turn == event.seat
                && match self.phase(&state) {
                    Phase::Decide(_) => self.actions(&state).any(|action| action == event.action),
                    Phase::Chance => {
                        matches!(event.action, Action::Draw(tile) if state.boneyard.contains(tile))
                    }
                    Phase::Over => false,
                };
            if !possible {
                return;
            }
            if self.phase(&state) != Phase::Chance {
                visit(&state, event.seat, event.action);
            }
            self.apply(&mut state, event.action);
        }
    }
}

impl HiddenThings for Dominoes {
    const PLACES: &'static [&'static str] = &["other hand", "boneyard"];

    fn hidden(&self, view: &View) -> Vec<String> {
        view.unseen(&self.rules).sorted().iter().map(Tile::to_string).collect()
    }

    fn place(&self, view: &View, world: &State, thing: usize) -> usize {
        let tile = view.unseen(&self.rules).sorted()[thing];
        if world.hands[view.seat.other()].contains(tile) { OTHER_HAND } else { BONEYARD }
    }
}
