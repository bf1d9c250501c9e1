//! The store from outside, with real files.

mod histories;
mod mailboxes;
mod models;
mod samples;
mod troubles;
