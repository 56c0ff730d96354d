//! Telling members what others did, and taking it back.
//!
//! Whoever writes a member's notifications holds the member's bell, a row of its own, and reads what stands by a later
//! statement: so a like that comes while the two block each other, or while the bell is read, is before or after it and
//! never both. Everybody takes bells first, in the order of the members, then conversations, then the kept counts.

mod announcements;
mod counts;
mod withdrawals;

use chassis::{clock::Clock, ids::Ids, outbox::Outbox};
use chrono::{DateTime, Utc};
use portia_proto::messaging::NotificationsChanged;
use sqlx::PgConnection;
use uuid::Uuid;

use super::Kind;

/// Who did what, about which members may be told.
#[derive(Clone, Copy, Debug)]
pub struct Deed<'a> {
    pub kind: Kind,
    pub subject: Uuid,
    /// See [`Kind`]; empty for most.
    pub detail: &'a str,
    pub actor: Uuid,
    /// Which of several the actor may do: the same one again changes nothing.
    pub cause: &'a str,
}

impl Deed<'_> {
    /// A deed that needs no further words.
    pub const fn new(kind: Kind, subject: Uuid, actor: Uuid) -> Self {
        Self { kind, subject, detail: "", actor, cause: "" }
    }
}

/// Everybody's bell.
#[derive(Clone, Debug)]
pub struct Bell {
    outbox: Outbox,
    clock: Clock,
    ids: Ids,
}

type Done = Result<(), sqlx::Error>;

impl Bell {
    /// A bell whose ringing `outbox` tells.
    pub const fn new(outbox: Outbox, clock: Clock, ids: Ids) -> Self {
        Self { outbox, clock, ids }
    }

    /// Tells `members` of a deed: those who want to hear of the kind, neither block the actor nor are blocked by them, and
    /// have not been told of this cause. Nobody is told what they did themselves, or what one did whose account is closed.
    pub async fn ring(&self, db: &mut PgConnection, deed: &Deed<'_>, members: &[Uuid]) -> Done {
        let members: Vec<Uuid> = members.iter().copied().filter(|member| *member != deed.actor).collect();
        if members.is_empty() {
            return Ok(());
        }
        let (members, times) = self.take(db, &members).await?;
        let ids: Vec<Uuid> = members.iter().map(|member| self.ids.owned_by(*member)).collect();
        let told = sqlx::query!(
            r#"with called as (
                select c.member_id, c.id, c.at
                from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as c (member_id, id, at)
                where not exists (
                        select
                        from messaging.blocks b
                        where (b.blocker_id = c.member_id and b.blocked_id = $8)
                            or (b.blocker_id = $8 and b.blocked_id = c.member_id)
                    )
                    and not exists (select from messaging.closed_members g where g.member_id = $8)
                    and coalesce((
                        select s.is_on
                        from messaging.notification_switches s
                        where s.member_id = c.member_id
                            and s.kind = $4
                    ), $5)
            ),
            fresh as (
                select
                    c.member_id, c.at, coalesce(n.id, c.id) as id,
                    n.id is null or coalesce(n.read_at >= n.active_at, false) as turned
                from called c
                left join messaging.notifications n
                    on n.member_id = c.member_id
                    and n.kind = $4
                    and n.subject_id = $6
                    and n.detail = $7
                where not exists (
                    select
                    from messaging.notification_causes k
                    where k.notification_id = n.id
                        and k.actor_id = $8
                        and k.cause = $9
                )
            ),
            told as (
                insert into messaging.notifications as n
                    (id, member_id, kind, subject_id, detail, active_at, member_ids, member_count)
                select id, member_id, $4, $6, $7, at, array[$8::uuid], 1
                from fresh
                order by member_id
                on conflict (member_id, kind, subject_id, detail) do update
                set
                    active_at = excluded.active_at,
                    member_ids = (excluded.member_ids || array_remove(n.member_ids, $8))[1:3],
                    member_count = n.member_count + case
                        when exists (
                            select
                            from messaging.notification_causes k
                            where k.notification_id = n.id
                                and k.actor_id = $8
                        ) then 0
                        else 1
                    end
            ),
            kept as (
                insert into messaging.notification_causes (notification_id, actor_id, cause, at)
                select id, $8, $9, at
                from fresh
            )
            select member_id as "member_id!", turned as "turned!"
            from fresh
            order by member_id"#,
            &members,
            &ids,
            &times,
            deed.kind as Kind,
            deed.kind.on_by_default(),
            deed.subject,
            deed.detail,
            deed.actor,
            deed.cause,
        )
        .fetch_all(&mut *db)
        .await?;
        let turned: Vec<Uuid> = told.iter().filter(|row| row.turned).map(|row| row.member_id).collect();
        counts::more(db, &turned).await?;
        for row in told {
            self.changed(db, row.member_id).await?;
        }
        Ok(())
    }

    /// Holds members' bells until the transaction ends.
    pub async fn hold(&self, db: &mut PgConnection, members: &[Uuid]) -> Done {
        if members.is_empty() {
            return Ok(());
        }
        sqlx::query!(
            "insert into messaging.bells as b (member_id, rung_at)
            select distinct member_id, 'epoch'::timestamptz
            from unnest($1::uuid[]) as held (member_id)
            order by member_id
            on conflict (member_id) do update
            set rung_at = b.rung_at",
            members,
        )
        .execute(db)
        .await?;
        Ok(())
    }

    /// Holds them, and tells for each the moment at which it rings now.
    async fn take(
        &self,
        db: &mut PgConnection,
        members: &[Uuid],
    ) -> Result<(Vec<Uuid>, Vec<DateTime<Utc>>), sqlx::Error> {
        let taken = sqlx::query!(
            "insert into messaging.bells as b (member_id, rung_at)
            select distinct member_id, $2::timestamptz
            from unnest($1::uuid[]) as taken (member_id)
            order by member_id
            on conflict (member_id) do update
            set rung_at = greatest(excluded.rung_at, b.rung_at + interval '1 microsecond')
            returning member_id, rung_at",
            members,
            self.clock.now(),
        );
        let taken = taken.fetch_all(db).await?;
        Ok(taken.into_iter().map(|row| (row.member_id, row.rung_at)).unzip())
    }

    /// Tells the gateways that a member's bell is not what it was.
    pub async fn changed(&self, db: &mut PgConnection, member: Uuid) -> Done {
        let fact = NotificationsChanged { member_id: member.to_string() };
        self.outbox.publish(db, member, &fact, self.clock.now()).await
    }
}
