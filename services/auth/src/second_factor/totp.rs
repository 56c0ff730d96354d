//! Codes of authenticator apps: time-based one-time passwords (RFC 6238) with the parameters that every app supports.
//!
//! The secret is encrypted, because a hash of it could verify no code. The next use or the cleanup encrypts secrets
//! that an earlier version stored in clear or that have an earlier key.

use std::fmt;

use aws_lc_rs::rand;
use chrono::{DateTime, TimeDelta, Utc};
use outbox::UnitOfWork;
use portia_proto::auth::SecurityNoticeCause;
use sqlx::{PgConnection, PgExecutor, PgPool};
use totp_rs::{Builder, Secret, Totp, TotpError};
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::{
    audit::AuditEvent,
    credentials::sealing::{Sealed, SealingKeys},
    error::Error,
    notices,
    sessions::{self, Browser, Session},
    step_up::{self, ProofKind},
};

/// A secret that was not confirmed within this time must be created again.
const CONFIRMATION_PERIOD: TimeDelta = TimeDelta::minutes(15);
/// The name of the site in the list of an app.
const ISSUER: &str = "Portia";
/// In bytes: 160 bits, which RFC 4226 recommends.
const LENGTH: usize = 20;
const DIGITS: usize = 6;

/// The digits that an app shows, as typed.
pub struct TotpCode(Zeroizing<String>);

impl TotpCode {
    /// Parses six digits, with or without spaces.
    pub fn parse(raw: &str) -> Option<Self> {
        if raw.len() > 4 * DIGITS {
            return None;
        }
        let digits: String = raw.chars().filter(|c| !c.is_whitespace()).collect();
        let is_code = digits.len() == DIGITS && digits.bytes().all(|b| b.is_ascii_digit());
        is_code.then(|| Self(Zeroizing::new(digits)))
    }
}

impl fmt::Debug for TotpCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TotpCode(..)")
    }
}

/// The secret that auth shares with an app.
pub struct TotpSecret(pub(super) Zeroizing<Vec<u8>>);

impl TotpSecret {
    /// Generates a secret.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub fn generate() -> Result<Self, Error> {
        let mut bytes = Zeroizing::new(vec![0_u8; LENGTH]);
        rand::fill(bytes.as_mut_slice()).map_err(|_| Error::Randomness)?;
        Ok(Self(bytes))
    }

    /// Returns the text that a member can type into an app: base 32.
    pub fn encoded(&self) -> String {
        Secret::new(self.0.as_slice().into()).to_base32()
    }

    /// Returns the address in a QR code.
    ///
    /// # Errors
    /// [`Error::Totp`] for a username that cannot be part of it.
    pub fn uri(&self, username: &str) -> Result<String, Error> {
        Ok(self.totp(username)?.to_url()?)
    }

    /// Returns the time step of a code, at most one before or after the current step; `None` for a wrong code.
    fn step_of(&self, code: &TotpCode, now: DateTime<Utc>) -> Result<Option<i64>, Error> {
        let step = self.totp("")?.check(&code.0, u64::try_from(now.timestamp()).unwrap_or(0));
        Ok(step.and_then(|step| i64::try_from(step).ok()))
    }

    /// SHA-1, six digits, 30 seconds: other parameters are ignored by many apps.
    fn totp(&self, account: &str) -> Result<Totp, TotpError> {
        let secret = Secret::new(self.0.as_slice().into());
        Builder::new().with_secret(secret).with_account_name(account).with_issuer(Some(ISSUER)).build()
    }
}

impl fmt::Debug for TotpSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TotpSecret(..)")
    }
}

/// A secret as it is stored.
pub(super) struct StoredSecret {
    pub secret: Vec<u8>,
    /// `None` for a secret in clear.
    pub key_id: Option<String>,
}

