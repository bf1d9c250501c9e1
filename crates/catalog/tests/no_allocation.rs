//! Random play allocates nothing, in any game. Counted by an allocator that counts.

#![allow(unsafe_code, reason = "an allocator cannot be written without")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call is handed on to the system's allocator unchanged; counting touches a plain thread-local number.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the promises of `GlobalAlloc::alloc`, which are the system's.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: `block` came from `System.alloc` with this layout.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.with(Cell::get);
    work();
    ALLOCATIONS.with(Cell::get) - before
}

/// Rules beside each game's defaults: other types, other ways to draw.
const MORE_RULES: &[&str] = &[
    "dominoes(rules=myers)",
    "dominoes(set=9, hand=12, draw=one-then-play)",
    "connect(width=7, height=6)",
    "connect(width=16, height=8)",
    "tictactoe(rows=5, columns=5)",
    "checkers(rows=12, columns=12, kings=may)",
    "minesweeper(rows=5, columns=5)",
    "minesweeper(rows=16, columns=30, mines=99, first=clear)",
];

#[test]
fn playouts_allocate_nothing() {
    for spec in parlor_catalog::GAMES.iter().map(|entry| entry.name).chain(MORE_RULES.iter().copied()) {
        let game = parlor_catalog::open(spec).unwrap();
        assert_eq!(allocations(|| _ = game.playouts(3, 20)), 0, "{spec}");
    }
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(1)))), 1);
}
