//! The laws that every game obeys. One call in a game's tests checks them all:
//!
//! ```ignore
//! #[test]
//! fn laws() {
//!     parlor_testkit::laws(&Connect::<u64>::new(7, 6, 4).unwrap(), 200);
//! }
//! ```

mod readers;
mod walks;

pub use readers::{readers_never_panic, reads_or_explains};
pub use walks::{audited_laws, imagine_laws, laws};
