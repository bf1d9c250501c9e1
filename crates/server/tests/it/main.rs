//! The server as clients see it: every test talks to a running one.

mod client;
mod fuzz;
mod hidden;
mod lab;
mod limits;
mod security;
mod tables;
