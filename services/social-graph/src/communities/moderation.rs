//! Owners and moderators remove and ban members. Each write is one conditional statement after the lock of the community.

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use primitives::input::{Cursor, Page};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    CommunityPage, Reason,
    changes::lock,
    invitations,
    log::{self, Action, NewEntry},
    refusal, require_moderator,
};
use crate::{
    error::Error,
    members,
    publishing::{self, admissions},
};

pub struct Ban {
    pub member_id: Uuid,
    pub reason: Option<Reason>,
    pub banned_at: DateTime<Utc>,
}

/// A position in the list of bans, newest first.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BanCursor {
    at: DateTime<Utc>,
    id: Uuid,
}

impl Cursor for BanCursor {}

impl BanCursor {
    pub const FIRST: Self = Self { at: DateTime::<Utc>::MAX_UTC, id: Uuid::max() };
}

pub struct RemoveMember {
    pub community: Uuid,
    pub member: Uuid,
    pub ban: bool,
    pub reason: Option<Reason>,
}

/// Ends a membership, and bans the member if requested. Ignores blocks: otherwise a member could prevent their removal by
/// blocking the moderators. Lock order: member, communities.
///
/// # Errors
/// [`Error::NotModerator`]; [`Error::MemberProtected`] for an owner, and for a moderator unless the caller is an owner;
/// [`Error::MemberNotFound`] for a closed account, and without a ban also for a member of no such membership.
pub async fn remove(work: &mut UnitOfWork<'_>, member: Uuid, removal: &RemoveMember) -> Result<(), Error> {
    let &RemoveMember { community, member: other, ban, reason } = removal;
    let existing = members::lock_existing(work.db, member, other).await?;
    let is_open = existing.iter().any(|known| known.member_id == other && !known.hidden);
    lock(work.db, community).await?;
    let outcome = sqlx::query!(
        r#"with standing as (
            select us.role as actor_role, them.role
            from (values (1)) as one (n)
            left join social_graph.memberships us
                on us.community_id = $1
                and us.member_id = $2
            left join social_graph.memberships them
                on them.community_id = $1
                and them.member_id = $3
        ),
        allowed as (
            select
                actor_role in ('owner', 'moderator') as is_moderator,
                case actor_role
                    when 'owner' then role is distinct from 'owner'
                    when 'moderator' then coalesce(role, 'member') = 'member'
                end and $4 and (role is not null or $5) as is_allowed,
                role is not null as is_member
            from standing
        ),
        gone as (
            delete from social_graph.memberships m
            using allowed a
            where m.community_id = $1
                and m.member_id = $3
                and a.is_allowed
            returning m.community_id, m.hidden
        ),
        counted as (
            update social_graph.communities c
            set member_count = c.member_count - case when g.hidden then 0 else 1 end
            from gone g
            where c.id = g.community_id
        ),
        banned as (
            insert into social_graph.community_bans (community_id, member_id, reason, banned_at, was_member)
            select $1, $3, $6, $7, a.is_member
            from allowed a
            where a.is_allowed
                and $5
            on conflict (community_id, member_id) do nothing
            returning member_id
        ),
        ended_request as (
            delete from social_graph.community_requests r
            using banned b
            where r.community_id = $1
                and r.member_id = b.member_id
            returning r.member_id
        ),
        ended_invitation as (
            delete from social_graph.community_invitations i
            using banned b
            where i.community_id = $1
                and i.member_id = b.member_id
                -- A declined one delays the next one, whatever happens in between.
                and i.declined_at is null
            returning i.invited_by, not i.is_withheld as is_shown
        )
        select
            coalesce(is_moderator, false) as "is_moderator!", coalesce(is_allowed, false) as "is_allowed!",
            is_member as "is_member!", exists (select from gone) as "left!", exists (select from banned) as "banned!",
            exists (select from ended_request) as "ended_request!", i.invited_by as "invited_by?",
            coalesce(i.is_shown, false) as "ended_invitation!"
        from allowed
        left join ended_invitation i on true"#,
        community,
        member,
        other,
        is_open,
        ban,
        reason as Option<Reason>,
        work.now,
    )
    .fetch_one(&mut *work.db)
    .await?;
    match (outcome.is_moderator, outcome.is_allowed) {
        (false, _) => return Err(refusal(work.db, member, community, Error::NotModerator).await),
        (true, true) => {}
        (true, false) if !is_open || !outcome.is_member => return Err(Error::MemberNotFound),
        (true, false) => return Err(Error::MemberProtected),
    }
    if outcome.left {
        publishing::publish_community_left(work, community, other).await?;
        invitations::end_by_author(work, community, other).await?;
    }
    if outcome.ended_request {
        admissions::publish_join_request_removed(work, community, other).await?;
    }
    if outcome.ended_invitation {
        admissions::publish_invitation_removed(work, community, other, outcome.invited_by).await?;
    }
    if outcome.left || outcome.banned {
        let action = if ban { Action::MemberBanned } else { Action::MemberRemoved };
        let entry = NewEntry::new(work.ids, community, action, member, other);
        log::insert(work, &NewEntry { reason, ..entry }).await?;
    }
    Ok(())
}

/// Ends a ban.
pub async fn unban(work: &mut UnitOfWork<'_>, community: Uuid, member: Uuid, other: Uuid) -> Result<(), Error> {
    members::lock_existing(work.db, member, other).await?;
    lock(work.db, community).await?;
    let unbanned = sqlx::query!(
        "delete from social_graph.community_bans b
        where b.community_id = $1
            and b.member_id = $3
            and exists (
                select
                from social_graph.memberships m
                where m.community_id = $1
                    and m.member_id = $2
                    and m.role in ('owner', 'moderator')
            )",
        community,
        member,
        other,
    );
    if unbanned.execute(&mut *work.db).await?.rows_affected() == 0 {
        return require_moderator(work.db, community, member).await;
    }
    log::record(work, community, Action::MemberUnbanned, member, other).await
}

/// Lists the banned members with open accounts, newest ban first.
///
/// # Errors
/// [`Error::NotModerator`] for other callers than owners and moderators.
pub async fn list_bans(
    db: &mut PgConnection,
    member: Uuid,
    query: &CommunityPage<BanCursor>,
) -> Result<Page<Ban>, Error> {
    let rows = sqlx::query_as!(
        Ban,
        r#"select b.member_id, b.reason as "reason: Reason", b.banned_at
        from social_graph.community_bans b
        join social_graph.members a on a.member_id = b.member_id and not a.hidden
        where b.community_id = $1
            and (b.banned_at, b.member_id) < ($3, $4)
            and exists (
                select
                from social_graph.memberships m
                where m.community_id = $1
                    and m.member_id = $2
                    and m.role in ('owner', 'moderator')
            )
        order by b.banned_at desc, b.member_id desc
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
    Ok(Page::cut(rows, query.page.size, |row| BanCursor { at: row.banned_at, id: row.member_id }))
}

/// Deletes the bans of an erased member.
pub async fn erase(db: &mut PgConnection, member: Uuid) -> Result<(), Error> {
    sqlx::query!("delete from social_graph.community_bans where member_id = $1", member).execute(db).await?;
    Ok(())
}
