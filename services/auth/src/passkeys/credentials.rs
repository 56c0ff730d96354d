//! The stored passkeys: list, create, rename, remove and use.

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use portia_proto::auth::SecurityNoticeCause;
use primitives::input::Line;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;
use webauthn_rs::prelude::{Credential, DiscoverableAuthentication, PublicKeyCredential};

use crate::{
    accounts::Account,
    audit::{self, AuditEvent},
    credentials::token::Token,
    error::Error,
    notices,
    passkeys::{Purpose, RelyingParty, ceremonies},
    sessions::{self, Browser, Session},
};

/// Passkeys per account.
pub const MAX_PASSKEYS: i64 = 20;

/// The name of a passkey.
pub type PasskeyName = Line<60>;

/// A passkey as its owner sees it.
#[derive(Clone, Debug)]
pub struct StoredPasskey {
    /// Its id, which is not the credential's.
    pub id: Uuid,
    /// Given by the member.
    pub name: String,
    /// The registration.
    pub created_at: DateTime<Utc>,
    /// The last sign-in or reset.
    pub last_used_at: Option<DateTime<Utc>>,
    /// Its key has copies on other devices.
    pub backed_up: bool,
}

/// Lists the passkeys of the caller, newest first.
///
/// # Errors
/// [`Error::SessionEnded`] when the caller's session is not valid.
pub async fn list(db: &PgPool, caller: Session, now: DateTime<Utc>) -> Result<Vec<StoredPasskey>, Error> {
    sessions::ensure_valid(db, caller, now).await?;
    let listed = sqlx::query_as!(
        StoredPasskey,
        "select id, name, created_at, last_used_at, backed_up
        from auth.passkeys
        where member_id = $1
        order by created_at desc, id desc",
        caller.member,
    );
    Ok(listed.fetch_all(db).await?)
}

/// Lists the credential ids of a member, so that a device gets no second passkey of the same account.
///
/// # Errors
/// [`Error::TooManyPasskeys`] when there is no room for another one.
pub async fn list_credential_ids(db: &PgPool, member: Uuid) -> Result<Vec<Vec<u8>>, Error> {
    let ids = sqlx::query_scalar!(
        "select credential_id
        from auth.passkeys
        where member_id = $1
        order by created_at, id",
        member,
    );
    let ids = ids.fetch_all(db).await?;
    if i64::try_from(ids.len()).is_ok_and(|count| count < MAX_PASSKEYS) { Ok(ids) } else { Err(Error::TooManyPasskeys) }
}

/// Stores a verified passkey of the caller, who must hold the lock on the account, so that two registrations do not exceed the maximum.
///
/// # Errors
/// [`Error::TooManyPasskeys`], [`Error::PasskeyExists`].
pub async fn create(
    work: &mut UnitOfWork<'_>,
    caller: Session,
    name: &PasskeyName,
    credential: &Credential,
    browser: &Browser,
) -> Result<StoredPasskey, Error> {
    let member = caller.member;
    let state = serde_json::to_value(credential).map_err(Error::PasskeyState)?;
    let created = sqlx::query_as!(
        StoredPasskey,
        "insert into auth.passkeys (
            id, member_id, credential_id, name, credential, sign_count, backup_eligible, backed_up, created_at
        )
        select $1, $2, $3, $4, $5, $6, $7, $8, $9
        where (select count(*) from auth.passkeys where member_id = $2) < $10
        returning id, name, created_at, last_used_at, backed_up",
        work.ids.owned_by(member),
        member,
        credential.cred_id.as_slice(),
        &**name,
        state,
        i64::from(credential.counter),
        credential.backup_eligible,
        credential.backup_state,
        work.now,
        MAX_PASSKEYS,
    );
    let created = created.fetch_optional(&mut *work.db).await?.ok_or(Error::TooManyPasskeys)?;
    let change = (AuditEvent::PasskeyAdded, SecurityNoticeCause::PasskeyCreated);
    notices::record_change(work, caller, change, browser).await?;
    Ok(created)
}

/// Renames a passkey of the caller.
///
/// # Errors
/// [`Error::PasskeyNotFound`].
pub async fn rename(
    work: &mut UnitOfWork<'_>,
    caller: Session,
    id: Uuid,
    name: &PasskeyName,
    browser: &Browser,
) -> Result<StoredPasskey, Error> {
    let renamed = sqlx::query_as!(
        StoredPasskey,
        "update auth.passkeys
        set name = $3
        where id = $1 and member_id = $2
        returning id, name, created_at, last_used_at, backed_up",
        id,
        caller.member,
        &**name,
    );
    let renamed = renamed.fetch_optional(&mut *work.db).await?.ok_or(Error::PasskeyNotFound)?;
    audit::record(work, caller.member, AuditEvent::PasskeyRenamed, Some(browser)).await?;
    Ok(renamed)
}

