//! Accounts: their names, create, find by id, username or session, replace the password hash.

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use primitives::input::Line;
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

use crate::{
    credentials::password::Password,
    error::Error,
    publishing,
    recovery::trusted_browsers::TrustRequest,
    second_factor::totp,
    sessions::{self, Browser, NewSession, Session},
    step_up::Proofs,
};

/// The words of operators. An account with such a name could deceive members.
const RESERVED: [&str; 10] =
    ["admin", "administrator", "support", "moderator", "root", "security", "portia", "help", "system", "staff"];

/// A username as typed: 3 to 64 ASCII characters, so that no two usernames look alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Username(Line<64>);

impl Username {
    /// Returns `None` for a line with characters that no username has. The caller checks the minimum length.
    pub(crate) fn new(line: Line<64>) -> Option<Self> {
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || "_.@+-".contains(c);
        line.chars().all(is_allowed).then_some(Self(line))
    }

    /// As typed.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the username, or a part of it, looks like the name of an operator, with or without separators.
    pub(crate) fn is_reserved(&self) -> bool {
        let key = self.key();
        let whole: String = key.chars().filter(char::is_ascii_alphanumeric).collect();
        let is_word = |word: &str| RESERVED.contains(&word);
        let mut parts = key.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty()).peekable();
        is_word(&whole) || (parts.peek().is_some() && parts.all(is_word))
    }

    /// The unique form, in lower case.
    pub fn key(&self) -> String {
        self.0.to_ascii_lowercase()
    }
}

/// The registration form. auth passes it on in a fact, which profile cannot refuse, so these limits equal profile's.
#[derive(Clone, Debug)]
pub struct Registration {
    pub(crate) full_name: Line<100>,
    pub(crate) headline: Option<Line<200>>,
    pub(crate) location: Option<Line<100>>,
    pub(crate) school: Option<Line<200>>,
    pub(crate) graduation_year: Option<Line<10>>,
}

/// A valid registration.
#[derive(Clone, Debug)]
pub struct NewAccount {
    /// The member's id in all services.
    pub id: Uuid,
    /// It may be taken.
    pub username: Username,
    /// The password in clear.
    pub password: Password,
    /// The form for profile.
    pub registration: Registration,
    /// The browser of the first session.
    pub browser: Browser,
    /// Whether to trust the browser.
    pub trust: TrustRequest,
}

/// The columns of an account that authentication needs.
#[derive(Clone)]
pub struct Account {
    /// The member's id.
    pub id: Uuid,
    /// As typed at registration.
    pub username: String,
    /// A PHC string.
    pub password_hash: String,
}

impl Account {
    /// Compares without regard to case.
    pub fn has_username(&self, username: &Username) -> bool {
        self.username.eq_ignore_ascii_case(username.as_str())
    }
}

/// Creates the account, its first session and the audit row, and publishes the registration. Returns `false` and writes nothing when the id is taken:
/// by an earlier attempt of this registration, or by another member.
///
/// # Errors
/// [`Error::UsernameTaken`]. A constraint decides, so of two concurrent registrations one fails.
pub async fn create(
    work: &mut UnitOfWork<'_>,
    new: &NewAccount,
    password_hash: &str,
    session: &NewSession,
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
        work.now,
        session.id,
        &session.token.hash(),
        session.ends_at,
        session.browser.user_agent,
        session.browser.address,
        work.ids.owned_by(new.id),
    )
    .execute(&mut *work.db)
    .await?;
    let is_new = done.rows_affected() == 1;
    if is_new {
        let form = (&new.registration).into();
        publishing::publish_registered(work, new.id, new.username.as_str(), form).await?;
    }
    Ok(is_new)
}

/// Finds an account by its username, without regard to case. An account due for erasure is not found.
pub async fn find_by_username(
    db: impl PgExecutor<'_>,
    username: &Username,
    now: DateTime<Utc>,
) -> Result<Option<Account>, Error> {
    let found = sqlx::query_as!(
        Account,
        "select id, username, password_hash
        from auth.accounts
        where username_key = $1 and coalesce(closed_at, 'infinity') > $2",
        username.key(),
        now - sessions::REACTIVATION_PERIOD,
    );
    Ok(found.fetch_optional(db).await?)
}

/// Finds an account by its id.
pub async fn find_by_id(db: &PgPool, id: Uuid) -> Result<Option<Account>, Error> {
    let found = sqlx::query_as!(
        Account,
        "select id, username, password_hash
        from auth.accounts
        where id = $1",
        id,
    );
    Ok(found.fetch_optional(db).await?)
}

/// Returns the usernames of the accounts that exist.
pub async fn batch_get_usernames(db: impl PgExecutor<'_>, members: &[Uuid]) -> Result<Vec<(Uuid, String)>, Error> {
    let rows = sqlx::query!(
        "select id, username
        from auth.accounts
        where id = any($1)",
        members,
    );
    Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row.username)).collect())
}

