//! Reports of members to the operators, with the content at the time of the report.
//!
//! A member may report what they may see, and what a block hides from them: otherwise an author could block the members who are
//! about to report them. For posts and comments this service checks that; for other items the gateway asks the owner before.

pub mod admin;
pub mod create;

use primitives::input::Text;
use sqlx::PgConnection;
use uuid::Uuid;

/// The maximum length of stored content, in characters.
pub const MAX_EXCERPT: usize = 4_000;

/// The kind of a reported item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum ReportedKind {
    /// A post.
    Post,
    /// A comment.
    Comment,
    /// A member's profile.
    Member,
    /// A message to the reporter.
    Message,
    /// A job posting.
    Job,
}

impl ReportedKind {
    /// The text in facts and in the database.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Post => "post",
            Self::Comment => "comment",
            Self::Member => "member",
            Self::Message => "message",
            Self::Job => "job",
        }
    }
}

/// The reason of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "kebab-case")]
pub enum Reason {
    /// Advertising or repetition.
    Spam,
    /// Directed against a person.
    Harassment,
    /// Untrue statements.
    FalseInformation,
    /// An account or a text that pretends to be of another person.
    Impersonation,
    /// Confidential information between a lawyer and a client.
    PrivilegedInformation,
    /// Against the law.
    Illegal,
    /// Explained by the reporter.
    Other,
}

/// A report that a member makes.
pub struct NewReport {
    pub kind: ReportedKind,
    pub item_id: Uuid,
    pub reason: Reason,
    /// The explanation of the reporter.
    pub explanation: Option<Text<1_000>>,
    /// The content of an item that another service owns, as read by the gateway.
    pub external: ReportedContent,
}

/// A report of one member about an item of another, for its fact.
pub struct CreatedReport {
    pub id: Uuid,
    pub kind: ReportedKind,
    pub item_id: Uuid,
    pub reporter_id: Uuid,
    /// The owner of the item.
    pub subject_id: Uuid,
    pub is_decided: bool,
}

/// The content of an item at the time of its report.
#[derive(Default)]
pub struct ReportedContent {
    /// The member who owns the item.
    pub subject_id: Option<Uuid>,
    pub excerpt: String,
}

/// Removes an erased member from a batch of their reports, and deletes a batch of the reports about them. Returns the number
/// of rows.
pub async fn erase_batch(db: &mut PgConnection, member_id: Uuid, batch: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"
        with anonymised as (
            update feed.reports
            set reporter_id = null, words = null
            where id in (select id from feed.reports where reporter_id = $1 limit $2)
            returning id
        ),
        deleted as (
            delete from feed.reports
            where id in (select id from feed.reports where subject_id = $1 limit $2)
            returning id
        )
        select (select count(*) from anonymised) + (select count(*) from deleted) as "n!"
        "#,
        member_id,
        batch
    )
    .fetch_one(db)
    .await
}
