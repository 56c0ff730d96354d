//! Reports, removals and numbers of moderation.

use portia_proto::{auth, feed};
use uuid::Uuid;

use super::{ANA, BEN, CARL, COMMENT, MESSAGE, MESSAGE_REPORT, MODERATOR, POST, REMOVAL, REPORT, at, id};

/// The report of the comment of Ben.
pub fn moderated_report() -> feed::ModeratedReport {
    feed::ModeratedReport {
        id: REPORT.to_string(),
        kind: feed::ReportedKind::Comment.into(),
        item_id: COMMENT.to_string(),
        subject_member_id: Some(BEN.to_string()),
        excerpt: "Congratulations!".to_owned(),
        reason: feed::ReportReason::Spam.into(),
        created_at: at(120),
        report_count: 2,
        decidable: true,
        ..Default::default()
    }
}

pub fn report_details() -> feed::GetReportResponse {
    feed::GetReportResponse {
        report: Some(moderated_report()),
        statements: vec![feed::ReporterStatement {
            reporter_id: Some(CARL.to_string()),
            reason: feed::ReportReason::Spam.into(),
            words: Some("Again".to_owned()),
            created_at: at(120),
            reporter_removed: 3,
            reporter_dismissed: 1,
        }],
        current: Some(feed::ReportedItem {
            content: "Congratulations!".to_owned(),
            created_at: at(60),
            post_id: POST.to_string(),
            post_excerpt: Some("Passed the bar.".to_owned()),
            ..Default::default()
        }),
        subject_removed: 1,
        subject_dismissed: 0,
    }
}

/// The report of the message of Ben, which has attachments.
pub fn message_report_details() -> feed::GetReportResponse {
    let report = feed::ModeratedReport {
        id: MESSAGE_REPORT.to_string(),
        kind: feed::ReportedKind::Message.into(),
        item_id: MESSAGE.to_string(),
        ..moderated_report()
    };
    feed::GetReportResponse { report: Some(report), current: None, ..report_details() }
}

/// The removal of a post of Ana, with her appeal.
pub fn removal() -> feed::Removal {
    feed::Removal {
        id: REMOVAL.to_string(),
        kind: feed::ReportedKind::Post.into(),
        item_id: POST.to_string(),
        author_id: ANA.to_string(),
        excerpt: "Passed the bar.".to_owned(),
        reason: feed::DecisionReason::Spam.into(),
        removed_at: at(3600),
        appeal_until: at(-86_400),
        appeal: Some("It is true.".to_owned()),
        appealed_at: at(60),
        restorable: true,
        ..Default::default()
    }
}

pub fn moderation_stats() -> feed::GetModerationStatsResponse {
    feed::GetModerationStatsResponse {
        open: 2,
        oldest_open_at: at(120),
        days: vec![feed::DecisionsOfDay { day: "2026-11-20".to_owned(), removed: 1, dismissed: 2 }],
        median_seconds: Some(90.0),
        reasons: vec![feed::DecisionsOfReason { reason: feed::ReportReason::Spam.into(), removed: 1, dismissed: 2 }],
        open_appeals: 1,
        appeals_upheld: 1,
        appeals_overturned: 0,
    }
}

pub fn standing(member: Uuid, suspended: bool) -> auth::MemberStanding {
    auth::MemberStanding {
        member_id: member.to_string(),
        username: "ben".to_owned(),
        suspended_at: suspended.then(|| at(10)).flatten(),
        moderator: member == MODERATOR,
        decidable: member != MODERATOR,
    }
}

pub fn suspension_appeal() -> auth::SuspensionAppeal {
    auth::SuspensionAppeal {
        id: REMOVAL.to_string(),
        member_id: BEN.to_string(),
        username: "ben".to_owned(),
        suspended_at: at(10),
        moderator: Some("noa".to_owned()),
        reason: Some("spam".to_owned()),
        note: Some("Sells essays.".to_owned()),
        appeal: "They were my own notes.".to_owned(),
        appealed_at: at(5),
        decidable: true,
        ..auth::SuspensionAppeal::default()
    }
}

pub fn log_entry() -> auth::ModerationLogEntry {
    auth::ModerationLogEntry {
        id: id(0x62).to_string(),
        at: at(5),
        event: "report dismissed".to_owned(),
        moderator_id: Some(MODERATOR.to_string()),
        moderator: Some("mod".to_owned()),
        member_id: Some(BEN.to_string()),
        username: Some("ben".to_owned()),
        about: Some(format!("comment {COMMENT}")),
        reason: Some("no-violation".to_owned()),
        note: None,
    }
}
