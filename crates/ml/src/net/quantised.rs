//! The net as it is used: 16-bit weights, and sums of the first layer that follow the inputs.

use super::{HIDDEN, Inputs, MIDDLE, MOST_INPUTS, MOST_STAGES, each_input};
use crate::bytes::{DecodeError, Reader, Writer};

/// What a unit that is fully on counts.
const ONE: i32 = 255;

/// What a weight of 1 counts in the second and the last layer.
const UNIT: i32 = 128;

/// Version of the bytes.
const VERSION: u64 = 1;

/// The layers of one stage.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Head {
    /// A row of first-layer units for each unit.
    weights: Vec<[i16; HIDDEN]>,
    biases: [i32; MIDDLE],
    last: [i16; MIDDLE],
    last_bias: i32,
}

/// A net in whole numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Net {
    /// A row of first-layer units for each input.
    first: Vec<[i16; HIDDEN]>,
    biases: [i16; HIDDEN],
    heads: Vec<Head>,
}

/// What a net keeps from one value to the next: the sums of the first layer for the sets of inputs seen last, one for each side of the
/// board, and perhaps values. A new set changes the sums only by the inputs that differ.
#[derive(Clone, Debug)]
pub struct Accumulators {
    sides: [Sums; 2],
    /// Hashes of sets, and the values that belong to them; empty if values are not kept.
    known: Vec<[u64; 2]>,
}

/// How many values are kept: half a megabyte, so that looking one up stays cheaper than computing it. Chosen, not tuned.
const KNOWN: usize = 1 << 15;

#[derive(Clone, Debug)]
struct Sums {
    /// `None` before the first use.
    set: Option<Inputs>,
    sums: [i16; HIDDEN],
}

impl Default for Accumulators {
    fn default() -> Self {
        let sums = Sums { set: None, sums: [0; HIDDEN] };
        Accumulators { sides: [sums.clone(), sums], known: Vec::new() }
    }
}

impl Accumulators {
    /// Returns accumulators that also keep values: a search evaluates many positions again, by other orders of moves and at other depths.
    #[must_use]
    pub fn with_values() -> Self {
        Accumulators { known: vec![[0; 2]; KNOWN], ..Accumulators::default() }
    }
}

/// Returns a hash of a set in a stage.
#[inline]
fn hash_of(set: &Inputs, stage: usize) -> u64 {
    set.iter().fold(stage as u64, |hash, word| {
        let product = u128::from(hash ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93_u128;
        (product >> 64) as u64 ^ product as u64
    })
}

#[inline]
fn add(sums: &mut [i16; HIDDEN], row: &[i16; HIDDEN]) {
    for (sum, &weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_add(weight);
    }
}

#[inline]
fn subtract(sums: &mut [i16; HIDDEN], row: &[i16; HIDDEN]) {
    for (sum, &weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_sub(weight);
    }
}

#[inline]
fn count(set: &Inputs) -> u32 {
    set.iter().map(|word| word.count_ones()).sum()
}

/// The weights of a trained net in floating point, in the order of training: rows of units for each input or unit below.
pub(super) struct FloatHead<'a> {
    pub weights: &'a [[f32; MIDDLE]],
    pub biases: &'a [f32],
    pub last: &'a [f32],
    pub last_bias: f32,
}

#[inline]
fn whole(number: f32, unit: i32) -> i32 {
    libm::roundf(number * unit as f32) as i32
}

fn short(number: f32, unit: i32) -> i16 {
    whole(number, unit).clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16
}

