//! Withdraws notifications after an action was reversed, a subject deleted, a member blocked, or an account closed or
//! erased.

use outbox::UnitOfWork;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{NotificationTrigger, counts, in_lock_order, lock};
use crate::{batches::BATCH, error::Error, notifications::Kind, publishing::publish_notifications_changed};

/// Withdraws a trigger from all recipients: one cause of the actor, or all if the cause is empty.
pub async fn withdraw(work: &mut UnitOfWork<'_>, trigger: &NotificationTrigger<'_>) -> Result<(), Error> {
    withdraw_each(work, &[*trigger]).await
}

/// Withdraws triggers of one kind, detail and cause with few statements, see [`withdraw`].
pub async fn withdraw_each(work: &mut UnitOfWork<'_>, triggers: &[NotificationTrigger<'_>]) -> Result<(), Error> {
    let Some(NotificationTrigger { kind, detail, cause, .. }) = triggers.first().copied() else { return Ok(()) };
    let (subjects, actors): (Vec<Uuid>, Vec<Uuid>) =
        triggers.iter().map(|trigger| (trigger.subject, trigger.actor)).unzip();
    // Subqueries for the lists, as in causes.rs.
    let members = sqlx::query_scalar!(
        "select n.member_id
        from unnest((select $1::uuid[]), (select $2::uuid[])) as w (subject_id, actor_id)
        join messaging.notifications n on n.subject_id = w.subject_id
        join messaging.notification_causes c on c.notification_id = n.id and c.actor_id = w.actor_id
        where n.kind = $3
            and n.detail = $4
            and case when $5 = '' then true else c.cause = $5 end",
        &subjects,
        &actors,
        kind as Kind,
        detail,
        cause,
    );
    let members = members.fetch_all(&mut *work.db).await?;
    lock(work.db, &members).await?;
    let named = sqlx::query!(
        r#"select n.id, w.actor_id as "actor_id!"
        from unnest((select $1::uuid[]), (select $2::uuid[])) as w (subject_id, actor_id)
        join messaging.notifications n on n.subject_id = w.subject_id
        where n.member_id = any((select $3::uuid[])::uuid[])
            and n.kind = $4
            and n.detail = $5"#,
        &subjects,
        &actors,
        &members,
        kind as Kind,
        detail,
    );
    let named = named.fetch_all(&mut *work.db).await?;
    let (notifications, actors): (Vec<Uuid>, Vec<Uuid>) = named.into_iter().map(|row| (row.id, row.actor_id)).unzip();
    delete_causes(work, &notifications, &actors, cause).await
}

/// Withdraws a trigger from these recipients only.
pub async fn withdraw_from(
    work: &mut UnitOfWork<'_>,
    trigger: &NotificationTrigger<'_>,
    members: &[Uuid],
) -> Result<(), Error> {
    if members.is_empty() {
        return Ok(());
    }
    lock(work.db, members).await?;
    let notifications = sqlx::query_scalar!(
        "select n.id
        from messaging.notifications n
        where n.subject_id = $1
            and n.kind = $2
            and n.detail = $3
            and n.member_id = any((select $4::uuid[])::uuid[])",
        trigger.subject,
        trigger.kind as Kind,
        trigger.detail,
        members,
    );
    let notifications = notifications.fetch_all(&mut *work.db).await?;
    delete_causes(work, &notifications, &vec![trigger.actor; notifications.len()], trigger.cause).await
}

/// Deletes all notifications of these kinds about a subject, or about a comment on it.
pub async fn delete_by_subject(work: &mut UnitOfWork<'_>, kinds: &[Kind], subject: Uuid) -> Result<(), Error> {
    let members = list_members(work.db, &[subject]).await?;
    lock(work.db, &members).await?;
    for kind in kinds {
        delete_by_subjects(work, *kind, &[subject]).await?;
    }
    Ok(())
}

/// Lists the members with notifications about subjects, or about comments on them.
pub async fn list_members(db: &mut PgConnection, subjects: &[Uuid]) -> Result<Vec<Uuid>, Error> {
    if subjects.is_empty() {
        return Ok(Vec::new());
    }
    // Subqueries for the lists, as in causes.rs.
    let members = sqlx::query_scalar!(
        r#"select n.member_id as "member_id!"
        from unnest((select $1::uuid[])) as s (id)
        join messaging.notifications n on n.subject_id = s.id
        union
        select n.member_id
        from unnest((select $1::uuid[])) as s (id)
        join messaging.notifications n on n.post_id = s.id"#,
        subjects,
    );
    Ok(members.fetch_all(db).await?)
}

