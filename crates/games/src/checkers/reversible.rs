//! Boards with few pieces, numbered without gaps, and kings' steps in reverse.
//!
//! The side to move is always red here: a board with white to move is rotated and its colours are swapped. Men only
//! move forward, so their squares determine the slice, and kings move within one.
//!
//! ```text
//! slice    own men at home, other men at home (on the top row): how many of each, then
//!          which squares: own at home · own beyond · others at home · others beyond
//! place    own kings among the squares without men · other kings among those left
//! ```

use parlor_core::{Game, Reversible, Spot};

use super::{Board, Checkers, Kings, RED};
use crate::board::bits::Word;
use crate::board::subsets::{self, choose};

/// Number of men and kings of each side.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Material {
    /// Men of the side to move.
    pub men: u8,
    /// Kings of the side to move.
    pub kings: u8,
    /// Men of the other side.
    pub other_men: u8,
    /// Kings of the other side.
    pub other_kings: u8,
}

impl Material {
    fn sides(self) -> [u32; 2] {
        [u32::from(self.men) + u32::from(self.kings), u32::from(self.other_men) + u32::from(self.other_kings)]
    }

    fn all_men(self) -> u32 {
        u32::from(self.men) + u32::from(self.other_men)
    }

    /// Returns the counts in the order of the fields.
    fn counts(self) -> [u32; 4] {
        [self.men, self.kings, self.other_men, self.other_kings].map(u32::from)
    }
}

/// Own and other men of a slice.
type Men<W> = [W; 2];

impl<W: Word> Checkers<W> {
    /// Returns the number of bits of a board.
    pub(super) fn bits(&self) -> u32 {
        u32::from(self.rows) / 2 * (u32::from(self.columns) + 1)
    }

    /// Returns a set of squares rotated by half a turn.
    pub(super) fn rotated(&self, squares: W) -> W {
        squares.reversed(self.bits())
    }

    /// Returns red's home row, the rows between, and white's home row.
    fn thirds(&self) -> [W; 3] {
        let half = W::first(self.half);
        let top = half << (self.bits() - self.half);
        [half, self.squares & !(half | top), top]
    }

    /// Returns the number of placements of men with `home` men of each side at home.
    fn placements(&self, class: Material, home: [u32; 2]) -> u64 {
        let [own, others] = [u32::from(class.men) - home[0], u32::from(class.other_men) - home[1]];
        let between = self.half * (u32::from(self.rows) - 2);
        if own > between || home.iter().any(|&men| men > self.half) {
            return 0;
        }
        [choose(between, own), choose(self.half, home[1]), choose(between - own, others)]
            .into_iter()
            .fold(choose(self.half, home[0]), u64::saturating_mul)
    }

    /// Returns every pair of numbers of men at home, in order.
    fn homes(class: Material) -> impl Iterator<Item = [u32; 2]> {
        (0..=u32::from(class.men))
            .flat_map(move |own| (0..=u32::from(class.other_men)).map(move |other| [own, other]))
    }

    fn slice_of(&self, class: Material, [own, other]: Men<W>) -> u64 {
        let [low, between, top] = self.thirds();
        let home = [(own & low).len(), (other & top).len()];
        let before: u64 = Self::homes(class)
            .take_while(|&earlier| earlier != home)
            .map(|home| self.placements(class, home))
            .sum();
        let (own_beyond, left) = (own & between, between & !own);
        let beyond = [own_beyond.len(), u32::from(class.other_men) - home[1]];
        let mut number = subsets::rank(own & low, low);
        number = number * choose(between.len(), beyond[0]) + subsets::rank(own_beyond, between);
        number = number * choose(self.half, home[1]) + subsets::rank(other & top, top);
        number = number * choose(left.len(), beyond[1]) + subsets::rank(other & between, left);
        before + number
    }