/// Returns the account of the caller's session and the last proofs in it. A member token outlives its session by up
/// to a minute, so this reads the session itself.
pub async fn get_by_session(db: &PgPool, caller: Session, now: DateTime<Utc>) -> Result<(Account, Proofs), Error> {
    let found = sqlx::query!(
        "select
            account.id, account.username, account.password_hash, session.second_factor_at,
            coalesce(session.proved_at, session.created_at) as \"proved_at!\",
            exists (
                select from auth.totp_secrets totp
                where totp.member_id = account.id and totp.confirmed_at is not null
            ) as \"has_app!\"
        from auth.sessions session
        join auth.accounts account on account.id = session.member_id
        where session.id = $1 and session.member_id = $2 and session.last_seen_at > $3 and session.ends_at > $4",
        caller.id,
        caller.member,
        now - sessions::IDLE_TIMEOUT,
        now,
    )
    .fetch_optional(db)
    .await?
    .ok_or(Error::SessionEnded)?;
    let account = Account { id: found.id, username: found.username, password_hash: found.password_hash };
    let proofs = Proofs { last: found.proved_at, last_second_factor: found.second_factor_at, has_app: found.has_app };
    Ok((account, proofs))
}

/// Locks the account and the caller's session until the end of the transaction, so that no other transaction ends the
/// session or sets the password. Every writer locks the account before its dependent rows, which excludes deadlocks.
///
/// # Errors
/// [`Error::SessionEnded`], also when the session ended during the wait for the lock.
pub async fn lock_with_session(work: &mut UnitOfWork<'_>, caller: Session) -> Result<Account, Error> {
    Ok(lock_both(work, caller).await?.0)
}

/// Like [`lock_with_session`], for a sensitive change.
///
/// # Errors
/// [`Error::SessionEnded`]; [`Error::StepUpRequired`] without a recent proof, of the second factor if the account has an app.
pub async fn lock_with_proof(work: &mut UnitOfWork<'_>, caller: Session) -> Result<Account, Error> {
    let (account, proofs) = lock_both(work, caller).await?;
    proofs.ensure_recent(work.now)?;
    Ok(account)
}

/// Like [`lock_with_proof`], for a caller whose password was verified just now.
///
/// # Errors
/// [`Error::SessionEnded`]; [`Error::StepUpRequired`] without a recent proof of the second factor, if the account has an app.
pub async fn lock_with_password(work: &mut UnitOfWork<'_>, caller: Session) -> Result<Account, Error> {
    let (account, proofs) = lock_both(work, caller).await?;
    Proofs { last: work.now, ..proofs }.ensure_recent(work.now)?;
    Ok(account)
}

async fn lock_both(work: &mut UnitOfWork<'_>, caller: Session) -> Result<(Account, Proofs), Error> {
    let locked = sqlx::query!(
        "with account as (
            select id, username, password_hash
            from auth.accounts
            where id = $2
            for no key update
        )
        select
            account.id, account.username, account.password_hash, session.second_factor_at,
            coalesce(session.proved_at, session.created_at) as \"proved_at!\"
        from account
        join auth.sessions session on session.member_id = account.id
        where session.id = $1 and session.last_seen_at > $3 and session.ends_at > $4
        for key share of session",
        caller.id,
        caller.member,
        work.now - sessions::IDLE_TIMEOUT,
        work.now,
    );
    let locked = locked.fetch_optional(&mut *work.db).await?.ok_or(Error::SessionEnded)?;
    let account = Account { id: locked.id, username: locked.username, password_hash: locked.password_hash };
    // A separate statement: the lock's statement may have begun before another transaction set up the app.
    let has_app = totp::is_set_up(&mut *work.db, caller.member).await?;
    Ok((account, Proofs { last: locked.proved_at, last_second_factor: locked.second_factor_at, has_app }))
}

/// Locks an account until the end of the transaction.
pub async fn lock(db: &mut PgConnection, account: Uuid) -> Result<(), Error> {
    sqlx::query_scalar!("select id from auth.accounts where id = $1 for no key update", account)
        .fetch_optional(db)
        .await?;
    Ok(())
}

/// Replaces the verified hash; `false` when another transaction replaced it since.
pub async fn replace_password_hash(db: &mut PgConnection, verified: &Account, new: &str) -> Result<bool, Error> {
    let done = sqlx::query!(
        "update auth.accounts
        set password_hash = $3
        where id = $1 and password_hash = $2",
        verified.id,
        verified.password_hash,
        new,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Sets the hash without the old password and locks the account: the same transaction consumes another proof. Returns
/// `false` when the account does not exist.
pub async fn set_password_hash(
    db: &mut PgConnection,
    account: Uuid,
    new: &str,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let done = sqlx::query!(
        "update auth.accounts
        set password_hash = $2
        where id = $1 and coalesce(closed_at, 'infinity') > $3",
        account,
        new,
        now - sessions::REACTIVATION_PERIOD,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected() == 1)
}
