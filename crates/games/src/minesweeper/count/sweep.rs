//! Counts the ways of one component by dynamic programming over its groups.
//!
//! A node of layer *i* is one combination of the remaining needs of the open constraints after the first *i* groups;
//! an arc gives a group some number of mines and leads to a node of the next layer. A node stores, for each number of
//! mines so far, the number of ways to reach it. The last layer has one node: nothing is needed any more.

use std::ops::Range;

use arrayvec::ArrayVec;
use parlor_core::Rng;

use super::groups::{Component, Group};
use super::{Ways, choices, draw, each_choice, some_of};
use crate::board::bits::Word;

/// The largest number of cells in a group: they all touch the same opened cell.
const MAX_CELLS_PER_GROUP: usize = 8;

/// A constraint's remaining need takes four bits.
const NEEDS_PER_WORD: usize = 16;

/// A counted component.
#[derive(Clone, Debug)]
pub(super) struct Sweep<W> {
    groups: Vec<Group<W>>,
    needs: Vec<u8>,
    /// One more than groups; layer 0 is the empty start.
    layers: Vec<Layer>,
}

#[derive(Clone, Debug, Default)]
struct Layer {
    nodes: Vec<Node>,
    arcs: Vec<Arc>,
    counts: Vec<f64>,
}

#[derive(Copy, Clone, Debug)]
struct Node {
    /// End of its arcs from the previous layer; they begin at the end of the previous node's.
    arcs_end: u32,
    /// The smallest number of mines with which it is reached.
    least: u16,
    /// Start of its counts, for `least` mines, one more, and so on.
    counts: usize,
}

#[derive(Copy, Clone, Debug)]
struct Arc {
    from: u32,
    mines: u8,
}

impl Layer {
    fn arcs(&self, node: usize) -> &[Arc] {
        let begin = if node == 0 { 0 } else { self.nodes[node - 1].arcs_end as usize };
        &self.arcs[begin..self.nodes[node].arcs_end as usize]
    }

    /// Returns the range of a node's counts.
    fn span(&self, node: usize) -> Range<usize> {
        self.nodes[node].counts..self.nodes.get(node + 1).map_or(self.counts.len(), |next| next.counts)
    }

    fn counts(&self, node: usize) -> &[f64] {
        &self.counts[self.span(node)]
    }

    fn count(&self, node: usize, mines: usize) -> f64 {
        let at = mines.checked_sub(usize::from(self.nodes[node].least));
        at.and_then(|at| self.counts(node).get(at)).copied().unwrap_or(0.0)
    }
}

/// The effect of one group on the needs.
struct Step {
    /// The places of the constraints on the group.
    touched: ArrayVec<Touch, 8>,
    size: u8,
}

#[derive(Copy, Clone)]
struct Touch {
    place: u16,
    /// The constraint's need, if this is its first group.
    opens_with: Option<u8>,
    /// Number of the constraint's cells in later groups.
    left: u8,
}

impl<W: Word> Sweep<W> {
    /// Counts a component whose groups are in a good order, with at most `most` mines. `room` is the number of stored
    /// numbers allowed, less those used on return; `None` if it does not suffice.
    pub fn new(component: Component<W>, most: usize, room: &mut usize) -> Option<Self> {
        let (steps, places) = plan(&component);
        let layers = match places.div_ceil(NEEDS_PER_WORD) {
            0..=1 => layers::<1>(&steps, most, room),
            2..=4 => layers::<4>(&steps, most, room),
            // Any board: 512 places.
            _ => layers::<32>(&steps, most, room),
        };
        Some(Sweep { groups: component.groups, needs: component.needs, layers: layers? })
    }

    /// Returns whether there is any way at all; the other functions require one.
    pub fn is_possible(&self) -> bool {
        self.layers.last().is_some_and(|last| !last.nodes.is_empty())
    }

    /// Returns the ways to have 0, 1, 2 … mines in the component.
    pub fn ways(&self) -> Ways {
        let last = &self.layers[self.groups.len()];
        let mut ways = vec![0.0; usize::from(last.nodes[0].least)];
        ways.extend_from_slice(last.counts(0));
        ways
    }

    /// Returns one of the layouts with this number of mines, each equally likely. There must be one.
    pub fn sample(&self, mines: usize, rng: &mut Rng) -> W {
        let mut layout = W::ZERO;
        let (mut node, mut left) = (0, mines);
        for (g, group) in self.groups.iter().enumerate().rev() {
            let ways = choices(usize::from(group.size), MAX_CELLS_PER_GROUP);
            let before = &self.layers[g];
            let weigh = |arc: &Arc| {
                let (from, mines) = (arc.from as usize, usize::from(arc.mines));
                let reached = left.checked_sub(mines).map_or(0.0, |left| before.count(from, left));
                ((from, mines), ways[mines] * reached)
            };
            let drawn = draw(rng, self.layers[g + 1].arcs(node).iter().map(weigh));
            let (from, here) = drawn.expect("a node with a count is reached by an arc");
            layout |= some_of(group.cells, here, rng);
            (node, left) = (from, left - here);
        }
        layout
    }

