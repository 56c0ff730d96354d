//! Moderation: decisions on reports, removed posts and comments, appeals, and statistics.
//!
//! Operators decide by `portia admin` (reports/admin.rs), moderators by RPC. Both use the functions of this module.

pub mod appeals;
pub mod decide;
pub mod removal;
mod removed_comments;
pub mod reports;
pub mod statistics;

use primitives::input::Text;
use uuid::Uuid;

use crate::reports::{
    Reason,
    admin::{Outcome, Report},
};

/// A remark for operators and moderators.
pub type Note = Text<1_000>;

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
    /// Whether the reason states that a rule was broken.
    pub const fn is_violation(self) -> bool {
        !matches!(self, Self::NoViolation | Self::Resolved)
    }

    /// The text in facts and in the database.
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
    /// The reason of the reporter, if the decision of an operator states none.
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

/// A decision of a moderator on a report.
pub struct ReportDecision {
    pub report_id: Uuid,
    pub outcome: Outcome,
    pub reason: DecisionReason,
    pub note: Option<Note>,
}

/// A decision, for its fact.
pub struct Decided<'a> {
    pub report: &'a Report,
    pub outcome: Outcome,
    /// `None` for an operator.
    pub moderator: Option<Uuid>,
    pub reason: Option<DecisionReason>,
    pub note: Option<&'a str>,
    /// The removal against which the author may appeal.
    pub removal: Option<Uuid>,
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

/// A decision of a moderator on an appeal.
pub struct AppealDecision {
    pub removal_id: Uuid,
    pub outcome: AppealOutcome,
    pub reason: DecisionReason,
    pub note: Option<Note>,
}
