//! Exports the member's followed topics, previewed links, hidden posts and mutes.

use chrono::{DateTime, Utc};
use data_export::ExportError;
use serde::Serialize;
use sqlx::PgConnection;
use uuid::Uuid;

use super::Writer;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FollowedTopic {
    topic: String,
    followed_at: DateTime<Utc>,
}

pub(super) async fn followed_topics(db: &mut PgConnection, member_id: Uuid, to: &Writer) -> Result<(), ExportError> {
    let topics = sqlx::query_as!(
        FollowedTopic,
        "select topic, followed_at
        from feed.topic_follows
        where member_id = $1
        order by topic",
        member_id
    );
    to.write_all("followed-topics", topics.fetch(db)).await
}

/// A link for which the composer showed a preview. Stored for an hour.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PreviewedLink {
    url: String,
    at: DateTime<Utc>,
}

pub(super) async fn previewed_links(db: &mut PgConnection, member_id: Uuid, to: &Writer) -> Result<(), ExportError> {
    let links = sqlx::query_as!(
        PreviewedLink,
        "select url, created_at as at
        from feed.link_previews
        where audience = $1
        order by created_at, url",
        member_id
    );
    to.write_all("previewed-links", links.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HiddenPost {
    post_id: Uuid,
    hidden_at: DateTime<Utc>,
    not_interested: bool,
}

pub(super) async fn hidden_posts(db: &mut PgConnection, member_id: Uuid, to: &Writer) -> Result<(), ExportError> {
    let hidden = sqlx::query_as!(
        HiddenPost,
        "select post_id, hidden_at, not_interested
        from feed.hidden_posts
        where member_id = $1
        order by hidden_at, post_id",
        member_id
    );
    to.write_all("hidden-posts", hidden.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Mute {
    kind: String,
    word: Option<String>,
    /// The member or community.
    target_id: Option<Uuid>,
    muted_at: DateTime<Utc>,
    expires_at: Option<DateTime<Utc>>,
}

pub(super) async fn mutes(db: &mut PgConnection, member_id: Uuid, to: &Writer) -> Result<(), ExportError> {
    let mutes = sqlx::query_as!(
        Mute,
        r#"select kind as "kind!", word, target_id, muted_at as "muted_at!", expires_at
        from (
            select *
            from feed.mutes
            where member_id = $1
                and word is not null
            union all
            select *
            from feed.mutes
            where member_id = $1
                and target_id is not null
        ) as m
        order by muted_at, id"#,
        member_id
    );
    to.write_all("mutes", mutes.fetch(db)).await
}
