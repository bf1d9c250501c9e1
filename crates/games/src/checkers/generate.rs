//! Which moves there are: sets of pieces for each direction, and a walk through chains of jumps that remembers only the
//! chain it stands on, so that no list has to be large enough for all of them.

use std::iter::FusedIterator;

use parlor_core::Rng;

use super::{Board, Checkers, Direction, Kings, Move, RED};
use crate::bits::Word;

/// One set of squares for each [`Direction`].
type ByDirection<W> = [W; 4];

/// The board as the side to move sees it.
#[derive(Copy, Clone, Debug)]
struct Scene<W> {
    half: u32,
    free: W,
    other: W,
    /// Own pieces that may go up.
    up: W,
    /// Own pieces that may go down.
    down: W,
}

impl<W: Word> Scene<W> {
    /// Returns the squares from which a step in each direction leads into `set`.
    #[inline]
    fn before(&self, set: ByDirection<W>) -> ByDirection<W> {
        let (left, right) = (self.half, self.half + 1);
        [set[0] >> left, set[1] >> right, set[2] << left, set[3] << right]
    }

    /// Returns the squares to which a step in each direction leads from `set`.
    #[inline]
    fn after(&self, set: ByDirection<W>) -> ByDirection<W> {
        let (left, right) = (self.half, self.half + 1);
        [set[0] << left, set[1] << right, set[2] >> left, set[3] >> right]
    }

    /// Returns the pieces that can make a quiet step in each direction.
    #[inline]
    fn quiet(&self) -> ByDirection<W> {
        let near = self.before([self.free; 4]);
        [near[0] & self.up, near[1] & self.up, near[2] & self.down, near[3] & self.down]
    }

    /// Returns the squares from which a piece that may go there could jump in each direction.
    #[inline]
    fn chances(&self) -> ByDirection<W> {
        self.before(self.before([self.free; 4]).map(|near| near & self.other))
    }

    /// Returns the directions that a piece may take, one bit each.
    #[inline]
    fn directions(&self, piece: W) -> u8 {
        let (up, down) = (!(self.up & piece).is_empty(), !(self.down & piece).is_empty());
        (if up { 0b0011 } else { 0 }) | (if down { 0b1100 } else { 0 })
    }

    /// Returns what a piece at `at` jumps over and where it lands in each direction; nothing where it cannot jump.
    #[inline]
    fn jump(&self, at: W, others: W, landing: W) -> (ByDirection<W>, ByDirection<W>) {
        let over = self.after([at; 4]).map(|over| over & others);
        (over, self.after(over).map(|land| land & landing))
    }

    /// Returns in how many ways the jumps of a piece that has come to `at` can be completed.
    fn completions(&self, at: W, others: W, landing: W, directions: u8) -> u32 {
        let (over, land) = self.jump(at, others, landing);
        let mut count = 0;
        for n in 0..4 {
            if directions >> n & 1 == 1 && !land[n].is_empty() {
                count += self.completions(land[n], others & !over[n], landing, directions);
            }
        }
        u32::max(count, 1)
    }

    /// Returns the pieces that can jump in each direction.
    #[inline]
    fn jumps(&self) -> ByDirection<W> {
        let from = self.chances();
        [from[0] & self.up, from[1] & self.up, from[2] & self.down, from[3] & self.down]
    }
}

#[inline]
fn union<W: Word>(sets: ByDirection<W>) -> W {
    sets[0] | sets[1] | sets[2] | sets[3]
}

#[inline]
fn total<W: Word>(sets: ByDirection<W>) -> u32 {
    sets[0].len() + sets[1].len() + sets[2].len() + sets[3].len()
}

/// Returns the `n`-th piece and its direction, counted from 0 through the sets one after the other.
#[inline]
fn nth<W: Word>(sets: ByDirection<W>, mut n: u32) -> Option<(u32, Direction)> {
    for direction in Direction::ALL {
        let set = sets[usize::from(direction.0)];
        let len = set.len();
        if n < len {
            return Some((set.nth(n), direction));
        }
        n -= len;
    }
    None
}

/// Takes the first piece out of the first set that has one.
#[inline]
fn take<W: Word>(sets: &mut ByDirection<W>) -> Option<(u32, Direction)> {
    for direction in Direction::ALL {
        let set = &mut sets[usize::from(direction.0)];
        if !set.is_empty() {
            let start = set.lowest();
            *set = set.without_lowest();
            return Some((start, direction));
        }
    }
    None
}

