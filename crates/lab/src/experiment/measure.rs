//! What can be measured in a test, and what can be said of the curve that the tests of a training make.

use parlor_stats::saturating_curve::SaturatingFit;
use serde::Serialize;

/// A number that a test gives.
///
/// Counts that depend on how long a test is ([`Measure::Wins`] and the like) are means over the repeats.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Matches won in a test.
    Wins,
    /// Matches drawn in a test.
    Draws,
    /// Matches lost in a test.
    Losses,
    /// Won matches in percent of all.
    WinPercent,
    /// Won matches and half the drawn ones in percent of all.
    ScorePercent,
    /// 100·(wins − losses)/max(wins, losses), the form that fits the source's Table 5.
    Gain,
    /// 2·(win percent − 50), the form that fits a remark of the source.
    LinearGain,
    /// The mean of the gains of all tests so far.
    Benefit,
    /// Entries of the learner, such as state transitions.
    Transitions,
    /// The memory of the learner in bytes.
    Bytes,
    /// The most memory that the learner had so far, in bytes.
    PeakBytes,
    /// Entries that the learner had to forget.
    Forgotten,
    /// Own points minus the other's, a match.
    PointDifference,
    /// Won stages in percent of all.
    StagesWonPercent,
    /// The standard deviation of the wins over the repeats: test noise, not spread between trainings.
    DeviationOfRepeats,
    /// The source's confidence in percent that the player beats 50 %: mean wins of one test against half of its matches,
    /// by the standard difference of two proportions.
    ConfidencePercent,
    /// What the learner reports of the last round: the mean absolute difference between expected results and what it learnt from.
    Error,
    /// What it reports: the mean relative change of its weights in percent, in the last round.
    WeightChangePercent,
    /// What it reports: the magnitude of its largest weight.
    LargestWeight,
    /// The same as a power of ten: weights that diverge do so by factors, and one training would outweigh all others in a mean.
    LargestWeightLog10,
}

/// Every measure with its name.
pub const MEASURES: &[(&str, Measure)] = &[
    ("wins", Measure::Wins),
    ("draws", Measure::Draws),
    ("losses", Measure::Losses),
    ("win_percent", Measure::WinPercent),
    ("score_percent", Measure::ScorePercent),
    ("gain", Measure::Gain),
    ("linear_gain", Measure::LinearGain),
    ("benefit", Measure::Benefit),
    ("transitions", Measure::Transitions),
    ("bytes", Measure::Bytes),
    ("peak_bytes", Measure::PeakBytes),
    ("forgotten", Measure::Forgotten),
    ("point_difference", Measure::PointDifference),
    ("stages_won_percent", Measure::StagesWonPercent),
    ("deviation_of_repeats", Measure::DeviationOfRepeats),
    ("confidence_percent", Measure::ConfidencePercent),
    ("error", Measure::Error),
    ("weight_change_percent", Measure::WeightChangePercent),
    ("largest_weight", Measure::LargestWeight),
    ("largest_weight_log10", Measure::LargestWeightLog10),
];

impl Measure {
    /// Returns the name that files use.
    #[must_use]
    pub fn name(self) -> &'static str {
        MEASURES.iter().find(|(_, measure)| *measure == self).map_or("", |(name, _)| name)
    }

    /// Returns the measure in words, for headings.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Measure::Wins => "wins in a test",
            Measure::Draws => "draws in a test",
            Measure::Losses => "losses in a test",
            Measure::WinPercent => "won matches, %",
            Measure::ScorePercent => "score, %",
            Measure::Gain => "gain",
            Measure::LinearGain => "linear gain",
            Measure::Benefit => "benefit",
            Measure::Transitions => "transitions",
            Measure::Bytes => "memory, bytes",
            Measure::PeakBytes => "peak memory, bytes",
            Measure::Forgotten => "forgotten transitions",
            Measure::PointDifference => "point difference a match",
            Measure::StagesWonPercent => "won stages, %",
            Measure::DeviationOfRepeats => "standard deviation of the wins over the tests",
            Measure::ConfidencePercent => "confidence by the source's formula, %",
            Measure::Error => "error of expected results",
            Measure::WeightChangePercent => "change of weights in the last round, %",
            Measure::LargestWeight => "largest weight",
            Measure::LargestWeightLog10 => "largest weight, power of ten",
        }
    }

    /// Returns whether the number is in percent.
    #[must_use]
    pub const fn is_percent(self) -> bool {
        use Measure::{ConfidencePercent, ScorePercent, StagesWonPercent, WinPercent};
        matches!(self, WinPercent | ScorePercent | StagesWonPercent | ConfidencePercent)
    }

    /// Returns whether it is what the learner reports.
    #[must_use]
    pub const fn is_report(self) -> bool {
        use Measure::{Error, LargestWeight, LargestWeightLog10, WeightChangePercent};
        matches!(self, Error | WeightChangePercent | LargestWeight | LargestWeightLog10)
    }

    /// Returns whether the number grows with the length of a test, so that tests of other lengths cannot be compared.
    #[must_use]
    pub const fn is_count_of_a_test(self) -> bool {
        use Measure::{ConfidencePercent, DeviationOfRepeats, Draws, Losses, Wins};
        matches!(self, Wins | Draws | Losses | DeviationOfRepeats | ConfidencePercent)
    }
}

