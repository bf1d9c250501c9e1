//! Tests of runs, files and reports. One binary: linking is what takes the time.

mod chart;
mod experiment_files;
mod experiment_findings;
mod experiment_reports;
#[cfg(unix)]
mod outside;
mod pairs;
mod published_experiments;
mod runs;
mod sheet;
mod tournament;
