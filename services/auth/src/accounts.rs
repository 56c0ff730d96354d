//! Accounts: created once, found by id or name in any case, their hashes renewed.

use chassis::{clock::Clock, ids::Ids};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{
    convert::{NewAccount, Username},
    error::Error,
    sessions::NewSession,
};

/// What signing in needs to know of an account.
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

/// The account of a name, in whatever case.
///
/// # Errors
/// When the database is away.
pub async fn named(db: &PgPool, username: &Username) -> Result<Option<Account>, Error> {
    let found = sqlx::query_as!(
        Account,
        "select id, username, password_hash
        from auth.accounts
        where username_key = $1",
        username.key(),
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

/// Replaces a proved hash by one of today's cost; not when the password was changed meanwhile.
///
/// # Errors
/// When the database is away.
pub async fn renew_hash(conn: &mut PgConnection, account: &Account, renewed: &str) -> Result<bool, Error> {
    let done = sqlx::query!(
        "update auth.accounts
        set password_hash = $3
        where id = $1 and password_hash = $2",
        account.id,
        account.password_hash,
        renewed,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}
