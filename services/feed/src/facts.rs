//! What feed tells the other services, and what it hears from them.

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
    erase,
    error::Error,
    graph, hidden,
    reactions::Reaction,
    removal::Unsaid,
    schools::{self, Key},
};

pub use snapshot::Snapshot;

/// Publishes facts, each in the transaction of what it tells.
#[derive(Clone, Debug)]
pub struct Facts(Outbox);

type Told = Result<(), sqlx::Error>;

impl Facts {
    /// Publishes into feed's outbox.
    #[must_use]
    pub const fn new(outbox: Outbox) -> Self {
        Self(outbox)
    }

    /// A post was published.
    ///
    /// # Errors
    /// As any statement; so the others.
    pub async fn post_created(
        &self,
        conn: &mut PgConnection,
        post: Uuid,
        author: Uuid,
        community: Option<Uuid>,
        at: DateTime<Utc>,
    ) -> Told {
        self.0.publish(conn, post, &post_created(post, author, community), at).await
    }

    /// A member's reaction is now this one.
    ///
    /// # Errors
    /// As any statement.
    pub async fn post_reacted(
        &self,
        conn: &mut PgConnection,
        post: Uuid,
        author: Uuid,
        reaction: Reaction,
        at: DateTime<Utc>,
    ) -> Told {
        self.0.publish(conn, post, &post_reacted(post, author, reaction), at).await
    }

    /// A member took the reaction back.
    ///
    /// # Errors
    /// As any statement.
    pub async fn post_reaction_removed(
        &self,
        conn: &mut PgConnection,
        post: Uuid,
        author: Uuid,
        member: Uuid,
        at: DateTime<Utc>,
    ) -> Told {
        let fact = PostReactionRemoved {
            post_id: post.to_string(),
            author_id: author.to_string(),
            member_id: member.to_string(),
        };
        self.0.publish(conn, post, &fact, at).await
    }

    /// A member commented.
    ///
    /// # Errors
    /// As any statement.
    pub async fn post_commented(
        &self,
        conn: &mut PgConnection,
        post: Uuid,
        author: Uuid,
        comment: Uuid,
        member: Uuid,
        at: DateTime<Utc>,
    ) -> Told {
        self.0.publish(conn, post, &post_commented(post, author, comment, member), at).await
    }

    /// A comment is gone.
    ///
    /// # Errors
    /// As any statement.
    pub async fn post_comment_removed(
        &self,
        conn: &mut PgConnection,
        comment: Uuid,
        unsaid: &Unsaid,
        at: DateTime<Utc>,
    ) -> Told {
        let fact = PostCommentRemoved {
            post_id: unsaid.post_id.to_string(),
            author_id: unsaid.post_author_id.to_string(),
            comment_id: comment.to_string(),
            member_id: unsaid.author_id.to_string(),
        };
        self.0.publish(conn, unsaid.post_id, &fact, at).await
    }

    /// A post is gone.
    ///
    /// # Errors
    /// As any statement.
    pub async fn post_deleted(
        &self,
        conn: &mut PgConnection,
        post: Uuid,
        author: Uuid,
        community: Option<Uuid>,
        at: DateTime<Utc>,
    ) -> Told {
        let fact = PostDeleted {
            post_id: post.to_string(),
            author_id: author.to_string(),
            community_id: community.map(|id| id.to_string()),
        };
        self.0.publish(conn, post, &fact, at).await
    }

    /// A member passed a post on.
    ///
    /// # Errors
    /// As any statement.
    pub async fn post_reposted(&self, conn: &mut PgConnection, passed: &Passed, at: DateTime<Utc>) -> Told {
        self.0.publish(conn, passed.post, &post_reposted(passed), at).await
    }

    /// What passed it on is gone.
    ///
    /// # Errors
    /// As any statement.
    pub async fn post_repost_removed(&self, conn: &mut PgConnection, passed: &Passed, at: DateTime<Utc>) -> Told {
        let PostReposted { post_id, author_id, repost_id, member_id } = post_reposted(passed);
        let fact = PostRepostRemoved { post_id, author_id, repost_id, member_id };
        self.0.publish(conn, passed.post, &fact, at).await
    }
}

