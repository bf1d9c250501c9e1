//! The rows of a run, in order: what each training measured, and how much of it is noise of the tests.

use std::collections::BTreeMap;

use parlor_core::WinDrawLoss;
use parlor_stats::compare::rates;
use parlor_stats::curves::{gain, linear_gain};
use parlor_stats::samples::Sample;

use super::measure::{Measure, Quantity, Statistic, Window};
use super::{Experiment, TestRow};

/// Errors of rows that cannot belong to an experiment.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StrangeRow {
    /// It is of an arm, training, round or repeat that there is not.
    #[error("the experiment has no arm {arm} with training {training}, round {round}, repeat {repeat}")]
    Unplanned {
        /// The arm's number.
        arm: u32,
        /// The training's number.
        training: u32,
        /// The round.
        round: u32,
        /// The repeat.
        repeat: u32,
    },
    /// There are two of it.
    #[error("there are two rows of arm {arm}, training {training}, round {round}, repeat {repeat}")]
    Twice {
        /// The arm's number.
        arm: u32,
        /// The training's number.
        training: u32,
        /// The round.
        round: u32,
        /// The repeat.
        repeat: u32,
    },
    /// Its numbers cannot be.
    #[error("arm {arm}, training {training}, round {round}, repeat {repeat}: the numbers do not add up")]
    Impossible {
        /// The arm's number.
        arm: u32,
        /// The training's number.
        training: u32,
        /// The round.
        round: u32,
        /// The repeat.
        repeat: u32,
    },
}

/// All repeats of the test after one round.
type Tests<'a> = BTreeMap<u32, Vec<&'a TestRow>>;

/// An experiment and what is known of it. Tests that lack a repeat do not count.
#[derive(Debug)]
pub struct Evidence<'a> {
    /// The experiment.
    pub experiment: &'a Experiment,
    /// For each arm, by training: the complete tests by round.
    arms: Vec<BTreeMap<u32, Tests<'a>>>,
}

/// A measured number, and the variance that it has by the chance of the tests alone.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct Measured {
    pub round: u32,
    pub value: f64,
    /// As the repeats show it; `None` for a single repeat, or where it is not known.
    pub seen_noise: Option<f64>,
    /// As independent matches with fixed chances would have it; `None` where it is not known.
    pub pure_noise: Option<f64>,
}

