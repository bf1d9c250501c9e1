//! The numbers of a study as tables and charts.

use parlor_stats::distributions::{normal_above, normal_two_sided};
use serde::Serialize;

use super::duels::{CEILING, EXACT_SCORE, EXACT_UNBEATEN, RECOGNISED, SCORE, SHARE, UNBEATEN};
use super::evidence::{Key, Number, StudyEvidence};
use super::findings::FigureFinding;
use super::frontier::EXPLOITABILITY;
use super::{ChartAxis, ChartSpec, PLACE, Study, StudyKind, StudyTime, times};
use crate::chart::{Band, LineChart, Point, Published, Scale, Series};
use crate::experiment::estimate::Limits;
use crate::experiment::report::plots::{Drawn, Plot};
use crate::format::{grouped, p_value};

/// A table of the report.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StudyTable {
    /// What it shows.
    pub title: String,
    /// What its numbers mean.
    pub note: String,
    /// The heads of the columns.
    pub head: Vec<String>,
    /// The rows, as texts.
    pub rows: Vec<Vec<String>>,
}

/// A number of the study, for programs.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StudyNumber {
    player: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    than: Option<String>,
    target: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<f64>,
    measure: String,
    n: u64,
    mean: f64,
    error: Option<f64>,
    interval: Option<Limits>,
    exact: bool,
}

/// What a study's report shows beside its hypotheses.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StudyReport {
    /// Every number.
    pub numbers: Vec<StudyNumber>,
    /// Printed figures beside ours.
    pub figures: Vec<FigureFinding>,
    /// The tables.
    #[serde(skip)]
    pub tables: Vec<StudyTable>,
    /// How long it took. Equal runs have equal findings, so these have no times.
    #[serde(skip)]
    pub times: Option<StudyTable>,
}

impl StudyReport {
    /// Returns the report of a study's numbers.
    #[must_use]
    pub fn of(study: &Study, evidence: &StudyEvidence, times: &[StudyTime]) -> StudyReport {
        let numbers = evidence.numbers().iter().map(|(key, number)| StudyNumber {
            player: key.player.clone(),
            than: key.than.clone(),
            target: key.target.clone(),
            place: key.place,
            measure: key.measure.clone(),
            n: number.n,
            mean: number.mean,
            error: number.error,
            interval: number.interval(),
            exact: number.exact,
        });
        let figures = study.figures.iter().map(|figure| FigureFinding::of(figure, evidence));
        StudyReport {
            numbers: numbers.collect(),
            figures: figures.collect(),
            tables: tables(study, evidence),
            times: times::table(study, times),
        }
    }
}

fn tables(study: &Study, evidence: &StudyEvidence) -> Vec<StudyTable> {
    let mut all = Vec::new();
    for measure in evidence.measures() {
        all.extend(by_target(study, evidence, measure));
    }
    if let StudyKind::Duels(duels) = &study.kind {
        if let Some(baseline) = duels.baseline {
            all.extend(gains(study, evidence, &duels.players[baseline].name));
        }
        all.extend(shares(study, evidence));
    }
    all
}

/// Returns a number with half of its interval: `1.869 ± 0.054`; exact ones by themselves.
fn cell(number: &Number) -> String {
    let half = number.interval().map(|ends| (ends.high - ends.low) / 2.0);
    match half {
        Some(half) if !number.exact => format!("{:.3} ± {half:.3}", number.mean),
        _ => format!("{:.3}", number.mean),
    }
}

/// Returns the players of a study in their order, with the ceiling where there is one.
fn players<'a>(study: &'a Study, evidence: &'a StudyEvidence) -> Vec<&'a str> {
    let mut players = study.players();
    for (key, _) in evidence.numbers() {
        if !players.contains(&key.player.as_str()) {
            players.push(&key.player);
        }
    }
    players
}

