//! Invitations to a community by its owners and moderators. Lock order: member, communities.

use chrono::{DateTime, TimeDelta, Utc};
use outbox::UnitOfWork;
use primitives::input::{Cursor, Page};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    Community, CommunityMemberRef, CommunityPage, batch_get,
    changes::lock,
    join_requests::{self, AnswerJoinRequest},
    log::{self, Action},
    refusal, require_moderator,
};
use crate::{connections::allowance, error::Error, members, paging::PageRequest, publishing::admissions};

/// The most invitations of a community that wait for an answer.
const MAX_INVITATIONS: i64 = 100;
/// The time during which a declined invitation or request prevents the next one between the member and the community.
pub(super) const DECLINE_PERIOD: TimeDelta = TimeDelta::days(30);

pub struct Invitation {
    pub member_id: Uuid,
    pub invited_by: Option<Uuid>,
    pub invited_at: DateTime<Utc>,
}

/// An invitation, for the invited member.
pub struct OwnInvitation {
    pub community: Community,
    pub invited_by: Option<Uuid>,
    pub invited_at: DateTime<Utc>,
}

/// A position in a list of invitations, newest first.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InvitationCursor {
    at: DateTime<Utc>,
    id: Uuid,
}

impl Cursor for InvitationCursor {}

impl InvitationCursor {
    pub const FIRST: Self = Self { at: DateTime::<Utc>::MAX_UTC, id: Uuid::max() };
}

pub type ListOwnInvitations = PageRequest<InvitationCursor>;

/// Invites a member, unless the member belongs to the community or was invited before. The request of a member who asks to join is
/// approved instead. `scale` multiplies the allowance of invitations.
///
/// A member who blocks the caller does not see the invitation. The moderators are answered as ever, and the invitation is counted
/// like any other, which does not reveal the block.
///
/// # Errors
/// [`Error::NotModerator`]; [`Error::MemberNotFound`] for a closed account and for one that the caller blocks;
/// [`Error::MemberBanned`]; [`Error::InvitedTooSoon`]; [`Error::TooManyInvitations`].
pub async fn invite(
    work: &mut UnitOfWork<'_>,
    member: Uuid,
    invited: &CommunityMemberRef,
    scale: u32,
) -> Result<(), Error> {
    let &CommunityMemberRef { community, member: other } = invited;
    let existing = members::lock_existing(work.db, member, other).await?;
    let is_open = existing.iter().any(|known| known.member_id == other && !known.hidden);
    lock(work.db, community).await?;
    let outcome = sqlx::query!(
        r#"with standing as (
            select
                exists (
                    select
                    from social_graph.memberships
                    where community_id = $1
                        and member_id = $2
                        and role in ('owner', 'moderator')
                ) as is_moderator,
                exists (
                    select
                    from social_graph.memberships
                    where community_id = $1
                        and member_id = $3
                ) as is_member,
                exists (
                    select
                    from social_graph.community_bans
                    where community_id = $1
                        and member_id = $3
                ) as is_banned,
                exists (
                    select
                    from social_graph.community_requests
                    where community_id = $1
                        and member_id = $3
                ) as is_requested,
                exists (
                    select
                    from social_graph.blocks
                    where blocker_id = $2
                        and blocked_id = $3
                ) as is_blocked,
                exists (
                    select
                    from social_graph.blocks
                    where blocker_id = $3
                        and blocked_id = $2
                ) as is_withheld,
                (
                    select declined_at is null
                    from social_graph.community_invitations
                    where community_id = $1
                        and member_id = $3
                        and (declined_at is null or declined_at > $5)
                ) as is_pending,
                (
                    select count(*)
                    from social_graph.community_invitations
                    where community_id = $1
                        and declined_at is null
                ) >= $6 as is_full
        ),
        sent as (
            insert into social_graph.community_invitations as known
                (community_id, member_id, invited_by, invited_at, is_withheld)
            select $1, $3, $2, $4, is_withheld
            from standing
            where is_moderator
                and $7
                and not (is_member or is_banned or is_requested or is_blocked or is_full)
                and is_pending is null
            on conflict (community_id, member_id) do update
            set
                invited_by = excluded.invited_by,
                invited_at = excluded.invited_at,
                declined_at = null,
                is_withheld = excluded.is_withheld
            returning member_id
        )
        select
            is_moderator as "is_moderator!", is_member as "is_member!", is_banned as "is_banned!",
            is_requested as "is_requested!", is_blocked as "is_blocked!", is_withheld as "is_withheld!", is_pending as "is_pending?",
            exists (select from sent) as "sent!"
        from standing"#,
        community,
        member,
        other,
        work.now,
        work.now - DECLINE_PERIOD,
        MAX_INVITATIONS,
        is_open,
    )
    .fetch_one(&mut *work.db)
    .await?;
    match () {
        () if !outcome.is_moderator => Err(refusal(work.db, member, community, Error::NotModerator).await),
        () if outcome.sent => {
            allowance::count_invitation(work, member, other, scale).await?;
            if !outcome.is_withheld {
                admissions::publish_invited(work, community, other, member).await?;
            }
            log::record(work, community, Action::MemberInvited, member, other).await
        }
        () if !is_open || outcome.is_blocked => Err(Error::MemberNotFound),
        () if outcome.is_banned => Err(Error::MemberBanned),
        () if outcome.is_member => Ok(()),
        () if outcome.is_requested => {
            join_requests::answer(work, member, &AnswerJoinRequest { community, member: other, approve: true }).await
        }
        () if outcome.is_pending == Some(true) => Ok(()),
        () if outcome.is_pending == Some(false) => Err(Error::InvitedTooSoon),
        () => Err(Error::TooManyInvitations),
    }
}

