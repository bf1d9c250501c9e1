//! The charts of a report: which ones there are, and what their captions say.

mod differences;

use maud::Markup;

use differences::differences;

use crate::chart::{self, Band, ForestChart, LineChart, Reference, Scale, Series};
use crate::experiment::claims::{Claim, Said};
use crate::experiment::estimate::Estimate;
use crate::experiment::findings::{Point, curve};
use crate::experiment::levels::fits;
use crate::experiment::measure::{Measure, Statistic};
use crate::experiment::{Evidence, Experiment, SweepFinding};
use crate::format::{figure, percent};

/// A chart with the name of its file and what stands below it.
#[derive(Clone, PartialEq, Debug)]
pub struct Plot {
    /// The file's name without its ending.
    pub name: String,
    /// What is drawn, and what the band is.
    pub caption: String,
    /// The chart.
    pub chart: Drawn,
}

/// A chart of a report.
#[derive(Clone, PartialEq, Debug)]
pub enum Drawn {
    /// Curves.
    Line(LineChart),
    /// Estimates, one below the other.
    Forest(ForestChart),
}

impl Drawn {
    /// Returns the chart for a page.
    #[must_use]
    pub fn markup(&self) -> Markup {
        match self {
            Drawn::Line(chart) => chart.markup(),
            Drawn::Forest(chart) => chart.markup(),
        }
    }

    /// Returns the chart as a file of its own.
    #[must_use]
    pub fn svg(&self) -> String {
        match self {
            Drawn::Line(chart) => chart.svg(),
            Drawn::Forest(chart) => chart.svg(),
        }
    }
}

/// Returns the chart of a sweep.
pub(super) fn of_sweep(finding: &SweepFinding) -> Plot {
    let shares = finding.keys.iter().filter_map(|key| {
        let share = percent(Some(key.share?));
        Some(format!("{}: {share}", key.key))
    });
    let shares: Vec<String> = shares.collect();
    let caption = format!(
        "Each value of each key, averaged over all values of the other keys, after the last test. Share of the variance between the arms: {}. What is left depends on combinations and on chance.",
        if shares.is_empty() { "none, all arms are equal".to_owned() } else { shares.join(", ") }
    );
    Plot { name: "what-matters".to_owned(), caption, chart: Drawn::Forest(finding.chart()) }
}

/// Measures that are drawn if the file speaks of them, in this order.
const DRAWN: [Measure; 11] = [
    Measure::Benefit,
    Measure::ScorePercent,
    Measure::WinPercent,
    Measure::StagesWonPercent,
    Measure::Gain,
    Measure::LinearGain,
    Measure::PointDifference,
    Measure::Error,
    Measure::WeightChangePercent,
    Measure::LargestWeight,
    Measure::LargestWeightLog10,
];

/// Returns every chart of the report, the most important first.
pub(super) fn plots(evidence: &Evidence<'_>, spoken: &[(usize, Measure)]) -> Vec<Plot> {
    let measures: Vec<Measure> =
        DRAWN.into_iter().filter(|measure| spoken.iter().any(|(_, spoken)| spoken == measure)).collect();
    let groups = by_game(evidence.experiment);
    let mut all = Vec::new();
    for &measure in &measures {
        all.extend(numbered(&groups, measure.name(), |arms| learning(evidence, arms, measure)));
    }
    for &measure in &measures {
        let name = format!("difference-{}", measure.name());
        all.extend(numbered(&groups, &name, |arms| differences(evidence, arms, measure)));
    }
    if let Some(&main) = measures.first() {
        all.extend(spreads(evidence, main));
    }
    all.extend(numbered(&groups, "transitions", |arms| transitions(evidence, arms)));
    all
}

