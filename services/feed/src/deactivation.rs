//! Deactivation of accounts. No list contains their content until they are reactivated or erased.
//!
//! Every list looks the author of each row up in `feed.hidden_members`. A list of deactivated authors, computed first,
//! would grow with their number. A member's reactions and comments may be in any post, so each change of an account
//! also changes the version of every post (timeline/versions.rs).
//!
//! Counters of posts still include the reactions and comments of deactivated members: a correction would write every
//! post that the member touched and move it in the ordered lists, and again on reactivation. Erasure corrects them. The
//! search index is updated in the background (search/reindex.rs).

pub mod erase;

use chrono::{DateTime, Utc};
use primitives::{ids, input::InvalidRequest};
use sqlx::PgConnection;

use crate::{error::Error, search::reindex};

pub use erase::{request_erasure, spawn_erasure};

/// Hides the content of a member. Idempotent. A transaction changes the version once: a snapshot hides many members.
pub async fn deactivate(db: &mut PgConnection, member_id: &str, now: DateTime<Utc>) -> Result<(), Error> {
    let member_id = ids::parse("memberId", member_id).map_err(InvalidRequest::from)?;
    let hidden = sqlx::query_scalar!(
        "with hidden as (
            insert into feed.hidden_members (member_id, hidden_at)
            values ($1, $2)
            on conflict (member_id) do nothing
            returning member_id
        ),
        counted as (
            update feed.hidden_members_changes
            set n = n + 1
            where exists (select from hidden)
                and xmin <> pg_current_xact_id()::xid
        )
        select member_id
        from hidden",
        member_id,
        now
    );
    let hidden = hidden.fetch_all(&mut *db).await?;
    Ok(reindex::request(db, &hidden).await?)
}

/// Reverses [`deactivate`], unless the member is being erased. Idempotent.
pub async fn reactivate(db: &mut PgConnection, member_id: &str) -> Result<(), Error> {
    let member_id = ids::parse("memberId", member_id).map_err(InvalidRequest::from)?;
    let shown = sqlx::query_scalar!(
        "with shown as (
            delete from feed.hidden_members h
            where member_id = $1
                and not exists (select from feed.erasures e where e.member_id = h.member_id)
            returning member_id
        ),
        counted as (
            update feed.hidden_members_changes
            set n = n + 1
            where exists (select from shown)
                and xmin <> pg_current_xact_id()::xid
        )
        select member_id
        from shown",
        member_id
    );
    let shown = shown.fetch_all(&mut *db).await?;
    Ok(reindex::request(db, &shown).await?)
}

/// Reactivates every hidden member. Runs before a snapshot of auth, which lists the closed accounts again.
pub async fn reactivate_all(db: &mut PgConnection) -> Result<(), Error> {
    let shown = sqlx::query_scalar!(
        "with shown as (
            delete from feed.hidden_members h
            where not exists (select from feed.erasures e where e.member_id = h.member_id)
            returning member_id
        ),
        counted as (
            update feed.hidden_members_changes
            set n = n + 1
            where exists (select from shown)
                and xmin <> pg_current_xact_id()::xid
        )
        select member_id
        from shown"
    );
    let shown = shown.fetch_all(&mut *db).await?;
    Ok(reindex::request(db, &shown).await?)
}
