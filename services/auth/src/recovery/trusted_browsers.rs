//! Trusted browsers. The token in a browser's cookie identifies the account that signed in last on it.
//!
//! The token alone allows a password reset. Every sign-in therefore rotates it: the browser gets a new token and the
//! row of the account moves to it, so that a token that an attacker planted or copied becomes worthless. The trust of
//! any other account in the browser ends: its next user must not reset the password of the previous one.
//!
//! Trust belongs to the session of the last sign-in. It ends with that session, unless the member signs out on the
//! browser itself, and with a new password and a suspension. When a member closes the account, only the browser that
//! closed it keeps the trust.

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

use crate::{
    audit::{self, AuditEvent},
    credentials::token::Token,
    error::Error,
    known_browsers::{self, TOKEN_LIFETIME},
    sessions::{self, Browser, Session},
};

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
    /// Whether the computer is shared. This ends the trust in the browser, whichever member it was for.
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
        Ok(Some(Self { token: Token::generate()?, expires_at: now + TOKEN_LIFETIME, previous: request.token }))
    }
}

/// Moves the row of the previous token to the new one and trusts it only for the member of the session. The row is
/// updated, not deleted and inserted: a concurrent reset waits for an update and then sees the row.
pub async fn rotate(
    db: &mut PgConnection,
    browser: &NewTrustedBrowser,
    session: Session,
    seen: &Browser,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let hash = browser.token.hash();
    known_browsers::rotate(db, browser.previous.as_deref(), &hash, session.member, now).await?;
    if let Some(previous) = &browser.previous {
        sqlx::query!(
            "with locked as (
                -- In one order: concurrent sign-ins of two members on one browser must not wait for each other.
                select browser_hash, member_id
                from auth.trusted_browsers
                where browser_hash = $1
                order by member_id
                for update
            ), ended as (
                delete from auth.trusted_browsers other
                using locked
                where other.browser_hash = locked.browser_hash
                    and other.member_id = locked.member_id
                    and other.member_id <> $3
            )
            update auth.trusted_browsers own
            set browser_hash = $2
            from locked
            where own.browser_hash = locked.browser_hash
                and own.member_id = locked.member_id
                and own.member_id = $3",
            previous,
            &hash,
            session.member,
        )
        .execute(&mut *db)
        .await?;
    }
    sqlx::query!(
        "insert into auth.trusted_browsers as t
            (browser_hash, member_id, trusted_at, session_id, trusted_since, last_seen_at, user_agent, address)
        values ($1, $2, $3, $4, $3, $3, $5, $6)
        on conflict (browser_hash, member_id) do update
        set
            trusted_at = excluded.trusted_at,
            session_id = excluded.session_id,
            trusted_since = case when t.trusted_at > $7 then coalesce(t.trusted_since, t.trusted_at) else $3 end,
            last_seen_at = excluded.last_seen_at,
            user_agent = excluded.user_agent,
            address = excluded.address",
        &hash,
        session.member,
        now,
        session.id,
        seen.user_agent,
        seen.address,
        now - TOKEN_LIFETIME,
    )
    .execute(&mut *db)
    .await?;
    delete_excess(db, &hash, session.member).await
}

/// Deletes the rows with the oldest sign-ins above the maximum.
async fn delete_excess(db: &mut PgConnection, hash: &[u8], member: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "delete from auth.trusted_browsers
        where (browser_hash, member_id) in (
            select browser_hash, member_id
            from auth.trusted_browsers
            where member_id = $2
            order by (browser_hash = $1) desc, trusted_at desc, browser_hash
            offset $3
        )",
        hash,
        member,
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
        now - TOKEN_LIFETIME,
    );
    Ok(trusted.fetch_one(db).await?)
}

