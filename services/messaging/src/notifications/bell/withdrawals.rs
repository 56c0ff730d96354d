//! Taking back what members were told: a deed undone, a thing gone, two who block each other, an account closed.

use sqlx::PgConnection;
use uuid::Uuid;

use super::{Bell, Deed, Done, counts};
use crate::{
    erase::BATCH,
    notifications::{Kind, copies},
};

impl Bell {
    /// Takes back what an actor did, all of it or of one cause: whoever was told of it is not any more.
    pub async fn withdraw(&self, db: &mut PgConnection, deed: &Deed<'_>) -> Done {
        let members = sqlx::query_scalar!(
            "select n.member_id
            from messaging.notifications n
            join messaging.notification_causes c on c.notification_id = n.id
            where n.subject_id = $1
                and n.kind = $2
                and n.detail = $3
                and c.actor_id = $4
                and case when $5 = '' then true else c.cause = $5 end",
            deed.subject,
            deed.kind as Kind,
            deed.detail,
            deed.actor,
            deed.cause,
        );
        let members = members.fetch_all(&mut *db).await?;
        self.hold(db, &members).await?;
        let groups = sqlx::query_scalar!(
            "select id
            from messaging.notifications
            where member_id = any($1)
                and subject_id = $2
                and kind = $3
                and detail = $4",
            &members,
            deed.subject,
            deed.kind as Kind,
            deed.detail,
        );
        let groups = groups.fetch_all(&mut *db).await?;
        self.without(db, &groups, deed.actor, deed.cause).await
    }

    /// Takes back whatever of these kinds was told about a thing.
    pub async fn remove(&self, db: &mut PgConnection, kinds: &[Kind], subject: Uuid) -> Done {
        let members = sqlx::query_scalar!(
            "select distinct member_id
            from messaging.notifications
            where subject_id = $1",
            subject,
        );
        let members = members.fetch_all(&mut *db).await?;
        self.hold(db, &members).await?;
        for kind in kinds {
            let gone = sqlx::query!(
                r#"delete from messaging.notifications
                where subject_id = $1
                    and kind = $2
                returning member_id, coalesce(read_at < active_at, true) as "unread!""#,
                subject,
                *kind as Kind,
            )
            .fetch_all(&mut *db)
            .await?;
            let unread: Vec<Uuid> = gone.iter().filter(|row| row.unread).map(|row| row.member_id).collect();
            counts::fewer(db, &unread).await?;
            let told: Vec<Uuid> = gone.into_iter().map(|row| row.member_id).collect();
            self.changed(db, &told).await?;
        }
        Ok(())
    }

    /// Neither hears of the other any more, nor of what they did so far.
    pub async fn part(&self, db: &mut PgConnection, one: Uuid, other: Uuid) -> Done {
        self.hold(db, &[one, other]).await?;
        for (member, actor) in [(one, other), (other, one)] {
            let groups = sqlx::query_scalar!(
                "select distinct n.id
                from messaging.notifications n
                join messaging.notification_causes c on c.notification_id = n.id
                where n.member_id = $1
                    and c.actor_id = $2",
                member,
                actor,
            );
            let groups = groups.fetch_all(&mut *db).await?;
            self.without(db, &groups, actor, "").await?;
        }
        Ok(())
    }

    /// Takes back a bite of what others were told that a member did: the account is closed, or gone. A group is whole in a
    /// bite, whatever the number of its causes. False when nobody was told of anything.
    pub async fn forget_deeds(&self, db: &mut PgConnection, actor: Uuid) -> Result<bool, sqlx::Error> {
        let bite = sqlx::query!(
            "select distinct n.id, n.member_id
            from (
                select notification_id
                from messaging.notification_causes
                where actor_id = $1
                order by notification_id
                limit $2
            ) as bite
            join messaging.notifications n on n.id = bite.notification_id",
            actor,
            BATCH,
        );
        let (groups, members): (Vec<Uuid>, Vec<Uuid>) =
            bite.fetch_all(&mut *db).await?.into_iter().map(|row| (row.id, row.member_id)).unzip();
        self.hold(db, &members).await?;
        self.without(db, &groups, actor, "").await?;
        Ok(!groups.is_empty())
    }

    /// Forgets a bite of what a member was told who is gone, and rings no more. False when there was nothing; the member's
    /// bell is held in any case, so nothing comes.
    pub async fn forget_told(&self, db: &mut PgConnection, member: Uuid) -> Result<bool, sqlx::Error> {
        self.hold(db, &[member]).await?;
        let groups = sqlx::query_scalar!(
            "select id
            from messaging.notifications
            where member_id = $1
            limit $2",
            member,
            BATCH,
        );
        let groups = groups.fetch_all(&mut *db).await?;
        // A group may have any number of causes, and goes after them.
        sqlx::query!(
            "delete from messaging.notification_causes c
            using (
                select notification_id, actor_id, cause
                from messaging.notification_causes
                where notification_id = any($1)
                limit $2
            ) as bite
            where c.notification_id = bite.notification_id
                and c.actor_id = bite.actor_id
                and c.cause = bite.cause",
            &groups,
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
            &groups,
        )
        .execute(db)
        .await?;
        Ok(!groups.is_empty())
    }

    /// Forgets the rest of a member who is gone: what they wanted to hear, and what was known of them. How much waits for
    /// them is forgotten with their messages.
    pub async fn forget(&self, db: &mut PgConnection, member: Uuid) -> Done {
        sqlx::query!("delete from messaging.notification_switches where member_id = $1", member)
            .execute(&mut *db)
            .await?;
        copies::forget(db, member).await?;
        sqlx::query!("delete from messaging.bells where member_id = $1", member).execute(db).await?;
        Ok(())
    }

    /// Takes an actor, or one cause of theirs, out of groups whose bells are held; a group that nothing else caused goes.
    /// What is left is as old as its newest cause, and read if that one was.
    async fn without(&self, db: &mut PgConnection, groups: &[Uuid], actor: Uuid, cause: &str) -> Done {
        if groups.is_empty() {
            return Ok(());
        }
        let left = sqlx::query!(
            r#"with parted as (
                delete from messaging.notification_causes
                where notification_id = any($1)
                    and actor_id = $2
                    and case when $3 = '' then true else cause = $3 end
                returning notification_id
            ),
            standing as (
                select
                    n.id, n.member_id, n.read_at, coalesce(n.read_at < n.active_at, true) as was_unread,
                    -- Everything here sees the causes as they were before.
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
                where n.id in (select notification_id from parted)
            ),
            gone as (
                delete from messaging.notifications n
                using standing s
                where n.id = s.id
                    and s.at is null
            ),
            kept as (
                update messaging.notifications n
                set
                    active_at = s.at,
                    member_ids = s.member_ids,
                    -- Where the causes are just being forgotten, they are fewer than the count.
                    member_count = case
                        when cardinality(s.member_ids) < 3 then cardinality(s.member_ids)
                        when s.stays then n.member_count
                        else n.member_count - 1
                    end
                from standing s
                where n.id = s.id
                    and s.at is not null
            )
            select member_id as "member_id!", was_unread and (at is null or coalesce(read_at >= at, false)) as "settled!"
            from standing
            order by member_id"#,
            groups,
            actor,
            cause,
        )
        .fetch_all(&mut *db)
        .await?;
        let settled: Vec<Uuid> = left.iter().filter(|row| row.settled).map(|row| row.member_id).collect();
        counts::fewer(db, &settled).await?;
        let mut members: Vec<Uuid> = left.into_iter().map(|row| row.member_id).collect();
        members.dedup();
        self.changed(db, &members).await
    }
}
