//! A value as the sum of a few entries of a long table: n-tuple networks, and any other sparse linear function. Learnt by temporal
//! differences with a step size of its own for each entry.
//!
//! W. Bledsoe, I. Browning, *Pattern recognition and reading by machine*, 1959 (n-tuples); S. Lucas, *Learning to play Othello with
//! n-tuple systems*, 2008; D. Beal, M. Smith, *Temporal coherence and prediction decay in TD learning*, IJCAI 1999 (step sizes);
//! M. Thill, P. Koch, W. Konen, *Reinforcement learning with n-tuples on the game Connect-4*, PPSN 2012.

use crate::bytes::{DecodeError, Reader, Writer};

/// How much an entry has been changed: temporal coherence gives an entry whose changes cancel each other a small step size.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
struct Changes {
    /// The sum of all changes.
    net: f32,
    /// The sum of their sizes.
    total: f32,
}

/// A table of weights, with the changes of each while it learns.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Entries {
    weights: Vec<f32>,
    changes: Vec<Changes>,
}

/// How an update is spread over the active entries.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Rates {
    /// Every entry changes by the full step.
    Fixed,
    /// Temporal coherence: the step of an entry is multiplied by |sum of its changes| / sum of their sizes.
    Coherence,
}

/// The layouts of bytes: everything, so that learning goes on as if it had never stopped, or the weights alone, rounded.
const WHOLE: u64 = 0;
const ROUNDED: u64 = 1;

/// The steps that a rounded weight has on either side of 0.
const ROUNDED_STEPS: f32 = 2047.0;

impl Entries {
    /// Returns a table of zeros.
    #[must_use]
    pub fn new(entries: usize) -> Self {
        Entries { weights: vec![0.0; entries], changes: vec![Changes::default(); entries] }
    }

    /// Returns the weights.
    #[must_use]
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Returns the number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Returns whether the table has no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// Returns the number of entries that have a weight.
    #[must_use]
    pub fn used(&self) -> usize {
        self.weights.iter().filter(|&&weight| weight != 0.0).count()
    }

    /// Returns the bytes of an entry.
    #[must_use]
    pub const fn bytes_each() -> usize {
        size_of::<f32>() + size_of::<Changes>()
    }

    /// Returns the sum of the weights of `active`.
    #[inline]
    #[must_use]
    pub fn sum(&self, active: &[u32]) -> f32 {
        sum(&self.weights, active)
    }

    /// Adds `change` to each entry of `active`, as the rates have it.
    #[inline]
    pub fn update(&mut self, active: &[u32], change: f32, rates: Rates) {
        match rates {
            Rates::Fixed => {
                for &entry in active {
                    self.weights[entry as usize] += change;
                }
            }
            Rates::Coherence => {
                let size = change.abs();
                for &entry in active {
                    let changes = &mut self.changes[entry as usize];
                    let rate = if changes.total > 0.0 { changes.net.abs() / changes.total } else { 1.0 };
                    self.weights[entry as usize] += rate * change;
                    changes.net += change;
                    changes.total += size;
                }
            }
        }
    }

    /// Returns everything as bytes: a table made from them learns on as this one would.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = self.begin(WHOLE);
        self.each_used(&mut writer, |writer, weight, changes| {
            for number in [weight, changes.net, changes.total] {
                writer.bytes.extend_from_slice(&number.to_le_bytes());
            }
        });
        writer.bytes
    }

    /// Returns the weights as bytes, rounded to a 2047th of the largest: enough to play, in a sixth of the size. Weights that round to
    /// nothing are left out.
    #[must_use]
    pub fn to_rounded_bytes(&self) -> Vec<u8> {
        let largest = self.weights.iter().fold(0.0_f32, |largest, weight| largest.max(weight.abs()));
        let step = largest / ROUNDED_STEPS;
        let mut writer = self.begin(ROUNDED);
        writer.bytes.extend_from_slice(&step.to_le_bytes());
        let rounded = |weight: f32| if step > 0.0 { libm::roundf(weight / step) as i64 } else { 0 };
        let mut next = 0;
        for (at, &weight) in self.weights.iter().enumerate() {
            let whole = rounded(weight);
            if whole != 0 {
                writer.whole((at - next) as u64);
                writer.whole((whole << 1 ^ whole >> 63) as u64);
                next = at + 1;
            }
        }
        writer.bytes
    }

    fn begin(&self, layout: u64) -> Writer {
        let mut writer = Writer::default();
        writer.whole(layout);
        writer.whole(self.weights.len() as u64);
        writer
    }

    /// Calls `write` with every entry that has been changed, after the number of unchanged ones before it.
    fn each_used(&self, writer: &mut Writer, write: impl Fn(&mut Writer, f32, Changes)) {
        let mut next = 0;
        for (at, (&weight, &changes)) in self.weights.iter().zip(&self.changes).enumerate() {
            if weight != 0.0 || changes != Changes::default() {
                writer.whole((at - next) as u64);
                write(writer, weight, changes);
                next = at + 1;
            }
        }
    }

    /// Reads what [`to_bytes`](Entries::to_bytes) or [`to_rounded_bytes`](Entries::to_rounded_bytes) wrote for a table of this many
    /// entries.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    pub fn from_bytes(bytes: &[u8], entries: usize) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(bytes);
        let layout = reader.whole()?;
        if reader.whole()? != entries as u64 {
            return Err(DecodeError("the table has another number of entries"));
        }
        let step = match layout {
            WHOLE => 0.0,
            ROUNDED => reader.single()?,
            _ => return Err(DecodeError("it is of a version that this program does not know")),
        };
        let mut table = Entries::new(entries);
        let mut next = 0_usize;
        while !reader.is_at_end() {
            let gap = reader.at_most(entries)?;
            let at = next.checked_add(gap).filter(|&at| at < entries);
            let at = at.ok_or(DecodeError("an entry lies outside of the table"))?;
            if layout == WHOLE {
                table.weights[at] = reader.single()?;
                table.changes[at] = Changes { net: reader.single()?, total: reader.single()? };
                if table.weights[at] == 0.0 && table.changes[at] == Changes::default() {
                    return Err(DecodeError("an entry is empty"));
                }
            } else {
                let bits = reader.whole()?;
                let whole = (bits >> 1) as i64 ^ -((bits & 1) as i64);
                if whole == 0 || whole.unsigned_abs() > ROUNDED_STEPS as u64 {
                    return Err(DecodeError("a weight is out of range"));
                }
                table.weights[at] = whole as f32 * step;
            }
            next = at + 1;
        }
        Ok(table)
    }
}

