//! The tables of exact values and of fitted curves.

use maud::{Markup, html};

use super::Report;
use crate::experiment::levels::FittedNumber;
use crate::format::{figure, limits};

/// Returns the exact values beside the ends of our curves.
pub(super) fn references(report: &Report) -> Markup {
    let all = &report.findings.references;
    html! {
        @if !all.is_empty() {
            h2 { "Exact values beside ours" }
            p.note {
                "Ours is the mean over the last tenth of the tested rounds. The distance is the exact value minus ours; to perfect play it is the regret."
            }
            .card {
                table {
                    thead { tr {
                        th.name { "arm" } th.text { "exact" } th { "measure" } th { "value" } th { "ours" } th { "distance" }
                        th { "95 % interval" }
                    } }
                    tbody { @for exact in all { tr {
                        td.name { (exact.name) }
                        td.text { (exact.says) @if let Some(place) = &exact.place { small { (place) } } }
                        td { (exact.measure.words()) }
                        td { (figure(exact.value)) }
                        td { strong { (exact.ours.as_ref().map_or_else(|| "–".to_owned(), |ours| figure(ours.mean))) } }
                        td { (exact.distance.as_ref().map_or_else(|| "–".to_owned(), |distance| figure(distance.mean))) }
                        td { (exact.distance.as_ref().and_then(|distance| distance.interval)
                            .map_or_else(|| "–".to_owned(), |ends| limits(ends.low, ends.high, ""))) }
                    } } }
                }
            }
        }
    }
}

/// Returns the fitted curves.
pub(super) fn fits(report: &Report) -> Markup {
    let all = &report.findings.fits;
    let number = |number: &FittedNumber| {
        html! { (figure(number.value)) small { " [" (limits(number.low, number.high, "")) "]" } }
    };
    html! {
        @if !all.is_empty() {
            h2 { "Fitted curves" }
            p.note {
                "y = a(b − e^(−cx)) by least squares to the means over trainings; x is the number of the round. In brackets are the 95 % intervals of the fit. "
                "Fits of single trainings, with the spread between trainings, are among the single figures."
            }
            .card {
                table {
                    thead { tr {
                        th.name { "arm" } th { "measure" } th { "a" } th { "b" } th { "c" } th { "asymptote a·b" }
                        th { "SD about the curve" } th { "correlation" }
                    } }
                    tbody { @for fit in all { tr {
                        td.name { (fit.name) }
                        td { (fit.measure.words()) }
                        td { (number(&fit.a)) }
                        td { (number(&fit.b)) }
                        td { (number(&fit.c)) }
                        td { (number(&fit.asymptote)) }
                        td { (figure(fit.deviation)) }
                        td { (figure(fit.correlation)) }
                    } } }
                }
            }
        }
    }
}
