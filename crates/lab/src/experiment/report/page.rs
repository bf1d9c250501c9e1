//! The page of one run.

use maud::{Markup, html};

use super::{Report, levels, tables};
use crate::experiment::claims::Verdict;
use crate::experiment::verdicts::Finding;
use crate::format::{counted, limits, p_value, shell, with_unit};
use crate::page::prose;
use crate::{chart, page};

/// The rules of all pages about experiments.
pub(super) fn style() -> String {
    format!("{}{}", include_str!("report.css"), chart::page_style())
}

pub(super) fn page(report: &Report) -> String {
    let experiment = &report.experiment;
    let title = format!("{}: {}", experiment.id, experiment.title);
    let body = html! {
        h1 { (title) }
        @if let Some(source) = &experiment.source { p.soft { "After " (source) } }
        @for warning in warnings(report) { p.warning { (warning) } }
        p.answer { (report.score().words()) (agreement(report)) }
        h2 { "The question" }
        p { (prose(&experiment.question)) }
        @if !report.findings.hypotheses.is_empty() {
            h2 { "Hypotheses" }
            .card { (overview(&report.findings.hypotheses, if report.study.is_some() { "n" } else { "trainings" })) }
            p.note {
                @if report.study.is_some() {
                    "A hypothesis holds if the numbers support it, and does not hold if they support its opposite, at a corrected p-value below 5 %; "
                    "else it is undecided. An exact number decides by itself. Intervals hold 95 % and are not corrected."
                } @else {
                    "A hypothesis holds if the trainings support it, and does not hold if they support its opposite, at a corrected p-value below 5 %; "
                    "else it is undecided. The unit is a training. Intervals hold 95 % and are not corrected."
                }
            }
            .claims { @for finding in &report.findings.hypotheses { (claim(finding)) } }
        }
        @if let Some(study) = &report.study {
            (tables::figures(study))
            (tables::study(study))
        }
        @if !report.plots.is_empty() {
            h2 { @if report.study.is_some() { "Charts" } @else { "Learning curves" } }
        }
        @for plot in &report.plots {
            figure {
                .card { (plot.chart.markup()) }
                figcaption { (plot.caption) }
            }
        }
        (levels::references(report))
        (tables::published(report))
        (tables::facts(report))
        (levels::fits(report))
        (tables::spreads(report))
        (tables::metrics(report))
        (tables::memory(report))
        h2 { "Settings" }
        (tables::settings(report))
        @if !experiment.notes.is_empty() {
            h2 { "Notes" }
            ul.notes { @for note in &experiment.notes { li { (prose(note)) } } }
        }
        h2 { "How to reproduce it" }
        (reproduce(report))
    };
    page::page(&title, &style(), &body)
}

/// Returns what a reader must know before believing the numbers.
fn warnings(report: &Report) -> Vec<String> {
    let mut all = Vec::new();
    let progress = report.progress;
    if !progress.is_complete() {
        all.push(format!(
            "Not finished: {} of {} {}. Verdicts may change until all are in.",
            progress.finished,
            progress.planned,
            report.units()
        ));
    }
    if report.manifest.quick {
        all.push(
            "This is the smaller version (--quick): fewer trainings, rounds or tests than the experiment asks for. It shows that everything works; it does not decide much."
                .to_owned(),
        );
    }
    if report.forfeits > 0 {
        all.push(format!("{} ended by misbehaviour of a player.", counted(report.forfeits, "test match")));
    }
    all
}

fn agreement(report: &Report) -> String {
    let score = report.score();
    match score.of_source {
        0 => String::new(),
        all => format!(
            " The source's verdict is ours, too, in {} of {}.",
            score.agree,
            counted(all as u64, "case")
        ),
    }
}

/// Returns the class of a verdict.
pub(super) const fn class(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::Holds) => "holds",
        Some(Verdict::DoesNotHold) => "fails",
        Some(Verdict::Undecided) => "open",
        None => "none",
    }
}

/// Returns a verdict as a badge.
pub(super) fn badge(verdict: Option<Verdict>) -> Markup {
    html! { span class=(format!("badge {}", class(verdict))) { (verdict.map_or("not said", Verdict::words)) } }
}

