//! Clocks, budgets of a search, and the planner that divides a clock's time.

pub mod budget;
pub mod clock;
pub mod deadline;
pub mod planner;
