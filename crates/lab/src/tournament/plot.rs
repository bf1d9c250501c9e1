//! The rating plot: one line an agent, a dot at its rating and a bar over its 95 % interval.

use maud::{Markup, html};

use super::names::cut;
use super::standings::Standing;
use crate::chart::axis::Axis;
use crate::format::signed;

const WIDTH: f64 = 860.0;
const ROW: f64 = 30.0;
const TOP: f64 = 10.0;
/// Below the rows: the axis' numbers and its name.
const BOTTOM: f64 = 46.0;
/// Right of the bars: the ratings in figures.
const RIGHT: f64 = 70.0;
/// About the width of a letter, and the longest label.
const LETTER: f64 = 7.4;
const LONGEST: usize = 34;
/// The shortest axis in Elo.
const LEAST_SPAN: f64 = 1.0;

/// Returns the plot of agents that have ratings, best first; nothing if none has.
pub(super) fn ratings(agents: &[Standing], names: &[String]) -> Markup {
    let rows: Vec<(String, [f64; 3])> = agents
        .iter()
        .filter_map(|agent| {
            let numbers = [agent.elo_low?, agent.elo?, agent.elo_high?];
            Some((cut(&names[agent.number], LONGEST), numbers))
        })
        .collect();
    if rows.is_empty() {
        return html! {};
    }
    let low = rows.iter().map(|(_, [low, ..])| *low).fold(f64::INFINITY, f64::min);
    let high = rows.iter().map(|(_, [.., high])| *high).fold(f64::NEG_INFINITY, f64::max);
    let letters = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let axis = Axis::round(low, high, LEAST_SPAN);
    let left = 16.0 + LETTER * letters as f64;
    let place = |elo: f64| left + axis.share(elo) * (WIDTH - RIGHT - left);
    let floor = TOP + ROW * rows.len() as f64;
    let p = |number: f64| format!("{number:.1}");
    html! {
        svg class="plot" viewBox=(format!("0 0 {WIDTH} {}", floor + BOTTOM)) role="img"
            aria-label="Ratings in Elo with their 95 % intervals" {
            @for &mark in axis.marks() {
                line class=(if mark.abs() < 0.5 * axis.step() { "zero" } else { "grid" })
                    x1=(p(place(mark))) x2=(p(place(mark))) y1=(p(TOP)) y2=(p(floor)) {}
                text class="mark" x=(p(place(mark))) y=(p(floor + 17.0)) text-anchor="middle" {
                    (format!("{:+.0}", mark + 0.0).replace("+0", "0").replace("-0", "0"))
                }
            }
            text class="mark" x=(p((left + WIDTH - RIGHT) / 2.0)) y=(p(floor + 38.0)) text-anchor="middle" {
                "Elo, the mean of all agents is 0"
            }
            @for (row, (name, [low, elo, high])) in rows.iter().enumerate() {
                @let y = TOP + ROW * (row as f64 + 0.5);
                text x=(p(left - 12.0)) y=(p(y + 4.5)) text-anchor="end" { (name) }
                line class="bar" x1=(p(place(*low))) x2=(p(place(*high))) y1=(p(y)) y2=(p(y)) {}
                @for end in [low, high] {
                    line class="bar" x1=(p(place(*end))) x2=(p(place(*end))) y1=(p(y - 5.0)) y2=(p(y + 5.0)) {}
                }
                circle class="dot" cx=(p(place(*elo))) cy=(p(y)) r="5" {
                    title { (signed(*elo)) " [" (signed(*low)) " … " (signed(*high)) "]" }
                }
                text class="figure" x=(p(WIDTH - 4.0)) y=(p(y + 4.5)) text-anchor="end" { (signed(*elo)) }
            }
        }
    }
}
