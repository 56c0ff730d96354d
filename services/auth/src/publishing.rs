//! The facts that auth publishes, and its snapshot.

use futures::TryStreamExt as _;
use outbox::{After, SnapshotError, SnapshotSource, Snapshotter, UnitOfWork};
use portia_proto::auth::{
    self as pb, AccountClosed, AccountErased, AccountReopened, MemberRegistered, ModeratorChanged, RegistrationForm,
    SecurityNoticeCause, SecurityNoticeCreated, SessionEnded,
};
use primitives::clock::timestamp;
use prost::{Message as _, Name as _};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{browser::Browser, error::Error};

/// Publishes a registration. Its form lets profile create the member if the gateway's own call does not.
pub async fn publish_registered(
    work: &mut UnitOfWork<'_>,
    member: Uuid,
    username: &str,
    form: RegistrationForm,
) -> Result<(), Error> {
    let fact = MemberRegistered { member_id: member.to_string(), username: username.to_owned(), form: Some(form) };
    Ok(work.publish(member, &fact).await?)
}

pub async fn publish_sessions_ended(work: &mut UnitOfWork<'_>, member: Uuid, ended: &[Uuid]) -> Result<(), Error> {
    for id in ended {
        let fact = SessionEnded { member_id: member.to_string(), session_id: id.to_string() };
        work.publish(member, &fact).await?;
    }
    Ok(())
}

pub async fn publish_account_closed(work: &mut UnitOfWork<'_>, member: Uuid) -> Result<(), Error> {
    Ok(work.publish(member, &AccountClosed { member_id: member.to_string() }).await?)
}

pub async fn publish_account_reopened(work: &mut UnitOfWork<'_>, member: Uuid) -> Result<(), Error> {
    Ok(work.publish(member, &AccountReopened { member_id: member.to_string() }).await?)
}

/// Publishes a change of the role. The gateways drop the member tokens of the member's sessions.
pub async fn publish_moderator_changed(work: &mut UnitOfWork<'_>, member: Uuid) -> Result<(), Error> {
    Ok(work.publish(member, &ModeratorChanged { member_id: member.to_string() }).await?)
}

/// A change that the owner of an account must learn of.
pub struct Notice<'a> {
    pub cause: SecurityNoticeCause,
    /// `None` for a change of an operator or a moderator.
    pub browser: Option<&'a Browser>,
    /// The session that made the change.
    pub session: Option<Uuid>,
    /// The names of the passkeys that remain after a password reset.
    pub passkeys: Vec<String>,
}

impl<'a> Notice<'a> {
    /// A change of an operator or a moderator.
    pub const fn new(cause: SecurityNoticeCause) -> Self {
        Self { cause, browser: None, session: None, passkeys: Vec::new() }
    }

    /// A change in a browser.
    pub const fn of(cause: SecurityNoticeCause, browser: &'a Browser, session: Option<Uuid>) -> Self {
        Self { cause, browser: Some(browser), session, passkeys: Vec::new() }
    }
}

pub async fn publish_notice(work: &mut UnitOfWork<'_>, member: Uuid, notice: Notice<'_>) -> Result<(), Error> {
    let fact = SecurityNoticeCreated {
        notice_id: work.ids.owned_by(member).to_string(),
        member_id: member.to_string(),
        cause: notice.cause.into(),
        at: Some(timestamp(work.now)),
        browser: notice.browser.map(Into::into),
        session_id: notice.session.map(|id| id.to_string()),
        passkeys: notice.passkeys,
    };
    Ok(work.publish(member, &fact).await?)
}

impl From<&Browser> for pb::Browser {
    fn from(browser: &Browser) -> Self {
        Self {
            user_agent: browser.user_agent.clone().unwrap_or_default(),
            address: browser.address.clone().unwrap_or_default(),
        }
    }
}

pub async fn publish_account_erased(work: &mut UnitOfWork<'_>, member: Uuid) -> Result<(), Error> {
    Ok(work.publish(member, &AccountErased { member_id: member.to_string() }).await?)
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
