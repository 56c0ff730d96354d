//! Notifications without an actor. They have no cause, and stay until the recipient is erased.

use chrono::{DateTime, NaiveDate, Utc};
use outbox::UnitOfWork;
use uuid::Uuid;

use super::{counts, lock_and_advance};
use crate::{error::Error, notifications::Kind, publishing::publish_notifications_changed, push::queue};

/// The maximum length of a detail, in characters.
const MAX_DETAIL: usize = 200;

/// The deadline of a reminder.
#[derive(Clone, Copy)]
pub struct Deadline {
    /// The end of the deadline.
    pub at: DateTime<Utc>,
    /// The date, if the deadline has no time of day.
    pub date: Option<NaiveDate>,
}

/// Notifies a member once about `subject`, unless the kind is turned off or the account is erased.
pub async fn announce(
    work: &mut UnitOfWork<'_>,
    kind: Kind,
    subject: Uuid,
    name: &str,
    member: Uuid,
) -> Result<(), Error> {
    for (member, at) in lock_and_advance(work, &[member]).await? {
        let (id, name) = (work.ids.owned_by(member), name.chars().take(MAX_DETAIL).collect::<String>());
        let inserted = sqlx::query!(
            "insert into messaging.notifications
                (id, member_id, kind, subject_id, detail, active_at, member_ids, member_count)
            select $1, $2, $3, $4, $5, $6, '{}', 0
            where not exists (select from messaging.erasures e where e.member_id = $2)
                and coalesce((
                    select s.is_on
                    from messaging.notification_switches s
                    where s.member_id = $2
                        and s.kind = $3
                ), $7)
            on conflict (member_id, kind, subject_id, detail) do nothing",
            id,
            member,
            kind as Kind,
            subject,
            name,
            at,
            kind.on_by_default(),
        );
        if inserted.execute(&mut *work.db).await?.rows_affected() == 1 {
            counts::increment(work.db, &[member]).await?;
            publish_notifications_changed(work, &[member]).await?;
            queue::notifications(work.db, kind.topic(), &[id], at).await?;
        }
    }
    Ok(())
}

/// Reminds a member of the deadline of `subject`, unless the kind is turned off or the account is erased. A second
/// reminder replaces the first and is unread.
pub async fn remind(
    work: &mut UnitOfWork<'_>,
    kind: Kind,
    subject: Uuid,
    name: &str,
    due: Deadline,
    member: Uuid,
) -> Result<(), Error> {
    for (member, at) in lock_and_advance(work, &[member]).await? {
        let name: String = name.chars().take(MAX_DETAIL).collect();
        let reminded = sqlx::query!(
            r#"with upserted as (
                insert into messaging.notifications as n
                    (id, member_id, kind, subject_id, detail, active_at, member_ids, member_count, due_at, due_date)
                select $1, $2, $3, $4, $5, $6, '{}', 0, $8, $9
                where not exists (select from messaging.erasures e where e.member_id = $2)
                    and coalesce((
                        select s.is_on
                        from messaging.notification_switches s
                        where s.member_id = $2
                            and s.kind = $3
                    ), $7)
                on conflict (member_id, kind, subject_id, detail) do update
                set
                    active_at = excluded.active_at,
                    due_at = excluded.due_at,
                    due_date = excluded.due_date
                returning n.id
            )
            -- The row as it was before this statement.
            select u.id, coalesce(n.read_at >= n.active_at, n.id is null) as "became_unread!"
            from upserted u
            left join messaging.notifications n on n.id = u.id"#,
            work.ids.owned_by(member),
            member,
            kind as Kind,
            subject,
            name,
            at,
            kind.on_by_default(),
            due.at,
            due.date,
        );
        let Some(reminded) = reminded.fetch_optional(&mut *work.db).await? else { continue };
        if reminded.became_unread {
            counts::increment(work.db, &[member]).await?;
        }
        publish_notifications_changed(work, &[member]).await?;
        queue::notifications(work.db, kind.topic(), &[reminded.id], at).await?;
    }
    Ok(())
}
