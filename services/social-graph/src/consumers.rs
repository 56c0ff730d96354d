//! The handlers of the facts of auth, profile and feed.

mod accounts;

use chassis::{ServiceContext, config};
use chrono::{DateTime, Utc};
use outbox::{Changes, Handlers};
use portia_proto::{
    feed::CommunityContentRemoved,
    profile::{MemberChanged, PrivacyChanged, ProfileAudience},
};
use primitives::{ids, input::InvalidRequest};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{
    communities::{
        Reason,
        log::{self, Action, NewEntry},
    },
    error::Error,
    members::{self, ComparisonKey},
};

/// Starts the consumers of all sources.
pub fn subscribe(changes: &Changes, context: &ServiceContext, db: &PgPool) -> Result<(), config::Error> {
    let outbox = &changes.outbox;
    outbox.subscribe(context, db, "auth", accounts::handlers(changes))?;
    outbox.subscribe(context, db, "profile", profile_handlers())?;
    outbox.subscribe(context, db, "feed", Handlers::new().on_live(changes, community_content_removed))
}

fn profile_handlers() -> Handlers {
    Handlers::new().before_snapshot(members::list_all).on(&(), member_changed).on(&(), privacy_changed)
}

async fn member_changed(db: &mut PgConnection, _: &(), fact: MemberChanged) -> Result<(), Error> {
    let member = member(&fact.member_id)?;
    if fact.school.is_none() && fact.location.is_none() {
        return members::remove_profile(db, member).await;
    }
    let school = ComparisonKey::from_text(fact.school.as_deref());
    let location = ComparisonKey::from_text(fact.location.as_deref());
    members::apply_profile(db, member, created_at_of(member), &school, &location).await
}

async fn privacy_changed(db: &mut PgConnection, _: &(), fact: PrivacyChanged) -> Result<(), Error> {
    let audience = fact.settings.map(|settings| settings.profile_audience());
    let unlisted = !matches!(audience, None | Some(ProfileAudience::Public | ProfileAudience::Members));
    members::set_unlisted(db, member(&fact.member_id)?, unlisted).await
}

/// The log of a community also contains the removals of its content, which feed publishes.
async fn community_content_removed(
    db: &mut PgConnection,
    changes: &Changes,
    fact: CommunityContentRemoved,
) -> Result<(), Error> {
    let (actor, author) = (member(&fact.removed_by)?, member(&fact.author_id)?);
    // The lock excludes the erasure of either account until the entry is committed.
    let existing = members::lock_existing(db, actor, author).await?;
    let exists = |id: Uuid| existing.iter().any(|known| known.member_id == id).then_some(id);
    let parse = |field, raw: &str| ids::parse(field, raw).map_err(InvalidRequest::from);
    let entry = NewEntry {
        id: parse("removalId", &fact.removal_id)?,
        community: parse("communityId", &fact.community_id)?,
        action: if fact.comment_id.is_some() { Action::CommentRemoved } else { Action::PostRemoved },
        actor: exists(actor),
        member: exists(author),
        role: None,
        reason: Reason::from_text(&fact.reason),
    };
    log::insert(&mut changes.work(db), &entry).await
}

fn member(raw: &str) -> Result<Uuid, Error> {
    Ok(ids::parse("memberId", raw).map_err(InvalidRequest::from)?)
}

/// Reads the creation time in a UUIDv7: a fact may be applied long after its member registered.
fn created_at_of(id: Uuid) -> DateTime<Utc> {
    ids::created_at(id).unwrap_or_default()
}
