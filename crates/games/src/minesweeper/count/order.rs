//! The order in which a sweep takes the groups of a component.
//!
//! Between two groups a sweep stores what every open constraint (one with groups on both sides of the cut) still
//! needs. A good order keeps few constraints open. Finding the best order is hard, so the cheapest of a few plausible
//! ones is used.

use super::groups::{Component, Group};
use crate::board::bits::Word;

/// Sorts the groups into the order with the least estimated work.
pub(super) fn arrange<W: Word>(component: &mut Component<W>, columns: u32) {
    let groups = &component.groups;
    let needs = &component.needs;
    let sorted = |key: &dyn Fn(&Group<W>) -> (u32, u32)| {
        let mut order: Vec<usize> = (0..groups.len()).collect();
        order.sort_by_key(|&g| key(&groups[g]));
        order
    };
    let place = |group: &Group<W>| (group.cells.lowest() / columns, group.cells.lowest() % columns);
    let candidates = [
        greedy(groups, needs),
        sorted(&|group| (place(group).1, place(group).0)),
        sorted(&|group| place(group)),
    ];
    let best = candidates
        .into_iter()
        .map(|order| (work(groups, needs, &order), order))
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, order)| order)
        .expect("there are candidates");
    component.groups = best.into_iter().map(|g| groups[g].clone()).collect();
}

/// The logarithms of 1, 2 … 9 to base 2: a constraint needs from 0 to 8 mines.
const LOG2: [f64; 9] = [
    0.0,
    1.0,
    1.584_962_500_721_156,
    2.0,
    2.321_928_094_887_362,
    2.584_962_500_721_156,
    2.807_354_922_057_604,
    3.0,
    3.169_925_001_442_312,
];

/// Progress of one constraint.
#[derive(Copy, Clone)]
struct Open {
    need: u8,
    done: u8,
    left: u8,
}

impl Open {
    /// Returns the logarithm of the number of values that the remaining need can have.
    fn size(self) -> f64 {
        let (least, most) = (self.need.saturating_sub(self.done), self.need.min(self.left));
        LOG2[usize::from(most.saturating_sub(least))]
    }

    fn after(self, cells: u8) -> Open {
        Open { need: self.need, done: self.done + cells, left: self.left - cells }
    }
}

fn opened<W: Word>(groups: &[Group<W>], needs: &[u8]) -> Vec<Open> {
    let mut open: Vec<Open> = needs.iter().map(|&need| Open { need, done: 0, left: 0 }).collect();
    for group in groups {
        for &c in &group.constraints {
            open[usize::from(c)].left += group.size;
        }
    }
    open
}

/// Returns the change of the logarithm of the state size with `group`.
fn change<W: Word>(group: &Group<W>, open: &[Open]) -> f64 {
    group
        .constraints
        .iter()
        .map(|&c| open[usize::from(c)])
        .map(|o| o.after(group.size).size() - o.size())
        .sum()
}

/// Returns an estimate of the number of states of a whole sweep.
fn work<W: Word>(groups: &[Group<W>], needs: &[u8], order: &[usize]) -> f64 {
    let mut open = opened(groups, needs);
    let mut size = 0.0;
    let mut work = 0.0;
    for &g in order {
        size += change(&groups[g], &open);
        work += libm::exp2(size);
        for &c in &groups[g].constraints {
            open[usize::from(c)] = open[usize::from(c)].after(groups[g].size);
        }
    }
    work
}

/// Returns the order that takes the cheapest group next, preferring groups under open constraints.
fn greedy<W: Word>(groups: &[Group<W>], needs: &[u8]) -> Vec<usize> {
    let mut open = opened(groups, needs);
    let mut rest: Vec<usize> = (0..groups.len()).collect();
    let mut order = Vec::with_capacity(rest.len());
    while !rest.is_empty() {
        let touches = |g: usize| groups[g].constraints.iter().any(|&c| open[usize::from(c)].done > 0);
        let cheapest = |among: &dyn Fn(usize) -> bool| {
            let candidates = rest.iter().enumerate().filter(|&(_, &g)| among(g));
            candidates
                .map(|(at, &g)| (at, change(&groups[g], &open)))
                .min_by(|a, b| a.1.total_cmp(&b.1))
                .map(|(at, _)| at)
        };
        let at = cheapest(&touches).or_else(|| cheapest(&|_| true)).expect("groups are left");
        let g = rest.remove(at);
        for &c in &groups[g].constraints {
            open[usize::from(c)] = open[usize::from(c)].after(groups[g].size);
        }
        order.push(g);
    }
    order
}
