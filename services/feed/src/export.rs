//! The export of a member's data: its sections and their queries.

mod feed_control;
mod moderation;

use chrono::{DateTime, NaiveDate, Utc};
use data_export::{ExportError, ExportSource};
use portia_proto::feed::{ExportMemberResponse, ExportedPart};
use serde::Serialize;
use sqlx::{PgConnection, types::Json};
use uuid::Uuid;

use crate::{impressions, media::Media, pdf_files::read_chunk, visibility::visible_comment_query};

pub type Exporter = data_export::Exporter<MemberData>;
pub type RecordStream = data_export::RecordStream<ExportMemberResponse>;
type Writer = data_export::RecordWriter<ExportMemberResponse>;

/// The data of a member in this schema.
pub struct MemberData;

impl ExportSource for MemberData {
    type Record = ExportMemberResponse;

    fn record(section: String, json: String) -> ExportMemberResponse {
        ExportMemberResponse { section, json, part: None }
    }

    async fn write(&self, db: &mut PgConnection, member_id: Uuid, to: &Writer) -> Result<(), ExportError> {
        posts(db, member_id, to).await?;
        pictures(db, member_id, to).await?;
        comments(db, member_id, to).await?;
        reactions(db, member_id, to).await?;
        comment_reactions(db, member_id, to).await?;
        saved_items(db, member_id, to).await?;
        feed_control::followed_topics(db, member_id, to).await?;
        feed_control::previewed_links(db, member_id, to).await?;
        feed_control::hidden_posts(db, member_id, to).await?;
        feed_control::mutes(db, member_id, to).await?;
        shown_posts(db, member_id, to).await?;
        moderation::reports(db, member_id, to).await?;
        moderation::removals(db, member_id, to).await?;
        moderation::removed_replies(db, member_id, to).await?;
        let impressions = impressions::count(db, member_id).await.map_err(tonic::Status::from)?;
        to.write("impressions", &Impressions { impressions }).await?;
        pdf_files(db, member_id, to).await
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Post {
    id: Uuid,
    content: String,
    title: Option<String>,
    /// The file name.
    picture: Option<String>,
    picture_alt: Option<String>,
    video_url: Option<String>,
    /// The pictures after the first one, and the PDF file.
    media: Option<Json<Media>>,
    /// The member removed the preview of the link.
    without_link_preview: bool,
    created_at: DateTime<Utc>,
    edited_at: Option<DateTime<Utc>>,
    like_count: i64,
    comment_count: i64,
    share_count: i64,
    repost_of: Option<Uuid>,
    community_id: Option<Uuid>,
    /// The member's school at that time, in the form used for comparison.
    school: Option<String>,
}

/// Exports posts with the numbers that the member sees: 0 for the actions of others in a community that the member
/// left.
async fn posts(db: &mut PgConnection, member_id: Uuid, to: &Writer) -> Result<(), ExportError> {
    let posts = sqlx::query_as!(
        Post,
        r#"select
            p.id, p.content, p.title, p.picture_hash || '.jpg' as picture, p.picture_alt, p.video_url,
            p.media as "media: Json<Media>", p.without_link_preview, p.created_at, p.edited_at,
            case when seen.has_reactions then p.like_count else 0 end as "like_count!",
            case when seen.has_reactions then p.comment_count else 0 end as "comment_count!",
            p.share_count, p.repost_of, p.community_id, p.school_key as school
        from feed.posts p
        cross join lateral (
            select
                p.community_id is null
                    or exists (
                        select from feed.memberships m where m.member_id = $1 and m.community_id = p.community_id
                    ) as has_reactions
        ) as seen
        where p.author_id = $1
        order by p.created_at, p.id"#,
        member_id
    );
    to.write_all("posts", posts.fetch(db)).await
}

/// An uploaded picture, whether or not attached to a post.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Picture {
    file: String,
    post_id: Option<Uuid>,
}

async fn pictures(db: &mut PgConnection, member_id: Uuid, to: &Writer) -> Result<(), ExportError> {
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
    to.write_all("pictures", pictures.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Comment {
    id: Uuid,
    post_id: Uuid,
    content: String,
    created_at: DateTime<Utc>,
    edited_at: Option<DateTime<Utc>>,
    /// The top-level comment of a reply.
    reply_to: Option<Uuid>,
    reply_count: i64,
    like_count: i64,
}

/// Exports comments. The numbers are 0 for a comment that the member no longer sees: in a community that the member
/// left, or after a block.
async fn comments(db: &mut PgConnection, member_id: Uuid, to: &Writer) -> Result<(), ExportError> {
    let comments = visible_comment_query!(
        Comment,
        r#"
        select
            c.id, c.post_id, c.content, c.created_at, c.edited_at, c.reply_to,
            case when seen.is_visible then c.reply_count else 0 end as "reply_count!",
            case when seen.is_visible then c.like_count else 0 end as "like_count!"
        from feed.comments c
        join feed.posts p on p.id = c.post_id
        cross join lateral (
            select exists (
                select
                where
        "#,
        r#"
            ) as is_visible
        ) as seen
        where c.author_id = $1
        order by c.created_at, c.id
        "#,
        member_id
    );
    to.write_all("comments", comments.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Reaction {
    post_id: Uuid,
    r#type: String,
    created_at: DateTime<Utc>,
}

async fn reactions(db: &mut PgConnection, member_id: Uuid, to: &Writer) -> Result<(), ExportError> {
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
    to.write_all("reactions", reactions.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CommentReaction {
    comment_id: Uuid,
    post_id: Uuid,
    r#type: String,
    created_at: DateTime<Utc>,
}

async fn comment_reactions(db: &mut PgConnection, member_id: Uuid, to: &Writer) -> Result<(), ExportError> {
    let reactions = sqlx::query_as!(
        CommentReaction,
        r#"
        select r.comment_id, c.post_id, r.kind as "type", r.created_at
        from feed.comment_reactions r
        join feed.comments c on c.id = r.comment_id
        where r.member_id = $1
        order by r.created_at, r.comment_id
        "#,
        member_id
    );
    to.write_all("comment-reactions", reactions.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SavedItem {
    kind: String,
    /// The id at the owner of the item.
    id: String,
    saved_at: DateTime<Utc>,
}

async fn saved_items(db: &mut PgConnection, member_id: Uuid, to: &Writer) -> Result<(), ExportError> {
    let items = sqlx::query_as!(
        SavedItem,
        "select kind, item_id as id, saved_at
        from feed.saved_items
        where member_id = $1
        order by saved_at, item_id, kind",
        member_id
    );
    to.write_all("saved-items", items.fetch(db)).await
}

/// A post of another member that was shown to this one. Stored for two days.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ShownPost {
    post_id: Uuid,
    day: NaiveDate,
}

async fn shown_posts(db: &mut PgConnection, member_id: Uuid, to: &Writer) -> Result<(), ExportError> {
    for day in impressions::days(&mut *db).await? {
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
        to.write_all("shown-posts", shown.fetch(&mut *db)).await?;
    }
    Ok(())
}

/// How often the posts of the member were shown to others.
#[derive(Serialize)]
struct Impressions {
    impressions: i64,
}

/// An uploaded PDF file, whether or not attached to a post. Its bytes follow the records.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Pdf {
    #[serde(skip)]
    id: Uuid,
    name: String,
    size: i32,
    post_id: Option<Uuid>,
    uploaded_at: DateTime<Utc>,
    /// The name in the archive.
    file: String,
}

async fn pdf_files(db: &mut PgConnection, member_id: Uuid, to: &Writer) -> Result<(), ExportError> {
    let files = sqlx::query_as!(
        Pdf,
        r#"
        select id, name, size, post_id, uploaded_at, id || '.pdf' as "file!"
        from feed.pdf_files
        where member_id = $1
        order by uploaded_at, id
        "#,
        member_id
    );
    let files = files.fetch_all(&mut *db).await?;
    for file in &files {
        to.write("pdf-files", file).await?;
    }
    for file in files {
        let mut offset = 0;
        loop {
            let chunk = read_chunk(&mut *db, file.id, offset).await.map_err(tonic::Status::from)?;
            let Ok(read @ 1..) = i32::try_from(chunk.len()) else { break };
            let part = Some(ExportedPart { file: file.file.clone(), chunk });
            to.send(ExportMemberResponse { part, ..Default::default() }).await?;
            offset += read;
        }
    }
    Ok(())
}
