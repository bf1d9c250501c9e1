//! Tests of statistics against published numbers. One binary: linking is what takes the time.

mod common;
mod compare;
mod distributions;
mod elo;
mod pairs;
mod ratings;
mod sprt;
