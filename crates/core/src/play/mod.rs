//! Players, and the matches that they play.

pub mod agent;
pub mod game_loop;
pub mod oracle;
pub mod solve;
pub mod thought;
pub mod training;
pub mod win_draw_loss;
