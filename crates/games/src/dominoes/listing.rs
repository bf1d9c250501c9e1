//! The worlds of a view one by one: every hand that the other seat can hold, with its odds.
//!
//! The tiles that were never played fall into kinds that nothing has told apart (see `worlds`), so hands are counted by how
//! many tiles of each kind they have before any is written down. A hand that came about in several orders of drawing is one
//! world: from now on everything goes on alike.

use arrayvec::ArrayVec;
use parlor_core::{Game, Imagine, Phase, Rng, Seat, Worlds};

use super::Dominoes;
use super::state::{Action, State};
use super::tile::{MAX_TILES, Tile, TileSet};
use super::view::{Awaits, View};
use super::worlds::{self, World};

/// Where a hidden tile can be.
const OTHER_HAND: usize = 0;
const BONEYARD: usize = 1;

/// So many worlds are written down between one question whether they are still wanted and the next.
const ASKED_EVERY: usize = 64;

/// Tiles that are alike in what was seen of them.
#[derive(Copy, Clone, Debug)]
struct Alike {
    tiles: TileSet,
    /// The first class that they fit.
    class: usize,
    /// Whether the other seat must hold a tile of such a kind.
    needed: bool,
}

/// The hands that the other seat can hold.
struct Hands<'a> {
    worlds: &'a worlds::Worlds,
    kinds: ArrayVec<Alike, { 2 * MAX_TILES }>,
    /// Whether one of the needed tiles must be held.
    needs: bool,
    /// So many hands may be listed.
    most: f64,
    /// Whether the list is still wanted.
    wanted: &'a dyn Fn() -> bool,
    /// How many there are so far.
    count: f64,
    /// The numbers of each kind that are possible, with the ways of each single hand.
    found: Vec<(ArrayVec<u8, { 2 * MAX_TILES }>, f64)>,
}

/// Returns how many sets of `k` there are among `n` tiles.
fn sets(n: u8, k: u8) -> f64 {
    (0..k).fold(1.0, |ways, i| ways * f64::from(n - i) / f64::from(i + 1))
}

impl<'a> Hands<'a> {
    fn of(
        worlds: &'a worlds::Worlds,
        needed: Option<TileSet>,
        most: usize,
        wanted: &'a dyn Fn() -> bool,
    ) -> Hands<'a> {
        let tiles_needed = needed.unwrap_or(TileSet::EMPTY);
        let mut kinds = ArrayVec::new();
        for (tiles, class) in worlds.kinds() {
            for (tiles, needed) in [(tiles & tiles_needed, true), (tiles - tiles_needed, false)] {
                if !tiles.is_empty() {
                    kinds.push(Alike { tiles, class, needed });
                }
            }
        }
        Hands {
            worlds,
            kinds,
            needs: needed.is_some(),
            most: most as f64,
            wanted,
            count: 0.0,
            found: Vec::new(),
        }
    }

    /// Finds the numbers of each kind from kind `numbers.len()` on, for `left` more tiles. Returns whether there is still
    /// room on the list.
    fn find(&mut self, numbers: &mut ArrayVec<u8, { 2 * MAX_TILES }>, left: u8) -> bool {
        let Some(kind) = self.kinds.get(numbers.len()) else {
            return left > 0 || self.keep(numbers);
        };
        for number in 0..=left.min(kind.tiles.len()) {
            numbers.push(number);
            let room = self.find(numbers, left - number);
            numbers.pop();
            if !room {
                return false;
            }
        }
        true
    }

    fn keep(&mut self, numbers: &ArrayVec<u8, { 2 * MAX_TILES }>) -> bool {
        let held = || self.kinds.iter().zip(numbers.iter().copied());
        if self.needs && !held().any(|(kind, number)| kind.needed && number > 0) {
            return true;
        }
        let ways = self.worlds.ways_of_a_hand(held().map(|(kind, number)| (kind.class, number)));
        if ways > 0.0 {
            self.count += held().map(|(kind, number)| sets(kind.tiles.len(), number)).product::<f64>();
            self.found.push((numbers.clone(), ways));
        }
        let asked = !self.found.len().is_multiple_of(ASKED_EVERY) || (self.wanted)();
        self.count <= self.most && asked
    }

    /// Writes down every hand with so many tiles of each kind.
    fn write(&self, numbers: &[u8], hand: TileSet, hands: &mut Vec<TileSet>) {
        let Some((&number, rest)) = numbers.split_first() else {
            hands.push(hand);
            return;
        };
        let kind = self.kinds[self.kinds.len() - numbers.len()];
        each_subset(kind.tiles, number, hand, &mut |hand| self.write(rest, hand, hands));
    }
}