/// Returns the charts of all groups of arms, with names that differ.
fn numbered(
    groups: &[Vec<usize>],
    name: &str,
    draw: impl Fn(&[usize]) -> Option<(LineChart, String)>,
) -> Vec<Plot> {
    let drawn: Vec<_> = groups.iter().filter_map(|arms| draw(arms)).collect();
    let single = drawn.len() == 1;
    let name = |number: usize| if single { name.to_owned() } else { format!("{name}-{number}") };
    let plots = drawn.into_iter().zip(1..);
    plots
        .map(|((chart, caption), number)| Plot { name: name(number), caption, chart: Drawn::Line(chart) })
        .collect()
}

/// Returns the arms in groups that play the same game: numbers of different games do not belong on one axis.
fn by_game(experiment: &Experiment) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (arm, settings) in experiment.arms.iter().enumerate() {
        let same = |group: &&mut Vec<usize>| experiment.arms[group[0]].game.text == settings.game.text;
        match groups.iter_mut().find(same) {
            Some(group) => group.push(arm),
            None => groups.push(vec![arm]),
        }
    }
    groups
}

const ANYWHERE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// How a measure is drawn: percentages as rates.
struct Drawing {
    factor: f64,
    scale: Scale,
    /// Where values can be at all.
    range: [f64; 2],
}

impl Drawing {
    fn of(measure: Measure, title: &str) -> Drawing {
        let range = match measure {
            Measure::Gain | Measure::LinearGain | Measure::Benefit => [-100.0, 100.0],
            measure if measure.is_percent() => [0.0, 100.0],
            _ => ANYWHERE,
        };
        if measure.is_percent() {
            Drawing { factor: 0.01, scale: Scale::percent(title.trim_end_matches(", %")), range }
        } else {
            Drawing { factor: 1.0, scale: Scale::new(title), range }
        }
    }

    fn series(&self, name: String, points: &[At], band: Around) -> Series {
        let estimates = points.iter().filter_map(|at| {
            let limits = match band {
                Around::Mean => at.estimate.interval,
                Around::One => at.estimate.prediction,
            }?;
            // Intervals of few trainings may reach beyond what there can be.
            let [least, most] = self.range;
            let drawn = |end: f64| self.factor * end.clamp(least, most);
            Some(Band { x: at.matches, low: drawn(limits.low), high: drawn(limits.high) })
        });
        Series {
            name,
            points: points.iter().map(|at| self.point(at.matches, at.estimate.mean)).collect(),
            band: estimates.collect(),
        }
    }

    fn point(&self, x: f64, y: f64) -> chart::Point {
        chart::Point { x, y: self.factor * y }
    }
}

/// One place of a curve: how many matches of training there were, and what was measured.
struct At {
    matches: f64,
    estimate: Estimate,
}

/// What a band is.
#[derive(Copy, Clone, PartialEq)]
enum Around {
    /// The 95 % interval of the mean over trainings.
    Mean,
    /// Where a single training lies with 95 % probability.
    One,
}

impl Around {
    const fn words(self) -> &'static str {
        match self {
            Around::Mean => "Bands are the 95 % intervals of these means.",
            Around::One => {
                "Bands show where a single training lies with 95 % probability, because printed figures are those of single trainings."
            }
        }
    }
}

fn trained(experiment: &Experiment, arm: usize, round: u32) -> f64 {
    experiment.arms[arm].matches_until(round) as f64
}

fn points(evidence: &Evidence<'_>, arm: usize, measure: Measure) -> Vec<At> {
    let at = |point: Point| At {
        matches: trained(evidence.experiment, arm, point.round),
        estimate: point.estimate,
    };
    curve(evidence, arm, measure).points.into_iter().map(at).collect()
}

fn x_axis() -> Scale {
    Scale::new("matches of training")
}

/// Returns the chart's title: the experiment, what is drawn, and the game where arms play different ones.
fn title(experiment: &Experiment, what: &str, arms: &[usize]) -> String {
    let what = what.trim_end_matches(", %");
    let game = &experiment.arms[arms[0]].game.text;
    if experiment.arms.iter().all(|arm| arm.game.text == *game) {
        format!("{}: {what}", experiment.id)
    } else {
        format!("{}: {what}, {game}", experiment.id)
    }
}