    fn men_of(&self, class: Material, slice: u64) -> Men<W> {
        let [low, between, top] = self.thirds();
        let (mut number, mut home) = (slice, [0, 0]);
        for next in Self::homes(class) {
            home = next;
            let placements = self.placements(class, home);
            if number < placements {
                break;
            }
            number -= placements;
        }
        let beyond = [u32::from(class.men) - home[0], u32::from(class.other_men) - home[1]];
        let mut digit = |base: u64| {
            let digit = number % base;
            number /= base;
            digit
        };
        let others_beyond = digit(choose(between.len() - beyond[0], beyond[1]));
        let others_home = subsets::unrank(digit(choose(self.half, home[1])), home[1], top);
        let own_beyond = subsets::unrank(digit(choose(between.len(), beyond[0])), beyond[0], between);
        let own_home = subsets::unrank(digit(choose(self.half, home[0])), home[0], low);
        let others_beyond = subsets::unrank(others_beyond, beyond[1], between & !own_beyond);
        [own_home | own_beyond, others_home | others_beyond]
    }

    /// Returns the equivalent board with red to move.
    #[inline]
    fn as_red(&self, board: &Board<W>) -> Board<W> {
        let Board { own, other, kings, to_move, .. } = *board;
        if to_move == RED {
            return Board { idle: 0, ..*board };
        }
        let [own, other, kings] = [own, other, kings].map(|set| self.rotated(set));
        Board { own, other, kings, to_move: RED, idle: 0 }
    }
}

impl<W: Word> Reversible for Checkers<W> {
    type Class = Material;
    type Setup = Board<W>;

    const MIRRORED: bool = false;

    fn meaning(&self) -> String {
        let kings = match self.options.kings {
            Kings::Must => "must",
            Kings::May => "may",
        };
        format!("checkers-{}x{}-kings-{kings}", self.rows, self.columns)
    }

    fn classes(&self, pieces: u32) -> Vec<Material> {
        let mut found = Vec::new();
        for own in 1..pieces {
            for (kings, other_kings) in (0..=own).flat_map(|k| (0..=pieces - own).map(move |o| (k, o))) {
                let [men, kings, other_men, other_kings] =
                    [own - kings, kings, pieces - own - other_kings, other_kings].map(|count| count as u8);
                found.push(Material { men, kings, other_men, other_kings });
            }
        }
        found.retain(|&class| {
            class.counts().into_iter().all(|count| count <= subsets::MAX_SIZE) && self.class_size(class) > 0
        });
        found
    }

    fn class_name(&self, class: Material) -> String {
        let Material { men, kings, other_men, other_kings } = class;
        format!("{men}m{kings}k-{other_men}m{other_kings}k")
    }

    fn pieces(&self, class: Material) -> u32 {
        class.sides().iter().sum()
    }

    fn is_bare(&self, class: Material) -> bool {
        class.sides()[0] == 0
    }

    /// A capture leaves fewer pieces, a crowning fewer men.
    fn rank(&self, class: Material) -> u32 {
        128 * self.pieces(class) + class.all_men()
    }

    fn turned(&self, class: Material) -> Material {
        Material {
            men: class.other_men,
            kings: class.other_kings,
            other_men: class.men,
            other_kings: class.kings,
        }
    }

    fn conversions(&self, class: Material) -> Vec<Material> {
        let mut found = Vec::new();
        for crowned in 0..=class.men.min(1) {
            for men in 0..=class.other_men {
                for kings in 0..=class.other_kings {
                    let next = Material {
                        men: class.other_men - men,
                        kings: class.other_kings - kings,
                        other_men: class.men - crowned,
                        other_kings: class.kings + crowned,
                    };
                    if next != self.turned(class) && !self.is_bare(next) && self.class_size(next) > 0 {
                        found.push(next);
                    }
                }
            }
        }
        found
    }

    fn slices(&self, class: Material) -> u64 {
        Self::homes(class).map(|home| self.placements(class, home)).fold(0, u64::saturating_add)
    }

    fn slice_size(&self, class: Material) -> u64 {
        let (free, kings) = (self.squares.len().checked_sub(class.all_men()), u32::from(class.kings));
        free.filter(|&free| free >= kings).map_or(0, |free| {
            choose(free, kings).saturating_mul(choose(free - kings, u32::from(class.other_kings)))
        })
    }

    fn turned_slice(&self, class: Material, slice: u64) -> u64 {
        let [own, other] = self.men_of(class, slice).map(|men| self.rotated(men));
        self.slice_of(self.turned(class), [other, own])
    }

