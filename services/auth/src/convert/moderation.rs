//! Requests and responses of moderators.

use portia_proto::auth as pb;
use primitives::{
    error::Violation,
    ids,
    input::{Cursor, Form, InvalidRequest, PageSize, Text},
};
use uuid::Uuid;

use super::timestamp;
use crate::{
    audit::{AuditEntry, LogCursor, Reason},
    credentials::token::Token,
    error::Error,
    moderators::{Standing, SuspendedCursor},
    suspension::{
        appeals::{AppealDecision, AppealOutcome, SuspensionAppeal},
        decisions::MemberDecision,
    },
};

/// A moderator's decision about a member.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum MemberChange {
    /// For a violation of the rules.
    Suspend,
    /// For a violation that ended, or for an error.
    Restore,
}

/// Parses a decision of the moderator `by`.
pub fn parse_decision(
    by: Uuid,
    member: &str,
    reason: pb::ModerationReason,
    note: Option<&str>,
    change: MemberChange,
) -> Result<MemberDecision, InvalidRequest> {
    let mut form = Form::default();
    let member = form.take(ids::parse("memberId", member));
    let reason = form.take(parse_reason(reason, change));
    let note = form.take(Text::parse_optional("note", note));
    let ((member, reason), note) = form.finish(member.zip(reason).zip(note))?;
    Ok(MemberDecision { by, member, reason, note })
}

fn parse_reason(reason: pb::ModerationReason, change: MemberChange) -> Result<Reason, Violation> {
    use pb::ModerationReason as Pb;
    let is_release = change == MemberChange::Restore;
    let reason = match reason {
        Pb::Spam => Some(Reason::Spam),
        Pb::Harassment => Some(Reason::Harassment),
        Pb::FalseInformation => Some(Reason::FalseInformation),
        Pb::Illegal => Some(Reason::Illegal),
        Pb::Impersonation => Some(Reason::Impersonation),
        Pb::PrivilegedInformation => Some(Reason::PrivilegedInformation),
        Pb::NoViolation if is_release => Some(Reason::NoViolation),
        Pb::Resolved if is_release => Some(Reason::Resolved),
        Pb::Other => return Ok(Reason::Other),
        Pb::NoViolation | Pb::Resolved | Pb::Unspecified => None,
    };
    let is_violation = !matches!(reason, Some(Reason::NoViolation | Reason::Resolved));
    reason
        .filter(|_| is_violation != is_release)
        .ok_or_else(|| Violation::new("reason", "This reason does not fit the decision."))
}

/// Parses the token and the text of an appeal. A malformed token counts as an unknown one.
pub fn parse_appeal(request: &pb::AppealSuspensionRequest) -> Result<(Token, Text<1_000>), Error> {
    let text = Text::parse("text", &request.text)?;
    let token = Token::parse(&request.token).ok_or(Error::AppealTokenRefused)?;
    Ok((token, text))
}

/// Parses a decision of the moderator `by` on an appeal.
pub fn parse_appeal_decision(
    by: Uuid,
    request: &pb::DecideSuspensionAppealRequest,
) -> Result<AppealDecision, InvalidRequest> {
    use pb::SuspensionAppealOutcome as Pb;
    let outcome = match request.outcome() {
        Pb::Upheld => Some((AppealOutcome::Upheld, MemberChange::Suspend)),
        Pb::Overturned => Some((AppealOutcome::Overturned, MemberChange::Restore)),
        Pb::Unspecified => None,
    };
    let mut form = Form::default();
    let suspension = form.take(ids::parse("id", &request.suspension_id));
    let outcome = form.take(outcome.ok_or_else(|| Violation::new("outcome", "Please choose a decision.")));
    let reason = outcome.and_then(|(_, change)| form.take(parse_reason(request.reason(), change)));
    let note = form.take(Text::parse_optional("note", request.note.as_deref()));
    let (((suspension, (outcome, _)), reason), note) = form.finish(suspension.zip(outcome).zip(reason).zip(note))?;
    Ok(AppealDecision { by, suspension, outcome, reason, note })
}

