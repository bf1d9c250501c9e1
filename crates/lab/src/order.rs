//! Many threads, one order: rows come out in the order of their numbers, whatever thread was first.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use parlor_core::dynamic::AnyCrew;

use crate::pairs::PairRow;

/// Plays the rows with one thread a crew and hands each to `on_row`, in order. A `Break` from `on_row` or a raised
/// `stop` ends it early: what was handed over by then are the first rows, without a gap.
pub(crate) fn play_in_order(
    crews: Vec<Box<dyn AnyCrew>>,
    rows: Range<u64>,
    stop: &AtomicBool,
    play: impl Fn(&mut dyn AnyCrew, u64) -> PairRow + Sync,
    mut on_row: impl FnMut(PairRow) -> ControlFlow<()>,
) {
    let next = AtomicU64::new(rows.start);
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        // Bounded, so that a slow consumer does not make a fast producer fill the memory.
        let (send, played) = mpsc::sync_channel::<PairRow>(4 * crews.len());
        for mut crew in crews {
            let send = send.clone();
            let (next, done, play, end) = (&next, &done, &play, rows.end);
            scope.spawn(move || {
                loop {
                    if stop.load(Ordering::Relaxed) || done.load(Ordering::Relaxed) {
                        return;
                    }
                    let row = next.fetch_add(1, Ordering::Relaxed);
                    if row >= end || send.send(play(&mut *crew, row)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let mut waiting = BTreeMap::new();
        let mut due = rows.start;
        for row in played {
            waiting.insert(row.pair, row);
            while let Some(row) = waiting.remove(&due) {
                due += 1;
                if !done.load(Ordering::Relaxed) && on_row(row).is_break() {
                    done.store(true, Ordering::Relaxed);
                }
            }
        }
    });
}
