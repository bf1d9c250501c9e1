//! Many threads, one order: results come out in the order of their numbers, whatever thread was first.

use parlor_core::Cancel;
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

/// Does the jobs with one thread a worker and hands each result to `on_result`, in order. A `Break` from `on_result`, a
/// raised `stop` or a job without a result ends it early: what was handed over by then are the first results, without a
/// gap.
pub(crate) fn in_order<W: Send, R: Send>(
    workers: Vec<W>,
    jobs: Range<u64>,
    stop: &Cancel,
    work: impl Fn(&mut W, u64) -> Option<R> + Sync,
    mut on_result: impl FnMut(u64, R) -> ControlFlow<()>,
) {
    let next = AtomicU64::new(jobs.start);
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        // Bounded, so that a slow consumer does not make a fast producer fill the memory.
        let (send, results) = mpsc::sync_channel::<(u64, R)>(4 * workers.len());
        for mut worker in workers {
            let send = send.clone();
            let (next, done, work, end) = (&next, &done, &work, jobs.end);
            scope.spawn(move || {
                loop {
                    if stop.is_cancelled() || done.load(Ordering::Relaxed) {
                        return;
                    }
                    let job = next.fetch_add(1, Ordering::Relaxed);
                    if job >= end {
                        return;
                    }
                    let Some(result) = work(&mut worker, job) else { return };
                    if send.send((job, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let mut waiting = BTreeMap::new();
        let mut due = jobs.start;
        for (job, result) in results {
            waiting.insert(job, result);
            while let Some(result) = waiting.remove(&due) {
                if !done.load(Ordering::Relaxed) && on_result(due, result).is_break() {
                    done.store(true, Ordering::Relaxed);
                }
                due += 1;
            }
        }
    });
}
