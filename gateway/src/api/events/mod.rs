//! Events and their attendees.

pub mod calendar;
pub mod handlers;
pub mod views;
