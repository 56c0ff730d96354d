//! Sessions: opened by a proof, slid while in use, ended by their owner, by idleness or by age.

use std::fmt;

use aws_lc_rs::rand;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chassis::{clock::Clock, ids::Ids};
use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest as _, Sha256};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::{convert::Browser, error::Error};

/// A session nobody used for this long is over.
pub const IDLE: TimeDelta = TimeDelta::days(14);
/// A session as old as this is over, however busy.
pub const ABSOLUTE: TimeDelta = TimeDelta::days(90);
/// Sliding on every request would make every read a write; once in this time is precise enough for `IDLE`.
pub const SLIDE_EVERY: TimeDelta = TimeDelta::minutes(1);
/// Sessions deleted in one statement of a sweep.
const SWEEP: i64 = 1_000;

/// What the browser keeps: 256 random bits. The database has only their hash.
pub struct Token(Zeroizing<[u8; 32]>);

impl Token {
    fn draw() -> Result<Self, Error> {
        let mut bits = Zeroizing::new([0_u8; 32]);
        rand::fill(bits.as_mut_slice()).map_err(|_| Error::Randomness)?;
        Ok(Self(bits))
    }

    /// Reads a cookie's content; whatever is no token of ours opens nothing.
    #[must_use]
    pub fn read(raw: &str) -> Option<Self> {
        let mut bits = Zeroizing::new([0_u8; 32]);
        let length = URL_SAFE_NO_PAD.decode_slice(raw, bits.as_mut_slice()).ok()?;
        (length == bits.len()).then_some(Self(bits))
    }

    /// As the cookie carries it.
    #[must_use]
    pub fn encoded(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0.as_slice())
    }

    /// As the database knows it. The token is random in full, so a plain hash is enough.
    #[must_use]
    pub fn hash(&self) -> Vec<u8> {
        Sha256::digest(self.0.as_slice()).to_vec()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

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

/// Opens a session for an account whose password was proved, and notes it. `false`, and nothing written, when the
/// password was changed or the account erased since it was read: the row lock makes either wait for the other.
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
) -> Result<bool, Error> {
    let done = sqlx::query!(
        "with account as (
            select id
            from auth.accounts
            where id = $1 and password_hash = $2
            for share
        ), session as (
            insert into auth.sessions (id, token_hash, member_id, created_at, last_seen_at, ends_at, user_agent, address)
            select $3, $4, id, $5, $5, $6, $7, $8
            from account
            returning id, member_id
        )
        insert into auth.audit (id, member_id, event, session_id, address, at)
        select $9, member_id, 'signed in', id, $8, $5
        from session",
        member,
        proved_hash,
        session.id,
        &session.token.hash(),
        clock.now(),
        session.ends_at,
        session.browser.user_agent,
        session.browser.address,
        ids.owned_by(member),
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_survives_its_cookie_and_is_told_by_no_log() {
        let token = Token::draw().unwrap();
        assert_eq!(token.encoded().len(), 43);
        assert_eq!(Token::read(&token.encoded()).unwrap().hash(), token.hash());
        assert_eq!(format!("{token:?}"), "Token(..)");
    }

    #[test]
    fn nothing_else_is_a_token() {
        for bad in ["", "x", "\0", &"A".repeat(42), &"A".repeat(44), &"=".repeat(43), &"A".repeat(1 << 20), "é"] {
            assert!(Token::read(bad).is_none(), "{} bytes", bad.len());
        }
    }
}
