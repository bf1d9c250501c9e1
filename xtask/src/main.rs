//! The chores of parlor.
fn main() {}
