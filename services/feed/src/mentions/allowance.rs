//! Limits notifications of mentions to members who do not know the author. The allowance grows with the age and the
//! connections of the account, like the allowance of connection requests. A mention beyond it stays in the text and
//! notifies no member.

use chrono::TimeDelta;
use outbox::UnitOfWork;
use primitives::allowance::{Allowance, MAX_ACCEPTED, PERIOD};
use sqlx::PgConnection;
use uuid::Uuid;

/// Takes up to `wanted` notifications of a day, and returns how many were left. Locks the allowance of the author until the
/// transaction ends, after the rows of its post.
pub(super) async fn take(work: &mut UnitOfWork<'_>, author: Uuid, wanted: usize) -> Result<usize, sqlx::Error> {
    let now = work.now;
    let known = sqlx::query!(
        r#"insert into feed.mention_allowances as known (member_id, full_at)
        values ($1, $2)
        on conflict (member_id) do update
        set full_at = known.full_at
        returning
            greatest(full_at, $2) as "full_at!",
            (
                select count(*)
                from (select from feed.connections where member_id = $1 limit $3) as connected
            ) as "connections!""#,
        author,
        now,
        MAX_ACCEPTED,
    );
    let known = known.fetch_one(&mut *work.db).await?;
    let step = Allowance::of(author, known.connections, 1, now).step();
    // A clock that was set back must not stop the member for longer than a day.
    let mut full_at = known.full_at.min(now + PERIOD);
    let mut taken = 0;
    while taken < wanted && full_at + step - now - PERIOD <= TimeDelta::zero() {
        full_at += step;
        taken += 1;
    }
    sqlx::query!("update feed.mention_allowances set full_at = $2 where member_id = $1", author, full_at)
        .execute(&mut *work.db)
        .await?;
    Ok(taken)
}

/// Deletes the allowance of an erased member.
pub async fn erase(db: &mut PgConnection, member: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from feed.mention_allowances where member_id = $1", member).execute(db).await?;
    Ok(())
}