/// A range of rounds, both ends included.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Window {
    /// The first round.
    pub from: u32,
    /// The last round.
    pub to: u32,
}

impl Window {
    /// Returns the window of one round.
    #[must_use]
    pub const fn at(round: u32) -> Window {
        Window { from: round, to: round }
    }

    /// Returns whether a round is in it.
    #[must_use]
    pub fn contains(self, round: u32) -> bool {
        (self.from..=self.to).contains(&round)
    }

    /// Returns those of the tested rounds that are in the window; if there are none, the one that is nearest to its end.
    ///
    /// A file names only windows with tested rounds; its smaller version may test after fewer.
    #[must_use]
    pub fn of_tested(self, tested: &[u32]) -> Vec<u32> {
        let inside: Vec<u32> = tested.iter().copied().filter(|&round| self.contains(round)).collect();
        if inside.is_empty() {
            tested.iter().copied().min_by_key(|round| round.abs_diff(self.to)).into_iter().collect()
        } else {
            inside
        }
    }
}

impl Window {
    /// Returns the window as it is asked of these tested rounds: the nearest one if none is inside, and never beyond the last.
    #[must_use]
    pub fn asked(self, tested: &[u32]) -> Window {
        let rounds = self.of_tested(tested);
        match (rounds.first(), rounds.last(), tested.last()) {
            (Some(&first), Some(&last), _) if !self.contains(first) => Window { from: first, to: last },
            (Some(_), Some(_), Some(&end)) => Window { to: self.to.min(end.max(self.from)), ..self },
            _ => self,
        }
    }
}

impl std::fmt::Display for Window {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.from == self.to {
            write!(f, "after round {}", self.to)
        } else {
            write!(f, "over rounds {} to {}", self.from, self.to)
        }
    }
}

/// What is said of a stretch of a curve.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Statistic {
    /// The mean of its values.
    #[default]
    Mean,
    /// The standard deviation of its values, divided by n − 1.
    Deviation,
    /// Its largest value.
    Peak,
    /// Its smallest value.
    Lowest,
    /// Its last value minus its first.
    Change,
    /// The first round with a value above a level, averaged over the levels. A level that is never passed counts as one
    /// round after the last.
    RoundsTo(Vec<f64>),
    /// The last round with a value above a level, averaged over the levels. A level that is never passed counts as 0.
    LastAbove(Vec<f64>),
    /// A number of the curve y = a(b − e^(−cx)) that is fitted to its values, x being the round.
    Fit(FitNumber),
}

/// A number of a fitted curve.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FitNumber {
    /// The scale a.
    A,
    /// The asymptote divided by the scale, b.
    B,
    /// The rate c, per round.
    C,
    /// The asymptote a·b.
    Asymptote,
    /// The standard deviation of the values about the curve.
    Deviation,
    /// The correlation of the values with the curve.
    Correlation,
}

impl FitNumber {
    /// Every number with its name in files and in words.
    pub const ALL: [(&'static str, &'static str, FitNumber); 6] = [
        ("fit_a", "a of the fitted a(b − e^(−cx))", FitNumber::A),
        ("fit_b", "b of the fitted a(b − e^(−cx))", FitNumber::B),
        ("fit_c", "c of the fitted a(b − e^(−cx)), per round", FitNumber::C),
        ("fit_asymptote", "asymptote of the fitted a(b − e^(−cx))", FitNumber::Asymptote),
        ("fit_deviation", "standard deviation about the fitted a(b − e^(−cx))", FitNumber::Deviation),
        ("fit_correlation", "correlation with the fitted a(b − e^(−cx))", FitNumber::Correlation),
    ];

    /// Returns the number of a name.
    #[must_use]
    pub fn read(name: &str) -> Option<FitNumber> {
        Self::ALL.iter().find(|(known, ..)| *known == name).map(|&(_, _, number)| number)
    }

    /// Returns the number in words.
    #[must_use]
    pub fn words(self) -> &'static str {
        Self::ALL.iter().find(|(.., number)| *number == self).map_or("", |(_, words, _)| words)
    }

    fn of(self, fit: &SaturatingFit) -> f64 {
        match self {
            FitNumber::A => fit.a.value,
            FitNumber::B => fit.b.value,
            FitNumber::C => fit.c.value,
            FitNumber::Asymptote => fit.asymptote.value,
            FitNumber::Deviation => fit.deviation,
            FitNumber::Correlation => fit.correlation,
        }
    }
}

/// Returns the fit of a(b − e^(−cx)) to a curve's values, x being the round; `None` for a curve without a bend.
#[must_use]
pub fn fitted(curve: &[(u32, f64)]) -> Option<SaturatingFit> {
    let points: Vec<(f64, f64)> = curve.iter().map(|&(round, value)| (f64::from(round), value)).collect();
    SaturatingFit::of(&points)
}