/// Returns a measure of all players against all targets, a row for each player and place.
fn by_target(study: &Study, evidence: &StudyEvidence, measure: &str) -> Option<StudyTable> {
    let here: Vec<&(Key, Number)> =
        evidence.numbers().iter().filter(|(key, _)| key.measure == measure && key.than.is_none()).collect();
    // Numbers that are of no target in particular have a column of their own.
    let mut targets = study.targets();
    targets.push("");
    targets.retain(|target| here.iter().any(|(key, _)| key.target == *target));
    let mut rows = Vec::new();
    for player in players(study, evidence) {
        let mut places: Vec<Option<f64>> = Vec::new();
        for (key, _) in here.iter().filter(|(key, _)| key.player == player) {
            if !places.contains(&key.place) {
                places.push(key.place);
            }
        }
        for place in places {
            let number = |target: &str| {
                let found = here
                    .iter()
                    .find(|(key, _)| key.player == player && key.target == target && key.place == place);
                found.map_or_else(|| "–".to_owned(), |(_, number)| cell(number))
            };
            let name = place.map_or_else(|| player.to_owned(), |place| format!("{player}, {place}"));
            rows.push(std::iter::once(name).chain(targets.iter().map(|target| number(target))).collect());
        }
    }
    let exact = here.iter().all(|(_, number)| number.exact);
    let n = here.iter().map(|(_, number)| number.n).max()?;
    Some(StudyTable {
        title: in_title(measure),
        note: if exact {
            "Exact numbers, without any sampling.".to_owned()
        } else {
            format!("Means with half of their 95 % intervals; {} observations each at the most.", grouped(n))
        },
        head: std::iter::once("player")
            .chain(targets.into_iter().map(|target| if target.is_empty() { "all" } else { target }))
            .map(str::to_owned)
            .collect(),
        rows,
    })
}

fn in_title(measure: &str) -> String {
    match measure {
        SCORE => "Mean score difference a game".to_owned(),
        UNBEATEN => "Share of games won or tied".to_owned(),
        EXACT_SCORE => "Exact expectation of the score difference".to_owned(),
        EXACT_UNBEATEN => "Exact probability to win or tie".to_owned(),
        RECOGNISED => "Share of decisions at which the likeliest type was the true one".to_owned(),
        EXPLOITABILITY => "Exploitability: points a game lost to a best response".to_owned(),
        other => {
            let mut letters = other.chars();
            letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
        }
    }
}

/// Returns the gains over the baseline, with the source's two tests and the paired ones.
fn gains(study: &Study, evidence: &StudyEvidence, base: &str) -> Option<StudyTable> {
    let mut rows = Vec::new();
    for player in study.players().into_iter().filter(|player| *player != base) {
        for target in study.targets() {
            let number = |who: &str, measure: &str| evidence.of(who, target, measure);
            let gain = |measure: &str| {
                evidence.difference(&Key {
                    player: player.to_owned(),
                    than: Some(base.to_owned()),
                    target: target.to_owned(),
                    place: None,
                    measure: measure.to_owned(),
                })
            };
            let exact = gain(EXACT_SCORE).map_or_else(|| "–".to_owned(), |gain| format!("{:+.3}", gain.mean));
            let mut row = vec![format!("{player} against {target}")];
            let sampled = [SCORE, UNBEATEN]
                .map(|measure| Some((number(player, measure)?, number(base, measure)?, gain(measure)?)));
            let [Some((own, other, score)), Some((own_unbeaten, other_unbeaten, unbeaten))] = sampled else {
                if exact != "–" {
                    row.extend(["–".to_owned(), "–".to_owned(), "–".to_owned(), exact]);
                    row.extend(["–".to_owned(), "–".to_owned(), "–".to_owned()]);
                    rows.push(row);
                }
                continue;
            };
            let p = |p: Option<f64>| p.map_or_else(|| "–".to_owned(), p_value);
            row.push(format!("{:+.3}", score.mean));
            row.push(p(unpaired(&own, &other)));
            row.push(p(score.sides(0.0).map(|sides| (2.0 * sides.above.min(sides.below)).min(1.0))));
            row.push(exact);
            row.push(format!("{:+.0}", (unbeaten.mean * unbeaten.n as f64).round()));
            row.push(p(binomial(&own_unbeaten, &other_unbeaten)));
            row.push(p(unbeaten.sides(0.0).map(|sides| (2.0 * sides.above.min(sides.below)).min(1.0))));
            rows.push(row);
        }
    }
    let head = [
        "",
        "gain, points",
        "p, source's test",
        "p, paired",
        "exact gain",
        "gain, wins + ties",
        "p, source's test",
        "p, paired",
    ];
    (!rows.is_empty()).then(|| StudyTable {
        title: format!("Value gained over {base}"),
        note: format!(
            "The source tests the points one-tailed by the difference of two independent means (Equation 10), and wins + ties two-tailed by a binomial test against \
             the rate of {base} as if that were known (Equation 11). The paired tests are two-tailed and use that every player has the same deals and draws."
        ),
        head: head.map(str::to_owned).to_vec(),
        rows,
    })
}

/// Returns the source's one-tailed p-value of the difference of two means (Equation 10).
fn unpaired(own: &Number, other: &Number) -> Option<f64> {
    let difference = own.minus(other);
    let error = difference.error.filter(|error| *error > 0.0)?;
    Some(normal_above(difference.mean / error))
}

