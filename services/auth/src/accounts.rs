//! Accounts: created once, found by id, session or name in any case, their hashes replaced.

use chrono::{DateTime, Utc};
use primitives::{clock::Clock, ids::Ids};
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

use crate::{
    closing,
    convert::{NewAccount, Username},
    error::Error,
    sessions::{self, NewSession, Session},
};

/// What proving oneself needs to know of an account.
#[derive(Clone)]
pub struct Account {
    /// The member's id.
    pub id: Uuid,
    /// As typed when registering.
    pub username: String,
    /// A PHC string.
    pub password_hash: String,
}

impl Account {
    /// Whether it answers to the name, in whatever case.
    #[must_use]
    pub fn is_named(&self, username: &Username) -> bool {
        self.username.eq_ignore_ascii_case(username.as_str())
    }
}

/// Writes the account, its first session and the audit row. `false`, and nothing written, when the id is taken: the
/// registration was sent before, or somebody else has the id.
///
/// # Errors
/// [`Error::UsernameTaken`] when another account has the name: the constraint decides, so two at once cannot both win.
pub async fn create(
    conn: &mut PgConnection,
    new: &NewAccount,
    password_hash: &str,
    session: &NewSession,
    ids: &Ids,
    clock: &Clock,
) -> Result<bool, Error> {
    let done = sqlx::query!(
        "with account as (
            insert into auth.accounts (id, username, username_key, password_hash, created_at)
            values ($1, $2, $3, $4, $5)
            on conflict (id) do nothing
            returning id
        ), session as (
            insert into auth.sessions (id, token_hash, member_id, created_at, last_seen_at, ends_at, user_agent, address)
            select $6, $7, id, $5, $5, $8, $9, $10
            from account
            returning id, member_id
        )
        insert into auth.audit (id, member_id, event, session_id, address, at)
        select $11, member_id, 'registered', id, $10, $5
        from session",
        new.id,
        new.username.as_str(),
        new.username.key(),
        password_hash,
        clock.now(),
        session.id,
        &session.token.hash(),
        session.ends_at,
        session.browser.user_agent,
        session.browser.address,
        ids.owned_by(new.id),
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// The account of a name, in whatever case. One that is about to be erased is nobody's any more.
///
/// # Errors
/// When the database is away.
pub async fn named(db: impl PgExecutor<'_>, username: &Username, now: DateTime<Utc>) -> Result<Option<Account>, Error> {
    let found = sqlx::query_as!(
        Account,
        "select id, username, password_hash
        from auth.accounts
        where username_key = $1 and coalesce(closed_at, 'infinity') > $2",
        username.key(),
        now - closing::UNDO,
    );
    Ok(found.fetch_optional(db).await?)
}

/// The account of an id.
///
/// # Errors
/// When the database is away.
pub async fn with_id(db: &PgPool, id: Uuid) -> Result<Option<Account>, Error> {
    let found = sqlx::query_as!(
        Account,
        "select id, username, password_hash
        from auth.accounts
        where id = $1",
        id,
    );
    Ok(found.fetch_optional(db).await?)
}

/// What accounts are called, as typed when registering; ids that are nobody's are left out.
///
/// # Errors
/// When the database is away.
pub async fn usernames(db: impl PgExecutor<'_>, members: &[Uuid]) -> Result<Vec<(Uuid, String)>, Error> {
    let rows = sqlx::query!(
        "select id, username
        from auth.accounts
        where id = any($1)",
        members,
    );
    Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row.username)).collect())
}

/// The account of the session that asks, and when that session was opened. A member's token outlives its session by up
/// to a minute, so the session itself is asked for.
///
/// # Errors
/// [`Error::SessionEnded`].
pub async fn signed_in(db: &PgPool, asking: Session, now: DateTime<Utc>) -> Result<(Account, DateTime<Utc>), Error> {
    let found = sqlx::query!(
        "select account.id, account.username, account.password_hash, live.created_at
        from auth.sessions live
        join auth.accounts account on account.id = live.member_id
        where live.id = $1 and live.member_id = $2 and live.last_seen_at > $3 and live.ends_at > $4",
        asking.id,
        asking.member,
        now - sessions::IDLE,
        now,
    )
    .fetch_optional(db)
    .await?
    .ok_or(Error::SessionEnded)?;
    let account = Account { id: found.id, username: found.username, password_hash: found.password_hash };
    Ok((account, found.created_at))
}

/// Holds the account and the session that asks until the transaction ends: nobody ends that session or sets the password
/// meanwhile. Everybody locks the account first and then what hangs on it, so two of them wait, and never for each other.
///
/// # Errors
/// [`Error::SessionEnded`], also when it ended while this waited.
pub async fn hold(conn: &mut PgConnection, asking: Session, now: DateTime<Utc>) -> Result<Account, Error> {
    let held = sqlx::query_as!(
        Account,
        "with account as (
            select id, username, password_hash
            from auth.accounts
            where id = $2
            for no key update
        )
        select account.id, account.username, account.password_hash
        from account
        join auth.sessions live on live.member_id = account.id
        where live.id = $1 and live.last_seen_at > $3 and live.ends_at > $4
        for key share of live",
        asking.id,
        asking.member,
        now - sessions::IDLE,
        now,
    );
    held.fetch_optional(conn).await?.ok_or(Error::SessionEnded)
}

/// Replaces a proved hash: by one of today's cost, or by that of a new password. Not when it was replaced meanwhile.
///
/// # Errors
/// When the database is away.
pub async fn replace_hash(conn: &mut PgConnection, proved: &Account, new: &str) -> Result<bool, Error> {
    let done = sqlx::query!(
        "update auth.accounts
        set password_hash = $3
        where id = $1 and password_hash = $2",
        proved.id,
        proved.password_hash,
        new,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Sets a hash for whoever proves themselves otherwise in the same transaction, and locks the account for it. `false`
/// when there is no such account any more.
///
/// # Errors
/// When the database is away.
pub async fn set_hash(conn: &mut PgConnection, account: Uuid, new: &str, now: DateTime<Utc>) -> Result<bool, Error> {
    let done = sqlx::query!(
        "update auth.accounts
        set password_hash = $2
        where id = $1 and coalesce(closed_at, 'infinity') > $3",
        account,
        new,
        now - closing::UNDO,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}
