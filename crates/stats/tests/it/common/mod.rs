//! Random numbers for the tests: the crate itself has none.

/// xorshift64* (S. Vigna, *An experimental exploration of Marsaglia's xorshift generators* (2016)).
pub struct Dice(u64);

impl Dice {
    /// Starts from a seed other than 0.
    pub fn new(seed: u64) -> Self {
        assert_ne!(seed, 0, "xorshift cannot leave 0");
        Dice(seed)
    }

    /// Returns a number from 0 up to, not including, 1.
    pub fn unit(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns an index with the given chances.
    #[allow(dead_code, reason = "each test binary uses some of these")]
    pub fn pick(&mut self, chances: &[f64]) -> usize {
        let mut left = self.unit();
        for (i, chance) in chances.iter().enumerate() {
            left -= chance;
            if left < 0.0 {
                return i;
            }
        }
        chances.len() - 1
    }

    /// Returns a standard normal number (Box and Muller).
    #[allow(dead_code, reason = "each test binary uses some of these")]
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }
}
