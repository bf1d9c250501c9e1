//! Packs values: five to a byte, and runs of one value into one byte.
//!
//! ```text
//! 0 … 242            five values as digits of base 3, the first the lowest: 0 lost, 1 drawn, 2 won
//! 243 + 3·k + v      2, 8, 32 or 128 (k = 0 … 3) times five values v
//! 255                never
//! ```

use super::table::{code, known};
use parlor_core::GameValue;

/// Values per byte.
const GROUP: usize = 5;

/// Values per block. A block is always unpacked as a whole.
pub const BLOCK: usize = GROUP * 1024;

/// The maximum number of bytes of a packed block.
pub(super) const MAX_PACKED: usize = BLOCK / GROUP;

const FIRST_RUN: u8 = 243;
const NEVER: u8 = 255;

/// The lengths of runs, in groups.
const RUNS: [usize; 4] = [2, 8, 32, 128];

/// Packs up to [`BLOCK`] values. A place without a value repeats the one before it, which packs best.
pub(super) fn pack(values: impl Iterator<Item = Option<GameValue>>, into: &mut Vec<u8>) {
    let mut digits = Vec::with_capacity(BLOCK);
    let mut last = 1;
    for value in values {
        last = value.map_or(last, |value| (code(Some(value)) - 1) as u8);
        digits.push(last);
    }
    digits.resize(digits.len().next_multiple_of(GROUP), last);
    let groups: Vec<&[u8]> = digits.chunks(GROUP).collect();
    let mut at = 0;
    while at < groups.len() {
        let value = groups[at][0];
        let same = groups[at..].iter().take_while(|group| group.iter().all(|&digit| digit == value)).count();
        let run = RUNS.iter().rposition(|&length| length <= same);
        match run {
            Some(k) => {
                into.push(FIRST_RUN + 3 * k as u8 + value);
                at += RUNS[k];
            }
            None => {
                into.push(groups[at].iter().rev().fold(0, |sum, &digit| 3 * sum + digit));
                at += 1;
            }
        }
    }
}

/// Calls `visit` with every value of a block in order, and with up to four values of padding. Returns `false` if the bytes
/// are no valid block.
#[must_use]
pub(super) fn unpack(bytes: &[u8], mut visit: impl FnMut(GameValue)) -> bool {
    let mut told = 0;
    for &byte in bytes {
        let (mut digits, count) = match byte {
            0..FIRST_RUN => (byte, 1),
            NEVER => return false,
            _ => {
                let run = byte - FIRST_RUN;
                // A run: five equal digits.
                (121 * (run % 3), RUNS[usize::from(run / 3)])
            }
        };
        told += GROUP * count;
        if told > BLOCK {
            return false;
        }
        let group: [GameValue; GROUP] = std::array::from_fn(|_| {
            let digit = digits % 3;
            digits /= 3;
            known(u64::from(digit) + 1).expect("digits 0 to 2 have the codes 1 to 3")
        });
        for _ in 0..count {
            group.into_iter().for_each(&mut visit);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpacking_inverts_packing() {
        let mut rng = parlor_core::Rng::new(5);
        for round in 0..200 {
            let length = 1 + rng.below(BLOCK as u32) as usize;
            let change = [2, 10, 100, 3000][round % 4];
            let mut value = 1;
            let values: Vec<Option<GameValue>> = (0..length)
                .map(|_| {
                    if rng.below(change) == 0 {
                        value = 1 + u64::from(rng.below(3));
                    }
                    known(if rng.below(50) == 0 { 0 } else { value })
                })
                .collect();
            let mut bytes = Vec::new();
            pack(values.iter().copied(), &mut bytes);
            let mut back = Vec::new();
            assert!(unpack(&bytes, |value| back.push(value)));
            assert_eq!(back.len(), length.next_multiple_of(GROUP));
            assert!(values.iter().zip(&back).all(|(value, back)| value.is_none_or(|value| value == *back)));
        }
    }

    #[test]
    fn runs_of_one_value_take_few_bytes() {
        let mut bytes = Vec::new();
        pack((0..BLOCK).map(|_| Some(GameValue::Won)), &mut bytes);
        assert_eq!(bytes.len(), 8);
    }

    #[test]
    fn any_bytes_are_read_without_a_panic() {
        let mut rng = parlor_core::Rng::new(6);
        for _ in 0..2000 {
            let bytes: Vec<u8> = (0..rng.below(40)).map(|_| rng.bits() as u8).collect();
            let mut told = 0;
            let whole = unpack(&bytes, |_| told += 1);
            assert!(told <= BLOCK && whole != (bytes.contains(&NEVER) || told > BLOCK) || !whole);
        }
    }
}
