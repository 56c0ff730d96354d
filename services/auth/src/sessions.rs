//! Sessions: created by a sign-in, extended by use, ended by their owner, by inactivity or by age.

pub mod member_tokens;

use chrono::{DateTime, TimeDelta, Utc};
use outbox::UnitOfWork;
use primitives::error::ErrorChain;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{
    audit::{self, AuditEvent},
    credentials::token::Token,
    error::Error,
    known_browsers, publishing,
};

pub use crate::browser::Browser;

/// A session expires after this time without use.
pub const IDLE_TIMEOUT: TimeDelta = TimeDelta::days(14);
/// A session expires at this age.
pub const ABSOLUTE_TIMEOUT: TimeDelta = TimeDelta::days(90);
/// A sign-in within this time reactivates a closed account; after it the account is erased.
pub const REACTIVATION_PERIOD: TimeDelta = TimeDelta::days(14);
/// An expired session is stored for this time, so that its browser learns that the session was not ended by a person and may
/// leave unsent work to the same member. Longer than a browser stores it.
const EXPIRED_KEPT: TimeDelta = TimeDelta::hours(25);
/// The precision of `last_seen_at`: an update for each request would make every read a write.
pub const LAST_SEEN_PRECISION: TimeDelta = TimeDelta::minutes(1);
/// Sessions per account.
const MAX_SESSIONS: i64 = 100;
/// Rows per delete statement of the cleanup.
const DELETE_BATCH: i64 = 1_000;

/// A session before its insertion.
#[derive(Debug)]
pub struct NewSession {
    /// Its id, which is public.
    pub id: Uuid,
    /// The secret of the cookie.
    pub token: Token,
    /// The end of its life, independent of use.
    pub ends_at: DateTime<Utc>,
    /// The browser that gets the cookie.
    pub browser: Browser,
}

impl NewSession {
    /// Makes a session of `member` with a random token.
    pub fn new(work: &UnitOfWork<'_>, member: Uuid, browser: Browser) -> Result<Self, Error> {
        Ok(Self {
            id: work.ids.owned_by(member),
            token: Token::generate()?,
            ends_at: work.now + ABSOLUTE_TIMEOUT,
            browser,
        })
    }
}

/// The state of the account when a session is created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccountState {
    /// The account is closed, within its reactivation period.
    pub was_closed: bool,
    /// The account is suspended: no session was created.
    pub is_suspended: bool,
}

/// Creates a session and its audit row after the password was verified. Returns `None` and writes nothing when the hash
/// changed or the reactivation period ended since the account was read. Writes nothing for a suspended account.
///
/// The account's row stays locked, so that concurrent transactions neither miss this session when they end all sessions
/// nor exceed the maximum number of sessions.
pub async fn create(
    work: &mut UnitOfWork<'_>,
    session: &NewSession,
    member: Uuid,
    verified_hash: &str,
) -> Result<Option<AccountState>, Error> {
    let opened = sqlx::query_as!(
        AccountState,
        "with account as (
            select id, closed_at, suspended_at
            from auth.accounts
            where id = $1 and password_hash = $2 and coalesce(closed_at, 'infinity') > $10
            for no key update
        ), session as (
            insert into auth.sessions (id, token_hash, member_id, created_at, last_seen_at, ends_at, user_agent, address)
            select $3, $4, id, $5, $5, $6, $7, $8
            from account
            where suspended_at is null
            returning id, member_id
        ), audited as (
            insert into auth.audit (id, member_id, event, session_id, address, at)
            select $9, member_id, 'signed in', id, $8, $5
            from session
        )
        select closed_at is not null as \"was_closed!\", suspended_at is not null as \"is_suspended!\"
        from account",
        member,
        verified_hash,
        session.id,
        &session.token.hash(),
        work.now,
        session.ends_at,
        session.browser.user_agent,
        session.browser.address,
        work.ids.owned_by(member),
        work.now - REACTIVATION_PERIOD,
    );
    Ok(opened.fetch_optional(&mut *work.db).await?)
}

