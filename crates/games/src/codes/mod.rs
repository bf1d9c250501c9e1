//! Integer codes of positions for the collective learner: digits of a base, or bit fields.

pub(crate) mod digits;
pub(crate) mod fields;
