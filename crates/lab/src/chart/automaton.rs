//! Drawings of automata: layers from the left to the right, from the states where games begin to the ends.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use maud::{Markup, html};
use parlor_core::play::automaton::{Automaton, AutomatonArc, StateKind};

use super::label;
use super::look::px;

/// Widths and heights of letters and gaps.
const LETTER: f64 = 7.3;
const LINE: f64 = 15.0;
const PADDING: f64 = 8.0;
const BETWEEN_LAYERS: f64 = 150.0;
const BETWEEN_STATES: f64 = 26.0;
const MARGIN: f64 = 24.0;
const HEAD: f64 = 56.0;

/// How often the states of all layers are put in order.
const SWEEPS: usize = 8;
/// The longest line of a state, and the most lines.
const LONGEST_LINE: usize = 24;
const MOST_LINES: usize = 12;
/// The share of the strongest arc from which on an arc has its input written on it.
const LABELLED_SHARE: f64 = 0.1;

/// Arcs between the same two states, drawn as one.
struct Bundle<'a> {
    from: usize,
    to: usize,
    count: u64,
    wins: u64,
    losses: u64,
    arcs: Vec<&'a AutomatonArc>,
}

impl Bundle<'_> {
    /// Returns the share of wins in decided games.
    fn win_share(&self) -> Option<f64> {
        let decided = self.wins + self.losses;
        (decided > 0).then(|| self.wins as f64 / decided as f64)
    }

    /// Returns the inputs in one line: the most used, and how many more there are.
    fn inputs(&self) -> String {
        match &self.arcs[..] {
            [only] => only.text.clone(),
            [first, more @ ..] => format!("{} +{}", first.text, more.len()),
            [] => String::new(),
        }
    }
}

fn bundles(automaton: &Automaton) -> Vec<Bundle<'_>> {
    let mut by_ends: BTreeMap<(usize, usize), Bundle<'_>> = BTreeMap::new();
    for arc in &automaton.arcs {
        let (from, to) = (arc.from, arc.to);
        let new = || Bundle { from, to, count: 0, wins: 0, losses: 0, arcs: Vec::new() };
        let bundle = by_ends.entry((from, to)).or_insert_with(new);
        bundle.count += arc.count;
        bundle.wins += arc.wins;
        bundle.losses += arc.losses;
        bundle.arcs.push(arc);
    }
    let mut all: Vec<Bundle<'_>> = by_ends.into_values().collect();
    // The strongest are drawn last, above the others.
    all.sort_by_key(|bundle| (bundle.count, bundle.from, bundle.to));
    all
}