    /// The sum of the rows that men have advanced.
    fn level(&self, class: Material, slice: u64) -> u32 {
        let [own, other] = self.men_of(class, slice);
        [own, self.rotated(other)]
            .iter()
            .flat_map(|men| men.cells())
            .map(|square| u32::from(self.place(square).1))
            .sum()
    }

    #[inline]
    fn setup(&self, board: &Board<W>) -> Option<Board<W>> {
        let setup = self.as_red(board);
        self.class(&setup).counts().into_iter().all(|count| count <= subsets::MAX_SIZE).then_some(setup)
    }

    fn stand(&self, setup: &Board<W>) -> Board<W> {
        *setup
    }

    #[inline]
    fn class(&self, setup: &Board<W>) -> Material {
        let Board { own, other, kings, .. } = *setup;
        let count = |set: W| set.len() as u8;
        Material {
            men: count(own & !kings),
            kings: count(own & kings),
            other_men: count(other & !kings),
            other_kings: count(other & kings),
        }
    }

    #[inline]
    fn spot(&self, setup: &Board<W>) -> Spot<Material> {
        let Board { own, other, kings, .. } = *setup;
        let class = self.class(setup);
        let slice =
            if class.all_men() == 0 { 0 } else { self.slice_of(class, [own & !kings, other & !kings]) };
        let place = self.place_in_slice(setup);
        Spot { class, slice, place }
    }

    #[inline]
    fn place_in_slice(&self, setup: &Board<W>) -> u64 {
        let Board { own, other, kings, .. } = *setup;
        let free = self.squares & (kings | !(own | other));
        let (left, other_kings) = (free & !own, other & kings);
        subsets::rank(own & kings, free) * choose(left.len(), other_kings.len())
            + subsets::rank(other_kings, left)
    }

    #[inline]
    fn each(&self, class: Material, slice: u64, mut visit: impl FnMut(u64, &Board<W>)) {
        let [own, other] = self.men_of(class, slice);
        let free = self.squares & !(own | other);
        let mut place = 0;
        for kings in subsets::all(u32::from(class.kings), free) {
            for other_kings in subsets::all(u32::from(class.other_kings), free & !kings) {
                let (own, other) = (own | kings, other | other_kings);
                visit(place, &Board { own, other, kings: kings | other_kings, to_move: RED, idle: 0 });
                place += 1;
            }
        }
    }

    #[inline]
    fn at(&self, spot: Spot<Material>) -> Option<Board<W>> {
        let Spot { class, slice, place } = spot;
        let [own, other] = self.men_of(class, slice);
        let free = self.squares & !(own | other);
        let [kings, other_kings] = [class.kings, class.other_kings].map(u32::from);
        let placements = choose(free.len() - kings, other_kings);
        let kings = subsets::unrank(place / placements, kings, free);
        let other_kings = subsets::unrank(place % placements, other_kings, free & !kings);
        let (own, other) = (own | kings, other | other_kings);
        Some(Board { own, other, kings: kings | other_kings, to_move: RED, idle: 0 })
    }

    #[inline]
    fn onward(&self, setup: &Board<W>, mut visit: impl FnMut(Board<W>, bool)) {
        for action in self.moves(setup) {
            let mut next = *setup;
            self.apply(&mut next, action);
            // The count of plies without progress shows whether the move made progress.
            let reversible = next.idle > 0;
            visit(self.as_red(&next), reversible);
        }
    }

    #[inline]
    fn backward(&self, setup: &Board<W>, mut visit: impl FnMut(Board<W>)) {
        let Board { own, other, kings, .. } = *setup;
        let free = self.squares & !(own | other);
        for square in (other & kings).cells() {
            let king = W::bit(square);
            let near =
                king << self.half | king << (self.half + 1) | king >> self.half | king >> (self.half + 1);
            for from in (near & free).cells() {
                let (from, turn) = (W::bit(from), |set: W| self.rotated(set));
                visit(Board {
                    own: turn(other & !king | from),
                    other: turn(own),
                    kings: turn(kings & !king | from),
                    to_move: RED,
                    idle: 0,
                });
            }
        }
    }

    fn quiet_plies_left(&self, board: &Board<W>) -> u32 {
        u32::from(self.limit.saturating_sub(board.idle))
    }
}
