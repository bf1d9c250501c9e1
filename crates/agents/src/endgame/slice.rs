//! Retrograde analysis of a slice and its opposite, the slice that reversible moves lead to.
//!
//! Works backwards from the end: positions lost at once, positions that win by leading there, positions that lose because
//! every move leads to a win of the other side, and so on. Positions left when nothing new is found are drawn, because
//! neither side can force anything.

use parlor_core::{Cancel, Deadline, GameValue, Reversible};

use super::table::{Census, Tables};

/// Places between two looks at the deadline.
const CHECK_INTERVAL: u32 = 1024;

/// The state of a place, in sixteen bits.
///
/// ```text
///   00cc cccc cccc cccc   open; c reversible moves are not refuted
///   01cc cccc cccc cccc   open, and not lost: an irreversible move draws
///   10dd dddd dddd dddd   won in d plies
///   110d dddd dddd dddd   lost in d plies
///   1111 1111 1111 1110   drawn: there is no reversible move
///   1111 1111 1111 1111   no setup has this number
/// ```
type Mark = u16;

const SAFE: Mark = 0x4000;
const WON: Mark = 0x8000;
const LOST: Mark = 0xc000;
const DRAWN: Mark = 0xfffe;
const GAP: Mark = 0xffff;
/// The maximum distance. No class that fits into memory comes neighbours it.
const MAX_DISTANCE: u32 = 0x1ffe;

fn is_open(mark: Mark) -> bool {
    mark < WON
}

fn verdict(mark: Mark) -> Option<GameValue> {
    match mark {
        GAP => None,
        0..WON | DRAWN => Some(GameValue::Drawn),
        WON..LOST => Some(GameValue::Won),
        LOST.. => Some(GameValue::Lost),
    }
}

/// The buffers of a thread, reused for every slice.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    /// The marks of the slice, and of its opposite if that is another slice.
    marks: [Vec<Mark>; 2],
    /// The places found at the current distance: which of the two slices, and the place.
    wave: Vec<(u8, u32)>,
    next: Vec<(u8, u32)>,
    /// The distinct neighbours of a setup.
    neighbours: Vec<u64>,
    /// Whether the slice is its own opposite.
    is_self_opposite: bool,
}

/// Returns a slice and its opposite, which may be the same.
fn halves<G: Reversible>(game: &G, class: G::Class, slice: u64) -> [(G::Class, u64); 2] {
    [(class, slice), (game.turned(class), game.turned_slice(class, slice))]
}

/// Solves a slice of a class and its opposite, and writes both to their tables. The values of everything they convert
/// into must be known. Wins that take more than `most` reversible plies in a row count as draws.
///
/// Returns the counts of each; the second is empty if the slice is its own opposite.
pub(super) fn solve_slice<G: Reversible>(
    game: &G,
    tables: &Tables<G::Class>,
    class: G::Class,
    slice: u64,
    (most, stop): (u32, &Cancel),
    workspace: &mut Workspace,
) -> [Census; 2] {
    let value = |setup: &G::Setup| tables.value(game, setup).expect("conversions have known values");
    let limits = (most, Deadline::after(None, Some(stop)));
    if !mark_slice(game, value, (class, slice), limits, workspace) {
        return <[Census; 2]>::default();
    }
    let halves = halves(game, class, slice);
    let count = if halves[0] == halves[1] { 1 } else { 2 };
    let marks = &workspace.marks;
    std::array::from_fn(|half| {
        let mut census = Census::default();
        if half >= count {
            return census;
        }
        let (class, slice) = halves[half];
        let table = tables.get(class).expect("the table was inserted before");
        for &mark in &marks[half] {
            match mark {
                GAP => {}
                0..WON | DRAWN => census.drawn += 1,
                WON..LOST => {
                    census.won += 1;
                    census.longest = census.longest.max(u32::from(mark & !WON));
                }
                LOST.. => {
                    census.lost += 1;
                    census.longest = census.longest.max(u32::from(mark & !LOST));
                }
            }
        }
        table.fill(slice * game.slice_size(class), marks[half].iter().map(|&mark| verdict(mark)));
        census
    })
}