impl<'a> Evidence<'a> {
    /// Returns the rows in order. Rows may come in any order, and some may still be missing.
    ///
    /// # Errors
    /// If a row is not of this experiment, or comes twice.
    pub fn new(experiment: &'a Experiment, rows: &'a [TestRow]) -> Result<Evidence<'a>, StrangeRow> {
        let mut arms: Vec<BTreeMap<u32, Tests<'a>>> = vec![BTreeMap::new(); experiment.arms.len()];
        for row in rows {
            let TestRow { arm, training, round, repeat, .. } = *row;
            let planned = experiment.arms.get(arm as usize).is_some_and(|arm| {
                training < experiment.trainings
                    && arm.test.after.contains(&round)
                    && repeat < arm.test.repeats
            });
            if !planned {
                return Err(StrangeRow::Unplanned { arm, training, round, repeat });
            }
            let possible = row.matches > 0
                && row.results.total() <= u64::from(row.matches)
                && u64::from(row.stages_won) + u64::from(row.stages_lost) <= u64::from(row.stages)
                && (row.points - row.points_other).is_finite();
            if !possible {
                return Err(StrangeRow::Impossible { arm, training, round, repeat });
            }
            arms[arm as usize].entry(training).or_default().entry(round).or_default().push(row);
        }
        for (arm, trainings) in arms.iter_mut().enumerate() {
            let repeats = experiment.arms[arm].test.repeats as usize;
            for tests in trainings.values_mut() {
                for test in tests.values_mut() {
                    // Sums of decimals depend on their order.
                    test.sort_by_key(|row| row.repeat);
                    if let Some([row, _]) = test.array_windows().find(|[a, b]| a.repeat == b.repeat) {
                        let TestRow { arm, training, round, repeat, .. } = **row;
                        return Err(StrangeRow::Twice { arm, training, round, repeat });
                    }
                }
                tests.retain(|_, test| test.len() == repeats);
            }
            trainings.retain(|_, tests| !tests.is_empty());
        }
        Ok(Evidence { experiment, arms })
    }

    /// Returns the numbers of the trainings of an arm that have been tested at all.
    #[must_use]
    pub fn trainings(&self, arm: usize) -> Vec<u32> {
        self.arms.get(arm).map_or_else(Vec::new, |trainings| trainings.keys().copied().collect())
    }

    /// Returns the curve of one training: rounds and values. Where something is missing, it ends.
    #[must_use]
    pub fn curve(&self, arm: usize, training: u32, measure: Measure) -> Vec<(u32, f64)> {
        self.measured(arm, training, measure).iter().map(|at| (at.round, at.value)).collect()
    }

    pub(super) fn measured(&self, arm: usize, training: u32, measure: Measure) -> Vec<Measured> {
        let Some(tests) = self.arms.get(arm).and_then(|trainings| trainings.get(&training)) else {
            return Vec::new();
        };
        let mut curve: Vec<Measured> = Vec::new();
        for &round in &self.experiment.arms[arm].test.after {
            // A benefit without all that came before would be something else.
            let Some(test) = tests.get(&round) else { break };
            let single = if measure == Measure::Benefit { Measure::Gain } else { measure };
            let Some(value) = value_of(single, test) else { break };
            let each: Option<Vec<f64>> = test.iter().map(|row| value_of(single, &[*row])).collect();
            let seen_noise = each
                .filter(|_| single.is_noisy())
                .and_then(|each| Sample::of(&each)?.variance().map(|variance| variance / each.len() as f64));
            curve.push(Measured { round, value, seen_noise, pure_noise: pure_noise(single, test) });
        }
        if measure == Measure::Benefit { running_mean(&curve) } else { curve }
    }

    /// Returns the quantity of one training; `None` if a test that it needs is missing.
    #[must_use]
    pub fn value(&self, quantity: &Quantity, training: u32) -> Option<f64> {
        let own = self.stretch(quantity.arm, training, quantity.measure, quantity.window)?;
        let Some((than, window)) = quantity.minus else { return quantity.statistic.of(&own) };
        let other = self.stretch(than, training, quantity.measure, window)?;
        // Levels and fits are those of each curve, not of the difference.
        let of_levels = matches!(
            quantity.statistic,
            Statistic::RoundsTo(_) | Statistic::LastAbove(_) | Statistic::Fit(_)
        );
        if window == quantity.window && !of_levels {
            let difference: Vec<(u32, f64)> = own
                .iter()
                .filter_map(|&(round, a)| {
                    other.iter().find(|(at, _)| *at == round).map(|&(_, b)| (round, a - b))
                })
                .collect();
            if !difference.is_empty() {
                return quantity.statistic.of(&difference);
            }
        }
        Some(quantity.statistic.of(&own)? - quantity.statistic.of(&other)?)
    }

    /// Returns the quantity of every training that has it, with the training's number.
    #[must_use]
    pub fn values(&self, quantity: &Quantity) -> Vec<(u32, f64)> {
        let trainings = 0..self.experiment.trainings;
        trainings.filter_map(|training| Some((training, self.value(quantity, training)?))).collect()
    }

    /// Returns the variance of the wins over the repeats of each test in a window, by round.
    #[must_use]
    pub fn variances(&self, arm: usize, training: u32, window: Window) -> Vec<(u32, f64)> {
        let curve = self.stretch(arm, training, Measure::DeviationOfRepeats, window).unwrap_or_default();
        curve.into_iter().map(|(round, deviation)| (round, deviation * deviation)).collect()
    }

    /// Returns a part of a curve; `None` unless all of it is there.
    fn stretch(
        &self,
        arm: usize,
        training: u32,
        measure: Measure,
        window: Window,
    ) -> Option<Vec<(u32, f64)>> {
        let rounds = window.of_tested(&self.experiment.arms.get(arm)?.test.after);
        let curve = self.curve(arm, training, measure);
        rounds.into_iter().map(|round| curve.iter().find(|(at, _)| *at == round).copied()).collect()
    }
}

impl Measure {
    /// Returns whether another test of the same learner would give another number.
    const fn is_noisy(self) -> bool {
        use Measure::{Bytes, ConfidencePercent, DeviationOfRepeats, Forgotten, PeakBytes, Transitions};
        !self.is_report()
            && !matches!(
                self,
                Transitions | Bytes | PeakBytes | Forgotten | DeviationOfRepeats | ConfidencePercent
            )
    }
}

