//! The handlers of the facts of other services: source -> handlers.

use chassis::ServiceContext;
use chrono::{DateTime, Utc};
use outbox::{Handlers, Outbox};
use portia_proto::{
    auth::{AccountClosed, AccountErased, AccountReopened},
    profile::{MemberChanged, PrivacyChanged},
    social_graph::{
        CommunityChanged, CommunityJoined, CommunityLeft, CommunityRemoved, ConnectionAccepted, ConnectionRemoved,
        MemberBlocked, MemberErased, MemberFollowed, MemberUnblocked, MemberUnfollowed,
    },
};
use primitives::{ids as id_texts, input::InvalidRequest};
use prost_types::Timestamp;
use sqlx::PgPool;
use uuid::Uuid;

use crate::{
    deactivation,
    error::Error,
    read_model::{
        self, blocks, communities, connections, follows, privacy,
        schools::{self, SchoolKey},
    },
};

/// Consumes the facts of other services.
///
/// # Errors
/// When the address of a source is not configured.
pub fn subscribe(context: &ServiceContext, db: &PgPool, outbox: &Outbox) -> anyhow::Result<()> {
    outbox.subscribe(context, db, "auth", auth_handlers(context))?;
    outbox.subscribe(context, db, "profile", profile_handlers())?;
    outbox.subscribe(context, db, "social-graph", social_graph_handlers(context))?;
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
    Handlers::new()
        .before_snapshot(|db| {
            Box::pin(async move {
                privacy::clear(db).await?;
                schools::clear(db).await
            })
        })
        .on(|db, fact: MemberChanged| {
            Box::pin(async move {
                schools::set(db, id(&fact.member_id)?, &SchoolKey::from_text(fact.school.as_deref())).await
            })
        })
        .on(|db, fact: PrivacyChanged| {
            Box::pin(async move { privacy::set(db, id(&fact.member_id)?, fact.settings).await })
        })
}

fn social_graph_handlers(context: &ServiceContext) -> Handlers {
    let clock = context.clock.clone();
    Handlers::new()
        .before_snapshot(|db| Box::pin(read_model::clear_social_graph(db)))
        .on_batch(|db, facts: Vec<ConnectionAccepted>| {
            Box::pin(async move {
                let connections = ids(&facts, |fact| &fact.connection_id)?;
                let requesters = ids(&facts, |fact| &fact.requester_id)?;
                connections::insert_all(db, &connections, &requesters, &ids(&facts, |fact| &fact.recipient_id)?).await
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
            Box::pin(async move {
                let moderates = fact.is_owner || fact.is_moderator;
                communities::set_membership(db, id(&fact.member_id)?, id(&fact.community_id)?, moderates).await
            })
        })
        .on(|db, fact: CommunityLeft| {
            Box::pin(
                async move { communities::delete_membership(db, id(&fact.member_id)?, id(&fact.community_id)?).await },
            )
        })
        .on_batch(|db, facts: Vec<MemberBlocked>| {
            Box::pin(async move {
                let blockers = ids(&facts, |fact| &fact.blocker_id)?;
                blocks::insert_all(db, &blockers, &ids(&facts, |fact| &fact.blocked_id)?).await
            })
        })
        .on_batch(|db, facts: Vec<MemberFollowed>| {
            Box::pin(async move {
                let (followers, followed) =
                    (ids(&facts, |fact| &fact.follower_id)?, ids(&facts, |fact| &fact.followed_id)?);
                let times: Vec<_> = facts.iter().map(|fact| time(fact.followed_at)).collect();
                follows::insert_all(db, &followers, &followed, &times).await
            })
        })
        .on(|db, fact: MemberUnfollowed| {
            Box::pin(async move { follows::delete(db, id(&fact.follower_id)?, id(&fact.followed_id)?).await })
        })
        .on(move |db, fact: MemberErased| {
            let at = clock.now();
            // Rows of a snapshot may have arrived after the erasure that auth's fact requested.
            Box::pin(async move { deactivation::request_erasure(db, &fact.member_id, at).await })
        })
        .on(|db, fact: MemberUnblocked| {
            Box::pin(async move { blocks::delete(db, id(&fact.blocker_id)?, id(&fact.blocked_id)?).await })
        })
}

/// Converts the time of a fact. An absent time counts as the oldest.
fn time(at: Option<Timestamp>) -> DateTime<Utc> {
    let at = at.and_then(|at| DateTime::from_timestamp(at.seconds, u32::try_from(at.nanos).ok()?));
    at.unwrap_or_default()
}

/// Parses one id of each fact.
fn ids<M>(facts: &[M], of: fn(&M) -> &String) -> Result<Vec<Uuid>, Error> {
    facts.iter().map(|fact| id(of(fact))).collect()
}

fn id(raw: &str) -> Result<Uuid, Error> {
    Ok(id_texts::parse("id", raw).map_err(InvalidRequest::from)?)
}