/// Parses `page_size` and the `page_token` of a list of appeals.
pub fn parse_appeals_page<C: Cursor>(
    request: &pb::ListSuspensionAppealsRequest,
) -> Result<(PageSize, Option<C>), InvalidRequest> {
    let mut form = Form::default();
    let size = form.take(PageSize::parse(request.page_size));
    let after = form.take(C::from_token(&request.page_token));
    form.finish(size.zip(after))
}

/// Parses `page_size` and the `page_token` of the list of suspended members.
pub fn parse_suspended_page(
    request: &pb::ListSuspendedMembersRequest,
) -> Result<(PageSize, Option<SuspendedCursor>), InvalidRequest> {
    let mut form = Form::default();
    let size = form.take(PageSize::parse(request.page_size));
    let after = form.take(SuspendedCursor::from_token(&request.page_token));
    form.finish(size.zip(after))
}

/// Parses `page_size` and the `page_token` of the log.
pub fn parse_log_page(request: &pb::ListModerationLogRequest) -> Result<(PageSize, Option<LogCursor>), InvalidRequest> {
    let mut form = Form::default();
    let size = form.take(PageSize::parse(request.page_size));
    let after = form.take(LogCursor::from_token(&request.page_token));
    form.finish(size.zip(after))
}

impl From<Standing> for pb::MemberStanding {
    fn from(standing: Standing) -> Self {
        Self {
            member_id: standing.id.to_string(),
            username: standing.username,
            suspended_at: standing.suspended_at.map(timestamp),
            moderator: standing.moderator,
            decidable: standing.is_decidable,
        }
    }
}

impl From<SuspensionAppeal> for pb::SuspensionAppeal {
    fn from(appeal: SuspensionAppeal) -> Self {
        use pb::SuspensionAppealOutcome as Pb;
        let outcome = match appeal.outcome {
            None => Pb::Unspecified,
            Some(AppealOutcome::Upheld) => Pb::Upheld,
            Some(AppealOutcome::Overturned) => Pb::Overturned,
        };
        Self {
            id: appeal.id.to_string(),
            member_id: appeal.member_id.to_string(),
            username: appeal.username,
            suspended_at: Some(timestamp(appeal.suspended_at)),
            suspended_by: appeal.suspended_by.map(|id| id.to_string()),
            moderator: appeal.moderator,
            reason: appeal.reason,
            note: appeal.note,
            appeal: appeal.appeal,
            appealed_at: Some(timestamp(appeal.appealed_at)),
            outcome: outcome.into(),
            decision_reason: appeal.decision_reason,
            decision_note: appeal.decision_note,
            decided_by: appeal.decided_by.map(|id| id.to_string()),
            decider: appeal.decider,
            decided_at: appeal.decided_at.map(timestamp),
            decidable: appeal.is_decidable,
        }
    }
}

impl From<AuditEntry> for pb::ModerationLogEntry {
    fn from(entry: AuditEntry) -> Self {
        Self {
            id: entry.id.to_string(),
            at: Some(timestamp(entry.at)),
            event: entry.event,
            moderator_id: entry.actor_id.map(|id| id.to_string()),
            moderator: entry.actor,
            member_id: entry.member_id.map(|id| id.to_string()),
            username: entry.username,
            about: entry.about,
            reason: entry.reason,
            note: entry.note,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suspension_states_a_violation_and_a_restoration_states_none() {
        use pb::ModerationReason as Pb;
        let accepted = |reason, change| parse_reason(reason, change).is_ok();
        for reason in [Pb::Spam, Pb::Harassment, Pb::FalseInformation, Pb::Illegal, Pb::Impersonation] {
            assert!(accepted(reason, MemberChange::Suspend) && !accepted(reason, MemberChange::Restore), "{reason:?}");
        }
        for reason in [Pb::NoViolation, Pb::Resolved] {
            assert!(!accepted(reason, MemberChange::Suspend) && accepted(reason, MemberChange::Restore), "{reason:?}");
        }
        for change in [MemberChange::Suspend, MemberChange::Restore] {
            assert!(accepted(Pb::Other, change) && !accepted(Pb::Unspecified, change));
        }
    }
}
