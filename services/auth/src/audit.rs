//! What happened to accounts' doors, and what operators did: ids and addresses, no names and no secrets. It outlives the
//! account, and then holds nothing but ids.

use chrono::{DateTime, Utc};
use sqlx::PgExecutor;
use uuid::Uuid;

use crate::{admin::Note, error::Error};

/// What happened. `registered`, `signed in` and `reset link made` are written by the statement that does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Somebody had the wrong password. Names that are nobody's leave no row.
    SignInFailed,
    /// A session was ended by its owner.
    SignedOut(Uuid),
    /// A session was ended from another one.
    SessionEnded(Uuid),
    /// A session made room for a newer one.
    SessionDisplaced(Uuid),
    /// All sessions were ended at once.
    SignedOutEverywhere,
    /// The password was changed by who knew it.
    PasswordChanged,
    /// Somebody signed in had the wrong password when asked for it again.
    PasswordRefused,
    /// The password was set on a browser that was trusted.
    ResetByBrowser,
    /// The password was set with a recovery code.
    ResetByCode,
    /// The password was set with an operator's link.
    ResetByLink,
    /// Somebody had a wrong code, a wrong link or no proof at all.
    ResetRefused,
    /// New recovery codes took the place of the old ones.
    CodesMade,
    /// The account was closed by its owner.
    Closed,
    /// Its owner came back in time.
    Reopened,
    /// The account is gone.
    Erased,
    /// Its owner asked for what is kept of them.
    Exported,
    /// An operator suspended the account.
    Suspended,
    /// An operator restored it.
    Restored,
    /// Somebody had the right password of a suspended account.
    SignInRefused,
    /// An operator removed what was reported.
    Removed,
    /// An operator let it stand.
    ReportDismissed,
}

impl Event {
    const fn text(self) -> &'static str {
        match self {
            Self::SignInFailed => "sign-in failed",
            Self::SignedOut(_) => "signed out",
            Self::SessionEnded(_) => "session ended",
            Self::SessionDisplaced(_) => "session displaced",
            Self::SignedOutEverywhere => "signed out everywhere",
            Self::PasswordChanged => "password changed",
            Self::PasswordRefused => "password refused",
            Self::ResetByBrowser => "reset by trusted browser",
            Self::ResetByCode => "reset by recovery code",
            Self::ResetByLink => "reset by link",
            Self::ResetRefused => "reset refused",
            Self::CodesMade => "recovery codes made",
            Self::Closed => "closed",
            Self::Reopened => "reopened",
            Self::Erased => "erased",
            Self::Exported => "exported",
            Self::Suspended => "suspended",
            Self::Restored => "restored",
            Self::SignInRefused => "sign-in refused",
            Self::Removed => "removed",
            Self::ReportDismissed => "report dismissed",
        }
    }

    const fn session(self) -> Option<Uuid> {
        match self {
            Self::SignedOut(session) | Self::SessionEnded(session) | Self::SessionDisplaced(session) => Some(session),
            _ => None,
        }
    }
}

/// Notes what happened to a member's account.
///
/// # Errors
/// When the database is away.
pub async fn note(
    db: impl PgExecutor<'_>,
    id: Uuid,
    member: Uuid,
    event: Event,
    address: Option<&str>,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into auth.audit (id, member_id, event, session_id, address, at)
        values ($1, $2, $3, $4, $5, $6)",
        id,
        member,
        event.text(),
        event.session(),
        address,
        at,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// What an operator does.
#[derive(Debug)]
pub struct Deed<'a> {
    /// What.
    pub event: Event,
    /// To whom; to nobody where it concerns no account.
    pub member: Option<Uuid>,
    /// To what of theirs, by kind and id.
    pub about: Option<&'a str>,
    /// Why, in the operator's words.
    pub note: Option<&'a Note>,
}

/// Notes what an operator did, once an id.
///
/// # Errors
/// When the database is away.
pub async fn note_deed(db: impl PgExecutor<'_>, id: Uuid, deed: &Deed<'_>, at: DateTime<Utc>) -> Result<(), Error> {
    sqlx::query!(
        "insert into auth.audit (id, member_id, event, actor, about, note, at)
        values ($1, $2, $3, 'operator', $4, $5, $6)
        on conflict (id) do nothing",
        id,
        deed.member,
        deed.event.text(),
        deed.about,
        deed.note.map(|note| &**note),
        at,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// What an operator did, as it was noted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// When.
    pub at: DateTime<Utc>,
    /// What.
    pub event: String,
    /// To whom.
    pub member_id: Option<Uuid>,
    /// What they are called, while there is an account.
    pub username: Option<String>,
    /// To what of theirs.
    pub about: Option<String>,
    /// Why.
    pub note: Option<String>,
}

/// What operators did last, oldest first.
///
/// # Errors
/// When the database is away.
pub async fn deeds(db: impl PgExecutor<'_>, limit: u32) -> Result<Vec<Done>, Error> {
    let done = sqlx::query_as!(
        Done,
        "select noted.at, noted.event, noted.member_id, account.username as \"username?\", noted.about, noted.note
        from auth.audit noted
        left join auth.accounts account on account.id = noted.member_id
        where noted.actor = 'operator'
        order by noted.at desc, noted.id desc
        limit $1",
        i64::from(limit),
    );
    let mut done = done.fetch_all(db).await?;
    done.reverse();
    Ok(done)
}

/// Takes the addresses out of a member's rows, and what operators wrote: of who is gone, nothing but ids is kept.
///
/// # Errors
/// When the database is away.
pub async fn forget_words(db: impl PgExecutor<'_>, member: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "update auth.audit
        set address = null, note = null
        where member_id = $1 and (address is not null or note is not null)",
        member,
    )
    .execute(db)
    .await?;
    Ok(())
}