/// Calls `visit` with `hand` and each set of `number` of the tiles.
fn each_subset(tiles: TileSet, number: u8, hand: TileSet, visit: &mut impl FnMut(TileSet)) {
    if number == 0 {
        visit(hand);
        return;
    }
    let mut rest = tiles;
    for tile in tiles.tiles() {
        if rest.len() < number {
            break;
        }
        rest -= tile.into();
        each_subset(rest, number - 1, hand | tile.into(), visit);
    }
}

impl Dominoes {
    /// Returns the state in which the other seat holds `hand`; which of its tiles it drew comes from `rng`.
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

impl Worlds for Dominoes {
    const PLACES: &'static [&'static str] = &["other hand", "boneyard"];

    /// Returns a world for every hand that the other seat can hold. Its draws stand in one of the orders that are possible.
    ///
    /// # Panics
    /// If no state has this view: for a view that neither `view` nor `read_view` made.
    fn worlds_while(&self, view: &View, most: usize, wanted: &dyn Fn() -> bool) -> Option<Vec<(State, f64)>> {
        if view.awaits == Awaits::Over {
            return (most > 0).then(|| vec![(self.imagine(view, &mut Rng::new(0)), 1.0)]);
        }
        let counted = worlds::Worlds::of(self, view, TileSet::EMPTY, usize::MAX)
            .expect("a view is the view of some state");
        let mut hands = Hands::of(&counted, self.must_hold(view), most, wanted);
        if !hands.find(&mut ArrayVec::new(), view.other) {
            return None;
        }
        let mut listed = Vec::with_capacity(hands.count as usize);
        let mut of_these_numbers = Vec::new();
        for (numbers, ways) in &hands.found {
            hands.write(numbers, TileSet::EMPTY, &mut of_these_numbers);
            listed.extend(of_these_numbers.drain(..).map(|hand| (hand, *ways)));
        }
        let total: f64 = listed.iter().map(|(_, ways)| ways).sum();
        let mut worlds = Vec::with_capacity(listed.len());
        for (hand, ways) in listed {
            if worlds.len().is_multiple_of(ASKED_EVERY) && !wanted() {
                return None;
            }
            // Which of the possible orders of drawing stands in the world is drawn too, but always the same.
            let world = counted.holding(hand).draw(&mut Rng::new(0));
            worlds.push((self.stand(view, &world), ways / total));
        }
        Some(worlds)
    }

    /// Returns a state in which any of the unseen tiles are in the other hand, whatever its draws and passes tell.
    fn imagine_blindly(&self, view: &View, rng: &mut Rng) -> State {
        if view.awaits == Awaits::Over {
            return self.imagine(view, rng);
        }
        let mut unseen: ArrayVec<Tile, MAX_TILES> = view.unseen(&self.rules).tiles().collect();
        rng.shuffle(&mut unseen);
        let hand: TileSet = unseen[..usize::from(view.other)].iter().copied().collect();
        self.stand_blindly(view, hand, rng)
    }

    /// Returns a state for every set of unseen tiles that is as large as the other hand.
    fn worlds_blindly(&self, view: &View, most: usize, wanted: &dyn Fn() -> bool) -> Option<Vec<State>> {
        if view.awaits == Awaits::Over {
            return (most > 0).then(|| vec![self.imagine(view, &mut Rng::new(0))]);
        }
        let unseen: ArrayVec<Tile, MAX_TILES> = view.unseen(&self.rules).tiles().collect();
        let held = usize::from(view.other);
        if sets(unseen.len() as u8, view.other) > most as f64 {
            return None;
        }
        // The places of the held tiles among the unseen ones, in order; the next set moves the last place that can move.
        let mut places: ArrayVec<usize, MAX_TILES> = (0..held).collect();
        let mut worlds = Vec::new();
        loop {
            if worlds.len().is_multiple_of(ASKED_EVERY) && !wanted() {
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

    /// Plays the stage again from its deal. Stops where something cannot have happened, as in a world that was imagined
    /// blindly.
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

    fn hidden(&self, view: &View) -> Vec<String> {
        view.unseen(&self.rules).sorted().iter().map(Tile::to_string).collect()
    }

    fn place(&self, view: &View, world: &State, thing: usize) -> usize {
        let tile = view.unseen(&self.rules).sorted()[thing];
        if world.hands[view.seat.other()].contains(tile) { OTHER_HAND } else { BONEYARD }
    }
}
