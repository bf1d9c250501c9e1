//! Estimates with intervals, one below the other, beside published figures.

use maud::{Markup, html};

use super::frame::{self, Frame};
use super::legend::{Entry, Legend, Sample, diamond};
use super::look::{Picture, Place, WIDTH, px, series_class};
use super::scale::Ends;
use super::{Reference, Scale, Unit, label, text_width};

const ROW: f64 = 28.0;
const LONGEST: usize = 36;

/// Estimates with their intervals, a row each.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct ForestChart {
    /// The title; none if it is empty.
    pub title: String,
    /// The common axis.
    pub x: Scale,
    /// The rows, from the top.
    pub rows: Vec<ForestRow>,
    /// What dots and bars are, for the legend: `ours, 95 % interval`.
    pub estimates: String,
    /// What diamonds are, for the legend: `published`.
    pub published: String,
    /// A line through all rows.
    pub reference: Option<Reference>,
}

/// One estimate.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct ForestRow {
    /// What is estimated.
    pub label: String,
    /// The estimate, if there is one.
    pub estimate: Option<f64>,
    /// Its interval, if it has one.
    pub interval: Option<[f64; 2]>,
    /// The published figure, if there is one.
    pub published: Option<f64>,
}

impl ForestChart {
    /// Returns the chart for a page that has [`super::page_style`].
    #[must_use]
    pub fn markup(&self) -> Markup {
        self.picture().put(Place::Page)
    }

    /// Returns the chart as a file of its own, on white.
    #[must_use]
    pub fn svg(&self) -> String {
        self.picture().put(Place::File).into_string()
    }

    fn picture(&self) -> Picture {
        let rows: Vec<ForestRow> = self.rows.iter().map(|row| row.drawn(&self.x)).collect();
        let reference = frame::drawn(self.reference.as_ref(), &self.x);
        let numbers = rows.iter().flat_map(ForestRow::numbers).chain(reference.map(|r| r.value));
        let axis = self.x.axis(numbers, Ends::Round);
        let alt = label(&format!("{}: {}", self.title, self.x.title), 300);
        let Some(axis) = axis.filter(|_| !rows.is_empty()) else {
            let (title, top) = frame::title(&self.title, 16.0);
            return Picture { height: top + 60.0, label: alt, body: html! { (title) (frame::nothing(top)) } };
        };
        let figures: Vec<String> = rows.iter().map(|row| row.figures(&self.x)).collect();
        let widest = |texts: &mut dyn Iterator<Item = f64>| texts.fold(0.0, f64::max);
        let left = 24.0 + widest(&mut rows.iter().map(|row| text_width(&row.label)));
        let right = WIDTH - 24.0 - widest(&mut figures.iter().map(|text| text_width(text)));
        let (title, top) = frame::title(&self.title, 8.0);
        let frame = Frame { left, right, top, bottom: top + ROW * rows.len() as f64 + 4.0 };
        let legend = Legend::new(self.entries(&rows, reference), 16.0, WIDTH - 8.0);
        let below = frame.bottom + Frame::BELOW;
        let place = |number: f64| frame.x(&axis, number);
        let body = html! {
            (title)
            (frame.lower_axis(&axis, &self.x, true))
            @if let Some(reference) = reference {
                @let x = px(place(reference.value));
                line class="reference" x1=(x) x2=(x) y1=(px(frame.top)) y2=(px(frame.bottom)) {}
            }
            @for (number, row) in rows.iter().enumerate() {
                @let y = frame.top + ROW * (number as f64 + 0.5);
                text class="name" x=(px(left - 12.0)) y=(px(y + 4.5)) text-anchor="end" { (row.label) }
                // From the widest to the smallest, so that all are seen where they agree.
                @if let Some(ends) = row.interval { g class=(series_class(0)) { (bar(ends.map(place), y)) } }
                @if let Some(published) = row.published {
                    g class=(series_class(1)) { (diamond(place(published), y, &self.published_words(published))) }
                }
                @if let Some(estimate) = row.estimate {
                    g class=(series_class(0)) {
                        title { (row.label) ": " (figures[number]) }
                        circle class="dot" cx=(px(place(estimate))) cy=(px(y)) r="4" {}
                    }
                }
                text class="name" x=(px(WIDTH - 8.0)) y=(px(y + 4.5)) text-anchor="end" { (figures[number]) }
            }
            (legend.draw(below))
        };
        Picture { height: below + legend.height + 10.0, label: alt, body }
    }

    fn entries(&self, rows: &[ForestRow], reference: Option<&Reference>) -> Vec<Entry> {
        let ours = rows.iter().any(|row| row.estimate.is_some() || row.interval.is_some()).then(|| Entry {
            sample: Sample::Interval,
            class: series_class(0),
            name: self.estimates.clone(),
        });
        let published = rows.iter().any(|row| row.published.is_some()).then(|| Entry {
            sample: Sample::Published,
            class: series_class(1),
            name: self.published.clone(),
        });
        let reference = reference.map(|reference| Entry {
            sample: Sample::Reference,
            class: "grey".to_owned(),
            name: reference.name.clone(),
        });
        ours.into_iter().chain(published).chain(reference).collect()
    }

    fn published_words(&self, number: f64) -> String {
        format!("{}: {}", label(&self.published, 100), self.x.figure(number))
    }
}

impl ForestRow {
    /// Returns the row with only what can be drawn.
    fn drawn(&self, scale: &Scale) -> ForestRow {
        ForestRow {
            label: label(&self.label, LONGEST),
            estimate: self.estimate.filter(|number| scale.takes(*number)),
            interval: self.interval.filter(|ends| ends.iter().all(|end| scale.takes(*end))),
            published: self.published.filter(|number| scale.takes(*number)),
        }
    }

    fn numbers(&self) -> impl Iterator<Item = f64> {
        self.estimate.into_iter().chain(self.interval.into_iter().flatten()).chain(self.published)
    }

    /// Returns the estimate and its interval in figures: `73.2 % [71.0 … 75.1]`.
    fn figures(&self, scale: &Scale) -> String {
        let unit = if scale.unit == Unit::Percent { " %" } else { "" };
        let estimate = self.estimate.map_or_else(|| "–".to_owned(), |number| scale.figure(number) + unit);
        let interval =
            self.interval.map(|[low, high]| format!(" [{} … {}]", scale.figure(low), scale.figure(high)));
        estimate + &interval.unwrap_or_default()
    }
}

/// Draws a bar with its two ends.
fn bar([low, high]: [f64; 2], y: f64) -> Markup {
    html! {
        line class="bar" x1=(px(low)) x2=(px(high)) y1=(px(y)) y2=(px(y)) {}
        @for end in [low, high] {
            line class="bar" x1=(px(end)) x2=(px(end)) y1=(px(y - 5.0)) y2=(px(y + 5.0)) {}
        }
    }
}
