//! The REST API: one folder per feature, with its handlers and its views. `routes` lists every route.
//!
//! Views follow two rules: names are camelCase, and an absent value is null instead of a missing field.

pub mod account;
pub mod activity;
pub mod applications;
pub mod auth;
pub mod communities;
pub mod connections;
pub mod contract;
pub mod docs;
pub mod events;
pub mod export;
pub mod feed_control;
pub mod generated;
pub mod ids;
pub mod jobs;
pub mod link_previews;
pub mod live;
pub mod media;
pub mod members;
pub mod messaging;
pub mod moderation;
pub mod news;
pub mod notifications;
pub mod onboarding;
pub mod openapi;
pub mod picture_access;
pub mod policy_reports;
pub mod posts;
pub mod privacy;
pub mod profile;
pub mod push;
pub mod rate_limits;
pub mod reports;
pub mod resources;
pub mod routes;
pub mod saved_items;
pub mod school;
pub mod search;
pub mod source_status;
pub mod state;
pub mod topics;
pub mod well_known;