/// Returns the source's two-tailed p-value of wins and ties (Equation 11).
fn binomial(own: &Number, other: &Number) -> Option<f64> {
    let rate = other.mean;
    let error = (rate * (1.0 - rate) / own.n as f64).sqrt();
    (error > 0.0).then(|| normal_two_sided((own.mean - rate) / error))
}

/// Returns each player's share of what a best response wins.
fn shares(study: &Study, evidence: &StudyEvidence) -> Option<StudyTable> {
    let targets = study.targets();
    let mut rows = Vec::new();
    for player in study.players() {
        let share = |target: &&str| {
            let most = evidence.of(CEILING, target, EXACT_SCORE)?;
            let own =
                evidence.of(player, target, EXACT_SCORE).or_else(|| evidence.of(player, target, SCORE))?;
            let half = own.interval().filter(|_| !own.exact).map(|ends| (ends.high - ends.low) / 2.0);
            let share = 100.0 * own.mean / most.mean;
            Some(match half {
                Some(half) => format!("{share:.1} ± {:.1} %", 100.0 * half / most.mean),
                None => format!("{share:.1} %"),
            })
        };
        let cells: Vec<Option<String>> = targets.iter().map(share).collect();
        if cells.iter().any(Option::is_some) {
            let cells = cells.into_iter().map(|cell| cell.unwrap_or_else(|| "–".to_owned()));
            rows.push(std::iter::once(player.to_owned()).chain(cells).collect());
        }
    }
    (!rows.is_empty()).then(|| StudyTable {
        title: in_title(SHARE),
        note: "The score difference as a share of what a best response wins. Shares without ± are exact."
            .to_owned(),
        head: std::iter::once("player").chain(targets).map(str::to_owned).collect(),
        rows,
    })
}

/// Returns the charts of a study.
#[must_use]
pub fn plots(study: &Study, evidence: &StudyEvidence) -> Vec<Plot> {
    study.charts.iter().filter_map(|spec| plot(study, evidence, spec)).collect()
}

fn plot(study: &Study, evidence: &StudyEvidence, spec: &ChartSpec) -> Option<Plot> {
    let mut targets: Vec<&str> = match &spec.target {
        Some(target) => vec![target.as_str()],
        None => study.targets().into_iter().chain([""]).collect(),
    };
    let is_drawn = |key: &Key, target: &str| key.target == target && key.measure == spec.y.measure;
    targets.retain(|target| evidence.numbers().iter().any(|(key, _)| is_drawn(key, target)));
    let value = |axis: &ChartAxis, key: &Key| {
        if axis.measure == PLACE {
            return key.place;
        }
        Some(evidence.find(&Key { measure: axis.measure.clone(), ..key.clone() })?.mean)
    };
    let mut series: Vec<Series> = Vec::new();
    let mut published: Vec<Published> = Vec::new();
    for player in players(study, evidence) {
        for target in &targets {
            let here = evidence.numbers().iter().filter(|(key, _)| {
                key.player == player
                    && key.target == *target
                    && key.measure == spec.y.measure
                    && key.than.is_none()
            });
            let mut points = Vec::new();
            let mut band = Vec::new();
            for (key, number) in here {
                let Some(x) = value(&spec.x, key) else { continue };
                points.push(Point { x, y: number.mean });
                if let Some(ends) = number.interval().filter(|_| !number.exact) {
                    band.push(Band { x, low: ends.low, high: ends.high });
                }
            }
            if points.is_empty() {
                continue;
            }
            let is_curve = spec.curve.as_deref().is_none_or(|curve| curve == player);
            let name = match (&spec.curve, targets.len()) {
                (Some(_), 1) => player.to_owned(),
                (Some(_), _) if is_curve => format!("{player} to {target}"),
                (None, 1) => player.to_owned(),
                _ => format!("{player}, {target}"),
            };
            if is_curve {
                series.push(Series { name, points, band });
            } else {
                published.push(Published { name, series: None, points, labelled: true });
            }
        }
    }
    (!series.is_empty()).then(|| Plot {
        name: spec.name.clone(),
        caption: spec.caption.clone(),
        chart: Drawn::Line(LineChart {
            title: spec.title.clone(),
            x: Scale { log: spec.logarithmic, ..Scale::new(spec.x.title.clone()) },
            y: Scale::new(spec.y.title.clone()),
            series,
            published,
            references: Vec::new(),
        }),
    })
}
