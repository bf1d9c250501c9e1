//! Models as bytes: whole numbers with seven bits a byte, reals as their eight bytes.

use crate::dataset::{MOST_CLASSES, MOST_FEATURES};

/// Error of bytes that are not a model: what is wrong with them.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct DecodeError(pub &'static str);

#[derive(Default)]
pub(crate) struct Writer {
    pub bytes: Vec<u8>,
}

impl Writer {
    pub fn whole(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    pub fn real(&mut self, number: f64) {
        self.bytes.extend_from_slice(&number.to_le_bytes());
    }

    pub fn reals(&mut self, numbers: &[f64]) {
        numbers.iter().for_each(|&number| self.real(number));
    }
}

pub(crate) struct Reader<'b> {
    bytes: &'b [u8],
}

impl<'b> Reader<'b> {
    pub fn new(bytes: &'b [u8]) -> Self {
        Reader { bytes }
    }

    pub fn whole(&mut self) -> Result<u64, DecodeError> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let [byte] = self.take()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte < 0x80 {
                // One number has one form, so that equal knowledge has equal bytes.
                let shortest = byte != 0 || shift == 0;
                return if shortest {
                    Ok(number)
                } else {
                    Err(DecodeError("a whole number has an empty byte"))
                };
            }
        }
        Err(DecodeError("a whole number is too large"))
    }

    /// Returns a whole number that is at most `most`.
    pub fn at_most(&mut self, most: usize) -> Result<usize, DecodeError> {
        let number = usize::try_from(self.whole()?).ok().filter(|&number| number <= most);
        number.ok_or(DecodeError("a number is out of range"))
    }

    /// Returns a number of things of which each takes a byte or more, so that there are no more than bytes left.
    pub fn count(&mut self) -> Result<usize, DecodeError> {
        let number = self.at_most(usize::MAX)?;
        if number > self.bytes.len() { Err(DecodeError("it is cut off")) } else { Ok(number) }
    }

    /// Returns the numbers of features and classes.
    pub fn shape(&mut self) -> Result<(usize, usize), DecodeError> {
        let (features, classes) = (self.at_most(MOST_FEATURES)?, self.at_most(MOST_CLASSES)?);
        if features < 1 || classes < 2 {
            return Err(DecodeError("it has no features, or no classes to tell apart"));
        }
        Ok((features, classes))
    }

    pub fn real(&mut self) -> Result<f64, DecodeError> {
        let number = f64::from_le_bytes(self.take()?);
        if number.is_finite() { Ok(number) } else { Err(DecodeError("a number is not finite")) }
    }

    /// Returns a number of four bytes.
    pub fn single(&mut self) -> Result<f32, DecodeError> {
        let number = f32::from_le_bytes(self.take()?);
        if number.is_finite() { Ok(number) } else { Err(DecodeError("a number is not finite")) }
    }

    /// Returns whole numbers of two bytes.
    pub fn shorts<const N: usize>(&mut self) -> Result<[i16; N], DecodeError> {
        let mut numbers = [0; N];
        for number in &mut numbers {
            *number = i16::from_le_bytes(self.take()?);
        }
        Ok(numbers)
    }

    /// Returns a whole number of four bytes.
    pub fn signed(&mut self) -> Result<i32, DecodeError> {
        Ok(i32::from_le_bytes(self.take()?))
    }

    /// Returns whether nothing is left.
    pub fn is_at_end(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn reals(&mut self, count: usize) -> Result<Vec<f64>, DecodeError> {
        if count > self.bytes.len() / 8 {
            return Err(DecodeError("it is cut off"));
        }
        (0..count).map(|_| self.real()).collect()
    }

    /// Returns an error if something is left.
    pub fn end(&self) -> Result<(), DecodeError> {
        if self.bytes.is_empty() { Ok(()) } else { Err(DecodeError("something follows its end")) }
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let (taken, rest) = self.bytes.split_first_chunk().ok_or(DecodeError("it is cut off"))?;
        self.bytes = rest;
        Ok(*taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX - 1, u64::MAX];
        let mut writer = Writer::default();
        numbers.iter().for_each(|&number| writer.whole(number));
        writer.real(-0.1);
        let mut reader = Reader::new(&writer.bytes);
        for number in numbers {
            assert_eq!(reader.whole().unwrap(), number);
        }
        assert!(reader.end().is_err());
        assert_eq!(reader.reals(1).unwrap(), [-0.1]);
        reader.end().unwrap();
        assert!(Reader::new(&[0xff; 11]).whole().is_err());
        assert!(Reader::new(&[0xff]).whole().is_err());
        assert!(Reader::new(&f64::NAN.to_le_bytes()).real().is_err());
        assert!(Reader::new(&[5, 0, 0]).count().is_err());
    }
}
