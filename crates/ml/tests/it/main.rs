//! Tests of the classifiers.

mod discriminant;
mod forest;
