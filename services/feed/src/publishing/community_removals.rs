//! Publishes that an owner or moderator removed content from a community.

use chrono::{DateTime, Utc};
use portia_proto::feed::CommunityContentRemoved;
use sqlx::PgConnection;

use super::{FactPublisher, Published};
use crate::community_removals::{CommunityReason, CommunityRemoval};

impl FactPublisher {
    pub async fn publish_community_content_removed(
        &self,
        db: &mut PgConnection,
        removal: &CommunityRemoval,
        at: DateTime<Utc>,
    ) -> Published {
        let fact = CommunityContentRemoved {
            removal_id: removal.id.to_string(),
            community_id: removal.community.to_string(),
            post_id: removal.post.to_string(),
            comment_id: removal.comment.map(|id| id.to_string()),
            author_id: removal.author.to_string(),
            removed_by: removal.by.to_string(),
            reason: removal.reason.map(CommunityReason::text).unwrap_or_default().to_owned(),
        };
        self.0.publish(db, removal.post, &fact, at).await
    }
}
