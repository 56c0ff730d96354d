//! The facts that auth publishes, and its snapshot.

use chrono::{DateTime, Utc};
use futures::TryStreamExt as _;
use outbox::{After, Outbox, SnapshotError, SnapshotSource, Snapshotter};
use portia_proto::auth::{
    self as pb, AccountClosed, AccountErased, AccountReopened, MemberRegistered, ModeratorChanged, SecurityNoticeCause,
    SecurityNoticeCreated, SessionEnded,
};
use primitives::{clock::timestamp, ids::Ids, input::Line};
use prost::{Message as _, Name as _};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    accounts::{NewAccount, Registration},
    error::Error,
    sessions::{Browser, Session},
};

/// Publishes a registration. Its form lets profile create the member if the gateway's own call does not.
pub async fn publish_registered(
    outbox: &Outbox,
    db: &mut PgConnection,
    new: &NewAccount,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let fact = MemberRegistered {
        member_id: new.id.to_string(),
        username: new.username.as_str().to_owned(),
        form: Some((&new.registration).into()),
    };
    Ok(outbox.publish(db, new.id, &fact, at).await?)
}

impl From<&Registration> for pb::RegistrationForm {
    fn from(registration: &Registration) -> Self {
        Self {
            full_name: registration.full_name.clone().into_string(),
            headline: registration.headline.clone().map(Line::into_string),
            location: registration.location.clone().map(Line::into_string),
            school: registration.school.clone().map(Line::into_string),
            graduation_year: registration.graduation_year.clone().map(Line::into_string),
        }
    }
}

pub async fn publish_session_ended(
    outbox: &Outbox,
    db: &mut PgConnection,
    session: Session,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let fact = SessionEnded { member_id: session.member.to_string(), session_id: session.id.to_string() };
    Ok(outbox.publish(db, session.member, &fact, at).await?)
}

pub async fn publish_sessions_ended(
    outbox: &Outbox,
    db: &mut PgConnection,
    member: Uuid,
    ended: &[Uuid],
    at: DateTime<Utc>,
) -> Result<(), Error> {
    for id in ended {
        publish_session_ended(outbox, db, Session { id: *id, member }, at).await?;
    }
    Ok(())
}

pub async fn publish_account_closed(
    outbox: &Outbox,
    db: &mut PgConnection,
    member: Uuid,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    Ok(outbox.publish(db, member, &AccountClosed { member_id: member.to_string() }, at).await?)
}

pub async fn publish_account_reopened(
    outbox: &Outbox,
    db: &mut PgConnection,
    member: Uuid,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    Ok(outbox.publish(db, member, &AccountReopened { member_id: member.to_string() }, at).await?)
}

/// Publishes a change of the role. The gateways drop the member tokens of the member's sessions.
pub async fn publish_moderator_changed(
    outbox: &Outbox,
    db: &mut PgConnection,
    member: Uuid,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    Ok(outbox.publish(db, member, &ModeratorChanged { member_id: member.to_string() }, at).await?)
}

/// A change that the owner of an account must learn of.
pub struct Notice<'a> {
    pub cause: SecurityNoticeCause,
    /// `None` for a change of an operator.
    pub browser: Option<&'a Browser>,
    /// The session that made the change.
    pub session: Option<Uuid>,
    /// The names of the passkeys that remain after a password reset.
    pub passkeys: Vec<String>,
}

pub async fn publish_notice(
    outbox: &Outbox,
    db: &mut PgConnection,
    member: Uuid,
    notice: Notice<'_>,
    ids: &Ids,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let fact = SecurityNoticeCreated {
        notice_id: ids.owned_by(member).to_string(),
        member_id: member.to_string(),
        cause: notice.cause.into(),
        at: Some(timestamp(at)),
        browser: notice.browser.map(Into::into),
        session_id: notice.session.map(|id| id.to_string()),
        passkeys: notice.passkeys,
    };
    Ok(outbox.publish(db, member, &fact, at).await?)
}

impl From<&Browser> for pb::Browser {
    fn from(browser: &Browser) -> Self {
        Self {
            user_agent: browser.user_agent.clone().unwrap_or_default(),
            address: browser.address.clone().unwrap_or_default(),
        }
    }
}

pub async fn publish_account_erased(
    outbox: &Outbox,
    db: &mut PgConnection,
    member: Uuid,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    Ok(outbox.publish(db, member, &AccountErased { member_id: member.to_string() }, at).await?)
}

/// The snapshot for a consumer that is new or late.
///
/// The outbox holds registration forms for 14 days, so the snapshot contains MemberRegistered only for newer accounts;
/// profile has the others. It contains all closed, suspended and erased accounts, because a consumer restored from a
/// backup must delete them again. It leaves out SessionEnded: the consumers are caches, which start empty.
#[derive(Clone, Copy, Debug)]
pub struct AccountSnapshot;

impl SnapshotSource for AccountSnapshot {
    async fn publish(&self, db: &mut PgConnection, to: &mut Snapshotter) -> Result<(), SnapshotError> {
        if let Some(after) = to.start::<MemberRegistered>() {
            publish_all_registered(db, to, &after).await?;
        }
        if let Some(after) = to.start::<AccountClosed>() {
            publish_all_closed(db, to, &after).await?;
        }
        if let Some(after) = to.start::<AccountErased>() {
            publish_all_erased(db, to, &after).await?;
        }
        Ok(())
    }
}

async fn publish_all_registered(
    db: &mut PgConnection,
    to: &mut Snapshotter,
    after: &After,
) -> Result<(), SnapshotError> {
    let mut registered = sqlx::query!(
        "select fact.id as place, account.id, fact.payload
        from auth.outbox fact
        join auth.accounts account on account.id::text = fact.key
        where fact.kind = $1
            and fact.id > $2
        order by fact.id",
        MemberRegistered::full_name(),
        after.number(0),
    )
    .fetch(db);
    while let Some(row) = registered.try_next().await? {
        match MemberRegistered::decode(row.payload.as_slice()) {
            Ok(fact) => to.publish(&[&row.place], row.id, &fact).await?,
            Err(error) => tracing::error!(member = %row.id, %error, "cannot decode a stored registration"),
        }
    }
    Ok(())
}

async fn publish_all_closed(db: &mut PgConnection, to: &mut Snapshotter, after: &After) -> Result<(), SnapshotError> {
    let mut closed = sqlx::query_scalar!(
        "select id
        from auth.accounts
        where id > $1
            and (closed_at is not null or suspended_at is not null)
        order by id",
        after.id(0),
    )
    .fetch(db);
    while let Some(id) = closed.try_next().await? {
        to.publish(&[&id], id, &AccountClosed { member_id: id.to_string() }).await?;
    }
    Ok(())
}

async fn publish_all_erased(db: &mut PgConnection, to: &mut Snapshotter, after: &After) -> Result<(), SnapshotError> {
    let mut erased = sqlx::query_scalar!(
        "select distinct member_id as \"member_id!\"
        from auth.audit
        where event = 'erased'
            and member_id > $1
        order by member_id",
        after.id(0),
    )
    .fetch(db);
    while let Some(id) = erased.try_next().await? {
        to.publish(&[&id], id, &AccountErased { member_id: id.to_string() }).await?;
    }
    Ok(())
}
