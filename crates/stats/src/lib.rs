//! Statistics of game playing: numbers in, numbers out.
//!
//! | module | answers |
//! |---|---|
//! | [`pairs`] | how likely is such a score of n pairs between equals? exactly |
//! | [`elo`] | how large is the difference, between which limits, and is there one? |
//! | [`sprt`] | may we stop testing, and what do we know then? |
//! | [`ratings`] | how strong are many agents, from who beat whom? |
//! | [`compare`] | do two rates, means, variances, or several groups differ? |
//! | [`intervals`] | between which limits lies a rate, a mean, anything? |
//! | [`curves`] | has the learner gained, by how much, does it still move? |
//! | [`distributions`] | normal, Student, F, chi-square, binomial probabilities |
//!
//! Nothing here prints, rolls dice or knows a game. A number that does not exist is `None`; every number that is
//! returned is finite; every loop ends.
//!
//! ```
//! use parlor_stats::outcomes::Pentanomial;
//! use parlor_stats::sprt::{Scale, Sprt, State};
//!
//! // Pairs of games by their points, 0 to 2.
//! let pairs = Pentanomial([50, 200, 500, 250, 60]);
//! let seen = parlor_stats::elo::of_pairs(&pairs);
//! assert_eq!(format!("{:.1}", seen.elo.unwrap()), "11.5");
//! assert_eq!(format!("{:.3}", seen.p_value.unwrap()), "0.021");
//!
//! let test = Sprt::new(Scale::Logistic, 0.0, 5.0)?;
//! assert_eq!(test.state(test.llr(pairs)), State::Continue);
//! # Ok::<(), parlor_stats::error::Unfit>(())
//! ```

pub mod compare;
pub mod curves;
pub mod distributions;
pub mod elo;
pub mod error;
pub mod intervals;
pub mod outcomes;
pub mod pairs;
pub mod ratings;
pub mod samples;
mod special;
pub mod sprt;
