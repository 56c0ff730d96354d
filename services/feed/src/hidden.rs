//! Closed accounts: auth says whose, and no page shows what they wrote until they are open again or gone.
//!
//! Pages leave them out inside their one statement, by looking each row's author up in `feed.hidden_members`: that
//! costs the same however many accounts close, where a list put together first would grow with them.
//!
//! A post's counters go on counting what a hidden member said under it. Taking it off would write every post they ever
//! touched, move all of those in the top and the relevant order, and do it again when the account is reopened; what is
//! erased for good is counted off then. The search forgets what they wrote all the same, a moment later
//! (search/authors.rs).

use chrono::{DateTime, Utc};
use primitives::{ids, input::InvalidRequest};
use sqlx::PgConnection;

use crate::{error::Error, search::authors};

/// Hides what a member wrote.
///
/// # Errors
/// When the id is none.
pub async fn hide(conn: &mut PgConnection, member_id: &str, at: DateTime<Utc>) -> Result<(), Error> {
    let member_id = ids::parse("memberId", member_id).map_err(InvalidRequest::from)?;
    let hidden = sqlx::query_scalar!(
        "insert into feed.hidden_members (member_id, hidden_at)
        values ($1, $2)
        on conflict (member_id) do nothing
        returning member_id",
        member_id,
        at
    );
    let hidden = hidden.fetch_all(&mut *conn).await?;
    Ok(authors::again(conn, &hidden).await?)
}

/// Shows it again. Who is about to be erased stays hidden.
///
/// # Errors
/// When the id is none.
pub async fn show(conn: &mut PgConnection, member_id: &str) -> Result<(), Error> {
    let member_id = ids::parse("memberId", member_id).map_err(InvalidRequest::from)?;
    let shown = sqlx::query_scalar!(
        "delete from feed.hidden_members h
        where member_id = $1
            and not exists (select from feed.erasures e where e.member_id = h.member_id)
        returning member_id",
        member_id
    );
    let shown = shown.fetch_all(&mut *conn).await?;
    Ok(authors::again(conn, &shown).await?)
}

/// Forgets whose accounts were closed, because auth is about to tell anew.
///
/// # Errors
/// As any statement.
pub async fn clear(conn: &mut PgConnection) -> Result<(), Error> {
    let shown = sqlx::query_scalar!(
        "delete from feed.hidden_members h
        where not exists (select from feed.erasures e where e.member_id = h.member_id)
        returning member_id"
    );
    let shown = shown.fetch_all(&mut *conn).await?;
    Ok(authors::again(conn, &shown).await?)
}
