//! Verifications by the steward of a school. For stewards; valid requests of others get the response of an unknown route.

pub mod handlers;
pub mod views;