/// Solves a slice and its opposite from the values of their conversions, and leaves the marks in the workspace. Returns
/// `false`, with meaningless marks, if the deadline passed before.
pub(super) fn mark_slice<G: Reversible>(
    game: &G,
    mut value: impl FnMut(&G::Setup) -> GameValue,
    (class, slice): (G::Class, u64),
    (most, deadline): (u32, Deadline<'_>),
    workspace: &mut Workspace,
) -> bool {
    let mut visited = 0_u32;
    let mut is_stopped = || {
        visited = visited.wrapping_add(1);
        visited.is_multiple_of(CHECK_INTERVAL) && deadline.has_passed()
    };
    let mut stopped = false;
    let halves = halves(game, class, slice);
    let is_self_opposite = halves[0] == halves[1];
    let count = if is_self_opposite { 1 } else { 2 };
    let across = |half: u8| if is_self_opposite { 0 } else { 1 - half };
    workspace.is_self_opposite = is_self_opposite;
    let Workspace { marks, wave, next, neighbours, .. } = workspace;

    // Step 1. Mark what irreversible moves and the rules decide.
    wave.clear();
    next.clear();
    for half in 0..count {
        let (class, slice) = halves[half];
        let size = usize::try_from(game.slice_size(class)).expect("a slice fits into memory");
        marks[half].clear();
        marks[half].resize(size, GAP);
        game.each(class, slice, |place, setup| {
            stopped = stopped || is_stopped();
            if stopped {
                return;
            }
            let (mut any, mut won, mut safe, mut open) = (false, false, false, 0);
            neighbours.clear();
            game.onward(setup, |setup, reversible| {
                any = true;
                if reversible {
                    open += 1;
                    if G::MIRRORED {
                        neighbours.push(game.place_in_slice(&setup));
                    }
                } else if !won {
                    match value(&setup) {
                        GameValue::Lost => won = true,
                        GameValue::Drawn => safe = true,
                        GameValue::Won => {}
                    }
                }
            });
            if G::MIRRORED {
                neighbours.sort_unstable();
                neighbours.dedup();
                open = neighbours.len() as Mark;
            }
            let entry = (half as u8, place as u32);
            marks[half][place as usize] = if !any {
                wave.push(entry);
                LOST
            } else if won {
                next.push(entry);
                WON | 1
            } else if open == 0 && safe {
                DRAWN
            } else if open == 0 {
                next.push(entry);
                LOST | 1
            } else if safe {
                open | SAFE
            } else {
                open
            };
        });
    }

    // Step 2. Propagate backwards, one ply at a time.
    let mut distance: u32 = 0;
    while distance < most && !(wave.is_empty() && next.is_empty()) {
        for &(half, place) in wave.iter() {
            if stopped || is_stopped() {
                return false;
            }
            let (class, slice) = halves[usize::from(half)];
            let is_lost = marks[usize::from(half)][place as usize] >= LOST;
            let spot = parlor_core::Spot { class, slice, place: u64::from(place) };
            let setup = game.at(spot).expect("the place was visited in step 1");
            let earlier = across(half);
            let marks = &mut marks[usize::from(earlier)];
            let mut reach = |place: u64| {
                let mark = &mut marks[place as usize];
                if !is_open(*mark) {
                    return;
                }
                if is_lost {
                    *mark = WON | (distance + 1) as Mark;
                    next.push((earlier, place as u32));
                } else {
                    *mark -= 1;
                    if *mark == 0 {
                        *mark = LOST | (distance + 1) as Mark;
                        next.push((earlier, place as u32));
                    }
                }
            };
            if G::MIRRORED {
                neighbours.clear();
                game.backward(&setup, |setup| neighbours.push(game.place_in_slice(&setup)));
                neighbours.sort_unstable();
                neighbours.dedup();
                neighbours.iter().for_each(|&place| reach(place));
            } else {
                game.backward(&setup, |setup| reach(game.place_in_slice(&setup)));
            }
        }
        wave.clear();
        std::mem::swap(wave, next);
        distance += 1;
        assert!(distance < MAX_DISTANCE, "distances stay below the maximum");
    }
    !stopped
}

impl Workspace {
    /// Returns the distance in plies to an irreversible move or the end, if the place is won or lost. `opposite` selects
    /// the slice that reversible moves lead to.
    pub(super) fn distance(&self, opposite: bool, place: u64) -> Option<u32> {
        // A slice that is its own opposite has only one set of marks.
        let marks = if opposite && !self.is_self_opposite { &self.marks[1] } else { &self.marks[0] };
        match *marks.get(place as usize)? {
            0..WON | DRAWN | GAP => None,
            mark @ WON..LOST => Some(u32::from(mark & !WON)),
            mark @ LOST.. => Some(u32::from(mark & !LOST)),
        }
    }
}
