//! The log of a community: what its owners and moderators did, visible to them.

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use primitives::{
    ids::Ids,
    input::{Cursor, Page},
};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{CommunityPage, Reason, Role, require_moderator};
use crate::error::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Action {
    RoleSet,
    Transferred,
    MemberRemoved,
    MemberBanned,
    MemberUnbanned,
    PostRemoved,
    CommentRemoved,
    /// The erasure of the last owner made the member an owner. Without an actor.
    Succeeded,
    JoinApproved,
    JoinDeclined,
    MemberInvited,
    InvitationWithdrawn,
}

/// An action that is recorded in the transaction of its effect.
#[derive(Clone, Copy, Debug)]
pub struct NewEntry {
    pub id: Uuid,
    pub community: Uuid,
    pub action: Action,
    pub actor: Option<Uuid>,
    pub member: Option<Uuid>,
    /// For [`Action::RoleSet`].
    pub role: Option<Role>,
    pub reason: Option<Reason>,
}

impl NewEntry {
    /// An entry without a role and a reason.
    pub fn new(ids: &Ids, community: Uuid, action: Action, actor: Uuid, member: Uuid) -> Self {
        Self {
            id: ids.owned_by(community),
            community,
            action,
            actor: Some(actor),
            member: Some(member),
            role: None,
            reason: None,
        }
    }
}

pub struct Entry {
    pub id: Uuid,
    pub action: Action,
    pub actor_id: Option<Uuid>,
    pub member_id: Option<Uuid>,
    pub role: Option<Role>,
    pub reason: Option<Reason>,
    pub created_at: DateTime<Utc>,
}

/// A position in the log, newest first.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogCursor {
    at: DateTime<Utc>,
    id: Uuid,
}

impl Cursor for LogCursor {}

impl LogCursor {
    pub const FIRST: Self = Self { at: DateTime::<Utc>::MAX_UTC, id: Uuid::max() };
}

/// Records an action. A repeated id and a deleted community change nothing: a fact may be applied after either.
pub async fn insert(work: &mut UnitOfWork<'_>, entry: &NewEntry) -> Result<(), Error> {
    sqlx::query!(
        "insert into social_graph.community_log
            (id, community_id, action, actor_id, member_id, role, reason, created_at)
        select $1, c.id, $3, $4, $5, $6, $7, $8
        from social_graph.communities c
        where c.id = $2
        on conflict (id) do nothing",
        entry.id,
        entry.community,
        entry.action as Action,
        entry.actor,
        entry.member,
        entry.role as Option<Role>,
        entry.reason as Option<Reason>,
        work.now,
    )
    .execute(&mut *work.db)
    .await?;
    Ok(())
}

/// Records an action without a role and a reason.
pub async fn record(
    work: &mut UnitOfWork<'_>,
    community: Uuid,
    action: Action,
    actor: Uuid,
    member: Uuid,
) -> Result<(), Error> {
    let entry = NewEntry::new(work.ids, community, action, actor, member);
    insert(work, &entry).await
}

/// Lists the log of a community, newest first.
///
/// # Errors
/// [`Error::NotModerator`] for other callers than its owners and moderators.
pub async fn list(db: &mut PgConnection, member: Uuid, query: &CommunityPage<LogCursor>) -> Result<Page<Entry>, Error> {
    let rows = sqlx::query_as!(
        Entry,
        r#"select
            id, action as "action: Action", actor_id, member_id, role as "role: Role", reason as "reason: Reason",
            created_at
        from social_graph.community_log l
        where l.community_id = $1
            and (l.created_at, l.id) < ($3, $4)
            and exists (
                select
                from social_graph.memberships m
                where m.community_id = $1
                    and m.member_id = $2
                    and m.role in ('owner', 'moderator')
            )
        order by l.created_at desc, l.id desc
        limit $5"#,
        query.community,
        member,
        query.page.after.at,
        query.page.after.id,
        query.page.size.to_fetch(),
    )
    .fetch_all(&mut *db)
    .await?;
    if rows.is_empty() {
        require_moderator(db, query.community, member).await?;
    }
    Ok(Page::cut(rows, query.page.size, |row| LogCursor { at: row.created_at, id: row.id }))
}

/// Removes an erased member from the logs; their entries stay.
pub async fn erase(db: &mut PgConnection, member: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "update social_graph.community_log
        set
            actor_id = nullif(actor_id, $1),
            member_id = nullif(member_id, $1)
        where actor_id = $1
            or member_id = $1",
        member,
    )
    .execute(db)
    .await?;
    Ok(())
}
