//! Counts of the worlds that agree with a view.
//!
//! A world is a complete deal: the other seat's first hand and the tile of each of its draws, in order. All worlds
//! that agree with the seat's observations are equally likely, because chance gave each of them the same probability.
//! They are counted, not enumerated:
//!
//! 1. The other seat acquired its tiles in **classes**: the first hand, then each draw. When it drew or passed, no
//!    tile that it held fitted the open ends. So each class has a set of tiles that may belong to it; a played tile
//!    belongs to a class from before its play.
//! 2. Classes with equal sets are merged into one with more room; the order of draws within it is a shuffle.
//! 3. For tiles that were never played the sets are nested: a later class has been through fewer tests. Filling the
//!    classes in time order, each has `C(fitting − used, room)` ways, whichever tiles were used before.
//! 4. Dynamic programming over the room taken in each class sums over the played tiles, few of which have more than
//!    one possible class.

use arrayvec::ArrayVec;
use parlor_core::{Rng, Seat};

use super::Dominoes;
use super::board::Board;
use super::state::Action;
use super::tile::{MAX_TILES, Tile, TileSet};
use super::view::View;

/// The first hand and every draw.
const MAX_CLASSES: usize = MAX_TILES + 1;

/// Tiles that the other seat acquired under the same conditions.
#[derive(Clone, Debug)]
struct Class {
    /// The tiles that may be among them.
    may: TileSet,
    /// Number of tiles.
    size: u8,
}

/// A played tile of the other seat with more than one possible class.
#[derive(Copy, Clone, Debug)]
struct Loose {
    tile: Tile,
    /// The possible classes, as bits.
    from: u64,
}

/// The conclusions of a seat about the other hand, prepared for counting and drawing worlds.
#[derive(Clone, Debug)]
pub(super) struct HandCounts {
    classes: ArrayVec<Class, MAX_CLASSES>,
    /// The class of each draw of the other seat, in order.
    draws: ArrayVec<u8, MAX_TILES>,
    /// The class of each played tile with a single possible class.
    fixed: ArrayVec<(Tile, u8), MAX_TILES>,
    loose: ArrayVec<Loose, MAX_TILES>,
    /// Room left in each class after the fixed tiles.
    room: ArrayVec<u8, MAX_CLASSES>,
    /// Tiles of the other seat or the boneyard that were never played.
    hidden: TileSet,
    /// `layers[i]` counts the ways in which the first `i` loose tiles take room, by the room taken in each class.
    layers: Vec<Vec<f64>>,
    /// Distance between two layer entries that differ by one tile in a class; 0 for a class without loose tiles.
    strides: ArrayVec<usize, MAX_CLASSES>,
    /// The largest number of loose tiles in each class.
    limits: ArrayVec<usize, MAX_CLASSES>,
    /// For each entry of the last layer, the running sum of its ways times those of the hidden tiles.
    sums: Vec<f64>,
}

/// Errors of counting worlds.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum CountError {
    /// No world agrees with the view.
    NoWorld,
    /// Counting needs to store more numbers than allowed.
    TooMany,
}

/// A world: the tiles that the other seat received.
pub(super) struct World {
    /// The tiles that it was dealt and drew, including those that it has played.
    pub got: TileSet,
    /// The tiles that it drew, in order.
    pub drawn: ArrayVec<Tile, MAX_TILES>,
}

/// Returns the number of ways to choose `k` of `n`.
fn choose(n: u8, k: u8) -> f64 {
    if k > n {
        return 0.0;
    }
    // Each division is exact, and 55 over 27 is below 2^53.
    (0..k.min(n - k)).fold(1.0, |ways, i| ways * f64::from(n - i) / f64::from(i + 1))
}

impl HandCounts {
    /// Returns the worlds that agree with a view and in which the other seat holds none of `lacks` now. The match
    /// must not have ended.
    ///
    /// # Errors
    /// If there is no such world, or counting them needs to store more than `most` numbers.
    pub(super) fn of(
        game: &Dominoes,
        view: &View,
        lacks: TileSet,
        most: usize,
    ) -> Result<HandCounts, CountError> {
        let mut counts = Self::sort(game, view, lacks).ok_or(CountError::NoWorld)?;
        counts.count_loose(most)?;
        counts.count_all();
        if counts.total() > 0.0 { Ok(counts) } else { Err(CountError::NoWorld) }
    }

