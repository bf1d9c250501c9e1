//! The board of a search: up to 64 cells, the known mines beside them, and the symmetries of the board.

/// The largest number of symmetries: rotations and reflections of a square.
pub(super) const MAX_SYMMETRIES: usize = 8;

/// What a cell can show: a number from 0 to 8, or a click whose number is not known yet.
const SHOWN: usize = 10;
const CLICKED: usize = 9;

/// The cells of a search. If it holds a whole board, a cell's index is its number there.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// The neighbours of each cell.
    pub near: Vec<u64>,
    /// Number of mines beside each cell that are not cells of the frame.
    pub known: Vec<u8>,
    /// For each cell, number and symmetry a random number: the Zobrist key of that cell showing that number.
    zobrist: Vec<[[u128; MAX_SYMMETRIES]; SHOWN]>,
    symmetries: usize,
}

/// Zobrist keys of the open cells under every symmetry. Only the smallest counts, so that symmetric positions share
/// it.
#[derive(Copy, Clone, Debug)]
pub(super) struct Key([u128; MAX_SYMMETRIES]);

impl Frame {
    /// Returns a frame. `maps` give the image of each cell under each symmetry; the first one is the identity.
    pub fn new(near: Vec<u64>, known: Vec<u8>, maps: &[Vec<usize>]) -> Self {
        let sign = |cell: usize, number: usize| random((cell * SHOWN + number) as u64);
        let seen = |cell: usize, number: usize| {
            std::array::from_fn(|side| maps.get(side).map_or(0, |map| sign(map[cell], number)))
        };
        let zobrist = (0..near.len()).map(|cell| std::array::from_fn(|number| seen(cell, number))).collect();
        Frame { near, known, zobrist, symmetries: maps.len() }
    }

    /// Returns the number that a cell shows in a layout.
    #[inline]
    pub fn number(&self, layout: u64, cell: usize) -> usize {
        (layout & self.near[cell]).count_ones() as usize
    }

    /// Returns the key of a board without open cells. Boards with different salts share no keys.
    pub fn blank(&self, salt: u64) -> Key {
        Key([if salt == 0 { 0 } else { random(u64::MAX / 2 - salt) }; MAX_SYMMETRIES])
    }

    /// Returns a key of a click, equal for clicks that are symmetric to each other.
    pub fn click(&self, mut key: Key, cell: usize) -> u128 {
        key.0.iter_mut().zip(&self.zobrist[cell][CLICKED]).for_each(|(key, sign)| *key ^= sign);
        self.canonical(&key)
    }

    /// Adds to a key that a cell shows a number, not counting known mines.
    #[inline]
    pub fn open(&self, key: &mut Key, cell: usize, number: usize) {
        let zobrist = &self.zobrist[cell][number + usize::from(self.known[cell])];
        for (key, sign) in key.0.iter_mut().zip(zobrist) {
            *key ^= sign;
        }
    }

    /// Returns the smallest key over all symmetries.
    #[inline]
    pub fn canonical(&self, key: &Key) -> u128 {
        key.0[..self.symmetries].iter().copied().min().unwrap_or(0)
    }
}

/// Returns a random number for an index: two rounds of a mixing function.
fn random(index: u64) -> u128 {
    let mix = |of: u64| {
        let a = (of ^ of >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let b = (a ^ a >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        b ^ b >> 31
    };
    let step = 0x9e37_79b9_7f4a_7c15;
    let low = mix((2 * index + 1).wrapping_mul(step));
    let high = mix((2 * index + 2).wrapping_mul(step));
    u128::from(high) << 64 | u128::from(low)
}
