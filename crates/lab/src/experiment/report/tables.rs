//! The tables of a run's page.

use maud::{Markup, html};

use super::{Memory, Report};
use crate::experiment::Opponent;
use crate::experiment::claims::Said;
use crate::experiment::estimate::{Estimate, Limits};
use crate::experiment::findings::{ComparedPoint, Comparison, Curve, Point};
use crate::experiment::measure::Measure;
use crate::experiment::study::findings::FigureFinding;
use crate::experiment::study::report::StudyReport;
use crate::format::{bytes, counted, figure, grouped, limits};

/// Tables with more rows than this are folded.
const LONG: usize = 12;

/// The most rounds of a curve that the table of spreads shows.
const ROUNDS: usize = 10;

fn unit(measure: Measure) -> &'static str {
    if measure.is_percent() { "%" } else { "" }
}

fn ends(ends: Option<Limits>, unit: &str) -> String {
    ends.map_or_else(|| "–".to_owned(), |ends| limits(ends.low, ends.high, unit))
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), figure)
}

/// Returns whether a printed figure is reproduced, as a cell.
fn answer(reproduced: Option<bool>) -> Markup {
    match reproduced {
        Some(true) => html! { td.yes { "yes" } },
        Some(false) => html! { td.no { "no" } },
        None => html! { td { "–" } },
    }
}

/// Folds a long table.
fn folded(rows: usize, what: &str, table: &Markup) -> Markup {
    html! {
        .card {
            @if rows > LONG { details { summary { (what) " (" (rows) " rows)" } (table) } } @else { (table) }
        }
    }
}

pub(super) fn published(report: &Report) -> Markup {
    let all = &report.findings.published;
    html! {
        @if !all.is_empty() {
            h2 { "Printed figures beside ours" }
            p.note {
                "A printed figure is reproduced if it could be one more training of ours: if it lies in the 95 % range for a single training. "
                "The source trained once, so its figure is one draw; the interval of our mean would be the wrong yardstick. Of twenty "
                "figures of a perfect replication one lies outside. Figures of one curve are not independent. Wins, their percentage and "
                "the confidence computed from them count as one figure in the sentence at the top."
            }
            @for column in all {
                h3 { @if let Some(place) = &column.place { (place) ", " } (column.name) ": " (column.measure.words()) }
                (folded(column.points.len(), "figures", &comparison(report, column)))
            }
        }
    }
}

fn comparison(report: &Report, column: &Comparison) -> Markup {
    let arm = &report.experiment.arms[column.arm];
    let unit = unit(column.measure);
    let spread = column.points.iter().any(|point| point.published_spread.is_some());
    let ours = |point: &ComparedPoint, of: fn(&Estimate) -> Option<Limits>| {
        ends(point.ours.as_ref().and_then(of), unit)
    };
    html! {
        table {
            thead { tr {
                th { "matches of training" } th { "published" } th { "ours" } th { "95 % interval" }
                th { "range for one training" } th { "reproduced?" }
                @if spread { th { "published SD of tests" } th { "our SD of tests" } }
            } }
            tbody { @for point in &column.points { tr {
                td { (grouped(arm.matches_until(point.round))) }
                td { (point.published) }
                td { strong { (number(point.ours.as_ref().map(|ours| ours.mean))) } }
                td { (ours(point, |estimate| estimate.interval)) }
                td { (ours(point, |estimate| estimate.prediction)) }
                (answer(point.reproduced))
                @if spread { td { (number(point.published_spread)) } td { (number(point.our_spread)) } }
            } } }
        }
    }
}

/// Returns the printed figures of a study beside ours.
pub(super) fn figures(study: &StudyReport) -> Markup {
    let mut places: Vec<&str> = Vec::new();
    for figure in &study.figures {
        if !places.contains(&figure.place.as_str()) {
            places.push(&figure.place);
        }
    }
    html! {
        @if !places.is_empty() {
            h2 { "Printed figures beside ours" }
            p.note {
                "A printed figure is reproduced if it could be one more run of ours: if it is no farther from ours than two runs of this length differ in 19 of 20 cases, "
                "give or take the tolerance, which allows for what the source does not say about its rules."
            }
            @for place in places {
                @let here: Vec<&FigureFinding> = study.figures.iter().filter(|figure| figure.place == place).collect();
                h3 { (place) }
                (folded(here.len(), "figures", &html! { table {
                    thead { tr {
                        th.name { "player" } th { "target" } th { "measure" } th { "published" } th { "ours" } th { "95 % interval" }
                        th { "tolerance" } th { "reproduced?" }
                    } }
                    tbody { @for figure in here { tr {
                        td.name { (figure.player) @if let Some(than) = &figure.than { " minus " (than) } }
                        td { (figure.target) }
                        td { (figure.measure) }
                        td { (figure.published) }
                        td { strong { (figure.ours.map_or_else(|| "–".to_owned(), |ours| format!("{ours:.3}"))) } }
                        td { (figure.interval.map_or_else(|| "–".to_owned(), |ends| format!("{:.3} … {:.3}", ends.low, ends.high))) }
                        td { (figure.within) }
                        (answer(figure.reproduced))
                    } } }
                } }))
            }
        }
    }
}