/// Returns the layer of each state: its distance from the states where games begin; ends are in the last one.
fn layers(automaton: &Automaton, bundles: &[Bundle<'_>]) -> Vec<usize> {
    let states = &automaton.states;
    let is_end = |state: usize| states[state].kind != StateKind::Decision;
    let mut layer: Vec<Option<usize>> = states.iter().map(|state| (state.starts > 0).then_some(0)).collect();
    loop {
        let mut frontier: Vec<usize> =
            (0..states.len()).filter(|&at| layer[at].is_some() && !is_end(at)).collect();
        while !frontier.is_empty() {
            let mut next = Vec::new();
            for bundle in bundles.iter().filter(|bundle| frontier.contains(&bundle.from)) {
                if layer[bundle.to].is_none() && !is_end(bundle.to) {
                    layer[bundle.to] = layer[bundle.from].map(|before| before + 1);
                    next.push(bundle.to);
                }
            }
            frontier = next;
        }
        // A part that no start reaches within the drawing begins with its most used state.
        let Some(alone) = (0..states.len()).find(|&at| layer[at].is_none() && !is_end(at)) else { break };
        layer[alone] = Some(0);
    }
    let last = layer.iter().flatten().max().map_or(0, |most| most + 1);
    layer.iter().map(|layer| layer.unwrap_or(last)).collect()
}

/// Returns the states of each layer, in an order with few crossings: each state near the mean place of its neighbours (Sugiyama,
/// Tagawa, Toda 1981).
fn ordered(automaton: &Automaton, bundles: &[Bundle<'_>]) -> Vec<Vec<usize>> {
    let layer = layers(automaton, bundles);
    let count = layer.iter().max().map_or(0, |most| most + 1);
    let mut columns: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (state, &at) in layer.iter().enumerate() {
        let is_used = automaton.states[state].visits > 0;
        if is_used {
            columns[at].push(state);
        }
    }
    for sweep in 0..SWEEPS {
        let mut place = vec![0.5; automaton.states.len()];
        for column in &columns {
            for (at, &state) in column.iter().enumerate() {
                place[state] = (at as f64 + 0.5) / column.len() as f64;
            }
        }
        for column in &mut columns {
            let mean = |state: usize| {
                let (mut sum, mut weight) = (0.0, 0.0);
                for bundle in bundles {
                    let other = match sweep % 2 {
                        0 if bundle.to == state => bundle.from,
                        1 if bundle.from == state => bundle.to,
                        _ => continue,
                    };
                    sum += place[other] * bundle.count as f64;
                    weight += bundle.count as f64;
                }
                if weight > 0.0 { sum / weight } else { place[state] }
            };
            column.sort_by(|&a, &b| mean(a).total_cmp(&mean(b)).then(a.cmp(&b)));
        }
    }
    columns.retain(|column| !column.is_empty());
    columns
}

/// A state on paper.
struct Box {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    lines: Vec<String>,
}

impl Box {
    fn new(text: &str) -> Box {
        let mut lines: Vec<String> = text.split('/').map(|line| label(line, LONGEST_LINE)).collect();
        if lines.len() > MOST_LINES {
            lines.truncate(MOST_LINES);
            lines.push("…".to_owned());
        }
        let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0).max(4);
        Box {
            left: 0.0,
            top: 0.0,
            width: longest as f64 * LETTER + 2.0 * PADDING,
            height: (lines.len() + 1) as f64 * LINE + PADDING,
            lines,
        }
    }
}

/// Returns the automaton as an SVG file.
#[must_use]
pub fn automaton_svg(automaton: &Automaton) -> String {
    let bundles = bundles(automaton);
    let columns = ordered(automaton, &bundles);
    let mut boxes: Vec<Box> = automaton.states.iter().map(|state| Box::new(&state.text)).collect();
    let height_of = |column: &Vec<usize>, boxes: &[Box]| {
        column.iter().map(|&state| boxes[state].height + BETWEEN_STATES).sum::<f64>() - BETWEEN_STATES
    };
    let tallest = columns.iter().map(|column| height_of(column, &boxes)).fold(120.0, f64::max);
    let mut left = MARGIN;
    for column in &columns {
        let widest = column.iter().map(|&state| boxes[state].width).fold(0.0, f64::max);
        let mut top = HEAD + (tallest - height_of(column, &boxes)) / 2.0;
        for &state in column {
            let one = &mut boxes[state];
            one.left = left + (widest - one.width) / 2.0;
            one.top = top;
            top += one.height + BETWEEN_STATES;
        }
        left += widest + BETWEEN_LAYERS;
    }
    let (width, height) = ((left - BETWEEN_LAYERS + MARGIN).max(420.0), HEAD + tallest + MARGIN);
    let strongest = bundles.iter().map(|bundle| bundle.count).max().unwrap_or(1) as f64;
    let title = label(&automaton.title, 120);
    let drawing = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (px(width)) " " (px(height)) } width=(px(width)) height=(px(height)) role="img" {
            title { (title) }
            style { (maud::PreEscaped(STYLE)) }
            defs {
                marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse" markerUnits="userSpaceOnUse" {
                    path d="M0 0 L8 4 L0 8 z" fill="context-stroke" {}
                }
            }
            rect class="paper" width="100%" height="100%" {}
            text class="title" x=(px(MARGIN)) y="24" { (title) }
            text class="note" x=(px(MARGIN)) y="42" { (note(automaton)) }
            @for bundle in &bundles { (arrow(automaton, &boxes, bundle, strongest)) }
            @for column in &columns { @for &state in column { (state_box(automaton, &boxes[state], state)) } }
        }
    };
    drawing.into_string()
}

const STYLE: &str = "text { font-family: \"DejaVu Sans Mono\", \"Noto Sans Mono\", monospace; font-size: 12px; fill: #1f2328; } \
    .title { font-size: 15px; font-weight: bold; } .note, .count, .input { fill: #626a73; font-size: 10px; } .paper { fill: #ffffff; } \
    .state { fill: #f6f5f2; stroke: #626a73; } .start { stroke-width: 2.5; } .win { fill: #d5efe5; stroke: #00966d; } \
    .tie { fill: #eceae5; stroke: #626a73; } .loss { fill: #f7ddcf; stroke: #b84a00; } .arc { fill: none; stroke-opacity: 0.7; } \
    .input { paint-order: stroke; stroke: #ffffff; stroke-width: 3px; }";

