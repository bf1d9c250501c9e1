//! Players that know no game by name. What one needs of a game stands in its bounds.

pub mod random;

pub use random::Random;
