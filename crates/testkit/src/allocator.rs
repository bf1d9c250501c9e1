//! An allocator that counts, for tests of what allocates and how much.

#![allow(unsafe_code, reason = "an allocator cannot be written without")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Hands every call on to the system's allocator and counts by thread. A test binary installs it with `#[global_allocator]`.
#[derive(Debug)]
pub struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
    /// Bytes that this thread has taken and not given back, and the most there were.
    static HELD: Cell<i64> = const { Cell::new(0) };
    static MOST_HELD: Cell<i64> = const { Cell::new(0) };
}

fn hold(bytes: i64) {
    HELD.with(|held| held.set(held.get() + bytes));
    MOST_HELD.with(|most| most.set(most.get().max(HELD.with(Cell::get))));
}

// SAFETY: every call is handed on to the system's allocator unchanged; counting touches plain thread-local numbers.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        hold(layout.size() as i64);
        // SAFETY: the caller keeps the promises of `GlobalAlloc::alloc`, which are the system's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        hold(layout.size() as i64);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        hold(-(layout.size() as i64));
        // SAFETY: `block` came from the system's allocator with this layout.
        unsafe { System.dealloc(block, layout) }
    }
}

/// Returns how many allocations some work makes on this thread.
pub fn allocations(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.with(Cell::get);
    work();
    ALLOCATIONS.with(Cell::get) - before
}

/// Returns what some work returns, and how many bytes more than before this thread held during it, at the most.
pub fn most_held<T>(work: impl FnOnce() -> T) -> (T, i64) {
    let before = HELD.with(Cell::get);
    MOST_HELD.with(|most| most.set(before));
    let result = work();
    (result, MOST_HELD.with(Cell::get) - before)
}
