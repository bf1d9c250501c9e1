//! Builds classes on several threads, in order of what they convert into.

use std::collections::{BTreeSet, BinaryHeap};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use parlor_core::parallel::in_order;
use parlor_core::{Progress, ProgressUpdate, Reversible, Unsolved};

use super::slice::{Workspace, solve_slice};
use super::table::{Census, EndgameTable, Tables};

/// The limit of a game without a rule that ends matches without progress.
pub const NO_PLY_LIMIT: u32 = u32::MAX;

/// The time between two progress reports.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// The maximum number of slices that a thread takes at once: enough to amortise the locking, few enough to react to
/// Ctrl-C.
const MAX_BATCH: usize = 64;

/// Returns every class reachable from `class`, itself and its turned class included, in build order.
pub fn reachable_classes<G: Reversible>(game: &G, class: G::Class) -> Vec<G::Class> {
    reachable_classes_within(game, class, u64::MAX).expect("no sum of places exceeds the limit")
}

/// Returns the same classes, or `None` if they have more than `most` places together.
///
/// Visits the largest known class first, because listing all classes reachable from the start of a large board would
/// take a minute.
pub fn reachable_classes_within<G: Reversible>(
    game: &G,
    class: G::Class,
    most: u64,
) -> Option<Vec<G::Class>> {
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

/// Returns every class with at most `pieces` pieces, in build order.
pub fn up_to<G: Reversible>(game: &G, pieces: u32) -> Vec<G::Class> {
    let mut classes: Vec<G::Class> = (2..=pieces).flat_map(|pieces| game.classes(pieces)).collect();
    classes.sort_by_key(|&class| (game.rank(class), class));
    classes
}

/// Splits the classes into groups that are built together: of one rank and with at most `most` places, unless the group
/// is a single class and its turned one.
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
        let group = groups.last_mut().expect("a group was pushed above");
        group.push(class);
        if turned != class {
            group.push(turned);
        }
    }
    groups
}

/// The parameters and the progress of a build.
#[derive(Copy, Clone, Debug)]
pub(super) struct BuildProgress {
    /// The number of threads.
    pub(super) threads: usize,
    /// Wins that take more reversible plies in a row count as draws.
    pub(super) most_plies: u32,
    /// Places finished.
    pub(super) done: u64,
    /// Places in total.
    pub(super) all: u64,
}

/// Builds a group of classes of one rank, turned ones included, and adds their tables. The tables of everything they
/// convert into must be in memory.
pub(super) fn build_group<G: Reversible>(
    game: &G,
    tables: &mut Tables<G::Class>,
    group: &[G::Class],
    build_progress: &mut BuildProgress,
    progress: &mut Progress<'_>,
) -> Result<(), Unsolved> {
    for &class in group {
        tables.insert(class, EndgameTable::new(game.class_size(class)));
    }
    let done = solve_levels(game, tables, group, build_progress, progress);
    match done {
        Ok(census) => {
            for (&class, census) in group.iter().zip(census) {
                tables.get_mut(class).expect("the table was inserted above").census = census;
            }
            Ok(())
        }
        Err(unsolved) => {
            group.iter().for_each(|&class| tables.remove(class));
            Err(unsolved)
        }
    }
}

fn solve_levels<G: Reversible>(
    game: &G,
    tables: &Tables<G::Class>,
    group: &[G::Class],
    build_progress: &mut BuildProgress,
    progress: &mut Progress<'_>,
) -> Result<Vec<Census>, Unsolved> {
    // Step 1. Sort the slices by level, each pair once.
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
    let BuildProgress { threads, most_plies, .. } = *build_progress;
    let number_of = |class: G::Class| group.iter().position(|&other| other == class);

    // Step 2. Solve the highest level first, because no move leads to a lower one.
    let cancel = progress.cancel;
    let mut workers: Vec<Worker> = (0..threads.max(1)).map(|_| Worker::new(group.len())).collect();
    let mut reported = Instant::now();
    for tasks in levels.iter().rev().filter(|tasks| !tasks.is_empty()) {
        let at_once = (tasks.len() / (threads * 8)).clamp(1, MAX_BATCH);
        let work = |worker: &mut Worker, tasks: &[(usize, u64)]| {
            let mut places = 0;
            for &(number, slice) in tasks {
                let class = group[number];
                let found =
                    solve_slice(game, tables, class, slice, (most_plies, cancel), &mut worker.workspace);
                let turned = number_of(game.turned(class)).expect("turned classes are in the group");
                worker.census[number].add(found[0]);
                worker.census[turned].add(found[1]);
                places += found[0].setups() + found[1].setups();
            }
            Some(places)
        };
        // No more threads than tasks: most levels are small.
        let spare = workers.split_off(workers.len().min(tasks.len()));
        workers = in_order(workers, tasks.chunks(at_once), cancel, work, |places| {
            build_progress.done += places;
            if reported.elapsed() >= PROGRESS_INTERVAL {
                reported = Instant::now();
                let doing = format!("{} and others", game.class_name(group[0]));
                let done = Some(build_progress.done as f64 / build_progress.all.max(1) as f64);
                (progress.report)(&ProgressUpdate { doing, done, nodes: build_progress.done });
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

/// The state of a thread: its buffers and its counts of each class.
struct Worker {
    workspace: Workspace,
    census: Vec<Census>,
}

impl Worker {
    fn new(classes: usize) -> Worker {
        Worker { workspace: Workspace::default(), census: vec![Census::default(); classes] }
    }
}

/// Builds those of `classes` that are not in memory. They must be in the order of [`reachable_classes`] or [`up_to`]. A win that
/// takes more than `most_plies` reversible plies in a row counts as a draw; [`NO_PLY_LIMIT`] means no such limit.
///
/// # Errors
/// If the build is cancelled. Finished classes are kept.
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
    let mut build_progress = BuildProgress { threads, most_plies, done: 0, all };
    for group in groups(game, &missing, u64::MAX) {
        build_group(game, tables, &group, &mut build_progress, progress)?;
    }
    Ok(())
}
