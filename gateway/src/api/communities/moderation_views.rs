//! Bans, the log of a community, and the requests of its owners and moderators.

use portia_proto::feed;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

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

/// The parameters of the deletion of a post or comment.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DeleteContentQuery {
    /// For an owner or moderator of the community: the reason, which the author is told. Ignored for own content.
    #[serde(default, deserialize_with = "unless_empty")]
    #[param(inline)]
    pub reason: Option<CommunityReason>,
}

impl DeleteContentQuery {
    /// The reason in requests to feed.
    pub fn feed_reason(&self) -> i32 {
        let reason = self.reason.map(|reason| match reason {
            CommunityReason::Rules => feed::CommunityReason::Rules,
            CommunityReason::OffTopic => feed::CommunityReason::OffTopic,
            CommunityReason::Spam => feed::CommunityReason::Spam,
            CommunityReason::Harassment => feed::CommunityReason::Harassment,
            CommunityReason::Other => feed::CommunityReason::Other,
        });
        reason.unwrap_or_default().into()
    }
}

/// The next owner of a community.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TransferCommunity {
    /// A moderator of the community. Absent counts as blank.
    #[serde(default)]
    #[schema(required, format = Uuid)]
    pub member_id: String,
}
