//! Requests to join a community, and invitations.

pub use crate::api::contract::social_graph::{CommunityInvitation, CommunityJoinRequest, OwnCommunityInvitation};
