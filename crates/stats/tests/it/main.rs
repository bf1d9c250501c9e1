//! Tests of statistics against published numbers. One binary, because linking takes most of the build time.

#![allow(clippy::disallowed_methods, reason = "compared within a tolerance")]

mod common;
mod compare;
mod distributions;
mod elo;
mod pairs;
mod ratings;
mod sprt;
