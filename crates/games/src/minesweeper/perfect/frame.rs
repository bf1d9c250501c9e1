//! A board as the search sees it: up to 64 cells, the mines that stay beside them, and what maps the board onto itself.

/// The most ways in which a board lies on itself: a square can be turned and mirrored.
pub(super) const MOST_SYMMETRIES: usize = 8;

/// What a cell can show: a number from 0 to 8, or that it was clicked and what it shows is not known yet.
const SHOWN: usize = 10;
const CLICKED: usize = 9;

/// The cells of a search. Where it holds a whole board, a cell's index is its number there.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// The neighbours of each cell.
    pub near: Vec<u64>,
    /// The mines beside each cell that are no cells of the frame.
    pub known: Vec<u8>,
    /// For each cell, number and symmetry a random number: that this cell shows that number, seen from there.
    signs: Vec<[[u128; MOST_SYMMETRIES]; SHOWN]>,
    symmetries: usize,
}

/// What is open, seen from every side. Only the smallest of these counts, so that what can be turned into each other is one.
#[derive(Copy, Clone, Debug)]
pub(super) struct Key([u128; MOST_SYMMETRIES]);

impl Frame {
    /// Makes a frame. `maps` tell where each cell goes under each symmetry; the first one moves nothing.
    pub fn new(near: Vec<u64>, known: Vec<u8>, maps: &[Vec<usize>]) -> Self {
        let sign = |cell: usize, number: usize| random((cell * SHOWN + number) as u64);
        let seen = |cell: usize, number: usize| {
            std::array::from_fn(|side| maps.get(side).map_or(0, |map| sign(map[cell], number)))
        };
        let signs = (0..near.len()).map(|cell| std::array::from_fn(|number| seen(cell, number))).collect();
        Frame { near, known, signs, symmetries: maps.len() }
    }

    /// Returns the number that a cell shows in a layout.
    #[inline]
    pub fn number(&self, layout: u64, cell: usize) -> usize {
        (layout & self.near[cell]).count_ones() as usize
    }

    /// The key of a board on which nothing is open. Boards with different salts have nothing in common.
    pub fn blank(&self, salt: u64) -> Key {
        Key([if salt == 0 { 0 } else { random(u64::MAX / 2 - salt) }; MOST_SYMMETRIES])
    }

    /// Returns a name for a click: equal for clicks that lie on each other if the board is turned.
    pub fn click(&self, mut key: Key, cell: usize) -> u128 {
        key.0.iter_mut().zip(&self.signs[cell][CLICKED]).for_each(|(key, sign)| *key ^= sign);
        self.canonical(&key)
    }

    /// Adds to a key that a cell shows a number, known mines not counted.
    #[inline]
    pub fn open(&self, key: &mut Key, cell: usize, number: usize) {
        let signs = &self.signs[cell][number + usize::from(self.known[cell])];
        for (key, sign) in key.0.iter_mut().zip(signs) {
            *key ^= sign;
        }
    }

    /// Returns the key as it is from the side from which it is smallest.
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
