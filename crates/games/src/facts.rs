//! Small numbers about what a seat knows, and groups of them: each combination of the values of a group is an entry of a learner's table.
//!
//! A game lists its numbers with [`numbers!`] and writes down which of them form groups.

/// What the values of a number mean.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Scale {
    /// A count.
    Count,
    /// Value 0 is from the first number to just below it and the second.
    Steps(f64, f64),
    /// Value 0 is a probability of 0; the others are from a multiple of this to just below the next one.
    Chance(f64),
    /// Their names.
    Names(&'static [&'static str]),
    /// Whatever this function returns for them.
    Other(fn(u32) -> String),
}

/// What a number counts.
#[derive(Copy, Clone, Debug)]
pub(crate) struct NumberInfo {
    /// The number of its values; larger ones count as the largest.
    pub size: u32,
    /// What they mean.
    pub scale: Scale,
    /// What it counts.
    pub words: &'static str,
}

/// Returns a number that counts.
pub(crate) const fn counts(size: u32, words: &'static str) -> NumberInfo {
    NumberInfo { size, scale: Scale::Count, words }
}

/// Returns an amount in steps from 0 on.
pub(crate) const fn steps(size: u32, unit: f64, words: &'static str) -> NumberInfo {
    steps_from(0.0, size, unit, words)
}

/// Returns an amount in steps from `from` on.
pub(crate) const fn steps_from(from: f64, size: u32, unit: f64, words: &'static str) -> NumberInfo {
    NumberInfo { size, scale: Scale::Steps(from, unit), words }
}

/// Returns a probability in steps.
pub(crate) const fn chance(size: u32, unit: f64, words: &'static str) -> NumberInfo {
    NumberInfo { size, scale: Scale::Chance(unit), words }
}

/// Returns a number whose values have names.
pub(crate) const fn names(names: &'static [&'static str], words: &'static str) -> NumberInfo {
    NumberInfo { size: names.len() as u32, scale: Scale::Names(names), words }
}

/// Defines a game's numbers: an enum of them, what they count, and a set of their values.
macro_rules! numbers {
    ($($name:ident = $info:expr,)*) => {
        /// A small number about what a seat knows.
        #[derive(Copy, Clone, PartialEq, Eq, Debug)]
        pub(super) enum Number { $(#[allow(missing_docs)] $name,)* }

        /// What the numbers count, in their order.
        pub(super) const NUMBERS: &[$crate::facts::NumberInfo] = &[$($info,)*];

        /// A group of numbers: each combination of their values has an entry.
        pub(super) type Group = &'static [Number];

        /// Returns the number of entries of a group.
        const fn entries_of(group: Group) -> u32 {
            let (mut product, mut at) = (1, 0);
            while at < group.len() {
                product *= NUMBERS[group[at] as usize].size;
                at += 1;
            }
            product
        }

        /// The values of the numbers.
        #[derive(Clone)]
        pub(super) struct Facts([u32; NUMBERS.len()]);

        impl Facts {
            /// Returns values of 0.
            #[inline]
            pub fn new() -> Facts {
                Facts([0; NUMBERS.len()])
            }

            /// Returns the value of a number.
            #[cfg(test)]
            pub fn get(&self, number: Number) -> u32 {
                self.0[number as usize]
            }

            /// Puts a count.
            #[inline]
            pub fn put(&mut self, number: Number, value: impl Into<u32>) {
                self.0[number as usize] = value.into().min(NUMBERS[number as usize].size - 1);
            }

            /// Puts an amount, in the steps of its number.
            #[inline]
            pub fn put_amount(&mut self, number: Number, amount: f64) {
                if let $crate::facts::Scale::Steps(from, unit) = NUMBERS[number as usize].scale {
                    self.put(number, ((amount - from) / unit) as u32);
                }
            }

            /// Puts a probability, in the steps of its number.
            #[inline]
            #[allow(dead_code, reason = "not every game has probabilities")]
            pub fn put_chance(&mut self, number: Number, chance: f64) {
                if let $crate::facts::Scale::Chance(unit) = NUMBERS[number as usize].scale {
                    self.put(number, if chance > 0.0 { 1 + (chance / unit) as u32 } else { 0 });
                }
            }

            /// Returns the entry of these values among those of a group.
            #[inline]
            pub fn entry(&self, group: Group) -> u32 {
                let numbers = group.iter().map(|&number| number as usize);
                numbers.fold(0, |at, number| at * NUMBERS[number].size + self.0[number])
            }
        }
    };
}
pub(crate) use numbers;

/// Returns what an entry of a group of numbers stands for, such as `tiles in hand 3 · tiles of the other 2 · boneyard 5`.
#[must_use]
pub(crate) fn in_words(group: impl DoubleEndedIterator<Item = NumberInfo>, entry: u32) -> String {
    let mut rest = entry;
    let of_number = |info: NumberInfo| {
        let value = rest % info.size;
        rest /= info.size;
        format!("{} {}", info.words, of_value(&info, value))
    };
    let mut parts: Vec<String> = group.rev().map(of_number).collect();
    parts.reverse();
    parts.join(" · ")
}

/// Returns what a value of a number stands for.
fn of_value(info: &NumberInfo, value: u32) -> String {
    let last = value + 1 == info.size;
    match info.scale {
        Scale::Count if last => format!("{value}+"),
        Scale::Count => value.to_string(),
        Scale::Steps(from, unit) => {
            let start = from + unit * f64::from(value);
            match last {
                true => format!("{}+", rounded(start)),
                false if unit == 1.0 => start.to_string(),
                false => format!("{}–{}", rounded(start), rounded(start + unit)),
            }
        }
        Scale::Chance(_) if value == 0 => "0 %".to_owned(),
        Scale::Chance(unit) => {
            let percent = |steps: u32| rounded(100.0 * unit * f64::from(steps)).min(100.0);
            format!("{}–{} %", percent(value - 1), percent(value))
        }
        Scale::Names(names) => names[value as usize].to_owned(),
        Scale::Other(text) => text(value),
    }
}

/// Returns a number without the noise of its last digits.
fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
