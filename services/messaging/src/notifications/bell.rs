//! Telling members what others did, and taking it back.
//!
//! Whoever writes a member's notifications holds the member's bell, a row of its own, and reads what stands by a later
//! statement: so a like that comes while the two block each other, or while the bell is read, is before or after it and
//! never both. Everybody takes bells first, in the order of the members, then conversations, then the kept counts.

mod announcements;
mod counts;
#[cfg(test)]
mod tests;
mod withdrawals;

use chrono::{DateTime, Utc};
use outbox::Outbox;
use portia_proto::messaging::NotificationsChanged;
use primitives::{clock::Clock, ids::Ids};
use sqlx::PgConnection;
use uuid::Uuid;

use super::Kind;

/// So many members are told, or have their bells held, by one statement: none takes long, however many they are.
const AT_ONCE: usize = 1_000;

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

/// A member whose bell rings, and when.
type Rung = (Uuid, DateTime<Utc>);

/// A member who was told.
struct Told {
    member_id: Uuid,
    /// The notification is new, or was read.
    turned: bool,
}

impl Bell {
    /// A bell whose ringing `outbox` tells.
    pub const fn new(outbox: Outbox, clock: Clock, ids: Ids) -> Self {
        Self { outbox, clock, ids }
    }

    /// Tells `members` of a deed: those who want to hear of the kind, neither block the actor nor are blocked by them, and
    /// have not been told of this cause. Nobody is told what they did themselves, or what one did whose account is closed; and
    /// nobody whose account is gone.
    pub async fn ring(&self, db: &mut PgConnection, deed: &Deed<'_>, members: &[Uuid]) -> Done {
        let members: Vec<Uuid> = members.iter().copied().filter(|member| *member != deed.actor).collect();
        if members.is_empty() {
            return Ok(());
        }
        // Everybody's bell first: others take them before anything else, too.
        let rung = self.take(db, members).await?;
        let mut told = Vec::with_capacity(rung.len());
        for rung in rung.chunks(AT_ONCE) {
            told.extend(self.tell(db, deed, rung).await?);
        }
        let turned: Vec<Uuid> = told.iter().filter(|told| told.turned).map(|told| told.member_id).collect();
        counts::more(db, &turned).await?;
        let told: Vec<Uuid> = told.into_iter().map(|told| told.member_id).collect();
        self.changed(db, &told).await
    }

    /// Writes what some of them are told of a deed. Their bells are held.
    async fn tell(&self, db: &mut PgConnection, deed: &Deed<'_>, rung: &[Rung]) -> Result<Vec<Told>, sqlx::Error> {
        let (members, times): (Vec<Uuid>, Vec<DateTime<Utc>>) = rung.iter().copied().unzip();
        let ids: Vec<Uuid> = members.iter().map(|member| self.ids.owned_by(*member)).collect();
        let told = sqlx::query_as!(
            Told,
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
                    and not exists (select from messaging.erasures e where e.member_id = c.member_id)
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
        );
        told.fetch_all(db).await
    }

    /// Holds members' bells until the transaction ends.
    pub async fn hold(&self, db: &mut PgConnection, members: &[Uuid]) -> Done {
        for members in in_order(members.to_vec()).chunks(AT_ONCE) {
            sqlx::query!(
                "insert into messaging.bells as b (member_id, rung_at)
                select member_id, 'epoch'::timestamptz
                from unnest($1::uuid[]) as held (member_id)
                order by member_id
                on conflict (member_id) do update
                set rung_at = b.rung_at",
                members,
            )
            .execute(&mut *db)
            .await?;
        }
        Ok(())
    }

    /// Holds them, and tells for each the moment at which it rings now.
    async fn take(&self, db: &mut PgConnection, members: Vec<Uuid>) -> Result<Vec<Rung>, sqlx::Error> {
        let members = in_order(members);
        let mut rung = Vec::with_capacity(members.len());
        for members in members.chunks(AT_ONCE) {
            let taken = sqlx::query!(
                "insert into messaging.bells as b (member_id, rung_at)
                select member_id, $2::timestamptz
                from unnest($1::uuid[]) as taken (member_id)
                order by member_id
                on conflict (member_id) do update
                set rung_at = greatest(excluded.rung_at, b.rung_at + interval '1 microsecond')
                returning member_id, rung_at",
                members,
                self.clock.now(),
            );
            rung.extend(taken.fetch_all(&mut *db).await?.into_iter().map(|row| (row.member_id, row.rung_at)));
        }
        Ok(rung)
    }

    /// Tells the gateways that members' bells are not what they were.
    pub async fn changed(&self, db: &mut PgConnection, members: &[Uuid]) -> Done {
        for members in members.chunks(AT_ONCE) {
            let fact = |member: &Uuid| (*member, NotificationsChanged { member_id: member.to_string() });
            let facts: Vec<_> = members.iter().map(fact).collect();
            self.outbox.publish_all(db, &facts, self.clock.now()).await?;
        }
        Ok(())
    }
}

/// Each once, in the order in which everybody takes their rows.
fn in_order(mut members: Vec<Uuid>) -> Vec<Uuid> {
    members.sort_unstable();
    members.dedup();
    members
}
