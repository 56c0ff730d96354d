//! What is reported, and why.

use portia_proto::feed as proto;
use primitives::{
    error::Violation,
    ids,
    input::{Form, InvalidRequest, Text},
};
use uuid::Uuid;

use super::optional;
use crate::reports::{EXCERPT, Kind, NewReport, Reason, Seen};

impl TryFrom<proto::ReportItemRequest> for NewReport {
    type Error = InvalidRequest;

    fn try_from(request: proto::ReportItemRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let kind = form.take(kind(request.kind()));
        let item_id = form.take(ids::parse("id", &request.id));
        let reason = form.take(reason(request.reason()));
        let words = form.take(Text::parse_optional("words", request.words.as_deref()));
        let subject_id = form.take(optional("subjectMemberId", request.subject_member_id.as_deref()));
        let ((((kind, item_id), reason), words), subject_id) =
            form.finish(kind.zip(item_id).zip(reason).zip(words).zip(subject_id))?;
        let told = Seen {
            subject_id: subject(kind, item_id, subject_id),
            excerpt: legible(request.excerpt.as_deref().unwrap_or_default()),
        };
        Ok(Self { kind, item_id, reason, words, told })
    }
}

/// A member is their own.
fn subject(kind: Kind, item_id: Uuid, told: Option<Uuid>) -> Option<Uuid> {
    if kind == Kind::Member { Some(item_id) } else { told }
}

/// What an owner keeps as it came, from boards and the like, so that a terminal can show it: nothing in it moves the
/// cursor or turns the reading direction.
fn legible(raw: &str) -> String {
    let unreadable =
        |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    raw.chars().map(|c| if unreadable(c) { ' ' } else { c }).take(EXCERPT).collect()
}

fn kind(kind: proto::ReportedKind) -> Result<Kind, Violation> {
    match kind {
        proto::ReportedKind::Post => Ok(Kind::Post),
        proto::ReportedKind::Comment => Ok(Kind::Comment),
        proto::ReportedKind::Member => Ok(Kind::Member),
        proto::ReportedKind::Message => Ok(Kind::Message),
        proto::ReportedKind::Job => Ok(Kind::Job),
        proto::ReportedKind::Unspecified => {
            Err(Violation::new("kind", "What is reported is one of post, comment, member, message and job."))
        }
    }
}

fn reason(reason: proto::ReportReason) -> Result<Reason, Violation> {
    match reason {
        proto::ReportReason::Spam => Ok(Reason::Spam),
        proto::ReportReason::Harassment => Ok(Reason::Harassment),
        proto::ReportReason::FalseInformation => Ok(Reason::FalseInformation),
        proto::ReportReason::Illegal => Ok(Reason::Illegal),
        proto::ReportReason::Other => Ok(Reason::Other),
        proto::ReportReason::Unspecified => {
            Err(Violation::new("reason", "A reason is one of spam, harassment, false-information, illegal and other."))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_owner_tells_is_made_fit_for_a_terminal() {
        assert_eq!(legible("a\u{1b}[31m\nb\r\0\u{202e}c\u{2066}\u{85}d\tñ"), "a [31m\nb   c  d ñ");
        assert_eq!(legible(&"ñ".repeat(5_000)).chars().count(), 4_000);
    }
}
