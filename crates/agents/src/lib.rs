//! Players that know no game by name. What one needs of a game stands in its bounds.

pub mod collective;
pub mod outside;
pub mod random;

pub use outside::Outside;
pub use random::Random;
