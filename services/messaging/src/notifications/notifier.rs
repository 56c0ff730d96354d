//! The notifier creates and withdraws notifications.
//!
//! Every writer of a member's notifications locks the member's row in `messaging.notification_locks` and reads the notifications by
//! a later statement, so a concurrent like comes entirely before or after a block or read mark. All transactions lock
//! these rows first, in the order of the members, then conversations, then the unread totals.

mod announcements;
mod causes;
mod community_removals;
mod counts;
mod reversible;
mod security;
#[cfg(test)]
mod tests;
mod withdrawals;

use chrono::{DateTime, TimeDelta, Utc};
use outbox::Outbox;
use portia_proto::messaging::NotificationsChanged;
use primitives::{clock::Clock, ids::Ids};
use sqlx::PgConnection;
use uuid::Uuid;

pub use announcements::Deadline;
pub use community_removals::CommunityRemoval;
pub use security::SecurityNotice;

use self::causes::Cause;
use super::Kind;
use crate::{conversations::effects::Effects, error::Error, push::queue};

/// The maximum number of members in one statement, so that no statement takes long.
const STATEMENT_MEMBERS: usize = 1_000;

/// An action that causes notifications.
#[derive(Clone, Copy, Debug)]
pub struct NotificationTrigger<'a> {
    pub kind: Kind,
    pub subject: Uuid,
    /// The post of a subject that is a comment.
    pub post: Option<Uuid>,
    /// If set, only members of this community are notified: former members do not see reactions to their earlier
    /// content.
    pub audience: Option<Uuid>,
    /// See [`Kind`]; empty for most kinds.
    pub detail: &'a str,
    pub actor: Uuid,
    /// Distinguishes the actions of one actor. A repeated cause changes nothing.
    pub cause: &'a str,
}

