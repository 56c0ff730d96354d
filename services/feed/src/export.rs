//! Everything feed keeps of a member, for the member: which sections, and where each is read from.

use chassis::rpc::records::{self, Interrupted, Sections};
use chrono::{DateTime, NaiveDate, Utc};
use portia_proto::feed::ExportMemberResponse;
use serde::Serialize;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::impressions;

/// Gives exports.
pub type Exports = records::Exports<Everything>;
/// One export.
pub type Records = records::Records<ExportMemberResponse>;
type Reader = records::Reader<ExportMemberResponse>;

/// All that feed keeps of a member.
#[derive(Clone, Copy, Debug)]
pub struct Everything;

impl Sections for Everything {
    type Record = ExportMemberResponse;

    fn record(section: String, json: String) -> ExportMemberResponse {
        ExportMemberResponse { section, json }
    }

    async fn tell(&self, conn: &mut PgConnection, member_id: Uuid, to: &Reader) -> Result<(), Interrupted> {
        posts(conn, member_id, to).await?;
        comments(conn, member_id, to).await?;
        reactions(conn, member_id, to).await?;
        shown_posts(conn, member_id, to).await?;
        let impressions = impressions::of(conn, member_id).await?;
        to.tell("impressions", &Impressions { impressions }).await
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Post {
    id: Uuid,
    content: String,
    created_at: DateTime<Utc>,
    like_count: i64,
    comment_count: i64,
    community_id: Option<Uuid>,
    /// Where the member studied then, as it is compared.
    school: Option<String>,
}

async fn posts(conn: &mut PgConnection, member_id: Uuid, to: &Reader) -> Result<(), Interrupted> {
    let posts = sqlx::query_as!(
        Post,
        "select id, content, created_at, like_count, comment_count, community_id, school_key as school
        from feed.posts
        where author_id = $1
        order by created_at, id",
        member_id
    );
    to.each("posts", posts.fetch(conn)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Comment {
    id: Uuid,
    post_id: Uuid,
    content: String,
    created_at: DateTime<Utc>,
}

async fn comments(conn: &mut PgConnection, member_id: Uuid, to: &Reader) -> Result<(), Interrupted> {
    let comments = sqlx::query_as!(
        Comment,
        "select id, post_id, content, created_at
        from feed.comments
        where author_id = $1
        order by created_at, id",
        member_id
    );
    to.each("comments", comments.fetch(conn)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Reaction {
    post_id: Uuid,
    r#type: String,
    created_at: DateTime<Utc>,
}

async fn reactions(conn: &mut PgConnection, member_id: Uuid, to: &Reader) -> Result<(), Interrupted> {
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
    to.each("reactions", reactions.fetch(conn)).await
}

/// Somebody's post which the member was shown: kept for days.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ShownPost {
    post_id: Uuid,
    day: NaiveDate,
}

async fn shown_posts(conn: &mut PgConnection, member_id: Uuid, to: &Reader) -> Result<(), Interrupted> {
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
        to.each("shown-posts", shown.fetch(&mut *conn)).await?;
    }
    Ok(())
}

/// How often the member's posts were shown to others.
#[derive(Serialize)]
struct Impressions {
    impressions: i64,
}
