//! A view as a drawing for terminals.

use parlor_core::Ink;

use super::Dominoes;
use super::board::End;
use super::state::Action;
use super::tile::{Tile, TileSet};
use super::view::View;

/// A tile on the table: its inner half, towards the first tile or the spinner, and its outer half.
#[derive(Copy, Clone)]
struct Laid {
    inner: u8,
    outer: u8,
}

/// The tiles of each part of the table, from the inside to the outside.
#[derive(Default)]
struct Layout {
    first: Option<Tile>,
    left: Vec<Laid>,
    right: Vec<Laid>,
    up: Vec<Laid>,
    down: Vec<Laid>,
}

/// Number of tiles drawn between the middle and an end before some are omitted.
const LONGEST_SIDE: usize = 7;
/// The same for an arm, which takes two rows a tile.
const LONGEST_ARM: usize = 3;
/// Width of a tile of the line.
const WIDE: usize = 5;

impl Layout {
    fn of(view: &View) -> Layout {
        let mut table = Layout::default();
        let spinner = view.board.spinner().unwrap_or(0);
        for event in &view.log {
            let Action::Play(tile, end) = event.action else { continue };
            let Some(first) = table.first else {
                table.first = Some(tile);
                continue;
            };
            let (part, root) = match end {
                End::Left | End::Start => (&mut table.left, first.low()),
                End::Right => (&mut table.right, first.high()),
                End::Up => (&mut table.up, spinner),
                End::Down => (&mut table.down, spinner),
            };
            let inner = part.last().map_or(root, |laid: &Laid| laid.outer);
            part.push(Laid { inner, outer: tile.beyond(inner) });
        }
        table
    }

    /// Returns the line from left to right, and the index of the spinner in it.
    fn line(&self, spinner: Option<u8>) -> (Vec<[u8; 2]>, Option<usize>) {
        let Some(first) = self.first else { return (Vec::new(), None) };
        let left = self.left.iter().rev().map(|laid| [laid.outer, laid.inner]);
        let right = self.right.iter().map(|laid| [laid.inner, laid.outer]);
        let line: Vec<[u8; 2]> = left.chain([[first.low(), first.high()]]).chain(right).collect();
        let at = line.iter().position(|&[a, b]| a == b && Some(a) == spinner);
        (line, at)
    }
}

/// Returns whether a tile on one side of the middle, `len` tiles long, is drawn: the one next to the middle and the
/// outermost are.
fn drawn(len: usize, longest: usize, from_middle: usize) -> bool {
    len <= longest || from_middle == 0 || from_middle + longest > len
}

impl Dominoes {
    pub(super) fn draw_view(&self, view: &View, ink: Ink) -> String {
        let mut text = draw_table(view, ink);
        let ends: Vec<String> = view.board.open().map(|e| format!("{} {}", e.end.word(), e.pips)).collect();
        let dot = ink.pick(" · ", ", ");
        if ends.is_empty() {
            text.push_str("the table is empty\n");
        } else {
            text.push_str(&format!("open      {}{dot}count {}\n", ends.join(dot), view.board.count()));
        }
        text.push_str(&format!("your hand {}\n", tiles(view.hand)));
        match view.shown {
            Some(shown) => {
                text.push_str(&format!("other     {}{dot}boneyard {}\n", tiles(shown), view.boneyard));
            }
            None => {
                let word = if view.other == 1 { "tile" } else { "tiles" };
                text.push_str(&format!("other     {} {word}{dot}boneyard {}\n", view.other, view.boneyard));
            }
        }
        text
    }
}

fn tiles(set: TileSet) -> String {
    if set.is_empty() {
        return "none".to_owned();
    }
    set.sorted().iter().map(|tile| format!("[{}|{}]", tile.low(), tile.high())).collect()
}

fn draw_table(view: &View, ink: Ink) -> String {
    let table = Layout::of(view);
    let (line, spinner) = table.line(view.board.spinner());
    if line.is_empty() {
        return String::new();
    }
    let middle = spinner.unwrap_or(table.left.len());
    let (mut row, mut column) = (String::new(), 0);
    let mut width = 0;
    let mut left_out = 0;
    for (i, [a, b]) in line.iter().enumerate() {
        let (len, from_middle) = if i < middle {
            (middle, middle - i - 1)
        } else {
            (line.len() - middle - 1, i.wrapping_sub(middle + 1))
        };
        if i != middle && !drawn(len, LONGEST_SIDE, from_middle) {
            left_out += 1;
            continue;
        }
        if left_out > 0 {
            let gap = format!(" {}{left_out} more{} ", ink.pick("‹", "("), ink.pick("›", ")"));
            width += gap.chars().count();
            row.push_str(&gap);
            left_out = 0;
        }
        if i == middle {
            column = width;
        }
        let tile = format!("[{a}|{b}]");
        width += WIDE;
        row.push_str(&if Some(i) == spinner { ink.paint("1;33", &tile) } else { tile });
    }

    let indent = " ".repeat(column + 1);
    let mut rows = arm_rows(&table.up, &indent, ink, true);
    rows.reverse();
    rows.push(row);
    rows.extend(arm_rows(&table.down, &indent, ink, false));
    rows.iter().map(|row| format!("{row}\n")).collect()
}

/// Returns the rows of an arm from the spinner outwards.
fn arm_rows(arm: &[Laid], indent: &str, ink: Ink, up: bool) -> Vec<String> {
    let (over, under) = if ink.ascii { (["/", "\\"], ["\\", "/"]) } else { (["╭", "╮"], ["╰", "╯"]) };
    let mut rows = Vec::new();
    for (i, laid) in arm.iter().enumerate() {
        if !drawn(arm.len(), LONGEST_ARM, i) {
            if i == 1 {
                let hidden = arm.len() - LONGEST_ARM;
                rows.push(format!("{indent} {} {hidden} more", ink.pick("⋮", ":")));
            }
            continue;
        }
        let (near, far) = if up { (under, over) } else { (over, under) };
        rows.push(format!("{indent}{}{}{}", near[0], laid.inner, near[1]));
        rows.push(format!("{indent}{}{}{}", far[0], laid.outer, far[1]));
    }
    rows
}
