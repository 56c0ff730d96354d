//! Inserts causes: several of one kind, of any recipients and subjects, with one statement.

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use uuid::Uuid;

use super::NotificationTrigger;
use crate::{error::Error, notifications::Kind};

/// A trigger of one recipient, with the time of the cause.
#[derive(Clone, Copy)]
pub(super) struct Cause<'a> {
    pub trigger: NotificationTrigger<'a>,
    pub member: Uuid,
    pub at: DateTime<Utc>,
}

/// A notification with new causes.
pub(super) struct Notified {
    pub id: Uuid,
    pub member_id: Uuid,
    /// The notification is new or was read.
    pub became_unread: bool,
}

/// Inserts causes of one kind. The caller has locked the rows of the recipients, so the rows that this statement
/// reads do not change before it writes. The times of one recipient's causes increase.
pub(super) async fn insert(
    work: &mut UnitOfWork<'_>,
    kind: Kind,
    causes: &[Cause<'_>],
) -> Result<Vec<Notified>, Error> {
    let members: Vec<Uuid> = causes.iter().map(|cause| cause.member).collect();
    let ids: Vec<Uuid> = members.iter().map(|member| work.ids.owned_by(*member)).collect();
    let times: Vec<DateTime<Utc>> = causes.iter().map(|cause| cause.at).collect();
    let subjects: Vec<Uuid> = causes.iter().map(|cause| cause.trigger.subject).collect();
    let posts: Vec<Option<Uuid>> = causes.iter().map(|cause| cause.trigger.post).collect();
    let details: Vec<String> = causes.iter().map(|cause| cause.trigger.detail.to_owned()).collect();
    let audiences: Vec<Option<Uuid>> = causes.iter().map(|cause| cause.trigger.audience).collect();
    let actors: Vec<Uuid> = causes.iter().map(|cause| cause.trigger.actor).collect();
    let texts: Vec<String> = causes.iter().map(|cause| cause.trigger.cause.to_owned()).collect();
    // Subqueries for the lists: with bare parameters Postgres plans each call, which takes longer than the execution.
    let notified = sqlx::query_as!(
        Notified,
        r#"with candidates as (
            select c.*
            from unnest(
                (select $1::uuid[]), (select $2::uuid[]), (select $3::timestamptz[]), (select $4::uuid[]),
                (select $5::uuid[]), (select $6::text[]), (select $7::uuid[]), (select $8::text[]),
                (select $11::uuid[])
            ) as c (member_id, id, at, subject_id, post_id, detail, actor_id, cause, audience_id)
            where not exists (
                    select
                    from messaging.blocks b
                    where (b.blocker_id = c.member_id and b.blocked_id = c.actor_id)
                        or (b.blocker_id = c.actor_id and b.blocked_id = c.member_id)
                )
                and not exists (select from messaging.closed_members g where g.member_id = c.actor_id)
                and not exists (select from messaging.erasures e where e.member_id = c.member_id)
                and (
                    c.audience_id is null
                    or exists (
                        select
                        from messaging.memberships m
                        where m.community_id = c.audience_id
                            and m.member_id = c.member_id
                    )
                )
                and coalesce((
                    select s.is_on
                    from messaging.notification_switches s
                    where s.member_id = c.member_id
                        and s.kind = $9
                ), $10)
        ),
        first_causes as (
            select distinct on (c.member_id, c.subject_id, c.detail, c.actor_id, c.cause)
                c.*, n.id as known_id, n.member_ids as known_actors, n.member_count as known_count,
                n.id is null or coalesce(n.read_at >= n.active_at, false) as became_unread
            from candidates c
            left join messaging.notifications n
                on n.member_id = c.member_id
                and n.kind = $9
                and n.subject_id = c.subject_id
                and n.detail = c.detail
            where not exists (
                select
                from messaging.notification_causes k
                where k.notification_id = n.id
                    and k.actor_id = c.actor_id
                    and k.cause = c.cause
            )
            order by c.member_id, c.subject_id, c.detail, c.actor_id, c.cause, c.at
        ),
        new_causes as (
            select
                c.*,
                coalesce(
                    c.known_id,
                    first_value(c.id) over (partition by c.member_id, c.subject_id, c.detail order by c.at)
                ) as notification_id
            from first_causes c
        ),
        new_actors as (
            select
                c.notification_id, c.member_id, c.subject_id, c.post_id, c.detail,
                c.known_actors, c.known_count, c.became_unread, c.actor_id,
                max(c.at) as at,
                not exists (
                    select
                    from messaging.notification_causes k
                    where k.notification_id = c.notification_id
                        and k.actor_id = c.actor_id
                ) as is_added
            from new_causes c
            group by
                c.notification_id, c.member_id, c.subject_id, c.post_id, c.detail,
                c.known_actors, c.known_count, c.became_unread, c.actor_id
        ),
        changed as (
            select
                a.notification_id, a.member_id, a.subject_id, a.post_id, a.detail, a.known_actors, a.became_unread,
                max(a.at) as at,
                array_agg(a.actor_id order by a.at desc) as actors,
                coalesce(a.known_count, 0) + count(*) filter (where a.is_added) as actor_count
            from new_actors a
            group by
                a.notification_id, a.member_id, a.subject_id, a.post_id, a.detail,
                a.known_actors, a.known_count, a.became_unread
        ),
        upserted as (
            insert into messaging.notifications as n
                (id, member_id, kind, subject_id, post_id, detail, active_at, member_ids, member_count)
            select
                c.notification_id, c.member_id, $9, c.subject_id, c.post_id, c.detail, c.at,
                (c.actors || array(
                    select k.actor_id
                    from unnest(c.known_actors) with ordinality as k (actor_id, place)
                    where k.actor_id <> all (c.actors)
                    order by k.place
                ))[1:3],
                c.actor_count
            from changed c
            order by c.member_id
            on conflict (member_id, kind, subject_id, detail) do update
            set
                active_at = excluded.active_at,
                member_ids = excluded.member_ids,
                member_count = excluded.member_count
        ),
        inserted as (
            insert into messaging.notification_causes (notification_id, actor_id, cause, at)
            select notification_id, actor_id, cause, at
            from new_causes
        )
        select
            notification_id as "id!", member_id as "member_id!", became_unread as "became_unread!"
        from changed
        order by member_id"#,
        &members,
        &ids,
        &times,
        &subjects,
        &posts as &[Option<Uuid>],
        &details,
        &actors,
        &texts,
        kind as Kind,
        kind.on_by_default(),
        &audiences as &[Option<Uuid>],
    );
    Ok(notified.fetch_all(&mut *work.db).await?)
}