/// Withdraws an invitation, if one waits for an answer.
///
/// # Errors
/// [`Error::NotModerator`] for other callers than owners and moderators.
pub async fn withdraw(work: &mut UnitOfWork<'_>, member: Uuid, invited: &CommunityMemberRef) -> Result<(), Error> {
    let &CommunityMemberRef { community, member: other } = invited;
    members::lock_existing(work.db, member, other).await?;
    lock(work.db, community).await?;
    let withdrawn = sqlx::query_as!(
        EndedInvitation,
        "delete from social_graph.community_invitations i
        where i.community_id = $1
            and i.member_id = $3
            and i.declined_at is null
            and exists (
                select
                from social_graph.memberships m
                where m.community_id = $1
                    and m.member_id = $2
                    and m.role in ('owner', 'moderator')
            )
        returning i.community_id, i.member_id, i.invited_by, i.is_withheld",
        community,
        member,
        other,
    );
    let Some(withdrawn) = withdrawn.fetch_optional(&mut *work.db).await? else {
        return require_moderator(work.db, community, member).await;
    };
    publish_ended(work, &[withdrawn]).await?;
    log::record(work, community, Action::InvitationWithdrawn, member, other).await
}

/// Lists the invitations of a community to members with open accounts that wait for an answer, newest first.
///
/// # Errors
/// [`Error::NotModerator`] for other callers than owners and moderators.
pub async fn list(
    db: &mut PgConnection,
    member: Uuid,
    query: &CommunityPage<InvitationCursor>,
) -> Result<Page<Invitation>, Error> {
    let rows = sqlx::query_as!(
        Invitation,
        "select i.member_id, i.invited_by, i.invited_at
        from social_graph.community_invitations i
        join social_graph.members a on a.member_id = i.member_id and not a.hidden
        where i.community_id = $1
            and i.declined_at is null
            and (i.invited_at, i.member_id) < ($3, $4)
            and exists (
                select
                from social_graph.memberships m
                where m.community_id = $1
                    and m.member_id = $2
                    and m.role in ('owner', 'moderator')
            )
        order by i.invited_at desc, i.member_id desc
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
    Ok(Page::cut(rows, query.page.size, |row| InvitationCursor { at: row.invited_at, id: row.member_id }))
}

struct OwnRow {
    community_id: Uuid,
    invited_by: Option<Uuid>,
    invited_at: DateTime<Utc>,
}

/// Lists the invitations of a member that wait for an answer, newest first.
pub async fn list_own(
    db: &mut PgConnection,
    member: Uuid,
    query: &ListOwnInvitations,
) -> Result<Page<OwnInvitation>, Error> {
    let rows = sqlx::query_as!(
        OwnRow,
        r#"select i.community_id, i.invited_at, a.member_id as "invited_by?"
        from social_graph.community_invitations i
        left join social_graph.members a on a.member_id = i.invited_by and not a.hidden
        where i.member_id = $1
            and i.declined_at is null
            and not i.is_withheld
            and (i.invited_at, i.community_id) < ($2, $3)
        order by i.invited_at desc, i.community_id desc
        limit $4"#,
        member,
        query.after.at,
        query.after.id,
        query.size.to_fetch(),
    )
    .fetch_all(&mut *db)
    .await?;
    let ids: Vec<Uuid> = rows.iter().map(|row| row.community_id).collect();
    let communities = batch_get(db, Some(member), &ids).await?;
    // A community that was dissolved between the statements is left out.
    let invitation = |row: &OwnRow| {
        let community = communities.iter().find(|community| community.id == row.community_id)?.clone();
        Some(OwnInvitation { community, invited_by: row.invited_by, invited_at: row.invited_at })
    };
    Ok(Page::cut(rows.iter().filter_map(invitation).collect(), query.size, |row| InvitationCursor {
        at: row.invited_at,
        id: row.community.id,
    }))
}

/// An invitation that ended without an answer.
struct EndedInvitation {
    community_id: Uuid,
    member_id: Uuid,
    invited_by: Option<Uuid>,
    /// The member did not see it.
    is_withheld: bool,
}

/// Publishes the end of the invitations that their members saw.
async fn publish_ended(work: &mut UnitOfWork<'_>, ended: &[EndedInvitation]) -> Result<(), Error> {
    for ended in ended.iter().filter(|ended| !ended.is_withheld) {
        admissions::publish_invitation_removed(work, ended.community_id, ended.member_id, ended.invited_by).await?;
    }
    Ok(())
}

/// Deletes the invitations of the blocked member by the blocker. Withholds the invitations of the blocker by the
/// blocked member, whose deletion would reveal the block to their author.
pub async fn remove_for_block(work: &mut UnitOfWork<'_>, blocker: Uuid, blocked: Uuid) -> Result<(), Error> {
    let withheld = sqlx::query_as!(
        EndedInvitation,
        r#"update social_graph.community_invitations
        set is_withheld = true
        where declined_at is null
            and not is_withheld
            and member_id = $1
            and invited_by = $2
        returning community_id, member_id, invited_by, false as "is_withheld!""#,
        blocker,
        blocked,
    );
    let mut ended = withheld.fetch_all(&mut *work.db).await?;
    let deleted = sqlx::query_as!(
        EndedInvitation,
        "delete from social_graph.community_invitations
        where declined_at is null
            and member_id = $2
            and invited_by = $1
        returning community_id, member_id, invited_by, is_withheld",
        blocker,
        blocked,
    );
    ended.extend(deleted.fetch_all(&mut *work.db).await?);
    publish_ended(work, &ended).await
}

/// Deletes the invitations by a member who does not moderate the community any more.
pub async fn end_by_author(work: &mut UnitOfWork<'_>, community: Uuid, author: Uuid) -> Result<(), Error> {
    let ended = sqlx::query_as!(
        EndedInvitation,
        "delete from social_graph.community_invitations i
        where i.community_id = $1
            and i.invited_by = $2
            and i.declined_at is null
            and not exists (
                select
                from social_graph.memberships m
                where m.community_id = $1
                    and m.member_id = $2
                    and m.role in ('owner', 'moderator')
            )
        returning i.community_id, i.member_id, i.invited_by, i.is_withheld",
        community,
        author,
    );
    let ended = ended.fetch_all(&mut *work.db).await?;
    publish_ended(work, &ended).await
}

/// Deletes the invitations of an erased member, and the waiting invitations that the member wrote.
pub async fn erase(work: &mut UnitOfWork<'_>, member: Uuid) -> Result<(), Error> {
    sqlx::query!("delete from social_graph.community_invitations where member_id = $1", member)
        .execute(&mut *work.db)
        .await?;
    let ended = sqlx::query_as!(
        EndedInvitation,
        "delete from social_graph.community_invitations
        where invited_by = $1
            and declined_at is null
        returning community_id, member_id, invited_by, is_withheld",
        member,
    );
    let ended = ended.fetch_all(&mut *work.db).await?;
    // A declined invitation stays, because it delays the next one.
    sqlx::query!("update social_graph.community_invitations set invited_by = null where invited_by = $1", member)
        .execute(&mut *work.db)
        .await?;
    publish_ended(work, &ended).await
}