fn note(automaton: &Automaton) -> String {
    let [states, arcs] = automaton.left_out;
    let mut note = "A box is a state with the number of its visits; an arrow is as thick as it is used, green where games were won, red where they were lost.".to_owned();
    if states + arcs > 0 {
        let _ = write!(note, " Not drawn: {states} states and {arcs} transitions that are used less.");
    }
    note
}

fn state_box(automaton: &Automaton, one: &Box, state: usize) -> Markup {
    let drawn = &automaton.states[state];
    let kind = match drawn.kind {
        StateKind::Decision if drawn.starts > 0 => "state start",
        StateKind::Decision => "state",
        StateKind::Win => "win",
        StateKind::Tie => "tie",
        StateKind::Loss => "loss",
    };
    let centre = one.left + one.width / 2.0;
    html! {
        g {
            title { (drawn.text) ": " (drawn.visits) " visits" @if drawn.starts > 0 { ", " (drawn.starts) " games began here" } }
            rect class=(kind) x=(px(one.left)) y=(px(one.top)) width=(px(one.width)) height=(px(one.height)) rx="6" {}
            @for (at, line) in one.lines.iter().enumerate() {
                text x=(px(centre)) y=(px(one.top + LINE * (at as f64 + 1.0))) text-anchor="middle" xml:space="preserve" { (line) }
            }
            text class="count" x=(px(centre)) y=(px(one.top + one.height - 5.0)) text-anchor="middle" { (drawn.visits) }
        }
    }
}

/// Returns the colour of an arc: from red (lost) over grey to green (won).
fn colour(share: Option<f64>) -> String {
    let Some(share) = share else { return "#8a8f96".to_owned() };
    let (low, middle, high) = ([0xb8, 0x4a, 0x00], [0x8a, 0x8f, 0x96], [0x00, 0x96, 0x6d]);
    let (from, to, part) =
        if share < 0.5 { (low, middle, share * 2.0) } else { (middle, high, share * 2.0 - 1.0) };
    let mix =
        |at: usize| (f64::from(from[at]) + (f64::from(to[at]) - f64::from(from[at])) * part).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

fn arrow(automaton: &Automaton, boxes: &[Box], bundle: &Bundle<'_>, strongest: f64) -> Markup {
    let (from, to) = (&boxes[bundle.from], &boxes[bundle.to]);
    let share = bundle.count as f64 / strongest;
    let thick = 0.7 + 5.0 * share.sqrt();
    let middle = |one: &Box| one.top + one.height / 2.0;
    let (x1, y1, x2, y2) = (from.left + from.width, middle(from), to.left, middle(to));
    let path = if bundle.from == bundle.to {
        let (x, y) = (from.left + from.width / 2.0, from.top);
        format!("M{} {} c-24 -30 24 -30 0 0", px(x), px(y))
    } else if x2 > x1 {
        let bend = (x2 - x1) / 2.0;
        format!(
            "M{} {} C{} {} {} {} {} {}",
            px(x1),
            px(y1),
            px(x1 + bend),
            px(y1),
            px(x2 - bend),
            px(y2),
            px(x2),
            px(y2)
        )
    } else {
        // Back or within a layer: around the outside.
        let out = x1.max(to.left + to.width) + 46.0;
        let back = to.left + to.width;
        format!(
            "M{} {} C{} {} {} {} {} {}",
            px(x1),
            px(y1),
            px(out),
            px(y1),
            px(out),
            px(y2),
            px(back),
            px(y2)
        )
    };
    let words: Vec<String> = bundle.arcs.iter().map(|arc| format!("{} ×{}", arc.text, arc.count)).collect();
    let ends = [bundle.from, bundle.to].map(|state| &automaton.states[state].text);
    html! {
        g {
            title { (ends[0]) " → " (ends[1]) ": " (words.join(", ")) "; " (bundle.wins) " won, " (bundle.losses) " lost" }
            path class="arc" d=(path) stroke=(colour(bundle.win_share())) stroke-width=(px(thick)) marker-end="url(#tip)" {}
            @if share >= LABELLED_SHARE && bundle.from != bundle.to {
                text class="input" x=(px((x1.min(x2) + x1.max(x2)) / 2.0)) y=(px((y1 + y2) / 2.0 - 4.0)) text-anchor="middle" { (label(&bundle.inputs(), 28)) }
            }
        }
    }
}

/// Returns the automaton in the language of Graphviz.
#[must_use]
pub fn automaton_dot(automaton: &Automaton) -> String {
    let quoted =
        |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('/', "\\n"));
    let mut dot = String::from(
        "digraph automaton {\n  rankdir=LR;\n  node [shape=box, style=rounded, fontname=monospace];\n",
    );
    let _ = writeln!(dot, "  label={};", quoted(&automaton.title.replace('/', " ")));
    for (number, state) in automaton.states.iter().enumerate().filter(|(_, state)| state.visits > 0) {
        let look = match state.kind {
            StateKind::Decision if state.starts > 0 => ", penwidth=2.5",
            StateKind::Decision => "",
            StateKind::Win => ", shape=doublecircle, color=\"#00966d\"",
            StateKind::Tie => ", shape=doublecircle",
            StateKind::Loss => ", shape=doublecircle, color=\"#b84a00\"",
        };
        let _ = writeln!(
            dot,
            "  s{number} [label={}{look}];",
            quoted(&format!("{}/{}", state.text, state.visits))
        );
    }
    for bundle in &bundles(automaton) {
        let look = colour(bundle.win_share());
        let text = quoted(&format!("{}/{}", bundle.inputs(), bundle.count));
        let _ = writeln!(dot, "  s{} -> s{} [label={text}, color=\"{look}\"];", bundle.from, bundle.to);
    }
    dot.push_str("}\n");
    dot
}