impl<W: Word> Checkers<W> {
    #[inline]
    fn scene(&self, board: &Board<W>) -> Scene<W> {
        let (own, kings) = (board.own, board.kings);
        let (up, down) = if board.to_move == RED { (own, own & kings) } else { (own & kings, own) };
        let free = self.squares & !(own | board.other);
        Scene { half: self.half, free, other: board.other, up, down }
    }

    /// Returns whether the side to move has a move, wherever the count of plies without progress stands.
    #[inline]
    pub(super) fn can_move(&self, board: &Board<W>) -> bool {
        // Where a quiet step is possible, it is allowed or there is a jump to make instead.
        let scene = self.scene(board);
        !union(scene.quiet()).is_empty() || !union(scene.jumps()).is_empty()
    }

    /// Returns the pieces that may jump and those that may step, in each direction.
    #[inline]
    fn allowed(&self, scene: &Scene<W>) -> (ByDirection<W>, ByDirection<W>) {
        let jumps = scene.jumps();
        let forcing = match self.options.kings {
            Kings::Must => union(jumps),
            // Kings are those that may go both ways.
            Kings::May => union(jumps) & !(scene.up & scene.down),
        };
        (jumps, if forcing.is_empty() { scene.quiet() } else { [W::ZERO; 4] })
    }

    #[inline]
    pub(super) fn moves(&self, board: &Board<W>) -> Moves<W> {
        let scene = self.scene(board);
        let (first, quiet) =
            if board.idle < self.limit { self.allowed(&scene) } else { ([W::ZERO; 4], [W::ZERO; 4]) };
        Moves { scene, quiet, first, chain: Chain::EMPTY }
    }

    #[inline]
    pub(super) fn pick_move(&self, board: &Board<W>, rng: &mut Rng) -> Move {
        let mut moves = self.moves(board);
        let jumps = moves.jumps_left();
        let n = rng.below(jumps + total(moves.quiet));
        if n >= jumps {
            let (start, direction) = nth(moves.quiet, n - jumps).expect("n is below the number of moves");
            return Move::quiet(start, direction);
        }
        moves.nth_jump(n).expect("n is below the number of jumps")
    }
}

/// The moves of a position: jumps first, then quiet steps; nothing is listed before it is asked for.
#[derive(Clone, Debug)]
pub struct Moves<W> {
    scene: Scene<W>,
    /// Pieces whose quiet step is still to come.
    quiet: ByDirection<W>,
    /// Pieces whose chains with that first jump are all still to come.
    first: ByDirection<W>,
    /// The chain that was returned last.
    chain: Chain<W>,
}

/// A piece in the middle of its jumps. Small, for it is copied with every [`Moves`].
#[derive(Copy, Clone, Debug)]
struct Chain<W> {
    steps: u64,
    taken: W,
    start: u8,
    at: u8,
    /// How many jumps were made; 0 if there is no chain.
    jumps: u8,
    /// The directions it may take, one bit each.
    directions: u8,
}

impl<W: Word> Chain<W> {
    const EMPTY: Chain<W> = Chain { steps: 0, taken: W::ZERO, start: 0, at: 0, jumps: 0, directions: 0 };

    /// Returns a piece that has made its first jump.
    #[inline]
    fn begin(scene: &Scene<W>, start: u32, direction: Direction) -> Self {
        let directions = scene.directions(W::bit(start));
        let mut chain = Chain { start: start as u8, at: start as u8, directions, ..Self::EMPTY };
        chain.extend(scene, direction.0);
        chain
    }

    /// Makes the jump in the first possible direction from `from` on, if there is one.
    #[inline]
    fn extend(&mut self, scene: &Scene<W>, from: u8) -> bool {
        let landing = scene.free | W::bit(u32::from(self.start));
        let (over, land) = scene.jump(W::bit(u32::from(self.at)), scene.other & !self.taken, landing);
        for direction in from..4 {
            let n = usize::from(direction);
            if self.directions >> direction & 1 == 1 && !land[n].is_empty() {
                self.steps |= u64::from(direction) << (2 * self.jumps);
                self.jumps += 1;
                self.at = land[n].lowest() as u8;
                self.taken |= over[n];
                return true;
            }
        }
        false
    }