/// Deletes a passkey of the caller.
///
/// # Errors
/// [`Error::PasskeyNotFound`].
pub async fn delete(work: &mut UnitOfWork<'_>, caller: Session, id: Uuid, browser: &Browser) -> Result<(), Error> {
    let deleted = sqlx::query!(
        "delete from auth.passkeys
        where id = $1 and member_id = $2",
        id,
        caller.member,
    );
    if deleted.execute(&mut *work.db).await?.rows_affected() == 0 {
        return Err(Error::PasskeyNotFound);
    }
    let change = (AuditEvent::PasskeyRemoved, SecurityNoticeCause::PasskeyRemoved);
    notices::record_change(work, caller, change, browser).await
}

/// Deletes every passkey of the member and returns their number.
pub async fn delete_all(db: &mut PgConnection, member: Uuid) -> Result<u64, Error> {
    let deleted = sqlx::query!(
        "delete from auth.passkeys
        where member_id = $1",
        member,
    );
    Ok(deleted.execute(db).await?.rows_affected())
}

/// Lists the names of a member's passkeys, oldest first.
pub async fn list_names(db: &mut PgConnection, member: Uuid) -> Result<Vec<String>, Error> {
    let names = sqlx::query_scalar!(
        "select name
        from auth.passkeys
        where member_id = $1
        order by created_at, id",
        member,
    );
    Ok(names.fetch_all(db).await?)
}

/// The answer of a browser that used a passkey, before its verification.
pub struct Assertion {
    /// The token of the ceremony; `None` when it is malformed.
    pub ceremony: Option<Token>,
    /// The answer.
    pub credential: PublicKeyCredential,
    /// The origin of the client.
    pub relying_party: RelyingParty,
}

impl std::fmt::Debug for Assertion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Assertion(..)")
    }
}

/// A verified use of a passkey, before it is recorded.
#[derive(Clone, Copy, Debug)]
pub struct VerifiedUse {
    /// The passkey.
    pub id: Uuid,
    /// Its owner.
    pub member: Uuid,
    counter: u32,
    backed_up: bool,
}

/// Why an assertion does not count.
#[derive(Debug)]
pub enum Refusal {
    /// No account of this name has such a passkey.
    Unknown,
    /// The assertion of this member's passkey is not valid.
    Invalid(Uuid),
}

/// Verifies an assertion and ends its ceremony. Returns the account of the passkey, which the browser names as well.
///
/// # Errors
/// [`Error::PasskeyExpired`].
pub async fn verify(
    db: &PgPool,
    purpose: Purpose,
    assertion: &Assertion,
    now: DateTime<Utc>,
) -> Result<Result<(VerifiedUse, Account), Refusal>, Error> {
    let Assertion { ceremony, credential: answer, relying_party } = assertion;
    let state: DiscoverableAuthentication = ceremonies::take(db, purpose, ceremony.as_ref(), now).await?;
    let handle = answer.get_user_unique_id().and_then(|handle| Uuid::from_slice(handle).ok());
    let Some(member) = handle else { return Ok(Err(Refusal::Unknown)) };
    let found = sqlx::query!(
        "select
            passkey.id, passkey.credential, passkey.sign_count, passkey.backup_eligible, passkey.backed_up,
            account.username, account.password_hash
        from auth.passkeys passkey
        join auth.accounts account on account.id = passkey.member_id
        where passkey.credential_id = $1
            and passkey.member_id = $2
            and coalesce(account.closed_at, 'infinity') > $3",
        answer.get_credential_id(),
        member,
        now - sessions::REACTIVATION_PERIOD,
    );
    let Some(found) = found.fetch_optional(db).await? else { return Ok(Err(Refusal::Unknown)) };
    let mut credential: Credential = serde_json::from_value(found.credential).map_err(Error::PasskeyState)?;
    credential.counter = u32::try_from(found.sign_count).unwrap_or(u32::MAX);
    credential.backup_eligible = found.backup_eligible;
    credential.backup_state = found.backed_up;
    let Some(result) = relying_party.finish_authentication(answer, state, credential) else {
        return Ok(Err(Refusal::Invalid(member)));
    };
    let verified = VerifiedUse { id: found.id, member, counter: result.counter(), backed_up: result.backup_state() };
    let account = Account { id: member, username: found.username, password_hash: found.password_hash };
    Ok(Ok((verified, account)))
}

/// Records a use; `false` when the passkey was removed, or used with a higher counter, since its verification. The caller must
/// hold the lock on the account.
pub async fn record_use(db: &mut PgConnection, verified: VerifiedUse, now: DateTime<Utc>) -> Result<bool, Error> {
    let recorded = sqlx::query!(
        "update auth.passkeys
        set sign_count = $3, backed_up = $4, last_used_at = $5
        where id = $1
            and member_id = $2
            and (sign_count < $3 or (sign_count = 0 and $3 = 0))",
        verified.id,
        verified.member,
        i64::from(verified.counter),
        verified.backed_up,
        now,
    );
    Ok(recorded.execute(db).await?.rows_affected() == 1)
}
