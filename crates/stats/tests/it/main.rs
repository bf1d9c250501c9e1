//! Tests of statistics against published numbers. One binary: linking is what takes the time.

#![allow(clippy::disallowed_methods, reason = "compared within a tolerance")]

mod common;
mod compare;
mod distributions;
mod elo;
mod pairs;
mod ratings;
mod sprt;
