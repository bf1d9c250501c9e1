//! Where an action lies on the cells of a view, as bytes.

use parlor_core::Place;
use parlor_core::rules::cells::MAX_PATH;

/// Appends the bytes of a place: its kind, then the cells of its path, each in seven bits a byte, lowest first.
///
/// ```
/// use parlor_core::Place;
/// use parlor_store::{read_place, write_place};
/// let place = Place { kind: 3, ..Place::along([10, 300]) };
/// let mut bytes = Vec::new();
/// write_place(&place, &mut bytes);
/// assert_eq!(read_place(&bytes), Some(place));
/// ```
pub fn write_place(place: &Place, out: &mut Vec<u8>) {
    for mut number in std::iter::once(place.kind).chain(place.cells.iter().copied()) {
        while number >= 0x80 {
            out.push(number as u8 | 0x80);
            number >>= 7;
        }
        out.push(number as u8);
    }
}

/// Reads what [`write_place`] wrote; `None` for other bytes.
#[must_use]
pub fn read_place(bytes: &[u8]) -> Option<Place> {
    let mut place = Place::default();
    let (mut number, mut shift, mut count) = (0_u32, 0_u32, 0_usize);
    for &byte in bytes {
        // Three bytes hold more than 16 bits.
        if shift > 14 {
            return None;
        }
        number |= u32::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 {
            let value = u16::try_from(number).ok()?;
            match count {
                0 => place.kind = value,
                _ if count <= MAX_PATH => place.cells.push(value),
                _ => return None,
            }
            (number, shift, count) = (0, 0, count + 1);
        }
    }
    (shift == 0 && count > 0).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn places_survive(kind: u16, cells in prop::collection::vec(any::<u16>(), 0..=MAX_PATH)) {
            let place = Place { kind, ..Place::along(cells) };
            let mut bytes = Vec::new();
            write_place(&place, &mut bytes);
            prop_assert_eq!(read_place(&bytes), Some(place));
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
        assert_eq!(read_place(&[1; MAX_PATH + 2]), None);
    }
}
