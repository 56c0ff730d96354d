//! Requests to join a community, which its owners and moderators answer. Lock order: member, communities.

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use primitives::input::{Cursor, Page};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    CommunityPage,
    changes::lock,
    log::{self, Action},
    refusal, require_moderator,
};
use crate::{error::Error, members, publishing::admissions};

pub struct JoinRequest {
    pub member_id: Uuid,
    pub requested_at: DateTime<Utc>,
}

/// A position in the list of requests, oldest first.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JoinRequestCursor {
    at: DateTime<Utc>,
    id: Uuid,
}

impl Cursor for JoinRequestCursor {}

impl JoinRequestCursor {
    pub const FIRST: Self = Self { at: DateTime::UNIX_EPOCH, id: Uuid::nil() };
}

pub struct AnswerJoinRequest {
    pub community: Uuid,
    pub member: Uuid,
    pub approve: bool,
}

/// Lists the requests of members with open accounts, oldest first.
///
/// # Errors
/// [`Error::NotModerator`] for other callers than owners and moderators.
pub async fn list(
    db: &mut PgConnection,
    member: Uuid,
    query: &CommunityPage<JoinRequestCursor>,
) -> Result<Page<JoinRequest>, Error> {
    let rows = sqlx::query_as!(
        JoinRequest,
        "select r.member_id, r.requested_at
        from social_graph.community_requests r
        join social_graph.members a on a.member_id = r.member_id and not a.hidden
        where r.community_id = $1
            and (r.requested_at, r.member_id) > ($3, $4)
            and exists (
                select
                from social_graph.memberships m
                where m.community_id = $1
                    and m.member_id = $2
                    and m.role in ('owner', 'moderator')
            )
        order by r.requested_at, r.member_id
        limit $5",
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
    Ok(Page::cut(rows, query.page.size, |row| JoinRequestCursor { at: row.requested_at, id: row.member_id }))
}

/// Answers a request: an approved member joins, a declined one may ask again after 30 days. Changes nothing when the member to
/// approve has joined already.
///
/// # Errors
/// [`Error::NotModerator`]; [`Error::JoinRequestNotFound`], also for a closed account.
pub async fn answer(work: &mut UnitOfWork<'_>, member: Uuid, answer: &AnswerJoinRequest) -> Result<(), Error> {
    let &AnswerJoinRequest { community, member: other, approve } = answer;
    members::lock_existing(work.db, member, other).await?;
    lock(work.db, community).await?;
    let outcome = sqlx::query!(
        r#"with allowed as (
            select exists (
                select
                from social_graph.memberships
                where community_id = $1
                    and member_id = $2
                    and role in ('owner', 'moderator')
            ) as is_moderator
        ),
        answered as (
            delete from social_graph.community_requests r
            using social_graph.members m, allowed a
            where r.community_id = $1
                and r.member_id = $3
                and m.member_id = $3
                and not m.hidden
                and a.is_moderator
            returning r.community_id, r.member_id
        ),
        declined as (
            insert into social_graph.community_request_declines as known (community_id, member_id, declined_at)
            select community_id, member_id, $5
            from answered
            where not $4
            on conflict (community_id, member_id) do update
            set declined_at = excluded.declined_at
        ),
        joined as (
            insert into social_graph.memberships (community_id, member_id, role, joined_at)
            select community_id, member_id, 'member', $5
            from answered
            where $4
            on conflict (community_id, member_id) do nothing
            returning community_id
        ),
        counted as (
            update social_graph.communities c
            set member_count = c.member_count + 1
            from joined j
            where c.id = j.community_id
        ),
        answered_invitation as (
            delete from social_graph.community_invitations i
            using joined j
            where i.community_id = j.community_id
                and i.member_id = $3
        )
        select
            a.is_moderator as "is_moderator!", exists (select from answered) as "answered!",
            exists (
                select
                from social_graph.memberships
                where community_id = $1
                    and member_id = $3
                    and not hidden
            ) as "was_member!"
        from allowed a"#,
        community,
        member,
        other,
        approve,
        work.now,
    )
    .fetch_one(&mut *work.db)
    .await?;
    match (outcome.is_moderator, outcome.answered) {
        (false, _) => Err(refusal(work.db, member, community, Error::NotModerator).await),
        (true, true) => record_answer(work, member, answer).await,
        (true, false) if approve && outcome.was_member => Ok(()),
        (true, false) => Err(Error::JoinRequestNotFound),
    }
}

async fn record_answer(work: &mut UnitOfWork<'_>, moderator: Uuid, answer: &AnswerJoinRequest) -> Result<(), Error> {
    let &AnswerJoinRequest { community, member, approve } = answer;
    admissions::publish_join_request_removed(work, community, member).await?;
    if approve {
        admissions::publish_join_approved(work, community, member, moderator).await?;
    }
    let action = if approve { Action::JoinApproved } else { Action::JoinDeclined };
    log::record(work, community, action, moderator, member).await
}

/// Deletes the requests of an erased member, and the delays of the next ones.
pub async fn erase(db: &mut PgConnection, member: Uuid) -> Result<(), Error> {
    sqlx::query!("delete from social_graph.community_requests where member_id = $1", member).execute(&mut *db).await?;
    sqlx::query!("delete from social_graph.community_request_declines where member_id = $1", member)
        .execute(db)
        .await?;
    Ok(())
}

/// Lists the owners and moderators of a community with open accounts.
pub async fn list_moderators(db: &mut PgConnection, community: Uuid) -> Result<Vec<Uuid>, Error> {
    let moderators = sqlx::query_scalar!(
        r#"select member_id as "member_id!"
        from (
            select member_id, hidden
            from social_graph.memberships
            where community_id = $1
                and role = 'owner'
            union all
            select member_id, hidden
            from social_graph.memberships
            where community_id = $1
                and role = 'moderator'
        ) as moderators
        where not hidden
        order by member_id
        limit 100"#,
        community,
    );
    Ok(moderators.fetch_all(db).await?)
}
