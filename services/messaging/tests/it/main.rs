//! Tests of messaging on a real Postgres, through its own layers.
#![cfg(test)]

mod attachment_storage;
mod attachment_uploads;
mod attachments;
mod bad_input;
mod blocks;
mod changed_messages;
mod conversations;
mod demo;
mod erasure;
mod export;
mod fixtures;
mod group_messages;
mod group_races;
mod group_requests;
mod groups;
mod message_reactions;
mod message_search;
mod messages;
mod muted;
mod notifications;
mod personal_data;
mod privacy;
mod push;
mod query_cost;
mod races;
mod read_marks;
mod reported_attachments;
mod request_allowance;
mod requests;
