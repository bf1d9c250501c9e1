//! Actions of the seat to move, generated lazily.

use parlor_core::Rng;

use super::board::{Board, End};
use super::rules::{Leading, Rules};
use super::state::Action;
use super::tile::TileSet;

/// The actions of a seat: place by place (left, right, up, down), the tiles that fit there in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Plays {
    /// The tiles for each place.
    sets: [TileSet; 4],
    /// Whether the table is empty; then the first place stands for the start.
    start: bool,
    /// Whether the seat must pass.
    pass: bool,
}

impl Plays {
    /// Returns no action.
    #[must_use]
    pub const fn none() -> Plays {
        Plays { sets: [TileSet::EMPTY; 4], start: false, pass: false }
    }

    /// Returns a pass alone.
    #[must_use]
    pub const fn pass() -> Plays {
        Plays { sets: [TileSet::EMPTY; 4], start: false, pass: true }
    }

    /// Returns every way to play a tile of `hand`; empty if none fits.
    #[inline]
    #[must_use]
    pub fn of(rules: &Rules, board: &Board, hand: TileSet) -> Plays {
        if board.is_empty() {
            let lead = match rules.lead {
                Leading::Free => hand,
                Leading::HighestDouble => hand.strongest().into_iter().collect(),
            };
            let mut plays = Plays { start: true, ..Plays::none() };
            plays.sets[0] = lead;
            return plays;
        }
        Plays { sets: End::PLACES.map(|end| hand & board.fits_at(end)), start: false, pass: false }
    }

    #[inline]
    fn end(&self, place: usize) -> End {
        if self.start { End::Start } else { End::PLACES[place] }
    }

    /// Returns one of the actions, each equally likely; there must be one.
    #[inline]
    pub(super) fn pick(&self, rng: &mut Rng) -> Action {
        if self.pass {
            return Action::Pass;
        }
        let [left, right, up, down] = self.sets.map(|set| u32::from(set.len()));
        let mut n = rng.below(left + right + up + down);
        let mut place = 0;
        for len in [left, right, up] {
            if n < len {
                break;
            }
            n -= len;
            place += 1;
        }
        Action::Play(self.sets[place].nth(n), self.end(place))
    }
}

impl Iterator for Plays {
    type Item = Action;

    #[inline]
    fn next(&mut self) -> Option<Action> {
        for place in 0..4 {
            if let Some(tile) = self.sets[place].tiles().next() {
                self.sets[place] -= tile.into();
                return Some(Action::Play(tile, self.end(place)));
            }
        }
        std::mem::take(&mut self.pass).then_some(Action::Pass)
    }

    #[inline]
    fn nth(&mut self, mut n: usize) -> Option<Action> {
        for place in 0..4 {
            let len = usize::from(self.sets[place].len());
            if n < len {
                break;
            }
            n -= len;
            self.sets[place] = TileSet::EMPTY;
        }
        for _ in 0..n {
            self.next()?;
        }
        self.next()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.sets.iter().map(|set| usize::from(set.len())).sum::<usize>() + usize::from(self.pass);
        (len, Some(len))
    }
}

impl ExactSizeIterator for Plays {}
