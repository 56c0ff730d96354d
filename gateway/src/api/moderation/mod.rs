//! Moderation: reports, appeals, suspensions, statistics and the log. For members with the role, except appeals themselves.

pub mod attachments;
pub mod members;
pub mod removal_views;
pub mod reports;
pub mod statistics;
pub mod suspension_appeals;
pub mod suspension_views;
pub mod views;
