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
use primitives::{clock::Clock, ids as id_texts};
use prost_types::Timestamp;
use sqlx::{PgConnection, PgPool};
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
    outbox.subscribe(context, db, "auth", auth_handlers(&context.clock))?;
    outbox.subscribe(context, db, "profile", profile_handlers())?;
    outbox.subscribe(context, db, "social-graph", social_graph_handlers(&context.clock))?;
    Ok(())
}

fn auth_handlers(clock: &Clock) -> Handlers {
    Handlers::new()
        .before_snapshot(deactivation::reactivate_all)
        .on(clock, account_closed)
        .on(&(), account_reopened)
        .on(clock, account_erased)
}

async fn account_closed(db: &mut PgConnection, clock: &Clock, fact: AccountClosed) -> Result<(), Error> {
    deactivation::deactivate(db, &fact.member_id, clock.now()).await
}

async fn account_reopened(db: &mut PgConnection, _: &(), fact: AccountReopened) -> Result<(), Error> {
    deactivation::reactivate(db, &fact.member_id).await
}

async fn account_erased(db: &mut PgConnection, clock: &Clock, fact: AccountErased) -> Result<(), Error> {
    deactivation::request_erasure(db, &fact.member_id, clock.now()).await
}

fn profile_handlers() -> Handlers {
    Handlers::new()
        .before_snapshot(privacy::clear)
        .before_snapshot(schools::clear)
        .on(&(), member_changed)
        .on(&(), privacy_changed)
}

async fn member_changed(db: &mut PgConnection, _: &(), fact: MemberChanged) -> Result<(), Error> {
    schools::set(db, id(&fact.member_id)?, &SchoolKey::from_text(fact.school.as_deref())).await
}

async fn privacy_changed(db: &mut PgConnection, _: &(), fact: PrivacyChanged) -> Result<(), Error> {
    privacy::set(db, id(&fact.member_id)?, fact.settings).await
}

fn social_graph_handlers(clock: &Clock) -> Handlers {
    Handlers::new()
        .before_snapshot(read_model::clear_social_graph)
        .on_batch(&(), connections_accepted)
        .on(&(), connection_removed)
        .on(&(), community_changed)
        .on(&(), community_removed)
        .on(&(), community_joined)
        .on(&(), community_left)
        .on_batch(&(), members_blocked)
        .on_batch(&(), members_followed)
        .on(&(), member_unfollowed)
        .on(clock, member_erased)
        .on(&(), member_unblocked)
}

async fn connections_accepted(db: &mut PgConnection, _: &(), facts: Vec<ConnectionAccepted>) -> Result<(), Error> {
    let connections = ids(&facts, |fact| &fact.connection_id)?;
    let requesters = ids(&facts, |fact| &fact.requester_id)?;
    connections::insert_all(db, &connections, &requesters, &ids(&facts, |fact| &fact.recipient_id)?).await
}

async fn connection_removed(db: &mut PgConnection, _: &(), fact: ConnectionRemoved) -> Result<(), Error> {
    let (one, other) = (id(&fact.requester_id)?, id(&fact.recipient_id)?);
    connections::delete(db, id(&fact.connection_id)?, one, other).await
}

async fn community_changed(db: &mut PgConnection, _: &(), fact: CommunityChanged) -> Result<(), Error> {
    communities::set_name(db, id(&fact.community_id)?, &fact.name).await
}

async fn community_removed(db: &mut PgConnection, _: &(), fact: CommunityRemoved) -> Result<(), Error> {
    communities::delete(db, id(&fact.community_id)?).await
}

async fn community_joined(db: &mut PgConnection, _: &(), fact: CommunityJoined) -> Result<(), Error> {
    let moderates = fact.is_owner || fact.is_moderator;
    communities::set_membership(db, id(&fact.member_id)?, id(&fact.community_id)?, moderates).await
}

async fn community_left(db: &mut PgConnection, _: &(), fact: CommunityLeft) -> Result<(), Error> {
    communities::delete_membership(db, id(&fact.member_id)?, id(&fact.community_id)?).await
}

async fn members_blocked(db: &mut PgConnection, _: &(), facts: Vec<MemberBlocked>) -> Result<(), Error> {
    let blockers = ids(&facts, |fact| &fact.blocker_id)?;
    blocks::insert_all(db, &blockers, &ids(&facts, |fact| &fact.blocked_id)?).await
}

async fn members_followed(db: &mut PgConnection, _: &(), facts: Vec<MemberFollowed>) -> Result<(), Error> {
    let (followers, followed) = (ids(&facts, |fact| &fact.follower_id)?, ids(&facts, |fact| &fact.followed_id)?);
    let times: Vec<_> = facts.iter().map(|fact| time(fact.followed_at)).collect();
    follows::insert_all(db, &followers, &followed, &times).await
}

async fn member_unfollowed(db: &mut PgConnection, _: &(), fact: MemberUnfollowed) -> Result<(), Error> {
    follows::delete(db, id(&fact.follower_id)?, id(&fact.followed_id)?).await
}

// Rows of a snapshot may have arrived after the erasure that auth's fact requested.
async fn member_erased(db: &mut PgConnection, clock: &Clock, fact: MemberErased) -> Result<(), Error> {
    deactivation::request_erasure(db, &fact.member_id, clock.now()).await
}

async fn member_unblocked(db: &mut PgConnection, _: &(), fact: MemberUnblocked) -> Result<(), Error> {
    blocks::delete(db, id(&fact.blocker_id)?, id(&fact.blocked_id)?).await
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
    Ok(id_texts::parse("id", raw)?)
}
