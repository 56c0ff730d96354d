//! Everything feed keeps of a member, for the member: which sections, and where each is read from.

use chrono::{DateTime, NaiveDate, Utc};
use data_export::{ExportError, ExportSource};
use portia_proto::feed::ExportMemberResponse;
use serde::Serialize;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::impressions;

/// Gives exports.
pub type Exports = data_export::Exporter<Everything>;
/// One export.
pub type Records = data_export::RecordStream<ExportMemberResponse>;
type Reader = data_export::RecordWriter<ExportMemberResponse>;

/// All that feed keeps of a member.
#[derive(Clone, Copy, Debug)]
pub struct Everything;

impl ExportSource for Everything {
    type Record = ExportMemberResponse;

    fn record(section: String, json: String) -> ExportMemberResponse {
        ExportMemberResponse { section, json }
    }

    async fn write(&self, conn: &mut PgConnection, member_id: Uuid, to: &Reader) -> Result<(), ExportError> {
        posts(conn, member_id, to).await?;
        pictures(conn, member_id, to).await?;
        comments(conn, member_id, to).await?;
        reactions(conn, member_id, to).await?;
        saved_items(conn, member_id, to).await?;
        shown_posts(conn, member_id, to).await?;
        reports(conn, member_id, to).await?;
        let impressions = impressions::of(conn, member_id).await.map_err(tonic::Status::from)?;
        to.write("impressions", &Impressions { impressions }).await
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Post {
    id: Uuid,
    content: String,
    title: Option<String>,
    /// The file it shows.
    picture: Option<String>,
    picture_alt: Option<String>,
    video_url: Option<String>,
    created_at: DateTime<Utc>,
    edited_at: Option<DateTime<Utc>>,
    like_count: i64,
    comment_count: i64,
    share_count: i64,
    /// What it passes on.
    repost_of: Option<Uuid>,
    community_id: Option<Uuid>,
    /// Where the member studied then, as it is compared.
    school: Option<String>,
}

async fn posts(conn: &mut PgConnection, member_id: Uuid, to: &Reader) -> Result<(), ExportError> {
    let posts = sqlx::query_as!(
        Post,
        "select
            id, content, title, picture_hash || '.jpg' as picture, picture_alt, video_url, created_at, edited_at,
            like_count, comment_count, share_count, repost_of, community_id, school_key as school
        from feed.posts
        where author_id = $1
        order by created_at, id",
        member_id
    );
    to.write_all("posts", posts.fetch(conn)).await
}

/// A picture, also while it waits for its post.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Picture {
    file: String,
    post_id: Option<Uuid>,
}

async fn pictures(conn: &mut PgConnection, member_id: Uuid, to: &Reader) -> Result<(), ExportError> {
    let pictures = sqlx::query_as!(
        Picture,
        r#"
        select hash || '.jpg' as "file!", post_id
        from feed.pictures
        where member_id = $1
        order by id
        "#,
        member_id
    );
    to.write_all("pictures", pictures.fetch(conn)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Comment {
    id: Uuid,
    post_id: Uuid,
    content: String,
    created_at: DateTime<Utc>,
    edited_at: Option<DateTime<Utc>>,
}

async fn comments(conn: &mut PgConnection, member_id: Uuid, to: &Reader) -> Result<(), ExportError> {
    let comments = sqlx::query_as!(
        Comment,
        "select id, post_id, content, created_at, edited_at
        from feed.comments
        where author_id = $1
        order by created_at, id",
        member_id
    );
    to.write_all("comments", comments.fetch(conn)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Reaction {
    post_id: Uuid,
    r#type: String,
    created_at: DateTime<Utc>,
}

async fn reactions(conn: &mut PgConnection, member_id: Uuid, to: &Reader) -> Result<(), ExportError> {
    let reactions = sqlx::query_as!(
        Reaction,
        r#"
        select post_id, kind as "type", created_at
        from feed.reactions
        where member_id = $1
        order by created_at, post_id
        "#,
        member_id
    );
    to.write_all("reactions", reactions.fetch(conn)).await
}

/// Something kept for later.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SavedItem {
    kind: String,
    /// Its owner's id for it.
    id: String,
    saved_at: DateTime<Utc>,
}

async fn saved_items(conn: &mut PgConnection, member_id: Uuid, to: &Reader) -> Result<(), ExportError> {
    let items = sqlx::query_as!(
        SavedItem,
        "select kind, item_id as id, saved_at
        from feed.saved_items
        where member_id = $1
        order by saved_at, item_id, kind",
        member_id
    );
    to.write_all("saved-items", items.fetch(conn)).await
}

/// Somebody's post which the member was shown: kept for days.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ShownPost {
    post_id: Uuid,
    day: NaiveDate,
}

async fn shown_posts(conn: &mut PgConnection, member_id: Uuid, to: &Reader) -> Result<(), ExportError> {
    for day in impressions::days(&mut *conn).await? {
        let shown = sqlx::query_as!(
            ShownPost,
            "select post_id, day
            from feed.impressions
            where day = $1
                and viewer_id = $2
            order by post_id",
            day,
            member_id
        );
        to.write_all("shown-posts", shown.fetch(&mut *conn)).await?;
    }
    Ok(())
}

/// Something the member reported. What it says is another's, and what was decided is not told to anybody.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    kind: String,
    /// Its owner's id for it.
    id: Uuid,
    reason: String,
    words: Option<String>,
    created_at: DateTime<Utc>,
}

async fn reports(conn: &mut PgConnection, member_id: Uuid, to: &Reader) -> Result<(), ExportError> {
    let reports = sqlx::query_as!(
        Report,
        "select kind, item_id as id, reason, words, created_at
        from feed.reports
        where reporter_id = $1
        order by created_at, item_id",
        member_id
    );
    to.write_all("reports", reports.fetch(conn)).await
}

/// How often the member's posts were shown to others.
#[derive(Serialize)]
struct Impressions {
    impressions: i64,
}
