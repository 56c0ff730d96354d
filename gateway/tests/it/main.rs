//! Tests of the real router on fake upstreams: responses, authorisation and refusals.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test's helper fails by panicking"
)]

mod account;
mod actors;
mod application_files;
mod attempts;
mod bad_input;
mod bodies;
mod cache;
mod communities;
mod connections;
mod document;
mod events;
mod export;
mod failing;
mod fakes;
mod feed_control;
mod headers;
mod limits;
mod link_previews;
mod live;
mod live_interests;
mod media;
mod mentions;
mod message_attachments;
mod messages;
mod moderation;
mod notifications;
mod onboarding;
mod order_of_checks;
mod passkeys;
mod pdf_files;
mod people;
mod pictures;
mod post_bodies;
mod previews;
mod privacy;
mod profile;
mod profile_bodies;
mod refreshes;
mod registrations;
mod reports;
mod reset;
mod saved;
mod school;
mod screens;
mod search;
mod second_factors;
mod security_log;
mod sessions;
mod sign_in;
mod signed_pictures;
mod socket;
mod test_gateway;
mod topics;
mod well_known;
