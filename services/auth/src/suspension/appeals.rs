//! Appeals against suspensions by moderators.
//!
//! A suspended member cannot sign in. A refused sign-in with valid credentials returns a token instead, with which the member appeals
//! once against this suspension.

use chrono::{DateTime, TimeDelta, Utc};
use outbox::UnitOfWork;
use portia_proto::auth::SecurityNoticeCause;
use primitives::input::{Cursor, Page, PageSize, Text};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;
use zeroize::Zeroizing;

use super::{Decision, restore, restored};
use crate::{
    audit::{self, ActionBy, AdminAction, AuditEvent, Note, Reason},
    credentials::token::Token,
    error::{AppealState, Error},
    moderators,
    publishing::{self, Notice},
    sessions::Browser,
};

/// The lifetime of a token: the time to write an appeal.
const TOKEN_LIFETIME: TimeDelta = TimeDelta::minutes(30);

/// The decision on an appeal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum AppealOutcome {
    /// The suspension stays.
    Upheld,
    /// The suspension ends.
    Overturned,
}

/// Replaces the token of the current suspension, if its member may still appeal.
pub async fn offer(db: &mut PgConnection, member: Uuid, now: DateTime<Utc>) -> Result<AppealState, Error> {
    let token = Token::generate()?;
    let offered = sqlx::query!(
        "update auth.suspensions
        set appeal_token_hash = $2, appeal_token_ends_at = $3
        where member_id = $1
            and ended_at is null
            and by_moderator
            and appealed_at is null",
        member,
        &token.hash(),
        now + TOKEN_LIFETIME,
    );
    if offered.execute(&mut *db).await?.rows_affected() == 1 {
        return Ok(AppealState::Possible(Zeroizing::new(token.encoded())));
    }
    let suspension = sqlx::query!(
        "select appealed_at, appeal_outcome as \"appeal_outcome: AppealOutcome\"
        from auth.suspensions
        where member_id = $1
            and ended_at is null",
        member,
    );
    Ok(match suspension.fetch_optional(db).await? {
        Some(row) if row.appeal_outcome.is_some() => AppealState::Upheld,
        Some(row) if row.appealed_at.is_some() => AppealState::Waiting,
        _ => AppealState::Unavailable,
    })
}

/// Appeals against the suspension of a token, which is consumed.
///
/// # Errors
/// [`Error::AppealTokenRefused`] for a token that is unknown, used or expired, and after the end of the suspension.
pub async fn create(
    work: &mut UnitOfWork<'_>,
    token: &Token,
    text: &Text<1_000>,
    browser: &Browser,
) -> Result<(), Error> {
    let appealed = sqlx::query_scalar!(
        "update auth.suspensions
        set appeal = $3, appealed_at = $2, appeal_token_hash = null, appeal_token_ends_at = null
        where appeal_token_hash = $1
            and appeal_token_ends_at > $2
            and ended_at is null
            and appealed_at is null
        returning member_id",
        &token.hash(),
        work.now,
        &**text,
    );
    let member = appealed.fetch_optional(&mut *work.db).await?.ok_or(Error::AppealTokenRefused)?;
    audit::record(work, member, AuditEvent::SuspensionAppealed, Some(browser)).await
}

/// A suspension with the appeal of its member.
pub struct SuspensionAppeal {
    pub id: Uuid,
    pub member_id: Uuid,
    /// As typed at registration.
    pub username: String,
    pub suspended_at: DateTime<Utc>,
    pub suspended_by: Option<Uuid>,
    /// The username of that moderator.
    pub moderator: Option<String>,
    /// In kebab case.
    pub reason: Option<String>,
    pub note: Option<String>,
    pub appeal: String,
    pub appealed_at: DateTime<Utc>,
    pub outcome: Option<AppealOutcome>,
    /// In kebab case.
    pub decision_reason: Option<String>,
    pub decision_note: Option<String>,
    pub decided_by: Option<Uuid>,
    /// The username of that moderator.
    pub decider: Option<String>,
    pub decided_at: Option<DateTime<Utc>>,
    /// It is not decided, and the suspension lasts.
    pub is_waiting: bool,
    /// The viewer may decide: the appeal waits, and the viewer is no party of the case.
    pub is_decidable: bool,
}

