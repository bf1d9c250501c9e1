//! Counts of results: of games, and of pairs of games.

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

/// Counts of results as the estimates and tests see them: equally spaced scores from 0 to 1 and how often each came.
pub trait Results {
    /// Returns the counts of the scores 0 … 1 in rising order: three for games, five for pairs.
    fn counts(&self) -> impl AsRef<[f64]>;

    /// How many games one count stands for: 1 for games, 2 for pairs.
    const GAMES: f64;
}

impl Results for Trinomial {
    const GAMES: f64 = 1.0;

    fn counts(&self) -> impl AsRef<[f64]> {
        [self.losses as f64, self.draws as f64, self.wins as f64]
    }
}

impl Results for Pentanomial {
    const GAMES: f64 = 2.0;

    fn counts(&self) -> impl AsRef<[f64]> {
        self.0.map(|count| count as f64)
    }
}
