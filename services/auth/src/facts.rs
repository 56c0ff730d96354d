//! What auth tells the other services. It hears nobody.

use chrono::{DateTime, Utc};
use futures::TryStreamExt as _;
use outbox::{Outbox, SnapshotError, SnapshotSource, Snapshotter};
use portia_proto::auth::{AccountClosed, AccountErased, AccountReopened, MemberRegistered, SessionEnded};
use prost::{Message as _, Name as _};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{convert::NewAccount, error::Error, sessions::Session};

/// Tells of a new account, with the form: profile takes it from here should the gateway not get to it.
///
/// # Errors
/// When the database is away.
pub async fn registered(
    outbox: &Outbox,
    conn: &mut PgConnection,
    new: &NewAccount,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let fact = MemberRegistered {
        member_id: new.id.to_string(),
        username: new.username.as_str().to_owned(),
        form: Some((&new.registration).into()),
    };
    Ok(outbox.publish(conn, new.id, &fact, at).await?)
}

/// Tells caches that a session is over.
///
/// # Errors
/// When the database is away.
pub async fn session_ended(
    outbox: &Outbox,
    conn: &mut PgConnection,
    session: Session,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let fact = SessionEnded { member_id: session.member.to_string(), session_id: session.id.to_string() };
    Ok(outbox.publish(conn, session.member, &fact, at).await?)
}

/// Tells caches that sessions of one member are over.
///
/// # Errors
/// When the database is away.
pub async fn sessions_ended(
    outbox: &Outbox,
    conn: &mut PgConnection,
    member: Uuid,
    ended: &[Uuid],
    at: DateTime<Utc>,
) -> Result<(), Error> {
    for id in ended {
        session_ended(outbox, conn, Session { id: *id, member }, at).await?;
    }
    Ok(())
}

/// Tells that a member is to be shown to nobody.
///
/// # Errors
/// When the database is away.
pub async fn account_closed(
    outbox: &Outbox,
    conn: &mut PgConnection,
    member: Uuid,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    Ok(outbox.publish(conn, member, &AccountClosed { member_id: member.to_string() }, at).await?)
}

/// Tells that a closed member is back.
///
/// # Errors
/// When the database is away.
pub async fn account_reopened(
    outbox: &Outbox,
    conn: &mut PgConnection,
    member: Uuid,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    Ok(outbox.publish(conn, member, &AccountReopened { member_id: member.to_string() }, at).await?)
}

/// Tells that a member is gone for good.
///
/// # Errors
/// When the database is away.
pub async fn account_erased(
    outbox: &Outbox,
    conn: &mut PgConnection,
    member: Uuid,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    Ok(outbox.publish(conn, member, &AccountErased { member_id: member.to_string() }, at).await?)
}

/// What a consumer that is new, or came back after the facts were pruned, is told.
///
/// auth keeps no registration form longer than the outbox does (14 days), so it cannot tell MemberRegistered of every
/// account: it tells those it still has the form of. Older members have their profile already, or the database was put
/// together from backups of different days, which no fact can mend. Closed, suspended and erased accounts it knows for good: what
/// was restored from before the end of one must go again. SessionEnded is for caches, which start empty.
#[derive(Clone, Copy, Debug)]
pub struct Accounts;

impl SnapshotSource for Accounts {
    async fn publish(&self, conn: &mut PgConnection, to: &Snapshotter) -> Result<(), SnapshotError> {
        if to.wants::<MemberRegistered>() {
            tell_registered(conn, to).await?;
        }
        if to.wants::<AccountClosed>() {
            tell_closed(conn, to).await?;
        }
        if to.wants::<AccountErased>() {
            tell_erased(conn, to).await?;
        }
        Ok(())
    }
}

async fn tell_registered(conn: &mut PgConnection, to: &Snapshotter) -> Result<(), SnapshotError> {
    let mut kept = sqlx::query!(
        "select account.id, fact.payload
        from auth.outbox fact
        join auth.accounts account on account.id::text = fact.key
        where fact.kind = $1
        order by fact.id",
        MemberRegistered::full_name(),
    )
    .fetch(conn);
    while let Some(row) = kept.try_next().await? {
        match MemberRegistered::decode(row.payload.as_slice()) {
            Ok(fact) => to.publish(row.id, &fact).await?,
            Err(error) => tracing::error!(member = %row.id, %error, "a registration kept cannot be read"),
        }
    }
    Ok(())
}

async fn tell_closed(conn: &mut PgConnection, to: &Snapshotter) -> Result<(), SnapshotError> {
    let mut closed = sqlx::query_scalar!(
        "select id
        from auth.accounts
        where closed_at is not null or suspended_at is not null",
    )
    .fetch(conn);
    while let Some(id) = closed.try_next().await? {
        to.publish(id, &AccountClosed { member_id: id.to_string() }).await?;
    }
    Ok(())
}

async fn tell_erased(conn: &mut PgConnection, to: &Snapshotter) -> Result<(), SnapshotError> {
    let mut erased = sqlx::query_scalar!(
        "select member_id as \"member_id!\"
        from auth.audit
        where event = 'erased'",
    )
    .fetch(conn);
    while let Some(id) = erased.try_next().await? {
        to.publish(id, &AccountErased { member_id: id.to_string() }).await?;
    }
    Ok(())
}