impl NotificationTrigger<'_> {
    /// Creates a trigger without a detail and a cause.
    pub const fn new(kind: Kind, subject: Uuid, actor: Uuid) -> Self {
        Self { kind, subject, post: None, audience: None, detail: "", actor, cause: "" }
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

impl Notifier {
    pub const fn new(outbox: Outbox, clock: Clock, ids: Ids) -> Self {
        Self { outbox, clock, ids }
    }

    /// Notifies `members` of a trigger, see [`Self::notify_each`].
    pub async fn notify(
        &self,
        db: &mut PgConnection,
        trigger: &NotificationTrigger<'_>,
        members: &[Uuid],
    ) -> Result<(), Error> {
        self.notify_listing(db, trigger, members).await.map(drop)
    }

    /// Notifies like [`Self::notify`], and returns the members with a new cause.
    pub async fn notify_listing(
        &self,
        db: &mut PgConnection,
        trigger: &NotificationTrigger<'_>,
        members: &[Uuid],
    ) -> Result<Vec<Uuid>, Error> {
        let triggers = in_lock_order(members.to_vec()).into_iter().map(|member| (*trigger, member)).collect();
        self.notify_each(db, triggers).await
    }

    /// Notifies a member of each trigger, in this order and with few statements. Skips actors of their own triggers, members who
    /// turned the kind off, who block the actor or are blocked, who have this cause, and erased members. Nothing is created when the
    /// actor's account is closed. Returns the members with a new cause.
    pub async fn notify_each(
        &self,
        db: &mut PgConnection,
        mut triggers: Vec<(NotificationTrigger<'_>, Uuid)>,
    ) -> Result<Vec<Uuid>, Error> {
        triggers.retain(|(trigger, member)| *member != trigger.actor);
        triggers.sort_by_key(|(_, member)| *member);
        let members: Vec<Uuid> = triggers.iter().map(|(_, member)| *member).collect();
        // As in every transaction, all rows are locked before the first insert.
        let recipients = self.lock_and_advance(db, &members).await?;
        let mut causes: Vec<Cause<'_>> = triggers
            .into_iter()
            .zip(recipients)
            .map(|((trigger, _), (member, at))| Cause { trigger, member, at })
            .collect();
        // The times have the order of the triggers already.
        causes.sort_by_key(|cause| cause.trigger.kind);
        let mut changed = Vec::with_capacity(causes.len());
        for causes in causes.chunk_by(|one, next| one.trigger.kind == next.trigger.kind) {
            changed.extend(self.notify_of_kind(db, causes).await?);
        }
        changed.sort_unstable();
        changed.dedup();
        self.publish_changed(db, &changed).await?;
        Ok(changed)
    }

    /// Notifies of causes of one kind. Returns the members with a new cause.
    async fn notify_of_kind(&self, db: &mut PgConnection, causes: &[Cause<'_>]) -> Result<Vec<Uuid>, Error> {
        let Some(Cause { trigger: NotificationTrigger { kind, .. }, .. }) = causes.first().copied() else {
            return Ok(Vec::new());
        };
        let mut notified = Vec::with_capacity(causes.len());
        for causes in causes.chunks(STATEMENT_MEMBERS) {
            notified.extend(self.insert(db, kind, causes).await?);
        }
        let unread: Vec<Uuid> = notified.iter().filter(|row| row.became_unread).map(|row| row.member_id).collect();
        counts::increment(db, &unread).await?;
        let ids: Vec<Uuid> = notified.iter().map(|row| row.id).collect();
        queue::notifications(db, kind.topic(), &ids, self.clock.now()).await?;
        Ok(notified.into_iter().map(|row| row.member_id).collect())
    }

    /// Locks the notifications of members until the transaction ends.
    pub async fn lock(&self, db: &mut PgConnection, members: &[Uuid]) -> Result<(), Error> {
        for members in in_lock_order(members.to_vec()).chunks(STATEMENT_MEMBERS) {
            sqlx::query!(
                "insert into messaging.notification_locks as l (member_id, latest_at)
                select member_id, 'epoch'::timestamptz
                from unnest($1::uuid[]) as locked (member_id)
                order by member_id
                on conflict (member_id) do update
                set latest_at = l.latest_at",
                members,
            )
            .execute(&mut *db)
            .await?;
        }
        Ok(())
    }

    /// Locks the notifications of members, and returns for each occurrence in this sorted list the time of a new notification. The
    /// times of one member strictly increase under all clocks.
    async fn lock_and_advance(&self, db: &mut PgConnection, members: &[Uuid]) -> Result<Vec<Recipient>, Error> {
        let counted: Vec<(Uuid, i32)> = members
            .chunk_by(Uuid::eq)
            .filter_map(|same| Some((*same.first()?, i32::try_from(same.len()).ok()?)))
            .collect();
        let mut recipients = Vec::with_capacity(members.len());
        for counted in counted.chunks(STATEMENT_MEMBERS) {
            let (members, counts): (Vec<Uuid>, Vec<i32>) = counted.iter().copied().unzip();
            let locked = sqlx::query!(
                r#"with locked as (
                    insert into messaging.notification_locks as l (member_id, latest_at)
                    select member_id, $3::timestamptz + (n - 1) * interval '1 microsecond'
                    from unnest($1::uuid[], $2::integer[]) as locked (member_id, n)
                    order by member_id
                    on conflict (member_id) do update
                    set latest_at = greatest(
                        excluded.latest_at, l.latest_at + (excluded.latest_at - $3) + interval '1 microsecond'
                    )
                    returning member_id, latest_at
                )
                select member_id, latest_at
                from locked
                order by member_id"#,
                &members,
                &counts,
                self.clock.now(),
            );
            for (row, (_, n)) in locked.fetch_all(&mut *db).await?.into_iter().zip(counted) {
                let times = (0..*n).rev().map(|earlier| row.latest_at - TimeDelta::microseconds(earlier.into()));
                recipients.extend(times.map(|at| (row.member_id, at)));
            }
        }
        Ok(recipients)
    }

    /// Applies the effects of a change of conversations: see [`Effects::apply`].
    pub async fn apply(&self, db: &mut PgConnection, effects: Effects) -> Result<(), Error> {
        effects.apply(db, &self.outbox, self.clock.now()).await
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

/// Sorts members in the common lock order, each once.
fn in_lock_order(mut members: Vec<Uuid>) -> Vec<Uuid> {
    members.sort_unstable();
    members.dedup();
    members
}
