//! Boards as one number: a digit per cell, in a base equal to the number of possible cell contents.

/// Returns the powers `base`⁰, `base`¹ …, with 0 for those that do not fit 128 bits.
pub(crate) const fn powers<const N: usize>(base: u128) -> [u128; N] {
    let mut powers = [0; N];
    let (mut power, mut i) = (Some(1u128), 0);
    while i < N {
        let Some(fits) = power else { break };
        powers[i] = fits;
        power = fits.checked_mul(base);
        i += 1;
    }
    powers
}

/// Returns the number of bits that `digits` digits need; `None` if more than 128.
pub(crate) fn width(base: u128, digits: u32) -> Option<u32> {
    let largest = (0..digits).try_fold(0u128, |number, _| number.checked_mul(base)?.checked_add(base - 1))?;
    Some(128 - largest.leading_zeros())
}

/// Returns the digits of a number, lowest first, followed by zeros without end.
pub(crate) fn digits(mut number: u128, base: u128) -> impl Iterator<Item = u128> {
    std::iter::repeat_with(move || {
        let digit = number % base;
        number /= base;
        digit
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_of_numbers() {
        assert_eq!(width(2, 128), Some(128));
        assert_eq!(width(2, 129), None);
        assert_eq!(width(11, 37), Some(128));
        assert_eq!(width(11, 38), None);
        assert_eq!(width(5, 1), Some(3));
    }

    #[test]
    fn powers_weigh_digits() {
        const POWERS: [u128; 60] = powers(5);
        assert_eq!(POWERS[..3], [1, 5, 25]);
        assert_eq!((POWERS[55], POWERS[56]), (5u128.pow(55), 0), "5⁵⁵ is the last that fits");
        let number = 3 * POWERS[0] + 4 * POWERS[7];
        let found: Vec<u128> = digits(number, 5).take(9).collect();
        assert_eq!(found, [3, 0, 0, 0, 0, 0, 0, 4, 0]);
    }
}
