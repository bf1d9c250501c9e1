//! Working out classes, those with least to lose first, on several threads.

use std::collections::{BTreeSet, BinaryHeap};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use parlor_core::parallel::in_order;
use parlor_core::{Progress, ProgressUpdate, Reversible, Unsolved};

use super::slice::{Workspace, work_out};
use super::table::{Census, Table, Tables};

/// No rule ends a match because nothing happens.
pub const FOREVER: u32 = u32::MAX;

/// How often someone who waits is told how it goes.
const TOLD_EVERY: Duration = Duration::from_millis(200);

/// Slices that a thread takes at once at the most: enough to be worth the taking, few enough to notice Ctrl-C.
const MOST_AT_ONCE: usize = 64;

/// Returns every class that play from a setup of `class` can come to, itself and its turned one included, in an order in
/// which they can be worked out.
pub fn needed<G: Reversible>(game: &G, class: G::Class) -> Vec<G::Class> {
    needed_within(game, class, u64::MAX).expect("no sum of places is larger")
}

/// Returns the same classes, or `None` if they have more than `most` places together.
///
/// The largest class that is known is looked at first: listing all that can follow the start of a large board would take a minute.
pub fn needed_within<G: Reversible>(game: &G, class: G::Class, most: u64) -> Option<Vec<G::Class>> {
    let mut found = BTreeSet::new();
    let mut open = BinaryHeap::from([(game.class_size(class), class)]);
    let mut places = 0_u64;
    while let Some((size, class)) = open.pop() {
        if game.is_bare(class) || !found.insert((game.rank(class), class)) {
            continue;
        }
        places = places.saturating_add(size);
        if places > most {
            return None;
        }
        let next = std::iter::once(game.turned(class)).chain(game.conversions(class));
        open.extend(next.map(|class| (game.class_size(class), class)));
    }
    Some(found.into_iter().map(|(_, class)| class).collect())
}

/// Returns every class with at most so many pieces, in an order in which they can be worked out.
pub fn up_to<G: Reversible>(game: &G, pieces: u32) -> Vec<G::Class> {
    let mut classes: Vec<G::Class> = (2..=pieces).flat_map(|pieces| game.classes(pieces)).collect();
    classes.sort_by_key(|&class| (game.rank(class), class));
    classes
}

/// Returns the classes in groups that are worked out at once: of one rank, no group larger than `most` places unless it is
/// one class and its turned one.
pub(super) fn groups<G: Reversible>(game: &G, classes: &[G::Class], most: u64) -> Vec<Vec<G::Class>> {
    let mut groups: Vec<Vec<G::Class>> = Vec::new();
    let mut size = u64::MAX;
    for &class in classes {
        let turned = game.turned(class);
        if turned < class {
            continue;
        }
        let more = game.class_size(class).saturating_mul(if turned == class { 1 } else { 2 });
        let same_rank = groups.last().is_some_and(|group| game.rank(group[0]) == game.rank(class));
        if !same_rank || size.saturating_add(more) > most {
            groups.push(Vec::new());
            size = 0;
        }
        size += more;
        let group = groups.last_mut().expect("one was just made sure of");
        group.push(class);
        if turned != class {
            group.push(turned);
        }
    }
    groups
}

/// A longer work: how it is done, and how far it has come.
#[derive(Copy, Clone, Debug)]
pub(super) struct Course {
    /// How many threads work.
    pub(super) threads: usize,
    /// What takes more reversible plies in a row is drawn.
    pub(super) most_plies: u32,
    /// Places that are done.
    pub(super) done: u64,
    /// Places in all.
    pub(super) all: u64,
}

/// Works out a group of classes of one rank, turned ones included, and adds their tables. Everything they convert into must be
/// held.
pub(super) fn work_out_group<G: Reversible>(
    game: &G,
    tables: &mut Tables<G::Class>,
    group: &[G::Class],
    course: &mut Course,
    progress: &mut Progress<'_>,
) -> Result<(), Unsolved> {
    for &class in group {
        tables.insert(class, Table::new(game.class_size(class)));
    }
    let done = by_levels(game, tables, group, course, progress);
    match done {
        Ok(census) => {
            for (&class, census) in group.iter().zip(census) {
                tables.get_mut(class).expect("it was just added").census = census;
            }
            Ok(())
        }
        Err(unsolved) => {
            group.iter().for_each(|&class| tables.remove(class));
            Err(unsolved)
        }
    }
}

