//! Facts published to other services, and the handlers of the facts consumed: source -> handlers.

mod snapshot;

use chassis::ServiceContext;
use chrono::{DateTime, Utc};
use outbox::{Handlers, Outbox};
use portia_proto::{
    auth::{AccountClosed, AccountErased, AccountReopened},
    feed::{
        PostCommentRemoved, PostCommented, PostCreated, PostDeleted, PostReacted, PostReactionRemoved,
        PostRepostRemoved, PostReposted, ReactionKind,
    },
    profile::MemberChanged,
    social_graph::{
        CommunityChanged, CommunityJoined, CommunityLeft, CommunityRemoved, ConnectionAccepted, ConnectionRemoved,
        MemberBlocked, MemberUnblocked,
    },
};
use primitives::{ids, input::InvalidRequest};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{
    comments::delete::DeletedComment,
    deactivation,
    error::Error,
    reactions::Reaction,
    read_model::{
        self, blocks, communities, connections,
        schools::{self, SchoolKey},
    },
};

pub use snapshot::FeedSnapshot;

/// Publishes facts, each in the transaction of its change.
#[derive(Clone)]
pub struct FactPublisher(Outbox);

type Published = Result<(), sqlx::Error>;

impl FactPublisher {
    pub const fn new(outbox: Outbox) -> Self {
        Self(outbox)
    }

    pub async fn publish_post_created(
        &self,
        db: &mut PgConnection,
        post: Uuid,
        author: Uuid,
        community: Option<Uuid>,
        at: DateTime<Utc>,
    ) -> Published {
        self.0.publish(db, post, &post_created(post, author, community), at).await
    }

    pub async fn publish_post_reacted(
        &self,
        db: &mut PgConnection,
        post: Uuid,
        author: Uuid,
        reaction: Reaction,
        at: DateTime<Utc>,
    ) -> Published {
        self.0.publish(db, post, &post_reacted(post, author, reaction), at).await
    }

    pub async fn publish_post_reaction_removed(
        &self,
        db: &mut PgConnection,
        post: Uuid,
        author: Uuid,
        member: Uuid,
        at: DateTime<Utc>,
    ) -> Published {
        let fact = PostReactionRemoved {
            post_id: post.to_string(),
            author_id: author.to_string(),
            member_id: member.to_string(),
        };
        self.0.publish(db, post, &fact, at).await
    }

    pub async fn publish_post_commented(
        &self,
        db: &mut PgConnection,
        post: Uuid,
        author: Uuid,
        comment: Uuid,
        member: Uuid,
        at: DateTime<Utc>,
    ) -> Published {
        self.0.publish(db, post, &post_commented(post, author, comment, member), at).await
    }

    pub async fn publish_post_comment_removed(
        &self,
        db: &mut PgConnection,
        comment: Uuid,
        deleted: &DeletedComment,
        at: DateTime<Utc>,
    ) -> Published {
        let fact = PostCommentRemoved {
            post_id: deleted.post_id.to_string(),
            author_id: deleted.post_author_id.to_string(),
            comment_id: comment.to_string(),
            member_id: deleted.author_id.to_string(),
        };
        self.0.publish(db, deleted.post_id, &fact, at).await
    }

    pub async fn publish_post_deleted(
        &self,
        db: &mut PgConnection,
        post: Uuid,
        author: Uuid,
        community: Option<Uuid>,
        at: DateTime<Utc>,
    ) -> Published {
        let fact = PostDeleted {
            post_id: post.to_string(),
            author_id: author.to_string(),
            community_id: community.map(|id| id.to_string()),
        };
        self.0.publish(db, post, &fact, at).await
    }

    pub async fn publish_post_reposted(
        &self,
        db: &mut PgConnection,
        repost: &RepostRef,
        at: DateTime<Utc>,
    ) -> Published {
        self.0.publish(db, repost.post, &post_reposted(repost), at).await
    }