    /// Steps 1 and 2. Sorts tiles into classes; `None` if a played tile has no possible class.
    fn sort(game: &Dominoes, view: &View, lacks: TileSet) -> Option<HandCounts> {
        let me = view.seat;
        let plays = |seat: Seat| {
            view.log.iter().filter(move |event| event.seat == seat).filter_map(|event| match event.action {
                Action::Play(tile, _) => Some(tile),
                _ => None,
            })
        };
        let mine = view.hand | plays(me).collect();
        let theirs: TileSet = plays(me.other()).collect();
        let pool = game.all - mine;
        let draws = view.log.iter().filter(|event| event.seat != me && event.action == Action::DrawHidden);
        let first = (view.other + theirs.len()).checked_sub(draws.count() as u8)?;

        // Step 1. The tests that each class has been through.
        let mut tested: ArrayVec<Class, MAX_CLASSES> = ArrayVec::new();
        let may = pool - Self::ruled_out_by_the_lead(game, view);
        tested.push(Class { may, size: first });
        let mut board = Board::default();
        let mut played = TileSet::EMPTY;
        for event in &view.log {
            if let Action::Play(tile, end) = event.action {
                board.put(&game.rules, tile, end);
            }
            if event.seat == me {
                continue;
            }
            match event.action {
                Action::Play(tile, _) => played |= tile.into(),
                Action::DrawHidden | Action::Pass => {
                    // Tiles played before this were not in the hand any more.
                    let ruled_out = board.fits() - played;
                    tested.iter_mut().for_each(|class| class.may -= ruled_out);
                    if event.action == Action::DrawHidden {
                        tested.try_push(Class { may: pool - played, size: 1 }).ok()?;
                    }
                }
                _ => {}
            }
        }
        tested.iter_mut().for_each(|class| class.may -= lacks - played);

        let mut counts = HandCounts {
            classes: ArrayVec::new(),
            draws: ArrayVec::new(),
            fixed: ArrayVec::new(),
            loose: ArrayVec::new(),
            room: ArrayVec::new(),
            hidden: pool - theirs,
            layers: Vec::new(),
            strides: ArrayVec::new(),
            limits: ArrayVec::new(),
            sums: Vec::new(),
        };
        counts.merge(&tested);
        counts.settle_played(theirs)?;
        Some(counts)
    }

    /// Returns the tiles that the other seat was not dealt, as follows from a forced lead.
    pub(super) fn ruled_out_by_the_lead(game: &Dominoes, view: &View) -> TileSet {
        if !game.lead_is_forced() {
            return TileSet::EMPTY;
        }
        let led = match view.log.first().map(|event| event.action) {
            Some(Action::Play(tile, _)) => Some(tile),
            _ if view.leader == Some(view.seat) => view.hand.strongest(),
            _ => None,
        };
        led.map_or(TileSet::EMPTY, TileSet::above)
    }

    /// Step 2. Merges classes with equal sets.
    fn merge(&mut self, tested: &[Class]) {
        for (i, class) in tested.iter().enumerate() {
            let same = self.classes.iter().position(|c| c.may == class.may);
            let index = same.unwrap_or_else(|| {
                self.classes.push(Class { may: class.may, size: 0 });
                self.classes.len() - 1
            });
            self.classes[index].size += class.size;
            if i > 0 {
                self.draws.push(index as u8);
            }
        }
    }

    /// Assigns the played tiles with a single possible class; `None` if one has no class, or there is no room.
    fn settle_played(&mut self, theirs: TileSet) -> Option<()> {
        self.room = self.classes.iter().map(|class| class.size).collect();
        for tile in theirs.tiles() {
            let able = self.classes.iter().enumerate().filter(|(_, class)| class.may.contains(tile));
            let from = able.fold(0u64, |bits, (index, _)| bits | 1 << index);
            match from.count_ones() {
                0 => return None,
                1 => {
                    let class = from.trailing_zeros() as u8;
                    let room = &mut self.room[usize::from(class)];
                    *room = room.checked_sub(1)?;
                    self.fixed.push((tile, class));
                }
                _ => self.loose.push(Loose { tile, from }),
            }
        }
        Some(())
    }

    /// Step 4. Counts the ways in which loose tiles take room.
    fn count_loose(&mut self, at_most: usize) -> Result<(), CountError> {
        let mut entries = 1usize;
        for (index, &room) in self.room.iter().enumerate() {
            let able = self.loose.iter().filter(|loose| loose.from >> index & 1 == 1).count();
            let most = usize::from(room).min(able);
            self.strides.push(if most > 0 { entries } else { 0 });
            self.limits.push(most);
            entries = entries.checked_mul(most + 1).filter(|&n| n <= at_most).ok_or(CountError::TooMany)?;
        }
        let mut layer = vec![0.0; entries];
        layer[0] = 1.0;
        for loose in &self.loose {
            let mut next = vec![0.0; entries];
            for (entry, &ways) in layer.iter().enumerate().filter(|(_, ways)| **ways > 0.0) {
                for class in 0..self.room.len() {
                    let stride = self.strides[class];
                    if loose.from >> class & 1 == 1 && self.taken(entry, class) < self.limits[class] {
                        next[entry + stride] += ways;
                    }
                }
            }
            self.layers.push(std::mem::replace(&mut layer, next));
        }
        self.layers.push(layer);
        Ok(())
    }

    /// Returns the room that loose tiles take of a class in a layer entry.
    fn taken(&self, entry: usize, class: usize) -> usize {
        match self.strides[class] {
            0 => 0,
            stride => entry / stride % (self.limits[class] + 1),
        }
    }

