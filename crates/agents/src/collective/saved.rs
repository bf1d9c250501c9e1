//! The encoding of a matrix: transitions in order, each as the difference to the one before.

use std::io::{self, Read, Write};

use super::matrix::{Matrix, Pair, Transition};

/// The first byte: the version of the layout.
const LAYOUT: u8 = 1;

/// Writes a matrix, the meaning of its states, and the number of matches behind it.
pub(super) fn write<K: Pair>(
    matrix: &Matrix<K>,
    codes: &str,
    matches: u64,
    to: &mut dyn Write,
) -> io::Result<()> {
    let all = matrix.sorted();
    let mut bytes = vec![LAYOUT];
    put(&mut bytes, codes.len() as u128);
    bytes.extend_from_slice(codes.as_bytes());
    for number in [matches, matrix.forgotten(), all.len() as u64] {
        put(&mut bytes, u128::from(number));
    }
    let (mut last_from, mut last_to) = (0, 0);
    for transition in &all {
        let (from, respondent) = transition.pair.unpack();
        put(&mut bytes, from - last_from);
        if from > last_from {
            last_to = 0;
        }
        put(&mut bytes, respondent - last_to);
        (last_from, last_to) = (from, respondent);
        put(&mut bytes, u128::from(zigzag(transition.weight)));
        put(&mut bytes, u128::from(transition.uses));
    }
    to.write_all(&bytes)
}

/// Reads a matrix and returns the number of matches; leaves the matrix unchanged if the bytes are invalid.
pub(super) fn read<K: Pair>(matrix: &mut Matrix<K>, codes: &str, from: &mut dyn Read) -> io::Result<u64> {
    let mut bytes = Vec::new();
    from.read_to_end(&mut bytes)?;
    let (matches, forgotten, all) =
        parse::<K>(&bytes, codes).map_err(|wrong| io::Error::new(io::ErrorKind::InvalidData, wrong))?;
    matrix.fill(&all, forgotten);
    Ok(matches)
}

type Parsed<K> = (u64, u64, Vec<Transition<K>>);

fn parse<K: Pair>(bytes: &[u8], codes: &str) -> Result<Parsed<K>, &'static str> {
    let Some((&LAYOUT, mut rest)) = bytes.split_first() else {
        return Err("not a matrix of a layout that this program knows");
    };
    let rest = &mut rest;
    let whole = |rest: &mut &[u8]| u64::try_from(get(rest)?).map_err(|_| "a number is too large");
    let length = whole(rest)?;
    let meant = usize::try_from(length).ok().and_then(|length| rest.split_at_checked(length));
    let (meant, after) = meant.ok_or("the bytes end too soon")?;
    if meant != codes.as_bytes() {
        return Err("it was learnt under rules or with a codec whose states mean something else");
    }
    *rest = after;
    let (matches, forgotten, len) = (whole(rest)?, whole(rest)?, whole(rest)?);
    // A transition takes at least four bytes; a larger count is damage, not a reason to reserve memory.
    if len > rest.len() as u64 / 4 {
        return Err("fewer transitions than announced");
    }
    let mut all: Vec<Transition<K>> = Vec::with_capacity(len as usize);
    let (mut state, mut respondent) = (0_u128, 0_u128);
    let limit = if K::WIDTH == 128 { u128::MAX } else { (1 << K::WIDTH) - 1 };
    for _ in 0..len {
        let step = get(rest)?;
        if step > 0 {
            respondent = 0;
        }
        state = state.checked_add(step).filter(|s| *s <= limit).ok_or("a state is too wide")?;
        respondent =
            respondent.checked_add(get(rest)?).filter(|s| *s <= limit).ok_or("a state is too wide")?;
        let weight = unzigzag(whole(rest)?);
        let uses = u32::try_from(get(rest)?).map_err(|_| "a count is too large")?;
        let transition = Transition { pair: K::pack(state, respondent), weight, uses };
        if uses == 0 || all.last().is_some_and(|last| last.pair >= transition.pair) {
            return Err("transitions are out of order");
        }
        all.push(transition);
    }
    if rest.is_empty() {
        Ok((matches, forgotten, all))
    } else {
        Err("there is something behind the last transition")
    }
}

