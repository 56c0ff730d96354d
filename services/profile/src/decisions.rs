//! Decisions about verifications, and their log.

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use primitives::input::{Cursor, Line, Page, PageSize};
use serde::{Deserialize, Serialize};
use sqlx::PgExecutor;
use uuid::Uuid;

use crate::error::Error;

/// The reason of a decision.
pub type Reason = Line<500>;

/// The cause of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Cause {
    /// An operator decided.
    Operator,
    /// A steward decided.
    Steward,
    /// The member changed the name.
    NameChanged,
    /// The member changed the school.
    SchoolChanged,
    /// The account was closed or suspended.
    AccountClosed,
}

/// A decision about a verification.
#[derive(Debug)]
pub struct Decision<'a> {
    pub member: Uuid,
    pub cause: Cause,
    /// The steward who decides.
    pub steward: Option<Uuid>,
    /// The school that verifies or verified; `None` for Portia.
    pub school: Option<&'a str>,
    /// Of a steward or an operator.
    pub reason: Option<&'a Reason>,
}

/// Inserts the row `id` of a decision.
pub async fn insert(work: &mut UnitOfWork<'_>, id: Uuid, decision: &Decision<'_>, verified: bool) -> Result<(), Error> {
    sqlx::query!(
        "insert into profile.verification_decisions (id, member_id, verified, cause, steward_id, school, reason, at)
        values ($1, $2, $3, $4, $5, $6, $7, $8)",
        id,
        decision.member,
        verified,
        decision.cause as Cause,
        decision.steward,
        decision.school,
        decision.reason.map(|reason| &**reason),
        work.now,
    )
    .execute(&mut *work.db)
    .await?;
    Ok(())
}

/// A decision in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedDecision {
    /// UUIDv7.
    pub id: Uuid,
    /// The member concerned.
    pub member_id: Uuid,
    /// False: the verification ended.
    pub verified: bool,
    /// The cause.
    pub cause: Cause,
    /// `None` for other causes, and after the account of the steward was erased.
    pub steward_id: Option<Uuid>,
    /// The school that verified; `None` for Portia.
    pub school: Option<String>,
    /// Of a steward or an operator.
    pub reason: Option<String>,
    /// The time.
    pub at: DateTime<Utc>,
}

/// The position in the log.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecisionCursor {
    #[serde(rename = "decided")]
    pub at: DateTime<Utc>,
    #[serde(rename = "i")]
    pub id: Uuid,
}

impl Cursor for DecisionCursor {}

/// A page of the decisions about verifications by a school, newest first.
pub async fn list(
    db: impl PgExecutor<'_>,
    school: &str,
    size: PageSize,
    after: Option<DecisionCursor>,
) -> Result<Page<LoggedDecision>, Error> {
    let after = after.unwrap_or(DecisionCursor { at: DateTime::<Utc>::MAX_UTC, id: Uuid::max() });
    let decisions = sqlx::query_as!(
        LoggedDecision,
        r#"select id, member_id, verified, cause as "cause: Cause", steward_id, school, reason, at
        from profile.verification_decisions
        where profile.comparison_key(school) = profile.comparison_key($1)
            and school is not null
            and (at, id) < ($2, $3)
        order by at desc, id desc
        limit $4"#,
        school,
        after.at,
        after.id,
        size.to_fetch(),
    );
    let decisions = decisions.fetch_all(db).await?;
    Ok(Page::cut(decisions, size, |decision| DecisionCursor { at: decision.at, id: decision.id }))
}
