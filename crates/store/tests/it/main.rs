//! The store from outside, with real files.

mod histories;
mod models;
mod samples;
mod troubles;
