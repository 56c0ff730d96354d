//! Hidden and erased members. A hidden member is not shown and not counted, until the account is reopened or erased.

use chrono::DateTime;
use outbox::UnitOfWork;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    decisions::{Cause, Decision},
    error::Error,
    publishing, search, verifications,
};

/// Hides a member and ends the verification, unless the member is hidden already.
pub async fn deactivate(work: &mut UnitOfWork<'_>, id: Uuid) -> Result<(), Error> {
    if hide(work, id).await? { publishing::publish_member_changed(work, id).await } else { Ok(()) }
}

async fn hide(work: &mut UnitOfWork<'_>, id: Uuid) -> Result<bool, Error> {
    lock(work.db, id).await?;
    let cause = Cause::AccountClosed;
    verifications::end(work, &Decision { member: id, cause, steward: None, school: None, reason: None }).await?;
    let changed = set_hidden(work.db, id, true).await?;
    if changed {
        adjust_counters(work.db, id, -1).await?;
        search::index(work.db, id).await?;
    }
    Ok(changed)
}

/// Shows a hidden member.
pub async fn reactivate(work: &mut UnitOfWork<'_>, id: Uuid) -> Result<(), Error> {
    lock(work.db, id).await?;
    if set_hidden(work.db, id, false).await? {
        adjust_counters(work.db, id, 1).await?;
        search::index(work.db, id).await?;
        publishing::publish_member_changed(work, id).await?;
    }
    Ok(())
}

/// Locks the members whose counters change, in the order of their ids. `connections` and `endorsements` lock pairs in the same
/// order.
async fn lock(db: &mut PgConnection, id: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "select id
        from profile.members
        where id = $1
            or id in (
                select upper_id
                from profile.connections
                where lower_id = $1
                union all
                select lower_id
                from profile.connections
                where upper_id = $1
                union all
                select member_id
                from profile.endorsements
                where endorser_id = $1
                    and not hidden
            )
        order by id
        for no key update",
        id,
    )
    .fetch_all(db)
    .await?;
    Ok(())
}

async fn set_hidden(db: &mut PgConnection, id: Uuid, hidden: bool) -> Result<bool, Error> {
    let done = sqlx::query!(
        "update profile.members
        set hidden = $2
        where id = $1
            and hidden <> $2",
        id,
        hidden,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Adds `by` to the counters that include the member: connections and endorsements. The rows of members with an endorsement are
/// written too, for the versions of their profiles (members/versions.rs); mostly they are connections.
async fn adjust_counters(db: &mut PgConnection, id: Uuid, by: i64) -> Result<(), Error> {
    sqlx::query!(
        "update profile.members
        set connection_count = connection_count + $2
        where id in (
            select upper_id
            from profile.connections
            where lower_id = $1
            union all
            select lower_id
            from profile.connections
            where upper_id = $1
        )",
        id,
        by,
    )
    .execute(&mut *db)
    .await?;
    sqlx::query!(
        "with counted as (
            update profile.skills s
            set endorsement_count = s.endorsement_count + $2
            from profile.endorsements e
            where e.endorser_id = $1
                and not e.hidden
                and s.member_id = e.member_id
                and s.name = e.skill
            returning s.member_id
        )
        update profile.members
        set connection_count = connection_count
        where id in (select member_id from counted)
            and not exists (
                select from profile.connections
                where lower_id = least(members.id, $1)
                    and upper_id = greatest(members.id, $1)
            )",
        id,
        by,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes the member's rows, if the member exists. Foreign keys delete experience, education, skills
/// with their endorsements, views, and the decisions about the member. The cleanup deletes the picture's object at once, because
/// it is marked as long unused.
pub async fn erase(work: &mut UnitOfWork<'_>, id: Uuid) -> Result<(), Error> {
    // Removes the member from the counters, unless hidden already.
    hide(work, id).await?;
    // Waits for a decision that the steward is making.
    sqlx::query!("delete from profile.stewards where member_id = $1", id).execute(&mut *work.db).await?;
    // The decisions of a steward stay, without the steward.
    sqlx::query!(
        "update profile.verification_decisions
        set steward_id = null
        where steward_id = $1",
        id,
    )
    .execute(&mut *work.db)
    .await?;
    sqlx::query!(
        "delete from profile.endorsements
        where endorser_id = $1",
        id,
    )
    .execute(&mut *work.db)
    .await?;
    // The counters leave out a hidden member, but the versions also depend on the connections themselves.
    sqlx::query!(
        "with deleted as (
            delete from profile.connections
            where lower_id = $1
                or upper_id = $1
            returning lower_id, upper_id
        )
        update profile.members m
        set connection_count = m.connection_count
        from deleted
        where m.id in (deleted.lower_id, deleted.upper_id)
            and m.id <> $1",
        id,
    )
    .execute(&mut *work.db)
    .await?;
    sqlx::query!(
        "delete from profile.blocks
        where lower_id = $1
            or upper_id = $1",
        id,
    )
    .execute(&mut *work.db)
    .await?;
    sqlx::query!(
        "update profile.pictures
        set member_id = null, uses = 0, unused_since = $2
        where member_id = $1",
        id,
        DateTime::UNIX_EPOCH,
    )
    .execute(&mut *work.db)
    .await?;
    search::MEMBERS.remove(work.db, &[id]).await?;
    let done = sqlx::query!(
        "delete from profile.members
        where id = $1",
        id,
    )
    .execute(&mut *work.db)
    .await?;
    if done.rows_affected() == 1 {
        publishing::publish_privacy_changed(work, id, None).await?;
        publishing::publish_member_changed(work, id).await?;
    }
    Ok(())
}
