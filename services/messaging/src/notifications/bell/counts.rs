//! How many notifications wait unread, kept for many members at once; `unread.rs` keeps one member's.

use sqlx::PgConnection;
use uuid::Uuid;

use super::AT_ONCE;

/// One more waits for each.
pub async fn more(db: &mut PgConnection, members: &[Uuid]) -> Result<(), sqlx::Error> {
    for members in in_order(members).chunks(AT_ONCE) {
        sqlx::query!(
            "insert into messaging.unread_counts as kept (member_id, notifications)
            select member_id, count(*)
            from unnest($1::uuid[]) as told (member_id)
            group by member_id
            order by member_id
            on conflict (member_id) do update
            set notifications = kept.notifications + excluded.notifications",
            members,
        )
        .execute(&mut *db)
        .await?;
    }
    Ok(())
}

/// One fewer waits for each; who is named twice, for whom two fewer wait.
pub async fn fewer(db: &mut PgConnection, members: &[Uuid]) -> Result<(), sqlx::Error> {
    for members in in_order(members).chunks(AT_ONCE) {
        sqlx::query!(
            "with fewer as (
                select member_id, count(*) as n
                from unnest($1::uuid[]) as settled (member_id)
                group by member_id
            ),
            locked as (
                select k.member_id
                from messaging.unread_counts k
                where k.member_id = any($1)
                order by k.member_id
                for update
            )
            update messaging.unread_counts k
            set notifications = k.notifications - f.n
            from fewer f, locked l
            where k.member_id = l.member_id
                and f.member_id = l.member_id",
            members,
        )
        .execute(&mut *db)
        .await?;
    }
    Ok(())
}

/// As often as they are named, in the order in which everybody takes their rows.
fn in_order(members: &[Uuid]) -> Vec<Uuid> {
    let mut members = members.to_vec();
    members.sort_unstable();
    members
}
