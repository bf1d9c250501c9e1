//! Where an action lies on the cells of a view, as bytes.

/// Appends the bytes of a place: its kind, then the cells of its path, each in seven bits a byte, lowest first.
///
/// ```
/// use parlor_store::{read_place, write_place};
/// let mut bytes = Vec::new();
/// write_place(3, &[10, 300], &mut bytes);
/// assert_eq!(read_place(&bytes), Some((3, vec![10, 300])));
/// ```
pub fn write_place(kind: u16, cells: &[u16], out: &mut Vec<u8>) {
    for mut number in std::iter::once(kind).chain(cells.iter().copied()) {
        while number >= 0x80 {
            out.push(number as u8 | 0x80);
            number >>= 7;
        }
        out.push(number as u8);
    }
}

/// Reads what [`write_place`] wrote: the kind and the cells; `None` for other bytes.
#[must_use]
pub fn read_place(bytes: &[u8]) -> Option<(u16, Vec<u16>)> {
    let mut numbers = Vec::with_capacity(bytes.len());
    let (mut number, mut shift) = (0_u32, 0);
    for &byte in bytes {
        number |= u32::from(byte & 0x7f).checked_shl(shift)?;
        shift += 7;
        if byte < 0x80 {
            numbers.push(u16::try_from(number).ok()?);
            (number, shift) = (0, 0);
        } else if shift > 14 {
            return None;
        }
    }
    if shift > 0 || numbers.is_empty() {
        return None;
    }
    let kind = numbers.remove(0);
    Some((kind, numbers))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn places_survive(kind: u16, cells: Vec<u16>) {
            let mut bytes = Vec::new();
            write_place(kind, &cells, &mut bytes);
            prop_assert_eq!(read_place(&bytes), Some((kind, cells)));
        }

        #[test]
        fn other_bytes_never_panic(bytes: Vec<u8>) {
            let _ = read_place(&bytes);
        }
    }

    #[test]
    fn nonsense_is_refused() {
        assert_eq!(read_place(&[]), None);
        assert_eq!(read_place(&[0x80]), None);
        assert_eq!(read_place(&[0xff, 0xff, 0xff, 0x01]), None);
    }
}
