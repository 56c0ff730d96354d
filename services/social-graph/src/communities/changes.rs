//! Creation and update of communities. Lock order: member, communities, totals.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{CommunityText, search};
use crate::error::Error;

/// Creates a community with `member` as its owner. The caller holds [`crate::members::lock`].
pub async fn create(
    db: &mut PgConnection,
    id: Uuid,
    member: Uuid,
    text: &CommunityText,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    sqlx::query!(
        "with founded as (
            insert into social_graph.communities
                (id, name, name_key, description, rules, member_count, created_at)
            select $1, $3, $4, $5, $6, case when hidden then 0 else 1 end, $7
            from social_graph.members
            where member_id = $2
            returning id
        )
        insert into social_graph.memberships (community_id, member_id, role, joined_at, hidden)
        select f.id, m.member_id, 'owner', $7, m.hidden
        from founded f, social_graph.members m
        where m.member_id = $2",
        id,
        member,
        &*text.name,
        text.name_key,
        text.description.as_deref(),
        text.rules.as_deref(),
        now,
    )
    .execute(&mut *db)
    .await?;
    search::index(db, id).await?;
    adjust_count(db, 1).await
}

/// Changes the stored number of communities.
pub async fn adjust_count(db: &mut PgConnection, by: i64) -> Result<(), Error> {
    sqlx::query!("update social_graph.totals set communities = communities + $1 where id = 1", by).execute(db).await?;
    Ok(())
}

/// Replaces the texts of a community. True when its name changed.
pub async fn update(db: &mut PgConnection, id: Uuid, member: Uuid, text: &CommunityText) -> Result<bool, Error> {
    let previous_name = lock(db, id).await?;
    let updated = sqlx::query!(
        "update social_graph.communities c
        set
            name = $3,
            name_key = $4,
            description = $5,
            rules = $6
        where c.id = $1
            and exists (
                select
                from social_graph.memberships m
                where m.community_id = c.id
                    and m.member_id = $2
                    and m.role = 'owner'
            )",
        id,
        member,
        &*text.name,
        text.name_key,
        text.description.as_deref(),
        text.rules.as_deref(),
    )
    .execute(&mut *db)
    .await?;
    if updated.rows_affected() == 0 {
        return Err(Error::NotOwner);
    }
    search::index(db, id).await?;
    Ok(*previous_name != *text.name)
}

/// Locks a community until the transaction ends and returns its name.
pub(super) async fn lock(db: &mut PgConnection, id: Uuid) -> Result<String, Error> {
    let name = sqlx::query_scalar!("select name from social_graph.communities where id = $1 for update", id);
    name.fetch_optional(db).await?.ok_or(Error::CommunityNotFound)
}
