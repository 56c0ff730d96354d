//! Facts published to other services.

mod community_removals;
pub mod moderation;
mod snapshot;

use outbox::{PreparedFact, UnitOfWork};
use portia_proto::feed::{
    self as pb, CommentReacted, CommentReactionRemoved, PostCommentEdited, PostCommentRemoved, PostCommented,
    PostCreated, PostDeleted, PostEdited, PostReacted, PostReactionRemoved, PostRepostRemoved, PostReposted,
};
use uuid::Uuid;

use crate::{
    mentions::MentionChange,
    reactions::{Reaction, ReactionKind},
};

pub use community_removals::publish_community_content_removed;
pub use snapshot::FeedSnapshot;

/// A fact is published in the transaction of its change.
type Published = Result<(), sqlx::Error>;

pub async fn publish_post_created(
    work: &mut UnitOfWork<'_>,
    post: Uuid,
    author: Uuid,
    community: Option<Uuid>,
    mentioned: &[Uuid],
) -> Published {
    let fact = PostCreated { mentioned_ids: texts(mentioned), ..post_created(post, author, community) };
    work.publish(post, &fact).await
}

/// Prepares a PostReacted without the author and community of the post, which the statement adds.
pub fn prepare_post_reacted(work: &UnitOfWork<'_>, post: Uuid, reaction: Reaction) -> PreparedFact {
    work.prepare(&PostReacted { author_id: String::new(), ..post_reacted(post, Uuid::nil(), reaction) })
}

/// Prepares a PostReactionRemoved without the author of the post, which the statement adds.
pub fn prepare_post_reaction_removed(work: &UnitOfWork<'_>, post: Uuid, member: Uuid) -> PreparedFact {
    work.prepare(&PostReactionRemoved {
        post_id: post.to_string(),
        author_id: String::new(),
        member_id: member.to_string(),
    })
}

pub async fn publish_post_commented(
    work: &mut UnitOfWork<'_>,
    comment: &CommentRef,
    community: Option<Uuid>,
    mentioned: &[Uuid],
) -> Published {
    let community_id = community.map(|id| id.to_string());
    let fact = PostCommented { community_id, mentioned_ids: texts(mentioned), ..post_commented(comment) };
    work.publish(comment.post, &fact).await
}

pub async fn publish_post_comments_removed(work: &mut UnitOfWork<'_>, removed: &[CommentRef]) -> Published {
    let fact = |comment: &CommentRef| PostCommentRemoved {
        post_id: comment.post.to_string(),
        author_id: comment.author.to_string(),
        comment_id: comment.comment.to_string(),
        member_id: comment.member.to_string(),
        reply_to: comment.reply_to.map(|id| id.to_string()),
        reply_to_author_id: comment.reply_to_author.map(|id| id.to_string()),
    };
    let facts: Vec<_> = removed.iter().map(|comment| (comment.post, fact(comment))).collect();
    work.publish_all(&facts).await
}

pub async fn publish_post_comment_edited(
    work: &mut UnitOfWork<'_>,
    edited: &EditedCommentRef,
    mentions: &MentionChange,
) -> Published {
    let fact = PostCommentEdited {
        post_id: edited.post.to_string(),
        author_id: edited.author.to_string(),
        comment_id: edited.comment.to_string(),
        member_id: edited.member.to_string(),
        mentioned_ids: texts(&mentions.notified),
        unmentioned_ids: texts(&mentions.removed),
    };
    work.publish(edited.post, &fact).await
}

pub async fn publish_comment_reacted(
    work: &mut UnitOfWork<'_>,
    comment: &CommentReactionRef,
    community: Option<Uuid>,
    reaction: Reaction,
) -> Published {
    let community_id = community.map(|id| id.to_string());
    let fact = CommentReacted { community_id, ..comment_reacted(comment, reaction) };
    work.publish(comment.comment, &fact).await
}

pub async fn publish_comment_reaction_removed(
    work: &mut UnitOfWork<'_>,
    comment: &CommentReactionRef,
    member: Uuid,
) -> Published {
    let fact = CommentReactionRemoved {
        post_id: comment.post.to_string(),
        comment_id: comment.comment.to_string(),
        author_id: comment.author.to_string(),
        member_id: member.to_string(),
    };
    work.publish(comment.comment, &fact).await
}

pub async fn publish_post_edited(
    work: &mut UnitOfWork<'_>,
    post: Uuid,
    author: Uuid,
    mentions: &MentionChange,
) -> Published {
    let fact = PostEdited {
        post_id: post.to_string(),
        author_id: author.to_string(),
        mentioned_ids: texts(&mentions.notified),
        unmentioned_ids: texts(&mentions.removed),
    };
    work.publish(post, &fact).await
}

