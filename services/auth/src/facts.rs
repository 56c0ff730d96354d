//! What auth tells the other services. It hears nobody.

use chassis::outbox::{Interrupted, Outbox, State, Teller};
use chrono::{DateTime, Utc};
use futures::TryStreamExt as _;
use portia_proto::auth::{MemberRegistered, SessionEnded};
use prost::{Message as _, Name as _};
use sqlx::PgConnection;

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

/// What a consumer that is new, or came back after the facts were pruned, is told.
///
/// auth keeps no registration form longer than the outbox does (14 days), so it cannot tell MemberRegistered of every
/// account: it tells those it still has the form of. Older members have their profile already, or the database was put
/// together from backups of different days, which no fact can mend. SessionEnded is for caches, which start empty.
#[derive(Clone, Copy, Debug)]
pub struct Registrations;

impl State for Registrations {
    async fn tell(&self, conn: &mut PgConnection, to: &Teller) -> Result<(), Interrupted> {
        if !to.wants::<MemberRegistered>() {
            return Ok(());
        }
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
                Ok(fact) => to.tell(row.id, &fact).await?,
                Err(error) => tracing::error!(member = %row.id, %error, "a registration kept cannot be read"),
            }
        }
        Ok(())
    }
}