    pub async fn publish_post_repost_removed(
        &self,
        db: &mut PgConnection,
        repost: &RepostRef,
        at: DateTime<Utc>,
    ) -> Published {
        let PostReposted { post_id, author_id, repost_id, member_id } = post_reposted(repost);
        let fact = PostRepostRemoved { post_id, author_id, repost_id, member_id };
        self.0.publish(db, repost.post, &fact, at).await
    }
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

/// Consumes the facts of other services.
///
/// # Errors
/// When the address of a source is not configured.
pub fn subscribe(context: &ServiceContext, db: &PgPool, outbox: &Outbox) -> anyhow::Result<()> {
    outbox.subscribe(context, db, "auth", auth_handlers(context))?;
    outbox.subscribe(context, db, "profile", profile_handlers())?;
    outbox.subscribe(context, db, "social-graph", social_graph_handlers())?;
    Ok(())
}

fn auth_handlers(context: &ServiceContext) -> Handlers {
    let (closed, erased) = (context.clock.clone(), context.clock.clone());
    Handlers::new()
        .before_snapshot(|db| Box::pin(deactivation::reactivate_all(db)))
        .on(move |db, fact: AccountClosed| {
            let at = closed.now();
            Box::pin(async move { deactivation::deactivate(db, &fact.member_id, at).await })
        })
        .on(|db, fact: AccountReopened| Box::pin(async move { deactivation::reactivate(db, &fact.member_id).await }))
        .on(move |db, fact: AccountErased| {
            let at = erased.now();
            Box::pin(async move { deactivation::request_erasure(db, &fact.member_id, at).await })
        })
}

fn profile_handlers() -> Handlers {
    Handlers::new().before_snapshot(|db| Box::pin(schools::clear(db))).on(|db, fact: MemberChanged| {
        Box::pin(
            async move { schools::set(db, id(&fact.member_id)?, &SchoolKey::from_text(fact.school.as_deref())).await },
        )
    })
}

fn social_graph_handlers() -> Handlers {
    Handlers::new()
        .before_snapshot(|db| Box::pin(read_model::clear_social_graph(db)))
        .on(|db, fact: ConnectionAccepted| {
            Box::pin(async move {
                let (one, other) = (id(&fact.requester_id)?, id(&fact.recipient_id)?);
                connections::insert(db, id(&fact.connection_id)?, one, other).await
            })
        })
        .on(|db, fact: ConnectionRemoved| {
            Box::pin(async move {
                let (one, other) = (id(&fact.requester_id)?, id(&fact.recipient_id)?);
                connections::delete(db, id(&fact.connection_id)?, one, other).await
            })
        })
        .on(|db, fact: CommunityChanged| {
            Box::pin(async move { communities::set_name(db, id(&fact.community_id)?, &fact.name).await })
        })
        .on(|db, fact: CommunityRemoved| {
            Box::pin(async move { communities::delete(db, id(&fact.community_id)?).await })
        })
        .on(|db, fact: CommunityJoined| {
            Box::pin(
                async move { communities::insert_membership(db, id(&fact.member_id)?, id(&fact.community_id)?).await },
            )
        })
        .on(|db, fact: CommunityLeft| {
            Box::pin(
                async move { communities::delete_membership(db, id(&fact.member_id)?, id(&fact.community_id)?).await },
            )
        })
        .on(|db, fact: MemberBlocked| {
            Box::pin(async move { blocks::insert(db, id(&fact.blocker_id)?, id(&fact.blocked_id)?).await })
        })
        .on(|db, fact: MemberUnblocked| {
            Box::pin(async move { blocks::delete(db, id(&fact.blocker_id)?, id(&fact.blocked_id)?).await })
        })
}

fn id(raw: &str) -> Result<Uuid, Error> {
    Ok(ids::parse("id", raw).map_err(InvalidRequest::from)?)
}

fn post_created(post: Uuid, author: Uuid, community: Option<Uuid>) -> PostCreated {
    PostCreated {
        post_id: post.to_string(),
        author_id: author.to_string(),
        community_id: community.map(|id| id.to_string()),
    }
}

fn post_reposted(repost: &RepostRef) -> PostReposted {
    PostReposted {
        post_id: repost.post.to_string(),
        author_id: repost.author.to_string(),
        repost_id: repost.repost.to_string(),
        member_id: repost.member.to_string(),
    }
}

fn post_reacted(post: Uuid, author: Uuid, reaction: Reaction) -> PostReacted {
    PostReacted {
        post_id: post.to_string(),
        author_id: author.to_string(),
        member_id: reaction.member_id.to_string(),
        kind: ReactionKind::from(reaction.kind).into(),
    }
}

fn post_commented(post: Uuid, author: Uuid, comment: Uuid, member: Uuid) -> PostCommented {
    PostCommented {
        post_id: post.to_string(),
        author_id: author.to_string(),
        comment_id: comment.to_string(),
        member_id: member.to_string(),
    }
}
