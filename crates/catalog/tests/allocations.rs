//! Random play allocates nothing, in any game, and a search keeps to its memory. Counted by an allocator that counts.

#![allow(unsafe_code, reason = "an allocator cannot be written without")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use parlor_core::Seat;

struct Counting;

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
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        hold(-(layout.size() as i64));
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

/// Returns how many bytes more than before were held during some work on this thread, at the most.
fn most_held(work: impl FnOnce()) -> i64 {
    let before = HELD.with(Cell::get);
    MOST_HELD.with(|most| most.set(before));
    work();
    MOST_HELD.with(Cell::get) - before
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

/// Returns the most memory that building an agent and its first decision took.
fn memory_of(agent: &str) -> i64 {
    let game = parlor_catalog::open("connect(width=7, height=6)").unwrap();
    most_held(|| {
        let mut table = game.table(1, None).unwrap();
        table.seat_agent(Seat::FIRST, agent).unwrap();
        table.agent_act().unwrap();
    })
}

#[test]
fn full_trees_go_on_without_growing() {
    const MEBIBYTE: i64 = 1 << 20;
    // A mebibyte has room for about 30,000 nodes, so both trees are full long before the end.
    let [once, twice] = ["60000", "120000"].map(|sims| memory_of(&format!("mcts(sims={sims}, memory_mb=1)")));
    assert!(once > MEBIBYTE / 2, "the tree is measured: {once} bytes");
    assert!(twice <= once + 1024, "{twice} bytes after twice as many simulations, {once} before");
    assert!(twice <= MEBIBYTE + MEBIBYTE / 8, "{twice} bytes in a tree of a mebibyte");
    let roomy = memory_of("mcts(sims=120000, memory_mb=16)");
    assert!(roomy > 2 * MEBIBYTE, "it would grow if it could: {roomy} bytes");
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(1)))), 1);
}
