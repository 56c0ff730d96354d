//! Creates reports.

use outbox::UnitOfWork;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{MAX_EXCERPT, NewReport, ReportedContent};
use crate::{
    cases::{Reason, ReportedKind},
    error::Error,
    publishing::moderation::{CreatedReport, publish_report_created},
    visibility::get_visible,
};

/// Stores a report, unless the reporter has an open one of the same item.
pub async fn create(work: &mut UnitOfWork<'_>, reporter_id: Uuid, report: NewReport) -> Result<(), Error> {
    let id = work.ids.owned_by(reporter_id);
    let (item_id, ReportedContent { subject_id, excerpt }) = match report.kind {
        ReportedKind::Post => read_post(work.db, reporter_id, report.item_id).await?,
        ReportedKind::Comment => (report.item_id, read_comment(work.db, reporter_id, report.item_id).await?),
        ReportedKind::Member | ReportedKind::Message | ReportedKind::Job => (report.item_id, report.external),
    };
    if subject_id == Some(reporter_id) {
        return Err(Error::OwnContent);
    }
    let inserted = sqlx::query!(
        "insert into feed.reports (id, reporter_id, kind, item_id, subject_id, excerpt, reason, words, created_at)
        values ($1, $2, $3, $4, $5, left($6, $7), $8, $9, $10)
        on conflict (reporter_id, kind, item_id) where resolved_at is null do nothing",
        id,
        reporter_id,
        report.kind as ReportedKind,
        item_id,
        subject_id,
        excerpt,
        i32::try_from(MAX_EXCERPT).unwrap_or(i32::MAX),
        report.reason as Reason,
        report.explanation.as_deref(),
        work.now
    );
    if inserted.execute(&mut *work.db).await?.rows_affected() == 1
        && let Some(subject_id) = subject_id
    {
        let created = CreatedReport { id, kind: report.kind, item_id, reporter_id, subject_id, is_decided: false };
        publish_report_created(work, &created).await?;
    }
    Ok(())
}

/// A post with all its texts.
struct ReportedPost {
    author_id: Uuid,
    /// Empty for a repost without text.
    content: String,
    /// The title, description and URL of the link preview, which the page may change later.
    card: Option<String>,
    original_id: Option<Uuid>,
}

/// Returns the post that a report is about, and its content. A repost without text has no content: the report is about
/// its original, unless the reporter wrote it or may not see it.
async fn read_post(db: &mut PgConnection, reporter: Uuid, id: Uuid) -> Result<(Uuid, ReportedContent), Error> {
    let post = get_post(db, reporter, id).await?.ok_or(Error::PostNotFound)?;
    if post.content.is_empty()
        && let Some(original_id) = post.original_id
        && get_visible(db, reporter, original_id).await.is_ok()
        && let Some(original) = get_post(db, reporter, original_id).await?
        && original.author_id != reporter
    {
        return Ok((original_id, original.into()));
    }
    Ok((id, post.into()))
}

impl From<ReportedPost> for ReportedContent {
    /// Truncates a long text, but never the card.
    fn from(post: ReportedPost) -> Self {
        let excerpt = match post.card {
            Some(card) => {
                let space = MAX_EXCERPT.saturating_sub(card.chars().count() + 1);
                let text: String = post.content.chars().take(space).collect();
                format!("{text}\n{card}")
            }
            None => post.content,
        };
        Self { subject_id: Some(post.author_id), excerpt }
    }
}

/// Reads a comment that answers or mentions the reporter, or whose post the reporter may see apart from blocks.
async fn read_comment(db: &mut PgConnection, reporter: Uuid, id: Uuid) -> Result<ReportedContent, Error> {
    let comment = sqlx::query!(
        "select c.author_id, c.content
        from feed.comments c
        join feed.posts p on p.id = c.post_id
        where c.id = $2
            and (
                p.community_id is null
                or p.author_id = $1
                or exists (
                    select from feed.memberships m where m.member_id = $1 and m.community_id = p.community_id
                )
                -- Received, also by a member who was removed from the community afterwards.
                or position('@[' || $1::uuid || ']' in c.content) > 0
                or exists (select from feed.comments t where t.id = c.reply_to and t.author_id = $1)
            )
            and not exists (select from feed.hidden_members h where h.member_id = p.author_id)
            and not exists (
                select
                from feed.comments t
                join feed.hidden_members h on h.member_id = t.author_id
                where t.id in (c.id, c.reply_to)
            )",
        reporter,
        id
    );
    let comment = comment.fetch_optional(db).await?.ok_or(Error::CommentNotFound)?;
    Ok(ReportedContent { subject_id: Some(comment.author_id), excerpt: comment.content })
}

/// Reads a post with its title, text, descriptions, addresses and link card, if it mentions the viewer or the viewer
/// may see it apart from blocks.
async fn get_post(db: &mut PgConnection, viewer: Uuid, id: Uuid) -> Result<Option<ReportedPost>, Error> {
    let post = sqlx::query_as!(
        ReportedPost,
        r#"select
            p.author_id,
            concat_ws(
                chr(10),
                p.title,
                nullif(p.content, ''),
                nullif(p.picture_alt, ''),
                '/media/signed/' || p.picture_hash || '.jpg',
                p.video_url
            ) as "content!",
            (
                select concat_ws(chr(10), l.card ->> 'title', l.card ->> 'description', l.card ->> 'url')
                from feed.link_previews l
                where l.id = p.link_preview_id
                    and l.card is not null
            ) as card,
            p.repost_of as original_id
        from feed.posts p
        where p.id = $2
            and (
                p.community_id is null
                or p.author_id = $1
                or exists (
                    select from feed.memberships m where m.member_id = $1 and m.community_id = p.community_id
                )
                or position('@[' || $1::uuid || ']' in p.content) > 0
            )
            and not exists (select from feed.hidden_members h where h.member_id = p.author_id)"#,
        viewer,
        id
    );
    Ok(post.fetch_optional(db).await?)
}