/// Writes a variable-length integer: seven bits a byte, lowest first; the top bit says that more follow.
fn put(bytes: &mut Vec<u8>, mut number: u128) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn get(rest: &mut &[u8]) -> Result<u128, &'static str> {
    let mut number = 0_u128;
    for shift in (0..128).step_by(7) {
        let (&byte, after) = rest.split_first().ok_or("the bytes end too soon")?;
        *rest = after;
        let bits = u128::from(byte & 0x7F);
        if bits << shift >> shift != bits {
            break;
        }
        // One number, one form: what is read is written back as it was.
        if byte == 0 && shift > 0 {
            return Err("a number has more bytes than it needs");
        }
        number |= bits << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err("a number is too large")
}

/// Maps small numbers of either sign to small unsigned numbers.
fn zigzag(number: i64) -> u64 {
    (number << 1 ^ number >> 63) as u64
}

fn unzigzag(bits: u64) -> i64 {
    (bits >> 1) as i64 ^ -((bits & 1) as i64)
}

#[cfg(test)]
mod tests {
    use parlor_core::Rng;

    use super::*;

    fn filled<K: Pair>() -> Matrix<K> {
        let mut rng = Rng::new(3);
        let mut matrix = Matrix::new(None);
        for _ in 0..3_000 {
            let wide = u128::from(rng.bits()) << 64 | u128::from(rng.bits());
            let state = |bits: u128| bits >> (128 - K::WIDTH);
            let pair = K::pack(state(wide) & !0x00FF_FFFF, u128::from(rng.below(500)));
            matrix.update(pair, 0).weight += rng.bits() as i64 >> rng.below(63);
        }
        matrix
    }

    fn comes_back<K: Pair + std::fmt::Debug>() {
        let matrix = filled::<K>();
        let mut bytes = Vec::new();
        write(&matrix, "abc", 77, &mut bytes).unwrap();
        let mut again = Matrix::<K>::new(None);
        assert_eq!(read(&mut again, "abc", &mut &bytes[..]).unwrap(), 77);
        assert_eq!(again.sorted(), matrix.sorted());
        let mut twice = Vec::new();
        write(&again, "abc", 77, &mut twice).unwrap();
        assert_eq!(bytes, twice, "equal knowledge, equal bytes");
    }

    #[test]
    fn what_is_written_comes_back() {
        comes_back::<u64>();
        comes_back::<u128>();
        comes_back::<[u128; 2]>();
    }

    #[test]
    fn damage_is_refused_and_changes_nothing() {
        let mut bytes = Vec::new();
        write(&filled::<u64>(), "abc", 5, &mut bytes).unwrap();
        let mut matrix = filled::<u64>();
        let before = matrix.sorted();
        let mut refuse = |bytes: &[u8]| {
            let error = read(&mut matrix, "abc", &mut &bytes[..]).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidData);
            assert_eq!(matrix.sorted(), before, "{error}");
        };
        refuse(&[]);
        refuse(&[9]);
        refuse(&bytes[..bytes.len() - 1]);
        refuse(&[&bytes[..], &[0]].concat());
        refuse(&[LAYOUT, 3, b'a', b'b', b'c', 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 1, 1, 1, 1]);
        refuse(&[LAYOUT, 3, b'a', b'b', b'c', 0, 0, 1, 1, 1, 1, 0]);
        refuse(&[LAYOUT, 3, b'a', b'b', b'd', 0, 0, 0]);
        refuse(&[LAYOUT, 3, b'a', b'b', b'c', 0x80, 0, 0, 0]);
        let mut rng = Rng::new(1);
        for _ in 0..2_000 {
            let mut damaged = bytes.clone();
            let at = rng.below(damaged.len() as u32) as usize;
            damaged[at] ^= 1 << rng.below(8);
            // A flipped bit can give another matrix, but never a panic.
            let _ = parse::<u64>(&damaged, "abc");
        }
    }

    #[test]
    fn a_wider_matrix_is_refused_by_a_narrower_one() {
        let mut bytes = Vec::new();
        write(&filled::<u128>(), "abc", 5, &mut bytes).unwrap();
        assert_eq!(parse::<u64>(&bytes, "abc").unwrap_err(), "a state is too wide");
    }
}