/// Deletes the least recently used sessions above the maximum, but not `created`, which the browser opened.
pub async fn delete_excess(work: &mut UnitOfWork<'_>, created: Session, browser: &Browser) -> Result<(), Error> {
    let deleted = sqlx::query_scalar!(
        "delete from auth.sessions
        where id in (
            select id
            from auth.sessions
            where member_id = $1 and id <> $2
            order by last_seen_at desc, id desc
            offset $3
        )
        returning id",
        created.member,
        created.id,
        MAX_SESSIONS - 1,
    );
    let deleted = deleted.fetch_all(&mut *work.db).await?;
    for id in &deleted {
        audit::record(work, created.member, AuditEvent::SessionDisplaced(*id), Some(browser)).await?;
    }
    publishing::publish_sessions_ended(work, created.member, &deleted).await
}

/// The identity of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its id.
    pub id: Uuid,
    /// Its member.
    pub member: Uuid,
}

/// A session in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResolvedSession {
    /// The session.
    pub session: Session,
    /// Whether its member is a moderator.
    pub moderator: bool,
}

/// Returns the valid session of a token and updates `last_seen_at`.
///
/// # Errors
/// [`Error::SessionExpired`] after its time, [`Error::SessionEnded`] when a person ended it or it never existed.
pub async fn resolve(db: &mut PgConnection, token: &Token, now: DateTime<Utc>) -> Result<ResolvedSession, Error> {
    let found = sqlx::query!(
        "select
            id, member_id, last_seen_at,
            last_seen_at > $2 and ends_at > $3 as \"valid!\",
            exists (select from auth.moderators m where m.member_id = s.member_id) as \"moderator!\"
        from auth.sessions s
        where token_hash = $1",
        &token.hash(),
        now - IDLE_TIMEOUT,
        now,
    )
    .fetch_optional(&mut *db)
    .await?
    .ok_or(Error::SessionEnded)?;
    if !found.valid {
        return Err(Error::SessionExpired);
    }
    if now - found.last_seen_at >= LAST_SEEN_PRECISION {
        let updated = sqlx::query!(
            "update auth.sessions
            set last_seen_at = $2
            where id = $1 and last_seen_at <= $3",
            found.id,
            now,
            now - LAST_SEEN_PRECISION,
        )
        .execute(db)
        .await;
        match updated.map_err(db::Error::from) {
            // The disk is full: the member can go on reading.
            Err(error @ db::Error::NotWritable(_)) => {
                tracing::warn!(error = %ErrorChain(&error), "the last use of a session is not recorded");
            }
            other => {
                other?;
            }
        }
    }
    let session = Session { id: found.id, member: found.member_id };
    Ok(ResolvedSession { session, moderator: found.moderator })
}

/// Fails unless the caller's session is valid: a member token outlives its session by up to a minute.
///
/// # Errors
/// [`Error::SessionEnded`].
pub async fn ensure_valid(db: &PgPool, caller: Session, now: DateTime<Utc>) -> Result<(), Error> {
    let is_valid = sqlx::query_scalar!(
        "select exists (
            select from auth.sessions
            where id = $1 and member_id = $2 and last_seen_at > $3 and ends_at > $4
        ) as \"valid!\"",
        caller.id,
        caller.member,
        now - IDLE_TIMEOUT,
        now,
    );
    if is_valid.fetch_one(db).await? { Ok(()) } else { Err(Error::SessionEnded) }
}

/// Replaces the token of a session after its member has entered the password, and returns the end of the session's
/// life. The caller must hold the lock on the session.
pub async fn replace_token(
    db: &mut PgConnection,
    session: Session,
    token: &Token,
    now: DateTime<Utc>,
) -> Result<DateTime<Utc>, Error> {
    let replaced = sqlx::query_scalar!(
        "update auth.sessions
        set token_hash = $3, proved_at = $4
        where id = $1 and member_id = $2
        returning ends_at",
        session.id,
        session.member,
        &token.hash(),
        now,
    );
    replaced.fetch_optional(db).await?.ok_or(Error::SessionEnded)
}

/// Ends the session of a token; `None` when it does not exist.
pub async fn end_by_token(work: &mut UnitOfWork<'_>, token: &Token) -> Result<Option<Session>, Error> {
    let ended = sqlx::query_as!(
        Session,
        "delete from auth.sessions
        where token_hash = $1
        returning id, member_id as member",
        &token.hash(),
    );
    let ended = ended.fetch_optional(&mut *work.db).await?;
    if let Some(Session { id, member }) = ended {
        publishing::publish_sessions_ended(work, member, &[id]).await?;
    }
    Ok(ended)
}

