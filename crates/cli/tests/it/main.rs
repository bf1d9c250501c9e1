//! Tests of the program, run as a process. One binary: linking is what takes the time.

mod analyse;
mod books;
mod broken;
mod calls;
mod classify;
mod commands;
mod endgames;
mod engine;
mod experiments;
#[cfg(unix)]
mod fable;
#[cfg(unix)]
mod fable_killed;
#[cfg(unix)]
mod fable_troubles;
mod files;
mod guide;
mod hidden;
mod json_page;
mod learning;
mod nets;
mod odds;
mod place;
#[cfg(unix)]
mod programs;
#[cfg(unix)]
mod protocol;
mod recording;
mod serve;
mod shards;
mod solve;
mod specs;
mod stats;
mod table;
mod table_people;
mod tournaments;
mod training;
