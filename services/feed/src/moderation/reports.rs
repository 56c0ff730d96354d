//! The queue of reports, and one report with its context. A moderator cannot read reports of their own content:
//! reporters are confidential.

use chrono::{DateTime, Utc};
use primitives::input::{Cursor, Page, PageSize};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    cases::{DecisionReason, Outcome, Reason, ReportedKind},
    cursors::Timestamp,
    error::Error,
};

/// A reported item with the first of its reports that are open or were decided together.
pub struct ModeratedReport {
    pub id: Uuid,
    pub kind: ReportedKind,
    pub item_id: Uuid,
    /// The owner of the item.
    pub subject_id: Option<Uuid>,
    pub excerpt: String,
    pub reason: Reason,
    pub created_at: DateTime<Utc>,
    pub resolved_at: Option<DateTime<Utc>>,
    pub outcome: Option<Outcome>,
    pub decision_reason: Option<DecisionReason>,
    pub decided_by: Option<Uuid>,
    pub note: Option<String>,
    pub report_count: i64,
    /// The viewer may decide: the report is open, and the viewer is not a party of the case.
    pub is_decidable: bool,
}

/// Selects reports as the moderator `$1` sees them, with this part of the reported text; the conditions and the order follow.
macro_rules! reports_query {
    ($excerpt:literal, $rest:literal, $($argument:expr),+ $(,)?) => {
        sqlx::query_as!(
            ModeratedReport,
            r#"
            select
                r.id, r.kind as "kind: ReportedKind", r.item_id, r.subject_id, "#
                + $excerpt
                + r#" as "excerpt!", r.reason as "reason: Reason",
                r.created_at, r.resolved_at, r.outcome as "outcome: Outcome",
                r.decision_reason as "decision_reason: DecisionReason", r.decided_by, r.note,
                (
                    select count(*)
                    from feed.reports o
                    where o.kind = r.kind
                        and o.item_id = r.item_id
                        and (
                            (r.resolved_at is null and o.resolved_at is null)
                            or o.id = r.id
                            or (r.decision_id is not null and o.decision_id = r.decision_id)
                        )
                ) as "report_count!",
                r.resolved_at is null
                    and not exists (
                        select
                        from feed.case_parties party
                        where party.kind = r.kind
                            and party.item_id = r.item_id
                            and party.member_id = $1
                    ) as "is_decidable!"
            from feed.reports r
            "#
                + $rest,
            $($argument),+
        )
    };
}

/// The open reports by item, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenReportsCursor {
    /// The time of the last row.
    #[serde(rename = "reported")]
    pub at: Timestamp,
    /// Its id, for rows of the same time.
    pub id: Uuid,
}

impl Cursor for OpenReportsCursor {}

/// The decided reports, newest first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecidedReportsCursor {
    /// The time of the last row.
    #[serde(rename = "decided")]
    pub at: Timestamp,
    /// Its id, for rows of the same time.
    pub id: Uuid,
}

impl Cursor for DecidedReportsCursor {}

/// The filters of a list.
#[derive(Clone, Copy, Default)]
pub struct ReportFilter {
    pub kind: Option<ReportedKind>,
    /// At least one report of the item states this reason.
    pub reason: Option<Reason>,
}

/// Lists the items with open reports, in the order of their oldest report.
pub async fn list_open(
    db: &mut PgConnection,
    viewer: Uuid,
    filter: ReportFilter,
    size: PageSize,
    after: Option<OpenReportsCursor>,
) -> Result<Page<ModeratedReport>, Error> {
    let (at, id) = after.map_or((DateTime::UNIX_EPOCH, Uuid::nil()), |after| (*after.at, after.id));
    let reports = reports_query!(
        "left(r.excerpt, 300)",
        "
        where r.resolved_at is null
            and r.subject_id is distinct from $1
            and (r.created_at, r.id) > ($2, $3)
            and not exists (
                select
                from feed.reports e
                where e.kind = r.kind
                    and e.item_id = r.item_id
                    and e.resolved_at is null
                    and (e.created_at, e.id) < (r.created_at, r.id)
            )
            and ($4::text is null or r.kind = $4)
            and (
                $5::text is null
                or exists (
                    select
                    from feed.reports o
                    where o.kind = r.kind
                        and o.item_id = r.item_id
                        and o.resolved_at is null
                        and o.reason = $5
                )
            )
        order by r.created_at, r.id
        limit $6
        ",
        viewer,
        at,
        id,
        filter.kind as Option<ReportedKind>,
        filter.reason as Option<Reason>,
        size.to_fetch(),
    );
    let reports = reports.fetch_all(db).await?;
    Ok(Page::cut(reports, size, |report| OpenReportsCursor { at: report.created_at.into(), id: report.id }))
}

