//! Tests of social-graph on a real Postgres, through its own layers.
#![cfg(test)]

mod actors;
mod blocks;
mod communities;
mod community_admission;
mod community_admission_limits;
mod community_admission_races;
mod community_changes;
mod community_moderation;
mod community_moderation_races;
mod community_races;
mod connection_changes;
mod connection_races;
mod connections;
mod deactivation;
mod demo;
mod erasure;
mod event_changes;
mod events;
mod export;
mod facts;
mod fixtures;
mod follows;
mod personal_data;
mod private_communities;
mod query_cost;
mod request_allowance;
mod search;
mod suggestion_replicas;
mod suggestions;
