//! File formats: checksummed files, what learners know, saved games.

mod atomic;
pub mod checksummed_file;
pub mod fingerprint;
pub mod knowledge;
pub mod saved;

pub use atomic::{write_atomically, write_atomically_with};
