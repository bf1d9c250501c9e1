//! The legend below a chart, where it covers nothing.

use maud::{Markup, html};

use super::look::px;
use super::{label, text_width};

/// The height of a line of the legend.
const ROW: f64 = 22.0;
/// How wide a sample is, with the space after it.
const SAMPLE: f64 = 32.0;
const BETWEEN: f64 = 12.0;
/// How much more there may be between the names of a single line.
const MOST_SPARE: f64 = 14.0;
const LONGEST: usize = 70;
/// Half the size of a diamond: a dot on the same place leaves its edges to be seen.
const DIAMOND: f64 = 6.2;

/// What stands before a name.
pub(super) enum Sample {
    Curve { band: bool },
    Interval,
    Published,
    Reference,
}

/// A name and what it is the name of.
pub(super) struct Entry {
    pub(super) sample: Sample,
    /// The classes that give it its colour.
    pub(super) class: String,
    pub(super) name: String,
}

/// Entries with their places.
pub(super) struct Legend {
    placed: Vec<(Entry, [f64; 2])>,
    /// How much room it takes.
    pub(super) height: f64,
}

impl Legend {
    /// Returns the entries in lines from `left` to `right`, the first at height 0.
    pub(super) fn new(entries: impl IntoIterator<Item = Entry>, left: f64, right: f64) -> Legend {
        let mut entries: Vec<Entry> =
            entries.into_iter().map(|entry| Entry { name: label(&entry.name, LONGEST), ..entry }).collect();
        entries.retain(|entry| !entry.name.is_empty());
        let width = |entry: &Entry| SAMPLE + text_width(&entry.name) + BETWEEN;
        let widest = entries.iter().map(width).fold(1.0, f64::max);
        let room = right - left + BETWEEN;
        // All in one line if they fit; else in columns, which are easier to read than ragged lines.
        let spare = room - entries.iter().map(width).sum::<f64>();
        let one_line = spare >= 0.0;
        let between = (spare / entries.len().max(1) as f64).min(MOST_SPARE);
        let columns = ((room / widest) as usize).clamp(1, entries.len().max(1));
        let mut x = left;
        let mut placed = Vec::new();
        for (number, entry) in entries.into_iter().enumerate() {
            if one_line {
                let step = width(&entry) + between;
                placed.push((entry, [x, 0.0]));
                x += step;
            } else {
                let column = left + (number % columns) as f64 * room / columns as f64;
                placed.push((entry, [column, (number / columns) as f64 * ROW]));
            }
        }
        let height = placed.last().map_or(0.0, |(_, [_, y])| y + ROW);
        Legend { placed, height }
    }

    /// Draws it with its upper edge at `top`.
    pub(super) fn draw(&self, top: f64) -> Markup {
        html! {
            @for (entry, [x, y]) in &self.placed {
                @let middle = top + y + ROW / 2.0;
                g class=(entry.class) {
                    (entry.sample.draw(*x, middle))
                    text class="name" x=(px(x + SAMPLE)) y=(px(middle + 4.5)) { (entry.name) }
                }
            }
        }
    }
}

impl Sample {
    fn draw(&self, x: f64, y: f64) -> Markup {
        const LENGTH: f64 = 26.0;
        let bar = |class: &str| html! { line class=(class) x1=(px(x)) x2=(px(x + LENGTH)) y1=(px(y)) y2=(px(y)) {} };
        match self {
            Sample::Curve { band } => html! {
                @if *band { rect class="band" x=(px(x)) y=(px(y - 6.0)) width=(px(LENGTH)) height="12" {} }
                (bar("curve"))
            },
            Sample::Interval => {
                html! { (bar("bar")) circle class="dot" cx=(px(x + LENGTH / 2.0)) cy=(px(y)) r="4.5" {} }
            }
            Sample::Published => diamond(x + LENGTH / 2.0, y, ""),
            Sample::Reference => bar("reference"),
        }
    }
}

/// Returns the sign of a published figure, with words for those who point at it.
pub(super) fn diamond(x: f64, y: f64, words: &str) -> Markup {
    let corners = [[x, y - DIAMOND], [x + DIAMOND, y], [x, y + DIAMOND], [x - DIAMOND, y]];
    let path: Vec<String> = corners.iter().map(|[x, y]| format!("{} {}", px(*x), px(*y))).collect();
    html! {
        path class="published" d=(format!("M{}Z", path.join("L"))) {
            @if !words.is_empty() { title { (words) } }
        }
    }
}