/// Selects appeals as the member `$1` sees them, who must be a moderator; the conditions and the order follow.
macro_rules! appeals_query {
    ($rest:literal, $($argument:expr),+ $(,)?) => {
        sqlx::query_as!(
            SuspensionAppeal,
            r#"
            select
                s.id, s.member_id, account.username, s.suspended_at, s.suspended_by, moderator.username as "moderator?",
                s.reason, s.note, s.appeal as "appeal!", s.appealed_at as "appealed_at!",
                s.appeal_outcome as "outcome: AppealOutcome", s.appeal_reason as decision_reason,
                s.appeal_note as decision_note, s.appeal_decided_by as decided_by, decider.username as "decider?",
                s.appeal_decided_at as decided_at,
                s.appeal_outcome is null and s.ended_at is null as "is_waiting!",
                s.appeal_outcome is null
                    and s.ended_at is null
                    and not exists (
                        select
                        from auth.case_parties party
                        where party.account_id = s.member_id
                            and party.member_id = $1
                    ) as "is_decidable!"
            from auth.suspensions s
            join auth.accounts account on account.id = s.member_id
            left join auth.accounts moderator on moderator.id = s.suspended_by
            left join auth.accounts decider on decider.id = s.appeal_decided_by
            where s.appealed_at is not null
                and exists (select from auth.moderators caller where caller.member_id = $1)
                and
            "#
                + $rest,
            $($argument),+
        )
    };
}

/// The appeals that wait, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenAppealsCursor {
    /// The time of the last row.
    #[serde(rename = "appealed")]
    pub at: DateTime<Utc>,
    /// Its id, for rows of the same time.
    pub id: Uuid,
}

impl Cursor for OpenAppealsCursor {}

/// The decided appeals, newest first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecidedAppealsCursor {
    /// The time of the last row.
    #[serde(rename = "decision")]
    pub at: DateTime<Utc>,
    /// Its id, for rows of the same time.
    pub id: Uuid,
}

impl Cursor for DecidedAppealsCursor {}

/// Lists a page of the appeals that wait; empty for a caller without the role.
pub async fn list_open(
    db: &mut PgConnection,
    moderator: Uuid,
    size: PageSize,
    after: Option<OpenAppealsCursor>,
) -> Result<Page<SuspensionAppeal>, Error> {
    let after = after.unwrap_or(OpenAppealsCursor { at: DateTime::UNIX_EPOCH, id: Uuid::nil() });
    let appeals = appeals_query!(
        "
        s.appeal_outcome is null
            and s.ended_at is null
            and (s.appealed_at, s.id) > ($2, $3)
        order by s.appealed_at, s.id
        limit $4
        ",
        moderator,
        after.at,
        after.id,
        size.to_fetch(),
    );
    let appeals = appeals.fetch_all(db).await?;
    Ok(Page::cut(appeals, size, |appeal| OpenAppealsCursor { at: appeal.appealed_at, id: appeal.id }))
}

/// Lists a page of the decided appeals; empty for a caller without the role.
pub async fn list_decided(
    db: &mut PgConnection,
    moderator: Uuid,
    size: PageSize,
    after: Option<DecidedAppealsCursor>,
) -> Result<Page<SuspensionAppeal>, Error> {
    let after = after.unwrap_or(DecidedAppealsCursor { at: DateTime::<Utc>::MAX_UTC, id: Uuid::max() });
    let appeals = appeals_query!(
        "
        s.appeal_decided_at is not null
            and (s.appeal_decided_at, s.id) < ($2, $3)
        order by s.appeal_decided_at desc, s.id desc
        limit $4
        ",
        moderator,
        after.at,
        after.id,
        size.to_fetch(),
    );
    let appeals = appeals.fetch_all(db).await?;
    let cursor = |appeal: &SuspensionAppeal| DecidedAppealsCursor {
        at: appeal.decided_at.unwrap_or(DateTime::UNIX_EPOCH),
        id: appeal.id,
    };
    Ok(Page::cut(appeals, size, cursor))
}

