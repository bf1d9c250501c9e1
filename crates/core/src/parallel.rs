//! Work on several threads: results in the order of the jobs, progress, and cancelling.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread;

use crate::time::deadline::Cancel;

/// What the calling thread receives.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Report<R> {
    /// A worker has done this much of its job.
    Progress(u64),
    /// The result of the next job, in the order of the jobs.
    Result(R),
}

/// Does the jobs on one thread a worker and hands each result to `on_result` on the calling thread, in the order of the jobs,
/// no matter which worker was first. Returns the workers.
///
/// A `Break` from `on_result`, a set `cancel` or a job without a result ends it early: the results that were handed over by
/// then are the first ones, without a gap. A single worker works on the calling thread.
pub fn in_order<W: Send, J: Send, R: Send>(
    workers: Vec<W>,
    jobs: impl Iterator<Item = J> + Send,
    cancel: &Cancel,
    work: impl Fn(&mut W, J) -> Option<R> + Sync,
    mut on_result: impl FnMut(R) -> ControlFlow<()>,
) -> Vec<W> {
    let work = |worker: &mut W, job, _: &mut dyn FnMut(u64)| work(worker, job);
    in_order_with_progress(workers, jobs, cancel, work, |report| match report {
        Report::Result(result) => on_result(result),
        Report::Progress(_) => ControlFlow::Continue(()),
    })
}

/// Does the jobs as [`in_order`] does. Each job may report progress on its way; reports reach `on_report` as they come.
pub fn in_order_with_progress<W: Send, J: Send, R: Send>(
    mut workers: Vec<W>,
    jobs: impl Iterator<Item = J> + Send,
    cancel: &Cancel,
    work: impl Fn(&mut W, J, &mut dyn FnMut(u64)) -> Option<R> + Sync,
    mut on_report: impl FnMut(Report<R>) -> ControlFlow<()>,
) -> Vec<W> {
    if let [worker] = &mut workers[..] {
        let mut go_on = true;
        for job in jobs {
            if cancel.is_cancelled() || !go_on {
                break;
            }
            let result = work(worker, job, &mut |done| {
                go_on &= on_report(Report::Progress(done)).is_continue();
            });
            let Some(result) = result else { break };
            go_on &= on_report(Report::Result(result)).is_continue();
        }
        return workers;
    }

    let jobs = Mutex::new(jobs.enumerate());
    let next = || jobs.lock().expect("taking a job does not panic").next();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        // Bounded, so that a slow consumer does not make fast workers fill the memory.
        let (send, reports) = mpsc::sync_channel::<(usize, Report<R>)>(4 * workers.len());
        for worker in &mut workers {
            let send = send.clone();
            let (next, done, work) = (&next, &done, &work);
            scope.spawn(move || {
                while !cancel.is_cancelled() && !done.load(Ordering::Relaxed) {
                    let Some((number, job)) = next() else { return };
                    // The consumer stays until all workers have gone, so nothing is lost by not looking.
                    let mut progress = |done: u64| drop(send.send((number, Report::Progress(done))));
                    let Some(result) = work(worker, job, &mut progress) else { return };
                    if send.send((number, Report::Result(result))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let mut waiting = BTreeMap::new();
        let mut due = 0;
        let mut tell = |report| {
            if !done.load(Ordering::Relaxed) && on_report(report).is_break() {
                done.store(true, Ordering::Relaxed);
            }
        };
        for (number, report) in reports {
            match report {
                Report::Progress(_) => tell(report),
                Report::Result(result) => {
                    waiting.insert(number, result);
                    while let Some(result) = waiting.remove(&due) {
                        tell(Report::Result(result));
                        due += 1;
                    }
                }
            }
        }
    });
    workers
}

/// Does the jobs on `threads` threads, in no particular order; one thread is the calling one.
pub fn for_each<J: Send>(threads: usize, jobs: impl Iterator<Item = J> + Send, work: impl Fn(J) + Sync) {
    if threads < 2 {
        return jobs.for_each(work);
    }
    let jobs = Mutex::new(jobs);
    let next = || jobs.lock().expect("taking a job does not panic").next();
    let labour = || {
        while let Some(job) = next() {
            work(job);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(labour);
        }
        labour();
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;
    use std::time::Duration;

    /// A job that takes the longer the smaller its number is, so that results come in the wrong order.
    fn slow(worker: &mut u64, job: u64) -> Option<u64> {
        thread::sleep(Duration::from_micros(200 * (7 - job % 8)));
        *worker += 1;
        Some(job * job)
    }

    #[test]
    fn results_come_in_order_and_workers_come_back() {
        for threads in [1, 2, 5] {
            let mut results = Vec::new();
            let workers = in_order(vec![0; threads], 3..40, &Cancel::new(), slow, |result| {
                results.push(result);
                ControlFlow::Continue(())
            });
            assert_eq!(results, (3..40).map(|job| job * job).collect::<Vec<u64>>());
            assert_eq!(
                (workers.len(), workers.iter().sum::<u64>()),
                (threads, 37),
                "every job was done once"
            );
        }
    }

    #[test]
    fn breaking_off_leaves_no_gap() {
        for threads in [1, 3] {
            // By the consumer.
            let mut results = Vec::new();
            in_order(vec![0; threads], 0.., &Cancel::new(), slow, |result| {
                results.push(result);
                if results.len() == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            assert_eq!(results, (0..10).map(|job| job * job).collect::<Vec<u64>>());
            // By a job.
            let mut results = Vec::new();
            let work = |worker: &mut u64, job| if job == 5 { None } else { slow(worker, job) };
            in_order(vec![0; threads], 0..100, &Cancel::new(), work, |result| {
                results.push(result);
                ControlFlow::Continue(())
            });
            assert_eq!(results, [0, 1, 4, 9, 16]);
            // From outside.
            let cancel = Cancel::new();
            let mut results = Vec::new();
            in_order(vec![0; threads], 0.., &cancel, slow, |result| {
                results.push(result);
                if results.len() == 4 {
                    cancel.cancel();
                }
                ControlFlow::Continue(())
            });
            assert!(results.len() >= 4, "{results:?}");
            assert!(results.iter().zip(0..).all(|(&result, job)| result == job * job), "{results:?}");
        }
    }

    #[test]
    fn progress_is_reported_on_the_calling_thread() {
        let here = thread::current().id();
        for threads in [1, 3] {
            let (mut progress, mut results) = (0, 0);
            let work = |(): &mut (), job: u64, tell: &mut dyn FnMut(u64)| {
                (0..job).for_each(|_| tell(1));
                Some(())
            };
            in_order_with_progress(vec![(); threads], 0..10, &Cancel::new(), work, |report| {
                assert_eq!(thread::current().id(), here);
                match report {
                    Report::Progress(done) => progress += done,
                    Report::Result(()) => results += 1,
                }
                ControlFlow::Continue(())
            });
            assert_eq!((progress, results), (45, 10));
        }
    }

    #[test]
    fn jobs_without_results_are_all_done() {
        for threads in [0, 1, 4] {
            let sum = AtomicU64::new(0);
            for_each(threads, 1..=100, |job| {
                sum.fetch_add(job, Ordering::Relaxed);
            });
            assert_eq!(sum.into_inner(), 5050);
        }
    }
}
