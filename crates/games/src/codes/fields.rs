//! Small numbers side by side in one word: the layout of codes of the collective learner.

/// A range of bits in a code.
#[derive(Copy, Clone)]
pub(crate) struct Field {
    at: u32,
    bits: u32,
}

impl Field {
    /// Returns a field of `bits` bits that starts at bit `at`.
    pub(crate) const fn new(at: u32, bits: u32) -> Field {
        Field { at, bits }
    }

    /// Returns a field of `bits` bits that follows this one.
    pub(crate) const fn next(self, bits: u32) -> Field {
        Field { at: self.end(), bits }
    }

    /// Returns the first bit after this field.
    pub(crate) const fn end(self) -> u32 {
        self.at + self.bits
    }

    /// Returns `number` shifted into this field; a number that is too large becomes the largest that fits.
    #[inline]
    pub(crate) const fn put(self, number: u32) -> u32 {
        let most = (1 << self.bits) - 1;
        (if number < most { number } else { most }) << self.at
    }

    /// Returns a signed number shifted into this field: 0 is the middle, and numbers out of range become the nearest
    /// that fits.
    #[inline]
    pub(crate) const fn put_signed(self, number: i32) -> u32 {
        let middle = 1 << (self.bits - 1);
        let moved = number + middle;
        self.put(if moved < 0 { 0 } else { moved as u32 })
    }

    /// Returns the number that a code holds in this field.
    #[inline]
    pub(crate) const fn get(self, code: u32) -> u32 {
        code >> self.at & ((1 << self.bits) - 1)
    }

    /// Returns the signed number that a code holds in this field.
    pub(crate) const fn get_signed(self, code: u32) -> i32 {
        self.get(code) as i32 - (1 << (self.bits - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_hold_numbers_up_to_their_limits() {
        const FIRST: Field = Field::new(1, 2);
        const SECOND: Field = FIRST.next(3);
        let code = 1 | FIRST.put(9) | SECOND.put_signed(-2);
        assert_eq!((FIRST.get(code), SECOND.get_signed(code), SECOND.end()), (3, -2, 6));
        assert_eq!(SECOND.get_signed(SECOND.put_signed(-100)), -4);
        assert_eq!(SECOND.get_signed(SECOND.put_signed(100)), 3);
    }
}