/// Deletes all notifications of a kind about subjects, or about comments on them. The caller has locked their members.
pub async fn delete_by_subjects(work: &mut UnitOfWork<'_>, kind: Kind, subjects: &[Uuid]) -> Result<(), Error> {
    if subjects.is_empty() {
        return Ok(());
    }
    let deleted = sqlx::query!(
        r#"with named as (
            select n.id
            from unnest((select $1::uuid[])) as s (id)
            join messaging.notifications n on n.subject_id = s.id and n.kind = $2
            union
            select n.id
            from unnest((select $1::uuid[])) as s (id)
            join messaging.notifications n on n.post_id = s.id and n.kind = $2
        )
        delete from messaging.notifications n
        using named
        where n.id = named.id
        returning n.member_id, coalesce(n.read_at < n.active_at, true) as "unread!""#,
        subjects,
        kind as Kind,
    );
    let deleted = deleted.fetch_all(&mut *work.db).await?;
    let unread: Vec<Uuid> = deleted.iter().filter(|row| row.unread).map(|row| row.member_id).collect();
    counts::decrement(work.db, &unread).await?;
    let changed = in_lock_order(deleted.into_iter().map(|row| row.member_id).collect());
    publish_notifications_changed(work, &changed).await
}

/// Withdraws the actions of two members from each other's notifications.
pub async fn delete_between(work: &mut UnitOfWork<'_>, one: Uuid, other: Uuid) -> Result<(), Error> {
    lock(work.db, &[one, other]).await?;
    for (member, actor) in [(one, other), (other, one)] {
        let notifications = sqlx::query_scalar!(
            "select distinct n.id
            from messaging.notifications n
            join messaging.notification_causes c on c.notification_id = n.id
            where n.member_id = $1
                and c.actor_id = $2",
            member,
            actor,
        );
        let notifications = notifications.fetch_all(&mut *work.db).await?;
        delete_causes(work, &notifications, &vec![actor; notifications.len()], "").await?;
    }
    Ok(())
}

/// Withdraws the actions of a closed or erased account from a batch of notifications. A batch contains all causes
/// of its notifications. False when no notification names the actor.
pub async fn withdraw_actor_batch(work: &mut UnitOfWork<'_>, actor: Uuid) -> Result<bool, Error> {
    let batch = sqlx::query!(
        "select distinct n.id, n.member_id
        from (
            select notification_id
            from messaging.notification_causes
            where actor_id = $1
            order by notification_id
            limit $2
        ) as batch
        join messaging.notifications n on n.id = batch.notification_id",
        actor,
        BATCH,
    );
    let (notifications, members): (Vec<Uuid>, Vec<Uuid>) =
        batch.fetch_all(&mut *work.db).await?.into_iter().map(|row| (row.id, row.member_id)).unzip();
    lock(work.db, &members).await?;
    delete_causes(work, &notifications, &vec![actor; notifications.len()], "").await?;
    Ok(!notifications.is_empty())
}

/// Deletes a batch of the notifications of an erased member, and publishes nothing. False when there were none;
/// then the lock prevents new ones until the end of the transaction.
pub async fn erase_received_batch(db: &mut PgConnection, member: Uuid) -> Result<bool, Error> {
    lock(db, &[member]).await?;
    let notifications = sqlx::query_scalar!(
        "select id
        from messaging.notifications
        where member_id = $1
        limit $2",
        member,
        BATCH,
    );
    let notifications = notifications.fetch_all(&mut *db).await?;
    // A notification may have any number of causes, so it is deleted after them.
    sqlx::query!(
        "delete from messaging.notification_causes c
        using (
            select notification_id, actor_id, cause
            from messaging.notification_causes
            where notification_id = any($1)
            limit $2
        ) as batch
        where c.notification_id = batch.notification_id
            and c.actor_id = batch.actor_id
            and c.cause = batch.cause",
        &notifications,
        BATCH,
    )
    .execute(&mut *db)
    .await?;
    sqlx::query!(
        "delete from messaging.notifications n
        where n.id = any($1)
            and not exists (
                select
                from messaging.notification_causes c
                where c.notification_id = n.id
            )",
        &notifications,
    )
    .execute(db)
    .await?;
    Ok(!notifications.is_empty())
}

