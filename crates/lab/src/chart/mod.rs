//! Charts as SVG: learning curves with bands and published figures, estimates with intervals, and
//! grids of answers.
//!
//! ```
//! use parlor_lab::chart::{Band, LineChart, Point, Published, Reference, Scale, Series};
//!
//! let chart = LineChart {
//!     title: "Learning against random".to_owned(),
//!     x: Scale::new("tournaments"),
//!     y: Scale::percent("matches won"),
//!     series: vec![Series {
//!         name: "ours".to_owned(),
//!         points: vec![Point { x: 1.0, y: 0.52 }, Point { x: 2.0, y: 0.61 }],
//!         band: vec![Band { x: 1.0, low: 0.48, high: 0.57 }, Band { x: 2.0, low: 0.57, high: 0.66 }],
//!     }],
//!     published: vec![Published {
//!         name: "published".to_owned(),
//!         series: Some(0),
//!         points: vec![Point { x: 2.0, y: 0.6 }],
//!         labelled: false,
//!     }],
//!     references: vec![Reference { value: 0.5, name: "no better than random".to_owned() }],
//! };
//! let file: String = chart.svg();
//! assert!(file.starts_with("<svg") && file.contains("matches won"));
//! ```
//!
//! Every chart comes in two forms: `markup` for a page, which needs [`page_style`] and follows the reader's choice of light
//! or dark, and `svg` for a file of its own, which `png` turns into pixels. What cannot be drawn (NaN, infinite,
//! beyond 1e100, from 0 down on a logarithmic axis) is left out and leaves a gap. The same data give the same bytes.

mod automaton;
pub(crate) mod axis;
mod forest;
mod frame;
mod grid;
mod legend;
mod line;
mod look;
#[cfg(feature = "png")]
mod png;
mod scale;

pub use automaton::{automaton_dot, automaton_svg};
pub use forest::{ForestChart, ForestRow};
pub use grid::{GridCell, GridChart, GridRow, Mark};
pub use line::{Band, LineChart, Point, Published, Series};
pub use look::page_style;
#[cfg(feature = "png")]
pub use png::{ChartError, png};
pub use scale::{Scale, Unit};

/// A line across the chart at a number to compare with.
#[derive(Clone, PartialEq, Debug)]
pub struct Reference {
    /// Where.
    pub value: f64,
    /// What it means, for the legend.
    pub name: String,
}

/// Returns about how wide a text is in the usual size. Fonts differ; this is about DejaVu Sans, a wide one.
fn text_width(text: &str) -> f64 {
    let width = |letter: char| match letter {
        'i' | 'j' | 'l' | 'I' | ' ' | '.' | ',' | ':' | ';' | '|' | '!' | '\'' => 3.9,
        'f' | 'r' | 't' | '(' | ')' | '[' | ']' | '-' | '/' | '\u{2009}' => 5.0,
        'c' | 'k' | 's' | 'v' | 'x' | 'y' | 'z' => 7.2,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '…' => 12.2,
        'a'..='z' | '0'..='9' => 8.1,
        _ => 8.6,
    };
    text.chars().map(width).sum()
}

/// Returns a text that fits into a drawing: cut to `most` characters, without characters that XML forbids.
fn label(text: &str, most: usize) -> String {
    let allowed = |c: &char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    let clean: String =
        text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(allowed).collect();
    crate::format::cut(clean.trim(), most)
}