fn learning(evidence: &Evidence<'_>, arms: &[usize], measure: Measure) -> Option<(LineChart, String)> {
    let experiment = evidence.experiment;
    let drawing = Drawing::of(measure, measure.words());
    let published: Vec<chart::Published> = arms
        .iter()
        .enumerate()
        .filter_map(|(series, &arm)| {
            let points: Vec<_> = printed(experiment, arm, measure)
                .into_iter()
                .map(|(round, value)| drawing.point(trained(experiment, arm, round), value))
                .collect();
            let name = format!("{}, published", experiment.arms[arm].name);
            (!points.is_empty()).then_some(chart::Published {
                name,
                series: Some(series),
                points,
                labelled: false,
            })
        })
        .collect();
    let band = if published.is_empty() { Around::Mean } else { Around::One };
    let series: Vec<Series> = arms
        .iter()
        .map(|&arm| drawing.series(experiment.arms[arm].name.clone(), &points(evidence, arm, measure), band))
        .collect();
    let fitted = fits(evidence).into_iter().filter(|fit| fit.measure == measure && arms.contains(&fit.arm));
    let fitted = fitted.map(|fit| {
        let rounds = experiment.arms[fit.arm].test.after.iter();
        let points =
            rounds.map(|&round| drawing.point(trained(experiment, fit.arm, round), fit.at(round))).collect();
        Series { name: format!("{}, fitted", fit.name), points, band: Vec::new() }
    });
    let series: Vec<Series> = series.into_iter().chain(fitted).collect();
    series.iter().any(|series| !series.points.is_empty()).then(|| {
        let even = match measure {
            Measure::WinPercent | Measure::ScorePercent | Measure::StagesWonPercent => 50.0,
            _ => 0.0,
        };
        let name = if even > 0.0 { "half of all" } else { "as good as the other" };
        let mut references = exact(experiment, arms, measure, drawing.factor);
        if references.is_empty() {
            references.push(Reference { value: drawing.factor * even, name: name.to_owned() });
        }
        let diamonds = if published.is_empty() { "" } else { " Diamonds are printed figures." };
        let caption = format!("Lines are means over trainings. {}{diamonds}", band.words());
        let chart = LineChart {
            title: title(experiment, measure.words(), arms),
            x: x_axis(),
            references,
            y: drawing.scale,
            series,
            published,
        };
        (chart, caption)
    })
}

/// Returns the exact values that the arms of a chart are compared with, each once.
fn exact(experiment: &Experiment, arms: &[usize], measure: Measure, factor: f64) -> Vec<Reference> {
    let about = experiment
        .references
        .iter()
        .filter(|exact| exact.measure == measure && exact.arms.iter().any(|arm| arms.contains(arm)));
    let mut all: Vec<Reference> = Vec::new();
    for exact in about {
        // The lines look alike, so the legend has their values.
        let unit = if measure.is_percent() { " %" } else { "" };
        let name = format!("{}: {}{unit}", exact.says, figure(exact.value));
        let reference = Reference { value: factor * exact.value, name };
        if !all.contains(&reference) {
            all.push(reference);
        }
    }
    all
}

/// Returns the printed figures of an arm that belong on a curve, by round. Wins stand in for a missing column of percentages.
fn printed(experiment: &Experiment, arm: usize, measure: Measure) -> Vec<(u32, f64)> {
    let columns = |wanted: Measure| {
        experiment.published.iter().filter(move |column| column.arm == arm && column.measure == wanted)
    };
    let mut all: Vec<(u32, f64)> = columns(measure).flat_map(|column| column.points.clone()).collect();
    if measure == Measure::WinPercent && all.is_empty() {
        let percent = 100.0 / f64::from(experiment.arms[arm].test.matches);
        let wins = columns(Measure::Wins).flat_map(|column| column.points.iter());
        all.extend(wins.map(|&(round, wins)| (round, percent * wins)));
    }
    all.extend(experiment.facts.iter().filter_map(|fact| {
        let ours = fact.ours.as_ref()?;
        let single = ours.window.from == ours.window.to && ours.minus.is_none();
        let fits = single && (ours.arm, ours.measure) == (arm, measure) && ours.statistic == Statistic::Mean;
        match fact.said {
            Said::Number(value) if fits => Some((ours.window.to, value)),
            _ => None,
        }
    }));
    // A smaller version may end before the printed curve does.
    let last = experiment.arms[arm].rounds;
    all.retain(|(round, _)| *round <= last);
    all.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    all.dedup();
    all
}

