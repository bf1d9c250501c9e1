//! Every hand that the other seat can hold.
//!
//! The tiles that were never played fall into kinds that no observation distinguishes (see `hand_counts`), so hands
//! are counted by their number of tiles of each kind before any is listed.

use arrayvec::ArrayVec;

use super::hand_counts::HandCounts;
use super::tile::{MAX_TILES, TileSet};

/// Number of worlds listed between two polls for cancellation.
pub(super) const WORLDS_PER_POLL: usize = 64;

/// Tiles that no observation distinguishes.
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
    counts: &'a HandCounts,
    kinds: ArrayVec<Alike, { 2 * MAX_TILES }>,
    /// Whether the hand must contain one of the needed tiles.
    needs: bool,
    /// The largest number of hands to list.
    most: f64,
    /// Returns whether the list is still wanted.
    wanted: &'a dyn Fn() -> bool,
    /// Number of hands so far.
    count: f64,
    /// The possible numbers of each kind, with the ways of each single hand.
    found: Vec<(ArrayVec<u8, { 2 * MAX_TILES }>, f64)>,
}

/// Returns the number of sets of `k` among `n` tiles.
pub(super) fn sets(n: u8, k: u8) -> f64 {
    (0..k).fold(1.0, |ways, i| ways * f64::from(n - i) / f64::from(i + 1))
}

/// Returns every hand of `size` tiles that the other seat can hold and that contains one of `needed`, with the number
/// of worlds in which it does. `None` if there are more than `most` hands, or as soon as `wanted` returns false.
pub(super) fn hands(
    counts: &HandCounts,
    needed: Option<TileSet>,
    size: u8,
    most: usize,
    wanted: &dyn Fn() -> bool,
) -> Option<Vec<(TileSet, f64)>> {
    let mut hands = Hands::of(counts, needed, most, wanted);
    if !hands.find(&mut ArrayVec::new(), size) {
        return None;
    }
    let mut listed = Vec::with_capacity(hands.count as usize);
    let mut of_these_numbers = Vec::new();
    for (numbers, ways) in &hands.found {
        hands.write(numbers, TileSet::EMPTY, &mut of_these_numbers);
        listed.extend(of_these_numbers.drain(..).map(|hand| (hand, *ways)));
    }
    Some(listed)
}

impl<'a> Hands<'a> {
    fn of(
        counts: &'a HandCounts,
        needed: Option<TileSet>,
        most: usize,
        wanted: &'a dyn Fn() -> bool,
    ) -> Hands<'a> {
        let tiles_needed = needed.unwrap_or(TileSet::EMPTY);
        let mut kinds = ArrayVec::new();
        for (tiles, class) in counts.kinds() {
            for (tiles, needed) in [(tiles & tiles_needed, true), (tiles - tiles_needed, false)] {
                if !tiles.is_empty() {
                    kinds.push(Alike { tiles, class, needed });
                }
            }
        }
        Hands {
            counts,
            kinds,
            needs: needed.is_some(),
            most: most as f64,
            wanted,
            count: 0.0,
            found: Vec::new(),
        }
    }

    /// Finds the numbers of each kind from kind `numbers.len()` on, for `left` more tiles. Returns whether the list
    /// still has room.
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
        let ways = self.counts.ways_of_a_hand(held().map(|(kind, number)| (kind.class, number)));
        if ways > 0.0 {
            self.count += held().map(|(kind, number)| sets(kind.tiles.len(), number)).product::<f64>();
            self.found.push((numbers.clone(), ways));
        }
        let asked = !self.found.len().is_multiple_of(WORLDS_PER_POLL) || (self.wanted)();
        self.count <= self.most && asked
    }

    /// Lists every hand with these numbers of tiles of each kind.
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