    /// Takes the last jump back and returns its direction.
    #[inline]
    fn shorten(&mut self, scene: &Scene<W>) -> u8 {
        self.jumps -= 1;
        let last = (self.steps >> (2 * self.jumps)) as u8 & 3;
        self.steps ^= u64::from(last) << (2 * self.jumps);
        let distance = scene.half as u8 + (last & 1);
        let (over, at) = if last & 2 == 0 {
            (self.at - distance, self.at - 2 * distance)
        } else {
            (self.at + distance, self.at + 2 * distance)
        };
        self.taken ^= W::bit(u32::from(over));
        self.at = at;
        last
    }

    /// Goes on to the end of the first chain that continues this one.
    #[inline]
    fn complete(&mut self, scene: &Scene<W>) {
        while self.extend(scene, 0) {}
    }

    /// Goes to the end of the next chain that begins with the same first jump, if there is one; forgets the piece
    /// otherwise.
    #[inline]
    fn advance(&mut self, scene: &Scene<W>) -> bool {
        while self.jumps > 1 {
            let last = self.shorten(scene);
            if self.extend(scene, last + 1) {
                self.complete(scene);
                return true;
            }
        }
        self.jumps = 0;
        false
    }
}

impl<W: Word> Moves<W> {
    /// Returns how many chains there are that begin with the first jumps still to come.
    #[inline]
    fn untouched_jumps(&self) -> u32 {
        if union(self.first).is_empty() {
            return 0;
        }
        // Step 1. Where a second jump could be possible. The square the piece has left does not matter yet: from where
        // it landed, only a jump back over the piece it took leads there.
        let scene = &self.scene;
        let again = scene.chances();
        let kings = scene.up & scene.down;
        let men_again = if scene.down == kings { again[0] | again[1] } else { again[2] | again[3] };
        let (men, kings) = (self.first.map(|set| set & !kings), self.first.map(|set| set & kings));
        let landed = |sets| scene.after(scene.after(sets));
        let (men, kings) = (union(landed(men)) & men_again, union(landed(kings)) & union(again));
        // Step 2. If nowhere, each first jump is a move.
        if (men | kings).is_empty() {
            return total(self.first);
        }
        self.walked_jumps()
    }

    /// Returns the same, by walking.
    #[inline(never)]
    fn walked_jumps(&self) -> u32 {
        let scene = &self.scene;
        let mut count = 0;
        for (n, first) in self.first.into_iter().enumerate() {
            for start in first.cells() {
                let at = W::bit(start);
                let (over, land) = scene.jump(at, scene.other, scene.free);
                let (others, landing) = (scene.other & !over[n], scene.free | at);
                count += scene.completions(land[n], others, landing, scene.directions(at));
            }
        }
        count
    }

    /// Returns how many jumps are still to come.
    #[inline]
    fn jumps_left(&self) -> u32 {
        let mut chain = self.chain;
        let mut count = self.untouched_jumps();
        while chain.jumps > 0 && chain.advance(&self.scene) {
            count += 1;
        }
        count
    }

    /// Returns the next jump.
    #[inline(never)]
    fn next_jump(&mut self) -> Option<Move> {
        if self.chain.jumps == 0 || !self.chain.advance(&self.scene) {
            let (start, direction) = take(&mut self.first)?;
            self.chain = Chain::begin(&self.scene, start, direction);
            self.chain.complete(&self.scene);
        }
        Some(Move::jumping(u32::from(self.chain.start), self.chain.steps, u32::from(self.chain.jumps)))
    }

    #[inline]
    fn nth_jump(&mut self, n: u32) -> Option<Move> {
        for _ in 0..n {
            self.next_jump()?;
        }
        self.next_jump()
    }
}

impl<W: Word> Iterator for Moves<W> {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        if self.chain.jumps > 0 || !union(self.first).is_empty() {
            if let Some(jump) = self.next_jump() {
                return Some(jump);
            }
        }
        take(&mut self.quiet).map(|(start, direction)| Move::quiet(start, direction))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = (self.jumps_left() + total(self.quiet)) as usize;
        (len, Some(len))
    }
}

impl<W: Word> ExactSizeIterator for Moves<W> {}
impl<W: Word> FusedIterator for Moves<W> {}