impl StoredSecret {
    /// Decrypts it.
    ///
    /// # Errors
    /// [`Error::SealedSecret`].
    pub fn open(self, member: Uuid, keys: &SealingKeys) -> Result<TotpSecret, Error> {
        let Some(key_id) = self.key_id else { return Ok(TotpSecret(Zeroizing::new(self.secret))) };
        keys.open(member, &Sealed { key_id, bytes: self.secret }).map(TotpSecret)
    }
}

/// Stores an unconfirmed secret in place of an earlier one; `false` when the member has a confirmed secret.
pub async fn create(
    db: &mut PgConnection,
    member: Uuid,
    secret: &TotpSecret,
    keys: &SealingKeys,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let sealed = keys.seal(member, &secret.0)?;
    let created = sqlx::query!(
        "insert into auth.totp_secrets (member_id, secret, key_id, created_at)
        values ($1, $2, $3, $4)
        on conflict (member_id) do update
        set secret = excluded.secret, key_id = excluded.key_id, created_at = excluded.created_at
        where totp_secrets.confirmed_at is null",
        member,
        sealed.bytes,
        sealed.key_id,
        now,
    );
    Ok(created.execute(db).await?.rows_affected() == 1)
}

/// Confirms the waiting secret of the caller by its first code, which then counts as used and as a proof; `false` for a wrong code, or
/// when no secret waits.
pub async fn confirm(
    work: &mut UnitOfWork<'_>,
    caller: Session,
    code: &TotpCode,
    keys: &SealingKeys,
    browser: &Browser,
) -> Result<bool, Error> {
    let member = caller.member;
    let waiting = sqlx::query_as!(
        StoredSecret,
        "select secret, key_id
        from auth.totp_secrets
        where member_id = $1
            and confirmed_at is null
            and created_at > $2
        for no key update",
        member,
        work.now - CONFIRMATION_PERIOD,
    );
    let Some(stored) = waiting.fetch_optional(&mut *work.db).await? else { return Ok(false) };
    let Some(step) = stored.open(member, keys)?.step_of(code, work.now)? else { return Ok(false) };
    sqlx::query!(
        "update auth.totp_secrets
        set confirmed_at = $2, last_step = $3
        where member_id = $1",
        member,
        work.now,
        step,
    )
    .execute(&mut *work.db)
    .await?;
    step_up::record_proof(work.db, caller, ProofKind::SecondFactor, work.now).await?;
    let change = (AuditEvent::TotpAdded, SecurityNoticeCause::TotpAdded);
    notices::record_change(work, caller, change, browser).await?;
    Ok(true)
}

/// Uses a code; `false` when it is wrong, of another time, or not later than the last used one (RFC 6238, section 5.2).
pub async fn consume(
    db: &mut PgConnection,
    member: Uuid,
    code: &TotpCode,
    keys: &SealingKeys,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let stored = sqlx::query_as!(
        StoredSecret,
        "select secret, key_id
        from auth.totp_secrets
        where member_id = $1
            and confirmed_at is not null
        for no key update",
        member,
    );
    let Some(stored) = stored.fetch_optional(&mut *db).await? else { return Ok(false) };
    let secret = stored.open(member, keys)?;
    let Some(step) = secret.step_of(code, now)? else { return Ok(false) };
    // Encrypted again at each use, so that no rotation leaves an earlier key in use.
    let sealed = keys.seal(member, &secret.0)?;
    let used = sqlx::query!(
        "update auth.totp_secrets
        set last_step = $2, secret = $3, key_id = $4
        where member_id = $1
            and last_step < $2",
        member,
        step,
        sealed.bytes,
        sealed.key_id,
    );
    Ok(used.execute(db).await?.rows_affected() == 1)
}

/// Whether sign-ins of the member need a code.
pub async fn is_set_up(db: impl PgExecutor<'_>, member: Uuid) -> Result<bool, Error> {
    let set_up = sqlx::query_scalar!(
        "select exists (
            select from auth.totp_secrets
            where member_id = $1
                and confirmed_at is not null
        ) as \"set_up!\"",
        member,
    );
    Ok(set_up.fetch_one(db).await?)
}