    pub fn groups(&self) -> &[Group<W>] {
        &self.groups
    }

    /// Returns the need of each constraint.
    pub fn needs(&self) -> &[u8] {
        &self.needs
    }

    /// Calls `visit` with every layout with this number of mines.
    pub fn each(&self, mines: usize, mut visit: impl FnMut(W)) {
        if self.layers[self.groups.len()].count(0, mines) > 0.0 {
            self.each_before(self.groups.len(), 0, mines, W::ZERO, &mut visit);
        }
    }

    /// Calls `visit` with `layout` and every way to reach a node with this number of mines in the groups before `g`.
    fn each_before(&self, g: usize, node: usize, mines: usize, layout: W, visit: &mut dyn FnMut(W)) {
        let Some(before) = g.checked_sub(1) else { return visit(layout) };
        for arc in self.layers[g].arcs(node) {
            let (from, here) = (arc.from as usize, usize::from(arc.mines));
            let Some(left) = mines.checked_sub(here) else { continue };
            if self.layers[before].count(from, left) > 0.0 {
                each_choice(self.groups[before].cells, here, layout, &mut |layout| {
                    self.each_before(before, from, left, layout, visit);
                });
            }
        }
    }

    /// Calls `visit` with each group and the number of its mines summed over all layouts of the whole board. There
    /// are `others[n]` of those for every layout of this component that leaves `n` of `most` mines.
    pub fn expected(&self, others: &[f64], most: usize, mut visit: impl FnMut(W, f64)) {
        // For each count of a layer: the number of layouts of the remaining parts.
        let last = &self.layers[self.groups.len()];
        let mut ahead: Vec<f64> = (usize::from(last.nodes[0].least)..)
            .take(last.counts.len())
            .map(|mines| others.get(most - mines).copied().unwrap_or(0.0))
            .collect();
        for (g, group) in self.groups.iter().enumerate().rev() {
            let ways = choices(usize::from(group.size), MAX_CELLS_PER_GROUP);
            let (before, layer) = (&self.layers[g], &self.layers[g + 1]);
            let mut behind = vec![0.0; before.counts.len()];
            let mut sum = 0.0;
            for node in 0..layer.nodes.len() {
                let ahead = &ahead[layer.span(node)];
                for arc in layer.arcs(node) {
                    let (from, mines) = (arc.from as usize, usize::from(arc.mines));
                    let least = usize::from(before.nodes[from].least) + mines;
                    let skipped = (least - usize::from(layer.nodes[node].least)).min(ahead.len());
                    let mut here = 0.0;
                    let counts = before.counts(from).iter().zip(&mut behind[before.span(from)]);
                    for ((&count, behind), &rest) in counts.zip(&ahead[skipped..]) {
                        let rest = ways[mines] * rest;
                        *behind += rest;
                        here += count * rest;
                    }
                    sum += here * mines as f64;
                }
            }
            visit(group.cells, sum);
            ahead = behind;
        }
    }
}

/// Assigns every constraint a place among the needs while it is open. Returns the steps and the number of places.
fn plan<W: Word>(component: &Component<W>) -> (Vec<Step>, usize) {
    let mut left = vec![0u8; component.needs.len()];
    for group in &component.groups {
        group.constraints.iter().for_each(|&c| left[usize::from(c)] += group.size);
    }
    let mut place: Vec<Option<u16>> = vec![None; component.needs.len()];
    let mut vacant: Vec<u16> = Vec::new();
    let mut places = 0;
    let steps = component.groups.iter().map(|group| {
        let touch = |&constraint: &u16| {
            let c = usize::from(constraint);
            left[c] -= group.size;
            let opens_with = place[c].is_none().then_some(component.needs[c]);
            let at = *place[c].get_or_insert_with(|| {
                vacant.pop().unwrap_or_else(|| {
                    places += 1;
                    places - 1
                })
            });
            Touch { place: at, opens_with, left: left[c] }
        };
        let touched: ArrayVec<Touch, 8> = group.constraints.iter().map(touch).collect();
        // Only now: a place freed in this step must not go to another constraint of the same step.
        vacant.extend(touched.iter().filter(|t| t.left == 0).map(|t| t.place));
        Step { touched, size: group.size }
    });
    let steps = steps.collect();
    (steps, usize::from(places))
}

/// The needs of the open constraints, four bits each; unused places are 0.
type Needs<const WORDS: usize> = [u64; WORDS];

