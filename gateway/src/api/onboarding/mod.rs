//! The onboarding of a new member.

pub mod handlers;
pub mod views;