/// Lists the decisions, newest first.
pub async fn list_decided(
    db: &mut PgConnection,
    viewer: Uuid,
    filter: ReportFilter,
    size: PageSize,
    after: Option<DecidedReportsCursor>,
) -> Result<Page<ModeratedReport>, Error> {
    let (at, id) = after.map_or((*Timestamp::END, Uuid::max()), |after| (*after.at, after.id));
    let reports = reports_query!(
        "left(r.excerpt, 300)",
        "
        where r.resolved_at is not null
            and (r.decision_id is null or r.decision_id = r.id)
            and r.subject_id is distinct from $1
            and (r.resolved_at, r.id) < ($2, $3)
            and ($4::text is null or r.kind = $4)
            and ($5::text is null or r.reason = $5)
        order by r.resolved_at desc, r.id desc
        limit $6
        ",
        viewer,
        at,
        id,
        filter.kind as Option<ReportedKind>,
        filter.reason as Option<Reason>,
        size.to_fetch(),
    );
    let reports = reports.fetch_all(db).await?;
    let cursor = |report: &ModeratedReport| {
        let at = report.resolved_at.unwrap_or(DateTime::UNIX_EPOCH).into();
        DecidedReportsCursor { at, id: report.id }
    };
    Ok(Page::cut(reports, size, cursor))
}

/// Returns a report with the whole stored text.
///
/// # Errors
/// [`Error::ReportNotFound`].
pub async fn get(db: &mut PgConnection, viewer: Uuid, id: Uuid) -> Result<ModeratedReport, Error> {
    let report = reports_query!(
        "r.excerpt",
        "
        where r.id = $2
            and r.subject_id is distinct from $1
        ",
        viewer,
        id,
    );
    report.fetch_optional(db).await?.ok_or(Error::ReportNotFound)
}

/// The report of one member, with the numbers of their earlier decided reports.
pub struct Statement {
    pub reporter_id: Option<Uuid>,
    pub reason: Reason,
    pub words: Option<String>,
    pub created_at: DateTime<Utc>,
    pub reporter_removed: i64,
    pub reporter_dismissed: i64,
}

/// Returns the first fifty reports that were grouped with a report, oldest first.
pub async fn list_statements(db: &mut PgConnection, id: Uuid) -> Result<Vec<Statement>, Error> {
    let statements = sqlx::query_as!(
        Statement,
        r#"
        select
            o.reporter_id, o.reason as "reason: Reason", o.words, o.created_at,
            earlier.removed as "reporter_removed!", earlier.dismissed as "reporter_dismissed!"
        from feed.reports r
        join feed.reports o on o.kind = r.kind and o.item_id = r.item_id
        cross join lateral (
            select
                count(*) filter (where e.outcome = 'removed' and u.id is null) as removed,
                count(*) filter (where e.outcome = 'dismissed' or u.id is not null) as dismissed
            from feed.reports e
            left join feed.removals u on u.id = e.decision_id and u.appeal_outcome = 'overturned'
            where e.reporter_id = o.reporter_id
                and e.id <> o.id
        ) as earlier
        where r.id = $1
            and (
                (r.resolved_at is null and o.resolved_at is null)
                or o.id = r.id
                or (r.decision_id is not null and o.decision_id = r.decision_id)
            )
        order by o.created_at, o.id
        limit 50
        "#,
        id,
    );
    Ok(statements.fetch_all(db).await?)
}

/// The decisions about other items of the same owner.
pub struct EarlierDecisions {
    pub removed: i64,
    pub dismissed: i64,
}

/// Counts the other items of the owner by their decision. A removal that an appeal overturned counts as dismissed.
pub async fn count_earlier(db: &mut PgConnection, report: &ModeratedReport) -> Result<EarlierDecisions, Error> {
    let earlier = sqlx::query_as!(
        EarlierDecisions,
        r#"
        select
            count(distinct e.item_id) filter (where e.outcome = 'removed' and u.id is null) as "removed!",
            count(distinct e.item_id) filter (where e.outcome = 'dismissed' or u.id is not null) as "dismissed!"
        from feed.reports e
        left join feed.removals u on u.id = e.decision_id and u.appeal_outcome = 'overturned'
        where e.subject_id = $1
            and e.item_id <> $2
        "#,
        report.subject_id,
        report.item_id,
    );
    Ok(earlier.fetch_one(db).await?)
}

/// A post or comment as it is now.
pub struct CurrentItem {
    pub content: String,
    pub title: Option<String>,
    pub created_at: DateTime<Utc>,
    pub edited_at: Option<DateTime<Utc>>,
    pub post_id: Uuid,
    /// The beginning of the post of a comment.
    pub post_excerpt: Option<String>,
    pub community_id: Option<Uuid>,
    pub community_name: Option<String>,
}

/// Returns the reported post or comment without a check of visibility, or `None` when it was deleted or removed, or
/// belongs to another service.
pub async fn get_current(db: &mut PgConnection, report: &ModeratedReport) -> Result<Option<CurrentItem>, Error> {
    let item = sqlx::query_as!(
        CurrentItem,
        r#"
        select
            coalesce(c.content, p.content) as "content!",
            case when c.id is null then p.title end as "title?",
            coalesce(c.created_at, p.created_at) as "created_at!",
            case when c.id is null then p.edited_at else c.edited_at end as "edited_at?",
            p.id as post_id,
            case when c.id is not null then left(p.content, 300) end as "post_excerpt?",
            p.community_id,
            m.name as "community_name?"
        from feed.posts p
        left join feed.comments c on $1 = 'comment' and c.id = $2 and c.post_id = p.id
        left join feed.communities m on m.id = p.community_id
        where $1 in ('post', 'comment')
            and p.id = case when $1 = 'post' then $2 else (select post_id from feed.comments where id = $2) end
            and p.author_id > '00000000-0000-0000-0000-000000000001'
        "#,
        report.kind as ReportedKind,
        report.item_id,
    );
    Ok(item.fetch_optional(db).await?)
}