/// Returns one appeal, open or decided.
async fn get(db: &mut PgConnection, moderator: Uuid, id: Uuid) -> Result<SuspensionAppeal, Error> {
    let appeal = appeals_query!("s.id = $2", moderator, id);
    appeal.fetch_optional(db).await?.ok_or(Error::AppealNotFound)
}

/// A decision of a moderator on an appeal.
pub struct AppealDecision {
    /// The moderator.
    pub by: Uuid,
    /// The suspension.
    pub suspension: Uuid,
    pub outcome: AppealOutcome,
    pub reason: Reason,
    /// A remark for operators and moderators.
    pub note: Option<Note>,
}

/// Decides an appeal. The same decision of the same moderator again changes nothing. A party of the case does not decide.
///
/// # Errors
/// [`Error::NotModerator`]; [`Error::AppealNotFound`]; [`Error::OwnCase`]; [`Error::StateUnchanged`] after another decision, and after
/// the end of the suspension.
pub async fn decide(work: &mut UnitOfWork<'_>, decision: &AppealDecision) -> Result<SuspensionAppeal, Error> {
    moderators::lock_role(work.db, decision.by).await?;
    lock_account(work.db, decision.suspension).await?;
    let decided = sqlx::query_scalar!(
        "update auth.suspensions s
        set
            appeal_outcome = $3,
            appeal_reason = $4,
            appeal_note = $5,
            appeal_decided_by = $1,
            appeal_decided_at = $6
        where s.id = $2
            and s.appealed_at is not null
            and s.appeal_outcome is null
            and s.ended_at is null
            and not exists (
                select
                from auth.case_parties party
                where party.account_id = s.member_id
                    and party.member_id = $1
            )
        returning s.member_id",
        decision.by,
        decision.suspension,
        decision.outcome as AppealOutcome,
        decision.reason as Reason,
        decision.note.as_deref(),
        work.now,
    );
    let Some(member) = decided.fetch_optional(&mut *work.db).await? else {
        let appeal = get(work.db, decision.by, decision.suspension).await?;
        let is_repeated = appeal.outcome == Some(decision.outcome) && appeal.decided_by == Some(decision.by);
        return match appeal.is_waiting {
            _ if is_repeated => Ok(appeal),
            true => Err(Error::OwnCase),
            false => Err(Error::StateUnchanged),
        };
    };
    let by = ActionBy::Moderator(decision.by);
    let event = match decision.outcome {
        AppealOutcome::Upheld => AuditEvent::AppealUpheld,
        AppealOutcome::Overturned => AuditEvent::AppealOverturned,
    };
    let about = format!("suspension {}", decision.suspension);
    let (reason, note) = (Some(decision.reason), decision.note.as_ref());
    let action = AdminAction { event, by, member: Some(member), about: Some(&about), reason, note };
    audit::record_action(work, member, &action).await?;
    if decision.outcome == AppealOutcome::Overturned
        && let Some(account) = restore(work.db, member, None).await?
    {
        restored(work, member, account, &Decision { by, reason, note }).await?;
        publishing::publish_notice(work, member, Notice::new(SecurityNoticeCause::SuspensionOverturned)).await?;
    }
    get(work.db, decision.by, decision.suspension).await
}

/// Locks the account of a suspension, before its rows.
async fn lock_account(db: &mut PgConnection, suspension: Uuid) -> Result<(), Error> {
    let locked = sqlx::query_scalar!(
        "select a.id
        from auth.suspensions s
        join auth.accounts a on a.id = s.member_id
        where s.id = $1
        for no key update of a",
        suspension,
    );
    locked.fetch_optional(db).await?.map(drop).ok_or(Error::AppealNotFound)
}
