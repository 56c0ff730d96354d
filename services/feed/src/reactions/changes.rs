//! Sets and removes reactions. The counter of the post changes in the same statement.
//!
//! The counter is in the order of Top and Relevant, so its update writes all indexes of posts. A table of counters beside posts
//! would cost each listed post a lookup for its version; one of the order alone costs as much as it saves (55 of 95 µs).

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::ReactionKind;
use crate::{error::Error, posts, visibility::visible_post_query};

/// The result of [`set`] or [`remove`].
pub struct ReactionOutcome {
    /// The author of the post.
    pub author_id: Uuid,
    /// The community of the post.
    pub community_id: Option<Uuid>,
    /// The reactions on the post now.
    pub like_count: i64,
    /// Whether a row was inserted, updated or deleted.
    pub changed: bool,
}

/// Sets the member's reaction to `kind`.
///
/// One statement: the second of two concurrent ones finds the row of the first and does not count it again. It updates the
/// post even then, because only the locked row contains the counter as the first one left it.
///
/// # Errors
/// [`Error::NotAWriter`] for an author who no longer belongs to the community of the post.
pub async fn set(
    db: &mut PgConnection,
    post_id: Uuid,
    member_id: Uuid,
    kind: ReactionKind,
    now: DateTime<Utc>,
) -> Result<ReactionOutcome, Error> {
    let outcome = visible_post_query!(
        ReactionOutcome,
        r#"
        with changed as (
            insert into feed.reactions as r (member_id, post_id, kind, created_at)
            values ($1, $2, $3, $4)
            on conflict (post_id, member_id) do update
            set kind = excluded.kind, changes = r.changes + 1
            where r.kind <> excluded.kind
            returning r.changes
        )
        update feed.posts p
        set like_count = p.like_count + (select count(*) from changed where changes = 0)
        where p.id = $2
            and (
                p.community_id is null
                or exists (select from feed.memberships w where w.member_id = $1 and w.community_id = p.community_id)
            )
            and
        "#,
        r#"
        returning p.author_id, p.community_id, p.like_count, exists (select from changed) as "changed!"
        "#,
        member_id,
        post_id,
        kind.name(),
        now
    )
    .fetch_optional(&mut *db)
    .await?;
    match outcome {
        Some(outcome) => Ok(outcome),
        None => Err(posts::refusal_to_write(db, member_id, post_id).await),
    }
}

/// Removes the member's reaction, if there is one. One statement, like [`set`]. An author who left the community of the post does
/// not learn its reactions.
pub async fn remove(db: &mut PgConnection, post_id: Uuid, member_id: Uuid) -> Result<ReactionOutcome, Error> {
    let outcome = visible_post_query!(
        ReactionOutcome,
        r#"
        with removed as (
            delete from feed.reactions
            where member_id = $1
                and post_id = $2
            returning member_id
        )
        update feed.posts p
        set like_count = p.like_count - (select count(*) from removed)
        where p.id = $2
            and
        "#,
        r#"
        returning
            p.author_id,
            p.community_id,
            case
                when p.community_id is null
                    or exists (select from feed.memberships w where w.member_id = $1 and w.community_id = p.community_id)
                then p.like_count
                else 0
            end as "like_count!",
            exists (select from removed) as "changed!"
        "#,
        member_id,
        post_id
    )
    .fetch_optional(db)
    .await?;
    outcome.ok_or(Error::PostNotFound)
}
