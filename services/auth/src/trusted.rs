//! Trusted browsers: which browser has signed in to which account, told by a cookie that is a new one every time.
//!
//! The cookie is proof enough to set a new password, so it must be worth nothing to whoever only puts it there. A sign-in
//! draws a new token, and the rows of the one the browser brought move to it: who planted that one, or copied it
//! before, is left with a token nobody trusts.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

use crate::{error::Error, token::Token};

/// A browser nobody signed in with for this long is a stranger again.
pub const IDLE: TimeDelta = TimeDelta::days(60);
/// Accounts that trust one browser at most, and browsers one account trusts: those signed in to longest ago go.
const ACCOUNTS: i64 = 20;
const BROWSERS: i64 = 50;
/// Rows deleted in one statement of a sweep.
const SWEEP: i64 = 1_000;

/// The hash of a browser's token, as the database knows it.
pub type BrowserHash = Vec<u8>;

/// How somebody comes to a sign-in, as far as trust goes.
#[derive(Clone, Debug, Default)]
pub struct Arrival {
    /// What their browser was given at an earlier one.
    pub brought: Option<BrowserHash>,
    /// Others use this computer: nobody is to be trusted for coming from it, and what it brought stays as it is.
    pub is_shared: bool,
}

/// Trust about to be given to a browser.
#[derive(Debug)]
pub struct NewTrust {
    /// What the browser gets.
    pub token: Token,
    /// When it is over, unless somebody signs in again.
    pub expires_at: DateTime<Utc>,
    brought: Option<BrowserHash>,
}

impl NewTrust {
    /// Trust from now on; none on a shared computer.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn draw(arrival: Arrival, now: DateTime<Utc>) -> Result<Option<Self>, Error> {
        if arrival.is_shared {
            return Ok(None);
        }
        Ok(Some(Self { token: Token::draw()?, expires_at: now + IDLE, brought: arrival.brought }))
    }
}

/// Gives a browser its new token, moves to it whatever the old one was trusted for, and trusts it for `member`, who has
/// just signed in. Rows move by an update, which a reset under way waits for and then sees: deleted and made again they
/// would slip through it.
///
/// # Errors
/// When the database is away.
pub async fn renew(conn: &mut PgConnection, trust: &NewTrust, member: Uuid, now: DateTime<Utc>) -> Result<(), Error> {
    let hash = trust.token.hash();
    if let Some(brought) = &trust.brought {
        sqlx::query!(
            "update auth.trusted_browsers
            set browser_hash = $2
            where browser_hash = $1",
            brought,
            &hash,
        )
        .execute(&mut *conn)
        .await?;
    }
    sqlx::query!(
        "insert into auth.trusted_browsers (browser_hash, member_id, trusted_at)
        values ($1, $2, $3)
        on conflict (browser_hash, member_id) do update
        set trusted_at = excluded.trusted_at",
        &hash,
        member,
        now,
    )
    .execute(&mut *conn)
    .await?;
    trim(conn, &hash, member).await
}

async fn trim(conn: &mut PgConnection, hash: &[u8], member: Uuid) -> Result<(), Error> {
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
        ACCOUNTS,
        BROWSERS,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Whether the account trusts the browser.
///
/// # Errors
/// When the database is away.
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
        now - IDLE,
    );
    Ok(trusted.fetch_one(db).await?)
}

/// Ends the account's trust in every browser but the one to be kept, if any.
///
/// # Errors
/// When the database is away.
pub async fn forget(conn: &mut PgConnection, member: Uuid, but: Option<&[u8]>) -> Result<(), Error> {
    sqlx::query!(
        "delete from auth.trusted_browsers
        where member_id = $1 and browser_hash is distinct from $2",
        member,
        but,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Deletes trust that is over.
///
/// # Errors
/// When the database is away.
pub async fn sweep(db: &PgPool, now: DateTime<Utc>) -> Result<u64, Error> {
    let mut swept = 0;
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
            now - IDLE,
            SWEEP,
        )
        .execute(db)
        .await?;
        swept += done.rows_affected();
        if done.rows_affected() == 0 {
            return Ok(swept);
        }
    }
}
