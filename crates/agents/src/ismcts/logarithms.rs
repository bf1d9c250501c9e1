//! Logarithms of counts, equal on every platform.

/// Smaller counts are looked up: the children of most nodes are available less often.
const KEPT: u32 = 4096;

/// The logarithms of small counts. `libm::log` takes longer than the platform's own function, and is asked about every child
/// of every node on the way down.
pub(super) struct Logarithms(Vec<f64>);

impl Logarithms {
    pub(super) fn new() -> Self {
        Logarithms((0..KEPT).map(|count| libm::log(f64::from(count))).collect())
    }

    /// Returns `libm::log(count)`.
    #[inline]
    pub(super) fn of(&self, count: u32) -> f64 {
        self.0.get(count as usize).copied().unwrap_or_else(|| libm::log(f64::from(count)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_that_are_kept_have_the_same_logarithm() {
        let logarithms = Logarithms::new();
        for count in (1..KEPT + 10).chain([1 << 20, u32::MAX]) {
            assert_eq!(logarithms.of(count).to_bits(), libm::log(f64::from(count)).to_bits(), "{count}");
        }
    }
}