/// Returns the matches of all repeats of a test.
fn results_of(test: &[&TestRow]) -> WinDrawLoss {
    let mut all = WinDrawLoss::default();
    test.iter().for_each(|row| all += row.results);
    all
}

/// Returns what a test measured, all its repeats together.
fn value_of(measure: Measure, test: &[&TestRow]) -> Option<f64> {
    let sum = |count: fn(&TestRow) -> u32| test.iter().map(|row| u64::from(count(row))).sum::<u64>();
    let WinDrawLoss { wins, draws, losses } = results_of(test);
    let (matches, repeats) = (sum(|row| row.matches), test.len() as f64);
    let last = test.last()?;
    let value = match measure {
        Measure::Wins => wins as f64 / repeats,
        Measure::Draws => draws as f64 / repeats,
        Measure::Losses => losses as f64 / repeats,
        Measure::WinPercent => 100.0 * wins as f64 / matches as f64,
        Measure::ScorePercent => 50.0 * (2 * wins + draws) as f64 / matches as f64,
        // A draw is half a win: twice the counts, and the gain is the same.
        Measure::Gain | Measure::Benefit => gain(2 * wins + draws, 2 * losses + draws),
        Measure::LinearGain => linear_gain(2 * wins + draws, 2 * matches)?,
        Measure::Transitions => last.entries as f64,
        Measure::Bytes => last.bytes as f64,
        Measure::PeakBytes => last.peak_bytes as f64,
        Measure::Forgotten => last.forgotten as f64,
        Measure::PointDifference => {
            test.iter().map(|row| row.points - row.points_other).sum::<f64>() / matches as f64
        }
        Measure::StagesWonPercent => {
            100.0 * sum(|row| row.stages_won) as f64 / Some(sum(|row| row.stages)).filter(|n| *n > 0)? as f64
        }
        Measure::DeviationOfRepeats => {
            let wins: Vec<f64> = test.iter().map(|row| row.results.wins as f64).collect();
            Sample::of(&wins)?.variance()?.sqrt()
        }
        Measure::ConfidencePercent => {
            // One test of mean length with mean wins; doubled, so that half of its matches is a whole number.
            let (wins, matches) = ((2 * wins) as f64 / repeats, matches as f64 / repeats);
            let (wins, matches) = (wins.round() as u64, matches.round() as u64);
            100.0 * confidence(wins.min(2 * matches), matches)?
        }
        Measure::Error => last.report.error?,
        Measure::WeightChangePercent => 100.0 * last.report.change?,
        Measure::LargestWeight => last.report.largest?,
        Measure::LargestWeightLog10 => libm::log10(last.report.largest?),
    };
    value.is_finite().then_some(value)
}

/// Returns the source's confidence that half of `twice_wins` of `matches` is more than one half.
///
/// The standard difference of two proportions takes counts; those of doubled tests have a z that is √2 too large.
fn confidence(twice_wins: u64, matches: u64) -> Option<f64> {
    let doubled = rates((twice_wins, 2 * matches), (matches, 2 * matches))?;
    let z = doubled.z.map_or(0.0, |z| z / std::f64::consts::SQRT_2);
    Some(parlor_stats::distributions::normal_below(z))
}

fn square(x: f64) -> f64 {
    x * x
}

/// Returns the variance that a test's value has if its matches are independent and have fixed chances.
fn pure_noise(measure: Measure, test: &[&TestRow]) -> Option<f64> {
    let matches = test.iter().map(|row| u64::from(row.matches)).sum::<u64>() as f64;
    let repeats = test.len() as f64;
    let results = results_of(test);
    let (won, drawn) = (results.wins as f64 / matches, results.draws as f64 / matches);
    let score = won + drawn / 2.0;
    let of_wins = won * (1.0 - won) / matches;
    let of_score = (won + drawn / 4.0 - score * score).max(0.0) / matches;
    match measure {
        Measure::Wins => Some(of_wins * square(matches / repeats)),
        Measure::WinPercent => Some(of_wins * square(100.0)),
        Measure::ScorePercent => Some(of_score * square(100.0)),
        Measure::LinearGain => Some(of_score * square(200.0)),
        // To first order: the gain is 100·(2 − 1/s) above s = ½, and the mirror image below.
        Measure::Gain => Some(of_score * square(100.0 / square(score.max(1.0 - score)))),
        _ => None,
    }
}

