//! The keys of states and inputs: 64-bit hashes that never change, because databases hold them.
//!
//! A state's key is the sum of one term for each cell. So the key of a state that differs in one cell costs one addition, and a turned board
//! costs as much as the board itself. Terms depend on the *text* of a symbol, not on its number: a game may list its symbols in
//! another order one day.

use parlor_core::rng::fork;

/// Returns the key of a text.
#[must_use]
pub fn text_key(text: &str) -> u64 {
    let length = fork(0xfab1_e000, text.len() as u64);
    text.as_bytes().chunks(8).fold(length, |key, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        fork(key, u64::from_le_bytes(word))
    })
}

/// Returns the key of an input: who moves, what kind of action it is, and the cells on which it lies, in order.
#[must_use]
pub fn input_key(seat: u8, kind: u16, cells: impl IntoIterator<Item = u16>) -> u64 {
    let start = fork(fork(0xfab1_e001, u64::from(seat)), u64::from(kind));
    cells.into_iter().fold(start, |key, cell| fork(key, u64::from(cell)))
}

/// The keys of all states of one model: the whole view, or windows of one size.
#[derive(Clone, Debug)]
pub struct StateKeys {
    start: u64,
    terms: Vec<u64>,
    symbols: usize,
}

impl StateKeys {
    /// Returns the keys of states with this number of cells. `about` names everything that keeps them apart from other states, such as the
    /// game.
    #[must_use]
    pub fn new(about: &str, cells: usize, symbols: &[&str]) -> StateKeys {
        let symbol_keys: Vec<u64> = symbols.iter().map(|symbol| text_key(symbol)).collect();
        let term = |cell: usize, symbol: u64| fork(fork(0xfab1_e002, cell as u64), symbol);
        let terms = (0..cells).flat_map(|cell| symbol_keys.iter().map(move |&symbol| term(cell, symbol)));
        StateKeys { start: text_key(about), terms: terms.collect(), symbols: symbols.len() }
    }

    /// Returns the key of a state without cells.
    #[inline]
    #[must_use]
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Returns what a cell with this symbol adds to a key.
    #[inline]
    #[must_use]
    pub fn term(&self, cell: usize, symbol: u8) -> u64 {
        self.terms[cell * self.symbols + usize::from(symbol)]
    }

    /// Returns the key of a state given cell by cell.
    #[inline]
    #[must_use]
    pub fn key(&self, cells: impl IntoIterator<Item = (usize, u8)>) -> u64 {
        let terms = cells.into_iter().map(|(cell, symbol)| self.term(cell, symbol));
        terms.fold(self.start, u64::wrapping_add)
    }
}

/// How a game came out for the seat whose step is counted.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum End {
    /// The seat won.
    Win,
    /// Nobody won.
    Tie,
    /// The seat lost.
    Loss,
}

impl End {
    /// Every end.
    pub const ALL: [End; 3] = [End::Win, End::Tie, End::Loss];

    /// Returns the word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            End::Win => "win",
            End::Tie => "tie",
            End::Loss => "loss",
        }
    }

    /// Returns the key of the end state: the automaton of every model has the same three.
    #[must_use]
    pub const fn key(self) -> u64 {
        fork(0xfab1_e003, self as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Databases hold these keys. If this test fails, the keys have changed: put them back.
    #[test]
    fn keys_never_change() {
        assert_eq!(text_key(""), 0x24e0_b984_640c_5896);
        assert_eq!(text_key("minesweeper"), 0x439d_15d8_92bb_5467);
        assert_eq!(input_key(0, 0, []), 0x89e6_d196_42be_219e);
        assert_eq!(input_key(1, 2, [3, 4, 5]), 0x28c2_057a_7f0e_b4b5);
        let symbols = ["#", "0", "1"];
        let keys = StateKeys::new("minesweeper", 4, &symbols);
        assert_eq!(keys.key([(0, 0), (1, 1), (2, 2), (3, 0)]), 0x4ef5_54ae_3ca8_7a37);
        assert_eq!(
            End::ALL.map(End::key),
            [0xaee3_8d5b_d8cf_0cc9, 0x89d5_b3af_fe05_f246, 0xbc59_5a82_2a8f_ca46]
        );
    }

    #[test]
    fn the_order_of_symbols_does_not_matter() {
        let [a, b] = [["#", "0"], ["0", "#"]].map(|two| StateKeys::new("x", 2, &two));
        assert_eq!(a.key([(0, 0), (1, 1)]), b.key([(0, 1), (1, 0)]));
        assert_ne!(a.key([(0, 0), (1, 1)]), a.key([(0, 1), (1, 0)]));
    }
}
