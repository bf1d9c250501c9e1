//! The laws that every game obeys. One call in a game's tests checks them all:
//!
//! ```text
//! #[test]
//! fn laws() {
//!     parlor_testkit::laws(&Connect::<u64>::new(7, 6, 4).unwrap(), 200);
//! }
//! ```

mod afterstates;
mod agents;
pub mod allocator;
mod cells;
pub mod fuzz;
mod playthrough;
#[cfg(unix)]
pub mod postgres;
mod readers;
mod stimuli;
mod tables;
mod walks;

pub use afterstates::{afterstates_laws, positions_laws};
pub use agents::equal_views_equal_answers;
pub use cells::{cells_laws, no_chance};
pub use playthrough::playthrough;
pub use readers::{readers_never_panic, reads_or_explains};
pub use stimuli::{respondents_are_reached, stimulus_laws};
pub use tables::{Case, cases};
pub use walks::{audited_laws, imagine_laws, laws};
