//! Learning curves.

use maud::{Markup, html};

use super::axis::Axis;
use super::frame::{self, Frame};
use super::legend::{Entry, Legend, Sample, diamond};
use super::look::{Picture, Place, WIDTH, px, series_class};
use super::scale::Ends;
use super::{Reference, Scale, label, text_width};

const HEIGHT: f64 = 380.0;
/// Room right of the data, for half of the last mark's number.
const RIGHT: f64 = 24.0;
/// Curves of up to this many points also show the points.
const FEW: usize = 25;

/// Curves over a common axis, with bands and published figures.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct LineChart {
    /// The title; none if it is empty.
    pub title: String,
    /// The axis from left to right.
    pub x: Scale,
    /// The axis from bottom to top.
    pub y: Scale,
    /// The curves. Six have colours of their own; the next are dashed, then dotted.
    pub series: Vec<Series>,
    /// Figures from elsewhere.
    pub published: Vec<Published>,
    /// Lines across the chart.
    pub references: Vec<Reference>,
}

/// One curve.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Its points, in any order.
    pub points: Vec<Point>,
    /// The band around it; may be empty.
    pub band: Vec<Band>,
}

/// Single figures from elsewhere, drawn as hollow diamonds.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Published {
    /// Their name in the legend.
    pub name: String,
    /// The number of the series that they are to be compared with; grey without one.
    pub series: Option<usize>,
    /// The figures.
    pub points: Vec<Point>,
    /// Whether their name stands beside them and not in the legend.
    pub labelled: bool,
}

/// A point of a curve.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Point {
    /// From left to right.
    pub x: f64,
    /// From bottom to top.
    pub y: f64,
}

/// How wide a band is at one place.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Band {
    /// Where.
    pub x: f64,
    /// Its lower edge.
    pub low: f64,
    /// Its upper edge.
    pub high: f64,
}

impl LineChart {
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
        let references: Vec<&Reference> =
            self.references.iter().filter_map(|reference| frame::drawn(Some(reference), &self.y)).collect();
        let lists = || {
            self.series.iter().map(|s| &s.points).chain(self.published.iter().map(|p| &p.points)).flatten()
        };
        let bands = || self.series.iter().flat_map(|series| &series.band);
        let x = self.x.axis(lists().map(|p| p.x).chain(bands().map(|b| b.x)), Ends::Tight);
        let heights = lists().map(|p| p.y).chain(bands().flat_map(|b| [b.low, b.high]));
        let y = self.y.axis(heights.chain(references.iter().map(|r| r.value)), Ends::Round);
        let alt = label(&format!("{}: {} over {}", self.title, self.y.title, self.x.title), 300);
        let (Some(x), Some(y)) = (x, y) else {
            let (title, top) = frame::title(&self.title, 16.0);
            return Picture { height: top + 60.0, label: alt, body: html! { (title) (frame::nothing(top)) } };
        };
        let numbers = y.marks().iter().map(|mark| text_width(&self.y.mark(*mark, &y))).fold(0.0, f64::max);
        let left = 34.0 + numbers;
        let (title, top) = frame::title(&self.title, left);
        let frame = Frame { left, right: WIDTH - RIGHT, top, bottom: top + HEIGHT };
        let legend = Legend::new(self.entries(&references), frame.left, WIDTH - 8.0);
        let below = frame.bottom + Frame::BELOW;
        let pen = Pen { frame: &frame, scales: [&self.x, &self.y], axes: [&x, &y] };
        let body = html! {
            (title)
            (frame.left_axis(&y, &self.y))
            (frame.lower_axis(&x, &self.x, false))
            @for reference in &references {
                @let height = px(frame.y(&y, reference.value));
                line class="reference" x1=(px(frame.left)) x2=(px(frame.right)) y1=(height) y2=(height) {}
            }
            // All bands lie below all curves, and published figures on top.
            @for (number, series) in self.series.iter().enumerate() {
                @if !series.band.is_empty() { g class=(series_class(number)) { (pen.band(&series.band)) } }
            }
            @for (number, series) in self.series.iter().enumerate() {
                g class=(series_class(number)) {
                    title { (label(&series.name, 300)) }
                    (pen.curve(&series.points))
                }
            }
            @for published in &self.published {
                g class=(self.published_class(published)) { (pen.diamonds(published)) }
            }
            (legend.draw(below))
        };
        Picture { height: below + legend.height + 10.0, label: alt, body }
    }

    fn entries(&self, references: &[&Reference]) -> Vec<Entry> {
        let curves = self.series.iter().enumerate().map(|(number, series)| Entry {
            sample: Sample::Curve { band: !series.band.is_empty() },
            class: series_class(number),
            name: series.name.clone(),
        });
        let published =
            self.published.iter().filter(|published| !published.labelled).map(|published| Entry {
                sample: Sample::Published,
                class: self.published_class(published),
                name: published.name.clone(),
            });
        let references = references.iter().map(|reference| Entry {
            sample: Sample::Reference,
            class: "grey".to_owned(),
            name: reference.name.clone(),
        });
        curves.chain(published).chain(references).collect()
    }

    fn published_class(&self, published: &Published) -> String {
        let known = published.series.filter(|number| *number < self.series.len());
        known.map_or_else(|| "grey".to_owned(), series_class)
    }
}

