//! The onboarding of a new member.

pub mod communities;
pub mod handlers;
pub mod views;
