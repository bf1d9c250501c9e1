//! Move generation: sets of pieces for each direction, and a walk through chains of jumps that stores only the
//! current chain, so that no list has to hold all of them.

use std::iter::FusedIterator;

use parlor_core::Rng;

use super::{Board, Checkers, Direction, Kings, Move, RED, neighbour};
use crate::board::bits::Word;

/// Half the columns of the usual board, which gets code of its own with constant shifts: perft of 8×8 runs a quarter
/// faster.
const USUAL: u32 = 4;

/// One set of squares for each [`Direction`].
type ByDirection<W> = [W; 4];

/// The board from the side to move.
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

    /// Returns the squares from which a piece that may move in a direction could jump in it, for each direction.
    #[inline]
    fn chances(&self) -> ByDirection<W> {
        self.before(self.before([self.free; 4]).map(|near| near & self.other))
    }

    /// Returns the own kings, the only pieces that may move in both directions.
    #[inline]
    fn kings(&self) -> W {
        self.up & self.down
    }

    /// Returns whether any of the pieces that can jump in each direction might be able to jump again.
    #[inline]
    fn chains(&self, jumps: ByDirection<W>) -> bool {
        // The square that the piece has left stays occupied here. This is harmless for the second jump: from the
        // first landing square, only a jump back over the captured piece leads there.
        let (again, kings) = (self.chances(), self.kings());
        let men_again = if self.up == kings { again[2] | again[3] } else { again[0] | again[1] };
        let land = self.after(self.after(jumps));
        if kings.is_empty() {
            return !(union(land) & men_again).is_empty();
        }
        let kings_land = self.after(self.after(jumps.map(|set| set & kings)));
        !((union(land) & men_again) | (union(kings_land) & union(again))).is_empty()
    }

    /// Returns the directions that a piece may take, one bit each.
    #[inline]
    fn directions(&self, piece: W) -> u8 {
        let (up, down) = (!(self.up & piece).is_empty(), !(self.down & piece).is_empty());
        (if up { 0b0011 } else { 0 }) | (if down { 0b1100 } else { 0 })
    }

    /// Returns the captured squares and landing squares of a piece at `at` for each direction; empty where it cannot
    /// jump.
    #[inline]
    fn jump(&self, at: W, others: W, landing: W) -> (ByDirection<W>, ByDirection<W>) {
        let over = self.after([at; 4]).map(|over| over & others);
        (over, self.after(over).map(|land| land & landing))
    }

    /// Returns the number of ways to complete the jumps of a piece that has come to `at`.
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
    // Most boards have no jumps, and four counts cost far more than one test.
    if union(sets) == W::ZERO {
        return 0;
    }
    sets[0].len() + sets[1].len() + sets[2].len() + sets[3].len()
}

/// Returns the `n`-th piece and its direction, counted from 0 through the sets in order.
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

/// Removes and returns the first piece of the first set that has one.
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
    fn scene(&self, half: u32, board: &Board<W>) -> Scene<W> {
        let (own, kings) = (board.own, board.kings);
        let (up, down) = if board.to_move == RED { (own, own & kings) } else { (own & kings, own) };
        let free = self.squares & !(own | board.other);
        Scene { half, free, other: board.other, up, down }
    }

    /// Returns the number of first jumps of the side to move, whether or not it must take one.
    #[inline]
    pub(super) fn jumps(&self, board: &Board<W>) -> u32 {
        match self.half {
            USUAL => total(self.scene(USUAL, board).jumps()),
            half => total(self.scene(half, board).jumps()),
        }
    }

    /// Returns the number of quiet steps of the side to move, whether or not it must jump instead.
    #[inline]
    pub(super) fn quiet_steps(&self, board: &Board<W>) -> u32 {
        match self.half {
            USUAL => total(self.scene(USUAL, board).quiet()),
            half => total(self.scene(half, board).quiet()),
        }
    }

    /// Returns whether the side to move has a move, regardless of the count of plies without progress.
    #[inline]
    pub(super) fn can_move(&self, board: &Board<W>) -> bool {
        match self.half {
            USUAL => self.can_move_on(USUAL, board),
            half => self.can_move_on(half, board),
        }
    }

    #[inline(always)]
    fn can_move_on(&self, half: u32, board: &Board<W>) -> bool {
        // If a quiet step is possible, it is either legal or a jump is.
        let scene = self.scene(half, board);
        !(union(scene.quiet()) | union(scene.jumps())).is_empty()
    }

    /// Returns the legal moves; empty after the end.
    #[inline]
    pub(super) fn moves(&self, board: &Board<W>) -> Moves<W> {
        match self.half {
            USUAL => self.moves_on(USUAL, board),
            half => self.moves_on(half, board),
        }
    }

    #[inline(always)]
    fn moves_on(&self, half: u32, board: &Board<W>) -> Moves<W> {
        let scene = self.scene(half, board);
        let (jumps, quiet) = (scene.jumps(), scene.quiet());
        let forcing = match self.options.kings {
            Kings::Must => union(jumps),
            Kings::May => union(jumps) & !scene.kings(),
        };
        // Masks instead of branches, because whether there is a jump is hard to predict.
        let stepping = if forcing.is_empty() { !W::ZERO } else { W::ZERO };
        let playing = if board.idle < self.limit { !W::ZERO } else { W::ZERO };
        let first = std::array::from_fn(|n| (jumps[n] | (quiet[n] & stepping)) & playing);
        Moves { scene, first, chains: !union(jumps).is_empty() && scene.chains(jumps), chain: Chain::EMPTY }
    }

    /// Returns one of the moves, each equally likely, without listing them unless a jump may continue.
    #[inline]
    pub(super) fn pick_move(&self, board: &Board<W>, rng: &mut Rng) -> Move {
        let mut moves = self.moves(board);
        let n = rng.below(moves.count_left());
        let picked = if moves.chains {
            moves.nth(n as usize)
        } else {
            nth(moves.first, n).map(|(start, direction)| moves.single(start, direction))
        };
        picked.expect("n is below the number of moves")
    }
}

