//! The rectangle in which data are drawn, with its axes.

use maud::{Markup, html};

use super::axis::Axis;
use super::look::{WIDTH, px};
use super::scale::Scale;
use super::{Reference, label};

/// The longest titles of charts, lower axes and left axes.
const LONGEST: [usize; 3] = [76, 90, 45];

/// The rectangle.
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

impl Frame {
    /// How much room the numbers and the title of the lower axis take.
    pub(super) const BELOW: f64 = 48.0;

    /// Returns where a number is from left to right.
    pub(super) fn x(&self, axis: &Axis, number: f64) -> f64 {
        self.left + axis.share(number) * (self.right - self.left)
    }

    /// Returns where a number is from bottom to top.
    pub(super) fn y(&self, axis: &Axis, number: f64) -> f64 {
        self.bottom - axis.share(number) * (self.bottom - self.top)
    }

    /// Draws the lower axis, with lines up through the data if `grid`.
    pub(super) fn lower_axis(&self, axis: &Axis, scale: &Scale, grid: bool) -> Markup {
        html! {
            @for &mark in axis.marks() {
                @let x = px(self.x(axis, mark));
                @if grid {
                    line class="grid" x1=(x) x2=(x) y1=(px(self.top)) y2=(px(self.bottom)) {}
                }
                line class="frame" x1=(x) x2=(x) y1=(px(self.bottom)) y2=(px(self.bottom + 4.0)) {}
                text class="mark" x=(x) y=(px(self.bottom + 18.0)) text-anchor="middle" { (scale.mark(mark, axis)) }
            }
            line class="frame" x1=(px(self.left)) x2=(px(self.right)) y1=(px(self.bottom)) y2=(px(self.bottom)) {}
            text class="name" x=(px((self.left + self.right) / 2.0)) y=(px(self.bottom + 38.0)) text-anchor="middle" {
                (label(&scale.title, LONGEST[1]))
            }
        }
    }

    /// Draws the left axis, with lines across the data.
    pub(super) fn left_axis(&self, axis: &Axis, scale: &Scale) -> Markup {
        let middle = (self.top + self.bottom) / 2.0;
        html! {
            @for &mark in axis.marks() {
                @let y = self.y(axis, mark);
                line class="grid" x1=(px(self.left)) x2=(px(self.right)) y1=(px(y)) y2=(px(y)) {}
                text class="mark" x=(px(self.left - 8.0)) y=(px(y + 4.0)) text-anchor="end" { (scale.mark(mark, axis)) }
            }
            text class="name" transform=(format!("translate(16 {}) rotate(-90)", px(middle))) text-anchor="middle" {
                (label(&scale.title, LONGEST[2]))
            }
        }
    }
}

/// Draws a chart's title and returns how much room it takes.
pub(super) fn title(text: &str, left: f64) -> (Markup, f64) {
    let text = label(text, LONGEST[0]);
    if text.is_empty() {
        return (html! {}, 12.0);
    }
    (html! { text class="title" x=(px(left)) y="24" { (text) } }, 42.0)
}

/// Returns a drawing that says that there is nothing to draw.
pub(super) fn nothing(top: f64) -> Markup {
    html! { text class="mark" x=(px(WIDTH / 2.0)) y=(px(top + 24.0)) text-anchor="middle" { "no data" } }
}

/// Returns a reference that can be drawn.
pub(super) fn drawn<'a>(reference: Option<&'a Reference>, scale: &Scale) -> Option<&'a Reference> {
    reference.filter(|reference| scale.takes(reference.value))
}
