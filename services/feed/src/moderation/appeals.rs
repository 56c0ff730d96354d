//! Removals and the appeals of their authors.

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use primitives::input::{Cursor, Page, PageSize, Text};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    AppealDecision,
    removal::{self, APPEAL_PERIOD},
};
use crate::{
    cases::{AppealOutcome, DecisionReason, Removed, ReportedKind},
    cursors::Timestamp,
    error::Error,
    link_previews::LinkPreviews,
    publishing::moderation::{Appealed, DecidedAppeal, publish_appeal_created, publish_appeal_decided},
};

/// A removed post or comment, with the appeal of its author.
pub struct Removal {
    pub id: Uuid,
    pub kind: ReportedKind,
    pub item_id: Uuid,
    pub author_id: Uuid,
    /// The text as it was reported.
    pub excerpt: String,
    pub reason: DecisionReason,
    pub removed_by: Option<Uuid>,
    pub removed_at: DateTime<Utc>,
    pub appeal: Option<String>,
    pub appealed_at: Option<DateTime<Utc>>,
    pub appeal_outcome: Option<AppealOutcome>,
    pub appeal_reason: Option<DecisionReason>,
    pub appeal_note: Option<String>,
    pub appeal_decided_by: Option<Uuid>,
    pub appeal_decided_at: Option<DateTime<Utc>>,
    pub is_restored: bool,
    /// The content is still stored.
    pub is_kept: bool,
    /// The viewer may decide the appeal as a moderator.
    pub is_decidable: bool,
}

impl Removal {
    /// Returns the end of the time for an appeal.
    pub fn appeal_until(&self) -> DateTime<Utc> {
        self.removed_at + APPEAL_PERIOD
    }

    /// Hides the moderators and their remarks from the author.
    #[must_use]
    pub fn for_author(self) -> Self {
        Self { removed_by: None, appeal_decided_by: None, appeal_note: None, is_decidable: false, ..self }
    }
}

/// Selects removals as the member `$1` sees them; the conditions and the order follow.
macro_rules! removals_query {
    ($rest:literal, $($argument:expr),+ $(,)?) => {
        sqlx::query_as!(
            Removal,
            r#"
            select
                id, kind as "kind: ReportedKind", item_id, author_id, excerpt, reason as "reason: DecisionReason", removed_by,
                removed_at, appeal, appealed_at, appeal_outcome as "appeal_outcome: AppealOutcome",
                appeal_reason as "appeal_reason: DecisionReason", appeal_note, appeal_decided_by, appeal_decided_at,
                is_restored, kept_until is not null as "is_kept!",
                coalesce(
                    appealed_at is not null
                        and appeal_outcome is null
                        and not exists (
                            select
                            from feed.case_parties party
                            where party.kind = u.kind
                                and party.item_id = u.item_id
                                and party.member_id = $1
                        ),
                    false
                ) as "is_decidable!"
            from feed.removals u
            "#
                + $rest,
            $($argument),+
        )
    };
}

/// The open appeals, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenAppealsCursor {
    /// The time of the last row.
    #[serde(rename = "appealed")]
    pub at: Timestamp,
    /// Its id, for rows of the same time.
    pub id: Uuid,
}

impl Cursor for OpenAppealsCursor {}

/// The decided appeals, newest first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecidedAppealsCursor {
    /// The time of the last row.
    #[serde(rename = "appeal")]
    pub at: Timestamp,
    /// Its id, for rows of the same time.
    pub id: Uuid,
}

impl Cursor for DecidedAppealsCursor {}

/// Lists the open appeals of other members. The viewer's own appeals are on another page.
pub async fn list_open(
    db: &mut PgConnection,
    viewer: Uuid,
    size: PageSize,
    after: Option<OpenAppealsCursor>,
) -> Result<Page<Removal>, Error> {
    let (at, id) = after.map_or((DateTime::UNIX_EPOCH, Uuid::nil()), |after| (*after.at, after.id));
    let removals = removals_query!(
        "
        where appealed_at is not null
            and appeal_outcome is null
            and author_id <> $1
            and (appealed_at, id) > ($2, $3)
        order by appealed_at, id
        limit $4
        ",
        viewer,
        at,
        id,
        size.to_fetch(),
    );
    let removals = removals.fetch_all(db).await?;
    let cursor = |removal: &Removal| {
        let at = removal.appealed_at.unwrap_or(DateTime::UNIX_EPOCH).into();
        OpenAppealsCursor { at, id: removal.id }
    };
    Ok(Page::cut(removals, size, cursor))
}

