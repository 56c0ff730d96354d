//! Sessions: opened by a proof, slid while in use, ended by their owner, by idleness or by age.

use chrono::{DateTime, TimeDelta, Utc};
use primitives::{clock::Clock, ids::Ids};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{closing, convert::Browser, error::Error, token::Token};

/// A session nobody used for this long is over.
pub const IDLE: TimeDelta = TimeDelta::days(14);
/// A session as old as this is over, however busy.
pub const ABSOLUTE: TimeDelta = TimeDelta::days(90);
/// Sliding on every request would make every read a write; once in this time is precise enough for `IDLE`.
pub const SLIDE_EVERY: TimeDelta = TimeDelta::minutes(1);
/// Sessions an account has at most.
const AT_MOST: i64 = 100;
/// Sessions deleted in one statement of a sweep.
const SWEEP: i64 = 1_000;

/// A session about to be opened.
#[derive(Debug)]
pub struct NewSession {
    /// Its id, which is no secret.
    pub id: Uuid,
    /// Its secret.
    pub token: Token,
    /// When it is over whatever happens.
    pub ends_at: DateTime<Utc>,
    /// Where it lives.
    pub browser: Browser,
}

impl NewSession {
    /// A session of `member` from now on.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn draw(member: Uuid, browser: Browser, ids: &Ids, clock: &Clock) -> Result<Self, Error> {
        Ok(Self { id: ids.owned_by(member), token: Token::draw()?, ends_at: clock.now() + ABSOLUTE, browser })
    }
}

/// What opening a session found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opened {
    /// The account is closed, and its owner came back in time.
    pub was_closed: bool,
    /// The account is suspended: nothing was opened.
    pub is_suspended: bool,
}

/// Opens a session for an account whose password was proved, and notes it. `None`, and nothing written, when the
/// password was changed or the account is past its days since it was read; nor is anything written of a suspended one. The account's row stays locked, so that
/// whoever ends all sessions comes before or after this one, and two who open one do not both take the last place.
///
/// # Errors
/// When the database is away.
pub async fn open(
    conn: &mut PgConnection,
    session: &NewSession,
    member: Uuid,
    proved_hash: &str,
    ids: &Ids,
    clock: &Clock,
) -> Result<Option<Opened>, Error> {
    let now = clock.now();
    let opened = sqlx::query_as!(
        Opened,
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
        ), noted as (
            insert into auth.audit (id, member_id, event, session_id, address, at)
            select $9, member_id, 'signed in', id, $8, $5
            from session
        )
        select closed_at is not null as \"was_closed!\", suspended_at is not null as \"is_suspended!\"
        from account",
        member,
        proved_hash,
        session.id,
        &session.token.hash(),
        now,
        session.ends_at,
        session.browser.user_agent,
        session.browser.address,
        ids.owned_by(member),
        now - closing::UNDO,
    );
    Ok(opened.fetch_optional(conn).await?)
}

/// Ends the sessions that were idle longest when there are more than an account may have; never the one just opened.
///
/// # Errors
/// When the database is away.
pub async fn displace(conn: &mut PgConnection, opened: Session) -> Result<Vec<Uuid>, Error> {
    let displaced = sqlx::query_scalar!(
        "delete from auth.sessions
        where id in (
            select id
            from auth.sessions
            where member_id = $1 and id <> $2
            order by last_seen_at desc, id desc
            offset $3
        )
        returning id",
        opened.member,
        opened.id,
        AT_MOST - 1,
    );
    Ok(displaced.fetch_all(conn).await?)
}

/// A session in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its id.
    pub id: Uuid,
    /// Whose it is.
    pub member: Uuid,
}

/// The session of a token, if it is in force; notes that it is used.
///
/// # Errors
/// [`Error::SessionEnded`].
pub async fn resolve(db: &PgPool, token: &Token, now: DateTime<Utc>) -> Result<Session, Error> {
    let found = sqlx::query!(
        "select id, member_id, last_seen_at
        from auth.sessions
        where token_hash = $1 and last_seen_at > $2 and ends_at > $3",
        &token.hash(),
        now - IDLE,
        now,
    )
    .fetch_optional(db)
    .await?
    .ok_or(Error::SessionEnded)?;
    if now - found.last_seen_at >= SLIDE_EVERY {
        sqlx::query!(
            "update auth.sessions
            set last_seen_at = $2
            where id = $1 and last_seen_at <= $3",
            found.id,
            now,
            now - SLIDE_EVERY,
        )
        .execute(db)
        .await?;
    }
    Ok(Session { id: found.id, member: found.member_id })
}

/// Ends the session of a token; `None` when there was none.
///
/// # Errors
/// When the database is away.
pub async fn end(conn: &mut PgConnection, token: &Token) -> Result<Option<Session>, Error> {
    let ended = sqlx::query_as!(
        Session,
        "delete from auth.sessions
        where token_hash = $1
        returning id, member_id as member",
        &token.hash(),
    );
    Ok(ended.fetch_optional(conn).await?)
}

/// Ends one session of a member by its id; `false` when they have none of that id.
///
/// # Errors
/// When the database is away.
pub async fn end_one(conn: &mut PgConnection, session: Session) -> Result<bool, Error> {
    let ended = sqlx::query!(
        "delete from auth.sessions
        where id = $1 and member_id = $2",
        session.id,
        session.member,
    );
    Ok(ended.execute(conn).await?.rows_affected() == 1)
}

/// Ends every session of a member but the one to be kept, if any. Lock the account first: a sign-in under way with what
/// was right until now must have come before or fail.
///
/// # Errors
/// When the database is away.
pub async fn end_all(conn: &mut PgConnection, member: Uuid, but: Option<Uuid>) -> Result<Vec<Uuid>, Error> {
    let ended = sqlx::query_scalar!(
        "delete from auth.sessions
        where member_id = $1 and id is distinct from $2
        returning id",
        member,
        but,
    );
    Ok(ended.fetch_all(conn).await?)
}

/// A session as its owner sees it.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its id.
    pub id: Uuid,
    /// When somebody signed in.
    pub created_at: DateTime<Utc>,
    /// Precise to [`SLIDE_EVERY`].
    pub last_seen_at: DateTime<Utc>,
    /// What the browser calls itself.
    pub user_agent: Option<String>,
    /// Where it was.
    pub address: Option<String>,
}

/// The sessions in force of the member who asks, the one used last first.
///
/// # Errors
/// [`Error::SessionEnded`] when the asking one is not among them.
pub async fn list(db: &PgPool, asking: Session, now: DateTime<Utc>) -> Result<Vec<Listed>, Error> {
    let listed = sqlx::query_as!(
        Listed,
        "select id, created_at, last_seen_at, user_agent, address
        from auth.sessions
        where member_id = $1 and last_seen_at > $2 and ends_at > $3
        order by last_seen_at desc, id desc",
        asking.member,
        now - IDLE,
        now,
    )
    .fetch_all(db)
    .await?;
    if listed.iter().any(|session| session.id == asking.id) { Ok(listed) } else { Err(Error::SessionEnded) }
}

/// Deletes what is over. Nobody is told: caches keep a session no longer than it lasts.
///
/// # Errors
/// When the database is away.
pub async fn sweep(db: &PgPool, now: DateTime<Utc>) -> Result<u64, Error> {
    let mut swept = 0;
    loop {
        let done = sqlx::query!(
            "delete from auth.sessions
            where id in (
                select id
                from auth.sessions
                where last_seen_at <= $1 or ends_at <= $2
                limit $3
                for update skip locked
            )",
            now - IDLE,
            now,
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
