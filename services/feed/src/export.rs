//! The export of a member's data: its sections and their queries.

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
        comments(db, member_id, to).await?;
        choices(db, member_id, to).await?;
        shown_posts(db, member_id, to).await?;
        moderation(db, member_id, to).await?;
        let impressions = impressions::count(db, member_id).await.map_err(tonic::Status::from)?;
        to.write("impressions", &Impressions { impressions }).await?;
        pdf_files(db, member_id, to).await
    }
}

async fn posts(db: &mut PgConnection, member_id: Uuid, to: &Writer) -> Result<(), ExportError> {
    data_export::sections!(to, db, member_id;
        // The numbers are those that the member sees: 0 for the actions of others in a community that the member left.
        // `media` has the pictures after the first one and the PDF file, `school` the member's school at that time, in the form
        // used for comparison.
        "posts" [
            id, content, title, picture, picture_alt, video_url, media, without_link_preview, created_at, edited_at,
            like_count, comment_count, share_count, repost_of, community_id, school,
        ]
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
        order by p.created_at, p.id"#;

        // All uploaded pictures, whether or not a post shows them.
        "pictures" [file, post_id]
        r#"
        select hash || '.jpg' as "file!", post_id
        from feed.pictures
        where member_id = $1
        order by id
        "#;
    );
    Ok(())
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

async fn choices(db: &mut PgConnection, member_id: Uuid, to: &Writer) -> Result<(), ExportError> {
    data_export::sections!(to, db, member_id;
        "reactions" [post_id, r#type, created_at]
        r#"
        select post_id, kind as "type", created_at
        from feed.reactions
        where member_id = $1
        order by created_at, post_id
        "#;

        "comment-reactions" [comment_id, post_id, r#type, created_at]
        r#"
        select r.comment_id, c.post_id, r.kind as "type", r.created_at
        from feed.comment_reactions r
        join feed.comments c on c.id = r.comment_id
        where r.member_id = $1
        order by r.created_at, r.comment_id
        "#;

        // `id` is the id at the owner of the item.
        "saved-items" [kind, id, saved_at]
        "select kind, item_id as id, saved_at
        from feed.saved_items
        where member_id = $1
        order by saved_at, item_id, kind";

        "followed-topics" [topic, followed_at]
        "select topic, followed_at
        from feed.topic_follows
        where member_id = $1
        order by topic";

        // Links for which the composer showed a preview. Stored for an hour.
        "previewed-links" [url, at]
        "select url, created_at as at
        from feed.link_previews
        where audience = $1
        order by created_at, url";

        "hidden-posts" [post_id, hidden_at, not_interested]
        "select post_id, hidden_at, not_interested
        from feed.hidden_posts
        where member_id = $1
        order by hidden_at, post_id";

        "mutes" [kind, word, target_id, muted_at, expires_at]
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
        order by muted_at, id"#;
    );
    Ok(())
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

async fn moderation(db: &mut PgConnection, member_id: Uuid, to: &Writer) -> Result<(), ExportError> {
    data_export::sections!(to, db, member_id;
        // Without the content, which belongs to another member, and without the decision. `id` is the id at the owner of the item.
        "reports" [kind, id, reason, words, created_at]
        "select kind, item_id as id, reason, words, created_at
        from feed.reports
        where reporter_id = $1
        order by created_at, item_id";

        // Content of the member that a decision removed, with the text while it is kept, without the moderators.
        "removals" [kind, id, reported_text, content, reason, removed_at, appeal, appealed_at, appeal_outcome, restored]
        r#"
        select
            r.kind, r.item_id as id, r.excerpt as reported_text, coalesce(p.content, c.content) as content, r.reason,
            r.removed_at, r.appeal, r.appealed_at, r.appeal_outcome, r.is_restored as restored
        from feed.removals r
        left join feed.posts p on p.id = r.item_id and r.kept_until is not null
        left join feed.removed_comments c on c.id = r.item_id
        where r.author_id = $1
        order by r.removed_at, r.id
        "#;

        // Replies of the member that were removed with the comment of another member, and are deleted with it after 30 days.
        "removed-replies" [id, post_id, content, created_at]
        "select c.id, c.post_id, c.content, c.created_at
        from feed.removed_comments c
        join feed.removals r on r.id = c.removal_id
        where c.author_id = $1
            and r.item_id <> c.id
        order by c.created_at, c.id";
    );
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