/// A trusted browser as its owner sees it.
#[derive(Clone, Debug)]
pub struct TrustedBrowserSummary {
    /// The session of the last sign-in, which may be gone.
    pub session_id: Uuid,
    /// The beginning of the trust.
    pub since: DateTime<Utc>,
    /// The last use of its session.
    pub last_seen_at: DateTime<Utc>,
    /// The User-Agent header of the last sign-in.
    pub user_agent: Option<String>,
    /// The IP address of the last sign-in.
    pub address: Option<String>,
    /// Its session is valid.
    pub is_signed_in: bool,
}

/// Lists the trusted browsers of the caller, most recently used first.
///
/// # Errors
/// [`Error::SessionEnded`] when the caller's session is not valid.
pub async fn list(db: &PgPool, caller: Session, now: DateTime<Utc>) -> Result<Vec<TrustedBrowserSummary>, Error> {
    let idle_since = now - sessions::IDLE_TIMEOUT;
    sessions::ensure_valid(db, caller, now).await?;
    let listed = sqlx::query_as!(
        TrustedBrowserSummary,
        "select
            trusted.session_id,
            coalesce(trusted.trusted_since, trusted.trusted_at) as \"since!\",
            coalesce(session.last_seen_at, trusted.last_seen_at, trusted.trusted_at) as \"last_seen_at!\",
            trusted.user_agent, trusted.address,
            coalesce(session.last_seen_at > $2 and session.ends_at > $3, false) as \"is_signed_in!\"
        from auth.trusted_browsers trusted
        left join auth.sessions session on session.id = trusted.session_id
        where trusted.member_id = $1 and trusted.trusted_at > $4
        order by 3 desc, trusted.session_id desc",
        caller.member,
        idle_since,
        now,
        now - TOKEN_LIFETIME,
    );
    Ok(listed.fetch_all(db).await?)
}

/// Stores the last use of a session that ends without ending the trust. A row that another transaction changes keeps
/// its time: waiting for it could deadlock, because this transaction holds the session.
pub async fn note_last_seen(db: &mut PgConnection, session: Session, at: DateTime<Utc>) -> Result<(), Error> {
    sqlx::query!(
        "update auth.trusted_browsers
        set last_seen_at = $3
        where (browser_hash, member_id) in (
            select browser_hash, member_id
            from auth.trusted_browsers
            where session_id = $1
                and member_id = $2
            for update skip locked
        )",
        session.id,
        session.member,
        at,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Ends the trust of the caller in the browser of a session.
///
/// # Errors
/// [`Error::TrustedBrowserNotFound`].
pub async fn end(work: &mut UnitOfWork<'_>, caller: Session, id: Uuid, browser: &Browser) -> Result<(), Error> {
    if !delete_of_session(work.db, Session { id, member: caller.member }).await? {
        return Err(Error::TrustedBrowserNotFound);
    }
    audit::record(work, caller.member, AuditEvent::TrustEnded(id), Some(browser)).await
}

/// Deletes the trusted browser that a session made; `false` when it does not exist.
pub async fn delete_of_session(db: &mut PgConnection, session: Session) -> Result<bool, Error> {
    let deleted = sqlx::query!(
        "delete from auth.trusted_browsers
        where session_id = $1
            and member_id = $2",
        session.id,
        session.member,
    );
    Ok(deleted.execute(db).await?.rows_affected() > 0)
}

/// Deletes the trusted browsers of the member except the one that the session made.
pub async fn delete_of_other_sessions(db: &mut PgConnection, session: Session) -> Result<(), Error> {
    sqlx::query!(
        "delete from auth.trusted_browsers
        where member_id = $2
            and session_id <> $1",
        session.id,
        session.member,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes the trust in one browser, of every account.
pub async fn delete_of_browser(db: &mut PgConnection, browser: &[u8]) -> Result<(), Error> {
    sqlx::query!(
        "delete from auth.trusted_browsers
        where (browser_hash, member_id) in (
            -- In the order of a sign-in.
            select browser_hash, member_id
            from auth.trusted_browsers
            where browser_hash = $1
            order by member_id
            for update
        )",
        browser,
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
            now - TOKEN_LIFETIME,
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