/// Returns the layers, the last of which is empty if there is no way; `None` if they need more than `room`.
fn layers<const WORDS: usize>(steps: &[Step], most: usize, room: &mut usize) -> Option<Vec<Layer>> {
    let start = Node { arcs_end: 0, least: 0, counts: 0 };
    let mut layers = vec![Layer { nodes: vec![start], arcs: Vec::new(), counts: vec![1.0] }];
    let mut needs: Vec<Needs<WORDS>> = vec![[0; WORDS]];
    let mut arcs: Vec<(Needs<WORDS>, Arc)> = Vec::new();
    for step in steps {
        reach(step, &needs, &mut arcs);
        *room = room.checked_sub(arcs.len())?;
        needs.clear();
        let layer = gather(&arcs, &layers[layers.len() - 1], step, most, &mut needs);
        *room = room.checked_sub(layer.counts.len())?;
        layers.push(layer);
    }
    Some(layers)
}

/// Lists the arcs of one step with the needs they lead to, sorted by those.
fn reach<const WORDS: usize>(step: &Step, needs: &[Needs<WORDS>], arcs: &mut Vec<(Needs<WORDS>, Arc)>) {
    let mut opens = [0u64; WORDS];
    let mut takes = [0u64; WORDS];
    let split = |place: u16| (usize::from(place) / NEEDS_PER_WORD, 4 * (usize::from(place) % NEEDS_PER_WORD));
    for touch in &step.touched {
        let (word, shift) = split(touch.place);
        takes[word] |= 1 << shift;
        opens[word] |= u64::from(touch.opens_with.unwrap_or(0)) << shift;
    }
    arcs.clear();
    for mines in 0..=step.size {
        for (from, needs) in needs.iter().enumerate() {
            let before: Needs<WORDS> = std::array::from_fn(|i| needs[i] | opens[i]);
            let possible = step.touched.iter().all(|touch| {
                let (word, shift) = split(touch.place);
                let need = (before[word] >> shift & 15) as u8;
                need >= mines && need - mines <= touch.left
            });
            if possible {
                // No group of four bits falls below 0, so whole words can be subtracted.
                let after = std::array::from_fn(|i| before[i] - u64::from(mines) * takes[i]);
                arcs.push((after, Arc { from: from as u32, mines }));
            }
        }
    }
    // For one number of mines the arcs are already sorted, and a stable sort merges sorted runs quickly.
    arcs.sort_by_key(|arc| arc.0);
}

/// Builds the next layer from sorted arcs, and lists the needs of its nodes.
fn gather<const WORDS: usize>(
    arcs: &[(Needs<WORDS>, Arc)],
    before: &Layer,
    step: &Step,
    most: usize,
    needs: &mut Vec<Needs<WORDS>>,
) -> Layer {
    let ways = choices(usize::from(step.size), MAX_CELLS_PER_GROUP);
    let mut layer = Layer::default();
    for chunk in arcs.chunk_by(|a, b| a.0 == b.0) {
        let span = |arc: &Arc| {
            let least = usize::from(before.nodes[arc.from as usize].least) + usize::from(arc.mines);
            (least, least + before.counts(arc.from as usize).len())
        };
        let spans = chunk.iter().map(|(_, arc)| span(arc));
        let (least, end) =
            spans.fold((usize::MAX, 0), |(least, end), (from, to)| (least.min(from), end.max(to)));
        let end = end.min(most + 1);
        if least >= end {
            continue;
        }
        let begin = layer.counts.len();
        layer.counts.resize(begin + end - least, 0.0);
        for (_, arc) in chunk {
            let to = &mut layer.counts[begin + span(arc).0.min(end) - least..];
            let weight = ways[usize::from(arc.mines)];
            for (to, &count) in to.iter_mut().zip(before.counts(arc.from as usize)) {
                *to += weight * count;
            }
            layer.arcs.push(*arc);
        }
        let arcs_end = layer.arcs.len() as u32;
        layer.nodes.push(Node { arcs_end, least: least as u16, counts: begin });
        needs.push(chunk[0].0);
    }
    layer
}

#[cfg(test)]
mod tests {
    use super::super::groups::Puzzle;
    use super::*;
    use crate::minesweeper::{First, Minesweeper};
    use parlor_core::{Notation, Position};

    #[test]
    fn the_width_of_the_needs_does_not_matter() {
        let game = Minesweeper::<u64>::new(4, 6, 5, First::Any).unwrap();
        let Ok(Position::View(view)) = game.read_position("######/#3#2##/######/#2#2##") else { panic!() };
        let covered = game.board() & !view.opened();
        let puzzle = Puzzle::new(&game, &view, covered, 0).unwrap();
        assert_eq!(puzzle.components.len(), 1);
        let (steps, places) = plan(&puzzle.components[0]);
        assert!(places <= 4, "at most four numbers are open at once");
        let last = |layers: Option<Vec<Layer>>| layers.unwrap().pop().unwrap().counts;
        let narrow = last(layers::<1>(&steps, 5, &mut usize::MAX.clone()));
        assert_eq!(narrow, last(layers::<4>(&steps, 5, &mut usize::MAX.clone())));
        assert_eq!(narrow, last(layers::<32>(&steps, 5, &mut usize::MAX.clone())));
        assert!(narrow.iter().sum::<f64>() > 0.0);
    }
}
