//! Requests and responses of stewards, and of verifications.

use portia_proto::profile as pb;
use primitives::{
    error::Violation,
    ids,
    input::{Cursor as _, Form, InvalidRequest, Line, PageSize},
};

use super::timestamp;
use crate::{
    decisions::{DecisionCursor, LoggedDecision, Reason},
    members::list::Card,
    namesakes::ConnectionName,
    verifications::{
        Verification, VerificationRequest, WithdrawalRequest,
        list::{SchoolMember, SchoolMemberCursor, SchoolMemberQuery},
    },
};

impl TryFrom<pb::ListSchoolMembersRequest> for SchoolMemberQuery {
    type Error = InvalidRequest;

    fn try_from(raw: pb::ListSchoolMembersRequest) -> Result<Self, InvalidRequest> {
        let verified = match raw.state() {
            pb::VerificationState::Unspecified => None,
            pb::VerificationState::Unverified => Some(false),
            pb::VerificationState::Verified => Some(true),
        };
        let mut form = Form::default();
        let words = form.take(Line::parse_optional_lenient("query", Some(&raw.query)));
        let size = form.take(PageSize::parse(raw.page_size));
        let after = form.take(SchoolMemberCursor::from_token(&raw.page_token).and_then(without_nul));
        form.finish(words.zip(size).zip(after).map(|((words, size), after)| Self { words, verified, size, after }))
    }
}

/// A cursor is input of the client: Postgres has no text with U+0000.
fn without_nul(after: Option<SchoolMemberCursor>) -> Result<Option<SchoolMemberCursor>, Violation> {
    match after {
        Some(after) if after.name_key.contains('\0') => {
            Err(Violation::new("pageToken", "This page does not exist. Start again from the first one."))
        }
        after => Ok(after),
    }
}

impl TryFrom<pb::VerifyMemberRequest> for VerificationRequest {
    type Error = InvalidRequest;

    fn try_from(raw: pb::VerifyMemberRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let member = form.take(ids::parse("memberId", &raw.member_id));
        let full_name = form.take(Line::<100>::parse("fullName", &raw.full_name, 1, "This must not be empty."));
        let reason = form.take(parse_reason(&raw.reason));
        let parsed = member.zip(full_name).zip(reason);
        form.finish(parsed.map(|((member, full_name), reason)| Self {
            member,
            full_name: full_name.into_string(),
            reason,
        }))
    }
}

impl TryFrom<pb::WithdrawVerificationRequest> for WithdrawalRequest {
    type Error = InvalidRequest;

    fn try_from(raw: pb::WithdrawVerificationRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let member = form.take(ids::parse("memberId", &raw.member_id));
        let reason = form.take(parse_reason(&raw.reason));
        form.finish(member.zip(reason).map(|(member, reason)| Self { member, reason }))
    }
}

fn parse_reason(raw: &str) -> Result<Reason, Violation> {
    Reason::parse("reason", raw, 1, "Please state the reason.")
}

/// Parses `page_size` and the `page_token` of the log.
pub fn parse_decision_page(
    raw: &pb::ListVerificationDecisionsRequest,
) -> Result<(PageSize, Option<DecisionCursor>), InvalidRequest> {
    let mut form = Form::default();
    let size = form.take(PageSize::parse(raw.page_size));
    let after = form.take(DecisionCursor::from_token(&raw.page_token));
    form.finish(size.zip(after))
}

impl From<Verification> for pb::Verification {
    fn from(Verification { school }: Verification) -> Self {
        Self { school }
    }
}

impl From<SchoolMember> for pb::SchoolMember {
    fn from(member: SchoolMember) -> Self {
        let card = Card {
            id: member.id,
            full_name: member.full_name,
            headline: member.headline,
            avatar_url: member.avatar_url,
            varies_by_actor: true,
            verification: Verification::of(member.verified_at.is_some(), member.verified_school),
        };
        Self {
            card: Some(card.into()),
            username: member.username,
            graduation_year: member.graduation_year,
            verified_at: member.verified_at.map(timestamp),
            decidable: member.decidable,
        }
    }
}

impl From<LoggedDecision> for pb::VerificationDecision {
    fn from(decision: LoggedDecision) -> Self {
        Self {
            id: decision.id.to_string(),
            member_id: decision.member_id.to_string(),
            verified: decision.verified,
            cause: pb::VerificationCause::from(decision.cause).into(),
            steward_id: decision.steward_id.map(|id| id.to_string()),
            reason: decision.reason,
            at: Some(timestamp(decision.at)),
        }
    }
}

impl From<ConnectionName> for pb::ConnectionName {
    fn from(name: ConnectionName) -> Self {
        Self { member_id: name.member_id.to_string(), connection_id: name.connection_id.to_string() }
    }
}
