//! HTTP: connections, requests, replies, and what every request must satisfy.

pub mod accept;
pub mod guard;
pub mod patient;
pub mod problem;
pub mod reply;
pub mod request;