/// Returns the tables of a study.
pub(super) fn study(study: &StudyReport) -> Markup {
    html! {
        h2 { "Numbers" }
        @for table in study.tables.iter().chain(&study.times) {
            h3 { (table.title) }
            .card { table {
                thead { tr { @for (at, head) in table.head.iter().enumerate() {
                    @if at == 0 { th.name { (head) } } @else { th { (head) } }
                } } }
                tbody { @for row in &table.rows { tr {
                    @for (at, cell) in row.iter().enumerate() {
                        @if at == 0 { td.name { (cell) } } @else { td { (cell) } }
                    }
                } } }
            } }
            @if !table.note.is_empty() { p.note { (table.note) } }
        }
    }
}

pub(super) fn facts(report: &Report) -> Markup {
    let facts = &report.findings.facts;
    html! {
        @if !facts.is_empty() {
            h2 { "Single figures and statements" }
            .card {
                table {
                    thead { tr {
                        th.text { "what" } th { "published" } th { "ours" } th { "95 % interval" }
                        th { "range for one training" } th { "reproduced?" }
                    } }
                    tbody { @for fact in facts { tr {
                        td.text {
                            (fact.says)
                            @if let Some(place) = &fact.place { small { (place) } }
                        }
                        @match &fact.published {
                            Said::Number(value) => td { (value) },
                            Said::Text(text) => td.text { (text) },
                        }
                        td { strong { (number(fact.ours.as_ref().map(|ours| ours.mean))) } }
                        td { (ends(fact.ours.as_ref().and_then(|ours| ours.interval), "")) }
                        td { (ends(fact.ours.as_ref().and_then(|ours| ours.prediction), "")) }
                        (answer(fact.reproduced))
                    } } }
                }
            }
        }
    }
}

/// Returns the curves whose spreads are shown: those of the measure that the report draws first.
fn main_curves(report: &Report) -> Vec<&Curve> {
    let spoken = |measure: &Measure| report.findings.curves.iter().any(|curve| curve.measure == *measure);
    let main = [Measure::Benefit, Measure::ScorePercent].into_iter().find(spoken);
    let main = main.unwrap_or(Measure::WinPercent);
    report.findings.curves.iter().filter(|curve| curve.measure == main && !curve.points.is_empty()).collect()
}

/// Returns at most [`ROUNDS`] points, spread evenly, the last among them.
fn some(points: &[Point]) -> Vec<&Point> {
    let step = points.len().div_ceil(ROUNDS).max(1);
    points.iter().rev().step_by(step).collect::<Vec<_>>().into_iter().rev().collect()
}

pub(super) fn spreads(report: &Report) -> Markup {
    let curves = main_curves(report);
    let rows: usize = curves.iter().map(|curve| some(&curve.points).len()).sum();
    let table = html! {
        table {
            thead { tr {
                th.name { "arm" } th { "matches of training" } th { "trainings" } th { "mean" } th { "SD as measured" }
                th { "between trainings" } th { "test noise" } th { "pure noise" }
            } }
            tbody { @for curve in &curves { @for point in some(&curve.points) { tr {
                td.name { (curve.name) }
                td { (grouped(report.experiment.arms[curve.arm].matches_until(point.round))) }
                td { (point.estimate.trainings) }
                td { strong { (figure(point.estimate.mean)) } }
                td { (number(point.estimate.deviation)) }
                td { (number(point.between)) }
                td { (number(point.test_noise)) }
                td { (number(point.pure_noise)) }
            } } } }
        }
    };
    html! {
        @if let Some(first) = curves.first() {
            h2 { "Two kinds of spread" }
            (folded(rows, "spreads of all arms", &table))
            p.note {
                "Standard deviations of one training's " (first.measure.words()) ". What is measured varies because learners differ (between trainings) and "
                "because tests are inexact (test noise, as the repeats show it; pure noise is what independent matches with fixed chances would "
                "have). Measured² = between² + noise²."
            }
        }
    }
}