/// A post that was passed on, and by what.
#[derive(Clone, Copy, Debug)]
pub struct Passed {
    /// Which.
    pub post: Uuid,
    /// Who wrote it.
    pub author: Uuid,
    /// What passes it on.
    pub repost: Uuid,
    /// Who wrote that.
    pub member: Uuid,
}

/// What is heard: source -> what is done about it.
///
/// # Errors
/// When a source's address is not configured.
pub fn hear(context: &ServiceContext, db: &PgPool, outbox: &Outbox) -> anyhow::Result<()> {
    outbox.subscribe(context, db, "auth", of_auth(context))?;
    outbox.subscribe(context, db, "profile", of_profile())?;
    outbox.subscribe(context, db, "social-graph", of_social_graph())?;
    Ok(())
}

fn of_auth(context: &ServiceContext) -> Handlers {
    let (closed, erased) = (context.clock.clone(), context.clock.clone());
    Handlers::new()
        .before_snapshot(|conn| Box::pin(hidden::clear(conn)))
        .on(move |conn, fact: AccountClosed| {
            let at = closed.now();
            Box::pin(async move { hidden::hide(conn, &fact.member_id, at).await })
        })
        .on(|conn, fact: AccountReopened| Box::pin(async move { hidden::show(conn, &fact.member_id).await }))
        .on(move |conn, fact: AccountErased| {
            let at = erased.now();
            Box::pin(async move { erase::request(conn, &fact.member_id, at).await })
        })
}

fn of_profile() -> Handlers {
    Handlers::new().before_snapshot(|conn| Box::pin(schools::clear(conn))).on(|conn, fact: MemberChanged| {
        Box::pin(async move { schools::note(conn, id(&fact.member_id)?, &Key::of(fact.school.as_deref())).await })
    })
}

fn of_social_graph() -> Handlers {
    Handlers::new()
        .before_snapshot(|conn| Box::pin(graph::clear(conn)))
        .on(|conn, fact: ConnectionAccepted| {
            Box::pin(async move {
                let (one, other) = (id(&fact.requester_id)?, id(&fact.recipient_id)?);
                graph::connected(conn, id(&fact.connection_id)?, one, other).await
            })
        })
        .on(|conn, fact: ConnectionRemoved| {
            Box::pin(async move {
                let (one, other) = (id(&fact.requester_id)?, id(&fact.recipient_id)?);
                graph::parted(conn, id(&fact.connection_id)?, one, other).await
            })
        })
        .on(|conn, fact: CommunityChanged| {
            Box::pin(async move { graph::named(conn, id(&fact.community_id)?, &fact.name).await })
        })
        .on(|conn, fact: CommunityRemoved| {
            Box::pin(async move { graph::dissolved(conn, id(&fact.community_id)?).await })
        })
        .on(|conn, fact: CommunityJoined| {
            Box::pin(async move { graph::joined(conn, id(&fact.member_id)?, id(&fact.community_id)?).await })
        })
        .on(|conn, fact: CommunityLeft| {
            Box::pin(async move { graph::left(conn, id(&fact.member_id)?, id(&fact.community_id)?).await })
        })
        .on(|conn, fact: MemberBlocked| {
            Box::pin(async move { graph::blocked(conn, id(&fact.blocker_id)?, id(&fact.blocked_id)?).await })
        })
        .on(|conn, fact: MemberUnblocked| {
            Box::pin(async move { graph::unblocked(conn, id(&fact.blocker_id)?, id(&fact.blocked_id)?).await })
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

fn post_reposted(passed: &Passed) -> PostReposted {
    PostReposted {
        post_id: passed.post.to_string(),
        author_id: passed.author.to_string(),
        repost_id: passed.repost.to_string(),
        member_id: passed.member.to_string(),
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