impl Net {
    /// Rounds a trained net.
    pub(super) fn rounded<'a>(
        first: &[[f32; HIDDEN]],
        biases: &[f32; HIDDEN],
        heads: impl Iterator<Item = FloatHead<'a>>,
    ) -> Net {
        let heads = heads.map(|head| Head {
            weights: (0..MIDDLE)
                .map(|unit| std::array::from_fn(|below| short(head.weights[below][unit], UNIT)))
                .collect(),
            biases: std::array::from_fn(|unit| whole(head.biases[unit], ONE * UNIT)),
            last: std::array::from_fn(|unit| short(head.last[unit], UNIT)),
            last_bias: whole(head.last_bias, ONE * UNIT),
        });
        Net {
            first: first.iter().map(|row| row.map(|weight| short(weight, ONE))).collect(),
            biases: biases.map(|bias| short(bias, ONE)),
            heads: heads.collect(),
        }
    }

    /// Returns the number of inputs.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.first.len()
    }

    /// Returns the number of stages.
    #[must_use]
    pub fn stages(&self) -> usize {
        self.heads.len()
    }

    /// Returns the value of a set of inputs in a stage: the logarithm of the odds of winning, times `unit`. `side` says which of the
    /// two sums follows it, and changes nothing but the speed. `kept` serves one net.
    #[inline]
    #[must_use]
    pub fn value(&self, kept: &mut Accumulators, side: usize, set: &Inputs, stage: usize, unit: i32) -> i32 {
        let sums = &mut kept.sides[side];
        let value = if kept.known.is_empty() {
            self.computed(sums, set, stage)
        } else {
            let hash = hash_of(set, stage);
            let known = &mut kept.known[hash as usize % KNOWN];
            if known[0] == hash {
                known[1] as u32 as i32
            } else {
                let value = self.computed(sums, set, stage);
                *known = [hash, u64::from(value as u32)];
                value
            }
        };
        (i64::from(value) * i64::from(unit) / i64::from(ONE * UNIT)) as i32
    }

    /// Returns the value of a set in whole parts of [`ONE`] times [`UNIT`].
    #[inline]
    fn computed(&self, sums: &mut Sums, set: &Inputs, stage: usize) -> i32 {
        let sums = self.follow(sums, set);
        let head = &self.heads[stage];
        let mut units = [0_i16; HIDDEN];
        for (unit, &sum) in units.iter_mut().zip(sums) {
            *unit = sum.clamp(0, ONE as i16);
        }
        let mut value = head.last_bias;
        for ((row, &bias), &last) in head.weights.iter().zip(&head.biases).zip(&head.last) {
            let sum: i32 =
                row.iter().zip(&units).map(|(&weight, &unit)| i32::from(weight) * i32::from(unit)).sum();
            let on = ((sum + bias) / UNIT).clamp(0, ONE);
            value += on * i32::from(last);
        }
        value
    }

    /// Brings the sums to a set.
    #[inline]
    fn follow<'s>(&self, kept: &'s mut Sums, set: &Inputs) -> &'s [i16; HIDDEN] {
        let differ = kept.set.map(|old| -> Inputs { std::array::from_fn(|word| old[word] ^ set[word]) });
        match differ {
            Some(differ) if count(&differ) <= count(set) => {
                let (gone, come): (Inputs, Inputs) = (
                    std::array::from_fn(|word| differ[word] & !set[word]),
                    std::array::from_fn(|word| differ[word] & set[word]),
                );
                each_input(&gone, |input| subtract(&mut kept.sums, &self.first[input]));
                each_input(&come, |input| add(&mut kept.sums, &self.first[input]));
            }
            _ => {
                kept.sums = self.biases;
                each_input(set, |input| add(&mut kept.sums, &self.first[input]));
            }
        }
        kept.set = Some(*set);
        &kept.sums
    }

    /// Returns the net as bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        for number in [VERSION, self.inputs() as u64, HIDDEN as u64, MIDDLE as u64, self.stages() as u64] {
            writer.whole(number);
        }
        let mut shorts = |numbers: &[i16]| {
            writer.bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        };
        self.first.iter().for_each(|row| shorts(row));
        shorts(&self.biases);
        for head in &self.heads {
            head.weights.iter().for_each(|row| shorts(row));
            shorts(&head.last);
        }
        for head in &self.heads {
            let wholes = head.biases.iter().chain([&head.last_bias]);
            writer.bytes.extend(wholes.flat_map(|number| number.to_le_bytes()));
        }
        writer.bytes
    }

    /// Reads a net.
    ///
    /// # Errors
    /// If the bytes are not one, or one of other sizes than this program's.
    pub fn from_bytes(bytes: &[u8]) -> Result<Net, DecodeError> {
        const SIZES: DecodeError = DecodeError("a net of other sizes than this program knows");
        let mut reader = Reader::new(bytes);
        if reader.whole()? != VERSION {
            return Err(DecodeError("a net of a version that this program does not know"));
        }
        let (inputs, hidden) = (reader.at_most(MOST_INPUTS)?, reader.at_most(HIDDEN)?);
        let (middle, stages) = (reader.at_most(MIDDLE)?, reader.at_most(MOST_STAGES)?);
        if hidden != HIDDEN || middle != MIDDLE || inputs == 0 || stages == 0 {
            return Err(SIZES);
        }
        let first = (0..inputs).map(|_| reader.shorts()).collect::<Result<Vec<_>, _>>()?;
        let biases = reader.shorts()?;
        let mut heads = Vec::with_capacity(stages);
        for _ in 0..stages {
            let weights = (0..MIDDLE).map(|_| reader.shorts()).collect::<Result<Vec<_>, _>>()?;
            heads.push(Head { weights, biases: [0; MIDDLE], last: reader.shorts()?, last_bias: 0 });
        }
        for head in &mut heads {
            for bias in head.biases.iter_mut().chain([&mut head.last_bias]) {
                *bias = reader.signed()?;
                // Sums of this and 128 products of 16 bits and 8 stay within 32 bits.
                if bias.unsigned_abs() > 1 << 28 {
                    return Err(DecodeError("a bias is out of range"));
                }
            }
        }
        reader.end()?;
        Ok(Net { first, biases, heads })
    }
}
