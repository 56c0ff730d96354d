//! Withdrawal of notifications: an action was reversed, a subject deleted, a member blocked, an account closed or erased.

use sqlx::PgConnection;
use uuid::Uuid;

use super::{NotificationTrigger, Notifier, counts};
use crate::{deactivation::erase::BATCH, error::Error, notifications::Kind};

impl Notifier {
    /// Withdraws a trigger from all recipients: one cause of the actor, or all if the cause is empty.
    pub async fn withdraw(&self, db: &mut PgConnection, trigger: &NotificationTrigger<'_>) -> Result<(), Error> {
        let members = sqlx::query_scalar!(
            "select n.member_id
            from messaging.notifications n
            join messaging.notification_causes c on c.notification_id = n.id
            where n.subject_id = $1
                and n.kind = $2
                and n.detail = $3
                and c.actor_id = $4
                and case when $5 = '' then true else c.cause = $5 end",
            trigger.subject,
            trigger.kind as Kind,
            trigger.detail,
            trigger.actor,
            trigger.cause,
        );
        let members = members.fetch_all(&mut *db).await?;
        self.lock(db, &members).await?;
        let notifications = sqlx::query_scalar!(
            "select id
            from messaging.notifications
            where member_id = any($1)
                and subject_id = $2
                and kind = $3
                and detail = $4",
            &members,
            trigger.subject,
            trigger.kind as Kind,
            trigger.detail,
        );
        let notifications = notifications.fetch_all(&mut *db).await?;
        self.delete_causes(db, &notifications, trigger.actor, trigger.cause).await
    }

    /// Deletes all notifications of these kinds about a subject, or about a comment on it.
    pub async fn delete_by_subject(&self, db: &mut PgConnection, kinds: &[Kind], subject: Uuid) -> Result<(), Error> {
        let members = sqlx::query_scalar!(
            "select distinct member_id
            from messaging.notifications
            where subject_id = $1
                or post_id = $1",
            subject,
        );
        let members = members.fetch_all(&mut *db).await?;
        self.lock(db, &members).await?;
        for kind in kinds {
            let deleted = sqlx::query!(
                r#"delete from messaging.notifications
                where (subject_id = $1 or post_id = $1)
                    and kind = $2
                returning member_id, coalesce(read_at < active_at, true) as "unread!""#,
                subject,
                *kind as Kind,
            )
            .fetch_all(&mut *db)
            .await?;
            let unread: Vec<Uuid> = deleted.iter().filter(|row| row.unread).map(|row| row.member_id).collect();
            counts::decrement(db, &unread).await?;
            let changed: Vec<Uuid> = deleted.into_iter().map(|row| row.member_id).collect();
            self.publish_changed(db, &changed).await?;
        }
        Ok(())
    }

    /// Withdraws the actions of two members from each other's notifications.
    pub async fn delete_between(&self, db: &mut PgConnection, one: Uuid, other: Uuid) -> Result<(), Error> {
        self.lock(db, &[one, other]).await?;
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
            let notifications = notifications.fetch_all(&mut *db).await?;
            self.delete_causes(db, &notifications, actor, "").await?;
        }
        Ok(())
    }

    /// Withdraws the actions of a closed or erased account from a batch of notifications. A batch contains all causes
    /// of its notifications. False when no notification names the actor.
    pub async fn withdraw_actor_batch(&self, db: &mut PgConnection, actor: Uuid) -> Result<bool, Error> {
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
            batch.fetch_all(&mut *db).await?.into_iter().map(|row| (row.id, row.member_id)).unzip();
        self.lock(db, &members).await?;
        self.delete_causes(db, &notifications, actor, "").await?;
        Ok(!notifications.is_empty())
    }

    /// Deletes a batch of the notifications of an erased member, and publishes nothing. False when there were none;
    /// then the lock prevents new ones until the end of the transaction.
    pub async fn erase_received_batch(&self, db: &mut PgConnection, member: Uuid) -> Result<bool, Error> {
        self.lock(db, &[member]).await?;
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

    /// Deletes the preferences and the lock row of an erased member.
    pub async fn erase_member(&self, db: &mut PgConnection, member: Uuid) -> Result<(), Error> {
        sqlx::query!("delete from messaging.notification_switches where member_id = $1", member)
            .execute(&mut *db)
            .await?;
        sqlx::query!("delete from messaging.bells where member_id = $1", member).execute(db).await?;
        Ok(())
    }

    /// Deletes the causes of an actor, or one of them, from notifications that are locked. A notification without
    /// causes is deleted. Otherwise it gets the time of its newest cause, and is read if that cause was read.
    async fn delete_causes(
        &self,
        db: &mut PgConnection,
        notifications: &[Uuid],
        actor: Uuid,
        cause: &str,
    ) -> Result<(), Error> {
        if notifications.is_empty() {
            return Ok(());
        }
        let changed = sqlx::query!(
            r#"with deleted_causes as (
                delete from messaging.notification_causes
                where notification_id = any($1)
                    and actor_id = $2
                    and case when $3 = '' then true else cause = $3 end
                returning notification_id
            ),
            remaining as (
                select
                    n.id, n.member_id, n.read_at, coalesce(n.read_at < n.active_at, true) as was_unread,
                    -- All parts of the statement see the causes before the deletion.
                    one.at, array_remove(array[one.actor_id, two.actor_id, three.actor_id], null) as member_ids,
                    $3 <> '' and exists (
                        select
                        from messaging.notification_causes
                        where notification_id = n.id
                            and actor_id = $2
                            and cause <> $3
                    ) as stays
                from messaging.notifications n
                left join lateral (
                    select actor_id, at
                    from messaging.notification_causes
                    where notification_id = n.id
                        and (actor_id <> $2 or case when $3 = '' then false else cause <> $3 end)
                    order by at desc
                    limit 1
                ) as one on true
                left join lateral (
                    select actor_id
                    from messaging.notification_causes
                    where notification_id = n.id
                        and actor_id <> one.actor_id
                        and (actor_id <> $2 or case when $3 = '' then false else cause <> $3 end)
                    order by at desc
                    limit 1
                ) as two on true
                left join lateral (
                    select actor_id
                    from messaging.notification_causes
                    where notification_id = n.id
                        and actor_id not in (one.actor_id, two.actor_id)
                        and (actor_id <> $2 or case when $3 = '' then false else cause <> $3 end)
                    order by at desc
                    limit 1
                ) as three on true
                where n.id in (select notification_id from deleted_causes)
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
                        when s.stays then n.member_count
                        else n.member_count - 1
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
            actor,
            cause,
        )
        .fetch_all(&mut *db)
        .await?;
        let read: Vec<Uuid> = changed.iter().filter(|row| row.became_read).map(|row| row.member_id).collect();
        counts::decrement(db, &read).await?;
        let mut members: Vec<Uuid> = changed.into_iter().map(|row| row.member_id).collect();
        members.dedup();
        self.publish_changed(db, &members).await
    }
}
