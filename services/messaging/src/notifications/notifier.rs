//! The notifier creates and withdraws notifications.
//!
//! Every writer of a member's notifications holds the member's row in `messaging.bells`, and reads the notifications by
//! a later statement: a like that is concurrent with a block or a read mark comes entirely before or after it. All
//! transactions lock these rows first, in the order of the members, then conversations, then the unread totals.

mod announcements;
mod community_removals;
mod counts;
mod security;
#[cfg(test)]
mod tests;
mod withdrawals;

use chrono::{DateTime, Utc};
use outbox::Outbox;
use portia_proto::messaging::NotificationsChanged;
use primitives::{clock::Clock, ids::Ids};
use sqlx::PgConnection;
use uuid::Uuid;

pub use community_removals::CommunityRemoval;
pub use security::SecurityNotice;

use super::Kind;
use crate::{error::Error, push::queue};

/// Members per statement, so that no statement takes long.
const STATEMENT_MEMBERS: usize = 1_000;

/// An action that causes notifications.
#[derive(Clone, Copy, Debug)]
pub struct NotificationTrigger<'a> {
    pub kind: Kind,
    pub subject: Uuid,
    /// The post of a subject that is a comment.
    pub post: Option<Uuid>,
    /// See [`Kind`]; empty for most kinds.
    pub detail: &'a str,
    pub actor: Uuid,
    /// Distinguishes the actions of one actor. A repeated cause changes nothing.
    pub cause: &'a str,
}

impl NotificationTrigger<'_> {
    /// A trigger without a detail and a cause.
    pub const fn new(kind: Kind, subject: Uuid, actor: Uuid) -> Self {
        Self { kind, subject, post: None, detail: "", actor, cause: "" }
    }
}

/// Creates, withdraws and marks the notifications of all members, and publishes the changes.
#[derive(Clone, Debug)]
pub struct Notifier {
    outbox: Outbox,
    clock: Clock,
    ids: Ids,
}

/// A recipient and the time of the notification.
type Recipient = (Uuid, DateTime<Utc>);

/// A recipient who has a new cause.
struct Notified {
    member_id: Uuid,
    /// The notification is new or was read.
    became_unread: bool,
}

impl Notifier {
    pub const fn new(outbox: Outbox, clock: Clock, ids: Ids) -> Self {
        Self { outbox, clock, ids }
    }

    /// Notifies `members` of a trigger. Skips the actor, members who turned the kind off, who block the actor or are
    /// blocked, who have this cause, and erased members. Nothing is created when the actor's account is closed.
    pub async fn notify(
        &self,
        db: &mut PgConnection,
        trigger: &NotificationTrigger<'_>,
        members: &[Uuid],
    ) -> Result<(), Error> {
        self.notify_listing(db, trigger, members).await.map(drop)
    }

    /// [`Self::notify`]. Returns the members with a new cause.
    pub async fn notify_listing(
        &self,
        db: &mut PgConnection,
        trigger: &NotificationTrigger<'_>,
        members: &[Uuid],
    ) -> Result<Vec<Uuid>, Error> {
        let members: Vec<Uuid> = members.iter().copied().filter(|member| *member != trigger.actor).collect();
        if members.is_empty() {
            return Ok(members);
        }
        // All rows are locked before the first insert, like everywhere.
        let recipients = self.lock_and_advance(db, members).await?;
        let mut notified = Vec::with_capacity(recipients.len());
        for recipients in recipients.chunks(STATEMENT_MEMBERS) {
            notified.extend(self.insert(db, trigger, recipients).await?);
        }
        let unread: Vec<Uuid> = notified.iter().filter(|row| row.became_unread).map(|row| row.member_id).collect();
        counts::increment(db, &unread).await?;
        let changed: Vec<Uuid> = notified.into_iter().map(|row| row.member_id).collect();
        self.publish_changed(db, &changed).await?;
        queue::notifications(db, trigger.kind, trigger.subject, trigger.detail, &changed, self.clock.now()).await?;
        Ok(changed)
    }