/// The moves of a position, ordered by the direction of their first step and generated lazily.
#[derive(Clone, Debug)]
pub(super) struct Moves<W> {
    scene: Scene<W>,
    /// Pieces that may step or jump in a direction and are still to come. None can do both, because the next square
    /// is either free or not.
    first: ByDirection<W>,
    /// Whether any jump may continue after the first; if not, generation is much cheaper.
    chains: bool,
    /// The chain that was returned last.
    chain: Chain<W>,
}

/// A piece in the middle of its jumps. Small, because it is copied with every [`Moves`].
#[derive(Copy, Clone, Debug)]
struct Chain<W> {
    steps: u64,
    taken: W,
    start: u8,
    at: u8,
    /// Number of jumps so far; 0 if there is no chain.
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

    /// Makes the jump in the first possible direction from `from` on; returns whether there is one.
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

    /// Undoes the last jump and returns its direction.
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

    /// Extends this chain to the end of its first continuation.
    #[inline]
    fn complete(&mut self, scene: &Scene<W>) {
        while self.extend(scene, 0) {}
    }

    /// Goes to the end of the next chain that begins with the same first jump, or clears the chain and returns
    /// `false` after the last one.
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
    /// Returns the move of a piece that stops after its first step or jump.
    #[inline]
    fn single(&self, start: u32, direction: Direction) -> Move {
        let next = neighbour(self.scene.half, start, direction);
        Move::new(start, u64::from(direction.0), u32::from(self.scene.other.has(next)))
    }

    #[inline(never)]
    fn next_in_chains(&mut self) -> Option<Move> {
        if self.chain.jumps == 0 || !self.chain.advance(&self.scene) {
            let (start, direction) = take(&mut self.first)?;
            let single = self.single(start, direction);
            if single.jumps() == 0 {
                return Some(single);
            }
            self.chain = Chain::begin(&self.scene, start, direction);
            self.chain.complete(&self.scene);
        }
        let Chain { start, steps, jumps, .. } = self.chain;
        Some(Move::new(u32::from(start), steps, u32::from(jumps)))
    }

    /// Returns the number of moves still to come.
    #[inline]
    fn count_left(&self) -> u32 {
        if self.chains { self.count_in_chains() } else { total(self.first) }
    }

    #[inline(never)]
    fn count_in_chains(&self) -> u32 {
        let scene = &self.scene;
        let mut count = total(self.first);
        for (n, jumps) in scene.jumps().into_iter().enumerate() {
            for start in (self.first[n] & jumps).cells() {
                let at = W::bit(start);
                let (over, land) = scene.jump(at, scene.other, scene.free);
                let (others, landing) = (scene.other & !over[n], scene.free | at);
                count += scene.completions(land[n], others, landing, scene.directions(at)) - 1;
            }
        }
        let mut chain = self.chain;
        while chain.jumps > 0 && chain.advance(scene) {
            count += 1;
        }
        count
    }
}

impl<W: Word> Iterator for Moves<W> {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        if self.chains {
            return self.next_in_chains();
        }
        take(&mut self.first).map(|(start, direction)| self.single(start, direction))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.count_left() as usize;
        (len, Some(len))
    }
}

impl<W: Word> ExactSizeIterator for Moves<W> {}
impl<W: Word> FusedIterator for Moves<W> {}
