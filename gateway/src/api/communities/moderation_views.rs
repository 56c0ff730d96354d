//! Bans, the log of a community, and the requests of its owners and moderators.

use portia_proto::social_graph::RemoveMemberRequest;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::edge::extract::unless_empty;

pub use crate::api::contract::social_graph::{CommunityAction, CommunityBan, CommunityLogEntry, CommunityReason};

/// The parameters of `DELETE /api/communities/{id}/members/{memberId}`.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RemoveCommunityMemberQuery {
    /// Whether the member cannot join again; true when absent.
    #[serde(default)]
    pub ban: Option<bool>,
    /// The reason; only for the log.
    #[serde(default, deserialize_with = "unless_empty")]
    #[param(inline)]
    pub reason: Option<CommunityReason>,
}

impl RemoveCommunityMemberQuery {
    /// The request to social-graph.
    pub fn of(self, community_id: String, member_id: String) -> RemoveMemberRequest {
        let (ban, reason) = (self.ban.unwrap_or(true), CommunityReason::requested(self.reason));
        RemoveMemberRequest { community_id, member_id, ban, reason }
    }
}
