//! Counts of results: of games, and of pairs of games.

use crate::special::square;

/// Games of one side: won, drawn, lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trinomial {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

/// Pairs of games by the points of one side: counts of 0, ½, 1, 1½ and 2 points.
///
/// The two games of a pair start from the same deal or opening with seats swapped, so they are not independent; the
/// pair is the unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial(pub [u64; 5]);

impl Trinomial {
    /// Returns the counts.
    #[must_use]
    pub const fn new(wins: u64, draws: u64, losses: u64) -> Self {
        Trinomial { wins, draws, losses }
    }

    /// Returns the number of games.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.wins.saturating_add(self.draws).saturating_add(self.losses)
    }
}

impl Pentanomial {
    /// Returns the number of pairs.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.0.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// Returns wins minus losses over all games: the sum of the pair scores −2 … 2.
    #[must_use]
    pub fn net(&self) -> i64 {
        let [a, b, _, d, e] = self.0.map(i128::from);
        (2 * (e - a) + d - b).clamp(i128::from(-i64::MAX), i128::from(i64::MAX)) as i64
    }
}

/// Counts of results in the form that estimates and tests use: scores from 0 to 1 in equal steps, with the count of
/// each.
///
/// Made from a [`Trinomial`] (0, ½, 1) or a [`Pentanomial`] (0, ¼, ½, ¾, 1: the points of a pair over 2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tally {
    counts: [f64; 5],
    kinds: usize,
}

/// Scores with their relative frequencies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frequencies {
    /// Number of results.
    pub(crate) n: f64,
    values: [f64; 5],
    shares: [f64; 5],
    kinds: usize,
    /// Mean score.
    pub(crate) mean: f64,
    /// Variance of one result around the mean, divided by n, not n − 1.
    pub(crate) variance: f64,
}

impl Tally {
    /// Returns the number of games that one count stands for: 1 for games, 2 for pairs.
    pub(crate) fn games_each(&self) -> f64 {
        if self.kinds == 3 { 1.0 } else { 2.0 }
    }

    /// Returns the frequencies; `None` without results.
    pub(crate) fn frequencies(&self) -> Option<Frequencies> {
        let n: f64 = self.counts.iter().sum();
        (n > 0.0).then(|| Frequencies::new(self.counts, self.kinds, n))
    }

    /// Returns the frequencies with every count of 0 raised to `least`; `None` without results.
    ///
    /// Shares below 10⁻¹² are raised to 10⁻¹² as well; otherwise the conditions of a likelihood would need more
    /// digits than a number has. This matters only above 10⁹ results.
    pub(crate) fn frequencies_at_least(&self, least: f64) -> Option<Frequencies> {
        let n = self.frequencies()?.n;
        let mut raised = *self;
        for count in &mut raised.counts[..self.kinds] {
            let floor = if *count == 0.0 { least } else { 0.0 };
            *count = count.max(floor).max(1e-12 * n);
        }
        raised.frequencies()
    }
}

impl Frequencies {
    fn new(counts: [f64; 5], kinds: usize, n: f64) -> Self {
        let values: [f64; 5] = std::array::from_fn(|i| i as f64 / (kinds - 1) as f64);
        let shares = counts.map(|count| count / n);
        let mut this = Frequencies { n, values, shares, kinds, mean: 0.0, variance: 0.0 };
        this.mean = this.iter().map(|(value, share)| value * share).sum();
        this.variance = this.iter().map(|(value, share)| share * square(value - this.mean)).sum();
        this
    }

    /// Returns the scores with their shares.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (f64, f64)> + Clone {
        self.values[..self.kinds].iter().copied().zip(self.shares[..self.kinds].iter().copied())
    }
}

impl From<Trinomial> for Tally {
    fn from(t: Trinomial) -> Self {
        Tally { counts: [t.losses as f64, t.draws as f64, t.wins as f64, 0.0, 0.0], kinds: 3 }
    }
}

impl From<Pentanomial> for Tally {
    fn from(p: Pentanomial) -> Self {
        Tally { counts: p.0.map(|count| count as f64), kinds: 5 }
    }
}
