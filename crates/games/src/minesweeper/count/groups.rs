//! A view as constraints on groups of covered cells, in independent components.

use arrayvec::ArrayVec;

use super::super::{Minesweeper, View};
use crate::board::bits::Word;

/// The largest number of constraints on one cell.
const MAX_TOUCHING: usize = 8;

/// Covered cells under the same constraints.
#[derive(Clone, Debug)]
pub(super) struct Group<W> {
    pub cells: W,
    pub size: u8,
    /// The constraints on the group, as indices into the needs of the component.
    pub constraints: ArrayVec<u16, MAX_TOUCHING>,
}

/// Groups that are connected through constraints.
#[derive(Clone, Debug)]
pub(super) struct Component<W> {
    pub groups: Vec<Group<W>>,
    /// For each constraint the number of mines among all its groups.
    pub needs: Vec<u8>,
}

/// The constraints of a view on its covered cells.
pub(super) struct Puzzle<W> {
    pub components: Vec<Component<W>>,
    /// The cells that no constraint touches.
    pub free: W,
}

impl<W: Word> Puzzle<W> {
    /// Splits a view into components; `None` if one of its numbers alone is impossible.
    pub fn new(game: &Minesweeper<W>, view: &View<W>, covered: W, known: W) -> Option<Self> {
        let mut needs = Vec::new();
        let mut index = vec![0u16; usize::from(game.cells())];
        let mut numbers = W::ZERO;
        let edge = view.opened() & game.around(covered | known);
        // Without covered cells around it, a number must be 0.
        if !(view.opened() & !edge & !view.zeros()).is_empty() {
            return None;
        }
        for cell in edge.cells() {
            let around = game.neighbours(cell as u16);
            let need =
                u32::from(view.number(cell as u16).unwrap_or(0)).checked_sub((around & known).len())?;
            let room = (around & covered).len();
            if need > room {
                return None;
            }
            if room > 0 {
                index[cell as usize] = needs.len() as u16;
                numbers |= W::bit(cell);
                needs.push(need as u8);
            }
        }

        let touched = covered & game.around(numbers);
        let mut by_numbers: Vec<(W, u32)> =
            touched.cells().map(|cell| (game.neighbours(cell as u16) & numbers, cell)).collect();
        by_numbers.sort_unstable();
        let groups = by_numbers.chunk_by(|a, b| a.0 == b.0).map(|chunk| Group {
            cells: chunk.iter().fold(W::ZERO, |set, &(_, cell)| set | W::bit(cell)),
            size: chunk.len() as u8,
            constraints: chunk[0].0.cells().map(|number| index[number as usize]).collect(),
        });
        Some(Puzzle { components: components(groups.collect(), &needs), free: covered & !touched })
    }
}

/// Splits groups into components.
fn components<W: Word>(groups: Vec<Group<W>>, needs: &[u8]) -> Vec<Component<W>> {
    // Union-find: every constraint points to another one of its component, in the end to the component's smallest.
    let mut parent: Vec<u16> = (0..needs.len() as u16).collect();
    fn root(parent: &mut [u16], mut of: u16) -> u16 {
        while parent[usize::from(of)] != of {
            parent[usize::from(of)] = parent[usize::from(parent[usize::from(of)])];
            of = parent[usize::from(of)];
        }
        of
    }
    for group in &groups {
        let first = root(&mut parent, group.constraints[0]);
        for &other in &group.constraints[1..] {
            let other = root(&mut parent, other);
            let first = root(&mut parent, first);
            parent[usize::from(first.max(other))] = first.min(other);
        }
    }

    let mut components: Vec<Component<W>> = Vec::new();
    let mut number = vec![None; needs.len()];
    let mut local = vec![0u16; needs.len()];
    for constraint in 0..needs.len() {
        let top = usize::from(root(&mut parent, constraint as u16));
        let at = *number[top].get_or_insert_with(|| {
            components.push(Component { groups: Vec::new(), needs: Vec::new() });
            components.len() - 1
        });
        local[constraint] = components[at].needs.len() as u16;
        components[at].needs.push(needs[constraint]);
    }
    for mut group in groups {
        let top = usize::from(root(&mut parent, group.constraints[0]));
        for constraint in &mut group.constraints {
            *constraint = local[usize::from(*constraint)];
        }
        let at = number[top].expect("the root of a constraint has a component");
        components[at].groups.push(group);
    }
    components
}
