//! The numbers that entries are made of, and the groups of numbers that have entries.

use crate::facts::{counts, names, numbers, steps};

/// Whether something is so.
const SWITCH: &[&str] = &["no", "yes"];

numbers! {
    // Of the board.
    Covered = counts(33, "covered cells"),
    Mines = counts(12, "mines"),
    Safe = counts(24, "safe cells left"),
    Elsewhere = steps(21, 0.05, "mines a cell away from numbers"),
    // Of the cell that is clicked.
    CoveredBeside = counts(9, "covered beside it"),
    NumbersBeside = counts(9, "numbers beside it"),
    Highest = steps(21, 0.05, "highest share of mines by a number"),
    Lowest = steps(21, 0.05, "lowest share of mines by a number"),
    Mean = steps(21, 0.05, "mean share of mines"),
    Edges = counts(3, "edges at it"),
    // Of a number beside it.
    Shows = counts(6, "number"),
    Around = counts(9, "covered around it"),
    MinesOff = counts(9, "mines not around it"),
    CoveredOff = counts(17, "covered not around it"),
    // Of a second number with common cells.
    Second = counts(6, "second number"),
    Common = counts(6, "common"),
    First = counts(6, "of the first alone"),
    Other = counts(6, "of the second alone"),
    IsCommon = names(SWITCH, "the cell is common"),
}

use Number as N;

/// The click: always active.
pub(super) const CLICK: [Group; 8] = [
    &[N::Covered, N::Mines, N::NumbersBeside],
    &[N::Safe, N::NumbersBeside, N::Highest],
    &[N::Highest, N::Lowest, N::NumbersBeside],
    &[N::Mean, N::NumbersBeside, N::CoveredBeside],
    &[N::Elsewhere, N::NumbersBeside, N::Safe],
    &[N::Edges, N::CoveredBeside, N::NumbersBeside, N::Safe],
    &[N::Elsewhere, N::Mean, N::NumbersBeside],
    &[N::Mean, N::Highest, N::Lowest],
];

/// Each number beside the click.
pub(super) const NUMBER: [Group; 2] =
    [&[N::Shows, N::Around, N::NumbersBeside], &[N::Shows, N::Around, N::MinesOff, N::CoveredOff]];

/// Each pair of a number beside the click and another that has covered cells in common with it.
pub(super) const PAIR: [Group; 1] = [&[N::Shows, N::Second, N::Common, N::First, N::Other, N::IsCommon]];

/// Number of groups.
pub(super) const GROUPS: usize = CLICK.len() + NUMBER.len() + PAIR.len();

/// Every group, in the order of their entries.
pub(super) const ALL: [Group; GROUPS] = {
    let mut all = [CLICK[0]; GROUPS];
    let parts: [&[Group]; 3] = [&CLICK, &NUMBER, &PAIR];
    let (mut next, mut part) = (0, 0);
    while part < parts.len() {
        let mut at = 0;
        while at < parts[part].len() {
            all[next] = parts[part][at];
            (next, at) = (next + 1, at + 1);
        }
        part += 1;
    }
    all
};

/// The first entry of each group, and the number of entries.
pub(super) const STARTS: [u32; GROUPS + 1] = {
    let mut starts = [0; GROUPS + 1];
    let mut group = 0;
    while group < GROUPS {
        starts[group + 1] = starts[group] + entries_of(ALL[group]);
        group += 1;
    }
    starts
};
