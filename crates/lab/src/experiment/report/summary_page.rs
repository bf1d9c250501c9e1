//! The page over many runs.

use maud::{Markup, html};

use super::page::{badge, estimate, style};
use super::summary::{Summarised, Summary, address};
use crate::format::p_value;
use crate::page;
use crate::page::prose;

pub(super) fn page(summary: &Summary) -> String {
    let title = "What reproduces";
    let body = html! {
        h1 { (title) }
        @for warning in summary.warnings() { p.warning { (warning) } }
        p.answer { (summary.words()) }
        figure {
            .card { (summary.overview().markup()) }
            figcaption {
                "A row for each experiment, a pair of boxes for each of its hypotheses: what the source found and what we find. Right of them: how many of the "
                "printed figures lie within what a single training of ours can give."
            }
        }
        h2 { "Experiments" }
        .card { (experiments(summary)) }
        h2 { "Hypotheses" }
        p.note {
            "Verdicts rest on p-values corrected for the number of hypotheses in their own file (Holm). The last column is corrected for all hypotheses on this "
            "page: use it if you look through all of them for something remarkable."
        }
        @for run in &summary.runs { (hypotheses(run)) }
    };
    page::page(title, &style(), &body)
}

fn experiments(summary: &Summary) -> Markup {
    html! {
        table {
            thead { tr {
                th.name { "experiment" } th { "trainings" } th { "hold" } th { "do not" } th { "undecided" } th { "as the source" }
                th { "figures reproduced" }
            } }
            tbody {
                @for run in &summary.runs {
                    @let score = run.report.score();
                    tr {
                        td.name {
                            a href=(address(&run.folder)) { (run.report.experiment.id) } " " (run.report.experiment.title)
                        }
                        td { (run.report.experiment.trainings) }
                        td { (score.hold) }
                        td { (score.fail) }
                        td { (score.undecided) }
                        td { (of(score.agree, score.of_source)) }
                        td { (of(score.reproduced, score.printed)) }
                    }
                }
            }
        }
    }
}

fn of(count: usize, all: usize) -> String {
    if all == 0 { "–".to_owned() } else { format!("{count} of {all}") }
}

fn hypotheses(run: &Summarised) -> Markup {
    let experiment = &run.report.experiment;
    let findings = &run.report.findings.hypotheses;
    let p = |p: Option<f64>| p.map_or_else(|| "–".to_owned(), p_value);
    html! {
        h3 { a href=(address(&run.folder)) { (experiment.id) } ": " (experiment.title) }
        .card {
            table {
                thead { tr {
                    th.text { "hypothesis" } th { "source" } th { "here" } th { "estimate [95 %]" } th { "p, file" } th { "p, all" }
                } }
                tbody {
                    @for (finding, over_all) in findings.iter().zip(&run.corrected_over_all) {
                        tr {
                            td.text {
                                strong { (finding.id) } " " (finding.says)
                                @if let Some(why) = &finding.explain { p.explain { (prose(why)) } }
                            }
                            td { (badge(finding.found)) }
                            td { (badge(Some(finding.verdict))) }
                            td { (estimate(finding)) }
                            td { (p(finding.corrected)) }
                            td { (p(finding.p_value.map(|_| *over_all))) }
                        }
                    }
                }
            }
        }
        @let differs = findings.iter().any(|finding| finding.found.is_some_and(|found| found != finding.verdict));
        @if differs && !experiment.notes.is_empty() {
            details {
                summary { "What is known of the differences" }
                ul.notes { @for note in &experiment.notes { li { (prose(note)) } } }
            }
        }
    }
}
