//! Erasure: deletes the rows of an account that auth has erased.

use outbox::UnitOfWork;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    communities::{
        Role,
        access::Visibility,
        changes::{adjust_count, listed},
        invitations, join_requests,
        log::{self, Action, NewEntry},
        moderation, search,
    },
    connections::counts::{self, CountDelta},
    error::Error,
    publishing::{self, events::EventState},
};

/// Deletes the member's rows on either side of every relation and corrects the counts kept for others. Idempotent.
///
/// Events the member organised stay, without an organiser. A community without another owner passes to its longest
/// moderator, or else to its longest member; an empty one is deleted.
///
/// Changes of communities and events are published one by one, because they also concern other members; the rest by one fact.
pub async fn erase(work: &mut UnitOfWork<'_>, member: Uuid) -> Result<(), Error> {
    // Connection requests wait for the lock on this row, so the statements below see the earlier ones.
    sqlx::query!(
        "insert into social_graph.members (member_id, hidden)
        values ($1, true)
        on conflict (member_id) do update
        set hidden = excluded.hidden",
        member,
    )
    .execute(&mut *work.db)
    .await?;
    erase_connections(work.db, member).await?;
    lock_communities(work.db, member).await?;
    erase_memberships(work, member).await?;
    join_requests::erase(work.db, member).await?;
    invitations::erase(work, member).await?;
    moderation::erase(work.db, member).await?;
    log::erase(work.db, member).await?;
    erase_attendances(work, member).await?;
    clear_organiser(work, member).await?;
    sqlx::query!("delete from social_graph.blocks where blocker_id = $1 or blocked_id = $1", member)
        .execute(&mut *work.db)
        .await?;
    sqlx::query!("delete from social_graph.follows where follower_id = $1 or followed_id = $1", member)
        .execute(&mut *work.db)
        .await?;
    sqlx::query!("delete from social_graph.dismissed_suggestions where member_id = $1 or dismissed_id = $1", member)
        .execute(&mut *work.db)
        .await?;
    sqlx::query!("delete from social_graph.idempotency_keys where member_id = $1", member)
        .execute(&mut *work.db)
        .await?;
    sqlx::query!("delete from social_graph.member_counts where member_id = $1", member).execute(&mut *work.db).await?;
    sqlx::query!("delete from social_graph.members where member_id = $1", member).execute(&mut *work.db).await?;
    publishing::publish_erased(work, member).await
}

/// Locks every community with a row of the member, in the order of their ids. A dissolution locks the community before its
/// rows and the totals after them: an erasure that locked the rows one table after the other could wait for it in a circle.
async fn lock_communities(db: &mut PgConnection, member: Uuid) -> Result<(), Error> {
    let locked = sqlx::query_scalar!(
        "select id
        from social_graph.communities
        where id in (
            select community_id
            from social_graph.memberships
            where member_id = $1
            union all
            select community_id
            from social_graph.community_requests
            where member_id = $1
            union all
            select community_id
            from social_graph.community_request_declines
            where member_id = $1
            union all
            select community_id
            from social_graph.community_invitations
            where member_id = $1
                or invited_by = $1
            union all
            select community_id
            from social_graph.community_bans
            where member_id = $1
            union all
            select community_id
            from social_graph.community_log
            where actor_id = $1
                or member_id = $1
        )
        order by id
        for update",
        member,
    );
    locked.fetch_all(db).await?;
    Ok(())
}

async fn erase_connections(db: &mut PgConnection, member: Uuid) -> Result<(), Error> {
    let deltas = sqlx::query_as!(
        CountDelta,
        r#"delete from social_graph.connections
        where least(requester_id, recipient_id) = $1
            or greatest(requester_id, recipient_id) = $1
        returning
            case when requester_id = $1 then recipient_id else requester_id end as "member!",
            case
                when status = 'accepted' and not case when requester_id = $1 then requester_hidden else recipient_hidden end
                then 1::bigint
                else 0
            end as "connections!",
            case
                when status = 'pending' and requester_id = $1 and not requester_hidden
                then 1::bigint
                else 0
            end as "requests!""#,
        member,
    )
    .fetch_all(&mut *db)
    .await?;
    counts::subtract(db, &deltas).await
}