/// Returns the mean so far at each round. The tests are independent, so variances add up.
fn running_mean(curve: &[Measured]) -> Vec<Measured> {
    let values: Vec<f64> = curve.iter().map(|at| at.value).collect();
    let (mut seen, mut pure) = (Some(0.0), Some(0.0));
    let means = parlor_stats::curves::benefit(&values).into_iter().zip(1_u32..);
    means
        .zip(curve)
        .map(|((value, count), at)| {
            let squared = square(f64::from(count));
            seen = seen.zip(at.seen_noise).map(|(sum, noise)| sum + noise);
            pure = pure.zip(at.pure_noise).map(|(sum, noise)| sum + noise);
            let [seen_noise, pure_noise] = [seen, pure].map(|sum| sum.map(|sum| sum / squared));
            Measured { round: at.round, value, seen_noise, pure_noise }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(wins: u32, draws: u32, losses: u32) -> TestRow {
        let matches = wins + draws + losses;
        let results = [wins, draws, losses].map(u64::from).into();
        let mut row = TestRow { results, matches, ..TestRow::default() };
        (row.stages, row.stages_won, row.stages_lost) = (4, 3, 1);
        (row.points, row.points_other, row.entries) = (30.0, 10.0, 7);
        row
    }

    #[test]
    fn measures_of_a_test() {
        let rows = [row(30, 0, 10), row(26, 2, 12)];
        let test: Vec<&TestRow> = rows.iter().collect();
        let of = |measure| value_of(measure, &test).unwrap();
        assert_eq!([of(Measure::Wins), of(Measure::Draws), of(Measure::Losses)], [28.0, 1.0, 11.0]);
        assert_eq!([of(Measure::WinPercent), of(Measure::ScorePercent)], [70.0, 71.25]);
        assert!((of(Measure::Gain) - 100.0 * (57.0 - 23.0) / 57.0).abs() < 1e-12);
        assert_eq!(of(Measure::LinearGain), 42.5);
        assert_eq!([of(Measure::PointDifference), of(Measure::StagesWonPercent)], [0.5, 75.0]);
        assert_eq!(of(Measure::DeviationOfRepeats), 8.0_f64.sqrt());
        assert_eq!(of(Measure::Transitions), 7.0);
        // Table 5 of the source: 45.5 % of 100 contests.
        assert_eq!(format!("{:.2}", value_of(Measure::Gain, &[&row(45, 1, 54)]).unwrap()), "-16.51");
    }

    /// The confidences of the source's Tables 2 and 4 come from their mean wins.
    #[test]
    fn the_confidence_is_the_sources() {
        for (wins, printed) in
            [(266, "84"), (278, "96"), (284, "98"), (243, "33"), (291, "99.5"), (280, "97")]
        {
            let confidence = value_of(Measure::ConfidencePercent, &[&row(wins, 0, 500 - wins)]).unwrap();
            let digits = usize::from(printed.contains('.'));
            assert_eq!(format!("{confidence:.digits$}"), printed, "{wins}");
        }
        assert_eq!(confidence(500, 500), Some(0.5));
    }

    #[test]
    fn noise_is_the_binomial_one() {
        let rows = [row(250, 0, 250), row(250, 0, 250)];
        let test: Vec<&TestRow> = rows.iter().collect();
        // One test of 500 has 11.18 wins; the mean of two has 1/√2 of it.
        assert!((pure_noise(Measure::Wins, &test).unwrap() - 62.5).abs() < 1e-9);
        assert!((pure_noise(Measure::WinPercent, &test).unwrap() - 2.5).abs() < 1e-9);
        // Around one half a percent of wins is four points of gain.
        assert!((pure_noise(Measure::Gain, &test).unwrap() - 16.0 * 2.5).abs() < 1e-9);
        assert_eq!(pure_noise(Measure::Transitions, &test), None);
        let gains = [0.0, 2.0, 4.0].map(|value| Measured {
            round: 1,
            value,
            seen_noise: None,
            pure_noise: Some(9.0),
        });
        let benefit = running_mean(&gains);
        assert_eq!((benefit[2].value, benefit[2].pure_noise, benefit[2].seen_noise), (2.0, Some(3.0), None));
    }
}
