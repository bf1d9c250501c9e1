//! The cells of a state as few bytes.
//!
//! Symbols are small numbers, so a state is packed with 1, 2, 4 or 8 bits a cell, whatever its greatest symbol needs. The first byte
//! has the logarithm of the bits in its lowest two bits and the number of unused cells of the last byte above them.

/// Appends the bytes of a state.
pub(crate) fn pack(cells: &[u8], out: &mut Vec<u8>) {
    let greatest = cells.iter().copied().max().unwrap_or(0);
    let log = match greatest {
        0..2 => 0,
        2..4 => 1,
        4..16 => 2,
        _ => 3,
    };
    let (bits, per_byte) = (1 << log, 8 >> log);
    let unused = cells.len().next_multiple_of(per_byte) - cells.len();
    out.push(log | (unused as u8) << 2);
    out.extend(
        cells
            .chunks(per_byte)
            .map(|part| part.iter().rev().fold(0_u16, |byte, &cell| byte << bits | u16::from(cell)) as u8),
    );
}

/// Appends the cells of packed bytes; `None` if they are not what [`pack`] writes.
pub(crate) fn unpack(bytes: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let (&head, bytes) = bytes.split_first()?;
    let (log, unused) = (head & 3, usize::from(head >> 2));
    let (bits, per_byte) = (1_u32 << log, 8_usize >> log);
    let count = (bytes.len() * per_byte).checked_sub(unused)?;
    let mask = (0xff_u16 >> (8 - bits)) as u8;
    let cells = bytes.iter().flat_map(|&byte| {
        (0..per_byte as u32).map(move |at| byte.checked_shr(at * bits).unwrap_or(0) & mask)
    });
    out.extend(cells.take(count));
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn cells_survive(cells: Vec<u8>, limit in 1_u8..=255) {
            let cells: Vec<u8> = cells.into_iter().map(|cell| cell % limit).collect();
            let (mut bytes, mut back) = (Vec::new(), Vec::new());
            pack(&cells, &mut bytes);
            unpack(&bytes, &mut back).unwrap();
            prop_assert_eq!(back, cells);
        }

        #[test]
        fn other_bytes_never_panic(bytes: Vec<u8>) {
            let _ = unpack(&bytes, &mut Vec::new());
        }
    }

    #[test]
    fn boards_take_few_bytes() {
        let packed = |cells: &[u8]| {
            let mut bytes = Vec::new();
            pack(cells, &mut bytes);
            bytes
        };
        assert_eq!(packed(&[0, 1, 2, 0, 0, 2, 1, 0, 1]), [1 | 3 << 2, 0b00_10_01_00, 0b00_01_10_00, 0b01]);
        assert_eq!(packed(&[4; 64]).len(), 33);
        assert_eq!(packed(&[]), [0]);
    }
}
