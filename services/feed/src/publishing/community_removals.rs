//! Publishes that an owner or moderator removed content from a community.

use outbox::UnitOfWork;
use portia_proto::feed::CommunityContentRemoved;

use super::Published;
use crate::community_removals::{CommunityReason, CommunityRemoval};

pub async fn publish_community_content_removed(work: &mut UnitOfWork<'_>, removal: &CommunityRemoval) -> Published {
    let fact = CommunityContentRemoved {
        removal_id: removal.id.to_string(),
        community_id: removal.community.to_string(),
        post_id: removal.post.to_string(),
        comment_id: removal.comment.map(|id| id.to_string()),
        author_id: removal.author.to_string(),
        removed_by: removal.by.to_string(),
        reason: removal.reason.map(CommunityReason::text).unwrap_or_default().to_owned(),
    };
    work.publish(removal.post, &fact).await
}
