//! Joining and leaving a community. Lock order: member, communities, as in `memberships`.

use outbox::UnitOfWork;
use uuid::Uuid;

use super::{
    Role,
    access::{Joining, Visibility},
    changes::lock,
    invitations::{self, DECLINE_PERIOD},
    join_requests::list_moderators,
};
use crate::{
    error::Error,
    members,
    publishing::{self, admissions},
};

/// The most requests of a member that wait for an answer.
const MAX_REQUESTS: i64 = 50;

/// Adds a membership where the community is open or the member is invited, and a request where members join on request.
///
/// # Errors
/// [`Error::CommunityNotFound`] also for a private community without an invitation; [`Error::Banned`];
/// [`Error::NotInvited`]; [`Error::RequestedTooSoon`]; [`Error::TooManyJoinRequests`].
pub async fn join(work: &mut UnitOfWork<'_>, id: Uuid, member: Uuid) -> Result<(), Error> {
    members::lock(work, member).await?;
    let visibility = lock(work.db, id).await?;
    let outcome = sqlx::query!(
        r#"with standing as (
            select
                c.joining,
                exists (
                    select
                    from social_graph.memberships
                    where community_id = $1
                        and member_id = $2
                ) as is_member,
                exists (
                    select
                    from social_graph.community_bans
                    where community_id = $1
                        and member_id = $2
                ) as is_banned,
                exists (
                    select
                    from social_graph.community_invitations
                    where community_id = $1
                        and member_id = $2
                        and declined_at is null
                        and not is_withheld
                ) as is_invited,
                exists (
                    select
                    from social_graph.community_request_declines
                    where community_id = $1
                        and member_id = $2
                        and declined_at > $6
                ) as is_declined,
                exists (
                    select
                    from social_graph.community_requests
                    where community_id = $1
                        and member_id = $2
                ) as is_requested
            from social_graph.communities c
            where c.id = $1
        ),
        joined as (
            insert into social_graph.memberships (community_id, member_id, role, joined_at, hidden, is_private)
            select $1, m.member_id, 'member', $3, m.hidden, $5
            from social_graph.members m
            cross join standing s
            where m.member_id = $2
                and not s.is_member
                and not s.is_banned
                and (s.joining = 'open' or s.is_invited)
            returning community_id, hidden
        ),
        counted as (
            update social_graph.communities c
            set member_count = c.member_count + case when j.hidden then 0 else 1 end
            from joined j
            where c.id = j.community_id
        ),
        answered_request as (
            delete from social_graph.community_requests r
            using joined j
            where r.community_id = j.community_id
                and r.member_id = $2
            returning r.member_id
        ),
        answered_invitation as (
            delete from social_graph.community_invitations i
            using joined j
            where i.community_id = j.community_id
                and i.member_id = $2
            returning i.invited_by, i.declined_at is null and not i.is_withheld as is_pending
        ),
        requested as (
            insert into social_graph.community_requests (community_id, member_id, requested_at)
            select $1, $2, $3
            from standing s
            where s.joining = 'request'
                and not s.is_member
                and not s.is_banned
                and not s.is_invited
                and not s.is_requested
                and not s.is_declined
                and (select count(*) from social_graph.community_requests where member_id = $2) < $4
            returning member_id
        )
        select
            s.joining as "joining!: Joining", s.is_member as "is_member!", s.is_banned as "is_banned!",
            s.is_requested as "was_requested!", s.is_declined as "is_declined!", exists (select from joined) as "joined!",
            exists (select from requested) as "requested!", a.invited_by as "invited_by?",
            coalesce(a.is_pending, false) as "accepted!"
        from standing s
        left join answered_invitation a on true"#,
        id,
        member,
        work.now,
        MAX_REQUESTS,
        visibility == Visibility::Private,
        work.now - DECLINE_PERIOD,
    )
    .fetch_one(&mut *work.db)
    .await?;
    if outcome.joined {
        if outcome.was_requested {
            admissions::publish_join_request_removed(work, id, member).await?;
        }
        if outcome.accepted {
            admissions::publish_invitation_removed(work, id, member, outcome.invited_by).await?;
        }
        return publishing::publish_community_joined(work, id, member, Role::Member).await;
    }
    if outcome.requested {
        let moderators = list_moderators(work.db, id).await?;
        return admissions::publish_join_requested(work, id, member, &moderators).await;
    }
    match outcome.joining {
        _ if outcome.is_member => Ok(()),
        _ if visibility == Visibility::Private => Err(Error::CommunityNotFound),
        _ if outcome.is_banned => Err(Error::Banned),
        Joining::Request if outcome.was_requested => Ok(()),
        Joining::Request if outcome.is_declined => Err(Error::RequestedTooSoon),
        Joining::Request => Err(Error::TooManyJoinRequests),
        Joining::Open | Joining::Invitation => Err(Error::NotInvited),
    }
}

/// Ends a membership, withdraws a request to join and declines an invitation. Refuses the last owner with an open
/// account. Changes nothing when there is none of them. Treats a community that the member does not see like a missing
/// one.
pub async fn leave(work: &mut UnitOfWork<'_>, id: Uuid, member: Uuid) -> Result<(), Error> {
    members::lock(work, member).await?;
    match lock(work.db, id).await {
        Ok(_) => {}
        Err(Error::CommunityNotFound) => return Ok(()),
        Err(error) => return Err(error),
    }
    let outcome = sqlx::query!(
        r#"with standing as (
            select community_id
            from social_graph.memberships
            where community_id = $1
                and member_id = $2
        ),
        gone as (
            delete from social_graph.memberships m
            where m.community_id = $1
                and m.member_id = $2
                and (
                    m.role <> 'owner'
                    or exists (
                        select
                        from social_graph.memberships o
                        where o.community_id = $1
                            and o.member_id <> $2
                            and o.role = 'owner'
                            and not o.hidden
                    )
                )
            returning m.community_id, m.hidden
        ),
        counted as (
            update social_graph.communities c
            set member_count = c.member_count - case when g.hidden then 0 else 1 end
            from gone g
            where c.id = g.community_id
        ),
        withdrawn as (
            delete from social_graph.community_requests
            where community_id = $1
                and member_id = $2
            returning member_id
        ),
        declined as (
            update social_graph.community_invitations
            set declined_at = $3
            where community_id = $1
                and member_id = $2
                and declined_at is null
                and not is_withheld
            returning invited_by
        )
        select
            exists (select from standing) as "belonged!", exists (select from gone) as "left!",
            exists (select from withdrawn) as "withdrew!", exists (select from declined) as "declined!",
            (select invited_by from declined) as "invited_by?""#,
        id,
        member,
        work.now,
    )
    .fetch_one(&mut *work.db)
    .await?;
    if outcome.belonged && !outcome.left {
        return Err(Error::LastOwner);
    }
    if outcome.left {
        publishing::publish_community_left(work, id, member).await?;
        invitations::end_by_author(work, id, member).await?;
    }
    if outcome.withdrew {
        admissions::publish_join_request_removed(work, id, member).await?;
    }
    if outcome.declined {
        admissions::publish_invitation_removed(work, id, member, outcome.invited_by).await?;
    }
    Ok(())
}
