//! Small numbers side by side in one word: how codes of the collective learner are laid out.

/// Some bits of a code.
#[derive(Copy, Clone)]
pub(crate) struct Field {
    at: u32,
    bits: u32,
}

impl Field {
    /// A field of `bits` bits from bit `at` on.
    pub(crate) const fn new(at: u32, bits: u32) -> Field {
        Field { at, bits }
    }

    /// Returns the field behind this one.
    pub(crate) const fn next(self, bits: u32) -> Field {
        Field { at: self.end(), bits }
    }

    /// Returns the first bit behind this field.
    pub(crate) const fn end(self) -> u32 {
        self.at + self.bits
    }

    /// Returns a number in its place; one that is too large is the largest.
    #[inline]
    pub(crate) const fn put(self, number: u32) -> u32 {
        let most = (1 << self.bits) - 1;
        (if number < most { number } else { most }) << self.at
    }

    /// Returns a difference in its place: the middle is 0, and what lies too far off is the nearest that fits.
    #[inline]
    pub(crate) const fn put_signed(self, number: i32) -> u32 {
        let middle = 1 << (self.bits - 1);
        let moved = number + middle;
        self.put(if moved < 0 { 0 } else { moved as u32 })
    }

    /// Returns the number in a code.
    #[inline]
    pub(crate) const fn get(self, code: u32) -> u32 {
        code >> self.at & ((1 << self.bits) - 1)
    }

    /// Returns the difference in a code.
    pub(crate) const fn get_signed(self, code: u32) -> i32 {
        self.get(code) as i32 - (1 << (self.bits - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_places_and_limits() {
        const FIRST: Field = Field::new(1, 2);
        const SECOND: Field = FIRST.next(3);
        let code = 1 | FIRST.put(9) | SECOND.put_signed(-2);
        assert_eq!((FIRST.get(code), SECOND.get_signed(code), SECOND.end()), (3, -2, 6));
        assert_eq!(SECOND.get_signed(SECOND.put_signed(-100)), -4);
        assert_eq!(SECOND.get_signed(SECOND.put_signed(100)), 3);
    }
}