#[cfg(test)]
mod tests {
    use parlor_core::play::automaton::AutomatonState;

    use super::*;

    fn example() -> Automaton {
        let state =
            |text: &str, kind, visits, starts| AutomatonState { text: text.to_owned(), kind, visits, starts };
        let arc = |from, to, text: &str, count, wins| AutomatonArc {
            from,
            to,
            text: text.to_owned(),
            count,
            wins,
            losses: count - wins,
        };
        Automaton {
            title: "observed of \"toy\" <1>".to_owned(),
            states: vec![
                state("##/##", StateKind::Decision, 9, 9),
                state("1#/##", StateKind::Decision, 5, 0),
                state("lone", StateKind::Decision, 1, 0),
                state("win", StateKind::Win, 4, 0),
                state("tie", StateKind::Tie, 0, 0),
                state("loss", StateKind::Loss, 5, 0),
            ],
            arcs: vec![
                arc(0, 1, "seat 1 a1", 4, 3),
                arc(0, 1, "seat 1 b1", 1, 1),
                arc(0, 5, "seat 1 a1", 4, 0),
                arc(1, 3, "seat 1 b2", 4, 4),
                arc(1, 1, "seat 1 b1", 1, 0),
                arc(2, 5, "seat 1 b1", 1, 0),
            ],
            left_out: [3, 7],
        }
    }

    #[test]
    fn layers_go_from_the_start_to_the_ends() {
        let automaton = example();
        assert_eq!(layers(&automaton, &bundles(&automaton)), [0, 1, 0, 2, 2, 2]);
        let columns = ordered(&automaton, &bundles(&automaton));
        assert_eq!(
            columns.iter().map(Vec::len).collect::<Vec<_>>(),
            [2, 1, 2],
            "an end that is never reached is left out"
        );
    }

    #[test]
    fn drawings_are_well_formed() {
        let svg = automaton_svg(&example());
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>"), "{svg}");
        assert!(svg.contains("observed of &quot;toy&quot; &lt;1&gt;"), "{svg}");
        assert!(svg.contains("seat 1 a1 +1") && svg.contains("3 states and 7 transitions"), "{svg}");
        let dot = automaton_dot(&example());
        assert!(dot.contains("s0 -> s1 [label=\"seat 1 a1 +1\\n5\"") && dot.ends_with("}\n"), "{dot}");
        assert!(!dot.contains("s4"), "{dot}");
        // Nothing learnt yet is a drawing, too.
        let empty = Automaton::default();
        assert!(automaton_svg(&empty).ends_with("</svg>"));
        assert!(automaton_dot(&empty).ends_with("}\n"));
    }
}