/// The statistics that files can name.
pub const STATISTICS: &[&str] = &[
    "mean",
    "deviation",
    "peak",
    "lowest",
    "change",
    "rounds_to",
    "last_above",
    "fit_a",
    "fit_b",
    "fit_c",
    "fit_asymptote",
    "fit_deviation",
    "fit_correlation",
];

impl Statistic {
    /// Returns the statistic of a curve's values, each with its round; `None` where it does not exist.
    #[must_use]
    pub fn of(&self, curve: &[(u32, f64)]) -> Option<f64> {
        let (&(_, first), &(end, last)) = (curve.first()?, curve.last()?);
        let values: Vec<f64> = curve.iter().map(|&(_, value)| value).collect();
        let sample = parlor_stats::samples::Sample::of(&values)?;
        let average = |levels: &[f64], round: &dyn Fn(f64) -> u32| {
            let rounds: f64 = levels.iter().map(|&level| f64::from(round(level))).sum();
            (!levels.is_empty()).then(|| rounds / levels.len() as f64)
        };
        match self {
            Statistic::Mean => Some(sample.mean),
            Statistic::Deviation => sample.variance().map(f64::sqrt),
            Statistic::Peak => values.into_iter().reduce(f64::max),
            Statistic::Lowest => values.into_iter().reduce(f64::min),
            Statistic::Change => Some(last - first),
            Statistic::RoundsTo(levels) => average(levels, &|level| {
                curve.iter().find(|(_, value)| *value > level).map_or(end + 1, |(round, _)| *round)
            }),
            Statistic::LastAbove(levels) => average(levels, &|level| {
                curve.iter().rev().find(|(_, value)| *value > level).map_or(0, |(round, _)| *round)
            }),
            Statistic::Fit(number) => fitted(curve).map(|fit| number.of(&fit)),
        }
    }
}

/// One number of each training.
#[derive(Clone, PartialEq, Debug)]
pub struct Quantity {
    /// What is measured.
    pub measure: Measure,
    /// What is said of it.
    pub statistic: Statistic,
    /// Of which arm.
    pub arm: usize,
    /// After which rounds.
    pub window: Window,
    /// What is taken off: the same of another arm or other rounds, in the training of the same number.
    pub minus: Option<(usize, Window)>,
}

impl Quantity {
    /// Returns what the number counts: `%`, `points` for differences of percentages, `rounds`, `bytes`; nothing for plain
    /// numbers.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        let level = self.minus.is_none()
            && matches!(
                self.statistic,
                Statistic::Mean | Statistic::Peak | Statistic::Lowest | Statistic::Fit(FitNumber::Asymptote)
            );
        match (&self.statistic, self.measure) {
            (Statistic::RoundsTo(_) | Statistic::LastAbove(_), _) => "rounds",
            (Statistic::Fit(FitNumber::B | FitNumber::C | FitNumber::Correlation), _) => "",
            (_, measure) if measure.is_percent() => {
                if level {
                    "%"
                } else {
                    "points"
                }
            }
            (_, Measure::Bytes | Measure::PeakBytes) => "bytes",
            _ => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_have_names_of_their_own() {
        for (name, measure) in MEASURES {
            assert_eq!(measure.name(), *name);
            assert_eq!(serde_json::to_value(measure).unwrap(), *name);
        }
    }

    #[test]
    fn statistics_of_a_curve() {
        let curve = [(1, 2.0), (2, -1.0), (4, 4.0), (8, 3.0)];
        let of = |statistic: Statistic| statistic.of(&curve).unwrap();
        assert_eq!(of(Statistic::Mean), 2.0);
        assert!((of(Statistic::Deviation) - (14.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        assert_eq!([of(Statistic::Peak), of(Statistic::Lowest), of(Statistic::Change)], [4.0, -1.0, 1.0]);
        assert_eq!(of(Statistic::RoundsTo(vec![0.0, 3.0])), 2.5, "rounds 1 and 4");
        assert_eq!(of(Statistic::RoundsTo(vec![4.0])), 9.0, "a level that is only touched is not passed");
        assert_eq!(of(Statistic::LastAbove(vec![3.0, 9.0])), 2.0, "rounds 4 and none");
        assert_eq!(Statistic::Mean.of(&[]), None);
        assert_eq!(Statistic::Deviation.of(&[(1, 1.0)]), None);
    }

    #[test]
    fn a_window_takes_what_is_tested() {
        let tested = [1, 5, 10, 50];
        assert_eq!(Window { from: 2, to: 10 }.of_tested(&tested), [5, 10]);
        assert_eq!(Window { from: 20, to: 40 }.of_tested(&tested), [50]);
        assert_eq!(Window { from: 20, to: 40 }.asked(&tested), Window::at(50));
        assert_eq!(Window { from: 2, to: 90 }.asked(&tested), Window { from: 2, to: 50 });
        assert_eq!(Window { from: 2, to: 10 }.asked(&tested), Window { from: 2, to: 10 });
        assert_eq!(Window::at(60).to_string(), "after round 60");
        assert_eq!(Window { from: 2, to: 10 }.to_string(), "over rounds 2 to 10");
    }
}
