//! Moderation: decisions on reports, removed posts and comments, appeals, and statistics.
//!
//! Operators decide by `portia admin` (admin.rs), moderators by RPC. Both use the functions of this module.

pub mod admin;
pub mod appeals;
pub mod decide;
pub mod removal;
mod removed_comments;
pub mod reports;
pub mod statistics;

use primitives::input::Text;
use uuid::Uuid;

use crate::cases::{AppealOutcome, DecisionReason, Outcome};

/// A remark for operators and moderators.
pub type Note = Text<1_000>;

/// A decision of a moderator on a report.
pub struct ReportDecision {
    pub report_id: Uuid,
    pub outcome: Outcome,
    pub reason: DecisionReason,
    pub note: Option<Note>,
}

/// A decision of a moderator on an appeal.
pub struct AppealDecision {
    pub removal_id: Uuid,
    pub outcome: AppealOutcome,
    pub reason: DecisionReason,
    pub note: Option<Note>,
}