/// Ends every membership. A community without another owner passes to its longest moderator or member; an empty one is
/// deleted.
async fn erase_memberships(work: &mut UnitOfWork<'_>, member: Uuid) -> Result<(), Error> {
    let left = sqlx::query!(
        r#"with gone as (
            delete from social_graph.memberships m
            where m.member_id = $1
            returning m.community_id, m.role, m.hidden
        )
        update social_graph.communities c
        set member_count = c.member_count - case when g.hidden then 0 else 1 end
        from gone g
        where c.id = g.community_id
        returning c.id, g.role = 'owner' as "owned!""#,
        member,
    )
    .fetch_all(&mut *work.db)
    .await?;
    for community in &left {
        publishing::publish_community_left(work, community.id, member).await?;
    }
    let owned: Vec<Uuid> = left.iter().filter(|community| community.owned).map(|community| community.id).collect();
    // Open accounts come first, among them owners, so they stay the only owners. Owners and moderators are few; the last part
    // is the beginning of an index.
    let heirs = sqlx::query!(
        "with heirs as (
            select o.community_id, m.member_id
            from unnest($1::uuid[]) as o (community_id)
            cross join lateral (
                select member_id
                from (
                    select member_id, role, hidden, joined_at
                    from social_graph.memberships
                    where community_id = o.community_id
                        and role = 'owner'
                    union all
                    select member_id, role, hidden, joined_at
                    from social_graph.memberships
                    where community_id = o.community_id
                        and role = 'moderator'
                    union all
                    (
                        select member_id, role, hidden, joined_at
                        from social_graph.memberships
                        where community_id = o.community_id
                        order by hidden, (role <> 'owner'), joined_at, member_id
                        limit 1
                    )
                ) as candidates
                order by hidden, (role <> 'owner'), (role <> 'moderator'), joined_at, member_id
                limit 1
            ) as m
        )
        update social_graph.memberships m
        set role = 'owner'
        from heirs h
        where m.community_id = h.community_id
            and m.member_id = h.member_id
            and m.role <> 'owner'
        returning m.community_id, m.member_id",
        &owned,
    )
    .fetch_all(&mut *work.db)
    .await?;
    for heir in heirs {
        publishing::publish_community_joined(work, heir.community_id, heir.member_id, Role::Owner).await?;
        let entry = NewEntry {
            id: work.ids.owned_by(heir.community_id),
            community: heir.community_id,
            action: Action::Succeeded,
            actor: None,
            member: Some(heir.member_id),
            role: None,
            reason: None,
        };
        log::insert(work, &entry).await?;
    }
    let empty = sqlx::query!(
        r#"delete from social_graph.communities c
        where c.id = any($1)
            and not exists (
                select
                from social_graph.memberships m
                where m.community_id = c.id
            )
        returning c.id, c.visibility as "visibility: Visibility""#,
        &owned,
    )
    .fetch_all(&mut *work.db)
    .await?;
    for community in &empty {
        publishing::publish_community_removed(work, community.id).await?;
        adjust_count(work.db, -listed(community.visibility)).await?;
    }
    let empty: Vec<Uuid> = empty.into_iter().map(|community| community.id).collect();
    search::COMMUNITIES.remove(work.db, &empty).await?;
    Ok(())
}

async fn erase_attendances(work: &mut UnitOfWork<'_>, member: Uuid) -> Result<(), Error> {
    let left = sqlx::query_scalar!(
        "with locked as (
            select e.id
            from social_graph.events e
            join social_graph.attendances a on a.event_id = e.id
            where a.member_id = $1
            order by e.id
            for update of e
        ),
        gone as (
            delete from social_graph.attendances a
            using locked l
            where a.event_id = l.id
                and a.member_id = $1
            returning a.event_id, a.hidden
        )
        update social_graph.events e
        set attendee_count = e.attendee_count - case when g.hidden then 0 else 1 end
        from gone g
        where e.id = g.event_id
        returning e.id",
        member,
    )
    .fetch_all(&mut *work.db)
    .await?;
    for event in left {
        publishing::events::publish_unattended(work, event, member).await?;
    }
    Ok(())
}

/// Leaves the member's events without an organiser.
async fn clear_organiser(work: &mut UnitOfWork<'_>, member: Uuid) -> Result<(), Error> {
    let events = sqlx::query!(
        "update social_graph.events
        set organiser_id = null
        where organiser_id = $1
        returning id, title, revision",
        member,
    )
    .fetch_all(&mut *work.db)
    .await?;
    for event in events {
        let (title, revision) = (event.title.as_str(), event.revision);
        let state = EventState { id: event.id, organiser: None, title, revision, moved: false };
        publishing::events::publish_changed(work, &state).await?;
    }
    Ok(())
}
