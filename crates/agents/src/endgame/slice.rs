//! Working out a slice and the one that reversible moves lead to.
//!
//! Step by step from the end: what is lost at once, what wins by leading there, what loses because everything wins for the
//! other side, and so on. Whatever is left when nothing new is found is drawn, as neither side can force anything.

use parlor_core::{Cancel, GameValue};

use parlor_core::Reversible;

use super::table::{Census, Tables};

/// So many places pass between two looks at whether anyone still waits.
const BETWEEN_LOOKS: u32 = 1024;

/// What is known about a place, in sixteen bits.
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
/// Distances are kept up to this. No class that fits any memory comes near it.
const LONGEST: u32 = 0x1ffe;

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

/// A thread's own memory, used again for every slice.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    /// What is known about the slice, and about the other one where that is another.
    marks: [Vec<Mark>; 2],
    /// What was found out at a distance: which of the two, and the place.
    wave: Vec<(u8, u32)>,
    next: Vec<(u8, u32)>,
    /// Distinct neighbours of a setup.
    near: Vec<u64>,
    /// Whether the slice is its own opposite.
    alone: bool,
}

/// Returns a slice and its opposite; they can be the same.
fn halves<G: Reversible>(game: &G, class: G::Class, slice: u64) -> [(G::Class, u64); 2] {
    [(class, slice), (game.turned(class), game.turned_slice(class, slice))]
}

/// Works out a slice of a class and its opposite, and writes both into their tables. Everything beyond them must be known. What
/// takes more than `most` reversible plies in a row is drawn.
///
/// Returns what was found of each; the second is empty if the slice is its own opposite.
pub(super) fn work_out<G: Reversible>(
    game: &G,
    tables: &Tables<G::Class>,
    class: G::Class,
    slice: u64,
    (most, stop): (u32, &Cancel),
    bench: &mut Workspace,
) -> [Census; 2] {
    let value = |setup: &G::Setup| tables.value(game, setup).expect("what lies beyond is known");
    if !mark(game, value, (class, slice), (most, stop), bench) {
        return <[Census; 2]>::default();
    }
    let halves = halves(game, class, slice);
    let count = if halves[0] == halves[1] { 1 } else { 2 };
    let marks = &bench.marks;
    std::array::from_fn(|half| {
        let mut census = Census::default();
        if half >= count {
            return census;
        }
        let (class, slice) = halves[half];
        let table = tables.get(class).expect("the class is being worked out");
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

/// Works out a slice and its opposite, given what everything beyond them is worth, and leaves the marks on the bench. Returns
/// `false`, and marks that mean nothing, if it was stopped.
pub(super) fn mark<G: Reversible>(
    game: &G,
    mut value: impl FnMut(&G::Setup) -> GameValue,
    (class, slice): (G::Class, u64),
    (most, stop): (u32, &Cancel),
    bench: &mut Workspace,
) -> bool {
    let mut looks = 0_u32;
    let mut is_stopped = || {
        looks = looks.wrapping_add(1);
        looks.is_multiple_of(BETWEEN_LOOKS) && stop.is_cancelled()
    };
    let mut stopped = false;
    let halves = halves(game, class, slice);
    let alone = halves[0] == halves[1];
    let count = if alone { 1 } else { 2 };
    let across = |half: u8| if alone { 0 } else { 1 - half };
    bench.alone = alone;
    let Workspace { marks, wave, next, near, .. } = bench;

    // Step 1. What irreversible moves and the rules decide.
    wave.clear();
    next.clear();
    for half in 0..count {
        let (class, slice) = halves[half];
        let size = usize::try_from(game.slice_size(class)).expect("a slice fits the memory");
        marks[half].clear();
        marks[half].resize(size, GAP);
        game.each(class, slice, |place, setup| {
            stopped = stopped || is_stopped();
            if stopped {
                return;
            }
            let (mut any, mut won, mut safe, mut open) = (false, false, false, 0);
            near.clear();
            game.onward(setup, |setup, reversible| {
                any = true;
                if reversible {
                    open += 1;
                    if G::MIRRORED {
                        near.push(game.place_in_slice(&setup));
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
                near.sort_unstable();
                near.dedup();
                open = near.len() as Mark;
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

    // Step 2. Back from what is decided, one ply at a time.
    let mut distance: u32 = 0;
    while distance < most && !(wave.is_empty() && next.is_empty()) {
        for &(half, place) in wave.iter() {
            if stopped || is_stopped() {
                return false;
            }
            let (class, slice) = halves[usize::from(half)];
            let is_lost = marks[usize::from(half)][place as usize] >= LOST;
            let spot = parlor_core::Spot { class, slice, place: u64::from(place) };
            let setup = game.at(spot).expect("it was met before");
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
                near.clear();
                game.backward(&setup, |setup| near.push(game.place_in_slice(&setup)));
                near.sort_unstable();
                near.dedup();
                near.iter().for_each(|&place| reach(place));
            } else {
                game.backward(&setup, |setup| reach(game.place_in_slice(&setup)));
            }
        }
        wave.clear();
        std::mem::swap(wave, next);
        distance += 1;
        assert!(distance < LONGEST, "no class is as deep as that");
    }
    !stopped
}

impl Workspace {
    /// Returns how many plies it takes until something irreversible happens, or the end, if the place is won or lost. `opposite` asks
    /// about the slice that reversible moves lead to.
    pub(super) fn distance(&self, opposite: bool, place: u64) -> Option<u32> {
        // A slice that is its own opposite has marks once.
        let marks = if opposite && !self.alone { &self.marks[1] } else { &self.marks[0] };
        match *marks.get(place as usize)? {
            0..WON | DRAWN | GAP => None,
            mark @ WON..LOST => Some(u32::from(mark & !WON)),
            mark @ LOST.. => Some(u32::from(mark & !LOST)),
        }
    }
}
