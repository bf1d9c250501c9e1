//! Answers side by side: a row of boxes for each group of questions.

use maud::{Markup, html};

use super::look::{Picture, Place, WIDTH, px};
use super::{frame, label, text_width};

const ROW: f64 = 34.0;
/// The size of a box, and from one pair of boxes to the next.
const BOX: f64 = 18.0;
const PAIR: f64 = 50.0;
const LONGEST: usize = 46;

/// An answer to a yes-or-no question.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Mark {
    /// It is so.
    Yes,
    /// It is not.
    No,
    /// It is open.
    Open,
}

/// A question that was answered twice.
#[derive(Clone, PartialEq, Debug)]
pub struct GridCell {
    /// The question, shown where a pointer rests.
    pub name: String,
    /// The answer from elsewhere, drawn hollow, if there is one.
    pub theirs: Option<Mark>,
    /// Our answer, drawn filled.
    pub ours: Mark,
}

/// A group of questions.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct GridRow {
    /// Its name, left of the boxes.
    pub label: String,
    /// The questions.
    pub cells: Vec<GridCell>,
    /// What else there is to say, right of the boxes.
    pub remark: String,
}

/// Answers of two sides, a row for each group of questions. Signs tell them apart without colours.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct GridChart {
    /// The title; none if it is empty.
    pub title: String,
    /// The rows, from the top.
    pub rows: Vec<GridRow>,
    /// The words for yes, no and open, for the legend.
    pub words: [String; 3],
    /// The words for their side and ours, for the legend.
    pub sides: [String; 2],
}

impl GridChart {
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
        let alt = label(&self.title, 300);
        let (title, top) = frame::title(&self.title, 8.0);
        if self.rows.is_empty() {
            return Picture { height: top + 60.0, label: alt, body: html! { (title) (frame::nothing(top)) } };
        }
        let names: Vec<String> = self.rows.iter().map(|row| label(&row.label, LONGEST)).collect();
        let left = 28.0 + names.iter().map(|name| text_width(name)).fold(0.0, f64::max);
        let remarks: Vec<String> = self.rows.iter().map(|row| label(&row.remark, LONGEST)).collect();
        let right = WIDTH - 24.0 - remarks.iter().map(|remark| text_width(remark)).fold(0.0, f64::max);
        // As many pairs in a line as there is room for; the rest goes below.
        let pairs = (((right - left) / PAIR) as usize).max(1);
        let mut y = top;
        let mut places = Vec::new();
        for row in &self.rows {
            places.push(y);
            y += ROW * row.cells.len().div_ceil(pairs).max(1) as f64;
        }
        let body = html! {
            (title)
            @for (number, row) in self.rows.iter().enumerate() {
                @let middle = places[number] + ROW / 2.0;
                @if number > 0 {
                    line class="grid" x1="8" x2=(px(WIDTH - 8.0)) y1=(px(places[number])) y2=(px(places[number])) {}
                }
                text class="name" x="8" y=(px(middle + 4.5)) { (names[number]) }
                @for (place, cell) in row.cells.iter().enumerate() {
                    @let x = left + PAIR * (place % pairs) as f64;
                    @let y = middle + ROW * (place / pairs) as f64;
                    g {
                        title { (label(&cell.name, 300)) }
                        @match cell.theirs {
                            Some(theirs) => (mark(theirs, x, y, false)),
                            None => text class="mark" x=(px(x + BOX / 2.0)) y=(px(y + 4.0)) text-anchor="middle" { "–" },
                        }
                        (mark(cell.ours, x + BOX + 3.0, y, true))
                    }
                }
                text class="mark" x=(px(WIDTH - 8.0)) y=(px(middle + 4.5)) text-anchor="end" { (remarks[number]) }
            }
            (self.legend(y + 26.0))
        };
        Picture { height: y + 46.0, label: alt, body }
    }

    fn legend(&self, y: f64) -> Markup {
        let answers = [Mark::Yes, Mark::No, Mark::Open].into_iter().zip(&self.words);
        let mut entries: Vec<(Mark, bool, &str)> =
            answers.map(|(mark, word)| (mark, true, word.as_str())).collect();
        entries
            .extend([(Mark::Yes, false, self.sides[0].as_str()), (Mark::Yes, true, self.sides[1].as_str())]);
        let mut x = 8.0;
        let placed = entries.into_iter().map(|(mark, filled, word)| {
            let word = label(word, 40);
            let at = x;
            x += BOX + 8.0 + text_width(&word) + 26.0;
            (mark, filled, word, at)
        });
        html! {
            @for (sign, filled, word, x) in placed {
                (mark(sign, x, y, filled))
                text class="name" x=(px(x + BOX + 8.0)) y=(px(y + 4.5)) { (word) }
            }
        }
    }
}

/// Draws a box whose left edge is at `x` and whose middle is at height `y`, with a sign in it.
fn mark(mark: Mark, x: f64, y: f64, filled: bool) -> Markup {
    let colour = match mark {
        Mark::Yes => "colour3",
        Mark::No => "colour2",
        Mark::Open => "grey",
    };
    let at = |dx: f64, dy: f64| format!("{} {}", px(x + BOX * dx), px(y - BOX / 2.0 + BOX * dy));
    let sign = match mark {
        Mark::Yes => format!("M{} L{} L{}", at(0.24, 0.54), at(0.43, 0.73), at(0.77, 0.3)),
        Mark::No => {
            format!("M{} L{} M{} L{}", at(0.28, 0.28), at(0.72, 0.72), at(0.72, 0.28), at(0.28, 0.72))
        }
        Mark::Open => format!("M{} L{}", at(0.28, 0.5), at(0.72, 0.5)),
    };
    html! {
        g class=(colour) {
            rect class=(if filled { "filled" } else { "hollow" }) x=(px(x)) y=(px(y - BOX / 2.0)) width=(BOX) height=(BOX) rx="4" {}
            path class=(if filled { "sign" } else { "hollow" }) d=(sign) {}
        }
    }
}