/// Returns the sum of the weights of `active`.
#[inline]
#[must_use]
pub fn sum(weights: &[f32], active: &[u32]) -> f32 {
    active.iter().map(|&entry| weights[entry as usize]).sum()
}

/// One decision in a chain of decisions that follow one another, as TD(λ) needs it.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Link {
    /// The value of what was chosen.
    pub chosen: f32,
    /// The value of the best choice, which is another where the choice was exploratory.
    pub best: f32,
    /// Whether the choice was exploratory: what came of it says nothing about what was before.
    pub explored: bool,
    /// Which side chose. What is good for one side is bad for the other.
    pub side: u8,
}

/// Replaces `returns` by the λ-return of each choice: what TD(λ) moves its value towards. `result` is what the last choice led to, for
/// the side that took it; each return is discounted by `gamma`.
///
/// R. Sutton, A. Barto, *Reinforcement Learning*, 2nd edition, section 12.1 (the forward view), with the value of the best choice as in
/// Q-learning, and C. Watkins' rule for exploratory choices.
pub fn lambda_returns(links: &[Link], result: f32, lambda: f32, gamma: f32, returns: &mut Vec<f32>) {
    returns.clear();
    returns.resize(links.len(), result);
    for at in (0..links.len().saturating_sub(1)).rev() {
        let next = links[at + 1];
        let onward =
            if next.explored { next.best } else { next.best + lambda * (returns[at + 1] - next.best) };
        returns[at] = if next.side == links[at].side { gamma * onward } else { -gamma * onward };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coherent_changes_have_full_steps_and_others_shrink() {
        let mut table = Entries::new(3);
        for _ in 0..4 {
            table.update(&[0, 2], 0.25, Rates::Coherence);
        }
        assert_eq!(table.weights(), [1.0, 0.0, 1.0]);
        // Net 0.75 of 1.25: the next change counts 0.6.
        table.update(&[0], -0.25, Rates::Coherence);
        assert_eq!(table.weights()[0], 0.75);
        table.update(&[0], -0.25, Rates::Coherence);
        assert!((table.weights()[0] - (0.75 - 0.25 * 0.6)).abs() < 1e-6);
        table.update(&[1], 0.5, Rates::Fixed);
        assert_eq!(table.sum(&[0, 1, 1]), table.weights()[0] + 1.0);
    }

    #[test]
    fn bytes_bring_everything_back() {
        let mut table = Entries::new(1_000);
        for at in 0..300_u32 {
            table.update(&[at * 3, 999], 0.01 * at as f32 - 1.0, Rates::Coherence);
        }
        let bytes = table.to_bytes();
        let back = Entries::from_bytes(&bytes, 1_000).unwrap();
        assert_eq!(back, table);
        assert!(Entries::from_bytes(&bytes, 1_001).is_err());
        for cut in [1, 2, 5, bytes.len() - 1] {
            assert!(Entries::from_bytes(&bytes[..cut], 1_000).is_err(), "cut at {cut}");
        }

        let rounded = table.to_rounded_bytes();
        assert!(rounded.len() * 3 < bytes.len());
        let back = Entries::from_bytes(&rounded, 1_000).unwrap();
        let largest = table.weights().iter().fold(0.0_f32, |most, weight| most.max(weight.abs()));
        for (was, is) in table.weights().iter().zip(back.weights()) {
            assert!((was - is).abs() <= largest / ROUNDED_STEPS);
        }
        // Rounding again changes nothing.
        assert_eq!(back.to_rounded_bytes(), rounded);
        assert!(Entries::from_bytes(&Entries::new(5).to_rounded_bytes(), 5).is_ok());
    }

    #[test]
    fn returns_of_a_chain() {
        let link = |chosen, best, explored| Link { chosen, best, explored, side: 0 };
        let mut links = [link(0.1, 0.1, false), link(0.2, 0.2, false), link(0.3, 0.6, true)];
        let mut returns = Vec::new();
        // λ = 0: each value moves towards the next one; the exploratory choice counts as the best one.
        lambda_returns(&links, 1.0, 0.0, 1.0, &mut returns);
        assert_eq!(returns, [0.2, 0.6, 1.0]);
        // λ = 1: towards what came in the end, but not across an exploratory choice.
        lambda_returns(&links, 1.0, 1.0, 1.0, &mut returns);
        assert_eq!(returns, [0.6, 0.6, 1.0]);
        // Two sides: what is good for one is bad for the other. And later is worth less.
        links[1].side = 1;
        lambda_returns(&links, 1.0, 1.0, 0.5, &mut returns);
        assert_eq!(returns, [0.15, -0.3, 1.0]);
        lambda_returns(&[], 1.0, 1.0, 1.0, &mut returns);
        assert!(returns.is_empty());
    }
}
