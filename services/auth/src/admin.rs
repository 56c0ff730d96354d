//! What the people who run Portia do to accounts, from the machine it runs on: `portia admin ..` calls these. Each deed
//! leaves a row in the audit, in the transaction that does it.

use chrono::{DateTime, Utc};
use outbox::Outbox;
use primitives::{clock::Clock, ids::Ids, input::Text};
use sqlx::{Connection as _, PgConnection};
use uuid::Uuid;

use crate::{
    accounts::{self, Account},
    audit::{self, Deed, Event},
    convert::Username,
    error::Error,
    facts, links, sessions, suspension,
    token::Token,
};

pub use crate::audit::Done;

/// What an operator writes beside a deed.
pub type Note = Text<1_000>;

/// A link with which a member sets a new password, told this once.
#[derive(Debug)]
pub struct ResetLink {
    /// The account's name, as its owner typed it.
    pub username: String,
    /// The link's secret.
    pub token: Token,
    /// When it is good no more.
    pub ends_at: DateTime<Utc>,
}

/// Makes a one-time link for an account; earlier ones are good no more. The caller makes sure that who asks for it is
/// the account's owner: the database cannot.
///
/// # Errors
/// [`Error::AccountNotFound`] when there is no account of that name.
pub async fn reset_link(conn: &mut PgConnection, username: &str, ids: &Ids, clock: &Clock) -> Result<ResetLink, Error> {
    let (now, token) = (clock.now(), Token::draw()?);
    let account = named(conn, username, now).await?;
    if !links::keep(conn, account.id, &token, ids.owned_by(account.id), now).await? {
        return Err(Error::AccountNotFound);
    }
    Ok(ResetLink { username: account.username, token, ends_at: now + links::LIFETIME })
}

/// An account that was suspended or restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// Its name, as its owner typed it.
    pub username: String,
    /// Its owner has closed it, which goes its own way.
    pub is_closed: bool,
    /// How many of its sessions ended.
    pub ended: usize,
}

/// Suspends an account: every session ends, nobody signs in, the member vanishes, and no link an operator made opens it.
///
/// # Errors
/// [`Error::AccountNotFound`]; [`Error::AlreadyDecided`] of one that is suspended.
pub async fn suspend(
    conn: &mut PgConnection,
    username: &str,
    note: Option<&Note>,
    ids: &Ids,
    clock: &Clock,
) -> Result<Decided, Error> {
    let (now, outbox) = (clock.now(), Outbox::new("auth"));
    let mut tx = conn.begin().await?;
    let Account { id: member, username, .. } = named(&mut tx, username, now).await?;
    let changed = suspension::suspend(&mut tx, member, now).await?.ok_or(Error::AlreadyDecided)?;
    let ended = sessions::end_all(&mut tx, member, None).await?;
    links::take_back(&mut tx, member).await?;
    let deed = Deed { event: Event::Suspended, member: Some(member), about: None, note };
    audit::note_deed(&mut *tx, ids.owned_by(member), &deed, now).await?;
    facts::sessions_ended(&outbox, &mut tx, member, &ended, now).await?;
    if !changed.is_closed {
        facts::account_closed(&outbox, &mut tx, member, now).await?;
    }
    tx.commit().await?;
    Ok(Decided { username, is_closed: changed.is_closed, ended: ended.len() })
}

/// Restores a suspended account: it is as it was, and its owner signs in anew.
///
/// # Errors
/// [`Error::AccountNotFound`]; [`Error::AlreadyDecided`] of one that is not suspended.
pub async fn restore(
    conn: &mut PgConnection,
    username: &str,
    note: Option<&Note>,
    ids: &Ids,
    clock: &Clock,
) -> Result<Decided, Error> {
    let (now, outbox) = (clock.now(), Outbox::new("auth"));
    let mut tx = conn.begin().await?;
    let Account { id: member, username, .. } = named(&mut tx, username, now).await?;
    let changed = suspension::restore(&mut tx, member).await?.ok_or(Error::AlreadyDecided)?;
    let deed = Deed { event: Event::Restored, member: Some(member), about: None, note };
    audit::note_deed(&mut *tx, ids.owned_by(member), &deed, now).await?;
    if !changed.is_closed {
        facts::account_reopened(&outbox, &mut tx, member, now).await?;
    }
    tx.commit().await?;
    Ok(Decided { username, is_closed: changed.is_closed, ended: 0 })
}

/// What was decided about a report, which feed keeps.
#[derive(Debug)]
pub struct Decision<'a> {
    /// The report's id. The row in the audit takes it, so that a decision noted again is noted once.
    pub report: Uuid,
    /// What was reported was removed; else nothing was done.
    pub removed: bool,
    /// Whose it is.
    pub member: Option<Uuid>,
    /// What was reported, by kind and id.
    pub about: &'a str,
    /// In the operator's words.
    pub note: Option<&'a Note>,
}

/// Notes a decision about a report. Other services do what was decided: it is done by then, and noted here.
///
/// # Errors
/// When the database is away.
pub async fn note_decision(conn: &mut PgConnection, decision: &Decision<'_>, clock: &Clock) -> Result<(), Error> {
    let Decision { report, removed, member, about, note } = *decision;
    let event = if removed { Event::Removed } else { Event::ReportDismissed };
    let deed = Deed { event, member, about: Some(about), note };
    audit::note_deed(&mut *conn, report, &deed, clock.now()).await
}

/// What operators did, the last of it, oldest first.
///
/// # Errors
/// When the database is away.
pub async fn deeds(conn: &mut PgConnection, limit: u32) -> Result<Vec<Done>, Error> {
    audit::deeds(conn, limit).await
}

/// What the accounts of these members are called; those that are gone are left out.
///
/// # Errors
/// When the database is away.
pub async fn usernames(conn: &mut PgConnection, members: &[Uuid]) -> Result<Vec<(Uuid, String)>, Error> {
    accounts::usernames(conn, members).await
}

async fn named(conn: &mut PgConnection, username: &str, now: DateTime<Utc>) -> Result<Account, Error> {
    let username = Username::parse(username).map_err(|_| Error::AccountNotFound)?;
    accounts::named(conn, &username, now).await?.ok_or(Error::AccountNotFound)
}