/// Draws the two spreads of the arms that the first hypothesis speaks of.
fn spreads(evidence: &Evidence<'_>, measure: Measure) -> Option<Plot> {
    let experiment = evidence.experiment;
    let arms: Vec<usize> = match experiment.hypotheses.first().map(|hypothesis| &hypothesis.claim) {
        Some(Claim::Steadier { arm, than, .. }) => vec![*arm, *than],
        Some(Claim::Order(chain)) => chain.iter().take(2).map(|quantity| quantity.arm).collect(),
        Some(
            Claim::Above(quantity, _)
            | Claim::Below(quantity, _)
            | Claim::Same { quantity, .. }
            | Claim::Within { quantity, .. },
        ) => {
            let other = quantity.minus.map(|(than, _)| than).filter(|than| *than != quantity.arm);
            [quantity.arm].into_iter().chain(other).collect()
        }
        None => vec![0],
    };
    let mut series = Vec::new();
    for &arm in &arms {
        let curve = curve(evidence, arm, measure);
        let line = |what: &str, spread: fn(&Point) -> Option<f64>| {
            let points = curve.points.iter().filter_map(|point| {
                Some(chart::Point { x: trained(experiment, arm, point.round), y: spread(point)? })
            });
            Series { name: format!("{}: {what}", curve.name), points: points.collect(), band: Vec::new() }
        };
        series.push(line("between trainings", |point| point.between));
        series.push(line("test noise", |point| point.test_noise.or(point.pure_noise)));
    }
    series.retain(|series| !series.points.is_empty());
    let unit = if measure.is_percent() { ", percentage points" } else { "" };
    let what = measure.words().trim_end_matches(", %");
    (!series.is_empty()).then(|| Plot {
        name: "spreads".to_owned(),
        caption: "Standard deviations: how different the trained learners are (between trainings), and how inexact the tests of one \
                  learner are (test noise). More tests shrink only the second."
            .to_owned(),
        chart: Drawn::Line(LineChart {
            title: format!("{}: the two spreads of {what}", experiment.id),
            x: x_axis(),
            y: Scale::new(format!("standard deviation{unit}")).reaching(0.0, 1.0),
            series,
            published: Vec::new(),
            references: Vec::new(),
        }),
    })
}

fn transitions(evidence: &Evidence<'_>, arms: &[usize]) -> Option<(LineChart, String)> {
    let experiment = evidence.experiment;
    let drawing = Drawing {
        factor: 1.0,
        scale: Scale::new("transitions known").reaching(0.0, 1.0),
        range: [0.0, f64::INFINITY],
    };
    let series: Vec<Series> = arms
        .iter()
        .map(|&arm| {
            let points = points(evidence, arm, Measure::Transitions);
            drawing.series(experiment.arms[arm].name.clone(), &points, Around::Mean)
        })
        .collect();
    series.iter().flat_map(|series| &series.points).any(|point| point.y > 0.0).then(|| {
        let chart = LineChart {
            title: title(experiment, "transitions known", arms),
            x: x_axis(),
            y: drawing.scale,
            series,
            published: Vec::new(),
            references: Vec::new(),
        };
        (chart, format!("How much the learners know: means over trainings. {}", Around::Mean.words()))
    })
}