/// Deletes the switches and the lock row of an erased member.
pub async fn erase_member(db: &mut PgConnection, member: Uuid) -> Result<(), Error> {
    sqlx::query!("delete from messaging.notification_switches where member_id = $1", member).execute(&mut *db).await?;
    sqlx::query!("delete from messaging.notification_locks where member_id = $1", member).execute(db).await?;
    Ok(())
}

/// Deletes one or all causes of the actor at the same place from each notification. The notifications are locked. A
/// notification without causes is deleted; any other gets the time of its newest cause, and is read if that cause
/// was read.
async fn delete_causes(
    work: &mut UnitOfWork<'_>,
    notifications: &[Uuid],
    actors: &[Uuid],
    cause: &str,
) -> Result<(), Error> {
    if notifications.is_empty() {
        return Ok(());
    }
    let changed = sqlx::query!(
        r#"with withdrawn as materialized (
            select distinct notification_id, actor_id
            from unnest((select $1::uuid[]), (select $2::uuid[])) as w (notification_id, actor_id)
        ),
        deleted_causes as (
            delete from messaging.notification_causes c
            using withdrawn w
            where c.notification_id = w.notification_id
                and c.actor_id = w.actor_id
                and case when $3 = '' then true else c.cause = $3 end
            returning c.notification_id, c.actor_id
        ),
        -- Actors without another cause. All parts of the statement see the causes before the deletion.
        lost as (
            select
                d.notification_id,
                count(distinct d.actor_id) filter (
                    where $3 = ''
                        or not exists (
                            select
                            from messaging.notification_causes k
                            where k.notification_id = d.notification_id
                                and k.actor_id = d.actor_id
                                and k.cause <> $3
                        )
                ) as actors
            from deleted_causes d
            group by d.notification_id
        ),
        remaining as (
            select
                n.id, n.member_id, n.read_at, coalesce(n.read_at < n.active_at, true) as was_unread,
                one.at, array_remove(array[one.actor_id, two.actor_id, three.actor_id], null) as member_ids,
                l.actors as lost
            from lost l
            join messaging.notifications n on n.id = l.notification_id
            left join lateral (
                select k.actor_id, k.at
                from messaging.notification_causes k
                where k.notification_id = n.id
                    and (
                        case when $3 = '' then false else k.cause <> $3 end
                        or (k.notification_id, k.actor_id) not in (select w.notification_id, w.actor_id from withdrawn w)
                    )
                order by k.at desc
                limit 1
            ) as one on true
            left join lateral (
                select k.actor_id
                from messaging.notification_causes k
                where k.notification_id = n.id
                    and k.actor_id <> one.actor_id
                    and (
                        case when $3 = '' then false else k.cause <> $3 end
                        or (k.notification_id, k.actor_id) not in (select w.notification_id, w.actor_id from withdrawn w)
                    )
                order by k.at desc
                limit 1
            ) as two on true
            left join lateral (
                select k.actor_id
                from messaging.notification_causes k
                where k.notification_id = n.id
                    and k.actor_id not in (one.actor_id, two.actor_id)
                    and (
                        case when $3 = '' then false else k.cause <> $3 end
                        or (k.notification_id, k.actor_id) not in (select w.notification_id, w.actor_id from withdrawn w)
                    )
                order by k.at desc
                limit 1
            ) as three on true
        ),
        deleted as (
            delete from messaging.notifications n
            using remaining s
            where n.id = s.id
                and s.at is null
        ),
        updated as (
            update messaging.notifications n
            set
                active_at = s.at,
                member_ids = s.member_ids,
                -- During the erasure of the recipient, the causes are fewer than the count.
                member_count = case
                    when cardinality(s.member_ids) < 3 then cardinality(s.member_ids)
                    else n.member_count - s.lost
                end
            from remaining s
            where n.id = s.id
                and s.at is not null
        )
        select
            member_id as "member_id!",
            was_unread and (at is null or coalesce(read_at >= at, false)) as "became_read!"
        from remaining
        order by member_id"#,
        notifications,
        actors,
        cause,
    )
    .fetch_all(&mut *work.db)
    .await?;
    let read: Vec<Uuid> = changed.iter().filter(|row| row.became_read).map(|row| row.member_id).collect();
    counts::decrement(work.db, &read).await?;
    let mut members: Vec<Uuid> = changed.into_iter().map(|row| row.member_id).collect();
    members.dedup();
    publish_notifications_changed(work, &members).await
}
