//! Tests of the engine on toy boards.

mod engine;
mod stored;

#[global_allocator]
static COUNTING: parlor_testkit::allocator::Counting = parlor_testkit::allocator::Counting;