fn by_levels<G: Reversible>(
    game: &G,
    tables: &Tables<G::Class>,
    group: &[G::Class],
    course: &mut Course,
    progress: &mut Progress<'_>,
) -> Result<Vec<Census>, Unsolved> {
    // Step 1. Slices by level, each pair once.
    let mut levels: Vec<Vec<(usize, u64)>> = Vec::new();
    for (number, &class) in group.iter().enumerate() {
        let turned = game.turned(class);
        if turned < class {
            continue;
        }
        for slice in 0..game.slices(class) {
            if turned == class && game.turned_slice(class, slice) < slice {
                continue;
            }
            let level = game.level(class, slice) as usize;
            if levels.len() <= level {
                levels.resize_with(level + 1, Vec::new);
            }
            levels[level].push((number, slice));
        }
        progress.check()?;
    }
    let Course { threads, most_plies, .. } = *course;
    let number_of = |class: G::Class| group.iter().position(|&other| other == class);

    // Step 2. The highest level first: nothing leads down.
    let cancel = progress.cancel;
    let mut workers: Vec<Worker> = (0..threads.max(1)).map(|_| Worker::new(group.len())).collect();
    let mut told = Instant::now();
    for tasks in levels.iter().rev().filter(|tasks| !tasks.is_empty()) {
        let at_once = (tasks.len() / (threads * 8)).clamp(1, MOST_AT_ONCE);
        let work = |worker: &mut Worker, tasks: &[(usize, u64)]| {
            let mut places = 0;
            for &(number, slice) in tasks {
                let class = group[number];
                let found = work_out(game, tables, class, slice, (most_plies, cancel), &mut worker.workspace);
                let turned = number_of(game.turned(class)).expect("turned classes are in the group");
                worker.census[number].add(found[0]);
                worker.census[turned].add(found[1]);
                places += found[0].setups() + found[1].setups();
            }
            Some(places)
        };
        // No more threads than there is work for: most levels are small.
        let spare = workers.split_off(workers.len().min(tasks.len()));
        workers = in_order(workers, tasks.chunks(at_once), cancel, work, |places| {
            course.done += places;
            if told.elapsed() >= TOLD_EVERY {
                told = Instant::now();
                let doing = format!("{} and others", game.class_name(group[0]));
                let done = Some(course.done as f64 / course.all.max(1) as f64);
                (progress.report)(&ProgressUpdate { doing, done, nodes: course.done });
            }
            ControlFlow::Continue(())
        });
        workers.extend(spare);
        progress.check()?;
    }
    let mut total = vec![Census::default(); group.len()];
    for worker in workers {
        total.iter_mut().zip(worker.census).for_each(|(all, part)| all.add(part));
    }
    Ok(total)
}

/// What a thread works with: its memory, and what it has counted of each class.
struct Worker {
    workspace: Workspace,
    census: Vec<Census>,
}

impl Worker {
    fn new(classes: usize) -> Worker {
        Worker { workspace: Workspace::default(), census: vec![Census::default(); classes] }
    }
}

/// Works out those of `classes` that are not held yet. They must be in order, as [`needed`] and [`up_to`] give them. A win that
/// takes more than `most_plies` reversible plies in a row is a draw; [`FOREVER`] asks for none.
///
/// # Errors
/// If it is called off; what is complete stays.
pub fn complete<G: Reversible>(
    game: &G,
    tables: &mut Tables<G::Class>,
    classes: &[G::Class],
    most_plies: u32,
    threads: usize,
    progress: &mut Progress<'_>,
) -> Result<(), Unsolved> {
    let missing: Vec<G::Class> =
        classes.iter().copied().filter(|&class| tables.get(class).is_none()).collect();
    let all = missing.iter().map(|&class| game.class_size(class)).fold(0, u64::saturating_add);
    let mut course = Course { threads, most_plies, done: 0, all };
    for group in groups(game, &missing, u64::MAX) {
        work_out_group(game, tables, &group, &mut course, progress)?;
    }
    Ok(())
}
