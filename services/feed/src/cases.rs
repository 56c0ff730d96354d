//! Cases: reported items, the decisions on them, and the appeals of their authors.

use chrono::{DateTime, Utc};
use uuid::Uuid;

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
    /// Returns the text in facts and in the database.
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

/// The decision on a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum Outcome {
    /// The reported item was removed.
    Removed,
    /// Nothing was done in Portia.
    Dismissed,
}

/// A stored report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The id by which it is decided.
    pub id: Uuid,
    /// `None` after the reporter was erased.
    pub reporter_id: Option<Uuid>,
    /// The kind of the item.
    pub kind: ReportedKind,
    /// The id at the owner of the item.
    pub item_id: Uuid,
    /// The member who owns the item.
    pub subject_id: Option<Uuid>,
    /// The content at the time of the report, at most 4,000 characters.
    pub excerpt: String,
    /// As chosen by the reporter.
    pub reason: Reason,
    /// The explanation of the reporter.
    pub words: Option<String>,
    /// The time of the report.
    pub created_at: DateTime<Utc>,
    /// The time of the decision.
    pub resolved_at: Option<DateTime<Utc>>,
    /// The decision.
    pub outcome: Option<Outcome>,
}

/// The stated reason of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "kebab-case")]
pub enum DecisionReason {
    Spam,
    Harassment,
    FalseInformation,
    Impersonation,
    PrivilegedInformation,
    Illegal,
    /// Explained in the note.
    Other,
    /// The content breaks no rule.
    NoViolation,
    /// The matter was settled in another way.
    Resolved,
}

impl DecisionReason {
    /// Returns whether the reason states that a rule was broken.
    pub const fn is_violation(self) -> bool {
        !matches!(self, Self::NoViolation | Self::Resolved)
    }

    /// Returns the text in facts and in the database.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Spam => "spam",
            Self::Harassment => "harassment",
            Self::FalseInformation => "false-information",
            Self::Impersonation => "impersonation",
            Self::PrivilegedInformation => "privileged-information",
            Self::Illegal => "illegal",
            Self::Other => "other",
            Self::NoViolation => "no-violation",
            Self::Resolved => "resolved",
        }
    }
}

impl From<Reason> for DecisionReason {
    /// Converts the reporter's reason, which an operator's decision adopts because it states none.
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::Spam => Self::Spam,
            Reason::Harassment => Self::Harassment,
            Reason::FalseInformation => Self::FalseInformation,
            Reason::Impersonation => Self::Impersonation,
            Reason::PrivilegedInformation => Self::PrivilegedInformation,
            Reason::Illegal => Self::Illegal,
            Reason::Other => Self::Other,
        }
    }
}

/// The content of a removal.
pub struct Removed {
    pub id: Uuid,
    pub kind: ReportedKind,
    pub item_id: Uuid,
    pub author_id: Uuid,
}

/// The decision on an appeal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum AppealOutcome {
    /// The content stays removed.
    Upheld,
    /// The removal was wrong.
    Overturned,
}
