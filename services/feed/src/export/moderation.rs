//! Reports of the member, and content of the member that was removed.

use chrono::{DateTime, Utc};
use data_export::ExportError;
use serde::Serialize;
use sqlx::PgConnection;
use uuid::Uuid;

use super::Writer;

/// A report of the member, without the content, which belongs to another member, and without the decision.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    kind: String,
    /// The id at the owner of the item.
    id: Uuid,
    reason: String,
    words: Option<String>,
    created_at: DateTime<Utc>,
}

pub(super) async fn reports(db: &mut PgConnection, member_id: Uuid, to: &Writer) -> Result<(), ExportError> {
    let reports = sqlx::query_as!(
        Report,
        "select kind, item_id as id, reason, words, created_at
        from feed.reports
        where reporter_id = $1
        order by created_at, item_id",
        member_id
    );
    to.write_all("reports", reports.fetch(db)).await
}

/// Content of the member that a decision removed. It includes the text while it is kept, but not the moderators.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Removal {
    kind: String,
    id: Uuid,
    reported_text: String,
    /// The kept text.
    content: Option<String>,
    reason: String,
    removed_at: DateTime<Utc>,
    appeal: Option<String>,
    appealed_at: Option<DateTime<Utc>>,
    appeal_outcome: Option<String>,
    restored: bool,
}

pub(super) async fn removals(db: &mut PgConnection, member_id: Uuid, to: &Writer) -> Result<(), ExportError> {
    let removals = sqlx::query_as!(
        Removal,
        r#"
        select
            r.kind, r.item_id as id, r.excerpt as reported_text, coalesce(p.content, c.content) as content, r.reason,
            r.removed_at, r.appeal, r.appealed_at, r.appeal_outcome, r.is_restored as restored
        from feed.removals r
        left join feed.posts p on p.id = r.item_id and r.kept_until is not null
        left join feed.removed_comments c on c.id = r.item_id
        where r.author_id = $1
        order by r.removed_at, r.id
        "#,
        member_id
    );
    to.write_all("removals", removals.fetch(db)).await
}

/// A reply of the member that was removed with the comment of another member. Deleted with it after 30 days.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RemovedReply {
    id: Uuid,
    post_id: Uuid,
    content: String,
    created_at: DateTime<Utc>,
}

pub(super) async fn removed_replies(db: &mut PgConnection, member_id: Uuid, to: &Writer) -> Result<(), ExportError> {
    let replies = sqlx::query_as!(
        RemovedReply,
        "select c.id, c.post_id, c.content, c.created_at
        from feed.removed_comments c
        join feed.removals r on r.id = c.removal_id
        where c.author_id = $1
            and r.item_id <> c.id
        order by c.created_at, c.id",
        member_id
    );
    to.write_all("removed-replies", replies.fetch(db)).await
}