/// Lists the decided appeals.
pub async fn list_decided(
    db: &mut PgConnection,
    viewer: Uuid,
    size: PageSize,
    after: Option<DecidedAppealsCursor>,
) -> Result<Page<Removal>, Error> {
    let (at, id) = after.map_or((*Timestamp::END, Uuid::max()), |after| (*after.at, after.id));
    let removals = removals_query!(
        "
        where appeal_decided_at is not null
            and author_id <> $1
            and (appeal_decided_at, id) < ($2, $3)
        order by appeal_decided_at desc, id desc
        limit $4
        ",
        viewer,
        at,
        id,
        size.to_fetch(),
    );
    let removals = removals.fetch_all(db).await?;
    let cursor = |removal: &Removal| {
        let at = removal.appeal_decided_at.unwrap_or(DateTime::UNIX_EPOCH).into();
        DecidedAppealsCursor { at, id: removal.id }
    };
    Ok(Page::cut(removals, size, cursor))
}

/// Returns a removal.
async fn get(db: &mut PgConnection, viewer: Uuid, id: Uuid) -> Result<Removal, Error> {
    let removal = removals_query!(
        "
        where id = $2
        ",
        viewer,
        id,
    );
    removal.fetch_optional(db).await?.ok_or(Error::AppealNotFound)
}

/// Returns a removal of the author's content.
///
/// # Errors
/// [`Error::AppealNotFound`], also for content of another member.
pub async fn get_own(db: &mut PgConnection, author: Uuid, id: Uuid) -> Result<Removal, Error> {
    let removal = removals_query!(
        "
        where id = $2
            and author_id = $1
        ",
        author,
        id,
    );
    removal.fetch_optional(db).await?.map(Removal::for_author).ok_or(Error::AppealNotFound)
}

/// Appeals against a removal: once, within 30 days.
///
/// # Errors
/// [`Error::AppealNotFound`]; [`Error::AppealedAlready`]; [`Error::AppealTooLate`].
pub async fn appeal(work: &mut UnitOfWork<'_>, author: Uuid, id: Uuid, text: &Text<1_000>) -> Result<Removal, Error> {
    let appealed = sqlx::query_as!(
        Appealed,
        r#"update feed.removals
        set appeal = $3, appealed_at = $4
        where id = $2
            and author_id = $1
            and appealed_at is null
            and removed_at > $5
        returning id, kind as "kind: ReportedKind", item_id, author_id, removed_by"#,
        author,
        id,
        &**text,
        work.now,
        work.now - APPEAL_PERIOD,
    );
    let appealed = appealed.fetch_optional(&mut *work.db).await?;
    if let Some(appealed) = &appealed {
        publish_appeal_created(work, appealed).await?;
    }
    let removal = get_own(work.db, author, id).await?;
    match (appealed, &removal.appeal) {
        (Some(_), _) => Ok(removal),
        (None, Some(_)) => Err(Error::AppealedAlready),
        (None, None) => Err(Error::AppealTooLate),
    }
}

/// Decides an appeal. The same moderator can repeat a decision without effect. A party of the case cannot decide, as in
/// [`super::decide::decide`].
///
/// # Errors
/// [`Error::AppealNotFound`]; [`Error::OwnCase`]; [`Error::AppealDecided`].
pub async fn decide(
    work: &mut UnitOfWork<'_>,
    links: &LinkPreviews,
    moderator: Uuid,
    decision: &AppealDecision,
) -> Result<Removal, Error> {
    let decided = sqlx::query_as!(
        Removed,
        r#"
        update feed.removals u
        set
            appeal_outcome = $3,
            appeal_reason = $4,
            appeal_note = $5,
            appeal_decided_by = $1,
            appeal_decided_at = $6,
            kept_until = case when $3 = 'upheld' and kept_until is not null then $6 else kept_until end
        where id = $2
            and appealed_at is not null
            and appeal_outcome is null
            and not exists (
                select
                from feed.case_parties party
                where party.kind = u.kind
                    and party.item_id = u.item_id
                    and party.member_id = $1
            )
        returning id, kind as "kind: ReportedKind", item_id, author_id
        "#,
        moderator,
        decision.removal_id,
        decision.outcome as AppealOutcome,
        decision.reason as DecisionReason,
        decision.note.as_deref(),
        work.now,
    );
    let Some(removed) = decided.fetch_optional(&mut *work.db).await? else {
        let removal = get(work.db, moderator, decision.removal_id).await?;
        return match removal.appeal_outcome {
            Some(outcome) if outcome == decision.outcome && removal.appeal_decided_by == Some(moderator) => Ok(removal),
            Some(_) => Err(Error::AppealDecided),
            None if removal.appeal.is_none() => Err(Error::AppealNotFound),
            None => Err(Error::OwnCase),
        };
    };
    if decision.outcome == AppealOutcome::Overturned {
        removal::restore(work, links, &removed).await?;
    }
    let decided = DecidedAppeal {
        id: work.ids.owned_by(removed.author_id),
        removed: &removed,
        moderator,
        outcome: decision.outcome,
        reason: decision.reason,
        note: decision.note.as_deref(),
    };
    publish_appeal_decided(work, &decided).await?;
    get(work.db, moderator, removed.id).await
}
