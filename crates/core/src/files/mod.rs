//! Reading and writing files; file formats: checksummed files, what learners know, fitted classifiers, saved games.

mod atomic;
pub mod checksummed_file;
pub mod explain;
pub mod fingerprint;
pub mod knowledge;
pub mod model;
pub mod reading;
pub mod recall;
pub mod saved;

pub use atomic::{check_writable, replace, write_atomically, write_atomically_with};
