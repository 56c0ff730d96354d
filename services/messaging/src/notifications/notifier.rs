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
use outbox::UnitOfWork;
use sqlx::PgConnection;
use uuid::Uuid;

pub use announcements::{Deadline, announce, remind};
pub use community_removals::{CommunityRemoval, announce_community_removal};
pub use reversible::apply_reversible;
pub use security::{SecurityNotice, warn};
pub use withdrawals::{
    delete_between, delete_by_subject, delete_by_subjects, erase_member, erase_received_batch, list_members, withdraw,
    withdraw_actor_batch, withdraw_each, withdraw_from,
};

use self::causes::Cause;
use super::Kind;
use crate::{batches::STATEMENT_MEMBERS, error::Error, publishing::publish_notifications_changed, push::queue};

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

/// A recipient and the time of the notification.
type Recipient = (Uuid, DateTime<Utc>);

/// Notifies `members` of a trigger, see [`notify_each`].
pub async fn notify(
    work: &mut UnitOfWork<'_>,
    trigger: &NotificationTrigger<'_>,
    members: &[Uuid],
) -> Result<(), Error> {
    notify_listing(work, trigger, members).await.map(drop)
}

/// Notifies like [`notify`], and returns the members with a new cause.
pub async fn notify_listing(
    work: &mut UnitOfWork<'_>,
    trigger: &NotificationTrigger<'_>,
    members: &[Uuid],
) -> Result<Vec<Uuid>, Error> {
    let triggers = in_lock_order(members.to_vec()).into_iter().map(|member| (*trigger, member)).collect();
    notify_each(work, triggers).await
}

/// Notifies a member of each trigger, in this order and with few statements. Skips actors of their own triggers, members who
/// turned the kind off, who block the actor or are blocked, who have this cause, and erased members. Nothing is created when the
/// actor's account is closed. Returns the members with a new cause.
pub async fn notify_each(
    work: &mut UnitOfWork<'_>,
    mut triggers: Vec<(NotificationTrigger<'_>, Uuid)>,
) -> Result<Vec<Uuid>, Error> {
    triggers.retain(|(trigger, member)| *member != trigger.actor);
    triggers.sort_by_key(|(_, member)| *member);
    let members: Vec<Uuid> = triggers.iter().map(|(_, member)| *member).collect();
    // As in every transaction, all rows are locked before the first insert.
    let recipients = lock_and_advance(work, &members).await?;
    let mut causes: Vec<Cause<'_>> = triggers
        .into_iter()
        .zip(recipients)
        .map(|((trigger, _), (member, at))| Cause { trigger, member, at })
        .collect();
    // The times have the order of the triggers already.
    causes.sort_by_key(|cause| cause.trigger.kind);
    let mut changed = Vec::with_capacity(causes.len());
    for causes in causes.chunk_by(|one, next| one.trigger.kind == next.trigger.kind) {
        changed.extend(notify_of_kind(work, causes).await?);
    }
    changed.sort_unstable();
    changed.dedup();
    publish_notifications_changed(work, &changed).await?;
    Ok(changed)
}

/// Notifies of causes of one kind. Returns the members with a new cause.
async fn notify_of_kind(work: &mut UnitOfWork<'_>, causes: &[Cause<'_>]) -> Result<Vec<Uuid>, Error> {
    let Some(Cause { trigger: NotificationTrigger { kind, .. }, .. }) = causes.first().copied() else {
        return Ok(Vec::new());
    };
    let mut notified = Vec::with_capacity(causes.len());
    for causes in causes.chunks(STATEMENT_MEMBERS) {
        notified.extend(causes::insert(work, kind, causes).await?);
    }
    let unread: Vec<Uuid> = notified.iter().filter(|row| row.became_unread).map(|row| row.member_id).collect();
    counts::increment(work.db, &unread).await?;
    let ids: Vec<Uuid> = notified.iter().map(|row| row.id).collect();
    queue::notifications(work.db, kind.topic(), &ids, work.now).await?;
    Ok(notified.into_iter().map(|row| row.member_id).collect())
}

/// Locks the notifications of members until the transaction ends.
pub async fn lock(db: &mut PgConnection, members: &[Uuid]) -> Result<(), Error> {
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
async fn lock_and_advance(work: &mut UnitOfWork<'_>, members: &[Uuid]) -> Result<Vec<Recipient>, Error> {
    let counted: Vec<(Uuid, i32)> =
        members.chunk_by(Uuid::eq).filter_map(|same| Some((*same.first()?, i32::try_from(same.len()).ok()?))).collect();
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
            work.now,
        );
        for (row, (_, n)) in locked.fetch_all(&mut *work.db).await?.into_iter().zip(counted) {
            let times = (0..*n).rev().map(|earlier| row.latest_at - TimeDelta::microseconds(earlier.into()));
            recipients.extend(times.map(|at| (row.member_id, at)));
        }
    }
    Ok(recipients)
}

/// Sorts members in the common lock order, each once.
fn in_lock_order(mut members: Vec<Uuid>) -> Vec<Uuid> {
    members.sort_unstable();
    members.dedup();
    members
}
