//! Players, and the matches that they play.

pub mod agent;
pub mod automaton;
pub mod context;
pub mod matches;
pub mod oracle;
pub mod outcome;
pub mod solve;
pub mod stepper;
pub mod thought;
pub mod training;
pub mod win_draw_loss;