/// Draws data into a frame.
struct Pen<'a> {
    frame: &'a Frame,
    scales: [&'a Scale; 2],
    axes: [&'a Axis; 2],
}

impl Pen<'_> {
    /// Returns where a point is in the drawing; `None` if it cannot be drawn.
    fn place(&self, x: f64, y: f64) -> Option<[f64; 2]> {
        (self.scales[0].takes(x) && self.scales[1].takes(y))
            .then(|| [self.frame.x(self.axes[0], x), self.frame.y(self.axes[1], y)])
    }

    fn curve(&self, points: &[Point]) -> Markup {
        let mut points = points.to_vec();
        points.sort_by(|one, other| one.x.total_cmp(&other.x));
        let places: Vec<Option<[f64; 2]>> = points.iter().map(|point| self.place(point.x, point.y)).collect();
        let runs = runs(&places);
        html! {
            @for run in &runs {
                // A run of one point is a line of no length, whose round ends make a dot.
                @let again = if run.len() == 1 { "h0" } else { "" };
                path class="curve" d=(format!("M{}{again}", path(run.iter()))) {}
            }
            @if places.len() <= FEW {
                @for [x, y] in runs.into_iter().flatten() { circle class="dot" cx=(px(x)) cy=(px(y)) r="3.6" {} }
            }
        }
    }

    fn band(&self, band: &[Band]) -> Markup {
        let mut band = band.to_vec();
        band.sort_by(|one, other| one.x.total_cmp(&other.x));
        let edges = |b: &Band| Some((self.place(b.x, b.low)?, self.place(b.x, b.high)?));
        let places: Vec<_> = band.iter().map(edges).collect();
        html! {
            @for run in runs(&places) {
                @let edge = run.iter().map(|(_, high)| high).chain(run.iter().rev().map(|(low, _)| low));
                path class="band" d=(format!("M{}Z", path(edge))) {}
            }
        }
    }

    /// Returns a name beside a figure, on the side where there is room.
    fn label(&self, x: f64, y: f64, name: &str) -> Markup {
        const AWAY: f64 = 10.0;
        let fits = x + AWAY + text_width(name) < self.frame.right;
        let (at, anchor) = if fits { (x + AWAY, "start") } else { (x - AWAY, "end") };
        html! { text x=(px(at)) y=(px(y + 4.0)) text-anchor=(anchor) { (name) } }
    }

    fn diamonds(&self, published: &Published) -> Markup {
        html! {
            @for point in &published.points {
                @if let Some([x, y]) = self.place(point.x, point.y) {
                    @let [at, figure] = [self.scales[0].figure(point.x), self.scales[1].figure(point.y)];
                    (diamond(x, y, &format!("{}: {figure} at {at}", label(&published.name, 300))))
                    @if published.labelled { (self.label(x, y, &label(&published.name, 40))) }
                }
            }
        }
    }
}

/// Returns the runs of things that are there, without the gaps between.
fn runs<T: Copy>(things: &[Option<T>]) -> Vec<Vec<T>> {
    things
        .split(Option::is_none)
        .filter(|run| !run.is_empty())
        .map(|run| run.iter().copied().flatten().collect())
        .collect()
}

/// Returns places as a path's text, without the letter before the first.
fn path<'a>(places: impl Iterator<Item = &'a [f64; 2]>) -> String {
    places.map(|[x, y]| format!("{} {}", px(*x), px(*y))).collect::<Vec<_>>().join("L")
}
