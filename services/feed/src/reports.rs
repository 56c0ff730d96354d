//! Reports: what members tell the people who run Portia of, kept with what it said then.
//!
//! Whoever reports may report only what they may see. Of posts and comments feed knows that itself; of anything else the
//! gateway has asked its owner before.

use chrono::{DateTime, Utc};
use primitives::input::Text;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{comments, error::Error, sight::in_sight};

/// The most that is kept of what something said, in characters.
pub const EXCERPT: usize = 4_000;

/// What may be reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum Kind {
    /// A post.
    Post,
    /// A comment.
    Comment,
    /// A member, as their profile shows them.
    Member,
    /// A message, to whom it was sent.
    Message,
    /// A posting.
    Job,
}

/// Why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "kebab-case")]
pub enum Reason {
    /// Advertising, or the same thing over and over.
    Spam,
    /// Against somebody.
    Harassment,
    /// Not true.
    FalseInformation,
    /// Against the law.
    Illegal,
    /// What the reporter's words say.
    Other,
}

/// A report somebody makes.
#[derive(Debug)]
pub struct NewReport {
    /// Of what sort of thing.
    pub kind: Kind,
    /// Of which.
    pub item_id: Uuid,
    /// Why.
    pub reason: Reason,
    /// In the reporter's own words.
    pub words: Option<Text<1_000>>,
    /// What its owner told, of what feed does not own.
    pub told: Seen,
}

/// What somebody sees who may see it.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Whose it is.
    pub subject_id: Option<Uuid>,
    /// What it says.
    pub excerpt: String,
}

/// Keeps a report, unless the reporter told of the same thing before and nothing was decided yet.
///
/// # Errors
/// [`Error::PostNotFound`] and [`Error::CommentNotFound`] of what the reporter may not see; [`Error::OwnContent`].
pub async fn keep(
    conn: &mut PgConnection,
    id: Uuid,
    reporter_id: Uuid,
    report: NewReport,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let (item_id, Seen { subject_id, excerpt }) = match report.kind {
        Kind::Post => post(conn, reporter_id, report.item_id).await?,
        Kind::Comment => {
            let seen = comments::seen(&mut *conn, reporter_id, report.item_id).await?;
            (report.item_id, Seen { subject_id: Some(seen.author_id), excerpt: seen.content })
        }
        Kind::Member | Kind::Message | Kind::Job => (report.item_id, report.told),
    };
    if subject_id == Some(reporter_id) {
        return Err(Error::OwnContent);
    }
    sqlx::query!(
        "insert into feed.reports (id, reporter_id, kind, item_id, subject_id, excerpt, reason, words, created_at)
        values ($1, $2, $3, $4, $5, left($6, $7), $8, $9, $10)
        on conflict (reporter_id, kind, item_id) where resolved_at is null do nothing",
        id,
        reporter_id,
        report.kind as Kind,
        item_id,
        subject_id,
        excerpt,
        i32::try_from(EXCERPT).unwrap_or(i32::MAX),
        report.reason as Reason,
        report.words.as_deref(),
        at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A post as the reporter sees it.
struct Shown {
    author_id: Uuid,
    /// Empty where it passes another on without words.
    says: String,
    passes_on: Option<Uuid>,
}

/// Which post a report is of, if the reporter may see it, and what that says. One that passes another on without words says
/// nothing: it is the other that is reported, whose author it is to leave with. Where that one is not for the reporter, or
/// theirs, there is nothing but who passed it on.
async fn post(conn: &mut PgConnection, reporter: Uuid, id: Uuid) -> Result<(Uuid, Seen), Error> {
    let told = shown(conn, reporter, id).await?.ok_or(Error::PostNotFound)?;
    if told.says.is_empty()
        && let Some(original) = told.passes_on
        && let Some(said) = shown(conn, reporter, original).await?
        && said.author_id != reporter
    {
        return Ok((original, Seen { subject_id: Some(said.author_id), excerpt: said.says }));
    }
    Ok((id, Seen { subject_id: Some(told.author_id), excerpt: told.says }))
}

/// A post, if `viewer` may see it, with its title, its words and what else it shows.
async fn shown(conn: &mut PgConnection, viewer: Uuid, id: Uuid) -> Result<Option<Shown>, Error> {
    let shown = in_sight!(
        Shown,
        r#"
        select
            p.author_id,
            concat_ws(
                chr(10),
                p.title,
                nullif(p.content, ''),
                nullif(p.picture_alt, ''),
                '/media/' || p.picture_hash || '.jpg',
                p.video_url
            ) as "says!",
            p.repost_of as passes_on
        from feed.posts p
        where p.id = $2
            and
        "#,
        "",
        viewer,
        id
    );
    Ok(shown.fetch_optional(conn).await?)
}

/// Forgets that a member reported anything, with what they said of it; and a bite of what was reported of theirs. What is
/// reported of others stays: it is looked at whoever told of it. Answers how much it found.
///
/// # Errors
/// As any statement.
pub async fn forget(conn: &mut PgConnection, member_id: Uuid, bite: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"
        with told as (
            update feed.reports
            set reporter_id = null, words = null
            where id in (select id from feed.reports where reporter_id = $1 limit $2)
            returning id
        ),
        gone as (
            delete from feed.reports
            where id in (select id from feed.reports where subject_id = $1 limit $2)
            returning id
        )
        select (select count(*) from told) + (select count(*) from gone) as "n!"
        "#,
        member_id,
        bite
    )
    .fetch_one(conn)
    .await
}