pub async fn publish_post_deleted(
    work: &mut UnitOfWork<'_>,
    post: Uuid,
    author: Uuid,
    community: Option<Uuid>,
) -> Published {
    let fact = PostDeleted {
        post_id: post.to_string(),
        author_id: author.to_string(),
        community_id: community.map(|id| id.to_string()),
    };
    work.publish(post, &fact).await
}

pub async fn publish_post_reposted(work: &mut UnitOfWork<'_>, repost: &RepostRef) -> Published {
    work.publish(repost.post, &post_reposted(repost)).await
}

pub async fn publish_post_repost_removed(work: &mut UnitOfWork<'_>, repost: &RepostRef) -> Published {
    let PostReposted { post_id, author_id, repost_id, member_id } = post_reposted(repost);
    let fact = PostRepostRemoved { post_id, author_id, repost_id, member_id };
    work.publish(repost.post, &fact).await
}

impl From<ReactionKind> for pb::ReactionKind {
    fn from(kind: ReactionKind) -> Self {
        match kind {
            ReactionKind::Like => Self::Like,
            ReactionKind::Celebrate => Self::Celebrate,
            ReactionKind::Support => Self::Support,
            ReactionKind::Insightful => Self::Insightful,
            ReactionKind::Thanks => Self::Thanks,
        }
    }
}

/// A comment, its post and its top-level comment.
pub struct CommentRef {
    pub post: Uuid,
    /// The author of the post.
    pub author: Uuid,
    pub comment: Uuid,
    /// The author of the comment.
    pub member: Uuid,
    /// The top-level comment of a reply, and its author.
    pub reply_to: Option<Uuid>,
    pub reply_to_author: Option<Uuid>,
}

/// A comment whose text was changed, and its post.
pub struct EditedCommentRef {
    pub post: Uuid,
    /// The author of the post.
    pub author: Uuid,
    pub comment: Uuid,
    /// The author of the comment.
    pub member: Uuid,
}

/// A comment to which a member reacts.
pub struct CommentReactionRef {
    pub post: Uuid,
    pub comment: Uuid,
    /// The author of the comment.
    pub author: Uuid,
}

/// A repost and its original.
pub struct RepostRef {
    /// The original.
    pub post: Uuid,
    /// The author of the original.
    pub author: Uuid,
    pub repost: Uuid,
    /// The author of the repost.
    pub member: Uuid,
}

pub fn post_created(post: Uuid, author: Uuid, community: Option<Uuid>) -> PostCreated {
    PostCreated {
        post_id: post.to_string(),
        author_id: author.to_string(),
        community_id: community.map(|id| id.to_string()),
        // A snapshot notifies no members.
        mentioned_ids: Vec::new(),
    }
}

fn texts(ids: &[Uuid]) -> Vec<String> {
    ids.iter().map(ToString::to_string).collect()
}

pub fn post_reposted(repost: &RepostRef) -> PostReposted {
    PostReposted {
        post_id: repost.post.to_string(),
        author_id: repost.author.to_string(),
        repost_id: repost.repost.to_string(),
        member_id: repost.member.to_string(),
    }
}

pub fn post_reacted(post: Uuid, author: Uuid, reaction: Reaction) -> PostReacted {
    PostReacted {
        post_id: post.to_string(),
        author_id: author.to_string(),
        member_id: reaction.member_id.to_string(),
        kind: pb::ReactionKind::from(reaction.kind).into(),
        community_id: None,
    }
}

pub fn comment_reacted(comment: &CommentReactionRef, reaction: Reaction) -> CommentReacted {
    CommentReacted {
        post_id: comment.post.to_string(),
        comment_id: comment.comment.to_string(),
        author_id: comment.author.to_string(),
        member_id: reaction.member_id.to_string(),
        kind: pb::ReactionKind::from(reaction.kind).into(),
        community_id: None,
    }
}

pub fn post_commented(comment: &CommentRef) -> PostCommented {
    PostCommented {
        post_id: comment.post.to_string(),
        author_id: comment.author.to_string(),
        comment_id: comment.comment.to_string(),
        member_id: comment.member.to_string(),
        reply_to: comment.reply_to.map(|id| id.to_string()),
        reply_to_author_id: comment.reply_to_author.map(|id| id.to_string()),
        community_id: None,
        mentioned_ids: Vec::new(),
    }
}