/// Returns the time since which sign-ins of the caller need a code; `None` when they do not.
///
/// # Errors
/// [`Error::SessionEnded`].
pub async fn get_confirmed_at(
    db: &PgPool,
    caller: Session,
    now: DateTime<Utc>,
) -> Result<Option<DateTime<Utc>>, Error> {
    let confirmed_at = sqlx::query_scalar!(
        "select totp.confirmed_at as \"confirmed_at?\"
        from auth.sessions session
        left join auth.totp_secrets totp on totp.member_id = session.member_id
        where session.id = $1 and session.member_id = $2 and session.last_seen_at > $3 and session.ends_at > $4",
        caller.id,
        caller.member,
        now - sessions::IDLE_TIMEOUT,
        now,
    );
    confirmed_at.fetch_optional(db).await?.ok_or(Error::SessionEnded)
}

/// Removes the app of the caller.
///
/// # Errors
/// [`Error::TotpNotFound`].
pub async fn remove(work: &mut UnitOfWork<'_>, caller: Session, browser: &Browser) -> Result<(), Error> {
    if !delete(work.db, caller.member).await? {
        return Err(Error::TotpNotFound);
    }
    let change = (AuditEvent::TotpRemoved, SecurityNoticeCause::TotpRemoved);
    notices::record_change(work, caller, change, browser).await
}

/// Deletes the secret of a member; `false` when none was confirmed.
pub async fn delete(db: &mut PgConnection, member: Uuid) -> Result<bool, Error> {
    let deleted = sqlx::query!(
        "delete from auth.totp_secrets
        where member_id = $1
            and confirmed_at is not null",
        member,
    );
    Ok(deleted.execute(db).await?.rows_affected() == 1)
}

/// Deletes secrets that were not confirmed in time. There are few, so one statement suffices.
pub async fn delete_expired(db: &PgPool, now: DateTime<Utc>) -> Result<u64, Error> {
    let done = sqlx::query!(
        "delete from auth.totp_secrets
        where confirmed_at is null
            and created_at <= $1",
        now - CONFIRMATION_PERIOD,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(raw: &str) -> TotpCode {
        TotpCode::parse(raw).unwrap()
    }

    #[test]
    fn codes_are_those_of_the_rfc() {
        // RFC 6238, appendix B: the last six of the eight digits.
        let secret = TotpSecret(Zeroizing::new(b"12345678901234567890".to_vec()));
        for (at, digits) in [(1_111_111_109, "081804"), (1_234_567_890, "005924"), (2_000_000_000, "279037")] {
            let now = DateTime::from_timestamp(at, 0).unwrap();
            assert_eq!(secret.step_of(&code(digits), now).unwrap(), Some(at / 30), "{at}");
            for (off, known) in [(-30, true), (30, true), (-60, false), (60, false)] {
                let step = secret.step_of(&code(digits), now + TimeDelta::seconds(off)).unwrap();
                assert_eq!(step, known.then_some(at / 30), "{at} {off}");
            }
        }
    }

    #[test]
    fn six_digits_are_a_code() {
        assert_eq!(*code(" 287 082 ").0, "287082");
        for bad in ["", "28708", "2870822", "28708a", "２８７０８２", "287082\0", &"1".repeat(1 << 20)] {
            assert!(TotpCode::parse(bad).is_none(), "{bad:.12}");
        }
    }

    #[test]
    fn the_address_names_the_site_and_the_account_and_debug_hides_the_secret() {
        let secret = TotpSecret::generate().unwrap();
        let uri = secret.uri("Ana.Reyes@home").unwrap();
        let expected = format!("otpauth://totp/Portia:Ana.Reyes%40home?secret={}&issuer=Portia", secret.encoded());
        assert_eq!(uri, expected);
        assert_eq!(secret.encoded().len(), 32);
        assert_eq!(format!("{secret:?} {:?}", code("287082")), "TotpSecret(..) TotpCode(..)");
    }
}
