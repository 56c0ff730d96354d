//! Reports.

use portia_proto::feed as pb;
use primitives::{
    error::Violation,
    ids,
    input::{Form, InvalidRequest, Text},
};
use uuid::Uuid;

use super::parse_optional_id;
use crate::{
    cases::{Reason, ReportedKind},
    reports::{MAX_EXCERPT, NewReport, ReportedContent},
};

impl TryFrom<pb::ReportItemRequest> for NewReport {
    type Error = InvalidRequest;

    fn try_from(request: pb::ReportItemRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let kind = form.take(kind(request.kind()));
        let item_id = form.take(ids::parse("id", &request.id));
        let reason = form.take(reason(request.reason()));
        let explanation = form.take(Text::parse_optional("words", request.words.as_deref()));
        let subject_id = form.take(parse_optional_id("subjectMemberId", request.subject_member_id.as_deref()));
        let ((((kind, item_id), reason), explanation), subject_id) =
            form.finish(kind.zip(item_id).zip(reason).zip(explanation).zip(subject_id))?;
        let external = ReportedContent {
            subject_id: subject(kind, item_id, subject_id),
            excerpt: printable(request.excerpt.as_deref().unwrap_or_default()),
        };
        Ok(Self { kind, item_id, reason, explanation, external })
    }
}

/// Returns the owner of the item. A reported member owns the profile.
fn subject(kind: ReportedKind, item_id: Uuid, owner: Option<Uuid>) -> Option<Uuid> {
    if kind == ReportedKind::Member { Some(item_id) } else { owner }
}

/// Replaces characters that move the cursor of a terminal or change the direction of the text: content of other services
/// may contain them.
fn printable(raw: &str) -> String {
    let is_replaced =
        |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    raw.chars().map(|c| if is_replaced(c) { ' ' } else { c }).take(MAX_EXCERPT).collect()
}

pub fn kind(kind: pb::ReportedKind) -> Result<ReportedKind, Violation> {
    match kind {
        pb::ReportedKind::Post => Ok(ReportedKind::Post),
        pb::ReportedKind::Comment => Ok(ReportedKind::Comment),
        pb::ReportedKind::Member => Ok(ReportedKind::Member),
        pb::ReportedKind::Message => Ok(ReportedKind::Message),
        pb::ReportedKind::Job => Ok(ReportedKind::Job),
        pb::ReportedKind::Unspecified => {
            Err(Violation::new("kind", "What is reported is one of post, comment, member, message and job."))
        }
    }
}

pub fn reason(reason: pb::ReportReason) -> Result<Reason, Violation> {
    match reason {
        pb::ReportReason::Spam => Ok(Reason::Spam),
        pb::ReportReason::Harassment => Ok(Reason::Harassment),
        pb::ReportReason::FalseInformation => Ok(Reason::FalseInformation),
        pb::ReportReason::Impersonation => Ok(Reason::Impersonation),
        pb::ReportReason::PrivilegedInformation => Ok(Reason::PrivilegedInformation),
        pb::ReportReason::Illegal => Ok(Reason::Illegal),
        pb::ReportReason::Other => Ok(Reason::Other),
        pb::ReportReason::Unspecified => Err(Violation::new(
            "reason",
            "A reason is one of spam, harassment, false-information, impersonation, privileged-information, illegal and \
                 other.",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_of_content_are_replaced() {
        assert_eq!(printable("a\u{1b}[31m\nb\r\0\u{202e}c\u{2066}\u{85}d\tñ"), "a [31m\nb   c  d ñ");
        assert_eq!(printable(&"ñ".repeat(5_000)).chars().count(), 4_000);
    }
}