/// Returns estimate and interval in words: `68.2 % [66.1 … 70.3]`.
#[must_use]
pub fn estimate(finding: &Finding) -> String {
    let Some(estimate) = finding.estimate else { return "–".to_owned() };
    let interval = finding.interval.map(|ends| format!(" [{}]", limits(ends.low, ends.high, finding.unit)));
    with_unit(estimate, finding.unit) + &interval.unwrap_or_default()
}

fn p(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), p_value)
}

fn overview(findings: &[Finding], unit: &str) -> Markup {
    html! {
        table {
            thead { tr {
                th.name { "hypothesis" } th { "source" } th { "here" } th { "estimate [95 %]" }
                th { "p" } th { "p, Holm" } th { (unit) }
            } }
            tbody {
                @for finding in findings {
                    tr {
                        td.name { (finding.id) }
                        td { (badge(finding.found)) }
                        td { (badge(Some(finding.verdict))) }
                        td { (estimate(finding)) }
                        td { (p(finding.p_value)) }
                        td { (p(finding.corrected)) }
                        td { (finding.trainings) }
                    }
                }
            }
        }
    }
}

fn claim(finding: &Finding) -> Markup {
    html! {
        article class=(format!("claim {}", class(Some(finding.verdict)))) {
            header {
                strong { (finding.id) }
                span.side { "source " (badge(finding.found)) }
                span.side { "here " (badge(Some(finding.verdict))) }
            }
            p { (finding.says) }
            @if let Some(why) = &finding.explain { p.explain { (prose(why)) } }
            dl {
                div { dt { "what is measured" } dd { (finding.quantity) } }
                div { dt { "claimed" } dd { (finding.claim) } }
                div { dt { "estimate [95 % interval]" } dd { (estimate(finding)) } }
                div { dt { "confidence" } dd { (finding.confidence) } }
                @if let Some(signs) = finding.signs {
                    div { dt { "it is so in" } dd {
                        (signs.so) " of " (counted(signs.of as u64, "training")) " (sign test p " (equals(signs.p_value)) ")"
                    } }
                }
            }
            @if !finding.remarks.is_empty() { ul { @for remark in &finding.remarks { li { (remark) } } } }
        }
    }
}

/// Returns a p-value behind a `p`: `= 0.012`, `< 0.0001`.
#[must_use]
pub fn equals(p: f64) -> String {
    let text = p_value(p);
    if text.starts_with('<') { text } else { format!("= {text}") }
}

fn reproduce(report: &Report) -> Markup {
    let manifest = &report.manifest;
    html! {
        .card {
            pre { (command(report)) }
            pre { "parlor experiment verify FOLDER" }
        }
        p.note {
            "Any number of threads gives the same rows, and an interrupted run that is resumed ends with the same bytes. "
            "Verify plays some " (report.units()) " again and compares every row. In the folder of this report are the settings with the experiment's file "
            "(run.json), all rows (rows.csv, rows.parquet), all numbers (findings.json), and the charts (plots). "
            "The program is parlor " (manifest.parlor) ", its generator " (manifest.rng) ", the seed " (manifest.seed) "."
        }
    }
}

/// Returns the call that makes the same rows.
fn command(report: &Report) -> String {
    let manifest = &report.manifest;
    let published = crate::experiment::library::text_of(&manifest.id) == Some(manifest.text.as_str());
    // The text is in run.json; a file of another name would do as well.
    let name = if published { manifest.id.clone() } else { format!("{}.toml", manifest.id) };
    let mut words = format!("parlor experiment run {}", shell(&name));
    if manifest.quick {
        words += " --quick";
    }
    let written = crate::experiment::Experiment::read(&manifest.text).ok();
    let written = written.map(|all| if manifest.quick { all.quick() } else { all });
    if report.study.is_none() && written.as_ref().is_none_or(|file| file.trainings != manifest.trainings) {
        words += &format!(" --trainings {}", manifest.trainings);
    }
    if written.is_none_or(|file| file.seed != manifest.seed) {
        words += &format!(" --seed {}", manifest.seed);
    }
    words + " --out FOLDER"
}
