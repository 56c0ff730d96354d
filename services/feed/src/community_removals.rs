//! The removal of posts and comments by owners and moderators of their community.

use primitives::ids::Ids;
use uuid::Uuid;

/// The stated reason of a removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommunityReason {
    Rules,
    OffTopic,
    Spam,
    Harassment,
    Other,
}

impl CommunityReason {
    /// Returns the text in facts.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::OffTopic => "off_topic",
            Self::Spam => "spam",
            Self::Harassment => "harassment",
            Self::Other => "other",
        }
    }
}

/// A post or comment that an owner or moderator of its community removed.
pub struct CommunityRemoval {
    pub id: Uuid,
    pub community: Uuid,
    pub post: Uuid,
    pub comment: Option<Uuid>,
    pub author: Uuid,
    pub by: Uuid,
    pub reason: Option<CommunityReason>,
}

/// The member who deletes a post or comment.
#[derive(Clone, Copy, Debug)]
pub struct Deleter {
    pub member_id: Uuid,
    /// Ignored for own content.
    pub reason: Option<CommunityReason>,
}

impl Deleter {
    /// Makes the service delete content in the name of its author.
    pub(crate) const fn author(member_id: Uuid) -> Self {
        Self { member_id, reason: None }
    }

    pub(crate) fn removal(
        &self,
        ids: &Ids,
        community: Uuid,
        post: Uuid,
        comment: Option<Uuid>,
        author: Uuid,
    ) -> CommunityRemoval {
        CommunityRemoval {
            id: ids.new_owner(),
            community,
            post,
            comment,
            author,
            by: self.member_id,
            reason: self.reason,
        }
    }
}
