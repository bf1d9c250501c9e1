//! File formats: checksummed files, what learners know, saved games.

pub mod checksummed_file;
pub mod fingerprint;
pub mod knowledge;
pub mod saved;
