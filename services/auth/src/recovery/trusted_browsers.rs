//! Trusted browsers: the accounts that signed in on a browser, identified by the token in its cookie.
//!
//! The token alone allows a password reset. Every sign-in therefore rotates it: the browser gets a new token and all
//! its rows move to it, so that a token that an attacker planted or copied becomes worthless.
//!
//! Trust belongs to the session of the last sign-in. It ends with that session, unless the member signs out on the browser
//! itself, and with a new password and a suspension.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

use crate::{credentials::token::Token, error::Error, sessions::Session};

/// Trust expires after this time without a sign-in.
pub const LIFETIME: TimeDelta = TimeDelta::days(60);
const MAX_ACCOUNTS_PER_BROWSER: i64 = 20;
const MAX_BROWSERS_PER_ACCOUNT: i64 = 50;
/// Rows per delete statement of the cleanup.
const DELETE_BATCH: i64 = 1_000;

/// The SHA-256 of a browser's token.
pub type BrowserHash = Vec<u8>;

/// The part of a sign-in request that concerns trust.
#[derive(Clone, Debug, Default)]
pub struct TrustRequest {
    /// The token of an earlier sign-in on this browser.
    pub token: Option<BrowserHash>,
    /// A shared computer is not trusted, and no longer if it was; the token stays valid for other members.
    pub is_shared: bool,
}

/// A trusted browser before its insertion.
#[derive(Debug)]
pub struct NewTrustedBrowser {
    /// The new token of the cookie.
    pub token: Token,
    /// The end of the trust, unless the member signs in again.
    pub expires_at: DateTime<Utc>,
    previous: Option<BrowserHash>,
}

impl NewTrustedBrowser {
    /// Makes a new token; `None` on a shared computer.
    pub fn new(request: TrustRequest, now: DateTime<Utc>) -> Result<Option<Self>, Error> {
        if request.is_shared {
            return Ok(None);
        }
        Ok(Some(Self { token: Token::generate()?, expires_at: now + LIFETIME, previous: request.token }))
    }
}

/// Moves the rows of the previous token to the new one and trusts it for the member of the session. The rows are updated, not deleted
/// and inserted: a concurrent reset waits for an update and then sees the row.
pub async fn rotate(
    db: &mut PgConnection,
    browser: &NewTrustedBrowser,
    session: Session,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let hash = browser.token.hash();
    if let Some(previous) = &browser.previous {
        sqlx::query!(
            "update auth.trusted_browsers
            set browser_hash = $2
            where browser_hash = $1",
            previous,
            &hash,
        )
        .execute(&mut *db)
        .await?;
    }
    sqlx::query!(
        "insert into auth.trusted_browsers (browser_hash, member_id, trusted_at, session_id)
        values ($1, $2, $3, $4)
        on conflict (browser_hash, member_id) do update
        set trusted_at = excluded.trusted_at, session_id = excluded.session_id",
        &hash,
        session.member,
        now,
        session.id,
    )
    .execute(&mut *db)
    .await?;
    delete_excess(db, &hash, session.member).await
}

/// Deletes the rows with the oldest sign-ins above the two maxima.
async fn delete_excess(db: &mut PgConnection, hash: &[u8], member: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "delete from auth.trusted_browsers
        where (browser_hash, member_id) in (
            (
                select browser_hash, member_id
                from auth.trusted_browsers
                where browser_hash = $1
                order by (member_id = $2) desc, trusted_at desc, member_id
                offset $3
            )
            union all
            (
                select browser_hash, member_id
                from auth.trusted_browsers
                where member_id = $2
                order by (browser_hash = $1) desc, trusted_at desc, browser_hash
                offset $4
            )
        )",
        hash,
        member,
        MAX_ACCOUNTS_PER_BROWSER,
        MAX_BROWSERS_PER_ACCOUNT,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Whether the account trusts the browser.
pub async fn is_trusted(
    db: impl PgExecutor<'_>,
    member: Uuid,
    browser: &[u8],
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let trusted = sqlx::query_scalar!(
        "select exists (
            select from auth.trusted_browsers
            where browser_hash = $1 and member_id = $2 and trusted_at > $3
        ) as \"trusted!\"",
        browser,
        member,
        now - LIFETIME,
    );
    Ok(trusted.fetch_one(db).await?)
}

/// Deletes the trusted browser that a session made.
pub async fn delete_of_session(db: &mut PgConnection, session: Session) -> Result<(), Error> {
    sqlx::query!(
        "delete from auth.trusted_browsers
        where session_id = $1
            and member_id = $2",
        session.id,
        session.member,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes the account's trust in one browser.
pub async fn delete(db: &mut PgConnection, browser: &[u8], member: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "delete from auth.trusted_browsers
        where browser_hash = $1
            and member_id = $2",
        browser,
        member,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes every trusted browser of the account.
pub async fn delete_all(db: &mut PgConnection, member: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "delete from auth.trusted_browsers
        where member_id = $1",
        member,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes expired rows.
pub async fn delete_expired(db: &PgPool, now: DateTime<Utc>) -> Result<u64, Error> {
    let mut deleted = 0;
    loop {
        let done = sqlx::query!(
            "delete from auth.trusted_browsers
            where (browser_hash, member_id) in (
                select browser_hash, member_id
                from auth.trusted_browsers
                where trusted_at <= $1
                limit $2
                for update skip locked
            )",
            now - LIFETIME,
            DELETE_BATCH,
        )
        .execute(db)
        .await?;
        deleted += done.rows_affected();
        if done.rows_affected() == 0 {
            return Ok(deleted);
        }
    }
}
