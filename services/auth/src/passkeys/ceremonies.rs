//! Ceremonies in progress: a challenge with its policy, until its answer or its expiry.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Serialize, de::DeserializeOwned};
use sqlx::PgPool;

use crate::{credentials::token::Token, error::Error, sessions::Session};

/// The time that a member has to answer.
pub const LIFETIME: TimeDelta = TimeDelta::minutes(5);
/// The most concurrent ceremonies of a session. A further one ends the oldest.
const MAX_OF_SESSION: i64 = 5;
/// Expired rows that each new one deletes: the table shrinks under the load that fills it.
const DELETED_PER_ROW: i64 = 10;
/// Rows per delete statement of the cleanup.
const DELETE_BATCH: i64 = 1_000;

/// The purpose of a ceremony's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A new passkey of a session's member.
    Registration(Session),
    /// A proof in a session.
    Proof(Session),
    /// A sign-in.
    SignIn,
    /// A proof for a password reset.
    Reset,
}

impl Purpose {
    const fn text(self) -> &'static str {
        match self {
            Self::Registration(_) => "registration",
            Self::Proof(_) => "proof",
            Self::SignIn => "sign-in",
            Self::Reset => "reset",
        }
    }

    const fn session(self) -> Option<Session> {
        match self {
            Self::Registration(session) | Self::Proof(session) => Some(session),
            Self::SignIn | Self::Reset => None,
        }
    }
}

/// Stores a ceremony and returns its token. Deletes expired ceremonies, and the session's oldest ones above the
/// maximum. The gateway limits ceremonies without a session.
///
/// # Errors
/// [`Error::SessionEnded`] when the session has ended.
pub async fn create(
    db: &PgPool,
    purpose: Purpose,
    state: &(impl Serialize + Sync),
    now: DateTime<Utc>,
) -> Result<Token, Error> {
    let token = Token::generate()?;
    let state = serde_json::to_value(state).map_err(Error::PasskeyState)?;
    let created = sqlx::query!(
        "with expired as (
            select token_hash
            from auth.passkey_ceremonies
            where ends_at <= $7
            limit $8
            for update skip locked
        ), excess as (
            select token_hash
            from auth.passkey_ceremonies
            where session_id = $3
            order by ends_at desc, token_hash
            offset $9
            for update skip locked
        ), deleted as (
            delete from auth.passkey_ceremonies
            where token_hash in (select token_hash from expired union all select token_hash from excess)
        )
        insert into auth.passkey_ceremonies (token_hash, purpose, session_id, state, ends_at)
        select $1, $2, $3, $4, $5
        where $3::uuid is null
            or exists (select from auth.sessions where id = $3 and member_id = $6)",
        &token.hash(),
        purpose.text(),
        purpose.session().map(|session| session.id),
        state,
        now + LIFETIME,
        purpose.session().map(|session| session.member),
        now,
        DELETED_PER_ROW,
        MAX_OF_SESSION - 1,
    );
    let created = created.execute(db).await?.rows_affected() == 1;
    created.then_some(token).ok_or(Error::SessionEnded)
}

/// Ends a ceremony and returns its state: a token is valid once, also when the answer is then refused.
///
/// # Errors
/// [`Error::PasskeyExpired`] for a token that is unknown, used, expired, or of another purpose or session.
pub async fn take<S: DeserializeOwned>(
    db: &PgPool,
    purpose: Purpose,
    token: Option<&Token>,
    now: DateTime<Utc>,
) -> Result<S, Error> {
    let token = token.ok_or(Error::PasskeyExpired)?;
    let taken = sqlx::query_scalar!(
        "delete from auth.passkey_ceremonies
        where token_hash = $1
            and purpose = $2
            and session_id is not distinct from $3
            and ends_at > $4
        returning state",
        &token.hash(),
        purpose.text(),
        purpose.session().map(|session| session.id),
        now,
    );
    let state = taken.fetch_optional(db).await?.ok_or(Error::PasskeyExpired)?;
    serde_json::from_value(state).map_err(Error::PasskeyState)
}

/// Deletes expired ceremonies.
pub async fn delete_expired(db: &PgPool, now: DateTime<Utc>) -> Result<u64, Error> {
    let mut deleted = 0;
    loop {
        let done = sqlx::query!(
            "delete from auth.passkey_ceremonies
            where token_hash in (
                select token_hash
                from auth.passkey_ceremonies
                where ends_at <= $1
                limit $2
                for update skip locked
            )",
            now,
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