pub(super) fn metrics(report: &Report) -> Markup {
    let summaries = &report.findings.summaries;
    let gain = |arm: usize| {
        let curve = report
            .findings
            .curves
            .iter()
            .find(|curve| curve.arm == arm && curve.measure == Measure::WinPercent);
        curve.and_then(|curve| Some(curve.points.last()?.estimate.mean))
    };
    let range = |estimate: &Estimate| ends(estimate.interval, "");
    html! {
        @if !summaries.is_empty() {
            h2 { "Metrics at the end" }
            .card {
                table {
                    thead { tr {
                        th.name { "arm" } th { "won, %" } th { "gain" } th { "benefit" } th { "95 % interval" } th { "deviation" }
                        th { "95 % interval" } th { "still moving (F)" }
                    } }
                    tbody { @for arm in summaries { tr {
                        td.name { (arm.name) }
                        td { (number(gain(arm.arm))) }
                        td { (number(arm.last_gain.as_ref().map(|gain| gain.mean))) }
                        td { strong { (figure(arm.benefit.mean)) } }
                        td { (range(&arm.benefit)) }
                        td { (number(arm.deviation.as_ref().map(|deviation| deviation.mean))) }
                        td { (arm.deviation.as_ref().map_or_else(|| "–".to_owned(), range)) }
                        td { @if arm.of > 0 { (arm.still_moving) " of " (arm.of) } @else { "–" } }
                    } } }
                }
            }
            p.note {
                "Gain is 100·(w − l)/max(w, l) of the last test; benefit is the mean of the gains of all tests; deviation is that of the margins, 0 to 100. Still moving "
                "counts trainings whose last fifteen gains, in three groups of five, differ significantly (analysis of variance, F with 2 and 12 degrees "
                "of freedom); one of twenty does so by chance. A dash: fewer than fifteen tests."
            }
        }
    }
}

pub(super) fn memory(report: &Report) -> Markup {
    let count = |estimate: &Estimate| grouped(estimate.mean.max(0.0).round() as u64);
    let size = |estimate: &Estimate| bytes(estimate.mean.max(0.0).round() as u64);
    let each = |memory: &Memory| {
        let entries = memory.entries.mean;
        if entries >= 1.0 { format!("{:.1}", memory.bytes.mean / entries) } else { "–".to_owned() }
    };
    html! {
        @if !report.memory.is_empty() {
            h2 { "Memory at the end" }
            .card {
                table {
                    thead { tr {
                        th.name { "arm" } th { "transitions" } th { "memory" } th { "bytes each" } th { "peak" } th { "forgotten" }
                    } }
                    tbody { @for arm in &report.memory { tr {
                        td.name { (arm.name) }
                        td { (count(&arm.entries)) }
                        td { (size(&arm.bytes)) }
                        td { (each(arm)) }
                        td { (size(&arm.peak_bytes)) }
                        td { (count(&arm.forgotten)) }
                    } } }
                }
            }
            p.note { "Means over trainings." }
        }
    }
}

pub(super) fn settings(report: &Report) -> Markup {
    let experiment = &report.experiment;
    if let Some(study) = &experiment.study {
        return html! {
            .card {
                table.settings {
                    tr { th { "game" } td { code { (study.game.text) } } }
                    tr { th { "seed" } td { (experiment.seed) } }
                    tr { th { "program" } td { "parlor " (report.manifest.parlor) ", generator " (report.manifest.rng) } }
                    @for specs in &report.manifest.arms {
                        tr { th { (specs.name) } td { code { (specs.learner) } } }
                    }
                }
            }
        };
    }
    let arms = experiment.arms.iter().zip(&report.manifest.arms);
    html! {
        .card {
            table.settings {
                tr { th { "trainings" } td { (experiment.trainings) " of every arm, each from nothing" } }
                tr { th { "seed" } td { (experiment.seed) } }
                tr { th { "matches" } td {
                    @let [training, tests] = experiment.matches();
                    (grouped(training)) " of training, " (grouped(tests)) " of tests"
                } }
                tr { th { "program" } td { "parlor " (report.manifest.parlor) ", generator " (report.manifest.rng) } }
            }
        }
        @for (arm, specs) in arms {
            h3 { "Arm: " (arm.name) }
            .card {
                table.settings {
                    tr { th { "game" } td { code { (specs.game) } } }
                    tr { th { "learner" } td { code { (specs.learner) } } }
                    tr { th { "trained" } td {
                        @if arm.stages.is_empty() {
                            (counted(arm.rounds.into(), "round")) " of " (counted(arm.matches.into(), "match")) " against "
                            @match &arm.against {
                                Opponent::Itself => "itself",
                                _ => code { (specs.against) },
                            }
                        } @else {
                            code { (specs.against) }
                        }
                    } }
                    @if let Some(seat) = arm.seat { tr { th { "seat" } td { (seat) " in every match" } } }
                    tr { th { "tested" } td {
                        @if arm.test.while_training {
                            "by its matches of training, learning on, in " (rounds(&arm.test.after))
                        } @else {
                            (arm.test.repeats) " × " (counted(arm.test.matches.into(), "match")) " against " code { (specs.tested) }
                            ", learning off, after " (rounds(&arm.test.after))
                        }
                    } }
                }
            }
        }
    }
}

/// Returns a list of rounds in words.
fn rounds(after: &[u32]) -> String {
    match after {
        [only] => format!("round {only}"),
        [first, .., last] if after.array_windows().all(|[a, b]| a + 1 == *b) => {
            format!("every round from {first} to {last}")
        }
        list => {
            let list: Vec<String> = list.iter().map(u32::to_string).collect();
            format!("rounds {}", list.join(", "))
        }
    }
}
