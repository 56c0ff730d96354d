//! The unread totals of notifications for many members at once; `crate::unread` updates one member.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{batches::STATEMENT_MEMBERS, error::Error};

/// Adds one for each member.
pub async fn increment(db: &mut PgConnection, members: &[Uuid]) -> Result<(), Error> {
    for members in in_lock_order(members).chunks(STATEMENT_MEMBERS) {
        sqlx::query!(
            "insert into messaging.unread_counts as stored (member_id, notifications)
            select member_id, count(*)
            from unnest($1::uuid[]) as notified (member_id)
            group by member_id
            order by member_id
            on conflict (member_id) do update
            set notifications = stored.notifications + excluded.notifications",
            members,
        )
        .execute(&mut *db)
        .await?;
    }
    Ok(())
}

/// Subtracts one for each occurrence of a member.
pub async fn decrement(db: &mut PgConnection, members: &[Uuid]) -> Result<(), Error> {
    for members in in_lock_order(members).chunks(STATEMENT_MEMBERS) {
        sqlx::query!(
            "with decrements as (
                select member_id, count(*) as n
                from unnest((select $1::uuid[])) as named (member_id)
                group by member_id
            ),
            locked as (
                select k.member_id
                from messaging.unread_counts k
                where k.member_id = any((select $1::uuid[])::uuid[])
                order by k.member_id
                for update
            )
            update messaging.unread_counts k
            set notifications = k.notifications - d.n
            from decrements d, locked l
            where k.member_id = l.member_id
                and d.member_id = l.member_id",
            members,
        )
        .execute(&mut *db)
        .await?;
    }
    Ok(())
}

/// Sorts members in the common lock order, with repetitions.
fn in_lock_order(members: &[Uuid]) -> Vec<Uuid> {
    let mut members = members.to_vec();
    members.sort_unstable();
    members
}