/// Ends a session of a member; `false` when it does not exist.
pub async fn end_by_id(work: &mut UnitOfWork<'_>, session: Session) -> Result<bool, Error> {
    let ended = sqlx::query!(
        "delete from auth.sessions
        where id = $1 and member_id = $2",
        session.id,
        session.member,
    );
    let has_ended = ended.execute(&mut *work.db).await?.rows_affected() == 1;
    if has_ended {
        publishing::publish_sessions_ended(work, session.member, &[session.id]).await?;
    }
    Ok(has_ended)
}

/// Ends every session of a member except `except`. The caller must hold the lock on the account: a concurrent sign-in
/// with the old password then fails.
pub async fn end_all(work: &mut UnitOfWork<'_>, member: Uuid, except: Option<Uuid>) -> Result<Vec<Uuid>, Error> {
    let ended = sqlx::query_scalar!(
        "delete from auth.sessions
        where member_id = $1 and id is distinct from $2
        returning id",
        member,
        except,
    );
    let ended = ended.fetch_all(&mut *work.db).await?;
    publishing::publish_sessions_ended(work, member, &ended).await?;
    Ok(ended)
}

/// A session as its owner sees it.
#[derive(Clone, Debug)]
pub struct SessionSummary {
    /// Its id.
    pub id: Uuid,
    /// The time of the sign-in.
    pub created_at: DateTime<Utc>,
    /// Precise to [`LAST_SEEN_PRECISION`].
    pub last_seen_at: DateTime<Utc>,
    /// The User-Agent header.
    pub user_agent: Option<String>,
    /// The IP address of the sign-in.
    pub address: Option<String>,
    /// The beginning of the trust in its browser; `None` without trust.
    pub trusted_since: Option<DateTime<Utc>>,
}

/// Lists the valid sessions of the caller, most recently used first.
///
/// # Errors
/// [`Error::SessionEnded`] when the caller's session is not among them.
pub async fn list(db: &PgPool, caller: Session, now: DateTime<Utc>) -> Result<Vec<SessionSummary>, Error> {
    let listed = sqlx::query_as!(
        SessionSummary,
        "select
            s.id, s.created_at, s.last_seen_at, s.user_agent, s.address,
            (
                select coalesce(trusted.trusted_since, trusted.trusted_at)
                from auth.trusted_browsers trusted
                where trusted.session_id = s.id and trusted.member_id = s.member_id and trusted.trusted_at > $4
                limit 1
            ) as trusted_since
        from auth.sessions s
        where s.member_id = $1 and s.last_seen_at > $2 and s.ends_at > $3
        order by s.last_seen_at desc, s.id desc",
        caller.member,
        now - IDLE_TIMEOUT,
        now,
        now - known_browsers::TOKEN_LIFETIME,
    )
    .fetch_all(db)
    .await?;
    if listed.iter().any(|session| session.id == caller.id) { Ok(listed) } else { Err(Error::SessionEnded) }
}

/// Deletes sessions that expired [`EXPIRED_KEPT`] ago. Publishes no fact: caches check the expiry themselves.
pub async fn delete_expired(db: &PgPool, now: DateTime<Utc>) -> Result<u64, Error> {
    let expired = now - EXPIRED_KEPT;
    let mut deleted = 0;
    loop {
        let done = sqlx::query!(
            "with expired as (
                select id, last_seen_at
                from auth.sessions
                where last_seen_at <= $1 or ends_at <= $2
                limit $3
                for update skip locked
            ), trusted as (
                -- Does not wait for a transaction that may wait for one of these sessions.
                select trusted.browser_hash, trusted.member_id, expired.last_seen_at
                from auth.trusted_browsers trusted
                join expired on expired.id = trusted.session_id
                for update of trusted skip locked
            ), noted as (
                update auth.trusted_browsers t
                set last_seen_at = trusted.last_seen_at
                from trusted
                where t.browser_hash = trusted.browser_hash and t.member_id = trusted.member_id
            )
            delete from auth.sessions
            where id in (select id from expired)",
            expired - IDLE_TIMEOUT,
            expired,
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
