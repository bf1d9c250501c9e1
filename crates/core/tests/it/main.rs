//! Tests of the vocabulary. One binary: linking is what takes the time.

mod planner;
mod referee;
mod time_management;