    /// Inserts the cause for some recipients, whose rows are locked.
    async fn insert(
        &self,
        db: &mut PgConnection,
        trigger: &NotificationTrigger<'_>,
        recipients: &[Recipient],
    ) -> Result<Vec<Notified>, Error> {
        let (members, times): (Vec<Uuid>, Vec<DateTime<Utc>>) = recipients.iter().copied().unzip();
        let ids: Vec<Uuid> = members.iter().map(|member| self.ids.owned_by(*member)).collect();
        let notified = sqlx::query_as!(
            Notified,
            r#"with candidates as (
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
            new_causes as (
                select
                    c.member_id, c.at, coalesce(n.id, c.id) as id,
                    n.id is null or coalesce(n.read_at >= n.active_at, false) as became_unread
                from candidates c
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
            upserted as (
                insert into messaging.notifications as n
                    (id, member_id, kind, subject_id, post_id, detail, active_at, member_ids, member_count)
                select id, member_id, $4, $6, $10, $7, at, array[$8::uuid], 1
                from new_causes
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
            inserted as (
                insert into messaging.notification_causes (notification_id, actor_id, cause, at)
                select id, $8, $9, at
                from new_causes
            )
            select member_id as "member_id!", became_unread as "became_unread!"
            from new_causes
            order by member_id"#,
            &members,
            &ids,
            &times,
            trigger.kind as Kind,
            trigger.kind.on_by_default(),
            trigger.subject,
            trigger.detail,
            trigger.actor,
            trigger.cause,
            trigger.post,
        );
        Ok(notified.fetch_all(db).await?)
    }

    /// Locks the notifications of members until the transaction ends.
    pub async fn lock(&self, db: &mut PgConnection, members: &[Uuid]) -> Result<(), Error> {
        for members in in_lock_order(members.to_vec()).chunks(STATEMENT_MEMBERS) {
            sqlx::query!(
                "insert into messaging.bells as b (member_id, rung_at)
                select member_id, 'epoch'::timestamptz
                from unnest($1::uuid[]) as locked (member_id)
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

    /// Locks the notifications of members, and returns for each the time of a new notification. The times of one member
    /// strictly increase under all clocks.
    async fn lock_and_advance(&self, db: &mut PgConnection, members: Vec<Uuid>) -> Result<Vec<Recipient>, Error> {
        let members = in_lock_order(members);
        let mut recipients = Vec::with_capacity(members.len());
        for members in members.chunks(STATEMENT_MEMBERS) {
            let locked = sqlx::query!(
                "insert into messaging.bells as b (member_id, rung_at)
                select member_id, $2::timestamptz
                from unnest($1::uuid[]) as locked (member_id)
                order by member_id
                on conflict (member_id) do update
                set rung_at = greatest(excluded.rung_at, b.rung_at + interval '1 microsecond')
                returning member_id, rung_at",
                members,
                self.clock.now(),
            );
            recipients.extend(locked.fetch_all(&mut *db).await?.into_iter().map(|row| (row.member_id, row.rung_at)));
        }
        Ok(recipients)
    }

    /// Publishes to the gateways that the notifications of members changed.
    pub async fn publish_changed(&self, db: &mut PgConnection, members: &[Uuid]) -> Result<(), Error> {
        for members in members.chunks(STATEMENT_MEMBERS) {
            let fact = |member: &Uuid| (*member, NotificationsChanged { member_id: member.to_string() });
            let facts: Vec<_> = members.iter().map(fact).collect();
            self.outbox.publish_all(db, &facts, self.clock.now()).await?;
        }
        Ok(())
    }
}

/// Each member once, in the common lock order.
fn in_lock_order(mut members: Vec<Uuid>) -> Vec<Uuid> {
    members.sort_unstable();
    members.dedup();
    members
}
