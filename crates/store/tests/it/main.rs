//! The store from outside, with real files.

mod histories;
mod killed;
mod mailboxes;
mod models;
#[cfg(unix)]
mod postgres;
mod samples;
mod troubles;