    /// Step 3. Multiplies each way by the number of ways in which hidden tiles fill the rest.
    fn count_all(&mut self) {
        let last = self.layers.last().expect("there is a layer for no tile at all");
        let fitting: ArrayVec<u8, MAX_CLASSES> =
            self.classes.iter().map(|class| (class.may & self.hidden).len()).collect();
        let mut sum = 0.0;
        let sums = last.iter().enumerate().map(|(entry, &ways)| {
            if ways > 0.0 {
                sum += ways * self.ways_to_fill(entry, &fitting);
            }
            sum
        });
        self.sums = sums.collect();
    }

    /// Returns the number of ways to fill the classes if `fitting` hidden tiles fit each of them.
    fn ways_to_fill(&self, entry: usize, fitting: &[u8]) -> f64 {
        let mut used = 0;
        let mut ways = 1.0;
        for (index, fitting) in fitting.iter().enumerate() {
            let need = self.room[index] - self.taken(entry, index) as u8;
            ways *= choose(fitting.saturating_sub(used), need);
            used += need;
        }
        ways
    }

    /// Returns the hidden tiles that the other seat can have received, grouped by the first class that they fit.
    /// Since the sets are nested, the observations do not distinguish tiles of one kind.
    pub(super) fn kinds(&self) -> ArrayVec<(TileSet, usize), MAX_CLASSES> {
        let mut left = self.hidden;
        let mut kinds = ArrayVec::new();
        for (index, class) in self.classes.iter().enumerate() {
            let tiles = class.may & left;
            left -= tiles;
            if !tiles.is_empty() {
                kinds.push((tiles, index));
            }
        }
        kinds
    }

    /// Returns the number of worlds in which the other seat holds one particular hand with these numbers of tiles of
    /// each kind, in the units of [`total`](HandCounts::total). A kind is identified by its first class.
    pub(super) fn ways_of_a_hand(&self, numbers: impl Iterator<Item = (usize, u8)>) -> f64 {
        let mut fitting = [0; MAX_CLASSES];
        for (class, number) in numbers {
            fitting[class] += number;
        }
        for class in 1..self.classes.len() {
            fitting[class] += fitting[class - 1];
        }
        let last = self.layers.last().expect("there is a layer for no tile at all");
        let reached = last.iter().enumerate().filter(|(_, ways)| **ways > 0.0);
        reached.map(|(entry, ways)| ways * self.ways_to_fill(entry, &fitting[..self.classes.len()])).sum()
    }

    /// Returns the worlds in which the other seat holds exactly this hand now.
    pub(super) fn holding(&self, hand: TileSet) -> HandCounts {
        let mut counts = HandCounts { hidden: hand, ..self.clone() };
        counts.count_all();
        counts
    }

    /// Returns the number of worlds, up to a factor that is the same for all worlds of one view.
    pub(super) fn total(&self) -> f64 {
        self.sums.last().copied().unwrap_or(0.0)
    }

    /// Returns whether a played tile has more than one possible class.
    #[cfg(test)]
    pub(super) fn has_loose(&self) -> bool {
        !self.loose.is_empty()
    }

    /// Returns a world, each equally likely.
    pub(super) fn draw(&self, rng: &mut Rng) -> World {
        let mut groups: ArrayVec<TileSet, MAX_CLASSES> =
            self.classes.iter().map(|_| TileSet::EMPTY).collect();
        for &(tile, class) in &self.fixed {
            groups[usize::from(class)] |= tile.into();
        }

        // First the room that the loose tiles take; then, from the last to the first, the class of each.
        let point = rng.unit() * self.total();
        let mut entry = self.sums.partition_point(|&sum| sum <= point).min(self.sums.len() - 1);
        let taken: ArrayVec<u8, MAX_CLASSES> =
            (0..self.classes.len()).map(|class| self.taken(entry, class) as u8).collect();
        for (i, loose) in self.loose.iter().enumerate().rev() {
            let before = |class: usize| match self.strides[class] {
                stride if stride > 0 && loose.from >> class & 1 == 1 && self.taken(entry, class) > 0 => {
                    self.layers[i][entry - stride]
                }
                _ => 0.0,
            };
            let mut point = rng.unit() * self.layers[i + 1][entry];
            let mut chosen = None;
            for class in (0..self.classes.len()).filter(|&class| before(class) > 0.0) {
                chosen = Some(class);
                if point < before(class) {
                    break;
                }
                point -= before(class);
            }
            let class = chosen.expect("an entry that was reached was reached from somewhere");
            groups[class] |= loose.tile.into();
            entry -= self.strides[class];
        }

        let mut hidden = self.hidden;
        for (index, class) in self.classes.iter().enumerate() {
            for _ in 0..self.room[index] - taken[index] {
                let able = class.may & hidden;
                let tile = able.nth(rng.below(u32::from(able.len())));
                groups[index] |= tile.into();
                hidden -= tile.into();
            }
        }

        let got = groups.iter().fold(TileSet::EMPTY, |all, &group| all | group);
        let from_class = |&class: &u8| {
            let group = &mut groups[usize::from(class)];
            let tile = group.nth(rng.below(u32::from(group.len())));
            *group -= tile.into();
            tile
        };
        World { got, drawn: self.draws.iter().map(from_class).collect() }
    }
}
