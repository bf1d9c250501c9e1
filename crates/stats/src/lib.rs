//! Statistics of game playing: numbers in, numbers out.
//!
//! | module | question |
//! |---|---|
//! | [`pairs`] | how likely is such a score of n pairs between equals, exactly? |
//! | [`elo`] | how large is the difference, with which interval, and is it significant? |
//! | [`sprt`] | may a test stop, and what is the estimate then? |
//! | [`ratings`] | how strong are many agents, given their results against each other? |
//! | [`compare`] | do two rates, means, variances, or several groups differ? |
//! | [`intervals`] | which interval covers a rate, a mean or another statistic? |
//! | [`curves`] | how much has a learner gained, and is it still improving? |
//! | [`saturating_curve`] | which level does a learning curve approach, and how fast? |
//! | [`distributions`] | normal, Student, F, chi-square, binomial probabilities |
//!
//! Nothing here prints, draws random numbers or depends on a game. A number that does not exist is `None`, every
//! returned number is finite, and every loop ends.
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
pub mod saturating_curve;
mod special;
pub mod sprt;
